/* Accesses: what instrumented code calls while the checker is on.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the threads' states, which stay when a thread ends, for the next one.  The usual path of an
   access looks at its bytes' states alone; what is found is worked out at leisure.

   A loop's references come at once, before the loop.  Their order matters only where one of them
   may find something: then they are taken in the loop's order, else one after the other.  */

#include "config.h"
#include "check/checker.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

static __thread struct ummgr_check_thread *self __attribute__ ((tls_model ("initial-exec")));
static struct ummgr_check_thread dummy = { .base.mask = UINT64_MAX };

static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct spare
{
  struct spare *next;
  struct ummgr_check_thread *thread;
} *spares;
static pthread_key_t at_exit;
static bool have_key;

static void
retire (void *data)
{
  struct spare *s = malloc (sizeof *s);
  self = &dummy;
  if (!s)
    return;
  pthread_mutex_lock (&spare_lock);
  *s = (struct spare) { spares, data };
  spares = s;
  pthread_mutex_unlock (&spare_lock);
}

static struct ummgr_check_thread *
take_spare (void)
{
  pthread_mutex_lock (&spare_lock);
  struct spare *s = spares;
  if (s)
    spares = s->next;
  if (!have_key)
    have_key = pthread_key_create (&at_exit, retire) == 0;
  pthread_mutex_unlock (&spare_lock);
  struct ummgr_check_thread *t = s ? s->thread : NULL;
  free (s);
  return t;
}

static struct ummgr_check_thread *
make_thread (void)
{
  /* What the allocation below reports comes to nothing.  */
  self = &dummy;
  struct ummgr_check_thread *t = take_spare ();
  if (!t && !(t = malloc (sizeof *t)))
    return &dummy;
  memset (t, 0, sizeof *t);
  t->live = true;
  if (have_key)
    pthread_setspecific (at_exit, t);
  return self = t;
}

static struct ummgr_trace_thread *
enter (void)
{
  struct ummgr_check_thread *t = self;
  if (__builtin_expect (!ummgr_check_on (), 0))
    return &dummy.base;
  if (__builtin_expect (!t, 0))
    t = make_thread ();
  if (__builtin_expect (t->place_from != ummgr_checker.place, 0) && t->live)
    {
      t->place_from = ummgr_checker.place;
      t->place = t->place_from ();
    }
  return &t->base;
}

static bool
on_device (const struct ummgr_check_thread *t)
{
  return t->place && t->place->device >= 0;
}

/* The number of the INDEX-th place after the one that T was told.  */
static uint32_t
place_number (struct ummgr_check_thread *t, uint32_t index)
{
  uint32_t unit = (uint32_t) (t->base.place >> 32);
  if (__builtin_expect (t->unit != unit || !t->unit_first, 0))
    {
      t->unit = unit;
      t->unit_first = ummgr_check_places_first (unit);
    }
  return t->unit_first ? t->unit_first + (uint32_t) t->base.place + index : 0;
}

/* --- what a region accesses ------------------------------------------------- */

/* SIZE bytes of T's are so many of what it accesses at a time.  */
static void
count_elements (const struct ummgr_check_thread *t, struct ummgr_check_finding *f)
{
  if (f->size > t->element)
    {
      f->times = (f->size + t->element - 1) / t->element;
      f->size = t->element;
    }
}

static void
found_at (struct ummgr_check_thread *t, struct ummgr_check_finding *f,
	  const struct ummgr_check_section *section, uint64_t host)
{
  count_elements (t, f);
  f->place = t->at;
  f->region = ummgr_checker.region;
  ummgr_check_name (f, section, host);
  ummgr_check_found (f);
}

/* The same in memory that the program itself asked for, OFFSET bytes from its beginning.  */
static void
found_in_own (struct ummgr_check_thread *t, struct ummgr_check_finding *f, uint64_t offset)
{
  f->name = "memory of omp_target_alloc";
  f->file = "";
  f->offset = offset;
  f->place = t->at;
  f->region = ummgr_checker.region;
  ummgr_check_found (f);
}

