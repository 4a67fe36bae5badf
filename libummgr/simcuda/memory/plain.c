/* Plain device memory: where it lies, and who may touch it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns a span of address space for each device.  Where the processor has
   protection keys, a span carries one that only GPU-side threads (and the
   driver's copies, for their duration) have open; threads inherit that from
   the thread that makes them, so it also tells which threads those are.
   Elsewhere the whole span is made accessible while a launch needs it, and
   what a copy needs of it while that runs (mprotect takes the longer, the more
   pages there are), which also lets through a host thread that touches it just
   then; UMMGR_SIM_NO_PKEYS asks for that anywhere, for the tests.

   Knows nothing of capacity; that is simcuda/memory/alloc.c's.  */

#include "config.h"
#include "simcuda/memory/keys.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT 512

struct span
{
  uintptr_t base;
  size_t size;
  struct sim_space space;
  struct sim_space apart;	/* The upper half, for what needs a gap.  */
  int key;			/* -1: none.  */
  /* Without keys: users now, of all of it and of a part [LO, HI).  */
  int open, part_open;
  uintptr_t lo, hi;
  /* What launches use little of (sim_mem_sparse); freed, and its pages are there
     still.  */
  uintptr_t sparse_lo, sparse_hi;
  bool kept;
};

/* Large pages are not split.  */
#define PART ((uintptr_t) 2 << 20)

static struct span spans[SIM_MAX_DEVICES];
static bool have_keys;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

/* The two PKRU bits of the keys of DEVICES.  */
static uint32_t
key_bits (uint32_t devices)
{
  uint32_t bits = 0;
  for (int d = 0; d < sim_machine.devices; d++)
    if (devices >> d & 1)
      bits |= UINT32_C (3) << 2 * spans[d].key;
  return bits;
}

bool
sim_plain_keys (void)
{
  return have_keys;
}

/* What lies below a span: nothing, so that a kernel whose stack is too small, or whose
   index is negative, faults and doesn't write over the process.  */
#define GUARD (UINT64_C (1) << 30)

/* A span several times the capacity, so that it never fragments before
   the capacity is used up; address space only.  */
