/* Unified memory of one host and its GPUs: who holds which page, and what moves it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The room's map.  An instance says what NVIDIA's open kernel driver does with
   managed memory; it has no memory of its own, traps nothing, and knows nobody who
   asks.  What it is told: ranges come and go, a processor accesses a page, the
   program advises and prefetches, the driver copies, launches begin and end.  What
   it tells: counters, modelled time, who holds what, and, as things change, an
   observer.

     uvm.c        instances, ranges, launches, the check of the books
     residency.c  holders, capacity, eviction through paging/
     fault.c      where a page goes, and why
     batch.c      a GPU's faults, some hundred at a time
     counters.c   access counters: what is used over the link often comes
     advise.c     prefetches, advice, the driver's own copies
     tree.c       the density prefetcher
     clock.c      modelled time
     link.c       what devices' links share
     rules.h      what these files tell one another

   May include base/, device/figures.h and paging/ alone.  The simulated driver (simcuda/memory) makes
   an instance page for real, replay/machine.c feeds one from a trace, gpu/ asks one what
   a batch of faults moves.

   Any number of instances live side by side, none of them thread-safe: whoever
   shares one serialises its calls.  Nothing is global.  A clone is an instance of
   its own with the same past, without the observer: plans can be tried on it.

   These may allocate: create, clone, range_add, advise, region; and destroy and
   range_remove free.  All others neither allocate nor lock nor log, and take time
   bounded by the block: they may be called from a signal handler that holds the
   caller's lock.  The observer is called in the middle of them, and calls nothing
   of the instance's but what only reads.

   Everything below is there to be read; only the calls change it, but for AT and a device's
   local_bytes, remote_bytes, far_bytes, what it used between devices, and figures, which are
   the caller's to set (what a kernel does with memory that it holds is not seen here).  */

#pragma once

#include "base/counters.h"
#include "device/figures.h"
#include "paging/paging.h"
#include "uvm/mask.h"

#include <stddef.h>

#define UVM_PAGE UINT64_C (4096)
#define UVM_DEVICES 16		/* At most.  */

/* Processors: 0 the CPU, 1 + D device D.  Where a device is expected, UVM_HOST is
   the CPU.  */
#define UVM_CPU 0
#define UVM_HOST (-1)
#define UVM_NOWHERE (-2)

struct uvm_config
{
  int devices;
  uint64_t block_bytes;		/* A power of 2, at most UVM_BLOCK_PAGES.  */
  uint64_t fault_granularity;	/* A power of 2, at most a block.  */
  const struct ummgr_paging_ops *paging;
  struct ummgr_figures device[UVM_DEVICES];
  double peer_rate[UVM_DEVICES][UVM_DEVICES];
  double peer_latency[UVM_DEVICES][UVM_DEVICES]; /* 0: the receiver's link_latency.  */
  double host_rate;		/* Of the host's memory, for all; 0: never short.  */
  int uplink[UVM_DEVICES];	/* Which switch a device is behind, from 1 on; 0: none.  */
  double uplink_rate[2 * UVM_DEVICES]; /* Of the first, and so on, each way.  */
};

/* The unified memory of COUNT such devices, whose blocks are the first one's; what
   orders them and what their peers' links carry is still to be said.  */
struct uvm_config uvm_configure (const struct ummgr_figures *device, int count);

/* What one processor has of a block.  */
struct uvm_holding
{
  struct uvm_mask resident;
  struct uvm_mask remote;	/* Others' pages that it has a mapping of.  */
  struct uvm_mask evicted;	/* Left a device for want of room, and have not come back.  */
};

struct uvm_block
{
  struct uvm_range *range;
  uint32_t unit;		/* Its number, paging/'s unit.  */
  uint16_t pages;		/* That the range has in it.  */
  int8_t last_prefetch;		/* A device, UVM_HOST or UVM_NOWHERE.  */
  bool remotely_used;		/* Some REMOTE below was ever set.  */
  bool mixed;			/* ADVICE is not the same for all pages.  */
  uint16_t *advice;		/* By page, its number (advise.c); NULL: none.  */
  void *user;			/* The observer's; NULL in a clone.  */
  struct uvm_mask on_cpu;	/* Mapped there: the CPU has accessed them since a device
				   had them.  */
  struct uvm_holding by[];	/* The CPU, then the devices.  Behind these, where accesses
				   are counted, a struct uvm_counted of each device.  */
};

