/* Traffic counters: what the simulated driver counts, what the library
   reports per run, region and object (design section 7, "totals").
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdint.h>

/* Instructions of a GPU's, by what does them.  */
enum ummgr_work
{
  UMMGR_WORK_INTEGER,		/* And moves, comparisons, conversions.  */
  UMMGR_WORK_F32,
  UMMGR_WORK_F64,
  UMMGR_WORK_MEMORY,
  UMMGR_WORK_SPECIAL,		/* Division, roots, transcendental functions.  */
  UMMGR_WORK_CONTROL,
  UMMGR_WORKS
};

/* All bytes are payload bytes.  h2d = into device memory over the link,
   whether by copy, prefetch or migration; d2h = out of it, by copy,
   migration or eviction; remote = read or written by a kernel over the link
   without migrating, of that sent = written, far = in another device's memory;
   peer = likewise, between GPUs that are one device; local =
   kernel traffic to memory of its own device, or GPU.
   model_seconds is modelled, never measured.  */
struct ummgr_counters
{
  uint64_t h2d_bytes;
  uint64_t d2h_bytes;
  uint64_t d2d_bytes;
  uint64_t gpu_faults;
  uint64_t fault_batches;	/* In which the driver served these; of the model alone.  */
  uint64_t cpu_faults;
  uint64_t evictions;
  uint64_t refetched_bytes;	/* Of h2d: of pages that had been evicted from that device.  */
  uint64_t notifications;	/* Of access counters; and pages that these moved.  */
  uint64_t notified_pages;
  uint64_t local_bytes;
  uint64_t remote_bytes;
  uint64_t sent_bytes;		/* Of these: written.  */
  uint64_t far_bytes;
  uint64_t peer_bytes;
  uint64_t launches;
  double model_seconds;
  double kernel_seconds;	/* Of these, what launches would take if nothing faulted.  */
  uint64_t device_peak_bytes; /* A maximum, not a sum.  */
  /* Of warps, where the simulated driver runs the GPU's own code and somebody asks for
     its accesses; else 0.  */
  uint64_t instructions[UMMGR_WORKS];
};

/* The same bytes of a device's by the device whose memory they are in, or come from.  */
enum { UMMGR_BETWEEN_DEVICES = 16 };

struct ummgr_between
{
  uint64_t used[UMMGR_BETWEEN_DEVICES]; /* Local, and far: together all of both.  */
  uint64_t host;		/* Remote, and not far.  */
  uint64_t copied[UMMGR_BETWEEN_DEVICES]; /* d2d.  */
};

/* TO += A - B for the sums; the peak becomes the greater of TO's and A's.  */
static inline void
ummgr_counters_add_delta (struct ummgr_counters *to,
			  const struct ummgr_counters *a,
			  const struct ummgr_counters *b)
{
  to->h2d_bytes += a->h2d_bytes - b->h2d_bytes;
  to->d2h_bytes += a->d2h_bytes - b->d2h_bytes;
  to->d2d_bytes += a->d2d_bytes - b->d2d_bytes;
  to->gpu_faults += a->gpu_faults - b->gpu_faults;
  to->fault_batches += a->fault_batches - b->fault_batches;
  to->cpu_faults += a->cpu_faults - b->cpu_faults;
  to->evictions += a->evictions - b->evictions;
  to->refetched_bytes += a->refetched_bytes - b->refetched_bytes;
  to->notifications += a->notifications - b->notifications;
  to->notified_pages += a->notified_pages - b->notified_pages;
  to->local_bytes += a->local_bytes - b->local_bytes;
  to->remote_bytes += a->remote_bytes - b->remote_bytes;
  to->sent_bytes += a->sent_bytes - b->sent_bytes;
  to->far_bytes += a->far_bytes - b->far_bytes;
  to->peer_bytes += a->peer_bytes - b->peer_bytes;
  to->launches += a->launches - b->launches;
  to->model_seconds += a->model_seconds - b->model_seconds;
  to->kernel_seconds += a->kernel_seconds - b->kernel_seconds;
  for (int i = 0; i < UMMGR_WORKS; i++)
    to->instructions[i] += a->instructions[i] - b->instructions[i];
  if (to->device_peak_bytes < a->device_peak_bytes)
    to->device_peak_bytes = a->device_peak_bytes;
}
