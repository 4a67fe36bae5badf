/* What a fault on managed memory does.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  Decides as uvm_va_block.c of NVIDIA's open kernel driver
   does for a discrete GPU on a host that cannot map its memory; in
   sim_destination, in order: read-mostly memory is copied to a reader and
   collapses onto a writer; the preferred location keeps, and gets, its
   pages if the faulting processor can reach them there; a processor in
   accessed-by maps what it can reach; else the page comes to the processor.
   A CPU reaches no device's memory; a device reaches the CPU's, and that of
   enabled peers.

   Runs with the lock held, in a signal handler or in the handler thread.  */

#include "config.h"
#include "simcuda/memory/mem.h"

static bool
can_reach (unsigned p, unsigned q)
{
  return p == q || (p != SIM_CPU && (q == SIM_CPU
				     || sim_peer_link (p - 1, q - 1)));
}

unsigned
sim_destination (const struct sim_block *b, unsigned page, unsigned p,
		 bool write, bool *copy_p)
{
  const struct sim_advice *a = sim_block_advice (b, page);
  *copy_p = false;
  if (!a)
    return p;
  if (a->read_mostly)
    {
      *copy_p = !write;
      return p;
    }
  int holder = sim_block_holder (b, page, p);
  bool preferred = a->preferred != SIM_NOWHERE;
  unsigned location = preferred ? a->preferred + 1 : 0;
  if (holder >= 0 && location != p && (a->accessed_by >> p & 1)
      && can_reach (p, holder))
    return holder;
  if (preferred && can_reach (p, location))
    return location;
  return p;
}

static bool
resident_nowhere (const struct sim_block *b)
{
  for (int p = 0; p <= sim_machine.devices; p++)
    if (!sim_mask_empty (&b->by[p].resident))
      return false;
  return true;
}

struct sim_mask
sim_same_advice (const struct sim_block *b, const struct sim_mask *s,
		 unsigned page)
{
  struct sim_mask same = *s;
  if (b->advice)
    for (unsigned i = 0; i < b->pages; i++)
      if (b->advice[i] != b->advice[page])
	same.w[i / 64] &= ~(UINT64_C (1) << i % 64);
  return same;
}

/* What comes to processor TO along with PAGE.  The first touch of a block
   whose preferred location is TO populates all of it.  */
static struct sim_mask
region (const struct sim_block *b, unsigned page, unsigned to)
{
  const struct sim_advice *a = sim_block_advice (b, page);
  int d = to == SIM_CPU ? 0 : to - 1;
  struct sim_mask s
    = a && a->preferred + 1 == (int) to && resident_nowhere (b)
	? sim_mask_range (0, b->pages)
	: sim_tree_region (&b->by[to].resident, page, b->pages,
			   sim_machine.granule_pages,
			   sim_profile.device[d].prefetch_threshold);
  return sim_same_advice (b, &s, page);
}

static struct sim_mask
granule (const struct sim_block *b, unsigned page)
{
  unsigned g = sim_machine.granule_pages;
  unsigned lo = page & -g;
  struct sim_mask s
    = sim_mask_range (lo, lo + g < b->pages ? lo + g : b->pages);
  return sim_same_advice (b, &s, page);
}

/* Those of S that another processor than P holds too.  */
static struct sim_mask
copies (const struct sim_block *b, const struct sim_mask *s, unsigned p)
{
  struct sim_mask c = { { 0 } };
  for (int q = 0; b->advice && q <= sim_machine.devices; q++)
    if (q != (int) p)
      sim_mask_add (&c, &b->by[q].resident);
  return sim_mask_and (&c, s);
}

/* Enter the pages of S that P holds in the view in force.  */
static void
map_held (struct sim_block *b, const struct sim_mask *s, unsigned p)
{
  struct sim_mask held = sim_mask_and (s, &b->by[p].resident);
  struct sim_mask shared = copies (b, &held, p);
  sim_mask_remove (&held, &shared);
  sim_view_map (b, &held, false);
  if (!sim_mask_empty (&shared))
    sim_view_map (b, &shared, true);
}

/* P, which holds PAGE, writes to it while others have copies: theirs go.  */
static void
write_shared (struct sim_block *b, unsigned page, unsigned p)
{
  struct sim_mask s = granule (b, page);
  s = sim_mask_and (&s, &b->by[p].resident);
  sim_collapse (b, &s, p);
  struct sim_mask unprotect = sim_mask_and (&s, &b->protected);
  sim_view_zap (b, &unprotect, sim_view_now ());
  sim_view_map (b, &s, false);
}

static void
count_gpu_fault (struct sim_block *b, int device)
{
  sim_machine.device[device].counters.gpu_faults++;
  b->range->counters.gpu_faults++;
}

