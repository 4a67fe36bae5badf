/* What launches are foreseen to take, what they took, and what that says of data that is used over
   the link.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A launch is foreseen to take what its threads wait for accesses, one after the other, and what goes over
   the link.  The first time that comes from the machine's figures; later the region's own launches say
   what it takes beside the link.  Where launches take half as much again, and together lose more than what they
   use from afar would take to come, that costs more than was thought: from then on it
   counts so many times.  Should that not be it, since the region takes as long with hardly anything
   from afar, it counts once again.

   An example: a launch makes 77 million accesses of 53 ps, 4.1 ms, and uses b over the link, 0.3 MB, foreseen for
   0.01 ms.  It takes 9.4 ms.  So b counts 530 times as much, at most what its accesses can bring; that
   is more than what it takes to come, so it comes for the next launch.  If that takes 9.4 ms, too, b counts once.

   Knows uses by a number (ummgr_said_key).  Owns no memory; no locks.  */

#pragma once

#include "policy/reuse-said.h"

#include <stdbool.h>
#include <stdint.h>

enum { UMMGR_OUTCOME_USES = 64, UMMGR_OUTCOME_REGIONS = 256 };

/* One object of a launch.  */
struct ummgr_outcome_use
{
  uint32_t key;
  double link;			/* Seconds over the link, as foreseen, FACTOR included.  */
  double most;			/* That these can be at most.  */
  double comes;			/* That it would take to come.  */
};

struct ummgr_outcome_launch
{
  uint64_t region, sequence;	/* SEQUENCE 0: none that can be judged.  */
  double begins;		/* Seconds that any takes.  */
  double accesses;
  double wait;			/* Seconds for each, by the machine's figures.  */
  unsigned count;
  struct ummgr_outcome_use use[UMMGR_OUTCOME_USES];
};

struct ummgr_outcome_region
{
  uint64_t region;
  double rest;			/* Seconds beside the link for each access; 0: not known.  */
  double missed;		/* Seconds that launches took more than foreseen, since something came of it.  */
  double before;		/* Seconds that a launch took when that last came.  */
};

struct ummgr_outcome
{
  struct ummgr_outcome_launch launch; /* At hand.  */
  struct ummgr_outcome_region regions[UMMGR_OUTCOME_REGIONS]; /* By their numbers' last bits.  */
  float factor[UMMGR_SAID_KEYS];	/* 0: as foreseen.  */
};

/* How many times as much as foreseen uses by KEY take.  */
double ummgr_outcome_factor (const struct ummgr_outcome *outcome, uint32_t key);

/* Seconds that the launch at hand is foreseen to take; of these *LINK_P over the link.  */
double ummgr_outcome_foresees (struct ummgr_outcome *outcome, double *link_p);

/* It TOOK so many.  Returns how many times as much what it used from afar counts from now on, at most; 1 if that is as
   it was, 0 if it counts once again.  */
double ummgr_outcome_took (struct ummgr_outcome *outcome, double took);
