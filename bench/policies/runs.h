/* Runs of a program under several policies, and where their modelled time
   went.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The terms of the simulator's model (libummgr/uvm/clock.c).  */
enum term
{
  TERM_LOCAL,		/* Kernels bound by the device's own memory,  */
  TERM_REMOTE,		/* or by what they read over the link.  */
  TERM_H2D,		/* Bytes moved in, but for regions that fault,  */
  TERM_D2H,		/* and out.  */
  TERM_GPU_FAULTS,	/* With what they move.  */
  TERM_CPU_FAULTS,
  TERM_LAUNCHES,
  TERM_REST,		/* Latency of copies, and what rounding leaves.  */
  TERMS
};

extern const char *const term_names[TERMS];

enum { RUN_WORD = 32, RUN_MOST = 4096 };

struct run
{
  char suite[RUN_WORD], program[RUN_WORD], config[RUN_WORD];
  double gigabytes;		/* Of data, on the machine that is scaled.  */
  uint64_t footprint;		/* Bytes, as the program says.  */
  char checksum[RUN_WORD];
  bool fits;			/* Into the device's memory.  */
  double h2d, d2h, remote, local, gpu_faults, cpu_faults, evictions, launches;
  double d2h_regions;		/* Of d2h, what left in regions, not after.  */
  double seconds;		/* Modelled.  */
  double decision_ns, decisions, wall;
  double terms[TERMS];		/* Sum to SECONDS.  */
};

extern struct run runs[RUN_MOST];
extern size_t run_count;
extern uint64_t runs_memory;	/* Of the simulated device, bytes.  */

/* Read `SUITE PROGRAM GIGABYTES CONFIG' lines from IN and, of each, the files
   WORK/PROGRAM-GIGABYTES-CONFIG.out and .json, from runs on PROFILE by SCALE.
   Anything amiss is fatal.  Returns how many results differ from that of the
   run `host-only' of the same program and size, each of which it names.  */
int runs_read (FILE *in, const char *work, const char *profile, uint64_t scale);

/* NULL if there is none.  */
const struct run *run_find (const char *program, double gigabytes,
			    const char *config);

/* Time of the run that BASE names over that of RUN; 0: there is no BASE.  */
double run_over (const struct run *run, const char *base);

/* The term that takes most of RUN's time.  */
enum term run_main_term (const struct run *run);

/* A `row` line for collect.  */
void run_write (const struct run *run, FILE *lines);

/* Geometric means, of what is above 0.  */
struct mean
{
  double logs;
  int count;
};

void mean_add (struct mean *mean, double value);
double mean_of (const struct mean *mean);	/* 0: of nothing.  */
