/* Copies between host and device, and what becomes of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the copies whose words are still on a device, through the pieces of
   the spans they are in.  Counts are of sampled words only, as everywhere:
   the reader has the rate.  Where a device's accesses are not seen, nothing is
   said about what they were.  */

#include "config.h"
#include "record/recorder.h"

#include "base/grow.h"
#include <stdlib.h>
#include <string.h>
#if HAVE_XXHASH
#include <xxhash.h>
#if HAVE_XXHASH_DISPATCH
#include <xxh_x86dispatch.h>	/* By what the processor has.  */
#endif
#endif

static uint64_t last_copy;

/* PIECE's words [FIRST, END) get other contents.  */
static void
account (struct ummgr_record_copy *copy, uint64_t first, uint64_t end)
{
  struct ummgr_shadow_count count;
  ummgr_shadow_count (first, end, ummgr_record.mask, &count);
  copy->words += count.words;
  copy->unused += count.unused;
  copy->overwritten += count.overwritten;
}

/* A piece of COPY is no more; the last one says all.  */
static void
release (struct ummgr_record_copy *copy)
{
  if (--copy->left)
    return;
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_OUTCOME,
    .u.outcome = { copy->number, copy->words, copy->unused, copy->overwritten }
  };
  ummgr_record_write (&record);
  free (copy);
}

/* The first piece of SPAN that ends after WORD.  */
static size_t
first_piece (const struct ummgr_record_span *span, uint64_t word)
{
  size_t lo = 0, hi = span->piece_count;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (span->pieces[mid].end <= word)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo;
}

static bool
insert_piece (struct ummgr_record_span *span, size_t at,
	      struct ummgr_record_piece piece)
{
  if (!UMMGR_GROW (span->pieces, span->piece_room, span->piece_count + 1))
    return false;
  memmove (span->pieces + at + 1, span->pieces + at,
	   (span->piece_count - at) * sizeof *span->pieces);
  span->pieces[at] = piece;
  span->piece_count++;
  return true;
}

void
ummgr_record_outcomes (struct ummgr_record_span *span, uint64_t first,
		       uint64_t end)
{
  size_t at = first_piece (span, first), kept = at;
  /* One piece may stand out on both sides.  */
  if (at < span->piece_count && span->pieces[at].first < first)
    {
      struct ummgr_record_piece right = span->pieces[at];
      account (right.copy, first, right.end < end ? right.end : end);
      span->pieces[at].end = first;
      kept = ++at;
      if (right.end > end)
	{
	  right.first = end;
	  if (insert_piece (span, at, right))
	    right.copy->left++;
	  return;
	}
    }
  for (; at < span->piece_count && span->pieces[at].first < end; at++)
    {
      struct ummgr_record_piece *piece = &span->pieces[at];
      if (piece->end > end)
	{
	  account (piece->copy, piece->first, end);
	  piece->first = end;
	  break;
	}
      account (piece->copy, piece->first, piece->end);
      release (piece->copy);
    }
  if (at > kept)
    memmove (span->pieces + kept, span->pieces + at,
	     (span->piece_count - at) * sizeof *span->pieces);
  span->piece_count -= at - kept;
}

#if HAVE_XXHASH_DISPATCH && defined __x86_64__
/* Debian's libxxhash 0.8.1 returns with the registers' upper halves in use, which costs the
   program's code, that of SSE, up to two thirds of its speed until something clears them.  */
static void __attribute__ ((target ("avx")))
clear_upper_halves (void)
{
  __builtin_ia32_vzeroupper ();
}
#endif

/* Block by block from the end: a copy that was made has left the end in the caches, and one
   that is about to be made begins with what was hashed last.  */
static uint64_t
hash_of (const void *bytes, size_t size)
{
#if HAVE_XXHASH
  enum { BLOCK = 1 << 18 };
  uint64_t hash = size;
  for (size_t at = size; at > 0;)
    {
      size_t length = at % BLOCK ? at % BLOCK : BLOCK;
      at -= length;
      hash = XXH3_64bits_withSeed ((const char *) bytes + at, length, hash);
    }
#if HAVE_XXHASH_DISPATCH && defined __x86_64__
  if (__builtin_cpu_supports ("avx"))
    clear_upper_halves ();
#endif
  return hash ? hash : 1;
#else
  (void) bytes, (void) size;
  return 0;
#endif
}

