/* What a program does at the moment, for `ummgr top': a page of memory that is a file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A process that is asked to (UMMGR_LIVE=on, which ummgr run --live sets) has one, PID in the directory that
   ummgr_live_directory says, mode 0600; it goes with the process, unless that is killed.  The process writes
   it where a region begins and ends; whoever reads it takes no lock of the writer's, and does not wait for
   it.  What can't be had is done without, silently: nobody's program depends on it.  */

#pragma once

#include "base/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { UMMGR_LIVE_OBJECTS = 12 };

struct ummgr_live_object
{
  char name[48];		/* "": not known.  */
  uint64_t id, size, on_device;	/* Bytes; as the policy has placed it.  */
};

/* In the file, as in the writer's memory: both are of the same machine.  */
struct ummgr_live
{
  char magic[16];		/* UMMGR_LIVE_MAGIC, which has the layout's version.  */
  uint64_t sequence;		/* Odd while it is written.  */
  int64_t pid;
  uint64_t born;		/* As the kernel counts it: another process may get the number.  */
  char program[64], policy[32];
  char region[192];		/* That runs, or ran last; "": none yet.  */
  uint64_t running;		/* Regions that run.  */
  struct ummgr_counters counters; /* Of all devices.  */
  uint64_t object_count;	/* The region's; those with most on the device are in OBJECTS.  */
  struct ummgr_live_object object[UMMGR_LIVE_OBJECTS];
};
#define UMMGR_LIVE_MAGIC "ummgr live 1"

/* --- the process: each call from any thread, but the first before the others --- */

void ummgr_live_start (const char *policy);
bool ummgr_live_is_on (void);
/* A region begins (STARTED), or one ends.  COUNTERS are as far as was counted.  */
void ummgr_live_tell (const struct ummgr_counters *counters, const char *region, bool started);
/* The region has COUNT OBJECTS, which are sorted: those with most on the device first.  */
void ummgr_live_objects (struct ummgr_live_object *objects, size_t count);
/* The file goes.  */
void ummgr_live_end (void);
/* In the child of a fork: the page is the parent's.  */
void ummgr_live_after_fork (void);

/* --- who reads --- */

/* Where the files are, without making it: $XDG_RUNTIME_DIR/ummgr, or /tmp/ummgr-UID.  False: it is
   another user's, or others may write there.  */
bool ummgr_live_directory (char *buf, size_t size, bool make);

enum ummgr_live_state
{
  UMMGR_LIVE_THERE,
  UMMGR_LIVE_NONE,		/* No such file, or another user's.  */
  UMMGR_LIVE_BAD,		/* It is not what such a process writes.  */
  UMMGR_LIVE_STALE		/* Its process has ended.  */
};
/* Copy the page of process PID.  */
enum ummgr_live_state ummgr_live_read (pid_t pid, struct ummgr_live *out);
/* Take away PID's file, whose process has ended.  */
void ummgr_live_forget (pid_t pid);