/* Memory that was allocated at once; it begins with a block.  */
struct uvm_range
{
  uint32_t first, count;	/* Blocks.  */
  int home;			/* Device that the driver's copies go through.  */
  struct ummgr_counters counters; /* What its pages cost, over all devices.  */
  uint64_t held[UVM_DEVICES];	/* Of each one's managed_bytes.  */
  void *memory;			/* All its blocks, one after another.  */
};

/* Pages that came to and left a device; with what is resident they add up.  */
struct uvm_ledger
{
  uint64_t in_bytes;		/* Copied in by a migration.  */
  uint64_t born_bytes;		/* First touched there: no copy.  */
  uint64_t out_bytes;		/* Moved away, with or without a copy.  */
  uint64_t dropped_bytes;	/* Freed, or a duplicate given up.  */
};

/* How a launch went: what it took besides batches of faults, and how many faults came in how
   many of these.  */
struct uvm_ran
{
  double seconds;
  uint64_t faults, batches;
};

/* Faults of the launch in force, for its time.  */
#define UVM_GROUP 256		/* Blocks of a batch, at most.  */
struct uvm_paging
{
  double seconds;		/* Of batches.  */
  double beside;		/* The driver's, for notifications, while the launch runs.  */
  double took;			/* What uvm_launch_took said, or 0.  */
  struct uvm_ran like;		/* What uvm_launch_like said, or 0.  */
  /* Since the last batch: how the counters of bytes stood then, pages unmapped from the
     CPU, faults one by one and their blocks.  */
  uint64_t in_bytes, out_bytes, unmapped;
  unsigned grouped, units;
  uint32_t unit[UVM_GROUP];
};

/* Of a device's accesses to others' pages of a region.  */
struct uvm_counter
{
  uint32_t count;		/* Since it was cleared.  */
  uint32_t next;		/* That has notified; of the last one it says nothing.  */
  uint16_t page;		/* Whose access did.  */
  bool notified;
};

/* A device's, of a block.  */
struct uvm_counted
{
  struct uvm_mask touched;	/* Pages, since their counter was cleared.  */
  struct uvm_counter region[];
};

struct uvm_device
{
  struct ummgr_figures figures;
  uint64_t taken_bytes;		/* By uvm_take.  */
  uint64_t managed_bytes;	/* Charged for resident blocks.  */
  uint64_t others_bytes;	/* Of its memory, that somebody else has.  */
  uint32_t peers;		/* Bits.  */
  struct ummgr_paging *paging;
  struct ummgr_counters counters; /* But for model_seconds, which is CLOCK.  */
  struct ummgr_between between;
  struct ummgr_counters before;	/* When the launch in force began.  */
  struct uvm_paging paging_now;
  struct uvm_ledger ledger;
  double clock;			/* How long it was busy.  */
  double present;		/* When all launches that it was told of are done: with what
				   they waited for.  */
  double copied[2];		/* When its engines are done with copies out, and in;  */
  double ended;			/* and when the last copy is over, with its latency.  */
  /* Counters whose notifications the driver has not taken: how many, and numbers of the
     first and the last one (unit * REGIONS + region).  */
  uint32_t notified, first_notified, last_notified;
};

/* Each may be NULL.  S is never empty, and not kept.  */
struct uvm_observer
{
  /* P no longer holds pages S of B, or its mapping of others' pages has ended.  */
  void (*lost) (void *data, struct uvm_block *b, const struct uvm_mask *s,
		unsigned p);
  /* P has S, which others have from now on, too: a write must fault.  */
  void (*shared) (void *data, struct uvm_block *b, const struct uvm_mask *s,
		  unsigned p);
  /* P's write has made S its own.  */
  void (*owned) (void *data, struct uvm_block *b, const struct uvm_mask *s,
		 unsigned p);
  /* P's fault was served: S, part of which P may have had before, is there.  */
  void (*entered) (void *data, struct uvm_block *b, const struct uvm_mask *s,
		   unsigned p);
  /* Device P's access maps S, which another holds; S may become empty.  The observer
     takes out what P had mapped already, and counts the rest.  */
  void (*remote) (void *data, struct uvm_block *b, struct uvm_mask *s,
		  unsigned p);
};

