/* A GPU that runs a launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A launch's teams lie on multiprocessors (SMs) in turn, as many as fit; when one ends the
   next that has not begun takes its place.  Warps go in the order of modelled time: each
   makes a step, what it does up to and including instructions that access memory, of which
   none needs what another brings, and is ready for the next when these have their data;
   only steps that caches serve come some at a time, up to a few microseconds.  So there is
   one order of execution, and one time, whoever says what warps do: the GPU's own code, or
   an instrumented host version.

   A step takes

   - its SM's time: instructions / (issue_rate * clock), and a clock for each line of 128
     bytes that its cache looks up;
   - of the sectors of 32 bytes that its lanes touch, those that the SM's first-level cache
     doesn't hold.  Each of these needs a page that the GPU may access, or faults;
   - what the last-level cache doesn't hold comes from local memory at memory_rate, or over
     the link at remote_rate, shared by all; what it writes back there goes the other way,
     and both at once as fast as figures' both_rate has it for copies;
   - each sector that is asked for over the link is an access to access counters
     (uvm/counters.c), where the machine has them on;
   - a warp that reads waits for that, memory_latency at least, remote_latency over the link, or
     some 30 cycles for its SM's cache; one that writes does not, nor by an atomic, wherever that is made: of those
     whose result nobody uses, as OpenMP's `atomic update' has it, ptxas makes reductions, which nobody waits for.

   Faults (buffer.h) go into the device's fault buffer; the driver serves them a batch at a
   time and then has all accesses that wait tried again.  While a micro TLB, which
   utlb_sms SMs share, has a fault outstanding, each warp behind it makes one more access,
   and then waits for the replay, too: the driver's headers say that faults are reported by
   micro TLB, not by warp (kernel-open/nvidia-uvm/uvm_turing_fault_buffer.h,
   kernel-open/nvidia-uvm/uvm_ampere_fault_buffer.h), and measured programs thrash as if all behind one waited.
   utlb_sms = 0: a fault holds up its warp alone.

   A device may be several GPUs behind one address space (figures' gpus).  Multiprocessors
   are theirs in turn; each GPU has its last-level cache, memory, and a link to where the
   others are, in and out.  What lies on another one (LAYOUT below, by device/layout.h) comes
   over that one's link out and its own link in, at gpus_rate, and writes the other way.
   That a line comes from another GPU costs no time but what links take.

   Not modelled: loads under way across branches, bank conflicts, the schedulers'
   preferences, TLB misses that don't fault, atomics that wait for each other.

   One thread at a time; a launch has all it needs on its own.  */

#pragma once

#include "device/device.h"
#include "device/layout.h"
#include "uvm/uvm.h"

#pragma GCC visibility push(hidden)

enum
{
  UMMGR_GPU_LANES = 32,
  UMMGR_GPU_SECTOR = 32
};

/* What LANES lanes access, the first ADDRESS, each STRIDE behind the one before.  */
struct ummgr_gpu_access
{
  uint64_t address;
  int32_t stride;
  uint32_t site;		/* The source's.  */
  uint32_t issued;		/* Instructions of the warp up to here, but for those of
				   steps' WORK, modulo 2^32.  */
  uint8_t size;
  uint8_t lanes;
  uint8_t more;			/* Of the same instruction follow.  */
  uint8_t kind : 2;		/* 0 load, 1 store, 2 atomic.  */
  bool joins : 1;		/* Needs nothing of what the one before brings.  */
};

/* What a warp does next: instructions that access memory, and then WORK others.  */
struct ummgr_gpu_step
{
  unsigned work;
  unsigned count;		/* Of accesses.  */
  const struct ummgr_gpu_access *access; /* Until the next call for this warp.  */
};

enum ummgr_gpu_next
{
  UMMGR_GPU_STEP,
  UMMGR_GPU_WAITS,		/* Until ummgr_gpu_wake.  */
  UMMGR_GPU_ENDS,
  UMMGR_GPU_FAILS		/* The launch is over.  */
};

struct ummgr_gpu;

/* What is known of some memory.  */
enum ummgr_gpu_kind
{
  UMMGR_GPU_NONE,		/* Costs nothing, and never faults.  */
  UMMGR_GPU_LOCAL,
  UMMGR_GPU_REMOTE,
  UMMGR_GPU_MANAGED
};

/* No GPU behind the same address space has it.  */
enum { UMMGR_GPU_ELSEWHERE = UMMGR_FIGURES_GPUS };

struct ummgr_gpu_place
{
  uint64_t base, end;		/* Addresses of which this is true in the launch.  */
  enum ummgr_gpu_kind kind;
  struct uvm_range *range;	/* Of MANAGED ...  */
  uint64_t within;		/* ... in which BASE is so many bytes from the begin.  */
  uint64_t key;			/* An address and this is what the last-level cache knows.  */
  void *owner;			/* The teller's.  */
  struct ummgr_gpu_laid *laid;	/* Of a device of several GPUs, else unused: how what is
				   here lies, in the order of addresses, the last one up to
				   END; not NULL there.  */
};

/* Sectors that an access moves behind the last-level cache; beside these, such that it writes back over the link.  */
struct ummgr_gpu_moved
{
  unsigned moved, sent;
};

/* Of BYTES of memory of the one side of the link, which is the other side's if REMOTE, and of all SENT over it.  */
static inline struct ummgr_gpu_moved
ummgr_gpu_moved_of (uint64_t bytes, uint64_t sent, bool remote)
{
  return (struct ummgr_gpu_moved) { (unsigned) ((bytes - (remote ? sent : 0)) / UMMGR_GPU_SECTOR),
				    (unsigned) (sent / UMMGR_GPU_SECTOR) };
}

