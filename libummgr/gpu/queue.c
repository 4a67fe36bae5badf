/* Which warp is ready first.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the ring of spans of time and the heap of what is beyond them.  */

#include "config.h"
#include "gpu/queue.h"

#include <stdlib.h>

enum
{
  SPANS = UMMGR_GPU_SPANS,
  NONE = UINT32_MAX
};

bool
ummgr_gpu_queue_set_up (struct ummgr_gpu_queue *q, uint32_t count, double seconds)
{
  *q = (struct ummgr_gpu_queue) { .rate = SPANS / seconds };
  q->entry = calloc (count, sizeof *q->entry);
  q->heap = malloc (count * sizeof *q->heap);
  q->first = malloc (SPANS * sizeof *q->first);
  q->last = malloc (SPANS * sizeof *q->last);
  return q->entry && q->heap && q->first && q->last;
}

void
ummgr_gpu_queue_tear_down (struct ummgr_gpu_queue *q)
{
  free (q->entry);
  free (q->heap);
  free (q->first);
  free (q->last);
}

static bool
before (const struct ummgr_gpu_entry *a, const struct ummgr_gpu_entry *b)
{
  return a->ready < b->ready || (a->ready == b->ready && a->order < b->order);
}

/* --- the heap ------------------------------------------------------------------- */

static bool
heap_before (const struct ummgr_gpu_queue *q, uint32_t i, uint32_t k)
{
  return before (&q->entry[q->heap[i]], &q->entry[q->heap[k]]);
}

static void
swap (struct ummgr_gpu_queue *q, uint32_t i, uint32_t k)
{
  uint32_t number = q->heap[i];
  q->heap[i] = q->heap[k];
  q->heap[k] = number;
}

static void
heap_add (struct ummgr_gpu_queue *q, uint32_t number)
{
  uint32_t i = q->heaped++;
  q->heap[i] = number;
  for (; i && heap_before (q, i, (i - 1) / 2); i = (i - 1) / 2)
    swap (q, i, (i - 1) / 2);
}

static void
heap_take (struct ummgr_gpu_queue *q)
{
  q->heap[0] = q->heap[--q->heaped];
  for (uint32_t i = 0, k; (k = 2 * i + 1) < q->heaped; i = k)
    {
      if (k + 1 < q->heaped && heap_before (q, k + 1, k))
	k++;
      if (!heap_before (q, k, i))
	break;
      swap (q, i, k);
    }
}

/* --- the ring ------------------------------------------------------------------- */

static void
ring_add (struct ummgr_gpu_queue *q, uint64_t span, struct ummgr_gpu_entry *e)
{
  uint32_t s = span % SPANS;
  uint64_t bit = UINT64_C (1) << s % 64;
  q->ringed++;
  if (!(q->some[s / 64] & bit))
    {
      q->some[s / 64] |= bit;
      q->first[s] = q->last[s] = e->number;
      e->next = NONE;
      return;
    }
  /* Mostly the last of all.  */
  if (!before (e, &q->entry[q->last[s]]))
    {
      q->entry[q->last[s]].next = e->number;
      q->last[s] = e->number;
      e->next = NONE;
      return;
    }
  uint32_t *at = &q->first[s];
  while (!before (e, &q->entry[*at]))
    at = &q->entry[*at].next;
  e->next = *at;
  *at = e->number;
}

/* The first span from NOW on that is not empty; there is one.  */
static uint32_t
ring_first (const struct ummgr_gpu_queue *q)
{
  uint32_t s = q->now % SPANS, w = s / 64;
  uint64_t bits = q->some[w] & UINT64_MAX << s % 64;
  while (!bits)
    {
      w = (w + 1) % (SPANS / 64);
      bits = q->some[w];
    }
  return w * 64 + __builtin_ctzll (bits);
}

/* --- both ------------------------------------------------------------------------ */

void
ummgr_gpu_queue_add (struct ummgr_gpu_queue *q, uint32_t number, double ready)
{
  struct ummgr_gpu_entry *e = &q->entry[number];
  *e = (struct ummgr_gpu_entry) { ready, q->orders++, number, NONE };
  double span = ready * q->rate;
  if (span >= (double) (q->now + SPANS))
    heap_add (q, number);
  else
    ring_add (q, span > (double) q->now ? (uint64_t) span : q->now, e);
}

const struct ummgr_gpu_entry *
ummgr_gpu_queue_first (struct ummgr_gpu_queue *q)
{
  const struct ummgr_gpu_entry *ring = NULL, *heap = NULL;
  if (q->ringed)
    ring = &q->entry[q->first[ring_first (q)]];
  if (q->heaped)
    heap = &q->entry[q->heap[0]];
  return !ring || (heap && before (heap, ring)) ? heap : ring;
}

void
ummgr_gpu_queue_take (struct ummgr_gpu_queue *q, const struct ummgr_gpu_entry *first)
{
  if (q->heaped && q->heap[0] == first->number)
    {
      uint64_t span = first->ready * q->rate;
      q->now = span > q->now ? span : q->now;
      heap_take (q);
      return;
    }
  uint32_t s = ring_first (q);
  q->now += (s - q->now) % SPANS;
  q->first[s] = first->next;
  q->ringed--;
  if (first->next == NONE)
    q->some[s / 64] &= ~(UINT64_C (1) << s % 64);
}
