/* What the simulated libcuda.so.1 offers beyond the driver API.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libummgr finds `ummgr_sim_api` with dlsym; its presence is what tells the
   simulated driver from a real one.  Every function may be called from any
   thread once cuInit has succeeded.  */

#ifndef UMMGR_SIM_API_H
#define UMMGR_SIM_API_H

#include "base/counters.h"
#include "device/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMMGR_SIM_API_VERSION 8	/* 2: place and what follows it; 3:
					   range_extent; 4: set_order; 5: block_size;
					   6: memory_rate and what follows it;
					   7: uses; 8: own_thread.  */

/* Who runs the calling thread's code.  DEVICE is the driver's number of the
   GPU whose launch it is, -1 on the CPU's side; then the others are 0.  TEAM is
   as omp_get_team_num answers there, THREAD as omp_get_thread_num does in the
   innermost parallel region (where STEP is not 0, in the outermost).  */
struct ummgr_sim_place
{
  int device;
  unsigned team, thread;
  /* Version 4.  In a launch that runs for set_order, how many barriers and ends
     of parallel regions this thread has passed in its team, from 1 on; else
     0.  */
  unsigned step;
};

/* What is known of a range of managed memory in a launch.  */
struct ummgr_sim_use
{
  uintptr_t lo, hi;		/* Addresses that the launch may access.  */
  uintptr_t object_lo, object_hi; /* The object that they are in.  */
  uint64_t region;		/* The same for the same code.  */
  double locality;		/* Accesses in the launch.  */
  double density;		/* Accessed bytes by the object's; -1.  */
  double next_use;		/* Launches until the next use: 1 is the next
				   one; INFINITY never; -1 unknown.  */
  int64_t stride;		/* Bytes from one iteration to the next; 0: not
				   known or none.  */
  bool exact, read, write;
};

struct ummgr_sim_api
{
  uint32_t version;

  /* "v100-nvlink2"; and one line that says what --scale and --device-mem
     changed, empty when nothing was.  Static storage.  */
  const char *(*profile) (void);
  const char *(*scaling) (void);

  /* "touch" or "access": how local and remote bytes were found.  */
  const char *(*fidelity) (void);

  /* Counters of device DEVICE since start.  False if there is none such.  */
  bool (*device_counters) (int device, struct ummgr_counters *out);

  /* Counters of the allocation (plain, managed or registered) that holds
     POINTER, summed over devices; model_seconds and peak are left 0.  False
     if no allocation holds it.  */
  bool (*range_counters) (const void *pointer, struct ummgr_counters *out);

  /* While ON, what this thread allocates is scratch of libgomp's plugin (the
     soft stacks it makes for a launch): real GPUs hold them too, but they do
     not shrink with --scale or --device-mem, so the simulated capacity does
     not count them.  */
  void (*scratch_alloc) (bool on);

  /* Bytes of DEVICE's memory in use now: plain and managed.  */
  bool (*device_resident) (int device, uint64_t *plain, uint64_t *managed);

  /* False, after one warning, if the fault mechanism can't serve kernel-mode
     accesses (see faults.c); "ummgr info" says what that costs.  */
  bool (*kernel_faults) (void);

  /* --- version 2 --- */

  /* The calling thread's place.  Never NULL; the pointer stays the same for the
     life of the thread and may be kept by it, the contents follow what the
     thread runs.  Costs no more than thread-local storage does.  */
  const struct ummgr_sim_place *(*place) (void);

  /* From the next launch on, account launches by the accesses that they report,
     or no longer.  Then fidelity () says "access".  False if that is not
     possible (no memory for the model of the caches).  May be called before the
     first launch, or between launches.  */
  bool (*set_access_fidelity) (bool on);

  /* The calling thread, on the GPU's side, is about to make COUNT accesses of
     SIZE bytes each, the I-th at ADDRESS + I * STRIDE.  KIND: 1 read, 2 write,
     4 atomic; 3 is a read and a write.  Does nothing on the CPU's side, or
     without access fidelity; addresses that no allocation holds (stacks) cost
     nothing.  From any number of threads at once.  Not from a signal handler.
     A report that comes long before its accesses is fine: what they find moved
     by then is not counted again.  */
  void (*access) (uintptr_t address, int64_t stride, uint64_t count,
		  uint32_t size, unsigned kind);

  /* False if there is no such device.  */
  bool (*link) (int device, struct ummgr_figures *out);

  /* --- version 3 --- */

  /* Where the bytes of the managed allocation at POINTER that are on DEVICE lie:
     in [*LO, *HI) from its start.  A real driver tells this to CUPTI only: the
     addresses of migrations.  False if none are, or for other memory.  */
  bool (*range_extent) (const void *pointer, int device, uint64_t *lo,
			uint64_t *hi);

  /* --- version 4 --- */

  /* From the next launch on, give a launch as many teams and threads as one of
     CUDA's would have, so that a thread does about one iteration of its loop,
     and run all of them in the launch thread: one after another, each as far as
     the next barrier.  ENDED is called there when a launch has ended.  Regions
     that this can't do run as before, after one note.  For good.  False if it
     was asked before.  */
  bool (*set_order) (void (*ended) (void));

  /* The next launches of the region with this host FUNCTION have so many
     ITERATIONS to share.  Does nothing without set_order.  */
  void (*expect) (const void *function, uint64_t iterations);

  /* --- version 7 --- */

  /* The next launch on DEVICE uses these ranges, as far as the compiler's tables
     tell; what is told of none says that nothing is known.  False: the replacement
     policy has no use for it.  USES NULL only asks that.  */
  bool (*uses) (int device, const struct ummgr_sim_use *uses, size_t count);

  /* --- version 8 --- */

  /* The thread with this number (gettid) is none of the program's: it touches no
     memory of the simulator's.  */
  void (*own_thread) (int tid);
};

/* Exported by the simulated driver; the only symbol it adds.  */
extern const struct ummgr_sim_api *ummgr_sim_api (void);

#endif
