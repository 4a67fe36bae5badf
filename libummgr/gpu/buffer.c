/* A device's fault buffer and the driver's loop over it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the requests.  Of the buffer itself only what a flush has left is kept: after a
   replay all requests are in it, in an order that follows from theirs, and only a batch of
   them is ever looked at.  */

#include "config.h"
#include "gpu/buffer.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 14, NOTHING = -1 };

/* Requests and waiters are numbers: their arrays grow.  */
struct waiter
{
  uint64_t what;
  uint32_t warp;
  int32_t next;
};

struct request
{
  struct uvm_block *block;
  uint16_t page, utlb;
  bool write;
  uint64_t arrival;		/* Rises.  */
  int32_t waiters;
  int32_t hash_next, block_next; /* Of the same bucket; block.  */
  int32_t next, previous;	/* Of the micro TLB, by arrival.  */
  int32_t all_next, all_previous; /* Of all.  */
};

struct utlb
{
  int32_t first, last, cursor;
};

/* By unit.  */
struct block
{
  int32_t requests;
  uint64_t batch;		/* The rest is of that one.  */
  struct uvm_mask resident, held; /* Before.  */
  struct uvm_mask coming;
};

struct ummgr_gpu_buffer
{
  struct uvm *uvm;
  int device;
  unsigned utlbs;
  void (*done) (void *data, unsigned warp, uint64_t what);
  void *data;

  struct request *request;
  size_t request_room;
  int32_t requests, free_request;
  struct waiter *waiter;
  size_t waiter_room;
  int32_t waiters, free_waiter;
  int32_t bucket[BUCKETS];
  struct block *block;
  size_t blocks;
  struct utlb *utlb;
  int32_t all_first, all_last;
  unsigned turn;		/* Micro TLB that is first in the next round.  */

  uint64_t arrivals;
  uint64_t taken_at;		/* ARRIVALS then.  */
  enum { IDLE, WAKING, SERVING, HEEDING } state; /* The last: access counters.  */
  bool heeded;			/* The last batch was of these.  */
  bool came;			/* Pages came for these since the last replay.  */
  double when;
  uint64_t batch;		/* Number of the one under way.  */
  struct uvm_fault *fault;	/* Of it.  */
  struct uvm_fault *left;	/* What the last flush left; no more than a batch takes.  */
  unsigned count, lefts, most;
  struct uvm_batch now;
};

struct ummgr_gpu_buffer *
ummgr_gpu_buffer_create (struct uvm *u, int device, unsigned utlbs,
			 void (*done) (void *data, unsigned warp, uint64_t what),
			 void *data)
{
  struct ummgr_gpu_buffer *b = calloc (1, sizeof *b);
  if (!b)
    return NULL;
  *b = (struct ummgr_gpu_buffer) {
    .uvm = u, .device = device, .utlbs = utlbs, .done = done, .data = data,
    .free_request = NOTHING, .free_waiter = NOTHING, .all_first = NOTHING,
    .all_last = NOTHING, .when = INFINITY
  };
  for (unsigned i = 0; i < BUCKETS; i++)
    b->bucket[i] = NOTHING;
  b->utlb = malloc (utlbs * sizeof *b->utlb);
  b->most = u->device[device].figures.fault_batch;
  b->fault = malloc (b->most * sizeof *b->fault);
  b->left = malloc (b->most * sizeof *b->left);
  if (!b->utlb || !b->fault || !b->left)
    {
      ummgr_gpu_buffer_destroy (b);
      return NULL;
    }
  for (unsigned i = 0; i < utlbs; i++)
    b->utlb[i] = (struct utlb) { NOTHING, NOTHING, NOTHING };
  /* What a launch before has left.  */
  if (u->device[device].notified)
    ummgr_gpu_buffer_notified (b, 0);
  return b;
}

void
ummgr_gpu_buffer_destroy (struct ummgr_gpu_buffer *b)
{
  if (!b)
    return;
  free (b->request);
  free (b->waiter);
  free (b->block);
  free (b->utlb);
  free (b->fault);
  free (b->left);
  free (b);
}

