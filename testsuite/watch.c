/* The locks and the memory of a unit test: ends a test whose code gives back a lock
   that its thread doesn't have, takes one that it has, or keeps one beyond the
   test's end.  So a lock that is missing shows without threads that meet.  The
   memory that the code asks for is guarded as in a debugging malloc; watch.h says
   what else there is.
   SPDX-License-Identifier: GPL-3.0-or-later

   Linked to every unit test, with watch.options: the linker puts these before the
   library's calls, not before those of other libraries.  */

#include "watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Behind each block stands this, new memory has garbage in it, and so has freed
   memory: what writes beyond an end, or reads too early or too late, shows.  */
#define GUARD UINT64_C (0xfeedfacecafebeef)
enum { BLOCKS = 1 << 18, PROBES = 32, NEW = 0xa5, OLD = 0xdd, FILLED = 4096 };

static struct block { void *p; size_t size; } blocks[BLOCKS];
static volatile char busy;

long watch_blocks, watch_bytes, watch_failing = -1;

static bool
fails (void)
{
  return __atomic_load_n (&watch_failing, __ATOMIC_RELAXED) >= 0
	 && __atomic_sub_fetch (&watch_failing, 1, __ATOMIC_RELAXED) == -1;
}

/* The first of SIZE bytes at P become BYTE.  */
static void
fill (void *p, int byte, size_t size)
{
  memset (p, byte, size < FILLED ? size : FILLED);
}

/* The entry of P, or a free one for it, with the table locked; NULL: there is none.
   In the child of a fork the lock may stay taken: then nothing is known.  */
static struct block *
enter (void *p, bool make)
{
  for (int i = 0; __atomic_test_and_set (&busy, __ATOMIC_ACQUIRE); i++)
    if (i == 1000000)
      return NULL;
  size_t at = (uintptr_t) p / 16 * UINT64_C (0x9e3779b97f4a7c15) >> 46;
  for (int i = 0; i < PROBES; i++)
    {
      struct block *b = &blocks[(at + i) % BLOCKS];
      if (b->p == p)
	return b;
    }
  for (int i = 0; make && i < PROBES; i++)
    {
      struct block *b = &blocks[(at + i) % BLOCKS];
      if (!b->p)
	return b;
    }
  __atomic_clear (&busy, __ATOMIC_RELEASE);
  return NULL;
}

static void
leave (void)
{
  __atomic_clear (&busy, __ATOMIC_RELEASE);
}

/* P of SIZE bytes, and the guard's, was had; what it had OLD_SIZE of stays.  */
static void *
note (void *p, size_t old_size, size_t size, bool garbage)
{
  if (!p)
    return NULL;
  if (garbage && size > old_size)
    fill ((char *) p + old_size, NEW, size - old_size);
  struct block *b = enter (p, true);
  if (!b)
    return p;
  const uint64_t guard = GUARD;
  memcpy ((char *) p + size, &guard, sizeof guard);
  *b = (struct block) { p, size };
  watch_bytes += size;
  leave ();
  return p;
}

/* P goes: its size; 0 where that isn't known.  */
static size_t
forget (void *p)
{
  struct block *b = p ? enter (p, false) : NULL;
  if (!b)
    return 0;
  size_t size = b->size;
  const uint64_t guard = GUARD;
  bool good = memcmp ((char *) p + size, &guard, sizeof guard) == 0;
  b->p = NULL;
  watch_bytes -= size;
  leave ();
  if (!good)
    stop ("something was written behind the end of a block", p);
  return size;
}

static void *
count_block (void *p)
{
  if (p)
    __atomic_add_fetch (&watch_blocks, 1, __ATOMIC_RELAXED);
  return p;
}

void *__real_malloc (size_t size);
void *__wrap_malloc (size_t size);
void *
__wrap_malloc (size_t size)
{
  return fails () || size > PTRDIFF_MAX ? NULL
	 : count_block (note (__real_malloc (size + sizeof (GUARD)), 0, size, true));
}

void *__real_calloc (size_t count, size_t size);
void *__wrap_calloc (size_t count, size_t size);
void *
__wrap_calloc (size_t count, size_t size)
{
  size_t all;
  return fails () || __builtin_mul_overflow (count, size, &all)
	 || all > PTRDIFF_MAX ? NULL
	 : count_block (note (__real_calloc (1, all + sizeof (GUARD)), 0, all,
			      false));
}

void *__real_realloc (void *old, size_t size);
void *__wrap_realloc (void *old, size_t size);
void *
__wrap_realloc (void *old, size_t size)
{
  if (fails () || size > PTRDIFF_MAX)
    return NULL;
  size_t known = forget (old);
  void *p = __real_realloc (old, size + sizeof (GUARD));
  if (!p)
    return NULL;
  note (p, known, size, known || !old);
  return old ? p : count_block (p);
}

void *__wrap_reallocarray (void *old, size_t count, size_t size);
void *
__wrap_reallocarray (void *old, size_t count, size_t size)
{
  size_t all;
  return __builtin_mul_overflow (count, size, &all) ? NULL
	 : __wrap_realloc (old, all);
}

void *__real_aligned_alloc (size_t alignment, size_t size);
void *__wrap_aligned_alloc (size_t alignment, size_t size);
void *
__wrap_aligned_alloc (size_t alignment, size_t size)
{
  return fails () ? NULL : count_block (__real_aligned_alloc (alignment, size));
}

void *__wrap_strdup (const char *text);
void *
__wrap_strdup (const char *text)
{
  size_t size = strlen (text) + 1;
  void *p = __wrap_malloc (size);
  return p ? memcpy (p, text, size) : NULL;
}

void __real_free (void *p);
void __wrap_free (void *p);
void
__wrap_free (void *p)
{
  if (!p)
    return;
  __atomic_sub_fetch (&watch_blocks, 1, __ATOMIC_RELAXED);
  fill (p, OLD, forget (p));
  __real_free (p);
}