static void
count_cpu_fault (struct sim_block *b, int device)
{
  sim_machine.device[device].counters.cpu_faults++;
  b->range->counters.cpu_faults++;
  sim_model_cpu_fault (device);
}

/* DEVICE uses what processor HOLDER has of PAGE's granule over the link:
   once a launch for each granule.  What is used of it is not seen here: all of
   it, unless the launch reports its accesses.  */
static void
access_remote (struct sim_block *b, unsigned page, int device, int holder)
{
  struct sim_holding *h = &b->by[1 + device];
  struct sim_mask s = granule (b, page);
  s = sim_mask_and (&s, &b->by[holder].resident);
  s = sim_mask_andnot (&s, &h->mapped);
  if (!sim_access_reported ())
    {
      uint64_t bytes = sim_mask_count (&s) * SIM_PAGE;
      struct ummgr_counters *c = &sim_machine.device[device].counters;
      __atomic_fetch_add (&c->remote_bytes, bytes, __ATOMIC_RELAXED);
      __atomic_fetch_add (&b->range->counters.remote_bytes, bytes,
			  __ATOMIC_RELAXED);
    }
  sim_mask_add (&h->remote, &s);
  b->remotely_used = true;
  sim_view_map (b, &s, false);
  sim_view_transient (b);
}

/* DEVICE has no copy of PAGE.  */
static void
gpu_miss (struct sim_block *b, unsigned page, int device, bool write)
{
  unsigned me = 1 + device;
  bool copy;
  unsigned to = sim_destination (b, page, me, write, &copy);
  const struct sim_advice *a = sim_block_advice (b, page);
  int holder = sim_block_holder (b, page, me);
  /* A remote mapping that the driver made earlier, or at once for
     accessed-by, does not fault.  */
  bool mapped = (sim_mask_test (&b->by[me].remote, page)
		 || (a && holder >= 0 && (a->accessed_by >> me & 1)));
  if (to == me || holder != (int) to || !mapped)
    count_gpu_fault (b, device);

  if (to == me)
    {
      struct sim_mask s = region (b, page, me);
      if (sim_migrate (b, &s, me, copy))
	{
	  map_held (b, &s, me);
	  return;
	}
      to = SIM_CPU;		/* Full of plain memory: use it remotely.  */
    }
  if (holder != (int) to)
    {
      struct sim_mask s = region (b, page, to);
      if (!sim_migrate (b, &s, to, false))
	{
	  to = SIM_CPU;
	  sim_migrate (b, &s, to, false);
	}
    }
  access_remote (b, page, device, to);
}

static void
gpu_fault (struct sim_block *b, unsigned page, int device, bool write)
{
  unsigned me = 1 + device;
  struct sim_mask one = sim_mask_range (page, page + 1);
  if (!sim_mask_test (&b->by[me].resident, page))
    {
      if (!sim_mask_test (&b->by[me].mapped, page))
	gpu_miss (b, page, device, write);
      return;
    }
  if (write && b->advice)
    {
      struct sim_mask shared = copies (b, &one, me);
      if (!sim_mask_empty (&shared))
	{
	  count_gpu_fault (b, device);
	  write_shared (b, page, me);
	  return;
	}
    }
  struct sim_mask all = sim_mask_range (0, b->pages);
  map_held (b, &all, me);
}

/* The pages of B whose accesses the launch in force has reported.  */
static struct sim_mask *
reported_pages (struct sim_block *b)
{
  if (b->reported_in != sim_machine.launches)
    {
      b->reported = b->reported_writes = (struct sim_mask) { { 0 } };
      b->reported_in = sim_machine.launches;
    }
  return &b->reported;
}

bool
sim_fault_access (struct sim_block *b, unsigned page, int device, bool write)
{
  unsigned me = 1 + device;
  struct sim_holding *h = &b->by[me];
  struct sim_mask *reported = reported_pages (b);
  struct sim_mask one = sim_mask_range (page, page + 1);
  if (sim_mask_test (&h->resident, page))
    {
      /* Mapped already or not: as a trap, but for the count.  */
      if (write || !sim_mask_test (&h->mapped, page))
	gpu_fault (b, page, device, write);
    }
  else if (!sim_mask_test (&h->remote, page)
	   || !sim_mask_test (reported, page))
    {
      gpu_miss (b, page, device, write);
      /* The first trap in a granule serves all that it maps remotely.  */
      struct sim_mask s = granule (b, page);
      s = sim_mask_and (&s, &h->remote);
      sim_mask_add (reported, &s);
    }
  sim_mask_set (reported, page);
  if (write)
    sim_mask_set (&b->reported_writes, page);
  struct sim_mask shared = copies (b, &one, me);
  return !sim_mask_test (&h->resident, page) || sim_mask_empty (&shared);
}