/* retry.c's.  */
enum
{
  UVM_THREADS = 1024,		/* Two in one slot take it from each other.  */
  UVM_RECENT = 16,
  UVM_FEW = 4			/* Two operands, each of them in two pages.  */
};

struct uvm_thread
{
  int thread;
  unsigned next;		/* Faults so far: where the next one goes.  */
  uint64_t launch;		/* That they were in.  */
  uint64_t page[UVM_RECENT];
};

struct uvm
{
  /* The time of who calls: when what it asks for can begin, and, after it, when that was
     done.  What a device does is at that device's time, whatever this says.  */
  double at;
  int devices;
  uint64_t block_bytes;
  unsigned block_shift;
  unsigned granule_pages;
  unsigned regions, region_pages; /* Of a block, that have access counters; 0: off.  */
  size_t block_stride;		/* Bytes of a struct uvm_block.  */
  const struct ummgr_paging_ops *policy;
  struct uvm_device device[UVM_DEVICES];
  double peer_rate[UVM_DEVICES][UVM_DEVICES];
  double peer_latency[UVM_DEVICES][UVM_DEVICES];
  struct uvm_links *links;	/* link.c's; NULL: nothing is shared.  */
  struct uvm_block **blocks;	/* By unit.  */
  uint32_t units;		/* That BLOCKS and the policy know.  */
  int launch_device;		/* Running now, or UVM_NOWHERE.  */
  bool told;			/* uvm_launch_told.  */
  uint64_t launches;		/* On all devices.  */
  struct uvm_thread thread[UVM_THREADS];
  bool hears;			/* The policy, of hits in the launch in force.  */
  uint32_t hit, hits;		/* The last unit, and how often in a row.  */
  uint32_t kept[UVM_FEW];	/* Units that stay for the fault that is served.  */
  unsigned kept_count;
  struct uvm_combination *combination; /* advise.c's.  */
  unsigned combinations;
  const struct uvm_observer *observer;
  void *observer_data;
};

/* --- instances ------------------------------------------------------------- */

/* NULL without memory; clone also where the replacement policy can't be copied.  */
struct uvm *uvm_create (const struct uvm_config *config);
struct uvm *uvm_clone (const struct uvm *u);
void uvm_destroy (struct uvm *u);
void uvm_observe (struct uvm *u, const struct uvm_observer *observer,
		  void *data);

/* Bytes of memory that a block of PAGES takes at most, but for what the replacement
   policy keeps of it, and access counters.  */
size_t uvm_block_memory (int devices, unsigned pages);

/* Do the books agree?  COMPLAIN hears of each disagreement.  */
bool uvm_check (const struct uvm *u,
		void (*complain) (void *data, const char *text), void *data);

/* --- ranges ---------------------------------------------------------------- */

/* PAGES pages from block FIRST on, where no range is.  Nobody holds them, or, with
   ON_HOST, the CPU.  NULL without memory.  */
struct uvm_range *uvm_range_add (struct uvm *u, uint32_t first, uint64_t pages,
				 int home, bool on_host);
void uvm_range_remove (struct uvm *u, struct uvm_range *r);

/* Pages S of B are freed, or what is in them is of no use any more: nobody holds them.  */
void uvm_discard (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s);

/* As cuMemDiscardBatchAsync of the pages in [OFFSET, +SIZE), whole pages: what is in them is of no use.  The driver
   keeps them until it needs the memory, or somebody writes there; here they go at once, as the next access costs
   the same: a page is made, and nothing copied.  */
void uvm_discard_range (struct uvm *u, uint64_t offset, uint64_t size);

static inline struct uvm_block *
uvm_range_block (const struct uvm *u, const struct uvm_range *r, uint32_t i)
{
  return (struct uvm_block *) ((char *) r->memory + i * u->block_stride);
}