/* ADDRESS, of BLOCK, is in no section.  The lock is held.  */
static void
found_in_block (struct ummgr_check_thread *t, const struct ummgr_check_block *block,
		uint64_t address, uint64_t size, unsigned kind)
{
  const struct ummgr_check_section *s = block->only;
  struct ummgr_check_finding f = { .kind = kind, .size = size };
  if (block->freed)
    f.fault = UMMGR_CHECK_FREED;
  /* Several things are in it: who knows whose this is?  */
  else if (block->mixed || (!s && address >= block->lo && address < block->hi))
    return;
  else
    f.fault = UMMGR_CHECK_BEYOND;
  if (s)
    {
      f.mapped_lo = s->host;
      f.mapped_hi = s->host + (s->hi - s->lo);
      found_at (t, &f, s, s->host + (address - s->lo));
      return;
    }
  count_elements (t, &f);
  f.mapped_hi = block->hi - block->lo;
  found_in_own (t, &f, address - block->lo);
}

/* What ADDRESS is: in *KNOWN, after saying so if a region must not touch it, unless T only looks.  The lock
   is held.  */
static void
find_out (struct ummgr_check_thread *t, uint64_t address, uint64_t size, unsigned kind,
	  struct ummgr_check_known *known)
{
  struct ummgr_check_section *section = ummgr_check_section_find (address);
  struct ummgr_check_block *block = ummgr_check_block_find (address);
  struct ummgr_check_object *object = ummgr_check_object_find (address);
  enum { NULL_PAGES = 1 << 16 };
  *known = (struct ummgr_check_known) { .plain = true };
  if (section)
    *known = (struct ummgr_check_known) {
      section->lo, section->hi, section->host - section->lo, section, section->unknown
    };
  else if (block && !block->freed && !block->only && !block->mixed
	   && address - block->lo < block->hi - block->lo)
    *known = (struct ummgr_check_known) { .lo = block->lo, .hi = block->hi };
  else if (!block && !(object && !object->shared) && address >= NULL_PAGES)
    {
      known->lo = address;
      known->hi = object ? object->hi : ummgr_check_gap (address);
    }
  else if (t->looking)
    return;
  else if (block)
    found_in_block (t, block, address, size, kind);
  else if (object && !object->shared)
    {
      struct ummgr_check_finding f = { .fault = UMMGR_CHECK_NOT_MAPPED, .kind = kind, .size = size };
      found_at (t, &f, NULL, address);
    }
  else
    {
      struct ummgr_check_finding f = {
	.fault = UMMGR_CHECK_NULL, .kind = kind, .size = size, .place = t->at, .offset = address,
	.region = ummgr_checker.region
      };
      ummgr_check_found (&f);
      ummgr_check_findings_rescue ();
    }
}

/* By a scalar that differs programs ask whether memory is shared, so that it may well be old.  */
static bool
may_be_old (const struct ummgr_check_section *section)
{
  enum { SCALAR = 8 };
  return section && section->hi - section->lo <= SCALAR;
}

/* What T knows of ADDRESS; all that it is told stays so until the epoch changes.  */
static const struct ummgr_check_known *
known_of (struct ummgr_check_thread *t, uint64_t address, uint64_t size, unsigned kind)
{
  uint64_t epoch = __atomic_load_n (&ummgr_checker.epoch, __ATOMIC_ACQUIRE);
  if (__builtin_expect (t->epoch != epoch, 0))
    {
      memset (t->known, 0, sizeof t->known);
      t->epoch = epoch;
    }
  const struct ummgr_check_known *last = &t->known[t->last];
  if (address - last->lo < last->hi - last->lo)
    return last;
  for (unsigned i = 0; i < UMMGR_CHECK_KNOWN; i++)
    if (address - t->known[i].lo < t->known[i].hi - t->known[i].lo)
      {
	t->last = i;
	return &t->known[i];
      }
  if (t->busy)
    return NULL;
  t->busy = true;
  t->last = t->next++ % UMMGR_CHECK_KNOWN;
  pthread_mutex_lock (&ummgr_checker.lock);
  find_out (t, address, size, kind, &t->known[t->last]);
  pthread_mutex_unlock (&ummgr_checker.lock);
  t->busy = false;
  return t->known[t->last].hi ? &t->known[t->last] : NULL;
}

