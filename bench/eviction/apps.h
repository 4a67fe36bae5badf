/* Applications under replacement policies: what `ummgr replay' counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* POLICY_lru and so on, in the order of `ummgr --list replay-evict'.  */
enum policy
{
#define UMMGR_PAGING(NAME) POLICY_##NAME,
#include "paging/paging.def"
  POLICY_ideal,
  POLICIES
};

enum { CAPACITIES = 2, TYPES = 6, APP_MOST = 64, APP_WORD = 32 };

extern const char *const policy_names[POLICIES]; /* "hpe-nohits".  */
extern const int capacity_percents[CAPACITIES];
extern const char *const type_names[TYPES + 1];	/* From 1.  */

struct outcome
{
  double evictions, faults;
  double seconds;		/* Modelled, without the CPU's faults: when it
				   reads results, what is still on the GPU
				   costs it one a page, which in the paper is
				   in no time.  */
  /* Of HPE alone; the latter two NAN if there were none.  */
  double ratio1, ratio2, switches;
  double compared, entries;	/* Page sets a search, records a transfer.  */
  char category[APP_WORD];
};

/* Of the programs: those that hint's rules were chosen on, and the others.  */
enum half
{
  HALF_ALL,
  HALF_RULES,
  HALF_OTHER
};

struct app
{
  char program[APP_WORD], abbreviation[APP_WORD];
  char category[APP_WORD];	/* The paper's.  */
  int type;			/* 1 to 6.  */
  enum half half;
  bool there;
  char pattern[APP_WORD];	/* Its type as `ummgr classify' finds it.  */
  double pages, events, launches;
  /* Of rrip: as HPE's authors set it, the thrashing variant for type II and
     the other one else.  */
  struct outcome of[POLICIES][CAPACITIES];
};

extern struct app apps[APP_MOST];
extern size_t app_count;

/* Read lines `PROGRAM ABBREVIATION TYPE CATEGORY HALF there|missing' from IN, and of
   those that are there WORK/PROGRAM.replay.json and .classify.json.  CPU_FAULT:
   seconds that one takes in the profile.  Fatal on error.  */
void apps_read (FILE *in, const char *work, double cpu_fault);

/* What is compared, of one application; NAN where there is nothing to divide
   by.  */
typedef double app_measure (const struct app *app, enum policy policy,
			    int capacity);
app_measure app_to_ideal;	/* Evictions by those of ideal.  */
app_measure app_to_lru;		/* Evictions by those of lru.  */
app_measure app_speedup;	/* Time of lru by that of POLICY.  */
app_measure app_performance;	/* Time of ideal by that of POLICY.  */
app_measure app_hpe_speedup;	/* Time of POLICY by that of hpe.  */

/* Arithmetic mean of the applications of TYPE (0: of all), in HALF; NAN: of none.  */
double apps_mean (app_measure *measure, enum policy policy, int capacity,
		  int type, enum half half);

/* WORK/NAME for writing; fatal where that fails.  */
FILE *apps_open (const char *work, const char *name);
void apps_close (FILE *out, const char *name);
