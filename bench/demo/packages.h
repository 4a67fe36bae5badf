/* Debian packages and what they need, from control-file stanzas.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct packages;

/* Pairs of positions: pairs[i][0] depends on pairs[i][1].  */
struct package_arcs
{
  int32_t (*pairs)[2];
  size_t count;
  size_t unresolved;	/* Dependencies with no alternative here.  */
};

/* Read stanzas (apt's package lists, dpkg's status file) to the end of IN.
   A stanza without a package name, or of a package that dpkg knows but that
   isn't installed, is skipped and counted; a line that is no field is
   ignored.  A name seen again adds its dependencies to the first.  Ends the
   program without memory.  */
struct packages *packages_read (FILE *in, bool recommends);
void packages_free (struct packages *packages);

size_t packages_count (const struct packages *packages);
size_t packages_skipped (const struct packages *packages);
const char *packages_name (const struct packages *packages, size_t position);

/* Position of NAME, or -1.  */
int64_t packages_find (const struct packages *packages, const char *name);

/* Resolve every dependency: each alternative that exists gives an arc, a
   virtual one an arc to each package that provides it.  Duplicates and loops
   are possible.  The caller frees PAIRS.  */
struct package_arcs packages_resolve (const struct packages *packages);