/* What one element has: enum ummgr_check_state, or 0 if it is as new as it should be, whatever its
   states say: the bytes are looked at.  */
static uint8_t
device_element (const struct ummgr_check_known *k, uint64_t address, uint64_t size)
{
  uint64_t unset = 0;
  for (uint64_t i = 0; i < size; i++)
    {
      uint64_t home = address + i + k->delta;
      const struct ummgr_check_chunk *chunk = ummgr_check_chunk (home);
      uint8_t state = chunk ? chunk->state[home & (UMMGR_CHECK_CHUNK - 1)] : 0;
      uint8_t byte = *(const volatile uint8_t *) (address + i);
      if (state & UMMGR_CHECK_DEVICE_NONE)
	unset += byte == UMMGR_CHECK_FILL;
      else if (state & UMMGR_CHECK_DEVICE_OLD && k->section
	       && byte != *(const volatile uint8_t *) home)
	return UMMGR_CHECK_DEVICE_OLD;
    }
  /* Structs are copied with the gaps between their members.  */
  return unset == size ? UMMGR_CHECK_DEVICE_NONE : 0;
}

/* The first of T's elements that is old, of SIZE bytes at ADDRESS, whose homes are K's: at *AT_P.  */
static uint8_t
device_state (const struct ummgr_check_thread *t, const struct ummgr_check_known *k,
	      uint64_t address, uint64_t size, uint64_t *at_p)
{
  uint64_t part;
  for (uint64_t at = 0; at < size; at += part)
    {
      part = size - at < t->element ? size - at : t->element;
      uint8_t state = device_element (k, address + at, part);
      *at_p = at;
      if (state)
	return state;
    }
  return 0;
}

static void __attribute__ ((noinline))
device_read_old (struct ummgr_check_thread *t, const struct ummgr_check_known *k, uint64_t address,
		 uint64_t size, unsigned kind)
{
  uint64_t at;
  uint8_t state = t->busy ? 0 : device_state (t, k, address, size, &at);
  if (!state || (state == UMMGR_CHECK_DEVICE_OLD && may_be_old (k->section)))
    return;
  struct ummgr_check_finding f = {
    .fault = state == UMMGR_CHECK_DEVICE_OLD ? UMMGR_CHECK_STALE_DEVICE : UMMGR_CHECK_UNSET_DEVICE,
    .kind = kind, .size = size < t->element ? size : t->element
  };
  address += at;
  t->busy = true;
  pthread_mutex_lock (&ummgr_checker.lock);
  if (k->section)
    found_at (t, &f, k->section, address + k->delta);
  else
    found_in_own (t, &f, address - k->lo);
  pthread_mutex_unlock (&ummgr_checker.lock);
  t->busy = false;
}

/* The device's bytes at HOME, of SECTION, are new; the host's are kept to compare.  */
static void
device_written (const struct ummgr_check_section *section, uint64_t home, uint64_t size)
{
  while (size)
    {
      uint64_t at = home & (UMMGR_CHECK_CHUNK - 1);
      uint64_t part = UMMGR_CHECK_CHUNK - at < size ? UMMGR_CHECK_CHUNK - at : size;
      struct ummgr_check_chunk *chunk = ummgr_check_chunk (home);
      if (chunk && section)
	{
	  memcpy (&chunk->saved[at], (const void *) home, part);
	  memset (&chunk->state[at], UMMGR_CHECK_HOST_OLD, part);
	}
      else if (chunk)
	memset (&chunk->state[at], 0, part);
      home += part;
      size -= part;
    }
}