/* --- requests ---------------------------------------------------------------- */

static int32_t
new_request (struct ummgr_gpu_buffer *b)
{
  int32_t i = b->free_request;
  if (i != NOTHING)
    {
      b->free_request = b->request[i].next;
      return i;
    }
  return UMMGR_GROW (b->request, b->request_room, b->requests + 1) ? b->requests++
								    : NOTHING;
}

static bool
add_waiter (struct ummgr_gpu_buffer *b, int32_t request, unsigned warp, uint64_t what)
{
  int32_t i = b->free_waiter;
  if (i != NOTHING)
    b->free_waiter = b->waiter[i].next;
  else if (UMMGR_GROW (b->waiter, b->waiter_room, b->waiters + 1))
    i = b->waiters++;
  else
    return false;
  b->waiter[i] = (struct waiter) { what, warp, b->request[request].waiters };
  b->request[request].waiters = i;
  return true;
}

/* Blocks up to UNIT are known.  */
static bool
know_block (struct ummgr_gpu_buffer *b, uint32_t unit)
{
  size_t known = b->blocks;
  if (!UMMGR_GROW (b->block, b->blocks, unit + 1))
    return false;
  for (size_t i = known; i < b->blocks; i++)
    b->block[i] = (struct block) { .requests = NOTHING };
  return true;
}

static int32_t *
bucket_of (struct ummgr_gpu_buffer *b, unsigned utlb, uint32_t unit, unsigned page)
{
  uint64_t key = ((uint64_t) utlb << 48) ^ ((uint64_t) unit << 9) ^ page;
  return &b->bucket[key * UINT64_C (0x9e3779b97f4a7c15) >> 50];
}

static void
link_request (struct ummgr_gpu_buffer *b, int32_t i)
{
  struct request *r = &b->request[i];
  struct utlb *t = &b->utlb[r->utlb];
  int32_t *bucket = bucket_of (b, r->utlb, r->block->unit, r->page);
  r->hash_next = *bucket;
  *bucket = i;
  r->block_next = b->block[r->block->unit].requests;
  b->block[r->block->unit].requests = i;
  r->next = r->all_next = NOTHING;
  r->previous = t->last;
  r->all_previous = b->all_last;
  *(t->last == NOTHING ? &t->first : &b->request[t->last].next) = i;
  *(b->all_last == NOTHING ? &b->all_first : &b->request[b->all_last].all_next) = i;
  t->last = b->all_last = i;
}

/* But for its block's list.  */
static void
unlink_request (struct ummgr_gpu_buffer *b, int32_t i)
{
  struct request *r = &b->request[i];
  struct utlb *t = &b->utlb[r->utlb];
  int32_t *at = bucket_of (b, r->utlb, r->block->unit, r->page);
  while (*at != i)
    at = &b->request[*at].hash_next;
  *at = r->hash_next;
  *(r->previous == NOTHING ? &t->first : &b->request[r->previous].next) = r->next;
  *(r->next == NOTHING ? &t->last : &b->request[r->next].previous) = r->previous;
  *(r->all_previous == NOTHING ? &b->all_first
			       : &b->request[r->all_previous].all_next) = r->all_next;
  *(r->all_next == NOTHING ? &b->all_last
			   : &b->request[r->all_next].all_previous) = r->all_previous;
}

/* The driver hears at NOW that there is something to do.  */
static void
wake (struct ummgr_gpu_buffer *b, double now)
{
  if (b->state != IDLE)
    return;
  b->state = WAKING;
  b->when = now + b->uvm->device[b->device].figures.gpu_fault_cost / 2;
}

void
ummgr_gpu_buffer_notified (struct ummgr_gpu_buffer *b, double now)
{
  wake (b, now);
}

