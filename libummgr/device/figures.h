/* What a device is, and what it, its memory and its link cost.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Their numbers.  */
enum
{
#define FIGURE(KEY, TYPE) UMMGR_FIGURE_##KEY,
#include "device/figures.def"
#undef FIGURE
  UMMGR_FIGURES
};

/* Where one comes from.  */
enum ummgr_figure_source
{
  UMMGR_FIGURE_ESTIMATE,
  UMMGR_FIGURE_ATTRIBUTE,	/* The driver or the system said it, or what it
				   follows from.  */
  UMMGR_FIGURE_PROFILE
};
#define UMMGR_FIGURE_SOURCES { "estimate", "attribute", "profile" }

/* Of what a link could carry, what copies get: the profiles' machines with PCIe 3.0 and
   5.0 have 0.79 and 0.88, those with NVLink 0.83 and 0.89.  */
#define UMMGR_FIGURES_COPIES 0.83

/* GPUs behind one address space, at most, and which teams go to which of them
   (device/layout.h).  */
enum { UMMGR_FIGURES_GPUS = 16 };
enum ummgr_scheduling
{
  UMMGR_SCHEDULING_TURNS,	/* Each to the next multiprocessor that has room.  */
  UMMGR_SCHEDULING_AFFINITY,	/* As CODA has it: as many as a GPU has in flight go
				   together.  */
  UMMGR_SCHEDULING_BLOCK,	/* An equal part of all goes together.  */
  UMMGR_SCHEDULING_STEAL	/* So it does; but a GPU that has none left takes
				   others'.  */
};
#define UMMGR_SCHEDULINGS { "turns", "affinity", "block", "steal" }

/* Rates in bytes per second, times in seconds.  0 where a figure is not known.  */
struct ummgr_figures
{
  char name[64];
  uint64_t memory_bytes;
  double memory_rate;		/* Local memory.  */
  uint64_t cache_bytes;		/* Last-level cache.  */
  int sm_count;
  int max_threads_per_sm;
  int max_teams_per_sm;		/* In flight.  */
  int registers_per_sm;		/* Of 32 bits.  */
  uint64_t shared_per_sm;
  uint64_t l1_bytes;		/* A multiprocessor's cache, shared memory included.  */
  int utlb_sms;			/* Multiprocessors that share a micro TLB.  */
  int clock_mhz;
  int issue_rate;		/* Warp instructions a clock and multiprocessor.  */
  double memory_latency;	/* Of a read of local memory.  */
  int compute_major, compute_minor;
  double h2d_rate, d2h_rate;	/* Link, bulk copies.  */
  double both_rate;		/* Of such in both directions at once, together.  */
  double pageable_h2d_rate;	/* Of copies from memory that isn't registered, which
				   the driver stages, */
  double pageable_d2h_rate;	/* and of those to it.  */
  double staging_rate;		/* At which one thread copies between that and memory
				   that is registered.  */
  double remote_rate;		/* Link, kernel reading what is elsewhere.  */
  double remote_latency;	/* Of such a read.  */
  double link_latency;		/* Per copy or migration batch.  */
  double launch_cost;		/* Per kernel.  */
  double gpu_fault_cost;	/* Per batch of GPU faults serviced ...  */
  double gpu_block_cost;	/* ... and for each block in it ...  */
  double host_page_cost;	/* ... and each of its 4 KiB pages that the CPU has
				   mapped.  */
  double cpu_fault_cost;	/* Per CPU fault on a GPU-resident block.  */
  int fault_batch;		/* Entries of the fault buffer that a batch takes.  */
  uint64_t fault_granularity;	/* What one fault brings at least: 64 KiB on real
				   machines.  */
  uint64_t block_bytes;		/* Managed memory that takes the device's, and leaves
				   it, at once: 2 MiB on real machines.  */
  int prefetch_threshold;	/* Tree prefetcher, per cent; 0: off.  */
  uint64_t access_counter_granularity; /* A region of which accesses over the link are
				   counted ...  */
  int access_counter_threshold;	/* ... and how many of them notify; 0: none are.  */
  uint64_t scaled;		/* 1/N of the threads are in flight (--scale); 0: all.  */
  /* The device is so many GPUs behind one address space, which share memory_bytes and
     sm_count, while rates and caches are each one's; 0: it is one.  */
  int gpus;
  double gpus_rate;		/* Link of each to the others, each way.  */
  enum ummgr_scheduling scheduling;
  unsigned char source[UMMGR_FIGURES];	/* enum ummgr_figure_source.  */
};

