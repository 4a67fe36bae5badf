/* A table in a file that processes share: each has an entry, which others may read.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The file is memory that all of them map.  Byte 0 is locked (fcntl, F_SETLK) by who reads or changes entries, byte
   1 + I by the process that entry I is of, for as long as it lives.  Such locks are a process', not a descriptor's:
   a child of fork has none, exec and any end of the process, SIGKILL too, give them back.  So an entry whose byte
   nobody has locked is dead, and the next process that has the table takes it away: nothing is left behind.  Each
   version of this file keeps to that, whatever else is in it.

   Nothing here waits longer than UMMGR_LEDGER_WAIT, prints, or cancels a thread; and nothing of another process is
   trusted but that it doesn't cut the file short while it is mapped, which only the same user can.  A struct
   ummgr_ledger is one thread's at a time: callers have a lock of their own.  Two of the same file in one process
   are not possible: as one is closed the kernel would take the other's locks.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a process says; 0 at first.  What values mean, and their units, is the caller's.  */
enum { UMMGR_LEDGER_ENTRIES = 64, UMMGR_LEDGER_VALUES = 16 };
struct ummgr_ledger_entry
{
  int64_t pid;			/* As its process sees it; 0: the entry is free.  */
  uint64_t value[UMMGR_LEDGER_VALUES];
};

#define UMMGR_LEDGER_WAIT 100	/* Milliseconds, for the table.  */

struct ummgr_ledger;

/* Have an entry in FILE, which is made, or made anew if it makes no sense and nobody has it: a regular file of this
   user's, that no others may write.  The caller's until ummgr_ledger_leave.  KEPT: the file stays when the last has
   left.  NULL: *WHY_P says why, in a few words that live as long as the process.  Not in a signal handler.  */
struct ummgr_ledger *ummgr_ledger_join (const char *file, bool kept, const char **why_p);

/* Give up the entry, and free LEDGER; in a child of fork, only that.  The file goes with the last.  */
void ummgr_ledger_leave (struct ummgr_ledger *ledger);

enum ummgr_ledger_state
{
  UMMGR_LEDGER_HAD,
  UMMGR_LEDGER_BUSY,		/* Another has it all the time.  */
  UMMGR_LEDGER_REMOVED,		/* The file is no longer where others look: whoever comes meets elsewhere.  */
  UMMGR_LEDGER_LOST		/* For good: the program has closed the descriptor, or is a child of fork; what is
				   in the file makes no sense any more; locks don't work.  */
};

/* Have the table, until ummgr_ledger_unlock; entries of dead processes are gone then.  What is not UMMGR_LEDGER_HAD
   needs no unlocking.  May be called in a signal handler.  */
enum ummgr_ledger_state ummgr_ledger_lock (struct ummgr_ledger *ledger);
void ummgr_ledger_unlock (struct ummgr_ledger *ledger);

/* With the table: this process' entry, to be changed; two values of all processes' that have the table, 0 in a file
   that is new; and the number of entries that are others', of which OUT gets copies (UMMGR_LEDGER_ENTRIES, at
   most).  */
uint64_t *ummgr_ledger_own (struct ummgr_ledger *ledger);
uint64_t *ummgr_ledger_common (struct ummgr_ledger *ledger);
size_t ummgr_ledger_others (const struct ummgr_ledger *ledger, struct ummgr_ledger_entry *out);

/* With the table: others shall look.  */
void ummgr_ledger_tell (struct ummgr_ledger *ledger);

/* How often anybody was told, or a dead process' entry was taken away.  Without the table, in any thread, at the
   price of reading a word.  */
uint64_t ummgr_ledger_told (const struct ummgr_ledger *ledger);
