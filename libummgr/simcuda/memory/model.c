/* Modelled time: a clock for each device, in seconds since start.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the clocks.  Nothing is fitted: every term is a count times a figure
   of the profile.

     launch   = launch_cost
		+ max (local / memory_rate, remote / remote_rate)
		+ ceil (gpu_faults / fault_batch) * gpu_fault_cost
		+ h2d / h2d_rate + d2h / d2h_rate + d2d / peer_rate
     copy, prefetch (per direction, when it moves anything)
	      = link_latency + bytes / h2d_rate or d2h_rate
     eviction by an allocation, a prefetch, a copy = bytes / d2h_rate
     CPU fault = cpu_fault_cost + bytes / d2h_rate

   local and remote are what launches report and the cache lets through
   (access.c), or else an estimate (simcuda/memory/launch.c).

   In a launch, gpu_faults and the bytes are those counted between its begin
   and its end: faults of a running kernel are not hidden (SC'19, section
   2.3), local and remote accesses overlap.  A batch is as many faults as the
   driver takes from the fault buffer at once; here faults come one by one,
   so their number is rounded up to whole batches.  */

#include "config.h"
#include "simcuda/memory/mem.h"

static double *
clock_of (int device)
{
  return &sim_machine.device[device].clock;
}

static const struct sim_profile_device *
figures (int device)
{
  return &sim_profile.device[device];
}

/* What a launch moves over its link is charged at its end, all at once.  */
static bool
launching (int device)
{
  return sim_machine.launch_device == device;
}

void
sim_model_move (int device, uint64_t bytes, bool in)
{
  if (!launching (device))
    *clock_of (device) += bytes / (in ? figures (device)->h2d_rate
				      : figures (device)->d2h_rate);
}

void
sim_model_peer (int from, int to, uint64_t bytes)
{
  *clock_of (to) += bytes / sim_profile.peer_rate[from][to];
}

void
sim_model_local (int device, uint64_t bytes)
{
  *clock_of (device) += bytes / figures (device)->memory_rate;
}

void
sim_model_latency (int device)
{
  *clock_of (device) += figures (device)->link_latency;
}

void
sim_model_cpu_fault (int device)
{
  *clock_of (device) += figures (device)->cpu_fault_cost;
}

void
sim_model_launch (int device, const struct ummgr_counters *before)
{
  const struct sim_profile_device *f = figures (device);
  const struct ummgr_counters *c = &sim_machine.device[device].counters;
  uint64_t faults = c->gpu_faults - before->gpu_faults;
  uint64_t batches = (faults + f->fault_batch - 1) / f->fault_batch;
  double local = (c->local_bytes - before->local_bytes) / f->memory_rate;
  double remote = (c->remote_bytes - before->remote_bytes) / f->remote_rate;
  *clock_of (device) += f->launch_cost + (local > remote ? local : remote)
			+ batches * f->gpu_fault_cost
			+ (c->h2d_bytes - before->h2d_bytes) / f->h2d_rate
			+ (c->d2h_bytes - before->d2h_bytes) / f->d2h_rate;
}

double
sim_model_now (int device)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return 0;
  sim_lock ();
  double now = *clock_of (device);
  sim_unlock ();
  return now;
}
