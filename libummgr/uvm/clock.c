/* Modelled time: a clock for each device, in seconds since start.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the clocks.  Nothing is fitted: every term is a count times a figure.

     launch   = launch_cost
		+ max (local / memory_rate, remote / remote_rate)
		+ ceil (gpu_faults / fault_batch) * gpu_fault_cost
		+ h2d / h2d_rate + d2h / d2h_rate + d2d / peer_rate
     copy, prefetch (per direction, when it moves anything)
	      = link_latency + bytes / h2d_rate or d2h_rate
     eviction by an allocation, a prefetch, a copy = bytes / d2h_rate
     CPU fault = cpu_fault_cost + bytes / d2h_rate

   In a launch, gpu_faults and the bytes are those counted between its begin
   and its end: faults of a running kernel are not hidden (SC'19, section
   2.3), local and remote accesses overlap.  A batch is as many faults as the
   driver takes from the fault buffer at once; here faults come one by one,
   so their number is rounded up to whole batches.  */

#include "config.h"
#include "uvm/rules.h"

void
uvm_clock_move (struct uvm *u, int device, uint64_t bytes, bool in)
{
  struct uvm_device *dev = &u->device[device];
  /* What a launch moves over its link is charged at its end, all at once.  */
  if (u->launch_device != device)
    dev->clock += bytes / (in ? dev->figures.h2d_rate : dev->figures.d2h_rate);
}

void
uvm_clock_peer (struct uvm *u, int from, int to, uint64_t bytes)
{
  u->device[to].clock += bytes / u->peer_rate[from][to];
}

void
uvm_clock_local (struct uvm *u, int device, uint64_t bytes)
{
  u->device[device].clock += bytes / u->device[device].figures.memory_rate;
}

void
uvm_clock_latency (struct uvm *u, int device, uint64_t count)
{
  u->device[device].clock += count * u->device[device].figures.link_latency;
}

void
uvm_clock_cpu_fault (struct uvm *u, int device)
{
  u->device[device].clock += u->device[device].figures.cpu_fault_cost;
}

void
uvm_clock_launch (struct uvm *u, int device)
{
  struct uvm_device *dev = &u->device[device];
  const struct ummgr_figures *f = &dev->figures;
  const struct ummgr_counters *c = &dev->counters, *before = &dev->before;
  uint64_t faults = c->gpu_faults - before->gpu_faults;
  uint64_t batches = (faults + f->fault_batch - 1) / f->fault_batch;
  double local = (c->local_bytes - before->local_bytes) / f->memory_rate;
  double remote = (c->remote_bytes - before->remote_bytes) / f->remote_rate;
  dev->clock += f->launch_cost + (local > remote ? local : remote)
		+ batches * f->gpu_fault_cost
		+ (c->h2d_bytes - before->h2d_bytes) / f->h2d_rate
		+ (c->d2h_bytes - before->d2h_bytes) / f->d2h_rate;
}
