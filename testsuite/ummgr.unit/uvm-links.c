/* Devices that go on while they wait for each other, or for what they share; copies that
   together are faster than the host's memory or a switch, or slower for no reason; who
   goes back in time and finds what is taken free.  Two and four devices by hand, then
   random sequences against a slow model: whoever copies asks all that was ever asked for
   how much it leaves.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "uvm/uvm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GB 1e9

static void
near (int line, double got, double wanted)
{
  if (!(fabs (got - wanted) <= 1e-9 * fabs (wanted) + 1e-15))
    {
      fprintf (stderr, "line %d: modelled %.15g, expected %.15g\n", line, got, wanted);
      abort ();
    }
}
#define NEAR(GOT, WANTED) near (__LINE__, GOT, WANTED)

/* Links of 10 GB/s in and 5 out, 20 between any two.  */
static struct uvm_config
machine (int devices)
{
  struct ummgr_figures f = {
    .memory_bytes = 1 << 20, .memory_rate = 100 * GB, .h2d_rate = 10 * GB,
    .d2h_rate = 5 * GB, .remote_rate = 10 * GB, .link_latency = 0.5, .launch_cost = 0.25,
    .sm_count = 1, .max_threads_per_sm = 32, .fault_batch = 1, .fault_granularity = 4096,
    .block_bytes = 1 << 16
  };
  struct ummgr_figures all[UVM_DEVICES] = { 0 };
  for (int d = 0; d < devices; d++)
    all[d] = f;
  struct uvm_config c = uvm_configure (all, devices);
  c.paging = ummgr_paging_find ("lru");
  for (int i = 0; i < devices; i++)
    for (int j = 0; j < devices; j++)
      c.peer_rate[i][j] = i == j ? 0 : 20 * GB;
  return c;
}

/* At TIME, N gigabytes; when that is over.  */
static double
copy (struct uvm *u, double time, int device, double n, bool in)
{
  u->at = time;
  uvm_clock_move (u, device, n * GB, in);
  return u->at;
}

/* A launch that takes SECONDS, and reads N gigabytes over the link.  */
static double
launch (struct uvm *u, double time, int device, double seconds, double n)
{
  u->at = time;
  uvm_launch_begin (u, device);
  u->device[device].counters.remote_bytes += (uint64_t) (n * GB);
  uvm_launch_took (u, device, seconds);
  uvm_launch_end (u, device);
  return u->at;
}

/* Nothing is shared.  */
static void
alone (void)
{
  struct uvm_config c = machine (2);
  c.peer_latency[0][1] = 0.125;
  struct uvm *u = uvm_create (&c);
  CHECK (u);
  NEAR (copy (u, 0, 0, 10, true), 1);
  NEAR (copy (u, 0, 1, 10, true), 1);
  /* Each way by itself.  */
  NEAR (copy (u, 0, 1, 10, false), 2);
  NEAR (copy (u, 0, 1, 5, false), 3);
  NEAR (copy (u, 2, 0, 5, false), 3);
  NEAR (copy (u, 10, 0, 10, true), 11);
  NEAR (launch (u, 10, 1, 2, 0), 12.25);
  /* Between the two: when both can, and both are in it.  */
  u->at = 11.5;
  uvm_clock_peer (u, 0, 1, 20 * GB);
  NEAR (u->at, 13.25);
  NEAR (u->device[0].present, 13.25);
  uvm_clock_peer_latency (u, 0, 1);
  NEAR (u->device[0].present, 13.375);
  NEAR (u->device[1].present, 13.375);
  uvm_clock_peer_latency (u, 1, 0);	/* Of the receiver's link.  */
  NEAR (u->device[1].present, 13.875);
  /* How long they were busy knows nothing of all that.  */
  NEAR (uvm_counters (u, 0).model_seconds, 1 + 1 + 1 + 0.5);
  NEAR (uvm_counters (u, 1).model_seconds, 1 + 3 + 2.25 + 1 + 0.125);
  /* A launch whose reads of a second, from 20.25 on, have half of the link for 1.5 s, in which the copy's last three
     quarters of one pass, and then all of it; and one whose reads are over first.  */
  NEAR (copy (u, 20, 0, 10, true), 21);
  NEAR (launch (u, 20, 0, 0.5, 10), 22);
  NEAR (copy (u, 20, 0, 10, true), 23);
  NEAR (copy (u, 30, 0, 10, true), 31);
  NEAR (launch (u, 30, 0, 0.25, 2), 30.65);
  NEAR (copy (u, 30, 0, 10, true), 32.2);
  uvm_destroy (u);
}

