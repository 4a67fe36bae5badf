/* From a trap on managed memory to the instance, and from there to the view.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  What an access does is uvm/fault.c's; here is whether an access
   gets that far, and what of its outcome the view in force shows.

   Runs with the lock held, in a signal handler or in the handler thread.  */

#include "config.h"
#include "simcuda/memory/mem.h"

/* --- what the instance says ------------------------------------------------ */

/* Enter the pages of S that P holds in the view in force.  */
static void
map_held (struct sim_block *b, const struct uvm_mask *s, unsigned p)
{
  struct uvm_mask held = uvm_mask_and (s, &b->of->by[p].resident);
  struct uvm_mask shared
    = uvm_held_elsewhere (sim_machine.uvm, b->of, &held, p);
  uvm_mask_remove (&held, &shared);
  sim_view_map (b, &held, false);
  if (!uvm_mask_empty (&shared))
    sim_view_map (b, &shared, true);
}

static void
lost (void *data, struct uvm_block *of, const struct uvm_mask *s, unsigned p)
{
  (void) data;
  sim_view_lost (of->user, s, p);
  sim_access_lost (of->user, s, p);
}

/* What views have of pages that are held twice goes, and comes back read-only.  */
static void
shared (void *data, struct uvm_block *of, const struct uvm_mask *s, unsigned p)
{
  (void) data;
  sim_access_changed ();
  sim_view_zap (of->user, s, p);
}

static void
owned (void *data, struct uvm_block *of, const struct uvm_mask *s, unsigned p)
{
  (void) data, (void) p;
  struct sim_block *b = of->user;
  struct uvm_mask unprotect = uvm_mask_and (s, &b->protected);
  sim_view_zap (b, &unprotect, sim_view_now ());
  sim_view_map (b, s, false);
}

static void
entered (void *data, struct uvm_block *of, const struct uvm_mask *s,
	 unsigned p)
{
  (void) data;
  if (p != SIM_CPU || sim_view_now () == SIM_CPU)
    map_held (of->user, s, p);
}

/* The access that is served is a write.  With the lock.  */
static bool writing;

/* Remote pages are mapped once a launch, for each granule.  What is used of them
   is not seen here: all, unless the launch reports its accesses, and as the first access
   uses it: what is read and then written counts as read.  */
static void
remote (void *data, struct uvm_block *of, struct uvm_mask *s, unsigned p)
{
  (void) data;
  struct sim_block *b = of->user;
  uvm_mask_remove (s, &b->in[p].mapped);
  if (!sim_access_reported ())
    {
      struct uvm_mask rest = *s;
      for (unsigned q = 1; q <= (unsigned) sim_machine.devices; q++)
	{
	  struct uvm_mask its = uvm_mask_and (&rest, &of->by[q].resident);
	  uvm_mask_remove (&rest, &its);
	  sim_access_count (b->range, (int) p - 1, q, uvm_mask_count (&its) * SIM_PAGE, writing);
	}
      sim_access_count (b->range, (int) p - 1, SIM_CPU, uvm_mask_count (&rest) * SIM_PAGE, writing);
    }
  sim_view_map (b, s, false);
  sim_view_transient (b);
}

const struct uvm_observer sim_observer = {
  .lost = lost, .shared = shared, .owned = owned, .entered = entered,
  .remote = remote
};

/* --- accesses -------------------------------------------------------------- */

static bool
access_by (struct sim_block *b, unsigned page, unsigned p, bool write)
{
  writing = write;
  return uvm_access (sim_machine.uvm, b->of, page, p, write);
}

/* DEVICE's thread TID, in whose view PAGE is not entered as it needs it, accesses
   it.  */
static void
gpu_fault (struct sim_block *b, unsigned page, int device, bool write, int tid)
{
  unsigned me = 1 + device;
  /* What is entered and not held is used remotely, or came in for the CPU.  */
  if (!sim_holds (b, page, me) && uvm_mask_test (&b->in[me].mapped, page))
    return;
  writing = write;
  if (uvm_access_again (sim_machine.uvm, b->of, page, me, write, tid))
    return;
  struct uvm_mask all = uvm_mask_range (0, b->of->pages);
  map_held (b, &all, me);
}

/* The pages of B whose accesses the launch in force has reported.  */
static struct uvm_mask *
reported_pages (struct sim_block *b)
{
  if (b->reported_in != sim_machine.launches)
    {
      b->reported = b->reported_writes = (struct uvm_mask) { { 0 } };
      b->reported_in = sim_machine.launches;
    }
  return &b->reported;
}

