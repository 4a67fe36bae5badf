/* Page tables: entering pages, taking them out, exchanging whole views.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the parking places, every struct sim_entries' MAPPED, the stale
   lists and the populated pages.  Knows nothing of residency rules.

   A view that is not in force is parked: its page tables hang below another
   mapping of the same memfd.  Exchanging two views moves page tables, whole
   gigabytes at once between aligned addresses, so it costs microseconds
   however much is mapped.  mremap does that only for memory that is not
   registered with userfaultfd, so trapping is off for the moment; a host
   thread that touches managed memory just then gets the page without a fault
   being counted (its data is right: there is one copy of every page).  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static unsigned now = SIM_CPU;
static char *park[SIM_PROCESSORS];
static struct sim_block *stale[SIM_PROCESSORS];
static bool can_exchange = true;
static bool untold[SIM_PROCESSORS]; /* Has entries that no one knows of.  */

unsigned
sim_view_now (void)
{
  return now;
}

/* Where view P is mapped now; NULL: it has no page tables.  */
static char *
view_base (unsigned p)
{
  return p == now ? (char *) sim_machine.arena : park[p];
}

/* Take the entries of S out of view P.  */
static void
zap (struct sim_block *b, const struct uvm_mask *s, unsigned p)
{
  char *base = view_base (p) + sim_block_offset (b);
  UVM_MASK_RUNS (s, lo, hi)
    madvise (base + lo * SIM_PAGE, (hi - lo) * SIM_PAGE, MADV_DONTNEED);
  uvm_mask_remove (&b->in[p].mapped, s);
  if (p == now)
    uvm_mask_remove (&b->protected, s);
}

void
sim_view_zap (struct sim_block *b, const struct uvm_mask *s, unsigned p)
{
  struct uvm_mask there = uvm_mask_and (&b->in[p].mapped, s);
  if (!uvm_mask_empty (&there))
    zap (b, &there, p);
}

static void
queue (struct sim_block *b, unsigned p)
{
  struct sim_entries *h = &b->in[p];
  if (h->stale)
    return;
  h->stale = true;
  h->stale_prev = NULL;
  h->stale_next = stale[p];
  if (stale[p])
    stale[p]->in[p].stale_prev = b;
  stale[p] = b;
}

static void
unqueue (struct sim_block *b, unsigned p)
{
  struct sim_entries *h = &b->in[p];
  if (!h->stale)
    return;
  h->stale = false;
  if (h->stale_prev)
    h->stale_prev->in[p].stale_next = h->stale_next;
  else
    stale[p] = h->stale_next;
  if (h->stale_next)
    h->stale_next->in[p].stale_prev = h->stale_prev;
}

void
sim_view_lost (struct sim_block *b, const struct uvm_mask *s, unsigned p)
{
  struct uvm_mask there = uvm_mask_and (&b->in[p].mapped, s);
  if (uvm_mask_empty (&there))
    return;
  if (p == now)
    zap (b, &there, p);
  else
    queue (b, p);
}

void
sim_view_transient (struct sim_block *b)
{
  queue (b, now);
}

void
sim_view_forget (struct sim_block *b)
{
  for (int p = 0; p <= sim_machine.devices; p++)
    unqueue (b, p);
}

/* Bring view P in line: no entry but of pages P holds, none read-only (the
   kernel forgets write protection when trapping is switched off).  */
static void
flush (unsigned p)
{
  struct sim_block *b;
  while ((b = stale[p]))
    {
      unqueue (b, p);
      struct uvm_mask old = uvm_mask_andnot (&b->in[p].mapped,
					     &b->of->by[p].resident);
      if (p == now)
	uvm_mask_add (&old, &b->protected);
      sim_view_zap (b, &old, p);
    }
}

/* Enter pages of S in the view in force that have no memory yet, and give it to
   them; the result, all or not, was entered.  Not before: of what is only prefetched,
   nothing may ever be used.  */
static struct uvm_mask
fill (struct sim_block *b, const struct uvm_mask *s)
{
  uintptr_t base = sim_machine.arena + sim_block_offset (b);
  struct uvm_mask need = uvm_mask_andnot (s, &b->populated);
  struct uvm_mask filled = { { 0 } };
  UVM_MASK_RUNS (&need, lo, hi)
    if (sim_trap_fill (base + lo * SIM_PAGE, (hi - lo) * SIM_PAGE))
      {
	struct uvm_mask run = uvm_mask_range (lo, hi);
	uvm_mask_add (&filled, &run);
      }
  uvm_mask_add (&b->populated, &filled);
  return filled;
}

