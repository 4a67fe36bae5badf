/* Would break: a fact of shadow.h set or cleared wrongly, at any size and
   alignment, by single accesses, ranges, and strided accesses; over the edge of
   a chunk; threads on neighbouring words that lose marks.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define WORDS 4096

static uint8_t model[WORDS];

static void
model_bytes (size_t lo, size_t size, bool gpu, unsigned kind)
{
  for (size_t w = lo / 4; w <= (lo + size - 1) / 4; w++)
    model[w] = test_model (model[w], gpu, kind);
}

/* Memory across the edge between two chunks.  */
static char *
memory_at_edge (void)
{
  const size_t chunk = (size_t) 1 << UMMGR_SHADOW_CHUNK_SHIFT;
  char *p = mmap (NULL, 3 * chunk, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK (p != MAP_FAILED);
  return (char *) (((uintptr_t) p + 2 * chunk - 1) & -chunk) - 2 * WORDS;
}

static void
test_random_sequences (void)
{
  static const uint32_t sizes[] = { 1, 2, 4, 8, 16, 3 };
  test_begin (1, "page", "mark");
  char *p = memory_at_edge ();
  rt->allocated (p, WORDS * 4, NULL);
  for (int i = 0; i < 200000; i++)
    {
      bool gpu = test_random () % 2;
      struct ummgr_trace_thread *t = test_enter (gpu);
      unsigned kind = 1 + test_random () % 3;
      uint32_t size = sizes[test_random () % 6];
      size_t at = test_random () % (WORDS * 4 - 16);
      if (i % 64 == 0)
	{
	  size_t n = 1 + test_random () % (WORDS * 4 - at);
	  rt->range (t, (uintptr_t) p + at, n, kind);
	  model_bytes (at, n, gpu, kind);
	  continue;
	}
      rt->access (t, (uintptr_t) p + at, UMMGR_TRACE_HOW (size, kind));
      model_bytes (at, size, gpu, kind);
    }
  for (size_t w = 0; w < WORDS; w++)
    CHECK_EQ (test_state (p + 4 * w), model[w]);
}

static char *shared;
enum { THREADS = 8, ROUNDS = 20000 };

static void *
mark_mine (void *data)
{
  size_t me = (size_t) data;
  struct ummgr_trace_thread *t = test_enter (me % 2);
  for (int i = 0; i < ROUNDS; i++)
    {
      size_t word = (size_t) (i * 37 % 512) * THREADS + me;
      rt->access (t, (uintptr_t) shared + 4 * word, UMMGR_TRACE_HOW (4, 2));
      /* And one that all read.  */
      rt->access (t, (uintptr_t) shared + 4 * (WORDS - 1 - i % 8),
		  UMMGR_TRACE_HOW (4, 1));
      if (i % 1000 == 0)
	rt->range (t, (uintptr_t) shared, 4 * 512 * 7, 1);
    }
  return NULL;
}

static void
test_threads (void)
{
  pthread_t threads[THREADS];
  test_begin (1, "page", "mark");
  shared = memory_at_edge ();
  rt->allocated (shared, WORDS * 4 + 32, NULL);
  for (size_t i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, mark_mine, (void *) i);
  for (size_t i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (size_t w = 0; w < 512 * THREADS - 8; w++)
    {
      uint8_t state = test_state (shared + 4 * w);
      bool gpu = w % THREADS % 2;
      CHECK (state & (gpu ? UMMGR_SHADOW_GPU_WROTE : UMMGR_SHADOW_CPU_WROTE));
      CHECK (!(state & (gpu ? UMMGR_SHADOW_CPU_WROTE : UMMGR_SHADOW_GPU_WROTE)));
      CHECK_EQ (state & UMMGR_SHADOW_LAST_GPU, gpu);
      if (w < 512 * 7)
	CHECK (state & UMMGR_SHADOW_CPU && state & UMMGR_SHADOW_GPU);
    }
}

int
main (void)
{
  test_run (test_random_sequences);
  test_run (test_threads);
  return 0;
}
