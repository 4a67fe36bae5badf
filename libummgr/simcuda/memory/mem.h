/* Inside the memory half of the simulated driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   How managed memory works here.  Who holds which page is what an instance of
   uvm/ says; the bytes all lie in one arena: a mapping of one memfd, so there is
   one physical copy of every page, and migration moves books, not bytes.  What
   traps is the absence of a page table entry.  Each processor has a *view* of the
   arena, the entries of the pages it holds; the view in force is mapped at the
   arena's address, the others are parked at addresses of their own, and a launch
   exchanges two of them by moving page tables (view.c).  The driver's own copies go
   through a further mapping, the alias, which never traps.

     init.c        coming up, fork, counters, sim_mem_check
     extent.c      address space: what is free, best fit
     alloc.c       allocations of all kinds, and finding them
     shared.c      the same machine in several processes
     plain.c       device memory, and who may touch it; keys.c: by which register
     copy.c        copy and set
     advise.c      prefetch, advice, range attributes
     launch.c      sim_mem_launch_begin and _end
     managed.c     the arena: allocating and freeing managed memory
     fault.c       from a trap to the instance, and from there to the view
     access.c      accesses that kernels report, instead of estimates
     window.c      what a thread knows of the memory it reports
     gpu.c         launches whose accesses are all told, in order
     gpu/cache.c       the devices' last-level caches, for those
     trap.c        userfaultfd and signals: how a fault gets here
     view.c        page tables: map, zap, exchange
     threads.c     which threads are the GPU's, and which run
     time.c        the modelled time of each thread of the program

   One lock guards everything but the lines of the caches (each set has a lock
   of its own, taken last) and the sums of local and remote bytes, which are
   atomic: accesses are reported too often for one lock.  A fault handler takes
   it, in a signal handler even; so no code that holds it may touch managed
   memory through the arena (the alias is there for that) or memory of the
   program, and what a fault calls allocates nothing.  */

#pragma once

#include "simcuda/sim.h"
#include "gpu/gpu.h"
#include "uvm/uvm.h"

#define SIM_PAGE UVM_PAGE

/* Where managed memory lies, and each device's, 1 TiB apart, if nothing else does: an SM's
   cache goes by address, so a launch that is run again takes the same time.  As data an
   address is two integers that don't go together: what looks like a variable's among a
   region's arguments is taken for it (image/globals.c).  */
#define SIM_MANAGED_AT UINT64_C (0x2000c0000000)
#define SIM_PLAIN_AT UINT64_C (0x30009e200000)
_Static_assert (SIM_HOST == UVM_HOST && SIM_NOWHERE == UVM_NOWHERE
		&& SIM_MAX_DEVICES == UVM_DEVICES, "places are the same");

/* Processors and views by index: 0 the CPU, 1+d device d.  */
#define SIM_PROCESSORS (SIM_MAX_DEVICES + 1)
#define SIM_CPU UVM_CPU

/* The entries of a block in a processor's view.  MAPPED pages that are not the
   processor's are stale: entries that must go before the view is installed again,
   or that only this launch may use (remote accesses); such blocks are on the view's
   stale list.  */
struct sim_entries
{
  struct uvm_mask mapped;
  struct uvm_mask cached;	/* May have lines in its cache (access.c).  */
  struct sim_block *stale_next, *stale_prev;
  bool stale;
};

/* What the instance's block OF doesn't say of it.  */
struct sim_block
{
  struct uvm_block *of;
  struct sim_range *range;
  struct uvm_mask populated;	/* Has a physical page.  */
  struct uvm_mask protected;	/* Mapped in the view in force, read-only.  */
  struct uvm_mask reported;	/* Accesses reported by launch REPORTED_IN.  */
  struct uvm_mask reported_writes;
  uint64_t reported_in;
  struct sim_entries in[];	/* 1 + device count.  */
};

