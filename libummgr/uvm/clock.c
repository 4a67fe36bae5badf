/* Modelled time, in seconds: how long each device was busy, and until when.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the devices' clocks, which are sums of what they did, and presents.  A device runs
   launches, and has an engine for copies in and one for copies out; each of the three
   does one thing at a time: what is asked for at some time (AT) begins then, or at its
   present if that is later, and its end is its present and AT.  So two devices, and a
   launch and copies that it needs not wait for, are side by side if they are asked at one
   time.  What a launch itself moves over its link shares that with the copies that are under
   way.  What takes part in a copy between two devices is both of them, as for a launch;
   only the receiver counts it as its own.

   What goes over a link takes longer where links share something (link.c): the device waits
   then, and is not busy.

   Every term is a count times a figure.

     launch   = launch_cost + how long it ran, where that is told (uvm_launch_took), or
		launch_cost + max (own, notifications) + batches of faults + copies beside
		them
     own      = max (local / memory_rate, over the link,
		     instructions / (SMs * issue_rate * clock))
     over the link = max (read / remote_rate, written / remote_rate, both / (ways * remote_rate)),
		where ways = both_rate / the mean of h2d_rate and d2h_rate
     batch    = gpu_fault_cost + until the driver and all copies are done
     copy, prefetch (per direction, when it moves anything)
	      = link_latency + bytes / h2d_rate or d2h_rate; of a copy from or to memory of the host's
		that is not registered, pageable_h2d_rate or pageable_d2h_rate: the driver stages it
     beside a copy the other way: as long as that takes, slower by 2 - 2 / ways; the device waits then, too.
		(The first of two is over as if it were alone, since it is over before the second is
		known; the second, if it is as long, when both were.)
     copy between devices
	      = the pair's latency + bytes / its rate
     eviction by an allocation, a prefetch, a copy = bytes / d2h_rate
     CPU fault = cpu_fault_cost + bytes / d2h_rate
     copy within the host's memory
	      = bytes / pageable_h2d_rate, of the thread's time alone: copies of pageable memory pass
		the CPU, too

   In a batch the driver takes gpu_block_cost for each block and host_page_cost for each
   page that the CPU had mapped, one block after another, and pushes its copies, which go
   on while it serves the next: those in behind those out that make room for them, both
   directions at once.  So does it for access counters, while the launch goes on: half of
   gpu_fault_cost, since nothing is flushed and replayed (an estimate), and what it does for
   each block.  Where that is what a launch waits for, the driver wakes once and finds more
   whenever it is done.

   In a launch, faults and bytes are those counted between its begin and its end.  Faults
   that come one by one, with nobody to say which of them a GPU would have had at once,
   are taken for a stream's: so many to a batch as ummgr_figures_stream says, and to each
   block an equal part of its bytes; or, where the launch is known to have gone so on such a
   device (uvm_launch_like), so many to a batch as there, and own is what it took there.  */

#include "config.h"
#include "uvm/rules.h"

/* When DEVICE can begin with what is asked for now.  */
static double
start_of (const struct uvm *u, int device)
{
  return uvm_max (u->device[device].present, u->at);
}

/* DEVICE does that, for so many SECONDS.  */
static void
spend (struct uvm *u, int device, double seconds)
{
  struct uvm_device *dev = &u->device[device];
  u->at = dev->present = start_of (u, device) + seconds;
  dev->clock += seconds;
}

/* Both devices are at it for so many SECONDS, which are TO's.  */
static void
spend_both (struct uvm *u, int from, int to, double seconds)
{
  u->at = uvm_max (u->at, u->device[from].present);
  spend (u, to, seconds);
  u->device[from].present = u->at;
}

double
uvm_end (const struct uvm *u, int device)
{
  const struct uvm_device *dev = &u->device[device];
  return uvm_max (dev->present, dev->ended);
}

void
uvm_clock_by (struct uvm *u, unsigned p)
{
  if (p != UVM_CPU)
    u->at = u->device[p - 1].present;
}

void
uvm_clock_done (struct uvm *u, unsigned p)
{
  if (p != UVM_CPU)
    u->device[p - 1].present = uvm_max (u->device[p - 1].present, u->at);
}