/* The same through the alias, which gets entries of them, too: where a copy has
   given memory to some already.  They are still to be entered.  */
static void
populate (struct sim_block *b, const struct uvm_mask *s)
{
  struct uvm_mask need = uvm_mask_andnot (s, &b->populated);
  UVM_MASK_RUNS (&need, lo, hi)
    if (!sim_managed_populate (sim_block_offset (b) + lo * SIM_PAGE,
			       (hi - lo) * SIM_PAGE))
      {
	ummgr_error ("simcuda: no host memory for managed memory at %p: %s",
		     (void *) (sim_machine.arena + sim_block_offset (b)
			       + lo * SIM_PAGE), strerror (errno));
	abort ();
      }
  uvm_mask_add (&b->populated, &need);
}

void
sim_view_map (struct sim_block *b, const struct uvm_mask *s, bool read_only)
{
  if (sim_trap_get () == SIM_TRAP_NONE)
    return;			/* The kernel maps it by itself.  */
  uintptr_t base = sim_machine.arena + sim_block_offset (b);
  struct uvm_mask need = uvm_mask_andnot (s, &b->in[now].mapped);
  struct uvm_mask filled = fill (b, &need);
  struct uvm_mask there = uvm_mask_andnot (&need, &filled);
  populate (b, &there);
  UVM_MASK_RUNS (&there, lo, hi)
    sim_trap_map (base + lo * SIM_PAGE, (hi - lo) * SIM_PAGE);
  if (read_only)
    UVM_MASK_RUNS (&need, lo, hi)
      sim_trap_protect (base + lo * SIM_PAGE, (hi - lo) * SIM_PAGE);
  uvm_mask_add (&b->in[now].mapped, &need);
  if (read_only)
    {
      uvm_mask_add (&b->protected, &need);
      queue (b, now);
    }
}

/* Without exchange: empty the arena, and let faults map it anew.  */
static void
forget_mapped (unsigned p)
{
  madvise ((void *) sim_machine.arena, sim_machine.span, MADV_DONTNEED);
  for (uintptr_t at = 0; at < sim_machine.span;
       at += sim_machine.uvm->block_bytes)
    {
      struct sim_block *b = sim_block_at (sim_machine.arena + at);
      if (b)
	memset (&b->in[p].mapped, 0, sizeof (struct uvm_mask));
    }
}

/* Move the page tables of the arena below FROM to below TO; both stay
   mapped, FROM empty.  */
static bool
move_tables (void *from, void *to)
{
  return mremap (from, sim_machine.span, sim_machine.span,
		 MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) == to;
}

static void
exchange (unsigned to)
{
  if (can_exchange && !park[now])
    park[now] = sim_managed_map ();
  if (can_exchange && park[now]
      && move_tables ((void *) sim_machine.arena, park[now]))
    {
      if (!park[to] || move_tables (park[to], (void *) sim_machine.arena))
	{
	  now = to;
	  return;
	}
      forget_mapped (to);
      now = to;
      return;
    }
  if (can_exchange)
    ummgr_info ("simcuda: page tables cannot be moved (%s):"
		" launches map managed memory anew", strerror (errno));
  can_exchange = false;
  forget_mapped (now);
  now = to;
}

void
sim_view_install (unsigned to, enum sim_trap_mode mode)
{
  if (!sim_machine.span)
    {
      now = to;
      return;
    }
  if (to != now)
    {
      flush (now);
      flush (to);
      sim_trap_set (SIM_TRAP_NONE);
      exchange (to);
    }
  if (mode == SIM_TRAP_NONE)
    untold[to] = true;
  else if (untold[to])
    {
      sim_trap_set (SIM_TRAP_NONE);
      forget_mapped (to);
      untold[to] = false;
    }
  sim_trap_set (mode);
}

void
sim_view_grow (size_t span)
{
  enum sim_trap_mode mode = sim_trap_get ();
  if (sim_machine.span)
    sim_trap_set (SIM_TRAP_NONE);
  else
    mode = sim_trap_cpu () ? SIM_TRAP_EVENT : SIM_TRAP_NONE;
  sim_machine.span = span;
  sim_trap_set (mode);
}
