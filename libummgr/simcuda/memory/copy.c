/* Copy and set by the driver, between any kinds of memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  Where managed memory is read and written is the instance's
   (uvm/advise.c); it is written from the plain side's device, else from the one whose
   context the copy was asked for in, else from the one that was current when the managed
   memory was allocated.  */

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

static _Thread_local double moved;

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
  return unit - ((sim_offset (s->address) + offset) & (unit - 1));
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
  unsigned page = sim_page_of (s->address + offset);
  int holder = uvm_holder (sim_machine.uvm, b->of, page, SIM_CPU);
  return holder < 0 ? SIM_CPU : holder;
}

/* [OFFSET, +SIZE) of S, which is managed, in one block.  */
struct piece
{
  struct uvm_block *block;
  unsigned lo, hi;		/* Pages.  */
};

static struct piece
piece_of (const struct side *s, size_t offset, size_t size)
{
  uintptr_t address = s->address + offset;
  return (struct piece) { sim_block_at (address)->of, sim_page_of (address),
			  sim_page_of (address + size - 1) + 1 };
}

/* It is about to be written, from DEVICE or the memory's own.  */
static void
write_piece (const struct side *s, size_t offset, size_t size, int device)
{
  struct piece p = piece_of (s, offset, size);
  uvm_copied_to (sim_machine.uvm, p.block, p.lo, p.hi,
		 device >= 0 ? device : s->range->managed->home);
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

/* Links that a copy has used, as bits: devices' to the host, and, of each, those from
   other devices.  */
struct crossed
{
  uint32_t host, peers[SIM_MAX_DEVICES];
  bool small;			/* It is a copy of few bytes.  */
};

static void
count_link (const struct side *dst, const struct side *src, unsigned from,
	    unsigned to, uint64_t bytes, struct crossed *crossed)
{
  int device = (to ? to : from) - 1;
  *counter (&sim_machine.uvm->device[device].counters, from, to) += bytes;
  if (dst->range)
    *counter (dst->range->counters, from, to) += bytes;
  if (src->range && src->range != dst->range)
    *counter (src->range->counters, from, to) += bytes;
  if (from && to)
    {
      sim_machine.uvm->device[device].between.copied[from - 1] += bytes;
      uvm_clock_peer (sim_machine.uvm, from - 1, to - 1, bytes);
      crossed->peers[device] |= UINT32_C (1) << (from - 1);
    }
  else
    {
      const struct side *host = from == SIM_CPU ? src : dst;
      bool staged = !from != !to && !host->range;
      (crossed->small ? uvm_clock_move_small : staged ? uvm_clock_move_staged : uvm_clock_move)
	(sim_machine.uvm, device, bytes, from == SIM_CPU);
      crossed->host |= UINT32_C (1) << device;
    }
}

static void
count_piece (const struct side *dst, const struct side *src, unsigned from,
	     unsigned to, uint64_t bytes, struct crossed *crossed)
{
  const struct side *managed = is_kind (dst, SIM_MEM_MANAGED) ? dst : src;
  if (from == to && to == SIM_CPU)
    uvm_clock_host (sim_machine.uvm,
		    is_kind (managed, SIM_MEM_MANAGED) ? managed->range->managed->home : 0, bytes);
  else if (from == to)
    /* Read and written.  */
    uvm_clock_local (sim_machine.uvm, to - 1, 2 * bytes);
  else if (from && to && !uvm_peer_link (sim_machine.uvm, from - 1, to - 1))
    {
      count_link (dst, src, from, SIM_CPU, bytes, crossed);
      count_link (dst, src, SIM_CPU, to, bytes, crossed);
    }
  else
    count_link (dst, src, from, to, bytes, crossed);
}

static size_t
least (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Residency and counts of [OFFSET, +SIZE) of a copy, which crosses no block
   boundary on either side.  *CROSSED gets the links that are used.  */
static void
account_chunk (const struct side *dst, const struct side *src, size_t offset,
	       size_t size, int by, struct crossed *crossed)
{
  if (is_kind (src, SIM_MEM_MANAGED))
    {
      struct piece p = piece_of (src, offset, size);
      uvm_copied_from (sim_machine.uvm, p.block, p.lo, p.hi);
    }
  if (is_kind (dst, SIM_MEM_MANAGED))
    write_piece (dst, offset, size,
		 is_kind (src, SIM_MEM_PLAIN) ? src->range->alloc.device
					      : by);
  for (size_t done = 0; done < size;)
    {
      size_t n = least (size - done,
			least (to_boundary (dst, offset + done, SIM_PAGE),
			       to_boundary (src, offset + done, SIM_PAGE)));
      unsigned from = place_of (src, offset + done);
      unsigned to = place_of (dst, offset + done);
      count_piece (dst, src, from, to, n, crossed);
      done += n;
    }
}

/* Each link that a copy uses has its latency once.  */
static void
account_latency (const struct crossed *crossed)
{
  sim_time_lock ();
  for (int d = 0; d < sim_machine.devices; d++)
    {
      if (crossed->host >> d & 1)
	uvm_clock_latency (sim_machine.uvm, d, 1);
      for (int from = 0; crossed->peers[d] >> from; from++)
	if (crossed->peers[d] >> from & 1)
	  uvm_clock_peer_latency (sim_machine.uvm, from, d);
    }
  sim_time_unlock ();
}

CUresult
sim_mem_copy (uintptr_t dst, uintptr_t src, size_t size)
{
  return sim_mem_copy_by (SIM_NOWHERE, dst, src, size);
}

CUresult
sim_mem_copy_by (int device, uintptr_t dst_address, uintptr_t src_address, size_t size)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  sim_lock ();
  struct side dst = side_of (dst_address), src = side_of (src_address);
  sim_unlock ();
  struct crossed crossed = { .small = size <= UVM_SMALL_COPY };
  moved = sim_mem_time ();
  copying.to = dst_address;
  copying.from = src_address;
  copying.size = size;
  for (size_t done = 0; done < size;)
    {
      size_t n
	= least (size - done,
		 least (to_boundary (&dst, done, sim_machine.uvm->block_bytes),
			to_boundary (&src, done, sim_machine.uvm->block_bytes)));
      sim_time_lock ();
      account_chunk (&dst, &src, done, n, device, &crossed);
      sim_time_unlock ();
      struct sim_plain_part to = sim_plain_open_part (dst_address + done, n);
      struct sim_plain_part from = sim_plain_open_part (src_address + done, n);
      memmove (pointer_of (&dst, done), pointer_of (&src, done), n);
      sim_plain_close_part (from);
      sim_plain_close_part (to);
      done += n;
    }
  copying.size = 0;
  moved = sim_mem_time ();
  account_latency (&crossed);
  return CUDA_SUCCESS;
}

double
sim_mem_copied (void)
{
  return moved;
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
			to_boundary (&dst, done, sim_machine.uvm->block_bytes));
      sim_time_lock ();
      if (is_kind (&dst, SIM_MEM_MANAGED))
	write_piece (&dst, done, n, SIM_NOWHERE);
      unsigned to = place_of (&dst, done);
      if (to != SIM_CPU)
	uvm_clock_local (sim_machine.uvm, to - 1, n);
      sim_time_unlock ();
      struct sim_plain_part part = sim_plain_open_part (address + done, n);
      fill (pointer_of (&dst, done), value, width, n);
      sim_plain_close_part (part);
      done += n;
    }
  return CUDA_SUCCESS;
}