/* NULL: no range has it.  */
static inline struct uvm_block *
uvm_block_at (const struct uvm *u, uint64_t unit)
{
  return unit < u->units ? u->blocks[unit] : NULL;
}

/* The processor that a reader on FROM gets PAGE from; -1: nobody holds it.  */
int uvm_holder (const struct uvm *u, const struct uvm_block *b, unsigned page,
		unsigned from);

/* Those of S that another processor than P holds, too.  */
struct uvm_mask uvm_held_elsewhere (const struct uvm *u,
				    const struct uvm_block *b,
				    const struct uvm_mask *s, unsigned p);

/* The pages of PAGE's granule that are advised as it is.  */
struct uvm_mask uvm_granule (const struct uvm *u, const struct uvm_block *b,
			     unsigned page);

/* What B costs a device that holds any page of it.  */
uint64_t uvm_charge (const struct uvm *u, const struct uvm_block *b);

/* --- capacity -------------------------------------------------------------- */

/* BYTES of DEVICE's memory for something else, evicting blocks if need be; false
   if evicting does not help.  And back.  */
bool uvm_take (struct uvm *u, int device, uint64_t bytes);
void uvm_give (struct uvm *u, int device, uint64_t bytes);

/* What is taken is BYTES from now on, as by these; false as uvm_take.  */
bool uvm_taken (struct uvm *u, int device, uint64_t bytes);

/* DEVICE reaches PEER's memory, or no longer.  */
void uvm_peer (struct uvm *u, int device, int peer, bool enabled);
bool uvm_peer_link (const struct uvm *u, int a, int b);

/* --- what processors do ---------------------------------------------------- */

/* Processor P accesses PAGE of B.  False: it may, nothing has changed.  Else the
   observer was told what P has of it now.  */
bool uvm_access (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p,
		 bool write);

/* The same for a device's THREAD, which tries again until it may: with memory for a
   few blocks it shall not evict, each time, what it got just before.  */
bool uvm_access_again (struct uvm *u, struct uvm_block *b, unsigned page,
		       unsigned p, bool write, int thread);

/* May DEVICE access PAGE of B?  What an access maps without a fault, for accessed-by, it
   maps here.  */
enum uvm_reach
{
  UVM_LOCAL,			/* Its own copy.  */
  UVM_REMOTE,			/* Another processor's, over the link.  */
  UVM_FAULTS
};
enum uvm_reach uvm_reaches (struct uvm *u, struct uvm_block *b, unsigned page,
			    int device, bool write);

/* DEVICE uses memory of UNIT that it has: the replacement policy, if it hears of such (HEARS;
   today's driver, "lru", does not, whatever tells it), does so once in a while.  */
void uvm_hit (struct uvm *u, int device, uint32_t unit);

/* An entry of a device's fault buffer.  */
struct uvm_fault
{
  struct uvm_block *block;
  uint16_t page;
  bool write;
};

/* What serving some has done.  */
struct uvm_batch
{
  unsigned pages;		/* Faults: different pages that were not there.  */
  unsigned duplicates;		/* Entries for a page that another was for, too.  */
  unsigned blocks;		/* That were served.  */
  double seconds;
};

/* The driver serves COUNT entries at once, in a launch of DEVICE's: sorted by address,
   equal pages merged, a block at a time with one evaluation of the prefetcher's tree over
   all its faults, for at most UVM_GROUP blocks ("service_fault_batch",
   kernel-open/nvidia-uvm/uvm_gpu_replayable_faults.c).  FAULT is reordered.  */
struct uvm_batch uvm_serve (struct uvm *u, int device, struct uvm_fault *fault,
			    unsigned count);

/* The launch in force tells of each access over the link (uvm_used_remotely), and then
   has the driver serve notifications.  Else pages count as they are mapped, once a launch,
   with all their sectors, and notifications are served at once.  */
void uvm_launch_told (struct uvm *u);

/* DEVICE has made ACCESSES to PAGE of B, which another processor has.  True: that notifies
   the driver.  */
bool uvm_used_remotely (struct uvm *u, struct uvm_block *b, unsigned page, int device,
			unsigned accesses);

/* The driver takes up to MOST of DEVICE's notifications, into ENTRY, sorted by address: how
   many.  */
