/* Copy and set by the driver, between any kinds of memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  Managed memory: a copy reads it where it is, and writes it
   from the device: pages written come to the device first, as a write from
   that device would bring them, though without faults (the driver's copies
   know their range).  The device is the plain side's, else the one that was
   current when the managed memory was allocated.  Pages whose advice keeps
   them elsewhere are written there.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <string.h>

/* One end of a copy.  */
struct side
{
  uintptr_t address;
  struct sim_range *range;	/* NULL: memory the driver doesn't know.  */
};

/* What the calling thread copies; SIZE 0: nothing.  */
static _Thread_local struct
{
  uintptr_t to, from;
  size_t size;
} copying;

void
sim_copy_explain (uintptr_t address)
{
  size_t read = address - copying.from, written = address - copying.to;
  if (read >= copying.size && written >= copying.size)
    return;
  bool in = read < copying.size;
  ummgr_error ("simcuda: copy of %zu bytes %s the program's memory at %p: there"
	       " is no memory to %s at %p, %zu bytes into it (does a map clause"
	       " name more than is allocated?)", copying.size,
	       in ? "from" : "to", (void *) (in ? copying.from : copying.to),
	       in ? "read" : "write", (void *) address, in ? read : written);
}

static struct side
side_of (uintptr_t address)
{
  return (struct side) { address, sim_range_find (address) };
}

static bool
is_kind (const struct side *s, enum sim_mem_kind kind)
{
  return s->range && s->range->alloc.kind == kind;
}

/* Where the driver itself reaches it.  */
static char *
pointer_of (const struct side *s, size_t offset)
{
  return (is_kind (s, SIM_MEM_MANAGED) ? sim_managed_alias (s->address)
				       : (char *) s->address) + offset;
}

/* Bytes from OFFSET of S to the next multiple of UNIT in the arena.  */
static size_t
to_boundary (const struct side *s, size_t offset, size_t unit)
{
  if (!is_kind (s, SIM_MEM_MANAGED))
    return SIZE_MAX;
  return unit - ((s->address - sim_machine.arena + offset) & (unit - 1));
}

static unsigned
page_of (uintptr_t address)
{
  return ((address - sim_machine.arena) & (sim_machine.block_bytes - 1))
	 / SIM_PAGE;
}

/* The processor whose memory S + OFFSET is in.  */
static unsigned
place_of (const struct side *s, size_t offset)
{
  if (is_kind (s, SIM_MEM_PLAIN))
    return 1 + s->range->alloc.device;
  if (!is_kind (s, SIM_MEM_MANAGED))
    return SIM_CPU;
  struct sim_block *b = sim_block_at (s->address + offset);
  unsigned page = page_of (s->address + offset);
  int holder = sim_block_holder (b, page, SIM_CPU);
  return holder < 0 ? SIM_CPU : holder;
}

/* The pages of [ADDRESS, +SIZE), in one block, are about to be read: those
   that nobody ever touched come into being on the CPU.  */
static void
prepare_read (uintptr_t address, size_t size)
{
  struct sim_block *b = sim_block_at (address);
  struct sim_mask s
    = sim_mask_range (page_of (address), page_of (address + size - 1) + 1);
  for (int p = 0; p <= sim_machine.devices; p++)
    sim_mask_remove (&s, &b->by[p].resident);
  if (!sim_mask_empty (&s))
    sim_migrate_ahead (b, &s, SIM_CPU, false);
}

/* They are about to be written, from DEVICE.  */
static void
prepare_write (uintptr_t address, size_t size, int device)
{
  struct sim_block *b = sim_block_at (address);
  unsigned lo = page_of (address), hi = page_of (address + size - 1) + 1;
  while (lo < hi)
    {
      bool copy;
      unsigned to = sim_destination (b, lo, 1 + device, true, &copy), end = lo;
      while (end < hi
	     && sim_destination (b, end, 1 + device, true, &copy) == to)
	end++;
      struct sim_mask s = sim_mask_range (lo, end);
      if (!sim_migrate_ahead (b, &s, to, false))
	sim_migrate_ahead (b, &s, SIM_CPU, false);
      lo = end;
    }
}

/* Which counter of C a copy between the processors adds to; NULL: none.  */
static uint64_t *
counter (struct ummgr_counters *c, unsigned from, unsigned to)
{
  return (from == to	    ? NULL
	  : from == SIM_CPU ? &c->h2d_bytes
	  : to == SIM_CPU   ? &c->d2h_bytes
			    : &c->d2d_bytes);
}

