/* The seam to a device: all that the library asks of one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Behind it are CUDA (cuda.c), the simulated driver, which is CUDA that tells more
   and fills those slots by itself (sim.c), and the machine of a replay
   (replay/policies.c).  A slot that may be NULL
   says what is then unknown, or who else takes care.  Slots may be called from any
   thread, but where they say otherwise, and take no lock of the library's.  Errors of
   the driver are logged here.  */

#pragma once

#include "base/clock.h"
#include "base/counters.h"
#include "base/exclusive.h"
#include "base/hint.h"
#include "base/status.h"
#include "device/figures.h"
#include "device/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define UMMGR_DEVICES_MAX 64

/* For copies beside launches, in each direction.  */
#define UMMGR_DEVICE_LANES 3

struct ummgr_measure_ops;

/* One of them, by its driver's number.  What is behind it begins with this.  */
struct ummgr_device
{
  const struct ummgr_device_ops *ops;
  int number;
};

enum ummgr_device_memory
{
  UMMGR_DEVICE_PLAIN,		/* The device's own.  */
  UMMGR_DEVICE_MANAGED,		/* Pages move; one address for both sides.  */
  UMMGR_DEVICE_PINNED		/* The host's, which the device reaches.  */
};

/* As CUDA's: what is the range's alone, or its and a device's.  */
enum ummgr_device_advice
{
  UMMGR_DEVICE_READ_MOSTLY,	/* Who reads it gets a copy.  */
  UMMGR_DEVICE_PREFERRED,	/* It is to be on this device.  */
  UMMGR_DEVICE_ACCESSED_BY	/* This one uses it where it is.  */
};

enum { UMMGR_DEVICE_GUARD = 4096 };	/* Bytes.  */

/* Who runs the calling thread's code.  DEVICE is the driver's number of the
   GPU whose launch it is, -1 on the CPU's side; then the others are 0.  TEAM is
   as omp_get_team_num answers there, THREAD as omp_get_thread_num does in the
   innermost parallel region (where STEP is not 0, in the outermost).  */
struct ummgr_device_place
{
  int device;
  unsigned team, thread;
  /* In a launch that is modelled by its reports, how many barriers and ends of parallel
     regions this thread has passed in its team, from 1 on; else 0.  */
  unsigned step;
};

/* Another region that uses an object, most likely, and has not been launched with it yet.  */
struct ummgr_device_other
{
  uint64_t region;
  double frequency;		/* Launches in a run.  */
  unsigned teams;		/* That it asks for; 0: none, or not known.  */
  struct ummgr_exclusive exclusive; /* As far as can be told before.  */
};

enum { UMMGR_DEVICE_OTHERS = 4 };

/* What is known of the use of an object, [BASE, BASE + SIZE) on the host, in a launch of
   REGION, the same number for the same code.  */
struct ummgr_device_use
{
  uintptr_t base;
  uint64_t size, region;
  uintptr_t address;		/* Where the device has it; of managed memory, BASE.  */
  uint64_t object;		/* Tells objects apart that have one address by turns.  */
  struct ummgr_hint hint;
  struct ummgr_exclusive exclusive; /* Of the object, where LAY_BY wants to know.  */
  unsigned other_count;		/* Likewise, with the first launch of REGION that uses it.  */
  struct ummgr_device_other others[UMMGR_DEVICE_OTHERS];
};

static inline void
ummgr_device_use_copy (struct ummgr_device_use *to, const struct ummgr_device_use *from)
{
  memcpy (to, from, offsetof (struct ummgr_device_use, exclusive));
  ummgr_exclusive_copy (&to->exclusive, &from->exclusive);
  to->other_count = from->other_count;
  for (unsigned i = 0; i < from->other_count; i++)
    {
      memcpy (&to->others[i], &from->others[i], offsetof (struct ummgr_device_other, exclusive));
      ummgr_exclusive_copy (&to->others[i].exclusive, &from->others[i].exclusive);
    }
}

/* How a launch is spread over GPUs behind one address space.  */
struct ummgr_device_spread
{
  unsigned teams, together;	/* In all; of neighbours on one GPU.  */
  unsigned gpus;
  unsigned threads, in_flight;	/* Of a team; teams on all GPUs at once.  */
  enum ummgr_scheduling scheduling;
};