static bool
reserve (struct span *s, uint64_t capacity)
{
  for (uint64_t size = 8 * capacity + (UINT64_C (64) << 30);
       size > 2 * capacity; size /= 2)
    {
      size = (size + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
      char *p = mmap ((void *) (SIM_PLAIN_AT + ((s - spans) << 40)), GUARD + size, PROT_NONE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p != MAP_FAILED)
	{
	  p += GUARD;
	  /* A core dump would step through every page of it.  */
	  madvise (p, size, MADV_DONTDUMP);
	  s->base = (uintptr_t) p;
	  s->size = size;
	  size_t lower = size / 2 / SIM_PAGE * SIM_PAGE;
	  /* Device memory has large pages too; advice only.  */
	  madvise (p, lower, MADV_HUGEPAGE);
	  madvise (p + lower, size - lower, MADV_NOHUGEPAGE);
	  /* The first page stays unused: an allocation never begins where
	     another mapping of the program may end.  */
	  return sim_space_init (&s->space, s->base + SIM_PAGE,
				 lower - SIM_PAGE, ALIGNMENT)
		 && sim_space_init (&s->apart, s->base + lower, size - lower,
				    ALIGNMENT);
	}
    }
  ummgr_error ("simcuda: no address space for device memory;"
	       " is there a limit (ulimit -v)?");
  return false;
}

/* Opening R, which makes it memory that may be written, can fail: a limit counts it
   then, and so does a kernel that promises no more than it has.  */
static bool
can_open (const struct span *s)
{
  if (mprotect ((void *) s->base, s->size, PROT_READ | PROT_WRITE) == 0
      && mprotect ((void *) s->base, s->size, PROT_NONE) == 0)
    return true;
  ummgr_error ("simcuda: %zu bytes of address space for device memory can't be"
	       " had: %s; is there a limit (ulimit -d, vm.overcommit_memory)?",
	       s->size, strerror (errno));
  return false;
}

CUresult
sim_plain_init (void)
{
  int shared = -1;
  have_keys = sim_keys_possible () && !getenv ("UMMGR_SIM_NO_PKEYS");
  for (int d = 0; d < sim_machine.devices; d++)
    {
      struct span *s = &spans[d];
      if (!reserve (s, sim_machine.uvm->device[d].figures.memory_bytes))
	return CUDA_ERROR_OUT_OF_MEMORY;
      s->key = have_keys ? sim_keys_new () : -1;
      if (s->key < 0)
	s->key = shared;	/* More devices than keys.  */
      shared = s->key;
      if (s->key < 0
	  || !sim_keys_lock ((void *) s->base, s->size, s->key))
	have_keys = false;
    }
  for (int d = 0; d < sim_machine.devices && !have_keys; d++)
    if (!can_open (&spans[d]))
      return CUDA_ERROR_OUT_OF_MEMORY;
  return CUDA_SUCCESS;
}

static void
drop (uintptr_t lo, uintptr_t hi)
{
  if (hi > lo)
    madvise ((void *) lo, hi - lo, MADV_DONTNEED);
}

/* [BASE, +SIZE) of S is used again: what else was kept goes.  */
static void
unkeep (struct span *s, uintptr_t base, size_t size)
{
  uintptr_t lo = base & -SIM_PAGE, hi = (base + size + SIM_PAGE - 1) & -SIM_PAGE;
  if (!s->kept || lo >= s->sparse_hi || hi <= s->sparse_lo)
    return;
  drop (s->sparse_lo, lo);
  drop (hi, s->sparse_hi);
  s->kept = false;
}

void
sim_mem_sparse (int device, uintptr_t base, size_t size)
{
  struct span *s = &spans[device];
  uintptr_t lo = (base + SIM_PAGE - 1) & -SIM_PAGE, hi = (base + size) & -SIM_PAGE;
  if (base - s->base >= s->size || size > s->size || hi <= lo
      || (lo == s->sparse_lo && hi == s->sparse_hi))
    return;
  sim_lock ();
  if (s->kept)
    drop (s->sparse_lo, s->sparse_hi);
  madvise ((void *) lo, hi - lo, MADV_NOHUGEPAGE);
  s->sparse_lo = lo;
  s->sparse_hi = hi;
  s->kept = false;
  sim_unlock ();
}

uintptr_t
sim_plain_take (int device, size_t size, size_t *gap_p)
{
  struct span *s = &spans[device];
  uintptr_t base = *gap_p ? sim_space_take (&s->apart, size + 2 * *gap_p) : 0;
  if (base)
    return base + *gap_p;
  *gap_p = 0;
  base = sim_space_take (&s->space, size);
  if (base)
    unkeep (s, base, size);
  return base;
}

void
sim_plain_give (int device, uintptr_t base, size_t size, size_t gap)
{
  /* Whole pages go back to the system; a neighbour may share the others.  */
  uintptr_t lo = (base + SIM_PAGE - 1) & -SIM_PAGE;
  uintptr_t hi = (base + size) & -SIM_PAGE;
  struct span *s = &spans[device];
  /* But those of a launch's stacks, which libgomp allocates before each and frees
     behind it.  */
  if (lo == s->sparse_lo && hi == s->sparse_hi)
    s->kept = true;
  else if (size >= 16 * SIM_PAGE)
    drop (lo, hi);
  sim_space_give (gap ? &s->apart : &s->space, base - gap, size + 2 * gap);
}

/* Without keys spans are opened as a whole; with them a page keeps its own.  */
bool
sim_mem_guard (uintptr_t address, size_t size, bool on)
{
  if (!have_keys || !getenv ("UMMGR_SIM_GUARD"))
    return false;
  return !size || mprotect ((void *) address, size, on ? PROT_NONE : PROT_READ | PROT_WRITE) == 0;
}

uintptr_t
sim_plain_base (int device)
{
  return spans[device].base;
}

size_t
sim_plain_size (int device)
{
  return spans[device].size;
}

int
sim_plain_device (uintptr_t address)
{
  for (int d = 0; d < sim_machine.devices; d++)
    if (address - spans[d].base < spans[d].size)
      return d;
  return SIM_NOWHERE;
}

static void
allow (uintptr_t lo, uintptr_t hi, bool access)
{
  if (lo < hi)
    mprotect ((void *) lo, hi - lo, access ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/* Nobody needs all of R any more: what is left open is the part that is in use.  */
static void
close_span (const struct span *s)
{
  bool part = s->part_open > 0;
  allow (s->base, part ? s->lo : s->base + s->size, false);
  if (part)
    allow (s->hi, s->base + s->size, false);
}

static void
count_open (uint32_t devices, int step)
{
  pthread_mutex_lock (&open_lock);
  for (int d = 0; d < sim_machine.devices; d++)
    if (devices >> d & 1)
      {
	struct span *s = &spans[d];
	bool was = s->open > 0;
	s->open += step;
	if (!was && s->open > 0)
	  allow (s->base, s->base + s->size, true);
	else if (was && s->open == 0)
	  close_span (s);
      }
  pthread_mutex_unlock (&open_lock);
}

/* Open [LO, HI) of R; or, false, all of it, where that or another part is open
   already.  */
static bool
open_part (struct span *s, uintptr_t lo, uintptr_t hi)
{
  lo &= -PART;
  hi = (hi + PART - 1) & -PART;
  lo = lo < s->base ? s->base : lo;
  hi = hi > s->base + s->size ? s->base + s->size : hi;
  pthread_mutex_lock (&open_lock);
  bool same = s->part_open > 0 && lo >= s->lo && hi <= s->hi;
  bool part = s->open == 0 && (same || s->part_open == 0);
  if (!part && s->open++ == 0)
    allow (s->base, s->base + s->size, true);
  if (part && s->part_open++ == 0)
    {
      s->lo = lo;
      s->hi = hi;
      allow (lo, hi, true);
    }
  pthread_mutex_unlock (&open_lock);
  return part;
}

static void
close_part (struct span *s)
{
  pthread_mutex_lock (&open_lock);
  if (--s->part_open == 0 && s->open == 0)
    allow (s->lo, s->hi, false);
  pthread_mutex_unlock (&open_lock);
}

struct sim_plain_part
sim_plain_open_part (uintptr_t address, size_t size)
{
  struct sim_plain_part part = { .device = SIM_NOWHERE, .copy = sim_watch_copy (address, size) };
  int d = have_keys ? SIM_NOWHERE : sim_plain_device (address);
  if (have_keys)
    part.state = sim_plain_open (~UINT32_C (0));
  else if (d >= 0 && open_part (&spans[d], address, address + size))
    part.device = d;
  else if (d >= 0)
    part.state = UINT32_C (1) << d;
  return part;
}

void
sim_plain_close_part (struct sim_plain_part part)
{
  sim_watch_copied (part.copy);
  if (part.device >= 0)
    close_part (&spans[part.device]);
  else if (have_keys || part.state)
    sim_plain_close (part.state);
}

uint64_t
sim_plain_open (uint32_t devices)
{
  if (!have_keys)
    {
      count_open (devices, 1);
      return devices;
    }
  uint32_t before = sim_keys_read ();
  sim_keys_write (before & ~key_bits (devices));
  return before;
}

void
sim_plain_close (uint64_t state)
{
  if (have_keys)
    sim_keys_write (state);
  else
    count_open (state, -1);
}

bool
sim_plain_opened (const void *context)
{
  if (!have_keys)
    return false;
  uint32_t pkru;
  if (context)
    {
      bool init;
      uint32_t *saved = sim_keys_frame (context, &init);
      if (!saved)
	return false;
      pkru = init ? 0 : *saved;
    }
  else
    pkru = sim_keys_read ();
  for (int d = 0; d < sim_machine.devices; d++)
    if (!(pkru >> 2 * spans[d].key & 3))
      return true;
  return false;
}

bool
sim_plain_reopen (void *context, int device)
{
  int running = __atomic_load_n (&sim_machine.launch_device, __ATOMIC_RELAXED);
  if (running < 0 || !sim_plain_opened (context))
    return false;
  uint32_t allowed = sim_machine.uvm->device[running].peers | UINT32_C (1) << running;
  bool init;
  uint32_t *saved = sim_keys_frame (context, &init);
  if (!(allowed >> device & 1) || init || !(*saved & key_bits (1u << device)))
    return false;
  *saved &= ~key_bits (allowed);
  sim_keys_mark (context);
  return true;
}

void
sim_mem_as_interrupted (const void *context)
{
  bool init;
  const uint32_t *saved = have_keys ? sim_keys_frame (context, &init) : NULL;
  if (saved)
    sim_keys_write (init ? 0 : *saved);
}
