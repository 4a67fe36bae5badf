/* What a device and its link to the host cost.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_FIGURES_H
#define UMMGR_FIGURES_H

#include <stdint.h>

/* Rates in bytes per second.  0 where a figure is not known.  */
struct ummgr_figures
{
  double in_rate, out_rate;	/* Bulk copies, host to device and back.  */
  double latency_ns;		/* Of a copy or a migration.  */
  double gpu_fault_ns;		/* One fault in a full batch.  */
  double cpu_fault_ns;
  uint64_t fault_size;		/* Bytes that one fault brings at least.  */
  unsigned multiprocessors;
  uint64_t block_size;		/* Managed memory that takes the device's, and
				   leaves it, at once.  */
  double memory_rate;		/* The device's own.  */
  unsigned fault_batch;		/* Faults served together.  */
  int prefetch_threshold;	/* Of the tree, per cent; 0: there is none.  */
};

/* Of a GPU that tells nothing: 45 us a fault (Ganguly et al., ISCA 2019), at
   25 GB/s; blocks as UVM_VA_BLOCK_BITS of NVIDIA's open kernel modules has them
   (kernel-open/nvidia-uvm/uvm_va_block_types.h).  */
#define UMMGR_FIGURES_UNTOLD \
  { .in_rate = 25e9, .gpu_fault_ns = 45e3, .fault_size = 64 << 10, \
    .block_size = 2 << 20 }

#endif
