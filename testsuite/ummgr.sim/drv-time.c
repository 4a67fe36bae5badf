/* Work of two devices that is added up, or side by side when it waits for one another; a
   thread that goes on before what it waited for is over, or that waits for what it
   didn't ask.  All times are worked out by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_GPUS=2" } */

#include "driver-test.h"
#include "device/sim-api.h"

#include <math.h>
#include <pthread.h>

enum { N = 1 << 20 };

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

static const struct ummgr_device_ops *ops;
static struct ummgr_figures f;
static CUcontext context[2];
static CUdeviceptr plain[2];
static CUfunction kernel[2];
static void *pinned;
static double in, out;		/* Of N bytes.  */
static double lost;		/* The part more that a copy takes beside copies the other way.  */

/* The calling thread's time is WANTED, and the latest of all LATEST.  */
#define AT(WANTED, LATEST)                                                    \
  do                                                                          \
    {                                                                         \
      near (__LINE__, ops->time (), WANTED);                                  \
      near (__LINE__, ops->elapsed (), LATEST);                               \
    }                                                                         \
  while (0)

static void
near (int line, double got, double wanted)
{
  if (fabs (got - wanted) > 1e-12)
    {
      fprintf (stderr, "line %d: modelled %.15g, expected %.15g\n", line, got, wanted);
      abort ();
    }
}

static void
on (int device)
{
  OK (cuCtxSetCurrent (context[device]));
}

static void
begin (void)
{
  OK (cuInit (0));
  ops = &ummgr_sim_api ()->ops;
  struct ummgr_device device = { ops, 0 };
  CHECK (ops->figures (&device, &f));
  in = f.link_latency + N / f.h2d_rate;
  /* Of each second beside a copy the other way: both get as much less as the rates are more than both_rate.  */
  lost = (f.h2d_rate + f.d2h_rate) / f.both_rate - 1;
  out = f.link_latency + N / f.d2h_rate;
  for (int i = 0; i < 2; i++)
    {
      context[i] = start (i);
      OK (cuMemAlloc_v2 (&plain[i], N));
      OK (cuModuleGetFunction (&kernel[i], load (ptx, sizeof ptx), "nothing"));
    }
  OK (cuMemHostAlloc (&pinned, N, 0));
  AT (0, 0);
}

/* Synchronous copies.  */
static void
copies (void)
{
  on (0);
  OK (cuMemcpyHtoD_v2 (plain[0], pinned, N));
  AT (in, in);
  /* One thread has them one after another, on whichever devices.  */
  on (1);
  OK (cuMemcpyHtoD_v2 (plain[1], pinned, N));
  AT (2 * in, 2 * in);
  /* Device 1 is busy until 2 IN, device 0 until IN.  */
  ops->set_time (in);
  OK (cuMemcpyDtoH_v2 (pinned, plain[1], N));
  AT (2 * in + out, 2 * in + out);
  ops->set_time (in);
  on (0);
  OK (cuMemcpyDtoH_v2 (pinned, plain[0], N));
  AT (in + out, 2 * in + out);
  /* A late thread finds a device idle.  */
  ops->set_time (1);
  OK (cuMemsetD8_v2 (plain[0], 0, N));
  AT (1 + N / f.memory_rate, 1 + N / f.memory_rate);
}

/* What isn't waited for is for others to wait for: a launch of one device and a copy of the
   other's.  */
static void
asynchronous (void)
{
  ops->set_time (10);
  on (0);
  OK (launch (kernel[0], 1, NULL, NULL));
  near (__LINE__, ops->time (), 10);
  on (1);
  OK (cuMemcpyHtoDAsync_v2 (plain[1], pinned, N, NULL));
  near (__LINE__, ops->time (), 10);
  OK (cuCtxSynchronize ());
  near (__LINE__, ops->time (), 10 + in);
  on (0);
  OK (cuStreamSynchronize (NULL));
  AT (10 + in, 10 + in);

  ops->set_time (10);
  OK (cuCtxSynchronize ());
  AT (10 + f.launch_cost, 10 + in);
}

/* Streams of one device are one after another, and each is as late as its own; an event
   that another device waits for takes its time there.  */