/* OUT[I]: how what USES[I] says lies during the launch; a grain of 0: as before.  */
typedef void ummgr_device_decide (const struct ummgr_device_use *uses, size_t count,
				  const struct ummgr_device_spread *spread,
				  struct ummgr_layout *out);

/* One access.  KIND as in access below; an atomic one that reads and writes has 7.  */
struct ummgr_device_access
{
  uint64_t address;
  uint32_t size;
  uint32_t kind;
  uint32_t team, thread;
};

/* Of a launch that a GPU runs: teams, each of so many warps, of which LIE (0: as many) take
   room where they run, each thread REGISTERS and each team SHARED bytes (0: not known).  */
struct ummgr_device_shape
{
  uint32_t teams, warps, lie, registers;
  uint64_t shared;
};

/* What such a launch finds at the addresses [BASE, END): KIND is enum ummgr_gpu_kind (gpu/gpu.h);
   the last-level cache knows them with KEY added.  */
struct ummgr_device_area
{
  uint64_t base, end, key;
  uint32_t kind;
};

/* Who hears of launches in a GPU's order, in their threads; each may be NULL.  */
struct ummgr_device_watch
{
  /* Accesses, in that order.  */
  void (*access) (int device, const struct ummgr_device_access *access, size_t count);
  /* What makes it another order on another device: a launch, or a part of it, begins;
     what it finds (more than once the same, maybe); and what the warps of TEAM do, SIZE
     bytes of gpu/steps.h's, some at a time if they are many.  */
  void (*shape) (int device, const struct ummgr_device_shape *shape);
  void (*area) (int device, const struct ummgr_device_area *area);
  void (*steps) (int device, uint32_t team, const void *bytes, size_t size);
};

/* A launch in a GPU's order.  */
struct ummgr_device_ran
{
  double seconds;		/* Besides batches of faults.  */
  uint64_t faults, batches;
};

/* Between two devices.  */
struct ummgr_device_link
{
  bool direct;			/* Each reaches the other's memory.  */
  bool nvlink;
  double rate;			/* Bytes a second; 0: not told.  */
};

struct ummgr_trace_nest_ref;

struct ummgr_device_ops
{
  const char *name;		/* As --gpu has it.  */

  /* Does it refuse what is more than --device-mem?  Else the library does.  */
  bool limited;

  /* --- memory.  UMMGR_ERR_NODEV, silently, once the device is gone.  --- */

  /* Allocate SIZE bytes.  *HOST_P is the address by which host code may use
     them (0 for PLAIN), *ADDRESS_P that for the device.  UMMGR_ERR_DEVMEM
     without a message when memory is short.  */
  enum ummgr_status (*alloc) (struct ummgr_device *device,
			      enum ummgr_device_memory kind, size_t size,
			      uintptr_t *host_p, uintptr_t *address_p);
  enum ummgr_status (*free) (struct ummgr_device *device,
			     enum ummgr_device_memory kind, uintptr_t host,
			     uintptr_t address);

  /* Synchronous copies; they count.  */
  enum ummgr_status (*copy_in) (struct ummgr_device *device, uintptr_t dst,
				const void *src, size_t size);
  enum ummgr_status (*copy_out) (struct ummgr_device *device, void *dst,
				 uintptr_t src, size_t size);

  /* The same between two devices, or within one; peer access is switched on for good where
     they can have it, else the driver goes through the host.  Counts as d2d_bytes of TO,
     or where it went through the host, of a simulated GPU's, as bytes out and in.
     UMMGR_ERR_UNSUPPORTED, silently, if the driver has no such call.  NULL: there is but
     one device.  */
  enum ummgr_status (*copy_peer) (struct ummgr_device *to, uintptr_t dst,
				  struct ummgr_device *from, uintptr_t src, size_t size);

  /* Managed memory: move [ADDRESS, +SIZE) to the device or to the host, in stream
     order before what follows on the device.  */
  enum ummgr_status (*prefetch) (struct ummgr_device *device, uintptr_t address,
				 size_t size, bool to_host);