/* Estimates, of a GPU that tells nothing: a batch of faults as measured on an RTX 3090
   (profiles/rtx3090-pcie3.conf); granules, blocks and prefetching as NVIDIA's open kernel
   modules have them (kernel-open/nvidia-uvm/uvm_perf_prefetch.c; UVM_VA_BLOCK_BITS of
   kernel-open/nvidia-uvm/uvm_va_block_types.h), and access counters
   (kernel-open/nvidia-uvm/uvm_gpu_access_counters.c); PCIe 4.0 of 16 lanes; for a copy and a
   launch at least, the middle of what the shipped profiles have, 6 to 11 us and 3 to
   5; a read over PCIe as in nvbandwidth's sample there; of multiprocessors what all since Volta have in common.  */
#define UMMGR_FIGURES_UNTOLD \
  { .sm_count = 80, .max_threads_per_sm = 2048, .max_teams_per_sm = 32, \
    .registers_per_sm = 65536, .shared_per_sm = 96 << 10, .l1_bytes = 128 << 10, \
    .utlb_sms = 2, .clock_mhz = 1500, .issue_rate = 4, .memory_latency = 300e-9, \
    .h2d_rate = 25e9, .d2h_rate = 25e9, .both_rate = 40e9, .pageable_h2d_rate = 18.4e9, \
    .pageable_d2h_rate = 12.3e9, .staging_rate = 12.9e9, .remote_rate = 20e9, .remote_latency = 650e-9, \
    .link_latency = 8e-6, .launch_cost = 4e-6, .gpu_fault_cost = 37e-6, .gpu_block_cost = 10e-6, \
    .host_page_cost = 330e-9, .cpu_fault_cost = 45e-6, .fault_batch = 256, \
    .fault_granularity = 64 << 10, .block_bytes = 2 << 20, .prefetch_threshold = 51, \
    .access_counter_granularity = 2 << 20, .access_counter_threshold = 256 }

/* How launches get at memory elsewhere.  */
struct ummgr_remote
{
  unsigned grain;		/* Bytes that one access brings over the link: a sector of a cache; a page of the
				   host's where traffic is only estimated from pages (fidelity "touch").  */
  unsigned threads;		/* ummgr_figures_threads; 0: what is accessed again is not counted.  */
  double waited;		/* Bytes that the link carries while one access waits for its own: remote_rate *
				   remote_latency.  */
  uint64_t cache;		/* Bytes in which that may be found again.  */
  double ways;			/* What the link carries both ways at once, in what it carries one way; 0: not known.  */
};

/* GPUs that it is made of.  */
static inline unsigned
ummgr_figures_gpus (const struct ummgr_figures *f)
{
  return f->gpus > 1 ? f->gpus : 1;
}

/* Seconds in which IN bytes come over a link, and OUT go, at once, of which RATE_IN and RATE_OUT do by themselves in
   one: what it carries both ways, BOTH, is less than the two together.  (nvbandwidth, as published: copies both
   ways at once carried 1.4 to 1.9 times what one way does, kernels' reads and writes 1.6 and 1.7 times.)  */
static inline double
ummgr_figures_crossing (double in, double out, double rate_in, double rate_out, double both)
{
  double way = fmax (in / rate_in, out / rate_out);
  return both > 0 ? fmax (way, (in + out) / both) : way;
}