/* What takes ALONE seconds from START on over DEVICE's link one way, and copies the other way that are under way then,
   slow each other down for as long as both last: the seconds that each of the two loses.  The copies, whose end was
   known, are later by it, or what comes behind them is.  */
static double
slowed (struct uvm_device *dev, bool in, double alone, double start)
{
  double lost = (1 - ummgr_figures_share (&dev->figures)) * uvm_min (alone, dev->copied[!in] - start);
  if (lost <= 0)
    return 0;
  dev->copied[!in] += lost;
  dev->ended = uvm_max (dev->ended, dev->copied[!in]);
  return lost;
}

/* From START on, STAGED on its way by the driver or not.  */
static void
move (struct uvm *u, int device, uint64_t bytes, bool in, bool staged, double start)
{
  struct uvm_device *dev = &u->device[device];
  const struct ummgr_figures *f = &dev->figures;
  double link = bytes / (in ? f->h2d_rate : f->d2h_rate);
  double alone = staged ? bytes / ummgr_figures_pageable (f, in) : link;
  double seconds = alone + slowed (dev, in, link, start);
  dev->clock += alone;
  u->at = bytes ? uvm_links_pass (u, device, bytes, bytes / seconds, in, start) : start;
  dev->ended = uvm_max (dev->ended, u->at);
}

static void
move_behind (struct uvm *u, int device, uint64_t bytes, bool in, bool staged)
{
  struct uvm_device *dev = &u->device[device];
  /* What a launch moves over its link is charged with its batches, or at its end.  */
  if (u->launch_device == device)
    return;
  move (u, device, bytes, in, staged, uvm_max (dev->copied[in], u->at));
  dev->copied[in] = u->at;
}

void
uvm_clock_move (struct uvm *u, int device, uint64_t bytes, bool in)
{
  move_behind (u, device, bytes, in, false);
}

void
uvm_clock_move_staged (struct uvm *u, int device, uint64_t bytes, bool in)
{
  move_behind (u, device, bytes, in, true);
}

void
uvm_clock_move_small (struct uvm *u, int device, uint64_t bytes, bool in)
{
  move (u, device, bytes, in, false, u->at);
}

void
uvm_clock_peer (struct uvm *u, int from, int to, uint64_t bytes)
{
  spend_both (u, from, to, bytes / u->peer_rate[from][to]);
}

void
uvm_clock_local (struct uvm *u, int device, uint64_t bytes)
{
  spend (u, device, bytes / u->device[device].figures.memory_rate);
}

void
uvm_clock_latency (struct uvm *u, int device, uint64_t count)
{
  double seconds = count * u->device[device].figures.link_latency;
  u->at += seconds;
  u->device[device].clock += seconds;
  u->device[device].ended = uvm_max (u->device[device].ended, u->at);
}

void
uvm_clock_peer_latency (struct uvm *u, int from, int to)
{
  double latency = u->peer_latency[from][to];
  spend_both (u, from, to, latency > 0 ? latency : u->device[to].figures.link_latency);
}

void
uvm_clock_host (struct uvm *u, int device, uint64_t bytes)
{
  u->at += bytes / ummgr_figures_pageable (&u->device[device].figures, true);
}

void
uvm_clock_cpu_fault (struct uvm *u, int device)
{
  /* The page may be on its way in.  */
  u->at = uvm_max (u->at, u->device[device].ended);
  spend (u, device, u->device[device].figures.cpu_fault_cost);
}

/* --- batches ------------------------------------------------------------------ */

/* When, since its begin, the driver and the two directions are done with what a batch has
   had so far.  */
struct pipe
{
  double driver, in, out;
  double in_bytes, out_bytes;
};

static void
pipe_block (struct pipe *p, const struct ummgr_figures *f, double unmapped, double in,
	    double out)
{
  p->driver += f->gpu_block_cost + unmapped * f->host_page_cost;
  p->in_bytes += in;
  p->out_bytes += out;
  if (out > 0)
    p->out = uvm_max (p->out, p->driver) + out / f->d2h_rate;
  if (in > 0)
    p->in = uvm_max (uvm_max (p->in, p->driver), out > 0 ? p->out : 0) + in / f->h2d_rate;
}

static double
pipe_seconds (const struct pipe *p, const struct ummgr_figures *f)
{
  return uvm_max (uvm_max (p->driver, ummgr_figures_copying (f, p->in_bytes, p->out_bytes)),
		  uvm_max (p->in, p->out));
}