/* One allocation, with what sim.h does not show.  */
struct sim_range
{
  struct sim_alloc alloc;	/* First, so that the two convert.  */
  struct ummgr_counters *counters; /* OWN, or MANAGED's.  */
  struct ummgr_counters own;
  struct uvm_range *managed;	/* Of MANAGED: in the instance.  */
  void *block_memory;		/* All its blocks, one after another.  */
  uint64_t seen_launch;		/* Number of the launch that counted it.  */
  uint64_t used_launch;		/* Of the last that reported accesses to it. */
  uint64_t key;			/* Machine address less address (access.c). */
  uint32_t cached_by;		/* Devices that have cached any of it.  */
  struct ummgr_gpu_laid *laid;	/* Of a device of several GPUs; else NULL.  */
  unsigned laid_count;		/* Owned; 0: LAID is not.  */
};

/* The machine.  Guarded by LOCK but for what init sets once.  */
struct sim_machine
{
  pthread_mutex_t lock;
  bool up;			/* Set once; cleared in a fork's child.  */
  bool shared;			/* By several processes; likewise.  */
  int devices;
  struct uvm *uvm;
  size_t block_stride;		/* Bytes of a struct sim_block.  */

  uintptr_t arena;
  char *alias;
  size_t arena_bytes;
  size_t span;			/* The part of the arena ever used, rounded. */

  int launch_device;		/* Running now, or SIM_NOWHERE.  */
  bool told;			/* That is, or is about to: all accesses are told.  */
  uint64_t launches;
};

extern struct sim_machine sim_machine;

/* A machine that processes share (shared.c).  False: UMMGR_SIM_SHARED names no file that will do, which was
   said.  The lock is had, or about to be given back; and in the child of a fork nothing is shared.  */
bool sim_shared_init (void);
void sim_shared_enter (void);
void sim_shared_leave (void);
void sim_shared_forked (void);

static inline void
sim_lock (void)
{
  pthread_mutex_lock (&sim_machine.lock);
  if (__builtin_expect (sim_machine.shared, 0))
    sim_shared_enter ();
}

static inline void
sim_unlock (void)
{
  if (__builtin_expect (sim_machine.shared, 0))
    sim_shared_leave ();
  pthread_mutex_unlock (&sim_machine.lock);
}

static inline struct sim_block *
sim_range_block (const struct sim_range *r, uint32_t i)
{
  return (struct sim_block *) ((char *) r->block_memory
			       + i * sim_machine.block_stride);
}

/* How many there are.  */
static inline uint32_t
sim_range_blocks (const struct sim_range *r)
{
  return r->managed ? r->managed->count : 0;
}

/* What ADDRESS of the arena is in: bytes from its begin, the page of a block.  */
static inline uint64_t
sim_offset (uintptr_t address)
{
  return address - sim_machine.arena;
}

static inline unsigned
sim_page_of (uintptr_t address)
{
  return (sim_offset (address) & (sim_machine.uvm->block_bytes - 1)) / SIM_PAGE;
}

static inline uint64_t
sim_block_offset (const struct sim_block *b)
{
  return (uint64_t) b->of->unit << sim_machine.uvm->block_shift;
}

/* The block that holds ADDRESS of the arena, or NULL.  */
static inline struct sim_block *
sim_block_at (uintptr_t address)
{
  const struct uvm_block *b
    = uvm_block_at (sim_machine.uvm,
		    sim_offset (address) >> sim_machine.uvm->block_shift);
  return b ? b->user : NULL;
}

static inline bool
sim_holds (const struct sim_block *b, unsigned page, unsigned p)
{
  return uvm_mask_test (&b->of->by[p].resident, page);
}

/* --- extent.c: free address space --------------------------------------- */

struct sim_space
{
  uintptr_t unit;		/* All addresses and sizes are multiples.  */
  void *by_base;		/* JudyL: base to size.  */
  void *by_size;		/* JudyL: size to a Judy1 of bases.  */
};

