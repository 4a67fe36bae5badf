/* Locks across fork.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the handlers: one pair for all locks, since pairs of their own would take them
   in the order in which they happen to be registered.  */

#include "config.h"
#include "base/fork.h"

#include <stddef.h>

static pthread_mutex_t *guarded[UMMGR_FORK_LOCKS];	/* Atomic.  */
/* Of the fork under way; forks wait for each other.  */
static pthread_mutex_t *taken[UMMGR_FORK_LOCKS];

static void
prepare (void)
{
  for (int i = 0; i < UMMGR_FORK_LOCKS; i++)
    {
      taken[i] = __atomic_load_n (&guarded[i], __ATOMIC_ACQUIRE);
      if (taken[i])
	pthread_mutex_lock (taken[i]);
    }
}

static void
done (void)
{
  for (int i = UMMGR_FORK_LOCKS - 1; i >= 0; i--)
    if (taken[i])
      pthread_mutex_unlock (taken[i]);
}

static void
add_handlers (void)
{
  pthread_atfork (prepare, done, done);
}

void
ummgr_fork_guard (enum ummgr_fork_lock number, pthread_mutex_t *lock)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, add_handlers);
  __atomic_store_n (&guarded[number], lock, __ATOMIC_RELEASE);
}