/* The same of copies.  */
static inline double
ummgr_figures_copying (const struct ummgr_figures *f, double in, double out)
{
  return ummgr_figures_crossing (in, out, f->h2d_rate, f->d2h_rate, f->both_rate);
}

/* Bytes a second that copies get IN, or out, whose other side is memory that isn't registered.  */
static inline double
ummgr_figures_pageable (const struct ummgr_figures *f, bool in)
{
  double link = in ? f->h2d_rate : f->d2h_rate, staged = in ? f->pageable_h2d_rate : f->pageable_d2h_rate;
  return staged > 0 ? fmin (staged, link) : link;
}

/* What a link carries both ways at once, in what it carries one way: 1 to 2.  */
static inline double
ummgr_figures_ways (const struct ummgr_figures *f)
{
  double ways = f->both_rate > 0 ? 2 * f->both_rate / (f->h2d_rate + f->d2h_rate) : 2;
  return fmin (fmax (ways, 1), 2);
}

/* The part of its rate that a copy has beside one the other way.  */
static inline double
ummgr_figures_share (const struct ummgr_figures *f)
{
  return 2 - 2 / ummgr_figures_ways (f);
}

/* Seconds of a row of copies each way, one beside the other all the time, that take IN and OUT by themselves: the
   shorter row slows the longer one down.  Never less than what the link needs (ummgr_figures_crossing).  */
static inline double
ummgr_figures_rows (const struct ummgr_figures *f, double in, double out)
{
  return fmax (in, out) + (1 - ummgr_figures_share (f)) * fmin (in, out);
}

/* What kernels read and write over the link; as copies, of which less is known.  */
static inline double
ummgr_figures_remote (const struct ummgr_figures *f, double read, double written)
{
  return ummgr_figures_crossing (read, written, f->remote_rate, f->remote_rate,
				 ummgr_figures_ways (f) * f->remote_rate);
}

/* Multiprocessors that launches run on; of a scaled machine as many less, to the nearest, at
   least 1 for each GPU.  */
static inline unsigned
ummgr_figures_sms (const struct ummgr_figures *f)
{
  unsigned sms = f->sm_count > 0 ? f->sm_count : 1;
  uint64_t n = f->scaled ? f->scaled : 1, nearest = (sms + n / 2) / n;
  return nearest > ummgr_figures_gpus (f) ? nearest : ummgr_figures_gpus (f);
}

/* OpenMP threads in flight: of one warp each (libgomp/config/nvptx).  */
static inline unsigned
ummgr_figures_threads (const struct ummgr_figures *f)
{
  enum { WARP = 32 };
  return f->max_threads_per_sm > 0 ? ummgr_figures_sms (f) * (unsigned) f->max_threads_per_sm / WARP : 0;
}

/* Granules that one batch serves where nothing is known of who faults when: what all
   threads in flight fault on that go through an array side by side, four bytes each.  (A
   group of faults of a stream has 8 to 12 granules on GPUs whose threads' words fill 7 to
   10.)  */
static inline int
ummgr_figures_stream (const struct ummgr_figures *f)
{
  uint64_t bytes = (uint64_t) f->sm_count * f->max_threads_per_sm * 4;
  if (f->scaled)
    bytes = bytes / f->scaled + (bytes > 0);
  uint64_t granules = f->fault_granularity ? bytes / f->fault_granularity : 0;
  if (!bytes || granules > (uint64_t) f->fault_batch)
    return f->fault_batch;
  return granules ? granules : 1;
}

/* FIGURE as traces have it.  */
static inline uint64_t
ummgr_figures_whole (double figure)
{
  return figure > 0 ? (uint64_t) (figure + 0.5) : 0;
}

/* One fault of such a batch, all in one block, in nanoseconds.  */
static inline double
ummgr_figures_gpu_fault_ns (const struct ummgr_figures *f)
{
  return (f->gpu_fault_cost + f->gpu_block_cost) / ummgr_figures_stream (f) * 1e9;
}
