/* Managed memory in place of what a program would allocate.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The compiler plugin makes allocations that reach target regions ask here
   first (gcc-plugin/site/unify.cc).  Such memory is then the program's as if
   malloc had returned it: it may go to free, realloc and delete anywhere, is
   there in the child of a fork, and stays until the process ends.  unify.c knows
   it, unify-libc.c stands in for the C library's functions that it may be given
   to.  Any thread.

   What may be shared without anybody having asked for it (gcc-plugin/site/shared.cc) is plain memory as
   long as all of it fits the device's budget: then regions have copies, as libgomp does it.  What comes from then
   on is managed memory, under a policy that shares: mapped, it would be copied on the host first, and take its
   memory twice.
   An example: 15 GB of budget, and 6 GB allocated for a, b and c each: a and b are plain, c is managed.  But where one
   function allocates all three, the plugin tells before each what comes later (gcc-plugin/site/ahead.cc): a and 12 GB,
   so all are managed.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How, ored.  The numbers are in the programs.  */
enum ummgr_unify_how
{
  UMMGR_UNIFY_ZERO = 1,		/* Cleared.  */
  UMMGR_UNIFY_NEW = 2,		/* In place of operator new.  */
  UMMGR_UNIFY_OPENMP = 4,	/* In place of omp_alloc.  */
  UMMGR_UNIFY_SURE = 8		/* Of a site that reaches a region.  */
};

/* COUNT * SIZE bytes at a multiple of ALIGN (0: of what malloc gives), or NULL:
   then the program does what it would have done.  OLD, if not NULL, is resized
   by that, too.  SITE is 0, or the id of a site, which without UMMGR_UNIFY_SURE may only be redirected
   if it reaches a region.  errno stays as it is.  Called by programs, exported.  */
void *ummgr_unify_alloc (size_t count, size_t size, size_t align,
			 const void *old, unsigned how, uint64_t site);
/* The same of what may be shared, where that is good for anything; else it is plain.  Not of omp_alloc's.  */
void *ummgr_share_alloc (size_t count, size_t size, size_t align,
			 const void *old, unsigned how, uint64_t site);

/* What this thread's next call of ummgr_share_alloc asks for has so many BYTES behind it that may be shared, too, as
   far as the plugin can tell.  */
void ummgr_share_ahead (size_t bytes);

/* What the functions of unify-libc.c ask: false if PTR is not from here, and
   then nothing was done.  Of a free that is the program's own way to end, errno
   stays.  */
bool ummgr_unify_free (void *ptr);
/* *OUT is NULL without memory, and then PTR stays valid.  */
bool ummgr_unify_realloc (void *ptr, size_t size, void **out);
bool ummgr_unify_size (const void *ptr, size_t *out);

/* Those functions are what the whole process calls: HOW says of which kinds of
   memory (0: of malloc's).  Before any of it is allocated.  */
void ummgr_unify_watch (unsigned how);

/* Device DEVICE is about to be closed at exit: is there memory of its that must
   stay?  From then on it is not freed any more.  */
bool ummgr_unify_keep (int device);