  /* The same beside what the device runs, in the order of other such calls in this
     direction and LANE, as copy_beside; `settle' waits for all of lane 0.  NULL: nothing is side by side there.  */
  enum ummgr_status (*prefetch_beside) (struct ummgr_device *device, uintptr_t address,
					size_t size, bool to_host, unsigned lane);
  enum ummgr_status (*settle) (struct ummgr_device *device);

  /* Copy beside what the device runs: in from the host's memory, out to it, or between two of the device's
     addresses, WITHIN, for what the other two do.  In the order of other such calls in this direction and LANE, below
     UMMGR_DEVICE_LANES; the link is busy all the time where one lane has the next copies while another's are under way.
     It has begun on return, and is done once `copied' has returned for the lane.  Where the host copies (pageable
     memory) the calling thread does.  Managed memory is either's, as its pages lie.  NULL: as there.  */
  enum ummgr_status (*copy_beside) (struct ummgr_device *device, uintptr_t to, uintptr_t from, size_t size,
				    bool out, bool within, unsigned lane);
  enum ummgr_status (*copied) (struct ummgr_device *device, bool out, unsigned lane);

  /* Managed memory: what is in [ADDRESS, +SIZE) is of no use to anybody, and indeterminate until it is written; in
     stream order, and done on return.  Bytes of pages that are in it by a part only stay; SIZE may be 0.
     UMMGR_ERR_UNSUPPORTED, silently, if the driver has no such call (CUDA 13), and from the first one on that fails;
     NULL: there is none.  */
  enum ummgr_status (*discard) (struct ummgr_device *device, uintptr_t address, size_t size);

  /* Whoever touches [ADDRESS, +SIZE) of a plain allocation, whole pages of UMMGR_DEVICE_GUARD, is trapped, until
     that is no longer ON; SIZE may be 0.  False: nobody asks for it (UMMGR_SIM_GUARD, for tests), or it can't be; NULL:
     likewise.  */
  bool (*guard) (uintptr_t address, size_t size, bool on);

  /* Managed memory: keep the range on the host and let the device reach it there,
     or take that advice back.  */
  enum ummgr_status (*keep_on_host) (struct ummgr_device *device,
				     uintptr_t address, size_t size, bool on);

  /* Managed memory, whole pages: give ADVICE of the range, or take it back.  */
  enum ummgr_status (*advise) (struct ummgr_device *device, uintptr_t address,
			       size_t size, enum ummgr_device_advice advice,
			       bool on);

  /* DEVICE may reach PEER's memory from now on; false: it can't.  */
  bool (*reach) (struct ummgr_device *device, struct ummgr_device *peer);

  /* --- what is known of it --- */

  /* Can managed memory be used while a kernel runs (Pascal and later)?  */
  bool (*pages_on_demand) (struct ummgr_device *device);

  enum ummgr_status (*memory) (struct ummgr_device *device, uint64_t *free_p,
			       uint64_t *total_p);

  /* Bytes of its memory that hold no managed pages; 0 once it is gone.  NULL: nobody
     tells what managed pages take.  */
  uint64_t (*taken) (struct ummgr_device *device);

  /* The allocation that holds ADDRESS; false if none does.  */
  bool (*range) (struct ummgr_device *device, uintptr_t address,
		 uintptr_t *base_p, size_t *size_p);

  /* Its counters.  False: only of copies by these calls; what libgomp's plugin
     copies and launches is not in them, and migrations nobody counts.  */
  bool (*counters) (struct ummgr_device *device, struct ummgr_counters *out);

  /* Counters of the allocation at ADDRESS; false if there is none.  NULL: what
     moved is known of copies alone.  */
  bool (*range_counters) (struct ummgr_device *device, uintptr_t address,
			  struct ummgr_counters *out);

  /* Where the part of the managed allocation at ADDRESS lies that is on the device,
     bytes [*LO, *HI) from its start; false where there is none.  NULL: it may be
     anywhere (a GPU tells CUPTI only: the addresses of migrations).  */
  bool (*range_extent) (struct ummgr_device *device, uintptr_t address,
			uint64_t *lo, uint64_t *hi);

  /* Bytes of the device that the managed allocation at ADDRESS takes; 0 if there is none.
     NULL: nobody tells.  */
  uint64_t (*range_held) (struct ummgr_device *device, uintptr_t address);