/* SIZE bytes at ADDRESS, all of K.  */
static void
device_known (struct ummgr_check_thread *t, const struct ummgr_check_known *k, uint64_t address,
	      uint64_t size, unsigned kind)
{
  uint64_t home = address + k->delta;
  if (k->plain)
    return;
  if (kind & UMMGR_CHECK_READ && ummgr_check_states_any (home, size, UMMGR_CHECK_DEVICE))
    device_read_old (t, k, address, size, kind);
  if (kind & UMMGR_CHECK_WRITE)
    {
      device_written (k->section, home, size);
      if (k->section)
	k->section->writer = ummgr_checker.region;
    }
  ummgr_check_race (t, k->section, home, size, kind);
}

static void
device_access (struct ummgr_check_thread *t, uint64_t address, uint64_t size, unsigned kind)
{
  while (size)
    {
      const struct ummgr_check_known *k = known_of (t, address, size, kind);
      if (!k)
	return;
      uint64_t part = k->hi - address < size ? k->hi - address : size;
      device_known (t, k, address, part, kind);
      address += part;
      size -= part;
    }
}

/* --- what the host accesses ------------------------------------------------- */

/* As device_element, of the host's.  */
static uint8_t
host_element (uint64_t address, uint64_t size)
{
  uint64_t old = 0, same = 0, unset = 0;
  for (uint64_t i = 0; i < size; i++)
    {
      uint64_t at = (address + i) & (UMMGR_CHECK_CHUNK - 1);
      const struct ummgr_check_chunk *chunk = ummgr_check_chunk (address + i);
      uint8_t state = chunk ? chunk->state[at] : 0;
      uint8_t byte = *(const volatile uint8_t *) (address + i);
      old += (state & UMMGR_CHECK_HOST_OLD) != 0;
      same += state & UMMGR_CHECK_HOST_OLD && byte == chunk->saved[at];
      unset += state & UMMGR_CHECK_HOST_NONE && byte == UMMGR_CHECK_FILL;
    }
  return old && same == old ? UMMGR_CHECK_HOST_OLD : unset == size ? UMMGR_CHECK_HOST_NONE : 0;
}

static void __attribute__ ((noinline))
host_read_old (struct ummgr_check_thread *t, uint64_t address, uint64_t size)
{
  uint8_t state = 0;
  uint64_t part = 0;
  for (; size && !t->busy; address += part, size -= part)
    {
      part = size < t->element ? size : t->element;
      state = host_element (address, part);
      if (state)
	break;
    }
  if (!state)
    return;
  t->busy = true;
  pthread_mutex_lock (&ummgr_checker.lock);
  struct ummgr_check_section *section = ummgr_check_section_last (address);
  struct ummgr_check_finding f = {
    .fault = state == UMMGR_CHECK_HOST_OLD ? UMMGR_CHECK_STALE_HOST : UMMGR_CHECK_UNSET_HOST,
    .kind = UMMGR_CHECK_READ, .size = part, .place = t->at,
    .region = section ? section->writer : NULL
  };
  ummgr_check_name (&f, section, address);
  if (!may_be_old (section))
    ummgr_check_found (&f);
  pthread_mutex_unlock (&ummgr_checker.lock);
  t->busy = false;
}

/* The host's bytes are new: the device's are not, if it has any.  */
static void
host_written (struct ummgr_check_chunk *chunk, uint64_t at, uint64_t size)
{
  uint8_t *state = &chunk->state[at];
  for (uint64_t i = 0; i < size; i++)
    state[i] = (state[i] & UMMGR_CHECK_DEVICE_NONE) | UMMGR_CHECK_DEVICE_OLD;
}