/* Host memory from BASE on has a copy at ADDRESS, or is at ADDRESS itself: what is known of that,
   or NULL.  SAY: enum ummgr_trace_present_flag.  */
static struct ummgr_record_span *
appear_there (uint64_t base, uint64_t address, uint64_t size, int device, unsigned say)
{
  const struct ummgr_record_site *at = ummgr_record_context.construct;
  if (say & UMMGR_TRACE_PRESENT_VARIABLE)
    at = NULL;
  struct ummgr_record_object *object = ummgr_record_mapped (base, size);
  if (!object || base < object->host.lo || base >= object->host.hi)
    return NULL;
  uint64_t offset = base - object->host.lo;
  if (size > object->host.hi - base)
    size = object->host.hi - base;
  if (base == address)
    object->flags |= UMMGR_TRACE_OBJECT_UNIFIED;
  ummgr_record_announce (object);
  struct ummgr_record_span *span = base == address ? &object->host
    : ummgr_record_add_copy (object, offset, address, size, device);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_PRESENT,
    .u.present = {
      .object = object->id, .offset = offset, .size = size, .device = device,
      .address = address, .file = at ? at->file : NULL,
      .line = at ? at->line : 0,
      .flags = say
    }
  };
  ummgr_record_write (&record);
  return span;
}

/* libgomp has made a copy of SIZE bytes.  */
static unsigned
small (uint64_t size)
{
  return size < ummgr_record.options.min_size ? UMMGR_TRACE_PRESENT_SMALL : 0;
}

/* The parties of a copy, cut to what is known of both.  */
struct parties
{
  struct ummgr_record_span *there;	/* On the device.  */
  struct ummgr_record_span *here;	/* On the host, or NULL.  */
  uint64_t size;
  bool gathered;
};

static bool
find_parties (struct parties *p, const void *host, uint64_t address,
	      size_t size, int device)
{
  struct ummgr_record_span *span = ummgr_record_find (address);
  if (!size || (uint64_t) (uintptr_t) host == address)
    return false;
  if (!span)
    {
      /* What is ours was said to be there.  */
      appear_there ((uintptr_t) host, address, size, device, small (size));
      span = ummgr_record_find (address);
      if (!span)
	return false;
    }
  p->there = span;
  p->size = span->hi - address < size ? span->hi - address : size;
  p->here = ummgr_record_find ((uintptr_t) host);
  ummgr_record_announce (span->object);
  /* Not what is mapped there: somebody has the device's address.  */
  if ((uintptr_t) host - span->object->host.lo - span->offset != address - span->lo)
    ummgr_record_handed (device);
  return true;
}

static void
write_copy (const struct parties *p, uint64_t address, uint64_t number,
	    uint64_t hash, uint64_t unchanged, int from, int to)
{
  const struct ummgr_record_site *at = ummgr_record_context.construct;
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_COPY,
    .u.move = {
      .object = p->there->object->id,
      .offset = p->there->offset + (address - p->there->lo), .size = p->size,
      .from = from, .to = to, .launch = ummgr_record_context.launch,
      .copy = number, .hash = hash, .unchanged = unchanged,
      .file = at ? at->file : NULL, .line = at ? at->line : 0,
      .gathered = p->gathered
    }
  };
  ummgr_record_write (&record);
}

/* The bytes from HOST on that are of one object, of those that are copied.  */
static uint64_t
host_size (const struct parties *p, uint64_t host)
{
  uint64_t left = p->here ? p->here->hi - host : 0;
  return left < p->size ? left : p->size;
}