bool
sim_fault_access (struct sim_block *b, unsigned page, int device, bool write)
{
  unsigned me = 1 + device;
  const struct uvm_holding *h = &b->of->by[me];
  struct uvm_mask *reported = reported_pages (b);
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  if (uvm_mask_test (&h->resident, page))
    {
      /* Mapped already or not: as a trap, but for the count.  */
      if (write || !uvm_mask_test (&b->in[me].mapped, page))
	gpu_fault (b, page, device, write, 0);
    }
  else if (!uvm_mask_test (&h->remote, page)
	   || !uvm_mask_test (reported, page))
    {
      access_by (b, page, me, write);
      /* The first trap in a granule serves all that it maps remotely.  */
      struct uvm_mask s = uvm_granule (sim_machine.uvm, b->of, page);
      s = uvm_mask_and (&s, &h->remote);
      uvm_mask_add (reported, &s);
    }
  uvm_mask_set (reported, page);
  if (write)
    uvm_mask_set (&b->reported_writes, page);
  struct uvm_mask others
    = uvm_held_elsewhere (sim_machine.uvm, b->of, &one, me);
  return !uvm_mask_test (&h->resident, page) || uvm_mask_empty (&others);
}

/* The trap of an access that was reported before the page went elsewhere or was
   copied (a report comes before its accesses, sometimes long before).  It was
   accounted for in its order then; so the page is entered, for the rest of the
   launch, and nothing else happens.  False if it is not such a trap.  */
static bool
late_trap (struct sim_block *b, unsigned page, int device, bool write)
{
  const struct uvm_mask *resident = &b->of->by[1 + device].resident;
  if (b->reported_in != sim_machine.launches
      || !uvm_mask_test (&b->reported, page))
    return false;
  if (!uvm_mask_test (resident, page))
    {
      struct uvm_mask s = uvm_mask_andnot (&b->reported, resident);
      sim_view_map (b, &s, false);
    }
  else if (write && uvm_mask_test (&b->protected, page)
	   && uvm_mask_test (&b->reported_writes, page))
    {
      /* Still to be protected when the view comes again.  */
      struct uvm_mask one = uvm_mask_range (page, page + 1);
      sim_view_zap (b, &one, 1 + device);
      sim_view_map (b, &one, false);
      uvm_mask_set (&b->protected, page);
    }
  else
    return false;
  sim_view_transient (b);
  return true;
}

/* Host code, in thread TID, touched PAGE; LAUNCHED: while a device's view is in force.
   Then the page alone is entered in that view, for the rest of the launch: the
   GPU's side sees it without a fault too.  */
static void
cpu_fault (struct sim_block *b, unsigned page, bool write, bool launched, int tid)
{
  double *now = sim_time_of (tid);
  sim_machine.uvm->at = *now;
  access_by (b, page, SIM_CPU, write);
  *now = sim_machine.uvm->at;
  if (launched)
    {
      struct uvm_mask one = uvm_mask_range (page, page + 1);
      struct uvm_mask others
	= uvm_held_elsewhere (sim_machine.uvm, b->of, &one, SIM_CPU);
      sim_view_map (b, &one, !uvm_mask_empty (&others));
      sim_view_transient (b);
    }
  else if (!uvm_mask_test (&b->in[SIM_CPU].mapped, page))
    {
      struct uvm_mask all = uvm_mask_range (0, b->of->pages);
      map_held (b, &all, SIM_CPU);
    }
}

/* Thread TID's access at ADDRESS, to PAGE of B, has trapped.  */
static void
serve (struct sim_block *b, unsigned page, uintptr_t address, bool write,
       bool gpu, int tid)
{
  bool launched = sim_view_now () != SIM_CPU;
  bool known = uvm_mask_test (&b->in[sim_view_now ()].mapped, page);
  bool protect = uvm_mask_test (&b->protected, page);
  int device = (int) sim_view_now () - 1;
  bool late = launched && gpu && late_trap (b, page, device, write);
  if (launched && gpu && !late)
    gpu_fault (b, page, device, write, tid);
  else if (!late)
    cpu_fault (b, page, write, launched, tid);
  /* The last other copy went since the page was entered read-only.  */
  if (!late && write && uvm_mask_test (&b->protected, page))
    {
      struct uvm_mask one = uvm_mask_range (page, page + 1);
      sim_view_zap (b, &one, sim_view_now ());
      sim_view_map (b, &one, false);
    }
  /* Entered already: by another thread just now, or the kernel took the
     entry away (swapping).  Entering it again does no harm.  */
  if (known && !(protect && write))
    sim_trap_map (address & -SIM_PAGE, SIM_PAGE);
}

enum sim_fault_result
sim_fault (uintptr_t address, bool write, bool gpu, int tid)
{
  if (!sim_managed_address (address) || !sim_machine.up)
    return SIM_FAULT_ALIEN;
  enum sim_fault_result result = SIM_FAULT_FREED;
  sim_lock ();
  struct sim_block *b = sim_block_at (address);
  unsigned page = sim_page_of (address);
  if (b && page < b->of->pages)
    {
      serve (b, page, address, write, gpu, tid);
      result = SIM_FAULT_DONE;
    }
  sim_unlock ();
  return result;
}