static void
host_access (struct ummgr_check_thread *t, uint64_t address, uint64_t size, unsigned kind)
{
  while (size)
    {
      uint64_t at = address & (UMMGR_CHECK_CHUNK - 1);
      uint64_t part = UMMGR_CHECK_CHUNK - at < size ? UMMGR_CHECK_CHUNK - at : size;
      struct ummgr_check_chunk *chunk = ummgr_check_chunk (address);
      if (chunk && kind & UMMGR_CHECK_READ
	  && ummgr_check_states_any (address, part, UMMGR_CHECK_HOST))
	host_read_old (t, address, part);
      if (chunk && kind & UMMGR_CHECK_WRITE)
	host_written (chunk, at, part);
      address += part;
      size -= part;
    }
}

/* --- reports ---------------------------------------------------------------- */

static void
one (struct ummgr_check_thread *t, bool device, uint64_t address, uint64_t size, unsigned kind)
{
  if (device)
    device_access (t, address, size, kind);
  else
    host_access (t, address, size, kind);
}

/* Is the host's access to what was never mapped?  Most are.  */
static inline bool
is_far (uint64_t address, uint64_t size)
{
  return !ummgr_check_chunk (address) && !ummgr_check_chunk (address + size);
}

static void
access_ (struct ummgr_trace_thread *base, uint64_t address, uint32_t how)
{
  struct ummgr_check_thread *t = (struct ummgr_check_thread *) base;
  unsigned kind = UMMGR_TRACE_HOW_KIND (how);
  bool device = on_device (t);
  if (!t->live || !ummgr_check_on () || (!device && is_far (address, UMMGR_TRACE_HOW_SIZE (how))))
    return;
  t->at = place_number (t, 0);
  t->element = UMMGR_TRACE_HOW_SIZE (how);
  if (device && kind & UMMGR_TRACE_ORDERS)
    ummgr_check_race_order (t);
  if (t->element)
    one (t, device, address, UMMGR_TRACE_HOW_SIZE (how), kind & 7);
}

static void
range (struct ummgr_trace_thread *base, uint64_t address, uint64_t size, uint32_t kind)
{
  struct ummgr_check_thread *t = (struct ummgr_check_thread *) base;
  bool device = on_device (t);
  if (!t->live || !ummgr_check_on ())
    return;
  t->at = place_number (t, 0);
  t->element = 8;
  if (device && kind & UMMGR_TRACE_ORDERS)
    ummgr_check_race_order (t);
  if (size)
    one (t, device, address, size, kind & 7);
}

/* COUNT elements of SIZE bytes, STRIDE apart: those that lie side by side as one.  */
static void
strided (struct ummgr_check_thread *t, bool device, uint64_t address, int64_t stride,
	 uint64_t count, uint64_t size, unsigned kind)
{
  t->element = size;
  if (!size)
    return;
  if (stride == (int64_t) size)
    {
      size *= count;
      count = count ? 1 : 0;
    }
  else if (stride == -(int64_t) size && count)
    {
      address -= size * (count - 1);
      size *= count;
      count = 1;
    }
  else if (!stride && count)
    count = 1;
  for (; count; count--, address += (uint64_t) stride)
    one (t, device, address, size, kind);
}

/* May one of the elements find something that depends on the order of the others, of which some are
   written?  */
static bool
may_find (struct ummgr_check_thread *t, bool device, uint64_t address, int64_t stride,
	  uint64_t count, uint64_t size, unsigned kind)
{
  uint8_t bits = device ? UMMGR_CHECK_DEVICE : UMMGR_CHECK_HOST;
  if (!(kind & UMMGR_CHECK_READ) || !count || !size)
    return false;
  t->element = size;
  if (stride == (int64_t) size)
    {
      size *= count;
      count = 1;
    }
  for (; count; count--, address += (uint64_t) stride)
    {
      uint64_t home = address, part = size;
      if (device)
	{
	  t->looking = true;
	  const struct ummgr_check_known *k = known_of (t, address, size, kind);
	  t->looking = false;
	  if (!k || k->plain)
	    continue;
	  home += k->delta;
	  part = k->hi - address < size ? k->hi - address : size;
	}
      if (ummgr_check_states_any (home, part, bits))
	return true;
      if (!stride)
	break;
    }
  return false;
}