unsigned uvm_notified (struct uvm *u, int device, struct uvm_fault *entry, unsigned most);

/* And serves them, at most UVM_GROUP: pages are those that came to where they are to be,
   seconds are without gpu_fault_cost.  */
struct uvm_batch uvm_serve_notified (struct uvm *u, int device, const struct uvm_fault *entry,
				     unsigned count);

/* The driver copies pages [LO, HI) of B, from them or, from DEVICE, to them: they
   come into being on the CPU, or where a write by DEVICE takes them.  */
void uvm_copied_from (struct uvm *u, struct uvm_block *b, unsigned lo,
		      unsigned hi);
void uvm_copied_to (struct uvm *u, struct uvm_block *b, unsigned lo,
		    unsigned hi, int device);

/* --- what the program says -------------------------------------------------- */

/* As CUmem_advise has them.  */
enum uvm_advice
{
  UVM_SET_READ_MOSTLY = 1,
  UVM_UNSET_READ_MOSTLY,
  UVM_SET_PREFERRED,
  UVM_UNSET_PREFERRED,
  UVM_SET_ACCESSED_BY,
  UVM_UNSET_ACCESSED_BY
};

/* Bytes [OFFSET, +SIZE) count from block 0 on, and are whole pages of one range.
   False: no memory; or, of a prefetch, no room, and then the first of them have
   come.  */
bool uvm_advise (struct uvm *u, uint64_t offset, uint64_t size,
		 enum uvm_advice advice, int device);
bool uvm_prefetch (struct uvm *u, uint64_t offset, uint64_t size, int device);

/* What the advice of all pages of a range has in common; UVM_NOWHERE: no place, or
   not one.  ACCESSED_BY: bit 0 the CPU, 1 + D device D.  */
struct uvm_common
{
  bool read_mostly;
  int preferred, last_prefetch;
  uint32_t accessed_by;
};
struct uvm_common uvm_common (const struct uvm *u, uint64_t offset,
			      uint64_t size);

/* --- launches and time ------------------------------------------------------ */

/* What is known of DEVICE's next launch, in units, for the replacement policy.  */
void uvm_region (struct uvm *u, int device, const struct ummgr_paging_use *uses,
		 size_t count);
void uvm_launch_begin (struct uvm *u, int device);
void uvm_launch_end (struct uvm *u, int device);

/* The launch in force on DEVICE has run SECONDS, faults included.  */
void uvm_launch_took (struct uvm *u, int device, double seconds);

/* If so, how it went.  And: the launch in force, whose faults come one by one, is one that
   went so on such a device: it takes that besides its batches, each of as many faults as one
   had there.  */
struct uvm_ran uvm_launch_ran (const struct uvm *u, int device);
void uvm_launch_like (struct uvm *u, int device, const struct uvm_ran *ran);

struct ummgr_counters uvm_counters (const struct uvm *u, int device);

/* When all that DEVICE was told to do, launches and copies, is over.  */
double uvm_end (const struct uvm *u, int device);

/* The driver copied BYTES over a device's link, in or out; from one device to
   another; within one; or it used the link COUNT times, or once that between two.  */
void uvm_clock_move (struct uvm *u, int device, uint64_t bytes, bool in);

/* The same of a copy whose other side is memory of the host's that is not registered.  */
void uvm_clock_move_staged (struct uvm *u, int device, uint64_t bytes, bool in);

/* The same of a copy of UVM_SMALL_COPY bytes or less: it waits for no engine, for the driver
   stages it (CUDA Driver API, "API synchronization behavior", of pageable memory).  */
enum { UVM_SMALL_COPY = 65536 };
void uvm_clock_move_small (struct uvm *u, int device, uint64_t bytes, bool in);
void uvm_clock_peer (struct uvm *u, int from, int to, uint64_t bytes);
void uvm_clock_local (struct uvm *u, int device, uint64_t bytes);
/* The CPU copies BYTES in its own memory, of what DEVICE may have.  */
void uvm_clock_host (struct uvm *u, int device, uint64_t bytes);
void uvm_clock_latency (struct uvm *u, int device, uint64_t count);
void uvm_clock_peer_latency (struct uvm *u, int from, int to);