static double
blocks_seconds (const struct uvm_device *dev, const struct uvm_served *served, unsigned count)
{
  struct pipe pipe = { 0 };
  for (unsigned i = 0; i < count; i++)
    pipe_block (&pipe, &dev->figures, served[i].unmapped, served[i].in_bytes,
		served[i].out_bytes);
  return pipe_seconds (&pipe, &dev->figures);
}

struct uvm_served
uvm_clock_served (const struct uvm_device *dev)
{
  return (struct uvm_served) { dev->paging_now.unmapped, dev->counters.h2d_bytes,
			       dev->counters.d2h_bytes };
}

struct uvm_served
uvm_clock_since (const struct uvm_device *dev, const struct uvm_served *before)
{
  struct uvm_served s = uvm_clock_served (dev);
  s.unmapped -= before->unmapped;
  s.in_bytes -= before->in_bytes;
  s.out_bytes -= before->out_bytes;
  return s;
}

static void
note_copies (struct uvm_device *dev)
{
  struct uvm_paging *p = &dev->paging_now;
  p->in_bytes = dev->counters.h2d_bytes;
  p->out_bytes = dev->counters.d2h_bytes;
  p->unmapped = 0;
}

void
uvm_clock_batch (struct uvm *u, int device, const struct uvm_served *served,
		 struct uvm_batch *batch)
{
  struct uvm_device *dev = &u->device[device];
  batch->seconds
    = dev->figures.gpu_fault_cost + blocks_seconds (dev, served, batch->blocks);
  dev->paging_now.seconds += batch->seconds;
  dev->counters.fault_batches++;
  note_copies (dev);
}

void
uvm_clock_notified (struct uvm *u, int device, const struct uvm_served *served,
		    struct uvm_batch *batch)
{
  struct uvm_device *dev = &u->device[device];
  struct uvm_paging *p = &dev->paging_now;
  batch->seconds = blocks_seconds (dev, served, batch->blocks);
  p->beside += (p->beside > 0 ? 0 : dev->figures.gpu_fault_cost / 2) + batch->seconds;
  /* It is no part of the batch of faults that may be under way.  */
  for (unsigned i = 0; i < batch->blocks; i++)
    {
      p->in_bytes += served[i].in_bytes;
      p->out_bytes += served[i].out_bytes;
      p->unmapped -= served[i].unmapped;
    }
}

/* A batch of faults that came one by one is full, or the launch ends.  */
static void
close_group (struct uvm_device *dev)
{
  struct uvm_paging *p = &dev->paging_now;
  struct pipe pipe = { 0 };
  double n = p->units;
  if (!p->grouped)
    return;
  for (unsigned i = 0; i < p->units; i++)
    pipe_block (&pipe, &dev->figures, p->unmapped / n,
		(dev->counters.h2d_bytes - p->in_bytes) / n,
		(dev->counters.d2h_bytes - p->out_bytes) / n);
  p->seconds += dev->figures.gpu_fault_cost + pipe_seconds (&pipe, &dev->figures);
  dev->counters.fault_batches++;
  p->grouped = p->units = 0;
  note_copies (dev);
}

void
uvm_clock_fault (struct uvm *u, int device, uint32_t unit)
{
  struct uvm_device *dev = &u->device[device];
  struct uvm_paging *p = &dev->paging_now;
  unsigned i = 0;
  while (i < p->units && p->unit[i] != unit)
    i++;
  if (i == p->units && i < UVM_GROUP)
    p->unit[p->units++] = unit;
  if (++p->grouped >= (unsigned) ummgr_figures_stream (&dev->figures))
    close_group (dev);
}

/* --- launches ------------------------------------------------------------------- */

/* What the launch would take if nothing faulted.  */
static double
own_seconds (const struct uvm_device *dev)
{
  const struct ummgr_figures *f = &dev->figures;
  const struct ummgr_counters *c = &dev->counters, *before = &dev->before;
  uint64_t issued = 0;
  for (int i = 0; i < UMMGR_WORKS; i++)
    issued += c->instructions[i] - before->instructions[i];
  double rate = (double) ummgr_figures_sms (f) * f->issue_rate * f->clock_mhz * 1e6;
  unsigned gpus = ummgr_figures_gpus (f);
  double sent = c->sent_bytes - before->sent_bytes;
  double own = uvm_max ((c->local_bytes - before->local_bytes) / (gpus * f->memory_rate),
			ummgr_figures_remote (f, c->remote_bytes - before->remote_bytes - sent, sent) / gpus);
  return issued && rate > 0 ? uvm_max (own, issued / rate) : own;
}