static void
loop (struct ummgr_trace_thread *base, const struct ummgr_trace_ref *refs, uint32_t n)
{
  struct ummgr_check_thread *t = (struct ummgr_check_thread *) base;
  bool device = on_device (t), in_turn = false, writes = false;
  uint64_t most = 0;
  if (!t->live || !ummgr_check_on ())
    return;
  for (uint32_t i = 0; i < n; i++)
    writes |= (UMMGR_TRACE_HOW_KIND (refs[i].how) & UMMGR_CHECK_WRITE) != 0;
  for (uint32_t i = 0; i < n; i++)
    {
      most = refs[i].count > most ? refs[i].count : most;
      t->at = place_number (t, i);
      in_turn = in_turn || (n > 1 && writes && may_find (t, device, refs[i].address, refs[i].stride,
					       refs[i].count, UMMGR_TRACE_HOW_SIZE (refs[i].how),
					       UMMGR_TRACE_HOW_KIND (refs[i].how) & 7));
    }
  for (uint64_t turn = 0; turn < (in_turn ? most : 1); turn++)
    for (uint32_t i = 0; i < n; i++)
      {
	const struct ummgr_trace_ref *r = &refs[i];
	t->at = place_number (t, i);
	if (turn < r->count)
	  strided (t, device, r->address + turn * (uint64_t) r->stride, r->stride,
		   in_turn ? 1 : r->count, UMMGR_TRACE_HOW_SIZE (r->how),
		   UMMGR_TRACE_HOW_KIND (r->how) & 7);
      }
}

/* The TURN-th turn of the outer loop, of the references [FROM, TO), which are of one loop.  */
static void
nest_turn (struct ummgr_check_thread *t, bool device, const struct ummgr_trace_nest_ref *refs,
	   uint32_t from, uint32_t to, uint64_t turn, bool in_turn)
{
  uint64_t most = 0;
  for (uint32_t i = from; i < to; i++)
    if (turn < refs[i].count[0] && refs[i].count[1] > most)
      most = refs[i].count[1];
  for (uint64_t inner = 0; inner < (in_turn ? most : most != 0); inner++)
    for (uint32_t i = from; i < to; i++)
      {
	const struct ummgr_trace_nest_ref *r = &refs[i];
	if (turn >= r->count[0] || inner >= r->count[1])
	  continue;
	t->at = place_number (t, i);
	strided (t, device, r->address + turn * (uint64_t) r->stride[0]
		 + inner * (uint64_t) r->stride[1], r->stride[1], in_turn ? 1 : r->count[1],
		 UMMGR_TRACE_HOW_SIZE (r->how), UMMGR_TRACE_HOW_KIND (r->how) & 7);
      }
}

static void
nest (struct ummgr_trace_thread *base, const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  struct ummgr_check_thread *t = (struct ummgr_check_thread *) base;
  bool device = on_device (t), in_turn = false, writes = false;
  uint64_t most = 0;
  if (!t->live || !ummgr_check_on ())
    return;
  for (uint32_t i = 0; i < n; i++)
    writes |= (UMMGR_TRACE_HOW_KIND (refs[i].how) & UMMGR_CHECK_WRITE) != 0;
  for (uint32_t i = 0; i < n; i++)
    {
      const struct ummgr_trace_nest_ref *r = &refs[i];
      most = r->count[0] > most ? r->count[0] : most;
      t->at = place_number (t, i);
      for (uint64_t turn = 0; turn < r->count[0] && !in_turn && n > 1 && writes; turn++)
	in_turn = may_find (t, device, r->address + turn * (uint64_t) r->stride[0], r->stride[1],
			    r->count[1], UMMGR_TRACE_HOW_SIZE (r->how),
			    UMMGR_TRACE_HOW_KIND (r->how) & 7);
    }
  for (uint64_t turn = 0; turn < most; turn++)
    for (uint32_t i = 0, end; i < n; i = end)
      {
	for (end = i + 1; end < n && refs[end].inner == refs[i].inner; end++)
	  ;
	nest_turn (t, device, refs, i, end, turn, in_turn);
      }
}

