/* Whether it pays to run regions over several GPUs, or in slices, by how launches went.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A launch over GPUs gains what its iterations take less there, and pays for what GPUs must
   send one another first, or read from one another: data that lies otherwise since another
   region wanted it so.  What comes from the host would come anyway.  Neither is known before
   it was tried: so gains and payments add up, and once as much was paid in vain as two of the
   dearest launches pay (where it is known: as it takes to have all on one GPU, or the dearest
   pays), all runs on one, until what that misses is as much as that, or twice the dearest
   payment, and the next time four times, eight times.  It is one decision for all regions of a
   program: each by itself would find that it pays because of the others, whichever way it
   runs.

   An example: each launch gains 1 and pays 10.  Launches 1 to 3 pay 27 more than they gain,
   more than twice 10: 4 to 24 run on one GPU and miss 21; 25 to 27 try again, 28 to 68 run on
   one.  Tries become rare, and cost 27 each.

   What comes is foreseen, as far as the tables tell: how often each region is yet to be launched,
   the most that it can gain, and what it paid last.  Once that is a loss of more seconds than it
   takes to have all on one GPU, all runs there at once, and nothing is tried while it is a
   loss: to lose first what one is sure to lose is what short programs can't make up for.

   An example: a region is launched 10 times, gains 1 and pays 10 each time, and it takes 30 to
   have its data on one GPU.  90 is more than 30: it never goes over several.  Of one that is
   launched 3 times it is 27: that goes over several, as long as nothing else does worse.

   Slices of data on one GPU are each region's own affair: what they lose adds up, and once it
   is half of what the link would have taken, that region's data comes so no more.

   Who calls holds the device's lock.  */

#pragma once

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Of a program.  All 0 at first.  */
struct ummgr_past
{
  bool whole;			/* All runs on one GPU.  */
  double balance;		/* Seconds, 0 or less: what the way it runs has lost.  */
  double dearest;		/* Payment.  */
  double ahead;			/* Seconds that launches to come lose on several GPUs, those
				   that gain less than 0.  */
  double together;		/* The most seconds that it took to have all on one; 0: not
				   known.  */
  double patience;		/* How many of these; 0: two.  */
};

/* A launch gains GAIN seconds on several GPUs, and pays PAY for it; one that runs whole anyway
   gains nothing.  True: it shall run on one.  */
bool ummgr_past_whole (struct ummgr_past *past, double gain, double pay);

/* Of a region.  */
struct ummgr_past_work
{
  double seconds;		/* Of an iteration on one GPU; 0: not known yet.  */
  bool sure;			/* Measured while nothing was sent.  */
};

/* Of a region whose data may come in slices.  All 0 at first.  */
struct ummgr_past_slices
{
  bool used;			/* It has come so.  */
  bool vain;			/* It is not to come so any more.  */
  bool foreseen;		/* It was asked what all of its loop would take.  */
  unsigned refused;		/* Launches in a row that were better not cut.  */
  unsigned wholes;		/* Launches that were timed as a whole.  */
  double rate;			/* The least time of these, in seconds for each byte that
				   was used.  */
  double lost;			/* Seconds.  */
};

/* A launch that uses so many BYTES, wherever they are, TOOK so many seconds as a whole.  */
void ummgr_past_unsliced (struct ummgr_past_slices *slices, double took, double bytes);

/* How many seconds one takes as a whole that uses so many BYTES; 0: not known yet.  The first one
   doesn't tell, since its data may have had to come.  */
double ummgr_past_otherwise (const struct ummgr_past_slices *slices, double bytes);

/* A launch whose data came in slices TOOK so many seconds, and without them takes OTHERWISE, as
   far as is known.  Once an eighth of that is lost in all it was in vain, for good: what figures
   don't say (how little of the device a small piece fills) stays so.  */
void ummgr_past_sliced (struct ummgr_past_slices *slices, double took, double otherwise);

/* ITERATIONS took SECONDS on one GPU, of which OVERHEAD were not theirs; SENT: it also waited for
   data.  MOST: an iteration takes no longer, as far as tables tell, or INFINITY.  */
void ummgr_past_took (struct ummgr_past_work *work, double iterations, double seconds,
		      double overhead, bool sent, double most);

/* What is known of a region on one device.  All 0 at first.  */
struct ummgr_past_region
{
  double launches;		/* That were weighed.  */
  double expected;		/* In a run; only where some were.  */
  double ahead;			/* Its part of ummgr_past's.  */
  struct ummgr_past_work work;
  struct ummgr_past_slices slices;
};

/* A launch of REGION loses LOSES seconds on several GPUs, or gains -LOSES; so will all of EXPECTED
   that were not yet, this one included.  TOGETHER: the seconds that it takes to have all on one
   GPU.  True: it all shall run there.  While it does, what a region loses is asked of its first
   launch alone.  */
bool ummgr_past_foresees (struct ummgr_past *past, struct ummgr_past_region *region, double loses,
			  double expected, double together);

/* A launch that REGION was foreseen to gain GAIN by gains no more than MOST, as it went: so will those
   to come.  */
void ummgr_past_gains (struct ummgr_past *past, struct ummgr_past_region *region, double gain,
		       double most);

/* Of REGION, an address that is its alone, on DEVICE, as long as the process lives; NULL where
   there are too many.  Any thread may ask.  */
struct ummgr_past_region *ummgr_past_of (const void *region, int device);

#pragma GCC visibility pop