static void
events (void)
{
  CUstream a, b, c;
  CUevent event, early;
  on (0);
  OK (cuStreamCreate (&a, CU_STREAM_NON_BLOCKING));
  OK (cuStreamCreate (&b, CU_STREAM_NON_BLOCKING));
  OK (cuEventCreate (&early, 0));
  OK (cuEventCreate (&event, 0));
  ops->set_time (20);
  OK (cuEventRecord (early, a));
  OK (cuMemcpyHtoDAsync_v2 (plain[0], pinned, N, a));
  OK (cuEventRecord (event, a));
  OK (cuMemcpyHtoDAsync_v2 (plain[0], pinned, N, b));
  OK (cuStreamQuery (a));
  near (__LINE__, ops->time (), 20 + in);
  ops->set_time (20);
  OK (cuEventQuery (event));
  near (__LINE__, ops->time (), 20 + in);
  ops->set_time (20);
  OK (cuEventSynchronize (event));
  near (__LINE__, ops->time (), 20 + in);
  float milliseconds;
  OK (cuEventElapsedTime (&milliseconds, early, event));
  CHECK (fabs (milliseconds - in * 1e3) < 1e-6);
  OK (cuStreamSynchronize (b));
  /* The engine has the one's bytes behind the other's, not its latency.  */
  near (__LINE__, ops->time (), 20 + in + N / f.h2d_rate);
  /* Nor of those that wait in one stream; what comes behind the last has it before.  */
  ops->set_time (22);
  for (int i = 0; i < 3; i++)
    OK (cuMemcpyHtoDAsync_v2 (plain[0], pinned, N, a));
  OK (cuEventRecord (early, a));
  near (__LINE__, ops->time (), 22);
  OK (cuEventSynchronize (early));
  near (__LINE__, ops->time (), 22 + in + 2 * N / f.h2d_rate);
  ops->set_time (24);
  OK (cuMemcpyHtoDAsync_v2 (plain[0], pinned, N, NULL));
  OK (cuMemcpyHtoDAsync_v2 (plain[0], pinned, N, NULL));
  OK (cuStreamSynchronize (NULL));
  near (__LINE__, ops->time (), 24 + in + N / f.h2d_rate);

  ops->set_time (20);
  on (1);
  OK (cuStreamCreate (&c, CU_STREAM_NON_BLOCKING));
  OK (cuMemcpyHtoDAsync_v2 (plain[1], pinned, N / 2, NULL));
  OK (cuStreamWaitEvent (c, event, 0));
  OK (cuMemcpyHtoDAsync_v2 (plain[1], pinned, N, c));
  near (__LINE__, ops->time (), 20);
  OK (cuStreamSynchronize (c));
  near (__LINE__, ops->time (), 20 + 2 * in);
}

/* Copies both ways, and a launch, are side by side where no stream orders them; a small copy
   waits for no large one.  */
static void
beside (void)
{
  CUstream a, b;
  on (0);
  OK (cuStreamCreate (&a, CU_STREAM_NON_BLOCKING));
  OK (cuStreamCreate (&b, CU_STREAM_NON_BLOCKING));
  ops->set_time (25);
  OK (cuMemcpyHtoDAsync_v2 (plain[0], pinned, N / 2, a));
  OK (cuMemcpyDtoHAsync_v2 (pinned, plain[0], N, b));
  OK (launch (kernel[0], 1, NULL, NULL));
  OK (cuStreamSynchronize (NULL));
  near (__LINE__, ops->time (), 25 + f.launch_cost);
  ops->set_time (25);
  OK (cuMemcpyHtoD_v2 (plain[0], pinned, 65536));
  near (__LINE__, ops->time (), 25 + f.launch_cost + f.link_latency + (1 + lost) * 65536 / f.h2d_rate);
  ops->set_time (25);
  OK (cuStreamSynchronize (a));
  near (__LINE__, ops->time (), 25 + f.link_latency + N / 2 / f.h2d_rate);
  ops->set_time (25);
  OK (cuCtxSynchronize ());
  /* The small one came when it was told already.  */
  double both = N / 2 / f.h2d_rate;
  near (__LINE__, ops->time (), 25 + out + lost * both);
}

/* Both ends are in a copy, one after the other if it goes through the host.  */
static void
between (void)
{
  ops->set_time (30);
  on (0);
  OK (cuMemcpyPeer (plain[1], context[1], plain[0], context[0], N));
  double through = N / f.d2h_rate + N / f.h2d_rate + 2 * f.link_latency;
  AT (30 + through, 30 + through);

  OK (cuCtxEnablePeerAccess (context[1], 0));
  ops->set_time (40);
  OK (cuMemcpyPeer (plain[1], context[1], plain[0], context[0], N));
  double direct = N / 47.9e9 + 2e-6;
  AT (40 + direct, 40 + direct);
  ops->set_time (40);
  OK (cuMemcpyHtoD_v2 (plain[0], pinned, N));
  near (__LINE__, ops->time (), 40 + direct + in);

  struct ummgr_counters c[2];
  for (int i = 0; i < 2; i++)
    CHECK (ops->counters (&(struct ummgr_device) { ops, i }, &c[i]));
  CHECK_EQ (c[0].d2d_bytes, 0);
  CHECK_EQ (c[1].d2d_bytes, N);
}