bool sim_space_init (struct sim_space *space, uintptr_t base, size_t size,
		     uintptr_t unit);
uintptr_t sim_space_take (struct sim_space *space, size_t size); /* 0: full. */
void sim_space_give (struct sim_space *space, uintptr_t base, size_t size);

/* --- alloc.c ---------------------------------------------------------- */

/* sim_mem_find with the lock held.  */
struct sim_range *sim_range_find (uintptr_t address);

/* Call VISIT for each allocation, in the order of addresses.  */
void sim_range_each (void (*visit) (struct sim_range *r, void *data),
		     void *data);

/* No allocation holds ADDRESS: how far that is so.  */
void sim_range_gap (uintptr_t address, uintptr_t *lo_p, uintptr_t *hi_p);

/* --- managed.c: the arena ----------------------------------------------- */

CUresult sim_managed_init (void);

/* Give SIZE bytes at OFFSET of the arena memory; false, errno: there is
   none.  */
bool sim_managed_populate (uint64_t offset, size_t size);

/* A further mapping of the whole arena, aligned as it is; NULL: no space.  */
void *sim_managed_map (void);
CUresult sim_managed_alloc (struct sim_range *r, int home);
void sim_managed_free (struct sim_range *r);

static inline bool
sim_managed_address (uintptr_t address)
{
  return address - sim_machine.arena < sim_machine.arena_bytes;
}

static inline char *
sim_managed_alias (uintptr_t address)
{
  return sim_machine.alias + (address - sim_machine.arena);
}

/* --- plain.c ------------------------------------------------------------ */

CUresult sim_plain_init (void);

/* The address of SIZE bytes, 0: none; with *GAP_P so far from anything else,
   set to 0 if there is no room for that.  */
uintptr_t sim_plain_take (int device, size_t size, size_t *gap_p);
void sim_plain_give (int device, uintptr_t base, size_t size, size_t gap);
int sim_plain_device (uintptr_t address); /* Or SIM_NOWHERE.  */
uintptr_t sim_plain_base (int device);
size_t sim_plain_size (int device);

/* Let the calling thread touch plain memory of the DEVICES (bits); the
   result goes to sim_plain_close.  */
uint64_t sim_plain_open (uint32_t devices);
void sim_plain_close (uint64_t state);

/* The same for what a copy needs: [ADDRESS, +SIZE), if that is plain memory.  */
struct sim_plain_part
{
  int device;			/* A part of it is open; SIM_NOWHERE: none.  */
  uint64_t state;		/* Else, of sim_plain_open.  */
  int copy;			/* Of sim_watch_copy.  */
};
struct sim_plain_part sim_plain_open_part (uintptr_t address, size_t size);
void sim_plain_close_part (struct sim_plain_part part);

/* Does the interrupted CONTEXT, or the calling thread, have any device's
   memory open?  False where memory protection keys are missing.  */
bool sim_plain_opened (const void *context);
bool sim_plain_keys (void);

/* A SEGV in DEVICE's memory of a GPU-side thread that was made for another
   launch: open what the launch in force may touch.  True if that helps.  */
bool sim_plain_reopen (void *context, int device);

/* --- watch.c ------------------------------------------------------------ */

/* Note which blocks of plain memory [LO, HI), of one device, are touched, from now on until sim_watch_end.  */
void sim_watch (uintptr_t lo, uintptr_t hi);
/* Bytes of [LO, HI) in blocks that were so far.  */
uint64_t sim_watch_touched (uintptr_t lo, uintptr_t hi);
void sim_watch_end (void);

/* A SEGV at ADDRESS of who may use that memory: true if it was, or is being, touched for the first time, and the access
   is to be tried again.  In a signal handler.  */
bool sim_watch_touch (uintptr_t address);

/* A copy reads or writes [ADDRESS, +SIZE) until sim_watch_copied gets the result.  */
int sim_watch_copy (uintptr_t address, size_t size);
void sim_watch_copied (int copy);