bool
ummgr_gpu_buffer_fault (struct ummgr_gpu_buffer *b, unsigned utlb,
			struct uvm_block *block, unsigned page, bool write,
			unsigned warp, uint64_t what, double now)
{
  if (!know_block (b, block->unit))
    return false;
  int32_t i = *bucket_of (b, utlb, block->unit, page);
  while (i != NOTHING && (b->request[i].block != block || b->request[i].page != page
			  || b->request[i].utlb != utlb))
    i = b->request[i].hash_next;
  if (i == NOTHING)
    {
      i = new_request (b);
      if (i == NOTHING)
	return false;
      b->request[i] = (struct request) {
	.block = block, .page = page, .utlb = utlb, .arrival = b->arrivals++,
	.waiters = NOTHING
      };
      link_request (b, i);
    }
  b->request[i].write |= write;
  wake (b, now);
  return add_waiter (b, i, warp, what);
}

bool
ummgr_gpu_buffer_coming (const struct ummgr_gpu_buffer *b, const struct uvm_block *block,
			 unsigned page)
{
  return b->state >= SERVING && block->unit < b->blocks
	 && b->block[block->unit].batch == b->batch
	 && uvm_mask_test (&b->block[block->unit].coming, page);
}

bool
ummgr_gpu_buffer_blocked (const struct ummgr_gpu_buffer *b, unsigned utlb)
{
  return b->utlb[utlb].first != NOTHING;
}

double
ummgr_gpu_buffer_when (const struct ummgr_gpu_buffer *b)
{
  return b->when;
}

/* --- the driver ---------------------------------------------------------------- */

static bool
is_full (const struct ummgr_gpu_buffer *b)
{
  return b->count >= b->most;
}

static struct uvm_fault
entry_of (const struct request *r)
{
  return (struct uvm_fault) { r->block, r->page, r->write };
}

/* One of each micro TLB in turn.  */
static void
take_rounds (struct ummgr_gpu_buffer *b)
{
  for (unsigned i = 0; i < b->utlbs; i++)
    b->utlb[i].cursor = b->utlb[i].first;
  /* MORE: micro TLBs to ask since one had something.  */
  for (unsigned more = b->utlbs; more && !is_full (b); more--)
    {
      struct utlb *t = &b->utlb[b->turn];
      b->turn = (b->turn + 1) % b->utlbs;
      if (t->cursor == NOTHING)
	continue;
      b->fault[b->count++] = entry_of (&b->request[t->cursor]);
      t->cursor = b->request[t->cursor].next;
      more = b->utlbs + 1;
    }
}

/* A flush leaves what has come since the batch was taken, in the order of arrival: some of it
   will have its page by then.  */
static void
flush (struct ummgr_gpu_buffer *b)
{
  int32_t first = NOTHING;
  b->lefts = 0;
  if (b->now.duplicates * 2 > b->count)
    return;
  for (int32_t i = b->all_last; i != NOTHING && b->request[i].arrival >= b->taken_at;
       i = b->request[i].all_previous)
    first = i;
  for (int32_t i = first; i != NOTHING && b->lefts < b->most; i = b->request[i].all_next)
    b->left[b->lefts++] = entry_of (&b->request[i]);
}

/* What DEVICE has of B, or a mapping of.  */
static struct uvm_mask
held (const struct uvm_block *b, int device)
{
  struct uvm_mask s = b->by[1 + device].resident;
  uvm_mask_add (&s, &b->by[1 + device].remote);
  return s;
}

/* Note, for each block of the batch, what B's device has; and what has COME then: pages, or
   mappings of others'.  */
static void
note_coming (struct ummgr_gpu_buffer *b, bool come)
{
  for (unsigned i = 0; i < b->count; i++)
    {
      const struct uvm_block *of = b->fault[i].block;
      if (of->unit >= b->blocks)
	continue;
      struct block *block = &b->block[of->unit];
      const struct uvm_mask resident = of->by[1 + b->device].resident;
      const struct uvm_mask has = held (of, b->device);
      if (come ? i && of == b->fault[i - 1].block : block->batch == b->batch)
	continue;
      block->batch = b->batch;
      if (come)
	{
	  struct uvm_mask mapped = uvm_mask_andnot (&has, &block->held);
	  block->coming = uvm_mask_andnot (&resident, &block->resident);
	  uvm_mask_add (&block->coming, &mapped);
	}
      else
	{
	  block->resident = resident;
	  block->held = has;
	}
    }
}

