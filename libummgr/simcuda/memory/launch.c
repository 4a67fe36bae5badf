/* A launch begins and ends: views, sides, and what the kernel used.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the state of the launch in force.  Launches are serialised by the
   driver half.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <Judy.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENT_WORDS 512	/* 4 KiB.  */

static uintptr_t reachable[ARGUMENT_WORDS]; /* Bases of allocations.  */
static int reachable_count;
/* Judy1: where parts of plain allocations begin.  libgomp puts all that one
   construct maps into one allocation; what a launch has a pointer to is where one
   of these objects begins.  */
static Pvoid_t parts;
static uintptr_t reachable_parts[ARGUMENT_WORDS];
static int reachable_part_count;
static _Thread_local uint64_t thread_state;
static _Thread_local bool thread_opened;

static uint32_t
allowed (int device)
{
  return sim_machine.uvm->device[device].peers | UINT32_C (1) << device;
}

void
sim_launch_open (bool open)
{
  int device = sim_machine.launch_device;
  if (open == thread_opened || (open && device < 0))
    return;
  thread_opened = open;
  if (open)
    thread_state = sim_plain_open (allowed (device));
  else
    sim_plain_close (thread_state);
}

/* Copy the argument block's words to OUT; returns their number.  */
static size_t
read_arguments (const void *arguments, size_t size, uintptr_t *out)
{
  if (!arguments)
    return 0;
  uintptr_t address = (uintptr_t) arguments;
  sim_lock ();
  struct sim_range *r = sim_range_find (address);
  size_t most = r ? r->alloc.base + r->alloc.size - address : size;
  sim_unlock ();
  if (most > ARGUMENT_WORDS * sizeof *out)
    most = ARGUMENT_WORDS * sizeof *out;
  most -= most % sizeof *out;
  memcpy (out, sim_managed_address (address) ? sim_managed_alias (address)
					     : arguments, most);
  return most / sizeof *out;
}

static void
note_part (uintptr_t word)
{
  for (int i = 0; i < reachable_part_count; i++)
    if (reachable_parts[i] == word)
      return;
  reachable_parts[reachable_part_count++] = word;
  Judy1Set (&parts, word, PJE0);
}

void
sim_launch_forget (uintptr_t base, uint64_t size)
{
  Word_t part = base;
  while (Judy1First (parts, &part, PJE0) == 1 && part < base + size)
    Judy1Unset (&parts, part, PJE0);
}

/* The kernel can reach what is at WORD, if anything is.  */
static void
reach (uintptr_t word)
{
  struct sim_range *r = sim_range_find (word);
  if (r && r->alloc.kind == SIM_MEM_PLAIN)
    note_part (word);
  if (r && r->seen_launch != sim_machine.launches)
    {
      r->seen_launch = sim_machine.launches;
      reachable[reachable_count++] = r->alloc.base;
    }
}

/* Which allocations the kernel can reach, and which parts: those that words of
   its argument block point into, one level deep.  */
static void
note_reachable (const uintptr_t *words, size_t count)
{
  reachable_count = reachable_part_count = 0;
  for (size_t i = 0; i < count; i++)
    reach (words[i]);
}

/* The launch in force notes what it touches of what is larger than a block: of managed memory what gets entries in its
   view, of plain memory what watch.c says.  */
static bool noted;

static bool
is_large (uint64_t size)
{
  return size > sim_machine.uvm->block_bytes;
}

/* DEVICE's view, which is in force, gets entries of R as the launch uses that.  */
static void
forget_entries (const struct sim_range *r, int device)
{
  for (uint32_t i = 0; i < sim_range_blocks (r); i++)
    {
      struct sim_block *b = sim_range_block (r, i);
      const struct uvm_mask all = b->in[1 + device].mapped;
      sim_view_zap (b, &all, 1 + device);
    }
}