/* A part of memory, up to END.  */
struct ummgr_gpu_laid
{
  uint64_t end;
  struct ummgr_layout layout;
  unsigned char *first;		/* Where the layout has no grain: by page from FROM on, 1
				   + the GPU that has it, or 0.  */
  uint64_t from;
};

struct ummgr_gpu_options
{
  struct uvm *uvm;
  int device;			/* Whose figures it has.  */
  uint32_t teams, warps;	/* Of a team.  */
  unsigned per_sm;		/* Teams in flight; ummgr_gpu_per_sm.  */
  unsigned whole;		/* On the machine that is scaled; ummgr_gpu_whole.  */
  uint64_t shared;		/* Bytes of an SM's cache that are shared memory.  */
  struct ummgr_device_shape shape; /* What ummgr_gpu_fit was told.  */
  const uint64_t *changes;	/* What `place' said holds while this stays; atomic.  */
  /* A device of several GPUs has its teams so; NULL: nobody wants to know.  Memory may be laid otherwise then.  */
  void (*spread) (int device, const struct ummgr_device_spread *spread);
  /* Hears what the source and `place' say, by its `shape', `area' and `steps'; NULL:
     nobody.  */
  const struct ummgr_device_watch *watch;
  void *data;			/* The source's: of begin, next and made.  */
  /* TEAM begins in SLOT, whose warps are numbered from SLOT * WARPS on.  False: no
     memory.  */
  bool (*begin) (void *data, unsigned slot, uint32_t team);
  enum ummgr_gpu_next (*next) (void *data, unsigned warp, struct ummgr_gpu_step *step);
  /* WARP makes an instruction's accesses; NULL: nobody wants to know.  */
  void (*made) (void *data, unsigned warp, const struct ummgr_gpu_access *access,
		unsigned count);
  void *memory;			/* Of what follows.  */
  /* What ADDRESS is in.  */
  void (*place) (void *memory, uint64_t address, struct ummgr_gpu_place *place);
  /* Does the last-level cache of GPU, 0 where the device is one, have a sector of PLACE now,
     so that `use' would move nothing?  NULL: it never does.  */
  bool (*held) (void *memory, const struct ummgr_gpu_place *place, uint64_t sector,
		bool write, unsigned gpu);
  /* GPU uses a sector of PLACE that no first-level cache served, and which is in the memory
     of GPU HOME, or UMMGR_GPU_ELSEWHERE.  */
  struct ummgr_gpu_moved (*use) (void *memory, const struct ummgr_gpu_place *place, uint64_t sector,
		   bool write, unsigned gpu, unsigned home);
  /* How many sectors GPU's last-level cache has written that are in the host's memory, and go
     there when the launch ends.  NULL: none.  */
  uint64_t (*left) (void *memory, unsigned gpu);
};

/* Teams of WARPS warps, each thread with REGISTERS and each team with SHARED bytes (0: not
   known), that an SM has in flight; at least 1.  */
unsigned ummgr_gpu_whole (const struct ummgr_figures *figures, unsigned warps,
			  unsigned registers, uint64_t shared);
/* And as it is scaled: to the nearest, at least 1.  An SM with another part of its teams than
   the machine has of it has that part of its first-level cache, and what a warp waits for one
   after another takes longer, or less, so that as much is under way at a time.  */
unsigned ummgr_gpu_per_sm (const struct ummgr_figures *figures, unsigned whole);

/* A launch of SHAPE, on O's device: teams, warps, and how many fit.  */
void ummgr_gpu_fit (struct ummgr_gpu_options *o, const struct ummgr_device_shape *shape);
/* Teams that are in flight then, at most.  */
unsigned ummgr_gpu_slots (const struct ummgr_gpu_options *o);

struct ummgr_gpu_result
{
  double seconds;
  unsigned slots;		/* Teams in flight, at most.  */
  uint64_t steps, misses;	/* Steps; of them, beyond an SM's cache.  */
  uint64_t instructions, accesses;	/* Of warps; of them, that access memory.  */
  uint64_t batches, entries, duplicates;
  uint64_t held;		/* Times that a warp waited for others' faults.  */
};

enum ummgr_gpu_end
{
  UMMGR_GPU_DONE,
  UMMGR_GPU_FAILED,		/* As the source said.  */
  UMMGR_GPU_STUCK,		/* All warps that have not ended wait.  */
  UMMGR_GPU_NO_MEMORY
};

/* Run a launch.  Calls the functions of OPTIONS.  */
enum ummgr_gpu_end ummgr_gpu_run (const struct ummgr_gpu_options *options,
				  struct ummgr_gpu_result *result);

/* From within `next': WARP, which waits, goes on now.  */
void ummgr_gpu_wake (struct ummgr_gpu *gpu, unsigned warp);
/* From within `next', too, and only for `watch': the warp that is asked is at a barrier.  */
struct ummgr_gpu_barrier
{
  unsigned which;		/* Below 16.  */
  unsigned warps;		/* That are to arrive there; 0: all of the team that have not
				   ended, and then there is but this barrier.  */
  unsigned passed;		/* How often it was passed before.  */
  bool waits;			/* The warp goes on only when it is passed now.  */
};
void ummgr_gpu_arrives (const struct ummgr_gpu_barrier *barrier);
/* The GPU whose `next' is running.  */
struct ummgr_gpu *ummgr_gpu_running (void);

#pragma GCC visibility pop
