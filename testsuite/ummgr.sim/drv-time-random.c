/* Random work of two devices' streams, by three threads that wait for some of it, in modelled
   time: against a model that keeps what each stream, event, device and thread is done with.
   Would break if an operation began before what it has to wait for, or waited for more.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* The host's memory keeps nobody waiting.  */
/* { dg-ummgr-env "UMMGR_PROFILE=p100-nvlink1 UMMGR_GPUS=2" } */

#include "driver-test.h"
#include "device/sim-api.h"

#include <math.h>
#include <stdlib.h>

enum { DEVICES = 2, THREADS = 3, EVENTS = 4, STEPS = 4000, N = 1 << 20 };

static void
nothing (void *data)
{
  (void) data;
}

static const char ptx[]
  = ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry nothing (.param .u64 %in) { ret; }\n";
OFFLOAD_FUNCTIONS functions[] = { nothing };
static const struct test_function function_names[] = { { "nothing", { 0 } } };
static const struct test_ptx texts[] = { { ptx, sizeof ptx } };
extern const struct test_description description;
const struct test_description description = { texts, 1, NULL, 0, function_names, 1 };

/* The default stream is ordered against the one that blocks, and neither against the
   third.  */
enum { DEFAULT, BLOCKING, FREE, STREAMS };

static const struct ummgr_device_ops *ops;
static struct ummgr_figures f;
static CUcontext context[DEVICES];
static CUdeviceptr plain[DEVICES];
static CUfunction kernel[DEVICES];
static CUstream stream[DEVICES][STREAMS];
static CUevent event[DEVICES][EVENTS];
static void *pinned;
static char pageable[N];

/* The model: until when each has something to do.  */
static double thread[THREADS], device[DEVICES], done[DEVICES][STREAMS];
/* Until when what a stream has done last, if that is a copy, had its bytes moved: a copy behind it, which is asked for
   before, begins then.  */
static double moved[DEVICES][STREAMS];
static double engine[DEVICES][2];	/* Of copies out and in.  */
static double happened[DEVICES][EVENTS];

static double
later (double a, double b)
{
  return a > b ? a : b;
}

/* When what S of D has to wait for is over, of which its own is at OWN.  */
static double
before_with (int d, int s, double own)
{
  return s == FREE ? own : later (own, done[d][s == DEFAULT ? BLOCKING : DEFAULT]);
}

static double
before (int d, int s)
{
  return before_with (d, s, done[d][s]);
}

/* S of D is done with something at TIME.  */
static void
is_done (int d, int s, double time)
{
  done[d][s] = moved[d][s] = time;
}

/* Thread T does something on D that takes SECONDS, on S.  */
static void
work (int t, int d, int s, double seconds)
{
  double start = later (later (thread[t], before (d, s)), device[d]);
  device[d] = start + seconds;
  is_done (d, s, device[d]);
}

/* It copies so many BYTES of memory of the host's that is PAGEABLE, of which the driver's staging takes longer than the
   link, or of other: what is more than 64 KiB waits for the engine, not for what its
   copies have to wait for then.  While the other engine is at it, both get less of the link:
   what the other had to do is over later, though who waits for that was told when already.  */
static void
copy (int t, int d, int s, bool in, bool is_pageable, size_t bytes)
{
  double start = later (thread[t], before_with (d, s, moved[d][s])), rate = in ? f.h2d_rate : f.d2h_rate;
  if (bytes > 65536)
    start = later (start, engine[d][in]);
  double mine = bytes / rate, other = engine[d][!in] - start, end = start + mine;
  /* Small copies are staged whatever the memory is.  */
  if (is_pageable && bytes > 65536)
    end = start + bytes / (in ? f.pageable_h2d_rate : f.pageable_d2h_rate);
  if (other > 0)
    {
      /* Each gets as much less of its rate as the two rates are more than what the link carries both ways.  */
      double alone = (mine < other ? mine : other);
      double both = alone * (f.h2d_rate + f.d2h_rate) / f.both_rate;
      end += both - alone;
      engine[d][!in] = start + both + (other - alone);
    }
  if (bytes > 65536)
    engine[d][in] = end;
  moved[d][s] = end;
  done[d][s] = end + f.link_latency;
}