void
uvm_clock_begin (struct uvm *u, int device)
{
  struct uvm_device *dev = &u->device[device];
  dev->paging_now = (struct uvm_paging) { 0 };
  dev->present = uvm_max (dev->present, u->at);
  note_copies (dev);
}

/* Faults that came one by one were taken for a stream's, but it is known how many of them
   were in a batch: there are more, or less, batches.  */
static void
regroup (struct uvm_device *dev)
{
  struct uvm_paging *p = &dev->paging_now;
  struct ummgr_counters *c = &dev->counters;
  uint64_t groups = c->fault_batches - dev->before.fault_batches;
  if (!p->like.faults || !p->like.batches)
    return;
  double batches = (double) (c->gpu_faults - dev->before.gpu_faults) * p->like.batches
		   / p->like.faults;
  p->seconds += (batches - groups) * dev->figures.gpu_fault_cost;
  c->fault_batches = dev->before.fault_batches + (uint64_t) (batches + 0.5);
}

/* What DEVICE's launch, which began then, has copied and used over its link, SECONDS of it, passed beside copies that
   were under way: of those the same way both have half of the link until one is done, and the copies are later by it.
   When it is over, at least.  */
static double
beside_copies (struct uvm_device *dev, bool in, double began, double seconds)
{
  double lost = slowed (dev, in, seconds, began), copies = dev->copied[in] - began;
  if (seconds <= 0 || (lost <= 0 && copies <= 0))
    return began;
  seconds += lost;
  if (copies > 0)
    dev->copied[in] += seconds;
  return began + seconds + uvm_max (uvm_min (seconds, copies), 0);
}

/* When DEVICE's launch is over, which began then and RAN by itself, since what it moves goes
   through what others use, too.  */
static double
shared (struct uvm *u, int device, double began, double ran)
{
  struct uvm_device *dev = &u->device[device];
  const struct ummgr_counters *c = &dev->counters, *before = &dev->before;
  const struct ummgr_figures *f = &dev->figures;
  uint64_t in = c->h2d_bytes - before->h2d_bytes, out = c->d2h_bytes - before->d2h_bytes;
  uint64_t sent = c->sent_bytes - before->sent_bytes, read = c->remote_bytes - before->remote_bytes - sent;
  double end = uvm_max (dev->present,
			beside_copies (dev, true, began, in / f->h2d_rate + read / f->remote_rate));
  end = uvm_max (end, beside_copies (dev, false, began, out / f->d2h_rate + sent / f->remote_rate));
  in += read;
  out += sent;
  if (!u->links || ran <= 0)
    return end;
  end = uvm_max (end, uvm_links_pass (u, device, in, in / ran, true, began));
  return uvm_max (end, uvm_links_pass (u, device, out, out / ran, false, began));
}

void
uvm_clock_launch (struct uvm *u, int device)
{
  struct uvm_device *dev = &u->device[device];
  const struct ummgr_figures *f = &dev->figures;
  const struct ummgr_counters *c = &dev->counters;
  struct uvm_paging *p = &dev->paging_now;
  double own = own_seconds (dev);
  close_group (dev);
  regroup (dev);
  double beside = ummgr_figures_copying (f, c->h2d_bytes - p->in_bytes, c->d2h_bytes - p->out_bytes);
  double busy = uvm_max (uvm_max (own, p->like.seconds), p->beside);
  double ran = p->took > 0 ? p->took : busy + p->seconds + beside;
  /* It was told, and nothing faulted.  */
  if (p->took > 0 && p->seconds <= 0 && p->beside <= 0)
    own = ran;
  uvm_clock_by (u, 1 + device);
  double began = u->at + f->launch_cost;
  spend (u, device, f->launch_cost + ran);
  u->at = dev->present = shared (u, device, began, ran);
  dev->counters.kernel_seconds += own < ran ? own : ran;
}
