/* Between the halves of what checks random programs' tables.
   SPDX-License-Identifier: GPL-3.0-or-later

   random-use-log.c is told of each access and notes, byte by byte, what a launch
   does; random-use-check.c asks it after the launch and compares.  One launch at
   a time; its accesses come from any of its threads.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRUTH_READ = 1, TRUTH_WRITE = 2, TRUTH_OBJECTS = 128, TRUTH_DECIDED = 8192 };

struct truth
{
  const char *name;
  uintptr_t address;
  size_t size;
  uint8_t *bytes;		/* TRUTH_READ and TRUTH_WRITE of each.  */
  uint64_t accesses;
  bool fleeting;		/* Known for one launch.  */
  bool own;			/* Each device has one.  */
};

/* How a condition came out (ummgr-trace-abi.h).  */
struct decided
{
  uint64_t region, place, times, held;
};

/* The I-th condition that was met; NULL: there were no more.  */
const struct decided *truth_decided (unsigned i);
/* Nothing is known of the object that begins at ADDRESS yet.  */
struct truth *truth_add (const char *name, const void *address, size_t size,
			 bool fleeting);
/* The object that ADDRESS is in (or just behind, if there is no other).  */
struct truth *truth_find (uintptr_t address);
/* The I-th of those that each device has; NULL: there are no more.  */
struct truth *truth_own (unsigned i);
/* Forget objects; those of a launch only where FLEETING.  */
void truth_forget (bool fleeting);
/* Between these accesses are noted; all earlier ones are forgotten.  */
void truth_begin (void);
/* Returns how many accesses were to no object.  */
uint64_t truth_end (void);

/* form-check.c: what is found of a launch of the form that use_form named last.
   Something that is claimed is wrong.  */
void form_wrong (void);
/* WHAT is not claimed to be exact; WHY, or NULL.  */
void form_doubt (const char *what, const char *why);
/* Is there one?  */
bool form_open (void);
/* There are no more.  */
void form_end (void);
