/* What an instrumented program's launches access: between accesses.c, which stands in the place
   of the recorder, and what says which memory is looked at and when.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program finds accesses.c's ummgr_trace_attach first and reports to it alone: nothing is
   filtered, merged or rounded.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ACCESSES_OBJECTS = 256 };

/* Memory that is looked at.  No two overlap.  */
struct accesses_object
{
  uintptr_t base;
  size_t size;			/* 0: it has gone.  */
  uint64_t accesses;
  uint8_t *touched;		/* 1 for each byte.  */
};

extern struct accesses_object accesses_objects[ACCESSES_OBJECTS];
extern unsigned accesses_object_count;	/* Grows only.  */
extern bool accesses_on;	/* Accesses are counted.  Atomic.  */

/* One caller at a time.  */
void accesses_add (uintptr_t base, size_t size);
/* False: there is none at BASE.  */
bool accesses_drop (uintptr_t base);
/* Have the device's copy of the program report, too.  Its switch is a `declare target' variable,
   of which the device has a copy of its own.  */
void accesses_device_start (void);
/* Say WHAT and end the process.  */
void accesses_fail (const char *what) __attribute__ ((noreturn));
/* The function NAME of what comes after us.  */
void *accesses_next (const char *name);