/* Bytes of R that DEVICE has and that the launch has touched: all of a block, once it touches any.  */
static uint64_t
managed_touched (const struct sim_range *r, int device)
{
  uint64_t pages = 0;
  for (uint32_t i = 0; i < sim_range_blocks (r); i++)
    {
      const struct sim_block *b = sim_range_block (r, i);
      if (!noted || !is_large (r->alloc.size) || !uvm_mask_empty (&b->in[1 + device].mapped))
	pages += uvm_mask_count (&b->of->by[1 + device].resident);
    }
  uint64_t bytes = pages * SIM_PAGE;
  return bytes < r->alloc.size ? bytes : r->alloc.size;
}

/* The end of the part of R that begins at PART: where the next one begins that any launch had a pointer to.  */
static uintptr_t
part_end (const struct sim_range *r, uintptr_t part)
{
  Word_t next = part;
  const uintptr_t end = r->alloc.base + r->alloc.size;
  return Judy1Next (parts, &next, PJE0) == 1 && next < end ? next : end;
}

/* Bytes of R's parts that the kernel can reach and has touched, as far as that is known.  */
static uint64_t
plain_touched (const struct sim_range *r)
{
  uint64_t bytes = 0;
  for (int i = 0; i < reachable_part_count; i++)
    if (reachable_parts[i] - r->alloc.base < r->alloc.size)
      {
	uintptr_t lo = reachable_parts[i], hi = part_end (r, lo);
	bytes += noted && is_large (hi - lo) ? sim_watch_touched (lo, hi) : hi - lo;
      }
  return bytes;
}

/* Note what the launch in force on DEVICE, which has begun, touches of the things it can reach, from number ALLOCATION
   and PART on.  */
static void
note_touches (int device, int allocation, int part)
{
  for (int i = allocation; noted && i < reachable_count; i++)
    {
      const struct sim_range *r = sim_range_find (reachable[i]);
      if (r->alloc.kind == SIM_MEM_MANAGED && is_large (r->alloc.size))
	forget_entries (r, device);
    }
  for (int i = part; noted && i < reachable_part_count; i++)
    {
      uintptr_t lo = reachable_parts[i], hi = part_end (sim_range_find (lo), lo);
      if (is_large (hi - lo))
	sim_watch (lo, hi);
    }
}

void
sim_mem_launch_reaches (uintptr_t address)
{
  if (!sim_machine.up)
    return;
  sim_time_lock ();
  int allocations = reachable_count, known_parts = reachable_part_count;
  if (allocations < ARGUMENT_WORDS && known_parts < ARGUMENT_WORDS)
    reach (address);
  if (sim_machine.launch_device >= 0)
    note_touches (sim_machine.launch_device, allocations, known_parts);
  sim_time_unlock ();
}

void
sim_mem_launch_stacks (uintptr_t address)
{
  if (!sim_machine.up)
    return;
  sim_time_lock ();
  const struct sim_range *r = sim_range_find (address);
  for (int i = 0; r && i < reachable_count; i++)
    if (reachable[i] == r->alloc.base)
      {
	reachable[i] = reachable[--reachable_count];
	break;
      }
  sim_time_unlock ();
}

/* Touch fidelity.  An ESTIMATE, not a count: a kernel is taken to use once each
   object it can reach, or, of larger ones on the device, each block of which it touches anything:
   what is on the device counts as local, pinned host memory, of which nobody knows what is touched, as remote.
   (Remote accesses to managed memory trap and are counted as they happen.)  A launch that reports its accesses
   (access.c) needs no estimate.  */
static void
estimate_traffic (int device)
{
  for (int i = 0; i < reachable_count; i++)
    {
      struct sim_range *r = sim_range_find (reachable[i]);
      if (!r)
	continue;		/* Freed meanwhile.  */
      switch (r->alloc.kind)
	{
	case SIM_MEM_PLAIN:
	  sim_access_count (r, device, 1 + r->alloc.device, plain_touched (r), false);
	  break;
	case SIM_MEM_MANAGED:
	  sim_access_count (r, device, 1 + device, managed_touched (r, device), false);
	  break;
	default:
	  sim_access_count (r, device, SIM_CPU, r->alloc.size, false);
	}
      r->counters->launches++;
    }
}