/* --- copy.c ---------------------------------------------------------- */

/* The calling thread can't access ADDRESS: if it is because of a copy, say
   which.  In a signal handler.  */
void sim_copy_explain (uintptr_t address);

/* --- fault.c ------------------------------------------------------------ */

enum sim_fault_result
{
  SIM_FAULT_DONE,		/* Try again.  */
  SIM_FAULT_ALIEN,		/* Not an address of ours.  */
  SIM_FAULT_FREED		/* Managed memory that is not allocated.  */
};

/* DEVICE, whose launch runs, is about to access PAGE of B: do, with the lock
   held, what the trap would if the access faults, so that it does not trap.
   True if no other processor has a copy, so that the next access may write
   unasked.  */
bool sim_fault_access (struct sim_block *b, unsigned page, int device,
		       bool write);

/* What hears of the instance's changes.  */
extern const struct uvm_observer sim_observer;

/* Take the lock and serve the fault of thread TID.  */
enum sim_fault_result sim_fault (uintptr_t address, bool write, bool gpu,
				 int tid);

enum { SIM_USES = 128 };		/* Of a launch, that are told of; more are left out.  */

/* --- layout.c ------------------------------------------------------------ */

/* With the lock held, but init.  R is there, or is about to go.  */
void sim_layout_init (const char *placement);
void sim_layout_allocated (struct sim_range *r);
void sim_layout_freed (struct sim_range *r);
/* Has anybody a say in where memory lies?  */
bool sim_layout_asked (void);
/* DEVICE's launch has so many teams: ask where what it uses is to lie.  */
void sim_layout_spread (int device, const struct ummgr_device_spread *spread);

/* --- access.c ----------------------------------------------------------- */

/* All with the lock held, but sim_access_reported.  R is about to be found, or
   is found no longer.  */
void sim_access_allocated (struct sim_range *r);
void sim_access_freed (struct sim_range *r);
/* What lies where has changed.  */
void sim_access_laid (void);

/* P holds pages S of B no longer, or maps them no longer.  */
void sim_access_lost (struct sim_block *b, const struct uvm_mask *s,
		      unsigned p);

/* Some page has a further copy.  */
void sim_access_changed (void);

/* A launch begins; ends: true if it has reported accesses, and so needs no
   estimate.  Has the one in force reported any?  */
void sim_access_begin (void);

/* uses.c: DEVICE's next launch begins.  The lock is held.  */
void sim_uses_begin (int device);
/* Those of the launch in force.  */
size_t sim_uses_now (int device, const struct ummgr_device_use **uses_p);
bool sim_access_end (int device);
bool sim_access_reported (void);

/* The owner, of gpu/cache.h, of R's line at ADDRESS, which DEVICE uses where others have it.  */
uintptr_t sim_access_elsewhere (struct sim_range *r, int device, uintptr_t address);

/* DEVICE has used BYTES of R where they are, in OWNER's memory: SIM_CPU, or 1 + a device; WRITTEN: it has
   written them.  */
void sim_access_count (struct sim_range *r, int device, unsigned owner, uint64_t bytes, bool written);

/* Sectors of the host's memory that the last-level cache of GPU, of those that the device is made
   of, has written and not sent there yet.  */
uint64_t sim_access_left (int device, unsigned gpu);

/* Would sim_access_use, called so, move nothing now?  */
bool sim_access_held (int device, unsigned gpu, const struct ummgr_gpu_place *place,
		      uint64_t sector, unsigned how);

/* DEVICE's launch, which tells all accesses, uses SECTOR of PLACE as HOW says: GPU, of those
   that the device is made of, what is in the memory of HOME, or UMMGR_GPU_ELSEWHERE.  */
struct ummgr_gpu_moved sim_access_use (int device, unsigned gpu, const struct ummgr_gpu_place *place,
				       uint64_t sector, unsigned how, unsigned home);

/* Are there caches to count by?  */
bool sim_access_possible (void);