/* The CPU waits for pages that a device has.  */
static void
faults (void)
{
  CUdeviceptr managed;
  on (1);
  OK (cuMemAllocManaged (&managed, f.block_bytes, CU_MEM_ATTACH_GLOBAL));
  memset ((void *) managed, 1, f.block_bytes);
  ops->set_time (50);
  OK (cuMemPrefetchAsync (managed, f.block_bytes, 1, NULL));
  near (__LINE__, ops->time (), 50);
  double there = 50 + f.block_bytes / f.h2d_rate + f.link_latency;
  near (__LINE__, ops->elapsed (), there);
  struct ummgr_counters c;
  *(volatile char *) managed = 2;
  CHECK (ops->counters (&(struct ummgr_device) { ops, 1 }, &c));
  /* Without privilege nobody sees that.  */
  if (c.cpu_faults)
    near (__LINE__, ops->time (), there + f.cpu_fault_cost + f.fault_granularity / f.d2h_rate);
  OK (cuMemFree_v2 (managed));
}

/* The driver copies to managed memory by way of the device that it was allocated for.  */
static void
home (void)
{
  CUdeviceptr managed;
  struct ummgr_counters before[2], after[2];
  on (1);
  OK (cuMemAllocManaged (&managed, N, CU_MEM_ATTACH_GLOBAL));
  for (int i = 0; i < 2; i++)
    CHECK (ops->counters (&(struct ummgr_device) { ops, i }, &before[i]));
  OK (cuMemcpyHtoD_v2 (managed, pinned, N));
  for (int i = 0; i < 2; i++)
    {
      CHECK (ops->counters (&(struct ummgr_device) { ops, i }, &after[i]));
      CHECK_EQ (after[i].h2d_bytes - before[i].h2d_bytes, i ? N : 0);
    }
  OK (cuMemFree_v2 (managed));
}

/* What a copy finds on the host, and leaves there, goes over no link, but takes the thread as long.  */
static void
within (void)
{
  CUdeviceptr managed;
  struct ummgr_counters before, after;
  on (1);
  OK (cuMemAllocManaged (&managed, N, CU_MEM_ATTACH_GLOBAL));
  OK (cuMemAdvise (managed, N, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  CHECK (ops->counters (&(struct ummgr_device) { ops, 1 }, &before));
  ops->set_time (55);
  OK (cuMemcpyHtoD_v2 (managed, pinned, N));
  /* A sum over pages.  */
  CHECK (fabs (ops->time () - 55 - N / f.h2d_rate) < 1e-11);
  OK (cuMemcpyDtoH_v2 (pinned, managed, N));
  CHECK (fabs (ops->time () - 55 - 2 * N / f.h2d_rate) < 1e-11);
  CHECK (ops->counters (&(struct ummgr_device) { ops, 1 }, &after));
  CHECK (after.h2d_bytes == before.h2d_bytes && after.d2h_bytes == before.d2h_bytes
	 && after.model_seconds == before.model_seconds);
  OK (cuMemFree_v2 (managed));
}

static void *
other (void *data)
{
  (void) data;
  near (__LINE__, ops->time (), 0);
  ops->set_time (60);
  on (1);
  OK (cuMemcpyHtoD_v2 (plain[1], pinned, N));
  near (__LINE__, ops->time (), 60 + in);
  return NULL;
}

/* A thread's time is its own.  */
static void
threads (void)
{
  pthread_t thread;
  ops->set_time (60);
  CHECK_EQ (pthread_create (&thread, NULL, other, NULL), 0);
  CHECK_EQ (pthread_join (thread, NULL), 0);
  AT (60, 60 + in);
  on (0);
  OK (cuMemcpyHtoD_v2 (plain[0], pinned, N));
  AT (60 + in, 60 + in);
}

int
main (void)
{
  begin ();
  copies ();
  asynchronous ();
  events ();
  beside ();
  between ();
  faults ();
  home ();
  within ();
  threads ();
  return 0;
}