/* Four devices, of which two and two share an uplink of 12 GB/s each way, and all the host's
   memory, of 20.  */
static void
together (void)
{
  struct uvm_config c = machine (4);
  c.host_rate = 20 * GB;
  for (int d = 0; d < 4; d++)
    c.uplink[d] = 1 + d / 2;
  c.uplink_rate[0] = c.uplink_rate[1] = 12 * GB;
  struct uvm *u = uvm_create (&c);
  CHECK (u);
  /* Device 0 has the 10 of its link until 1, and leaves 2; then there are 10 for the 8 that
     are left.  */
  NEAR (copy (u, 0, 0, 10, true), 1);
  NEAR (copy (u, 0, 1, 10, true), 1.8);
  /* The memory has 8 left until 1, then 10: 2 of 10 to go.  */
  NEAR (copy (u, 0, 2, 10, true), 1.2);
  /* The uplink has 4 until 1, but the memory nothing; then it has 2 until 1.2, but the memory
     nothing; then the link's 10, and so has the memory until 1.8.  */
  NEAR (copy (u, 0, 3, 6, true), 1.8);
  NEAR (copy (u, 0, 3, 10, true), 2.8);
  /* The other way the uplinks are free; the memory is taken until 1.8 but for nothing.  */
  NEAR (copy (u, 0, 0, 5, false), 2.8);
  NEAR (uvm_counters (u, 3).model_seconds, 1.6);
  /* A copy of what went before sees as much, and changes nothing.  At 2 two others have 15 of
     the memory.  */
  struct uvm *clone = uvm_clone (u);
  CHECK (clone);
  NEAR (copy (clone, 2, 1, 10, true), 3.4);
  NEAR (copy (u, 2, 1, 10, true), 3.4);
  uvm_destroy (clone);
  /* A launch that reads 9 in a second waits for the uplink, of which another has 10.  */
  NEAR (copy (u, 20, 0, 40, true), 24);
  NEAR (launch (u, 20, 1, 1, 9), 24 + (9 - 2 * 3.75) / 9);
  uvm_destroy (u);
}

/* --- the model --------------------------------------------------------------------- */

enum { DEVICES = 4, THREADS = 3, STEPS = 120 };

/* All that was ever asked for: DEVICE moves RATE from FROM to TO.  */
static struct asked
{
  int device;
  bool in;
  double from, to, rate;
} asked[100000];
static int count;
static struct uvm_config config;
static double present[DEVICES], copied[DEVICES][2], busy[DEVICES];

/* What all others leave at TIME to DEVICE, and until when.  */
static double
leave (int device, bool in, double time, double *until)
{
  double memory = config.host_rate > 0 ? config.host_rate : INFINITY, up = INFINITY;
  if (config.uplink[device])
    up = config.uplink_rate[config.uplink[device] - 1];
  *until = INFINITY;
  for (int i = 0; i < count; i++)
    {
      const struct asked *a = &asked[i];
      if (a->from <= time && time < a->to)
	{
	  memory -= a->rate;
	  if (config.uplink[a->device] == config.uplink[device] && a->in == in)
	    up -= a->rate;
	}
      if (a->from > time && a->from < *until)
	*until = a->from;
      if (a->to > time && a->to < *until)
	*until = a->to;
    }
  return memory < up ? memory : up;
}

