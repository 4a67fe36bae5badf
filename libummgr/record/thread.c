/* The recorder's threads: where reports of accesses arrive.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the threads' states and their list.  A report marks the shadow, and
   goes into the trace unless the same page (or sector) was there lately.
   Loops are in record/loop.c.  */

#include "config.h"
#include "record/thread.h"

#include "base/log.h"

#include <stdlib.h>

static __thread struct ummgr_record_thread *self
  __attribute__ ((tls_model ("initial-exec")));

/* For threads that report to nobody: sampling lets nothing through, and what
   comes all the same finds an epoch that never is.  */
static struct ummgr_record_thread dummy
  = { .base.mask = UINT64_MAX, .epoch = UINT64_MAX };

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ummgr_record_thread *threads;
/* Of threads that have ended, for the next ones: libgomp may start new ones in
   each nested region, and a stream is large.  */
static struct ummgr_record_thread *spare;
static uint32_t numbers;	/* Given out.  */
static pthread_key_t at_exit;
static bool have_key;

/* A thread ends.  */
static void
retire (void *data)
{
  struct ummgr_record_thread *t = data;
  self = &dummy;
  if (!ummgr_record_on ())
    return;
  pthread_mutex_lock (&list_lock);
  *t->link = t->next;
  if (t->next)
    t->next->link = t->link;
  ummgr_record.accesses += t->accesses;
  t->accesses = 0;
  t->next = spare;
  spare = t;
  pthread_mutex_unlock (&list_lock);
}

/* The state of a thread that has ended, or NULL.  */
static struct ummgr_record_thread *
take_spare (void)
{
  pthread_mutex_lock (&list_lock);
  struct ummgr_record_thread *t = spare;
  if (t)
    spare = t->next;
  pthread_mutex_unlock (&list_lock);
  if (!t)
    return NULL;
  t->epoch = UINT64_MAX;
  t->gpu = t->busy = t->device = false;
  t->place_from = NULL;
  t->place = &t->own;
  return t;
}

static struct ummgr_record_thread *
new_state (void)
{
  struct ummgr_record_thread *t = calloc (1, sizeof *t);
  if (!t)
    {
      ummgr_warn_once ("trace: no memory for a thread; what it accesses is not "
		       "recorded");
      return NULL;
    }
  t->base.mask = ummgr_record.mask;
  t->live = true;
  t->epoch = UINT64_MAX;
  t->own.device = UMMGR_TRACE_HOST;
  t->place = &t->own;
  if (ummgr_record.writer
      && !(t->stream = ummgr_trace_stream_open (ummgr_record.writer)))
    {
      free (t);
      return NULL;
    }
  t->own.thread = __atomic_fetch_add (&numbers, 1, __ATOMIC_RELAXED);
  return t;
}

static struct ummgr_record_thread *
make_state (void)
{
  struct ummgr_record_thread *t = take_spare ();
  if (!t && !(t = new_state ()))
    return NULL;
  pthread_mutex_lock (&ummgr_record.lock);
  pthread_mutex_lock (&list_lock);
  t->next = threads;
  t->link = &threads;
  if (threads)
    threads->link = &t->next;
  threads = t;
  pthread_mutex_unlock (&list_lock);
  /* The others are no longer alone.  */
  ummgr_record_new_epoch ();
  pthread_mutex_unlock (&ummgr_record.lock);
  return t;
}

static struct ummgr_record_thread *
make_thread (void)
{
  if (!ummgr_record_tracing () && !ummgr_record.forward)
    return &dummy;
  /* What the allocation below reports comes to nothing.  */
  self = &dummy;
  struct ummgr_record_thread *t = make_state ();
  if (!t)
    return &dummy;
  pthread_mutex_lock (&list_lock);
  if (!have_key)
    have_key = pthread_key_create (&at_exit, retire) == 0;
  pthread_mutex_unlock (&list_lock);
  if (have_key)
    pthread_setspecific (at_exit, t);
  return self = t;
}