/* How faults of the coming launch get handled, with RUNNING host threads.  */
static enum sim_trap_mode
choose_mode (int running)
{
  if (!sim_machine.span || !sim_trap_gpu ())
    return SIM_TRAP_NONE;
  if (running <= 0 && sim_trap_signals_ours (SIGBUS))
    return SIM_TRAP_SIGNAL;
  if (sim_trap_cpu ())
    return SIM_TRAP_EVENT;
  /* A system call of one of those threads would fail.  */
  ummgr_warn_once ("simcuda: without privilege, faults are not counted in"
		   " launches beside which host threads run");
  return SIM_TRAP_NONE;
}

void
sim_mem_launch_begin (int device, const void *arguments, size_t size)
{
  if (!sim_machine.up)
    return;
  uintptr_t words[ARGUMENT_WORDS];
  struct sim_plain_part part
    = sim_plain_open_part ((uintptr_t) arguments, sizeof words);
  size_t count = read_arguments (arguments, size, words);
  sim_plain_close_part (part);
  int running = sim_machine.span ? sim_threads_running () : 0;
  sim_threads_begin ();

  /* The team's threads inherit this mask: faults must get through.  */
  sigset_t faults;
  sigemptyset (&faults);
  sigaddset (&faults, SIGBUS);
  sigaddset (&faults, SIGSEGV);
  pthread_sigmask (SIG_UNBLOCK, &faults, NULL);

  sim_time_lock ();
  sim_machine.launches++;
  note_reachable (words, count);
  sim_access_begin ();
  sim_uses_begin (device);
  uvm_launch_begin (sim_machine.uvm, device);
  /* Where nothing can trap the CPU's view serves all.  */
  bool told = sim_machine.told;
  enum sim_trap_mode mode = told ? SIM_TRAP_NONE : choose_mode (running);
  if (mode != SIM_TRAP_NONE || (told && sim_machine.span && sim_trap_gpu ()))
    sim_view_install (1 + device, mode);
  __atomic_store_n (&sim_machine.launch_device, device, __ATOMIC_RELEASE);
  sim_launch_open (true);
  noted = !told && (mode != SIM_TRAP_NONE || !sim_machine.span) && sim_trap_signals_ours (SIGSEGV);
  note_touches (device, 0, 0);
  sim_time_unlock ();
}

void
sim_mem_launch_end (int device)
{
  if (!sim_machine.up)
    return;
  sim_time_lock ();
  if (!sim_access_end (device))
    estimate_traffic (device);
  sim_watch_end ();
  sim_launch_open (false);
  sim_view_install (SIM_CPU, sim_trap_cpu () ? SIM_TRAP_EVENT : SIM_TRAP_NONE);
  __atomic_store_n (&sim_machine.launch_device, SIM_NOWHERE, __ATOMIC_RELEASE);
  sim_machine.told = false;
  uvm_launch_end (sim_machine.uvm, device);
  sim_time_unlock ();
  sim_threads_end ();
}

void
sim_launch_host_runs (void)
{
  if (__atomic_load_n (&sim_machine.launch_device, __ATOMIC_RELAXED) < 0
      || sim_mem_on_gpu ())
    return;
  sim_lock ();
  if (sim_machine.launch_device >= 0 && sim_trap_get () == SIM_TRAP_SIGNAL)
    sim_trap_set (sim_trap_cpu () ? SIM_TRAP_EVENT : SIM_TRAP_NONE);
  sim_unlock ();
}

void
sim_mem_peer (int device, int peer, bool enabled)
{
  if (!sim_machine.up)
    return;
  sim_lock ();
  uvm_peer (sim_machine.uvm, device, peer, enabled);
  sim_unlock ();
}