static double
passes (int device, double bytes, double rate, bool in, double time)
{
  int first = count;
  struct asked own[1000];
  int pieces = 0;
  /* The rest is rounding.  */
  while (bytes > 0.01)
    {
      double until, now = leave (device, in, time, &until);
      now = now < rate ? now : rate;
      double to = now > 1 ? time + bytes / now : INFINITY;
      to = to < until ? to : until;
      if (now > 1)
	{
	  CHECK (pieces < 1000);
	  own[pieces++] = (struct asked) { device, in, time, to, now };
	  bytes -= now * (to - time);
	}
      time = to;
    }
  CHECK_EQ (first, count);
  for (int i = 0; i < pieces; i++)
    asked[count++] = own[i];
  return time;
}

static double
latest (double a, double b)
{
  return a > b ? a : b;
}

static double
chance (double least, double most)
{
  return least + (most - least) * (random () % 1000) / 1000;
}

static double
step (struct uvm *u, double time)
{
  int d = random () % DEVICES, e = (d + 1 + random () % (DEVICES - 1)) % DEVICES;
  const struct ummgr_figures *f = &config.device[d];
  uint64_t bytes = (uint64_t) (chance (0.01, 3) * GB);
  double start = latest (time, present[d]), seconds;
  bool in = random () % 2;
  switch (random () % 4)
    {
    case 0:
    case 1:
      seconds = bytes / (in ? f->h2d_rate : f->d2h_rate);
      busy[d] += seconds;
      copied[d][in] = passes (d, bytes, bytes / seconds, in, latest (time, copied[d][in]));
      NEAR (copy (u, time, d, bytes / GB, in), copied[d][in]);
      return copied[d][in];
    case 2:
      seconds = bytes / config.peer_rate[e][d];
      busy[d] += seconds;
      present[d] = present[e] = latest (start, present[e]) + seconds;
      u->at = time;
      uvm_clock_peer (u, e, d, bytes);
      NEAR (u->at, present[d]);
      return present[d];
    default:
      seconds = chance (0.05, 0.5);
      busy[d] += f->launch_cost + seconds;
      start += f->launch_cost;
      present[d] = latest (start + seconds,
			   passes (d, bytes, bytes / seconds, true, start));
      /* Its reads and copies that are under way have half of the link each, until one of them is done.  */
      if (copied[d][1] > start)
	{
	  double alone = bytes / f->h2d_rate, both = copied[d][1] - start;
	  /* Who has more is alone with the rest: the copies, or the launch.  */
	  present[d] = latest (present[d], start + (alone < both ? 2 * alone : alone + both));
	  copied[d][1] += alone;
	}
      NEAR (launch (u, time, d, seconds, bytes / GB), present[d]);
      return present[d];
    }
}

static void
sequence (unsigned seed)
{
  srandom (seed);
  config = machine (DEVICES);
  config.host_rate = random () % 3 ? chance (8, 40) * GB : 0;
  for (int d = 0; d < DEVICES; d++)
    config.uplink[d] = random () % 3;
  config.uplink_rate[0] = chance (4, 15) * GB;
  config.uplink_rate[1] = chance (4, 15) * GB;
  count = 0;
  double time[THREADS] = { 0 };
  for (int d = 0; d < DEVICES; d++)
    present[d] = copied[d][0] = copied[d][1] = busy[d] = 0;
  struct uvm *u = uvm_create (&config);
  CHECK (u);
  for (int i = 0; i < STEPS; i++)
    {
      double *mine = &time[random () % THREADS];
      double end = step (u, *mine);
      /* Some don't wait, and some go back.  */
      if (random () % 3)
	*mine = end;
      else if (random () % 4 == 0)
	*mine = chance (0.5, 1) * *mine;
      for (int d = 0; d < DEVICES; d++)
	{
	  NEAR (u->device[d].present, present[d]);
	  NEAR (uvm_counters (u, d).model_seconds, busy[d]);
	}
    }
  uvm_destroy (u);
}

int
main (void)
{
  alone ();
  together ();
  for (unsigned seed = 1; seed <= 200; seed++)
    sequence (seed);
  return 0;
}
