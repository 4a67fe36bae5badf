/* Inside advice: a change being made.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "advise/advise.h"
#include "source/source.h"

/* What the findings of C say of the copies of an object.  */
struct ummgr_advise_found
{
  uint64_t in;			/* Bytes that were there, or had come from there.  */
  uint64_t part;		/* Of others that came, those that nobody read.  */
  uint64_t part_unsure;		/* Of these, what went back as it came: the host may have changed it each
				   time, and loses that where it stays.  */
  uint64_t out;			/* That need not come back before the end.  */
  uint64_t unchanged;		/* Nor then.  */
  bool made;			/* All IN that had come from there was made in the construct.  */
  double in_seconds, part_seconds, out_seconds; /* That IN, PART and OUT take.  */
};

/* Sources that were read, so that each is once: freed at the end.  */
struct ummgr_advise_sources
{
  struct ummgr_source **read;
  size_t count, room;
};

struct ummgr_advising
{
  struct ummgr_diagnosis *d;
  const struct ummgr_advise_program *program; /* Or NULL.  */
  struct ummgr_advise_sources sources;
  bool patches;
};

/* --- changes.c ------------------------------------------------------------------------- */

bool ummgr_advise_same_object (const struct ummgr_traced_object *a, const struct ummgr_traced_object *b);
/* Is the I-th of C's findings the first of its object?  */
bool ummgr_advise_is_first (const struct ummgr_change *c, size_t i);
struct ummgr_advise_found ummgr_advise_found_of (const struct ummgr_change *c,
						 const struct ummgr_traced_object *object);
/* Does the host change OBJECT between the copies of which FOUND is?  By what came, and is not told to
   have been in vain: more than once all of it.  */
bool ummgr_advise_is_changed (const struct ummgr_advise_found *found, const struct ummgr_traced_object *object);
/* Do two objects of C have the name of OBJECT?  */
bool ummgr_advise_is_only (const struct ummgr_change *c, const struct ummgr_traced_object *object);

/* --- name.c ---------------------------------------------------------------------------- */

/* FILE, a name of the trace's, which is relative to where the program was compiled, or else tried in the
   directory of the program; or NULL, also if no patches are wanted: then nobody sees directives either.  */
struct ummgr_source *ummgr_advise_source (struct ummgr_advising *a, const char *file);

/* F's object as the clause there calls it, without its section: malloc'ed, or NULL.  */
char *ummgr_advise_called (const struct ummgr_finding *f);

/* Set C's items.  */
bool ummgr_advise_items (struct ummgr_advising *a, struct ummgr_change *c);

/* --- patch.c --------------------------------------------------------------------------- */

/* Set C's patch, or else unpatched.  */
void ummgr_advise_patch (struct ummgr_advising *a, struct ummgr_change *c);
