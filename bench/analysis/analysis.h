/* analysis: what one run's log says, and what is made of it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "../common.h"

#include <math.h>

enum { WORD = 64 };

/* One object in one launch.  */
struct use
{
  unsigned object;		/* The program's, from 0; never used again for
				   another.  */
  char name[WORD];		/* The variable in the region.  */
  /* What libummgr says before the launch.  */
  double density;		/* -1: nothing.  */
  double locality;
  bool place;			/* Where it is accessed is known.  */
  bool exact;			/* And how often.  */
  double expected, likely;	/* Launches until the next use, from the flow:
				   negative and 0 for not known.  */
  double corrected;		/* The same as policy rdm takes it.  */
  /* What happened.  */
  double true_density, true_locality;
  double next;			/* INFINITY: never.  */
  bool round;			/* The object's loop had gone round.  */
};

struct launch
{
  char region[WORD];		/* FILE:LINE.  */
  struct use *uses;
  size_t count;
};

struct run
{
  char program[WORD];
  struct launch *launches;
  size_t count;
};

/* log.c: read the log at PATH; ends the process if it isn't one.  */
void log_read (const char *path, struct run *run);

/* Is the rank of USE by locality in LAUNCH the measured one?  Those within 1 %
   of each other are equals, which have the same ranks.  */
bool rank_agrees (const struct launch *launch, const struct use *use);
