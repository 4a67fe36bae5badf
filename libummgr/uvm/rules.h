/* Inside uvm/: what its files tell one another.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "uvm/uvm.h"

/* --- residency.c ------------------------------------------------------------- */

enum uvm_how
{
  UVM_MOVE,			/* The others give the pages up.  */
  UVM_COPY			/* They keep theirs (read-mostly).  */
};

/* Make the pages S of B resident on processor TO, taking capacity first.  FAULT:
   the replacement policy learns that one was served.  False if TO cannot hold them;
   then nothing has changed but what was evicted.  */
bool uvm_migrate (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
		  unsigned to, enum uvm_how how, bool fault);

/* Give up the copies of S that are not TO's (a write to read-mostly).  */
void uvm_collapse (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
		   unsigned to);

/* B is about to be freed.  */
void uvm_drop (struct uvm *u, struct uvm_block *b);

/* --- fault.c ------------------------------------------------------------------ */

/* What an access is: the first two are false and true.  */
enum uvm_kind
{
  UVM_READ,
  UVM_WRITE,
  UVM_COUNTED			/* What access counters ask for.  */
};

/* Where PAGE of B should be for an access of KIND by processor P.  */
unsigned uvm_destination (const struct uvm *u, const struct uvm_block *b,
			  unsigned page, unsigned p, enum uvm_kind kind,
			  enum uvm_how *how_p);

/* As uvm_access, but that notifications are left.  */
bool uvm_access_page (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p,
		      bool write);

/* Access counters ask for pages S of B, for DEVICE; false: no room.  */
bool uvm_gpu_notified (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
		       int device);

/* DEVICE has faulted on pages S of B, of which it wants to write WRITE, those that it holds
   among them: one service of the block.  S is not empty.  */
void uvm_gpu_faults (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
		     const struct uvm_mask *write, int device);

/* --- batch.c ------------------------------------------------------------------ */

int uvm_by_address (const void *a, const void *b);

/* --- counters.c --------------------------------------------------------------- */

/* Where in a block of DEVICES the first device's counters are, and what each one's REGIONS
   take.  */
static inline size_t
uvm_counted_offset (int devices)
{
  return sizeof (struct uvm_block) + (1 + devices) * sizeof (struct uvm_holding);
}

static inline size_t
uvm_counted_bytes (unsigned regions)
{
  size_t bytes = sizeof (struct uvm_counted) + regions * sizeof (struct uvm_counter);
  return regions ? (bytes + sizeof (void *) - 1) & -sizeof (void *) : 0;
}

/* P is about to access something, or has: of a device whose launch does not tell, notifications
   are served.  */
void uvm_heed (struct uvm *u, unsigned p);

/* B is about to be freed.  */
void uvm_forget_notified (struct uvm *u, const struct uvm_block *b);

/* --- retry.c ------------------------------------------------------------------ */

/* Must UNIT stay for the fault that is being served?  There are few such.  */
bool uvm_keeps (const struct uvm *u, uint32_t unit);

/* --- advise.c ----------------------------------------------------------------- */

/* Advice on a page.  Pages name a combination by its number; 0 is none.  */
struct uvm_combination
{
  int8_t preferred;		/* A device, UVM_HOST, or UVM_NOWHERE.  */
  bool read_mostly;
  uint32_t accessed_by;		/* Bit 0 the CPU, bit 1+d device d.  */
};

/* The advice for PAGE of B; NULL: none.  */
static inline const struct uvm_combination *
uvm_page_advice (const struct uvm *u, const struct uvm_block *b, unsigned page)
{
  return b->advice && b->advice[page] ? &u->combination[b->advice[page]] : NULL;
}

/* --- tree.c ------------------------------------------------------------------- */

/* The granules of pages S.  */
struct uvm_mask uvm_tree_granules (const struct uvm_mask *s, unsigned pages,
				   unsigned granule_pages);

/* The pages to bring along when FAULTED, not in RESIDENT, come: their granules, or over
   each of these the greatest aligned part of the block that is then dense enough.  */
struct uvm_mask uvm_tree_ranges (const struct uvm_mask *resident,
				 const struct uvm_mask *faulted, unsigned pages,
				 unsigned granule_pages, int threshold);

static inline double
uvm_max (double a, double b)
{
  return a > b ? a : b;
}

static inline double
uvm_min (double a, double b)
{
  return a < b ? a : b;
}

/* --- link.c ------------------------------------------------------------------- */

/* False: no memory.  */
bool uvm_links_create (struct uvm *u, const struct uvm_config *config);
bool uvm_links_copy (struct uvm *to, const struct uvm *from);

/* BYTES go over DEVICE's link, which carries RATE, from START on: when they are there.  */
double uvm_links_pass (struct uvm *u, int device, uint64_t bytes, double rate, bool in,
		       double start);

/* --- clock.c ------------------------------------------------------------------ */

void uvm_clock_cpu_fault (struct uvm *u, int device);
/* What follows is done by P, and has been: a device's launch waits for what it moves.  */
void uvm_clock_by (struct uvm *u, unsigned p);
void uvm_clock_done (struct uvm *u, unsigned p);
void uvm_clock_begin (struct uvm *u, int device);
void uvm_clock_launch (struct uvm *u, int device);
/* DEVICE's launch has faulted on UNIT, one fault by itself.  */
void uvm_clock_fault (struct uvm *u, int device, uint32_t unit);

/* A block of a batch.  */
struct uvm_served
{
  unsigned unmapped;
  uint64_t in_bytes, out_bytes;
};
/* What DEV's launch has had of these so far, and since BEFORE.  */
struct uvm_served uvm_clock_served (const struct uvm_device *dev);
struct uvm_served uvm_clock_since (const struct uvm_device *dev,
				   const struct uvm_served *before);
/* BATCH's blocks were served: sets its seconds.  The second, for access counters.  */
void uvm_clock_batch (struct uvm *u, int device, const struct uvm_served *served,
		      struct uvm_batch *batch);
void uvm_clock_notified (struct uvm *u, int device, const struct uvm_served *served,
			 struct uvm_batch *batch);
