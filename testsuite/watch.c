/* The locks and the memory of a unit test: ends a test whose code gives back a lock
   that its thread doesn't have, takes one that it has, or keeps one beyond the
   test's end.  So a lock that is missing shows without threads that meet.  watch.h
   says what there is of memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   Linked to every unit test, with watch.options: the linker puts these before the
   library's calls, not before those of other libraries.  */

#include "watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64 };

static __thread const void *held[MOST];
static __thread int count;

static void
stop (const char *what, const void *lock)
{
  fprintf (stderr, "watch: %s: %p\n", what, lock);
  abort ();
}

static int
find (const void *lock)
{
  int i = count;
  while (i > 0 && held[i - 1] != lock)
    i--;
  return i - 1;
}

static void
want (const void *lock)
{
  if (find (lock) >= 0)
    stop ("a thread waits for the lock that it has", lock);
}

static int
take (const void *lock, int result)
{
  if (result == 0)
    {
      if (count == MOST)
	stop ("too many", lock);
      held[count++] = lock;
    }
  return result;
}

static void
give (const void *lock)
{
  int i = find (lock);
  if (i < 0)
    stop ("a lock is given back that the thread doesn't have", lock);
  held[i] = held[--count];
}

static void
end (int status, void *unused)
{
  (void) unused;
  if (status == 0 && count)
    stop ("a lock is kept", held[count - 1]);
}

__attribute__ ((constructor)) static void
begin (void)
{
  on_exit (end, NULL);
}

#define TAKES(NAME, TYPE)                                                     \
  int __real_##NAME (TYPE *lock);                                             \
  int __wrap_##NAME (TYPE *lock);                                             \
  int __wrap_##NAME (TYPE *lock)                                              \
  {                                                                           \
    want (lock);                                                              \
    return take (lock, __real_##NAME (lock));                                 \
  }
TAKES (pthread_mutex_lock, pthread_mutex_t)
TAKES (pthread_rwlock_rdlock, pthread_rwlock_t)
TAKES (pthread_rwlock_wrlock, pthread_rwlock_t)

#define GIVES(NAME, TYPE)                                                     \
  int __real_##NAME (TYPE *lock);                                             \
  int __wrap_##NAME (TYPE *lock);                                             \
  int __wrap_##NAME (TYPE *lock)                                              \
  {                                                                           \
    give (lock);                                                              \
    return __real_##NAME (lock);                                              \
  }
GIVES (pthread_mutex_unlock, pthread_mutex_t)
GIVES (pthread_rwlock_unlock, pthread_rwlock_t)

int __real_pthread_mutex_trylock (pthread_mutex_t *lock);
int __wrap_pthread_mutex_trylock (pthread_mutex_t *lock);
int
__wrap_pthread_mutex_trylock (pthread_mutex_t *lock)
{
  return take (lock, __real_pthread_mutex_trylock (lock));
}

int __real_pthread_mutex_timedlock (pthread_mutex_t *lock,
				    const struct timespec *until);
int __wrap_pthread_mutex_timedlock (pthread_mutex_t *lock,
				    const struct timespec *until);
int
__wrap_pthread_mutex_timedlock (pthread_mutex_t *lock,
				const struct timespec *until)
{
  return take (lock, __real_pthread_mutex_timedlock (lock, until));
}

/* In the child of a fork a lock may begin anew.  */
int __real_pthread_mutex_init (pthread_mutex_t *lock,
			       const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init (pthread_mutex_t *lock,
			       const pthread_mutexattr_t *attributes);
int
__wrap_pthread_mutex_init (pthread_mutex_t *lock,
			   const pthread_mutexattr_t *attributes)
{
  int i = find (lock);
  if (i >= 0)
    held[i] = held[--count];
  return __real_pthread_mutex_init (lock, attributes);
}

/* --- memory ---------------------------------------------------------------- */

long watch_blocks, watch_failing = -1;

static bool
fails (void)
{
  return __atomic_load_n (&watch_failing, __ATOMIC_RELAXED) >= 0
	 && __atomic_sub_fetch (&watch_failing, 1, __ATOMIC_RELAXED) == -1;
}

static void *
count_block (void *p)
{
  if (p)
    __atomic_add_fetch (&watch_blocks, 1, __ATOMIC_RELAXED);
  return p;
}

#define ALLOCATES(NAME, PARAMETERS, ARGUMENTS)                                \
  void *__real_##NAME PARAMETERS;                                             \
  void *__wrap_##NAME PARAMETERS;                                             \
  void *__wrap_##NAME PARAMETERS                                              \
  {                                                                           \
    return fails () ? NULL : count_block (__real_##NAME ARGUMENTS);           \
  }
ALLOCATES (malloc, (size_t size), (size))
ALLOCATES (calloc, (size_t count, size_t size), (count, size))
ALLOCATES (aligned_alloc, (size_t alignment, size_t size), (alignment, size))
ALLOCATES (strdup, (const char *text), (text))

void *__real_realloc (void *old, size_t size);
void *__wrap_realloc (void *old, size_t size);
void *
__wrap_realloc (void *old, size_t size)
{
  if (fails ())
    return NULL;
  void *p = __real_realloc (old, size);
  return old ? p : count_block (p);
}

void __real_free (void *p);
void __wrap_free (void *p);
void
__wrap_free (void *p)
{
  if (p)
    __atomic_sub_fetch (&watch_blocks, 1, __ATOMIC_RELAXED);
  __real_free (p);
}
