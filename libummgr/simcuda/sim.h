/* Inside the simulated driver: the machine, and who may do what to it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Two halves meet here.  The driver half (entry points of the CUDA driver
   API: driver/, image/ and run/) checks arguments, keeps handles, and runs
   launches.  The memory half (memory/)
   owns every byte of simulated memory, and the instance of uvm/ that says where it
   is: residency, capacity, faults, eviction, counters and modelled time.  The driver half never touches residency or
   counters but through the sim_mem_* and sim_model_* calls below.  */

#pragma once

#include "base/counters.h"
#include "device/cuda-types.h"
#include "device/device.h"
#include "device/profile.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_MAX_DEVICES UMMGR_PROFILE_DEVICES
#define SIM_HOST (-1)	/* The CPU, where a device number is expected.  */
#define SIM_NOWHERE (-2)

/* The profile in force; read once from the environment (UMMGR_PROFILE,
   UMMGR_GPUS, UMMGR_DEVICE_MEM, UMMGR_SCALE, UMMGR_EVICT), at cuInit.  */
extern struct ummgr_profile sim_profile;

/* Does it claim to be a real GPU's driver (device/sim-api.h)?  */
bool sim_as_cuda (void);

/* Registers that a thread takes at most: UMMGR_KERNEL_REGISTERS, as nvcc's -maxrregcount;
   what is spilled for it is not seen.  */
int sim_register_limit (void);

/* --- memory half: called by the driver half ----------------------------- */

/* Bring the machine up; logs one message on failure.  Called once.  */
CUresult sim_mem_init (void);

enum sim_mem_kind
{
  SIM_MEM_PLAIN,	/* cuMemAlloc: device memory, not for the host.  */
  SIM_MEM_MANAGED,	/* cuMemAllocManaged.  */
  SIM_MEM_HOST,		/* cuMemAllocHost, cuMemHostAlloc: pinned.  */
  SIM_MEM_REGISTERED,	/* cuMemHostRegister: the program's own memory.  */
  SIM_MEM_VARIABLE	/* PLAIN, apart from all else: only to allocate.  */
};

/* One allocation.  Immutable after creation but for what mem-*.c keeps
   privately behind it.  */
struct sim_alloc
{
  enum sim_mem_kind kind;
  uintptr_t base;
  size_t size;			/* As asked for.  */
  int device;			/* PLAIN: where.  Others: SIM_HOST.  */
  bool scratch;			/* Not counted against the capacity.  */
  size_t gap;			/* Bytes on each side where nothing else is. */
};

/* Allocate.  PLAIN takes capacity of DEVICE, evicting managed blocks if it
   must, as the real driver does, and gives CUDA_ERROR_OUT_OF_MEMORY when
   plain memory alone would exceed it; MANAGED is limited by host memory
   only; VARIABLE has a gap, unless the address space is used up: a pointer
   there was made from one to it.  SCRATCH as scratch_alloc in device/device.h.
   BASE of the result is at least 512-byte
   aligned (MANAGED: to the block size), and never an address the program
   uses otherwise.  */
CUresult sim_mem_alloc (enum sim_mem_kind kind, int device, size_t size,
			bool scratch, struct sim_alloc **out_p);

/* Record the program's own [HOST, HOST+SIZE) as registered.  */
CUresult sim_mem_register (void *host, size_t size, struct sim_alloc **out_p);

/* Forget ALLOC and give its memory back (REGISTERED: only forget).  */
CUresult sim_mem_free (struct sim_alloc *alloc);

/* The allocation that holds ADDRESS, or NULL.  Valid until it is freed.  */
struct sim_alloc *sim_mem_find (uintptr_t address);

/* memcpy by the driver between any kinds of memory, ordinary host memory
   included; counts what crosses a link, and treats managed ranges as the
   real driver does.  Addresses are valid (the caller has checked).  DEVICE's copy
   engine does it, SIM_NOWHERE: that of the memory's own device.  */
CUresult sim_mem_copy_by (int device, uintptr_t dst, uintptr_t src, size_t size);
CUresult sim_mem_copy (uintptr_t dst, uintptr_t src, size_t size);
/* When the bytes of the calling thread's last copy had moved, in its modelled time, which is later by the latency of
   the links.  */
double sim_mem_copied (void);
CUresult sim_mem_set (uintptr_t dst, unsigned value, int width, size_t count);

/* Managed ranges; DEVICE may be SIM_HOST.  The caller has checked that the
   range lies in one managed allocation.  */
CUresult sim_mem_prefetch (uintptr_t address, size_t size, int device);
/* What is in its whole pages is of no use any more: they have SIM_DISCARDED in each byte from now on.  */
enum { SIM_DISCARDED = 0xdb };
CUresult sim_mem_discard (uintptr_t address, size_t size);
CUresult sim_mem_advise (uintptr_t address, size_t size, int advice,
			 int device);
CUresult sim_mem_range_attribute (void *data, size_t data_size, int attribute,
				  uintptr_t address, size_t size);

/* What tells the machine from any other on this computer, if processes share it; 0: they don't.  */
uint64_t sim_shared_number (void);

/* What is free of DEVICE, to other processes, too, and what it has.  */
void sim_mem_info (int device, uint64_t *free_p, uint64_t *total_p);