static void
serve (struct ummgr_gpu_buffer *b, struct ummgr_gpu_result *result)
{
  const struct ummgr_figures *f = &b->uvm->device[b->device].figures;
  memcpy (b->fault, b->left, b->lefts * sizeof *b->left);
  b->count = b->lefts;
  take_rounds (b);
  b->taken_at = b->arrivals;
  b->batch++;
  note_coming (b, false);
  b->now = uvm_serve (b->uvm, b->device, b->fault, b->count);
  note_coming (b, true);
  b->state = SERVING;
  b->heeded = false;
  b->when += b->now.seconds - f->gpu_fault_cost / 2;
  result->batches++;
  result->entries += b->count;
  result->duplicates += b->now.duplicates;
}

static bool
is_notified (const struct ummgr_gpu_buffer *b)
{
  return b->uvm->device[b->device].notified > 0;
}

static bool
has_requests (const struct ummgr_gpu_buffer *b)
{
  return b->all_first != NOTHING || b->lefts;
}

/* Serve access counters.  */
static void
heed (struct ummgr_gpu_buffer *b)
{
  unsigned most = b->most < UVM_GROUP ? b->most : UVM_GROUP;
  b->count = uvm_notified (b->uvm, b->device, b->fault, most);
  /* Without memory for it, nothing is known to be on its way.  */
  for (unsigned i = 0; i < b->count; i++)
    know_block (b, b->fault[i].block->unit);
  b->batch++;
  note_coming (b, false);
  b->now = uvm_serve_notified (b->uvm, b->device, b->fault, b->count);
  note_coming (b, true);
  b->state = HEEDING;
  b->heeded = b->came = true;
  b->when += b->now.seconds;
}

/* What has to be done next begins, half a batch's own cost from now on.  */
static void
go_on (struct ummgr_gpu_buffer *b)
{
  b->state = IDLE;
  if (has_requests (b) || is_notified (b))
    wake (b, b->when);
  else
    b->when = INFINITY;
}

/* Let those go on that wait for what BLOCK has now.  */
static void
complete (struct ummgr_gpu_buffer *b, struct uvm_block *block)
{
  int32_t *at = &b->block[block->unit].requests;
  while (*at != NOTHING)
    {
      int32_t i = *at;
      struct request *r = &b->request[i];
      if (uvm_reaches (b->uvm, block, r->page, b->device, r->write) == UVM_FAULTS)
	{
	  at = &r->block_next;
	  continue;
	}
      *at = r->block_next;
      unlink_request (b, i);
      for (int32_t w = r->waiters, next; w != NOTHING; w = next)
	{
	  next = b->waiter[w].next;
	  b->waiter[w].next = b->free_waiter;
	  b->free_waiter = w;
	  b->done (b->data, b->waiter[w].warp, b->waiter[w].what);
	}
      r->next = b->free_request;
      b->free_request = i;
    }
}

static void
replay (struct ummgr_gpu_buffer *b)
{
  flush (b);
  struct uvm_block *last = NULL;
  for (unsigned i = 0; i < b->count; i++)
    if (b->fault[i].block != last)
      complete (b, last = b->fault[i].block);
  for (size_t unit = 0; b->came && unit < b->blocks; unit++)
    if (b->block[unit].requests != NOTHING)
      complete (b, b->request[b->block[unit].requests].block);
  b->came = false;
}

bool
ummgr_gpu_buffer_go (struct ummgr_gpu_buffer *b, struct ummgr_gpu_result *result)
{
  bool replays = b->state == SERVING;
  if (replays)
    replay (b);
  if (b->state >= SERVING)
    go_on (b);
  else if (!is_notified (b) || (b->heeded && has_requests (b)))
    serve (b, result);
  else
    heed (b);
  return replays;
}