static void
count_link (const struct side *dst, const struct side *src, unsigned from,
	    unsigned to, uint64_t bytes)
{
  int device = (to ? to : from) - 1;
  *counter (&sim_machine.device[device].counters, from, to) += bytes;
  if (dst->range)
    *counter (&dst->range->counters, from, to) += bytes;
  if (src->range && src->range != dst->range)
    *counter (&src->range->counters, from, to) += bytes;
  if (from && to)
    sim_model_peer (from - 1, to - 1, bytes);
  else
    sim_model_move (device, bytes, from == SIM_CPU);
}

static void
count_piece (const struct side *dst, const struct side *src, unsigned from,
	     unsigned to, uint64_t bytes)
{
  if (from == to)
    {
      if (to != SIM_CPU)
	sim_model_local (to - 1, 2 * bytes);	/* Read and written.  */
    }
  else if (from && to && !sim_peer_link (from - 1, to - 1))
    {
      count_link (dst, src, from, SIM_CPU, bytes);
      count_link (dst, src, SIM_CPU, to, bytes);
    }
  else
    count_link (dst, src, from, to, bytes);
}

static size_t
least (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Residency and counts of [OFFSET, +SIZE) of a copy, which crosses no block
   boundary on either side.  *CROSSED_P gets the device if a link is used.  */
static void
account_chunk (const struct side *dst, const struct side *src, size_t offset,
	       size_t size, int *crossed_p)
{
  if (is_kind (src, SIM_MEM_MANAGED))
    prepare_read (src->address + offset, size);
  if (is_kind (dst, SIM_MEM_MANAGED))
    prepare_write (dst->address + offset, size,
		   is_kind (src, SIM_MEM_PLAIN) ? src->range->alloc.device
						: dst->range->home);
  for (size_t done = 0; done < size;)
    {
      size_t n = least (size - done,
			least (to_boundary (dst, offset + done, SIM_PAGE),
			       to_boundary (src, offset + done, SIM_PAGE)));
      unsigned from = place_of (src, offset + done);
      unsigned to = place_of (dst, offset + done);
      count_piece (dst, src, from, to, n);
      if (from != to)
	*crossed_p = (to ? to : from) - 1;
      done += n;
    }
}

CUresult
sim_mem_copy (uintptr_t dst_address, uintptr_t src_address, size_t size)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  sim_lock ();
  struct side dst = side_of (dst_address), src = side_of (src_address);
  sim_unlock ();
  int crossed = SIM_NOWHERE;
  copying.to = dst_address;
  copying.from = src_address;
  copying.size = size;
  for (size_t done = 0; done < size;)
    {
      size_t n
	= least (size - done,
		 least (to_boundary (&dst, done, sim_machine.block_bytes),
			to_boundary (&src, done, sim_machine.block_bytes)));
      sim_lock ();
      account_chunk (&dst, &src, done, n, &crossed);
      sim_unlock ();
      struct sim_plain_part to = sim_plain_open_part (dst_address + done, n);
      struct sim_plain_part from = sim_plain_open_part (src_address + done, n);
      memmove (pointer_of (&dst, done), pointer_of (&src, done), n);
      sim_plain_close_part (from);
      sim_plain_close_part (to);
      done += n;
    }
  copying.size = 0;
  if (crossed >= 0)
    {
      sim_lock ();
      sim_model_latency (crossed);
      sim_unlock ();
    }
  return CUDA_SUCCESS;
}

static void
fill (char *p, unsigned value, int width, size_t bytes)
{
  if (width == 1)
    memset (p, value, bytes);
  else if (width == 2)
    for (size_t i = 0; i < bytes / 2; i++)
      ((uint16_t *) p)[i] = value;
  else
    for (size_t i = 0; i < bytes / 4; i++)
      ((uint32_t *) p)[i] = value;
}

CUresult
sim_mem_set (uintptr_t address, unsigned value, int width, size_t count)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (width != 1 && width != 2 && width != 4)
    return CUDA_ERROR_INVALID_VALUE;
  size_t size = count * width;
  sim_lock ();
  struct side dst = side_of (address);
  sim_unlock ();
  for (size_t done = 0; done < size;)
    {
      size_t n = least (size - done,
			to_boundary (&dst, done, sim_machine.block_bytes));
      sim_lock ();
      if (is_kind (&dst, SIM_MEM_MANAGED))
	prepare_write (address + done, n, dst.range->home);
      unsigned to = place_of (&dst, done);
      if (to != SIM_CPU)
	sim_model_local (to - 1, n);
      sim_unlock ();
      struct sim_plain_part part = sim_plain_open_part (address + done, n);
      fill (pointer_of (&dst, done), value, width, n);
      sim_plain_close_part (part);
      done += n;
    }
  return CUDA_SUCCESS;
}