static void
begin (void)
{
  /* Of a machine whose link is faster than the driver stages.  */
  setenv ("UMMGR_PROFILE", "h200-pcie5", 1);
  OK (cuInit (0));
  ops = &ummgr_sim_api ()->ops;
  CHECK (ops->figures (&(struct ummgr_device) { ops, 0 }, &f));
  for (int d = 0; d < DEVICES; d++)
    {
      context[d] = start (d);
      OK (cuMemAlloc_v2 (&plain[d], N));
      OK (cuModuleGetFunction (&kernel[d], load (ptx, sizeof ptx), "nothing"));
      OK (cuStreamCreate (&stream[d][BLOCKING], 0));
      OK (cuStreamCreate (&stream[d][FREE], CU_STREAM_NON_BLOCKING));
      for (int e = 0; e < EVENTS; e++)
	OK (cuEventCreate (&event[d][e], 0));
    }
  OK (cuMemHostAlloc (&pinned, N, 0));
}

/* Launches run in another thread; which of two streams is first would be chance.  */
static void
settle (void)
{
  OK (cuCtxSynchronize ());
}

static void
submit (int t, int d, int s)
{
  size_t bytes = 1 + random () % N;
  int e = random () % EVENTS, other = random () % DEVICES;
  switch (random () % 5)
    {
    case 0:
      OK (cuMemcpyHtoDAsync_v2 (plain[d], pinned, bytes, stream[d][s]));
      copy (t, d, s, true, false, bytes);
      break;
    case 1:
      OK (cuMemcpyDtoHAsync_v2 (pinned, plain[d], bytes, stream[d][s]));
      copy (t, d, s, false, false, bytes);
      break;
    case 2:
      OK (launch (kernel[d], 1, stream[d][s], NULL));
      work (t, d, s, f.launch_cost);
      settle ();
      break;
    case 3:
      OK (cuEventRecord (event[d][e], stream[d][s]));
      /* A device that has nothing to do until then is no later for it.  */
      happened[d][e] = later (later (thread[t], before (d, s)), device[d]);
      is_done (d, s, happened[d][e]);
      break;
    default:
      OK (cuStreamWaitEvent (stream[d][s], event[other][e], 0));
      if (happened[other][e] >= 0)
	is_done (d, s, later (later (thread[t], before (d, s)), happened[other][e]));
    }
}

static void
wait (int t, int d, int s)
{
  int e = random () % EVENTS;
  bool in = random () % 2, is_pageable = random () % 2;
  switch (random () % 4)
    {
    case 0:
      OK (cuStreamSynchronize (stream[d][s]));
      thread[t] = later (thread[t], before (d, s));
      break;
    case 1:
      OK (cuCtxSynchronize ());
      thread[t] = later (later (thread[t], before (d, DEFAULT)), before (d, FREE));
      break;
    case 2:
      OK (cuEventSynchronize (event[d][e]));
      thread[t] = later (thread[t], happened[d][e]);
      break;
    default:
      OK (in ? cuMemcpyHtoD_v2 (plain[d], is_pageable ? pageable : pinned, N)
	     : cuMemcpyDtoH_v2 (is_pageable ? pageable : pinned, plain[d], N));
      thread[t] = later (thread[t], before (d, DEFAULT));
      copy (t, d, DEFAULT, in, is_pageable, N);
      thread[t] = moved[d][DEFAULT] = done[d][DEFAULT];
    }
}

int
main (void)
{
  begin ();
  for (int d = 0; d < DEVICES; d++)
    for (int e = 0; e < EVENTS; e++)
      happened[d][e] = -1;
  srandom (1);
  for (int i = 0; i < STEPS; i++)
    {
      int t = random () % THREADS, d = random () % DEVICES, s = random () % STREAMS;
      OK (cuCtxSetCurrent (context[d]));
      ops->set_time (thread[t]);
      if (random () % 4)
	{
	  submit (t, d, s);
	  /* Nobody waited but the test.  */
	  ops->set_time (thread[t]);
	}
      else
	wait (t, d, s);
      CHECK (fabs (ops->time () - thread[t]) < 1e-9);
      /* Some threads go on elsewhere in time.  */
      if (random () % 50 == 0)
	thread[t] *= 0.9;
    }
  double least = 0, most = 0;
  for (int d = 0; d < DEVICES; d++)
    least = later (least, device[d]);
  for (int t = 0; t < THREADS; t++)
    most = later (most, thread[t]);
  for (int d = 0; d < DEVICES; d++)
    for (int s = 0; s < STREAMS; s++)
      most = later (most, done[d][s]);
  CHECK (ops->elapsed () > least - 1e-9 && ops->elapsed () < later (least, most) + 1e-9);
  return 0;
}