uint64_t
ummgr_record_accesses (void)
{
  pthread_mutex_lock (&list_lock);
  uint64_t sum = ummgr_record.accesses;
  for (struct ummgr_record_thread *t = threads; t; t = t->next)
    sum += __atomic_load_n (&t->accesses, __ATOMIC_RELAXED);
  pthread_mutex_unlock (&list_lock);
  return sum;
}

void
ummgr_record_threads_after_fork (void)
{
  pthread_mutex_init (&list_lock, NULL);
  threads = self == &dummy ? NULL : self;
  if (threads)
    {
      threads->next = NULL;
      threads->link = &threads;
    }
  spare = NULL;
}

void
ummgr_record_thread_resume (void)
{
  if (self && self != &dummy)
    self->stream = ummgr_trace_stream_open (ummgr_record.writer);
}

bool
ummgr_record_alone (void)
{
  bool alone
    = __atomic_load_n (&ummgr_record.under_way, __ATOMIC_RELAXED) == 0;
  pthread_mutex_lock (&list_lock);
  /* Threads on the GPU's side wait for launches, and a new thread or a launch
     makes a new epoch.  */
  for (struct ummgr_record_thread *t = threads; t && alone; t = t->next)
    alone = t == self || __atomic_load_n (&t->gpu, __ATOMIC_RELAXED);
  pthread_mutex_unlock (&list_lock);
  return alone;
}

static struct ummgr_trace_thread *
enter (void)
{
  struct ummgr_record_thread *t = self;
  if (__builtin_expect (!t, 0))
    t = make_thread ();
  if (__builtin_expect (!ummgr_record_on (), 0))
    return &dummy.base;
  if (__builtin_expect (t->place_from != ummgr_record.place, 0) && t->live)
    {
      t->place_from = ummgr_record.place;
      const struct ummgr_device_place *place = t->place_from ();
      t->place = place ? place : &t->own;
    }
  if (__builtin_expect (t->live && t->gpu != (t->place->device >= 0), 0))
    {
      __atomic_store_n (&t->gpu, !t->gpu, __ATOMIC_RELAXED);
      t->epoch = UINT64_MAX;
    }
  return &t->base;
}

uint64_t
ummgr_record_worked (void)
{
  return self ? ummgr_record_work (self) : 0;
}

/* Lines that threads have seen: a thread adds one and then looks at the epoch,
   whoever makes a new epoch clears them afterwards; so none stays.  */
