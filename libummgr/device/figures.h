/* What a device is, and what it, its memory and its link cost.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

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

/* Rates in bytes per second, times in seconds.  0 where a figure is not known.  */
struct ummgr_figures
{
  char name[64];
  uint64_t memory_bytes;
  double memory_rate;		/* Local memory.  */
  uint64_t cache_bytes;		/* Last-level cache.  */
  int sm_count;
  int max_threads_per_sm;
  int compute_major, compute_minor;
  double h2d_rate, d2h_rate;	/* Link, bulk copies.  */
  double remote_rate;		/* Link, kernel reading what is elsewhere.  */
  double link_latency;		/* Per copy or migration batch.  */
  double launch_cost;		/* Per kernel.  */
  double gpu_fault_cost;	/* Per batch of GPU faults serviced.  */
  double cpu_fault_cost;	/* Per CPU fault on a GPU-resident block.  */
  int fault_batch;		/* GPU faults serviced together.  */
  uint64_t fault_granularity;	/* What one fault brings at least: 64 KiB on real
				   machines.  */
  uint64_t block_bytes;		/* Managed memory that takes the device's, and leaves
				   it, at once: 2 MiB on real machines.  */
  int prefetch_threshold;	/* Tree prefetcher, per cent; 0: off.  */
  unsigned char source[UMMGR_FIGURES];	/* enum ummgr_figure_source.  */
};

/* Estimates, of a GPU that tells nothing: 45 us a fault (Ganguly et al., ISCA 2019);
   granules, blocks and prefetching as NVIDIA's open kernel modules have them
   (kernel-open/nvidia-uvm/uvm_perf_prefetch.c; UVM_VA_BLOCK_BITS of
   kernel-open/nvidia-uvm/uvm_va_block_types.h); PCIe 4.0 of 16 lanes; for a copy and a
   launch at least, the middle of what the shipped profiles have, 6 to 11 us and 3 to
   5.  */
#define UMMGR_FIGURES_UNTOLD \
  { .h2d_rate = 25e9, .d2h_rate = 25e9, .remote_rate = 20e9, \
    .link_latency = 8e-6, .launch_cost = 4e-6, .gpu_fault_cost = 45e-6, \
    .cpu_fault_cost = 45e-6, .fault_batch = 1, .fault_granularity = 64 << 10, \
    .block_bytes = 2 << 20, .prefetch_threshold = 51 }

/* One fault in a full batch, in nanoseconds.  */
static inline double
ummgr_figures_gpu_fault_ns (const struct ummgr_figures *figures)
{
  return figures->gpu_fault_cost / figures->fault_batch * 1e9;
}
