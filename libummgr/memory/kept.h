/* Copies that stay on the device when their mapping ends, for the next one of the same data.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program with map clauses on each kernel maps the same again and again.  What a mapping brought, and no
   region wrote, is what the host still has, but for the pages that it writes (written.h): the next mapping
   of exactly that range copies these.  To the program, and to libgomp, the data is gone in between.

   An example, of 1 MiB at v and no other data:

     for (i = 0; i < 50; i++)
       {
	 #pragma omp target map(to: v[0:n]) map(from: y[0:m])
	 ...
	 v[7] = i;
       }

   The first launches copy v, and it goes.  Once that has cost as much as watching its pages can, the fourth on a link
   of 12 GB/s, they are watched, and it is copied and kept.  Each after that copies the 4 KiB that have v[7].

   Where the compiler proves that the host doesn't write to what a region used before another region does
   (UMMGR_LIVE_OWN without UMMGR_LIVE_MAY_WRITE), there is nothing to ask the kernel for, and what the region wrote,
   and was copied back, may stay as well.  The proof is of memory that malloc gave, as a whole: it ends where that is
   freed, where a region may use a part of it, where one runs on the host or another device, and where nothing is known
   of a region.

   Where the host doesn't read it either before another region does, what a region wrote need not come back: the copy
   out is put off (UMMGR_LIVE_MAY_READ isn't set).  In

     for (i = 0; i < 50; i++)
       {
	 #pragma omp target map(to: v[0:n]) map(from: t[0:n])	// t = A v
	 #pragma omp target map(to: t[0:n]) map(tofrom: s)	// s += sum (t)
       }

   with t from malloc, t stays on the device, and is never copied.  A copy that was put off is made up for before
   anything that no proof speaks of: a data construct, a region that ends proofs, one that is not followed, a fork, and
   where the device needs the memory.  A program that has several devices doesn't put any off.

   Where the host reads it at last, and the program says so before (UMMGR_LIVE_TOLD), the copy is put off until then:
   what regions of a loop change, and the host reads behind it, comes back once (gcc-plugin/live/tell.cc).

   Only for plain copies (policy auto while all fits), and only while there is room: what a construct maps goes
   first.  And only while it pays: what watching a range costs, the faults of those who write to it included, must
   not come to more than its copies have cost and what it has saved.  All calls need the manager's lock, but
   for those that say otherwise and those for free.  */

#pragma once

#include "gomp/clauses.h"
#include "memory/manager.h"
#include "memory/objects.h"

/* MANAGER keeps copies from now on.  */
void ummgr_kept_start (struct ummgr_manager *manager);
/* It goes, and its device with all that is there.  */
void ummgr_kept_end (struct ummgr_manager *manager);

/* CLAUSES, of which BYTES are new to the device, are about to be mapped: give back what they would have no room
   beside.  */
void ummgr_kept_room (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, uint64_t bytes);

/* Storage for new OBJECT, if a copy of its range was kept; false: none was.  */
bool ummgr_kept_take (struct ummgr_object *object);

/* All of OBJECT is to be copied in: have COPY do that for what is not there.  */
enum ummgr_status ummgr_kept_fill (struct ummgr_object *object,
				   enum ummgr_status (*copy) (struct ummgr_object *object, size_t lo, size_t size));

/* Bytes of OBJECT are about to be copied out, or were: all of them if WHOLE.  */
void ummgr_kept_goes_out (struct ummgr_object *object);
void ummgr_kept_went_out (struct ummgr_object *object, bool whole);

/* A region that KNOWN says all of (NULL: nothing) is about to map CLAUSES on MANAGER's device, without whose lock this
   is called; one runs on the host (no lock either); it ran, with OBJECT, of which HINT (NULL: nothing) is known, and
   which construct NUMBER mapped, or found mapped; ALONE: the program waited for it.  */
struct ummgr_table_region;
void ummgr_kept_meets (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		       const struct ummgr_clauses *clauses);
void ummgr_kept_host (void);
void ummgr_kept_ran (struct ummgr_object *object, const struct ummgr_hint *hint, uint64_t number, bool alone);

/* Make up for all copies that were put off: what follows may look at any memory of the program.  Any thread, without
   a manager's lock; it does nothing where there are none, and ends the program where a copy fails.  */
void ummgr_kept_settle (void);

/* The host is about to read memory that begins at PTR: make up for the copy of that.  As ummgr_kept_settle;
   instrumented code calls it (gcc-plugin/live/tell.cc).  Exported.  */
void __ummgr_host_reads (const void *ptr);

/* The copy out of all of OBJECT, whose mapping ends, is put off.  False: it can't be.  */
bool ummgr_kept_puts_off (struct ummgr_object *object);

/* Was OBJECT's copy out put off, and not made up for?  Make up for it: for what is about to be written on the device
   without a copy out at its end, or by the host.  */
bool ummgr_kept_owes (const struct ummgr_object *object);
void ummgr_kept_makes_up (struct ummgr_object *object);

/* The process calls these for each free and realloc: memory that begins at PTR is no more.  Any thread, with any
   lock, at any time.  */
void ummgr_kept_sees_free (void);
void ummgr_kept_freed (const void *ptr);

/* OBJECT goes.  True: its storage stays, and is not its any more.  */
bool ummgr_kept_put (struct ummgr_object *object);

/* What all of them take, in bytes; and those that CLAUSES map again.  */
uint64_t ummgr_kept_bytes (const struct ummgr_manager *manager);
uint64_t ummgr_kept_again (const struct ummgr_manager *manager, const struct ummgr_clauses *clauses);

/* The device needs the memory, or is closed: GONE, and it has none any more.  True if there was some.  */
bool ummgr_kept_drop (struct ummgr_manager *manager, bool gone);