void
ummgr_record_forget_lines (void)
{
  pthread_mutex_lock (&list_lock);
  for (struct ummgr_record_thread *t = threads; t; t = t->next)
    if (__atomic_load_n (&t->has_seen, __ATOMIC_SEQ_CST))
      for (int i = 0; i < 3; i++)
	for (int j = 0; j < UMMGR_TRACE_SEEN; j++)
	  __atomic_store_n (&t->base.seen[i][j], 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock (&list_lock);
}

void
ummgr_record_new_epoch (void)
{
  __atomic_add_fetch (&ummgr_record.epoch, 1, __ATOMIC_SEQ_CST);
  ummgr_record_forget_lines ();
}

bool
ummgr_record_refresh (struct ummgr_record_thread *t)
{
  if (!t->live || !ummgr_record_on ())
    return false;
  t->epoch = __atomic_load_n (&ummgr_record.epoch, __ATOMIC_ACQUIRE);
  t->alone = !t->gpu && ummgr_record_alone ();
  ummgr_record_forget_seen (t);
  t->kinds = ummgr_shadow_kinds[t->gpu];
  t->forward = t->gpu && !t->device ? ummgr_record.forward : NULL;
  memset (t->known, 0, sizeof t->known);
  memset (t->here, 0, sizeof t->here);
  memset (t->cells, 0, sizeof t->cells);
  memset (t->small, 0, sizeof t->small);
  memset (t->ends, 0, sizeof t->ends);
  memset (&t->last, 0, sizeof t->last);
  return true;
}

uint64_t
ummgr_record_there_slowly (struct ummgr_record_thread *t, uint64_t address)
{
  for (int i = 0; i < UMMGR_RECORD_SPANS; i++)
    if (address - t->here[i].lo < t->here[i].size)
      return address + t->here[i].delta;
  if (t->busy)
    return address;
  t->busy = true;
  struct ummgr_record_here *here = &t->here[t->next_here++ % UMMGR_RECORD_SPANS];
  *here = (struct ummgr_record_here) { address, 1, 0 };
  pthread_mutex_lock (&ummgr_record.lock);
  const struct ummgr_record_span *span = ummgr_record_find (address);
  const struct ummgr_record_span *copy
    = span && span == &span->object->host ? span->object->copies : NULL;
  for (; copy; copy = copy->next)
    {
      uint64_t lo = span->lo + copy->offset, size = copy->hi - copy->lo;
      if (copy->device == t->place->device && address - lo < size)
	*here = (struct ummgr_record_here) { lo, size, copy->lo - lo };
    }
  pthread_mutex_unlock (&ummgr_record.lock);
  t->busy = false;
  return address + here->delta;
}

/* Look ADDRESS up among all objects.  What lies between them is known as a
   hole.  */
static const struct ummgr_record_known *
look_up (struct ummgr_record_thread *t, uint64_t address)
{
  struct ummgr_record_known *known
    = &t->known[t->next_known++ % UMMGR_RECORD_SPANS];
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span = ummgr_record_find (address);
  if (span)
    {
      ummgr_record_announce (span->object);
      *known = (struct ummgr_record_known) {
	span->lo, span->hi, span->object->id, span->offset,
	span->object->host.hi - span->object->host.lo,
	span == &span->object->host
	&& (span->object->flags & UMMGR_TRACE_OBJECT_HEAP)
      };
    }
  else
    {
      struct ummgr_record_span *next = ummgr_record_next (address);
      uint64_t page = address & -(uint64_t) ummgr_record.grain;
      uint64_t end = page + ummgr_record.grain;
      *known = (struct ummgr_record_known) {
	.lo = address, .hi = next && next->lo < end ? next->lo : end
      };
    }
  pthread_mutex_unlock (&ummgr_record.lock);
  return known;
}

static const struct ummgr_record_known *
find_known (struct ummgr_record_thread *t, uint64_t address)
{
  for (int i = 0; i < UMMGR_RECORD_SPANS; i++)
    if (address - t->known[i].lo < t->known[i].hi - t->known[i].lo)
      return &t->known[i];
  return look_up (t, address);
}

static void
write_access (struct ummgr_record_thread *t, uint64_t object, uint64_t offset,
	      uint32_t size, unsigned kind)
{
  const struct ummgr_device_place *place = t->place;
  struct ummgr_trace_access access = {
    .object = object, .offset = offset, .count = 1, .size = size,
    .access = (uint8_t) kind, .team = place->team, .thread = place->thread
  };
  if (t->gpu && place->device >= 0 && place->device < UMMGR_DEVICES_MAX)
    access.launch = __atomic_load_n (&ummgr_record.launch[place->device],
				     __ATOMIC_RELAXED);
  else
    {
      access.team = 0;
      access.thread = t->own.thread;
    }
  ummgr_trace_stream_write (t->stream, &access, 1);
}

/* Remember [LO, LO + SIZE) in CELL.  */
static void
remember (struct ummgr_record_cell *cell, uint64_t lo, uint64_t size,
	  unsigned kind)
{
  if (cell->lo == lo && cell->size == size)
    cell->kinds |= kind;
  else
    *cell = (struct ummgr_record_cell) { lo, (uint32_t) size, kind };
}

static uint64_t
report (struct ummgr_record_thread *t, uint64_t address, unsigned kind)
{
  const struct ummgr_record_known *k = find_known (t, address);
  if (!k->object)
    {
      remember (ummgr_record_cell_of (t, address), k->lo, k->hi - k->lo, 7);
      return k->hi;
    }
  const uint64_t grain = ummgr_record.grain;
  uint64_t at = k->offset + (address - k->lo), offset = at & -grain;
  uint64_t size = k->size - offset < grain ? k->size - offset : grain;
  /* Where this cell is by address, as far as the span goes.  */
  uint64_t before = at - offset, lo = address - before, hi = lo + size;
  if (before > address - k->lo)
    lo = k->lo;
  if (hi > k->hi)
    hi = k->hi;
  if (!ummgr_record.filter)
    {
      if (!ummgr_record_cell_has (&t->last, lo, kind) || t->last.lo != lo)
	write_access (t, k->object, offset, (uint32_t) size, kind);
      remember (&t->last, lo, hi - lo, kind);
      return hi;
    }
  /* It may lie across two pages, and have been met in the first.  */
  bool small = hi - lo < grain;
  struct ummgr_record_cell *home = small ? ummgr_record_small_cell_of (t, lo)
    : ummgr_record_cell_of (t, lo);
  const struct ummgr_record_cell *was
    = small ? home : &t->ends[home - t->cells];
  if ((!ummgr_record_cell_has (home, lo, kind) || home->lo != lo)
      && (!ummgr_record_cell_has (was, lo, kind) || was->lo != lo))
    {
      if (!small && home->lo != lo)
	t->ends[home - t->cells] = *home;
      write_access (t, k->object, offset, (uint32_t) size, kind);
      remember (home, lo, hi - lo, kind | (k->heap ? UMMGR_RECORD_HEAP : 0));
    }
  struct ummgr_record_cell *cell = ummgr_record_cell_of (t, address);
  if (!small && cell != home)
    cell = &t->ends[cell - t->cells];
  else if (small && cell->lo != lo)
    t->ends[cell - t->cells] = *cell;
  remember (cell, lo, hi - lo, kind | (k->heap ? UMMGR_RECORD_HEAP : 0));
  return hi;
}

uint64_t
ummgr_record_miss (struct ummgr_record_thread *t, uint64_t address,
		   unsigned kind)
{
  if (!t->stream || !ummgr_shadow_chunk (address))
    return ((address >> UMMGR_SHADOW_CHUNK_SHIFT) + 1)
	   << UMMGR_SHADOW_CHUNK_SHIFT;
  const struct ummgr_record_cell *before
    = &t->ends[ummgr_record_cell_of (t, address) - t->cells];
  if (ummgr_record_cell_has (before, address, kind))
    return before->lo + before->size;
  if (t->busy)
    return UINT64_MAX;
  t->busy = true;
  uint64_t end = report (t, address, kind);
  t->busy = false;
  return end;
}

/* What of an access the usual path doesn't do: its page's first time, more
   words than two.  */
static void __attribute__ ((noinline))
access_slowly (struct ummgr_record_thread *t, uint64_t address, uint32_t how)
{
  unsigned kind = UMMGR_TRACE_HOW_KIND (how) & 7;
  uint32_t size = UMMGR_TRACE_HOW_SIZE (how);
  if (!size)
    return;
  ummgr_record_forget_elements (t, address, 0, 1, size);
  ummgr_shadow_element (address, size, t->kinds[kind]);
  ummgr_record_touch (t, address, address + size, kind);
}

static void __attribute__ ((noinline))
access_forward (struct ummgr_record_thread *t, uint64_t address, uint32_t how)
{
  t->forward (address, 0, 1, UMMGR_TRACE_HOW_SIZE (how),
	      UMMGR_TRACE_HOW_KIND (how) & 7);
}

/* Lines of the 64 bytes around ADDRESS will be in BASE.seen, for KIND.  */
static inline void
note_part (struct ummgr_record_thread *t, uint64_t address, unsigned kind)
{
  uint64_t line = (address >> UMMGR_TRACE_LINE_SHIFT) % UMMGR_TRACE_SEEN;
  t->seen_parts[kind - 1] |= UINT32_C (1) << line / (UMMGR_TRACE_SEEN / 32);
}

/* An access of KIND, which left STATE as it is, brought nothing new.  Those
   lines of the 64 bytes around ADDRESS of which that is true as a whole, as all
   of their words have STATE and CELL knows them, need no more report.  STATES
   are those of the 16 words.  */
static inline void
see_lines (struct ummgr_record_thread *t, const uint8_t *states, uint8_t state,
	   uint64_t address, unsigned kind,
	   const struct ummgr_record_cell *cell)
{
  const uint64_t size = 1 << UMMGR_TRACE_LINE_SHIFT;
  uint64_t at = address & -(4 * size), lo = cell->lo, hi = lo + cell->size;
  uint64_t *seen = t->base.seen[kind - 1];
  note_part (t, address, kind);
  if (cell->kinds & UMMGR_RECORD_HEAP)
    hi = (hi + size - 1) & -size;
  for (int i = 0; i < 4; i++, at += size)
    {
      uint64_t end = lo + cell->size;
      uint32_t words = end - at < size ? (end - at + 3) / 4 : 4;
      uint32_t four = __atomic_load_n ((const uint32_t *) states + i,
				       __ATOMIC_RELAXED);
      four ^= state * 0x01010101u;
      if (at >= lo && at + size <= hi && (four << 8 * (4 - words)) == 0)
	{
	  uint64_t line = at >> UMMGR_TRACE_LINE_SHIFT;
	  __atomic_store_n (&seen[line % UMMGR_TRACE_SEEN], line,
			    __ATOMIC_RELAXED);
	}
    }
  __atomic_store_n (&t->has_seen, true, __ATOMIC_SEQ_CST);
  if (__atomic_load_n (&ummgr_record.epoch, __ATOMIC_SEQ_CST) != t->epoch)
    ummgr_record_forget_seen (t);
}

/* ADDRESS is not near any object, such as on the stack.  When one appears there
   a new epoch begins.  */
static inline void
see_stranger (struct ummgr_record_thread *t, uint64_t address, unsigned kind)
{
  uint64_t line = address >> UMMGR_TRACE_LINE_SHIFT;
  note_part (t, address, kind);
  __atomic_store_n (&t->base.seen[kind - 1][line % UMMGR_TRACE_SEEN], line,
		    __ATOMIC_RELAXED);
  __atomic_store_n (&t->has_seen, true, __ATOMIC_SEQ_CST);
  if (__atomic_load_n (&ummgr_record.epoch, __ATOMIC_SEQ_CST) != t->epoch)
    ummgr_record_forget_seen (t);
}

/* A word of ADDRESS's line has changed: accesses of other kinds may have an
   effect again.  */
static inline void
unsee_line (struct ummgr_record_thread *t, uint64_t address)
{
  uint64_t at = (address >> UMMGR_TRACE_LINE_SHIFT) % UMMGR_TRACE_SEEN;
  for (int i = 0; i < 3; i++)
    __atomic_store_n (&t->base.seen[i][at], 0, __ATOMIC_RELAXED);
}

static inline void
set_state (struct ummgr_record_thread *t, uint8_t *state, const uint8_t *next)
{
  if (t->alone)
    __atomic_store_n (state, next[*state], __ATOMIC_RELAXED);
  else
    ummgr_shadow_mark (state, next);
}

static void
access_ (struct ummgr_trace_thread *base, uint64_t address, uint32_t how)
{
  struct ummgr_record_thread *t = (struct ummgr_record_thread *) base;
  unsigned kind = UMMGR_TRACE_HOW_KIND (how) & 7;
  uint32_t size = UMMGR_TRACE_HOW_SIZE (how);
  if (!ummgr_record_ready (t))
    return;
  if (ummgr_record_modelled (t))
    {
      ummgr_record_modelled_access (t, address, how);
      return;
    }
  ummgr_record_count (t, 1);
  if (__builtin_expect (t->forward != NULL, 0))
    access_forward (t, address, how);
  address = ummgr_record_there (t, address);
  uint8_t *chunk = ummgr_shadow_chunk (address);
  if (!chunk)
    {
      if (kind - 1 < 3 && !t->forward)
	see_stranger (t, address, kind);
      return;
    }
  const uint8_t *next = t->kinds[kind];
  uint64_t at = address >> 2 & (UMMGR_SHADOW_CHUNK_WORDS - 1);
  uint64_t last = at + (((address & 3) + size - 1) >> 2);
  const struct ummgr_record_cell *cell = ummgr_record_cell_of (t, address);
  if (!ummgr_record_cell_has (cell, address, kind))
    cell = &t->ends[cell - t->cells];
  if (__builtin_expect (last > at + 1 || last >= UMMGR_SHADOW_CHUNK_WORDS
			|| !ummgr_record_cell_has (cell, address, kind)
			|| address + size > cell->lo + cell->size, 0))
    {
      access_slowly (t, address, how);
      return;
    }
  uint8_t first_state = __atomic_load_n (&chunk[at], __ATOMIC_RELAXED);
  uint8_t last_state = __atomic_load_n (&chunk[last], __ATOMIC_RELAXED);
  if (next[first_state] == first_state && next[last_state] == last_state)
    {
      if (t->alone && kind - 1 < 3 && !t->forward)
	see_lines (t, &chunk[at & -(uint64_t) 16], first_state, address, kind,
		   cell);
      return;
    }
  set_state (t, &chunk[at], next);
  if (last != at)
    set_state (t, &chunk[last], next);
  if (t->has_seen)
    unsee_line (t, address);
}

static void
range (struct ummgr_trace_thread *base, uint64_t address, uint64_t size,
       uint32_t kind)
{
  struct ummgr_record_thread *t = (struct ummgr_record_thread *) base;
  if (!size || !ummgr_record_ready (t))
    return;
  if (ummgr_record_modelled (t))
    {
      ummgr_record_modelled_range (t, address, size, kind & 7);
      return;
    }
  uint64_t mask = t->base.mask;
  address = ummgr_record_there (t, address);
  ummgr_record_forget_elements (t, address, 0, 1, size);
  ummgr_record_count (t, (size + 7) / 8);
  kind &= 7;
  /* The simulator takes elements: as many words, or bytes.  */
  if (t->forward)
    {
      uint32_t element = ((address | size) & 7) == 0 ? 8 : 1;
      t->forward (address, element, size / element, element, kind);
    }
  ummgr_shadow_range (address, size, ummgr_shadow_op (t->gpu, kind), mask);
  if (!mask)
    {
      ummgr_record_touch (t, address, address + size, kind);
      return;
    }
  struct ummgr_shadow_piece piece;
  uint64_t end = ummgr_shadow_end_word (address, size);
  for (uint64_t word = address >> 2;
       ummgr_shadow_piece (word, end, mask, &piece);
       word = piece.word + piece.count)
    ummgr_record_touch (t, piece.word << 2, (piece.word + piece.count) << 2,
			kind);
}

void
ummgr_record_gpu_access (const struct ummgr_device_place *place, uint64_t address,
			 uint32_t how)
{
  static struct ummgr_record_thread *gpu;
  static struct ummgr_device_place at;
  if (!gpu && !(gpu = make_state ()))
    return;
  at = *place;
  gpu->gpu = gpu->device = true;
  gpu->place = &at;
  access_ (&gpu->base, address, how);
}

#define RUNTIME(ABI)                                                          \
  {                                                                           \
    .abi = ABI,                                                               \
    .size = sizeof (struct ummgr_trace_runtime),                              \
    .enter = enter,                                                           \
    .access = access_,                                                        \
    .range = range,                                                           \
    .loop = ummgr_record_loop,                                                \
    .allocated = ummgr_record_allocated,                                      \
    .resized = ummgr_record_resized,                                          \
    .freed = ummgr_record_freed,                                              \
    .named = ummgr_record_named,                                              \
    .construct = ummgr_record_construct,                                      \
    .statics = ummgr_record_statics,                                          \
    .nest = ummgr_record_nest,                                                \
    .places = ummgr_record_places                                             \
  }

const struct ummgr_trace_runtime *
ummgr_record_runtime_for (uint32_t abi)
{
  /* Programs take none but their own version's.  */
  static const struct ummgr_trace_runtime runtimes[]
    = { RUNTIME (UMMGR_TRACE_ABI_OLDEST), RUNTIME (2), RUNTIME (3), RUNTIME (UMMGR_TRACE_ABI) };
  return &runtimes[abi - UMMGR_TRACE_ABI_OLDEST];
}
