/* Copies between the program's memory and a device by way of registered memory, by several threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The program's memory is pageable: the driver copies it to memory that it has registered, with one thread, and that
   to the device.  About 8 GB/s come of it, of 55, on a machine with an H100 (rapidsai/kvikio, issue 456).  So where
   several threads get more out of the link, they do that in its place: each copies every so many'th bit into one of its
   two halves of the manager's staging memory, while the link has the other.

   The program's own pages are not registered, though that would spare the copy.  Whatever else the program copies of
   them meanwhile, another thread's map clause, say, would fail: a copy must be of registered memory alone, or of none
   (CUDA's manual, as CUDA.jl's pull request 258 quotes it).  It takes longer than it spares: 1 to 2 GB/s
   (openvm-org/stark-backend, pull request 384), 6.2 GB/s in pages of 4 KiB and 15 in huge ones (ROCm/mori, pull
   request 679).  And CUDA's header has it for staging: "best used sparingly to register staging areas for data exchange
   between host and device" (13.0, cuMemHostRegister).

   An example: 64 MiB go to a device at 55 GB/s; a thread copies at 8.  The driver takes 8.4 ms; four threads take turns
   with bits of 1 MiB, each of 0.13 ms and 0.02 ms on the link: 2.1 ms.  */

#pragma once

#include "memory/manager.h"

#include <stdbool.h>
#include <stdint.h>

enum
{
  UMMGR_STAGING_THREADS = 4,	/* At most, for one copy,  */
  UMMGR_STAGING_COPIES = 4,	/* of so many at once, two each way,  */
  UMMGR_STAGING_BIT = 1 << 20	/* in so many bytes: 20 us of a link of 50 GB/s, more than the link's latency.  */
};

/* Threads that copy faster together than the driver does, to a device with such figures, or OUT of it; 0: none do.  As
   many as this machine has processors for, or UMMGR_STAGING_THREADS, a variable for tests, says; what a simulated
   machine has isn't known: enough.  */
unsigned ummgr_staging_threads (const struct ummgr_device *device, const struct ummgr_figures *f, bool out);

/* Bytes a second that come of THREADS; of none, by the driver.  */
double ummgr_staging_rate (const struct ummgr_figures *f, unsigned threads, bool out);

/* Memory for UMMGR_STAGING_COPIES copies, two halves of a bit for each thread of each, as ummgr_manager_staging has it;
   to be given back with ummgr_manager_staged.  */
uintptr_t ummgr_staging_take (struct ummgr_manager *manager);

/* Where copies go.  */
struct ummgr_staging_lane
{
  struct ummgr_device *device;
  bool out;
  unsigned lane;		/* copy_beside's (device/device.h).  */
  double rate;			/* The figure staging_rate.  */
};

/* One thread of a copy; the halves are whoever makes it's to set.  */
struct ummgr_staging_worker
{
  uintptr_t half[2];		/* Its staging memory, of a bit each,  */
  bool turn;			/* which is next,  */
  uintptr_t home;		/* and where what the other has is to go,  */
  size_t size;			/* if it isn't 0.  */
  double time;			/* Modelled: the thread's.  */
};

/* WORKER, the calling thread, copies SIZE bytes, a bit at most, between THERE, on LANE's device, and HOME; of the last
   ones `flush' says when they are there.  */
enum ummgr_status ummgr_staging_bit (const struct ummgr_staging_lane *lane, struct ummgr_staging_worker *worker,
				     uintptr_t there, uintptr_t home, size_t size);
enum ummgr_status ummgr_staging_flush (const struct ummgr_staging_lane *lane, struct ummgr_staging_worker *worker);

/* Copy SIZE bytes between THERE, plain memory of MANAGER's device, and HOME, and wait for that: so, or as the driver
   does.  With MANAGER's lock.  */
enum ummgr_status ummgr_staging_copy (struct ummgr_manager *manager, uintptr_t there, uintptr_t home, size_t size,
				      bool out);

/* Seconds in which one byte is copied so to DEVICE, or OUT.  */
double ummgr_staging_seconds (struct ummgr_device *device, bool out);

/* Copy SIZE bytes within the host's memory, in place of a copy to DEVICE, or OUT, with as many threads.  */
void ummgr_staging_move (struct ummgr_device *device, void *to, const void *from, size_t size, bool out);
