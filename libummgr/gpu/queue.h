/* Which warp is ready first.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A queue by modelled time, and among equal times by who came first.  Most times are
   less than some memory latencies away: these lie in a ring of short, sorted lists, each
   for a span of time; the few others in a heap.  Adding and taking the first cost some
   nanoseconds, where a heap of a thousand takes a hundred.

   One thread at a time; a number is in the queue at most once.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { UMMGR_GPU_SPANS = 2048 };

struct ummgr_gpu_entry
{
  double ready;
  uint64_t order;
  uint32_t number, next;	/* NEXT in its span's list, or UINT32_MAX.  */
};

struct ummgr_gpu_queue
{
  double rate;			/* Spans a second.  */
  uint64_t now;			/* The span that nothing comes before.  */
  uint64_t orders;
  struct ummgr_gpu_entry *entry; /* By number.  */
  uint32_t *first, *last;	/* By span; LAST holds where there is a FIRST.  */
  uint64_t some[UMMGR_GPU_SPANS / 64]; /* A bit for each that is not empty.  */
  uint32_t *heap;
  uint32_t heaped, ringed;
};

/* A queue of numbers below COUNT, whose times are mostly within SECONDS.  False: no memory;
   to be torn down nevertheless.  */
bool ummgr_gpu_queue_set_up (struct ummgr_gpu_queue *q, uint32_t count, double seconds);
void ummgr_gpu_queue_tear_down (struct ummgr_gpu_queue *q);

/* NUMBER is ready at READY.  */
void ummgr_gpu_queue_add (struct ummgr_gpu_queue *q, uint32_t number, double ready);
/* The first, or NULL; until the queue changes.  */
const struct ummgr_gpu_entry *ummgr_gpu_queue_first (struct ummgr_gpu_queue *q);
/* Take out what that said.  */
void ummgr_gpu_queue_take (struct ummgr_gpu_queue *q, const struct ummgr_gpu_entry *first);

#pragma GCC visibility pop