/* A launch on DEVICE begins or ends.  In between, the calling thread and
   those it creates (and those that call sim_mem_thread_is_gpu) are the GPU's
   side: they may touch plain memory of DEVICE and of its enabled peers, and
   their faults are GPU faults; every other thread is the CPU's side.
   Launches are serialised over all devices by the driver half.  ARGUMENTS
   is the kernel's argument block (in device memory or not), from which touch
   fidelity estimates which allocations the kernel reads and writes.  */
void sim_mem_launch_begin (int device, const void *arguments, size_t size);

/* The stacks of the launch that has begun are at ADDRESS: no memory of its arguments', though a word may lead
   there.  Where a descriptor has pointers libgomp leaves words of the block as it found them.  */
void sim_mem_launch_stacks (uintptr_t address);
/* Its code names a variable at ADDRESS of the device's memory.  */
void sim_mem_launch_reaches (uintptr_t address);
void sim_mem_launch_end (int device);

/* The launch that begins next tells each access, in its order: nothing traps.  What
   OPTIONS need of the memory half is filled in, but for DATA; its functions, too, want to
   be called with the lock of sim_mem_gpu_lock held, which code of kernels must not run
   under.  */
struct ummgr_gpu_options;
void sim_mem_told (void);
void sim_mem_gpu (int device, struct ummgr_gpu_options *options);
void sim_mem_gpu_lock (bool lock);
/* The launch in force has used what options of sim_mem_gpu said: it took SECONDS.  */
struct ummgr_device_ran sim_mem_gpu_took (int device, double seconds);
void sim_mem_thread_is_gpu (bool gpu);
/* In a signal handler: let the thread touch what the code that it interrupted,
   whose CONTEXT the handler got, may touch.  */
void sim_mem_as_interrupted (const void *context);

/* The calling thread blocks inside the driver until GPU work is done, or is
   a worker of the driver's that has none: it runs no host code until it says
   otherwise.  While that holds for every host thread, faults in a launch
   cost a third.  */
void sim_mem_thread_idle (bool idle);

/* What hears first, in the signal handler, of an address that the calling thread can't
   access and that is not the machine's to serve; it may not return.  NULL: nobody.  */
extern void (*sim_mem_illegal) (uintptr_t address, const void *context);

/* The launch on DEVICE that is about to begin uses little of the pages in plain memory
   [BASE, +SIZE), and so will the next, if it is allocated there.  Only the last such
   range counts.  */
void sim_mem_sparse (int device, uintptr_t base, size_t size);

/* The launch in force on DEVICE has executed so many warp instructions.  */
void sim_mem_work (int device, const uint64_t count[UMMGR_WORKS]);

/* Is the calling thread one of the GPU's side now?  */
bool sim_mem_on_gpu (void);

/* Peer access from DEVICE to PEER was switched.  */
void sim_mem_peer (int device, int peer, bool enabled);

/* What is behind device/device.h.  */
/* device/device.h's guard, where there are protection keys.  */
bool sim_mem_guard (uintptr_t address, size_t size, bool on);
bool sim_layout_decide (ummgr_device_decide *by);
uint64_t sim_mem_taken (int device);
bool sim_mem_device_counters (int device, struct ummgr_counters *out);
bool sim_mem_range_counters (const void *pointer, struct ummgr_counters *out);
uint64_t sim_mem_range_held (const void *pointer, int device);
bool sim_mem_range_extent (const void *pointer, int device, uint64_t *lo,
			   uint64_t *hi);
bool sim_access_between (int device, struct ummgr_between *out);
unsigned sim_access_pairs (int device, uint64_t bytes[][UMMGR_FIGURES_GPUS]);
bool sim_mem_on_host (uintptr_t address, size_t size);
bool sim_mem_resident (int device, uint64_t *plain, uint64_t *managed);
bool sim_mem_kernel_faults (void);
const char *sim_mem_fidelity (void);

/* As in device/device.h; the caller is on the GPU's side.  */
bool sim_mem_set_access (bool on);
void sim_mem_access (uintptr_t address, int64_t stride, uint64_t count,
		     uint32_t size, unsigned kind);

/* As `uses' in device/device.h.  */
struct ummgr_device_use;
bool sim_mem_uses (int device, const struct ummgr_device_use *uses,
		   size_t count);

/* The thread TID touches no managed memory and runs no kernel.  */
void sim_mem_own_thread (int tid);

/* After fork, in the child: forget the machine without touching the
   parent's (shared) memory; every later call gives NOT_INITIALIZED.  */
void sim_mem_after_fork (void);

/* Modelled time, in seconds since start.  What a thread asks of a device begins at the
   thread's time, or when the device, or its engine for such copies, is done with what it
   has, if that is later.  Calls of the memory half that move data or launch are done at their caller's
   time, and advance it; so do faults of the CPU's.  */
double sim_model_now (int device);	/* Its present; events record it.  */
double sim_mem_time (void);		/* The calling thread's.  */
void sim_mem_set_time (double time);	/* Maybe back.  */
void sim_mem_wait_until (double time);	/* Never back.  */
double sim_mem_elapsed (void);		/* The latest of all these.  */
