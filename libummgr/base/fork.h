/* Locks across fork.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <pthread.h>

/* Those that are held together, in the order in which they are taken.  */
enum ummgr_fork_lock
{
  UMMGR_FORK_FLOW,
  UMMGR_FORK_TABLES,
  UMMGR_FORK_LOCKS
};

/* From now on a thread that forks holds LOCK meanwhile: a child that is forked while
   another thread has it would find it taken for ever.  Any thread, as often as one
   likes, without the lock.  */
void ummgr_fork_guard (enum ummgr_fork_lock number, pthread_mutex_t *lock);
