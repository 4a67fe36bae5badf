/* Which pages of the program's memory have been written, by whomever, since they were last looked at.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Asked of the kernel: userfaultfd's asynchronous write protection and PAGEMAP_SCAN, Linux 6.7 or newer
   (its Documentation/admin-guide/mm/pagemap.rst and userfaultfd.rst).  Nothing traps into this process: the
   kernel lets a write to a watched page pass, its own included (read into a buffer), and marks the page.
   The first such write to a page costs a fault, about a microsecond.

   What doesn't pass the processor's page tables isn't seen: a network card that writes to memory which was
   registered with it before.  So nothing is watched in a process with a library that registers memory.

   An example: four pages are watched, the program stores to the second and reads a file into the last,
   and unmaps the third.  Then ummgr_written_each tells [page 1, page 4).

   Any thread.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Can pages be watched here?  The first call finds out.  */
bool ummgr_written_able (void);

/* Watch [LO, HI) from now on: what is returned is the caller's to end; NULL: it can't be watched.  Ranges may share
   pages, or be the same.  */
struct ummgr_written;
struct ummgr_written *ummgr_written_watch (uintptr_t lo, uintptr_t hi);

/* VISIT, in their order, what of W may have been written since, in whole pages cut to it, and watch these anew: a
   write that comes meanwhile is seen now or the next time.  All of it where the kernel doesn't say, or would have to
   say more than UMMGR_WRITTEN_MOST ranges.  Only one thread at a time asks of W.  */
enum { UMMGR_WRITTEN_MOST = 64 };
void ummgr_written_each (struct ummgr_written *w, void (*visit) (uintptr_t lo, uintptr_t hi, void *data),
			 void *data);

void ummgr_written_end (struct ummgr_written *w);