static void
copy_in (const void *host, uint64_t address, size_t size, int device, bool gathered)
{
  if (!ummgr_record_tracing ())
    return;
  uint64_t hash = hash_of (host, size);
  pthread_mutex_lock (&ummgr_record.lock);
  struct parties p = { .gathered = gathered };
  if (find_parties (&p, host, address, size, device))
    {
      ummgr_record_forget_lines ();
      uint64_t first = address >> 2;
      uint64_t end = ummgr_shadow_end_word (address, p.size);
      ummgr_record_outcomes (p.there, first, end);
      if (ummgr_record.shadowed)
	ummgr_shadow_range ((uintptr_t) host, host_size (&p, (uintptr_t) host),
			    UMMGR_SHADOW_COPIED, ummgr_record.mask);
      write_copy (&p, address, ++last_copy, hash, 0, UMMGR_TRACE_HOST, device);
      struct ummgr_record_copy *copy
	= ummgr_record_seen (device) && !ummgr_record_blind (p.there)
	  ? calloc (1, sizeof *copy) : NULL;
      if (ummgr_record.shadowed)
	ummgr_shadow_range (address, p.size, UMMGR_SHADOW_COPY_IN,
			    ummgr_record.mask);
      if (copy)
	{
	  copy->number = last_copy;
	  copy->left = 1;
	  struct ummgr_record_piece piece = { first, end, copy };
	  if (!insert_piece (p.there, first_piece (p.there, first), piece))
	    free (copy);
	}
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_copy_in (const void *host, uint64_t address, size_t size, int device)
{
  copy_in (host, address, size, device, false);
}

void
ummgr_record_copy_gathered (const void *host, uint64_t address, size_t size, int device)
{
  copy_in (host, address, size, device, true);
}

void
ummgr_record_copy_out (const void *host, uint64_t address, size_t size,
		       int device)
{
  if (!ummgr_record_tracing ())
    return;
  uint64_t hash = hash_of (host, size);
  pthread_mutex_lock (&ummgr_record.lock);
  struct parties p = { .gathered = false };
  if (find_parties (&p, host, address, size, device))
    {
      struct ummgr_shadow_count count = { 0, 0, 0, 0 };
      ummgr_record_forget_lines ();
      bool seen = ummgr_record_seen (device) && !ummgr_record_blind (p.there);
      if (seen)
	ummgr_shadow_count (address >> 2,
			    ummgr_shadow_end_word (address, p.size),
			    ummgr_record.mask, &count);
      write_copy (&p, address, ++last_copy, hash, count.cpu_last, device,
		  UMMGR_TRACE_HOST);
      if (ummgr_record.shadowed)
	ummgr_shadow_range (address, p.size, UMMGR_SHADOW_COPY_OUT,
			    ummgr_record.mask);
      /* What the host holds now is what the GPU wrote: reading it is reading
	 the GPU's value.  */
      if (seen)
	ummgr_shadow_bring (address, (uintptr_t) host,
			    host_size (&p, (uintptr_t) host),
			    ummgr_record.mask);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_present (const void *host, uint64_t address, size_t size,
		      int device, bool libgomp)
{
  if (!size || !ummgr_record_tracing ())
    return;
  uint64_t base = (uintptr_t) host;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span
    = appear_there (base, address, size, device, libgomp ? small (size) : 0);
  if (span && !libgomp)
    ummgr_record_pages_come (span);
  pthread_mutex_unlock (&ummgr_record.lock);
}

static void
variables_widen (uint64_t lo, uint64_t hi)
{
  struct ummgr_record *r = &ummgr_record;
  if (!r->variables_hi || lo < r->variables_lo)
    __atomic_store_n (&r->variables_lo, lo, __ATOMIC_RELAXED);
  if (hi > r->variables_hi)
    __atomic_store_n (&r->variables_hi, hi, __ATOMIC_RELAXED);
  ummgr_record_new_epoch ();
}

/* An image may be loaded for a construct of the recorder's own, and is the program's.  */
static bool
tracing_loud (void)
{
  bool quiet = ummgr_record_context.quiet;
  ummgr_record_context.quiet = false;
  bool tracing = ummgr_record_tracing ();
  ummgr_record_context.quiet = quiet;
  return tracing;
}

void
ummgr_record_linked (uint64_t host, size_t size)
{
  if (!size || !tracing_loud ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  variables_widen (host, host + size);
  pthread_mutex_unlock (&ummgr_record.lock);
}

/* The object from BASE on, SIZE bytes: made if it is not known and has a NAME; or NULL.  Lock
   held.  */
static struct ummgr_record_object *
variable_object (uint64_t base, uint64_t size, const char *name, const char *file, unsigned line)
{
  struct ummgr_record_span *span = ummgr_record_find (base);
  struct ummgr_record_site *site = span || !name ? NULL : malloc (sizeof *site);
  if (!site)
    return span ? span->object : NULL;
  *site = (struct ummgr_record_site) {
    ummgr_record_text (name), ummgr_record_text (file), "", line, 0
  };
  struct ummgr_record_object *object
    = ummgr_record_appear (base, size, UMMGR_TRACE_OBJECT_STATIC, site);
  if (object)
    object->mapped_only = true;
  return object;
}

/* What devices have, for the time when the program says of it.  */
struct variable
{
  struct variable *next;
  uint64_t host, address, size;
  int device;
};
static struct variable *variables;

static void
variable_is_there (const struct variable *v)
{
  variables_widen (v->host, v->host + v->size);
  appear_there (v->host, v->address, v->size, v->device, UMMGR_TRACE_PRESENT_VARIABLE);
}

void
ummgr_record_variable_there (uint64_t host)
{
  for (const struct variable *v = variables; v; v = v->next)
    if (v->host == host)
      variable_is_there (v);
}

void
ummgr_record_variable (const void *host, uint64_t address, size_t size, int device,
		       const char *name, const char *file, unsigned line)
{
  uint64_t base = (uintptr_t) host;
  if (!size || !tracing_loud ())
    return;
  struct variable *v = calloc (1, sizeof *v);
  if (!v)
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  *v = (struct variable) { variables, base, address, size, device };
  variables = v;
  if (variable_object (base, size, name, file, line))
    variable_is_there (v);
  pthread_mutex_unlock (&ummgr_record.lock);
}

/* Unified memory is no longer mapped: it stays where it is.  */
static void
unified_absent (const struct ummgr_record_span *span, uint64_t address,
		size_t size, int device)
{
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_ABSENT,
    .u.present = {
      .object = span->object->id, .offset = address - span->lo, .size = size,
      .device = device, .address = address
    }
  };
  ummgr_record_announce (span->object);
  ummgr_record_write (&record);
}

void
ummgr_record_absent (uint64_t address, size_t size, int device)
{
  if (!size || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span = ummgr_record_find (address);
  if (!span)
    span = ummgr_record_next (address);
  if (span && span == &span->object->host && span->lo <= address)
    unified_absent (span, address, size, device);
  else
    while (span && span->lo < address + size
	   && span != &span->object->host)
      {
	uint64_t after = span->hi;
	if (span->device == device)
	  ummgr_record_drop_copy (span);
	span = ummgr_record_next (after);
      }
  pthread_mutex_unlock (&ummgr_record.lock);
}

/* Prefetches and advice.  */
static void
write_move (enum ummgr_trace_kind kind, uint64_t address, uint64_t size,
	    int device, unsigned advice)
{
  if (!size || !ummgr_record_tracing ())
    return;
  const struct ummgr_record_site *at = ummgr_record_context.construct;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span = ummgr_record_find (address);
  if (span)
    {
      struct ummgr_trace_record record = {
	.kind = kind,
	.u.move = {
	  .object = span->object->id,
	  .offset = span->offset + (address - span->lo),
	  .size = span->hi - address < size ? span->hi - address : size,
	  .from = UMMGR_TRACE_HOST, .to = device, .advice = advice,
	  .launch = ummgr_record_context.launch,
	  .file = at ? at->file : NULL, .line = at ? at->line : 0
	}
      };
      ummgr_record_announce (span->object);
      ummgr_record_write (&record);
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_prefetch (uint64_t address, size_t size, int device)
{
  write_move (UMMGR_TRACE_PREFETCH, address, size, device, 0);
}

void
ummgr_record_advice (uint64_t address, size_t size, int device,
		     unsigned advice)
{
  write_move (UMMGR_TRACE_ADVICE, address, size, device, advice);
}