  /* Is managed memory [ADDRESS, +SIZE) the host's, so that host code that reads it
     moves nothing, and brings no page about?  NULL: nobody tells.  */
  bool (*on_host) (uintptr_t address, size_t size);

  /* What it is, and costs to use: replaces what is known in OUT, which holds
     estimates.  False if there is no such device; then and where it is NULL the
     estimates have to do (ummgr_device_figures).  */
  bool (*figures) (struct ummgr_device *device, struct ummgr_figures *out);

  /* How it is measured (measure.h).  NULL: it can't be.  */
  const struct ummgr_measure_ops *measure;

  /* Where the system has it on the PCI bus, such as "0000:3b:00.0".  False: nobody tells;
     NULL: it is on none.  */
  bool (*pci) (struct ummgr_device *device, char *id, size_t size);

  /* The name that all processes of the machine know it by: letters, digits and '-', ended by 0.  False: it is this
     process' alone, or nobody tells; NULL likewise.  */
  bool (*identity) (struct ummgr_device *device, char *id, size_t size);

  /* The way of copies from OTHER's memory to DEVICE's.  False: nobody tells.  */
  bool (*link) (struct ummgr_device *device, struct ummgr_device *other,
		struct ummgr_device_link *out);

  /* Of how many GPUs behind one address space DEVICE is made; 0: it is one.  BYTES[I][J]: what
     GPU I has read and written in the memory of J, which may be I, in launches in a GPU's
     order.  NULL: nobody tells.  */
  unsigned (*pairs) (struct ummgr_device *device, uint64_t bytes[][UMMGR_FIGURES_GPUS]);

  /* By other devices, what DEVICE used of their memory, and had copied from it.  NULL: nobody
     tells.  */
  bool (*between) (struct ummgr_device *device, struct ummgr_between *out);

  /* The next launch uses these ranges, as far as the compiler's tables tell; what is
     told of none says that nothing is known.  False: neither its replacement policy nor
     DECIDE has a use for it; USES NULL only asks that.  NULL: its policy is its own
     affair.  */
  bool (*uses) (struct ummgr_device *device, const struct ummgr_device_use *uses,
		size_t count);

  /* DECIDE is asked before each launch on a device of several GPUs, in a thread of the
     driver's and with its lock held, with the uses that it was told of.  For good, before
     the first launch.  False: there is no such device, or it needs no deciding; DECIDE NULL
     only asks that.  */
  bool (*lay_by) (ummgr_device_decide *decide);

  /* --- of a machine that runs regions on threads of this process; on a GPU all of
     these are NULL, and where and in which order its threads run is known from what
     instrumented code itself stores.  --- */

  /* Its name, and one line that says what --scale and --device-mem changed, empty
     when nothing was.  Static storage.  */
  const char *(*profile) (void);
  const char *(*scaling) (void);

  /* "touch" or "access": how local and remote bytes were found.  */
  const char *(*fidelity) (void);

  /* The calling thread's place.  Never NULL; the pointer stays the same for the
     life of the thread and may be kept by it, the contents follow what the
     thread runs.  Costs no more than thread-local storage does.  */
  const struct ummgr_device_place *(*place) (void);

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

  /* From the next launch on, tell WATCH, which stays, of each access that launches make to
     memory, in the launch's thread, in the order in which a GPU makes them (gpu/gpu.h).
     For good, before the first launch.  False: what runs there is not the GPU's own
     code.  */
  bool (*watch) (const struct ummgr_device_watch *watch);

  /* The same where host versions run, of those that `report'; with access fidelity.  WATCH
     may be NULL.  A launch is libgomp's, of whose threads each is a warp; or, with
     THREADS, as large as one of CUDA's would be: so many threads a team, unless the region
     says otherwise, about one iteration each, of which 32 are a warp.  All of them run in
     the launch's thread, one after another, each as far as the next barrier.  Regions that
     this can't do run as before, after one note.  WORKED says how many operations that
     access no memory the calling thread has done since it was asked, or told them.  */
  bool (*model) (const struct ummgr_device_watch *watch, unsigned threads,
		 uint64_t (*worked) (void));

  /* The calling thread, whose place has a step, does WORK operations that access no memory,
     and then what the N references of a nest say, or one of no loop (INNER and strides are
     0): what `access' says of others.  */
  void (*report) (const struct ummgr_trace_nest_ref *refs, uint32_t n, uint64_t work);