/* --- what the host says of its memory ---------------------------------------- */

static void
object_add (void *ptr, uint64_t size, const struct ummgr_trace_site *site, bool heap)
{
  struct ummgr_check_object object = { .lo = (uintptr_t) ptr, .hi = (uintptr_t) ptr + size,
				       .line = site->line, .heap = heap };
  struct ummgr_check_object *old = ummgr_check_object_find (object.lo);
  object.shared = old && old->lo == object.lo && old->shared && !heap;
  object.name = ummgr_check_text (site->name);
  object.file = ummgr_check_text (site->file);
  ummgr_check_object_add (&object);
}

static void
allocated (void *ptr, uint64_t size, const struct ummgr_trace_site *site)
{
  if (!ptr || !size || !ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  /* Of omp_target_alloc: it is the device's.  */
  if (!ummgr_check_block_find ((uintptr_t) ptr))
    {
      object_add (ptr, size, site, true);
      ummgr_check_new_epoch ();
      /* What was there is no more, and what regions had written of it.  */
      if (ummgr_check_states_any ((uintptr_t) ptr, size, UMMGR_CHECK_HOST))
	ummgr_check_states_set ((uintptr_t) ptr, size, 0);
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
}

static void
section_unknown (struct ummgr_check_section *section, void *data)
{
  (void) data;
  section->unknown = true;
}

static void
freed (void *ptr)
{
  if (!ptr || !ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  const struct ummgr_check_object *object = ummgr_check_object_find ((uintptr_t) ptr);
  if (object && object->lo == (uintptr_t) ptr && object->heap)
    {
      ummgr_check_sections_visit (object->lo, object->hi - object->lo, section_unknown, NULL);
      ummgr_check_states_set (object->lo, object->hi - object->lo, 0);
      ummgr_check_object_remove (object->lo);
      ummgr_check_new_epoch ();
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
}

static void
resized (void *old, void *ptr, uint64_t size, const struct ummgr_trace_site *site)
{
  if (!ptr)
    return;
  freed (old);
  allocated (ptr, size, site);
}

static void
named (void *ptr, const struct ummgr_trace_site *site)
{
  if (!ptr || !ummgr_check_on ())
    return;
  pthread_mutex_lock (&ummgr_checker.lock);
  struct ummgr_check_object *object = ummgr_check_object_find ((uintptr_t) ptr);
  if (object && object->lo == (uintptr_t) ptr)
    {
      object->name = ummgr_check_text (site->name);
      object->file = ummgr_check_text (site->file);
      object->line = site->line;
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
}

static void
construct (const struct ummgr_trace_site *site)
{
  (void) site;
}

static void
statics (const struct ummgr_trace_static *list, uint64_t count)
{
  pthread_mutex_lock (&ummgr_checker.lock);
  for (uint64_t i = 0; i < count; i++)
    object_add (list[i].address, list[i].size, &list[i].site, false);
  ummgr_check_new_epoch ();
  pthread_mutex_unlock (&ummgr_checker.lock);
}

const struct ummgr_trace_runtime *
ummgr_check_runtime (void)
{
  static const struct ummgr_trace_runtime runtime = {
    .abi = UMMGR_TRACE_ABI, .size = sizeof runtime, .enter = enter, .access = access_,
    .range = range, .loop = loop, .nest = nest, .allocated = allocated, .resized = resized,
    .freed = freed, .named = named, .construct = construct, .statics = statics,
    .places = ummgr_check_places
  };
  return &runtime;
}