/* Counts allocations that come and go; atomic.  */
extern uint64_t sim_access_allocations;

void sim_access_after_fork (void);

/* --- trap.c ------------------------------------------------------------- */

enum sim_trap_mode
{
  SIM_TRAP_NONE,		/* Nothing traps.  */
  SIM_TRAP_EVENT,		/* A handler thread; system calls work too.  */
  SIM_TRAP_SIGNAL		/* SIGBUS in the faulting thread; faster.  */
};

void sim_trap_init (void);
void sim_trap_signals (void);	/* Install the actions; once.  */
void sim_trap_after_fork (void);

/* Can faults be tracked during launches; outside them as well?  */
bool sim_trap_gpu (void);
bool sim_trap_cpu (void);

/* Turn trapping on over the arena's span, off, or to another mode.  */
void sim_trap_set (enum sim_trap_mode mode);
enum sim_trap_mode sim_trap_get (void);
bool sim_trap_signals_ours (int signal); /* SIGBUS or SIGSEGV.  */

/* Give the pages [ADDRESS, +SIZE) memory and enter them in the page table; false:
   some have memory already, or there is none.  */
bool sim_trap_fill (uintptr_t address, size_t size);

/* Enter the pages [ADDRESS, +SIZE) in the page table; write-protect them.  */
void sim_trap_map (uintptr_t address, size_t size);
void sim_trap_protect (uintptr_t address, size_t size);

/* Write protection is wanted from now on (some memory is read-mostly);
   false where the kernel cannot.  */
bool sim_trap_want_protection (void);

/* --- view.c ------------------------------------------------------------- */

unsigned sim_view_now (void);	/* Processor whose view is in force.  */
void sim_view_install (unsigned to, enum sim_trap_mode mode);

/* Enter pages S of B in the view in force; READ_ONLY: write-protected.  */
void sim_view_map (struct sim_block *b, const struct uvm_mask *s,
		   bool read_only);

/* Processor P holds pages S of B no longer: at once if its view is in force,
   else before it is installed.  */
void sim_view_lost (struct sim_block *b, const struct uvm_mask *s, unsigned p);

/* Entries of S must go from P's view now, though P still holds the pages.  */
void sim_view_zap (struct sim_block *b, const struct uvm_mask *s, unsigned p);

/* The view in force has entries for B that must go before it comes again. */
void sim_view_transient (struct sim_block *b);
void sim_view_forget (struct sim_block *b);

/* The arena has grown: SPAN bytes are in use.  */
void sim_view_grow (size_t span);

/* --- threads.c ---------------------------------------------------------- */

void sim_threads_begin (void);	/* At launch begin and end.  */
void sim_threads_end (void);
void sim_threads_after_fork (void);

/* The calling thread calls the driver: it is no thread of a kernel's, unless it says so.  */
void sim_threads_calls (void);

/* Threads of the program that may run host code now.  */
int sim_threads_running (void);
bool sim_threads_tid_is_gpu (int tid);

/* --- time.c ------------------------------------------------------------- */

/* Around what may take modelled time for the calling thread: it begins at the thread's
   time, and the thread waits for it.  Not in a fault's handler.  */
void sim_time_lock (void);
void sim_time_unlock (void);

/* The time of thread TID of the process, with the lock held; good until it is given up.  */
double *sim_time_of (int tid);

/* --- launch.c ---------------------------------------------------------- */

/* A host thread left the driver: it may make system calls now.  */
void sim_launch_host_runs (void);

/* Open to the calling thread what the launch in force may touch, or close
   it again.  */
void sim_launch_open (bool open);
/* The plain allocation of SIZE bytes at BASE is no more: forget its parts.  The
   lock is held.  */
void sim_launch_forget (uintptr_t base, uint64_t size);

/* --- init.c ---------------------------------------------------------- */

/* Do the books agree?  Logs the first disagreement.  Takes the lock.  */
bool sim_mem_check (void);
