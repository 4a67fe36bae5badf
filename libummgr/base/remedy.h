/* Remedies that need no change of the source, and which objects they are for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The four kinds of advice that XPlacer tries (section IV), as the library gives
   them to a running program (gomp/hooks/launch-apply.c) and a replay to a recorded
   one (replay/policies.h).  None changes what a program computes.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What asks least of the driver comes first.  */
enum ummgr_remedy_kind
{
  UMMGR_REMEDY_READ_MOSTLY,	/* Who reads it gets a copy of its own.  */
  UMMGR_REMEDY_ACCESSED_BY,	/* The device uses it where it is.  */
  UMMGR_REMEDY_PREFERRED_DEVICE, /* It is to be on the device.  */
  UMMGR_REMEDY_PREFERRED_HOST,	/* It stays on the host, and the device reaches it
				   there, without faults.  */
  UMMGR_REMEDY_KINDS
};

/* "read-mostly" ..., as options and reports have them.  */
extern const char *const ummgr_remedy_name[UMMGR_REMEDY_KINDS];

/* One for an object: the variable that holds it, and where that was allocated.  */
struct ummgr_remedy
{
  enum ummgr_remedy_kind kind;
  const char *name;		/* "": of any name.  */
  const char *file;		/* "": allocated anywhere.  */
  uint32_t line;		/* 0: anywhere in FILE.  */
};

/* As many as one list has, at most.  */
enum { UMMGR_REMEDIES_MAX = 64 };

struct ummgr_remedies
{
  char *text;			/* Owned: what all the others point into.  */
  size_t count;
  struct ummgr_remedy remedy[UMMGR_REMEDIES_MAX];
  const char *path;		/* A file that says for which objects; or NULL.  */
};

/* TEXT is "REMEDY[:[NAME][@FILE[:LINE]]],...", and may end with a PATH.  Returns NULL, or
   what was expected (static storage); then OUT is empty.  */
const char *ummgr_remedies_parse (const char *text, struct ummgr_remedies *out);
void ummgr_remedies_free (struct ummgr_remedies *remedies);

/* Is R for what the variable NAME holds, allocated at FILE:LINE?  "" and 0 are not known: then
   the rest decides, if anything is known of what R names.  FILE may have more directories than R's, or fewer.  */
bool ummgr_remedy_is_for (const struct ummgr_remedy *r, const char *name, const char *file,
			  uint32_t line);