/* The trap of an access that was reported before the page went elsewhere or was
   copied (a report comes before its accesses, sometimes long before).  It was
   accounted for in its order then; so the page is entered, for the rest of the
   launch, and nothing else happens.  False if it is not such a trap.  */
static bool
late_trap (struct sim_block *b, unsigned page, int device, bool write)
{
  const struct sim_mask *resident = &b->by[1 + device].resident;
  if (b->reported_in != sim_machine.launches
      || !sim_mask_test (&b->reported, page))
    return false;
  if (!sim_mask_test (resident, page))
    {
      struct sim_mask s = sim_mask_andnot (&b->reported, resident);
      sim_view_map (b, &s, false);
    }
  else if (write && sim_mask_test (&b->protected, page)
	   && sim_mask_test (&b->reported_writes, page))
    {
      /* Still to be protected when the view comes again.  */
      struct sim_mask one = sim_mask_range (page, page + 1);
      sim_view_zap (b, &one, 1 + device);
      sim_view_map (b, &one, false);
      sim_mask_set (&b->protected, page);
    }
  else
    return false;
  sim_view_transient (b);
  return true;
}

/* The CPU has no copy of PAGE.  First touches are not counted: cpu_faults
   are those that a device's holding the page causes.  */
static void
cpu_miss (struct sim_block *b, unsigned page, bool write)
{
  bool copy;
  int holder = sim_block_holder (b, page, SIM_CPU);
  unsigned to = sim_destination (b, page, SIM_CPU, write, &copy);
  if (holder > 0)
    count_cpu_fault (b, holder - 1);
  struct sim_mask s = region (b, page, to);
  sim_migrate (b, &s, to, copy);
  if (sim_view_now () == SIM_CPU)
    map_held (b, &s, SIM_CPU);
}

/* Host code touched PAGE; LAUNCHED: while a device's view is in force.  Then
   the page alone is entered in that view, for the rest of the launch: the
   GPU's side sees it without a fault too.  */
static void
cpu_fault (struct sim_block *b, unsigned page, bool write, bool launched)
{
  struct sim_mask one = sim_mask_range (page, page + 1);
  if (!sim_mask_test (&b->by[SIM_CPU].resident, page))
    cpu_miss (b, page, write);
  else if (write && b->advice)
    {
      struct sim_mask shared = copies (b, &one, SIM_CPU);
      if (!sim_mask_empty (&shared))
	{
	  for (int p = 1; p <= sim_machine.devices; p++)
	    if (sim_mask_test (&b->by[p].resident, page))
	      {
		count_cpu_fault (b, p - 1);
		break;
	      }
	  write_shared (b, page, SIM_CPU);
	}
    }
  if (launched)
    {
      struct sim_mask shared = copies (b, &one, SIM_CPU);
      sim_view_map (b, &one, !sim_mask_empty (&shared));
      sim_view_transient (b);
    }
  else if (!sim_mask_test (&b->by[SIM_CPU].mapped, page))
    {
      struct sim_mask all = sim_mask_range (0, b->pages);
      map_held (b, &all, SIM_CPU);
    }
}

enum sim_fault_result
sim_fault (uintptr_t address, bool write, bool gpu, int tid)
{
  if (!sim_managed_address (address) || !sim_machine.up)
    return SIM_FAULT_ALIEN;
  enum sim_fault_result result = SIM_FAULT_FREED;
  sim_lock ();
  struct sim_block *b = sim_block_at (address);
  size_t within = (address - sim_machine.arena) & (sim_machine.block_bytes - 1);
  if (b && within / SIM_PAGE < b->pages)
    {
      unsigned page = within / SIM_PAGE;
      bool launched = sim_view_now () != SIM_CPU;
      bool known = sim_mask_test (&b->by[sim_view_now ()].mapped, page);
      bool protect = sim_mask_test (&b->protected, page);
      int device = (int) sim_view_now () - 1;
      bool late = launched && gpu && late_trap (b, page, device, write);
      if (launched && gpu && !late)
	{
	  sim_retry_begin (tid, address);
	  gpu_fault (b, page, device, write);
	  sim_retry_end ();
	}
      else if (!late)
	cpu_fault (b, page, write, launched);
      /* The last other copy went since the page was entered read-only.  */
      if (!late && write && sim_mask_test (&b->protected, page))
	{
	  struct sim_mask one = sim_mask_range (page, page + 1);
	  sim_view_zap (b, &one, sim_view_now ());
	  sim_view_map (b, &one, false);
	}
      /* Entered already: by another thread just now, or the kernel took the
	 entry away (swapping).  Entering it again does no harm.  */
      if (known && !(protect && write))
	sim_trap_map (address & -SIM_PAGE, SIM_PAGE);
      result = SIM_FAULT_DONE;
    }
  sim_unlock ();
  return result;
}