  /* The next launches of the region with this host FUNCTION have so many
     ITERATIONS to share.  Does nothing unless `model' was told of threads.  */
  void (*expect) (const void *function, uint64_t iterations);

  /* How the launch went that has ended last on DEVICE, for the first who asks.  False: it
     was not modelled.  */
  bool (*ran) (struct ummgr_device *device, struct ummgr_device_ran *out);

  /* In which order launches make accesses, and what is known of how far that is from a
     GPU's, in a few words.  Static storage.  */
  const char *(*order) (void);

  /* While ON, what this thread allocates is scratch of libgomp's plugin (the
     soft stacks it makes for a launch): real GPUs hold them too, but they do
     not shrink with --scale or --device-mem, so the simulated capacity does
     not count them.  */
  void (*scratch_alloc) (bool on);

  /* --- modelled time, in seconds from the beginning; NULL on a GPU, and in replays,
     which know of one device that does one thing at a time --- */

  /* The calling thread's: all that it asked of devices, and waited for, is over by then.
     What it asks for next begins then, or when the device is done with what it has, if
     that is later.  A thread begins at 0; what it computes takes no time.  */
  double (*time) (void);

  /* The calling thread goes on at TIME, maybe an earlier one: what it issues then is side
     by side with what it issued before, on other devices.  */
  void (*set_time) (double time);

  /* When the last of all that threads and devices have done so far is over.  */
  double (*elapsed) (void);

  /* The thread with this number (gettid) is none of the program's: it touches no
     memory of the machine's.  */
  void (*own_thread) (int tid);
};

/* The calling thread copies SIZE bytes within the host's memory, for D: modelled, at RATE.  */
static inline void
ummgr_device_stage (const struct ummgr_device *d, void *to, const void *from, size_t size, double rate)
{
  memcpy (to, from, size);
  if (d->ops->set_time)
    d->ops->set_time (d->ops->time () + (double) size / rate);
}

/* Can it be told that what managed memory has is of no use?  */
static inline bool
ummgr_device_discards (struct ummgr_device *d)
{
  return d->ops->discard && d->ops->discard (d, 0, 0) == UMMGR_OK;
}

/* Seconds, modelled or real.  */
static inline double
ummgr_device_now (const struct ummgr_device *d)
{
  return d->ops->time ? d->ops->time () : (double) ummgr_nanoseconds (CLOCK_MONOTONIC) * 1e-9;
}

/* What one thread asks of several devices, side by side in modelled time: each part begins
   when the first did, and the end is the last one's.  Behind OPS without such a time nothing
   is done.  */
struct ummgr_forked
{
  const struct ummgr_device_ops *ops;
  double began, last;
};

static inline struct ummgr_forked
ummgr_forked_begin (const struct ummgr_device_ops *ops)
{
  double now = ops->set_time ? ops->time () : 0;
  return (struct ummgr_forked) { ops, now, now };
}

/* A part is over.  */
static inline void
ummgr_forked_next (struct ummgr_forked *forked)
{
  if (!forked->ops->set_time)
    return;
  double now = forked->ops->time ();
  forked->last = now > forked->last ? now : forked->last;
  forked->ops->set_time (forked->began);
}

static inline void
ummgr_forked_end (const struct ummgr_forked *forked)
{
  if (forked->ops->set_time)
    forked->ops->set_time (forked->last);
}

/* The driver's device NUMBER; one that is always gone if there can't be such.  */
struct ummgr_device *ummgr_device_of (int number);

/* What the driver's devices are, once it is open; before that no slot is filled.  */
const struct ummgr_device_ops *ummgr_device_ops (void);

/* All counters of the driver's device NUMBER: PLUGIN, which may be NULL, tells what
   libgomp's plugin copies and launches, where the device itself does not.  */
void ummgr_device_counters (int number,
			    void (*plugin) (int, struct ummgr_counters *),
			    struct ummgr_counters *out);

/* Of DEVICE; estimates where it tells nothing.  */
struct ummgr_figures ummgr_device_figures (struct ummgr_device *device);

/* Of DEVICE.  */
struct ummgr_remote ummgr_device_remote (struct ummgr_device *device);
