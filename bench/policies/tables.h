/* Tables of runs, as text and as data for gnuplot.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "policies/runs.h"

/* Policies in the order of the papers; NULL ends them.  */
extern const char *const table_policies[];

/* The programs of SUITE in the order of their runs, and their sizes.  A call
   gives the next after PREVIOUS (NULL, 0: the first); NULL, 0 after the
   last.  */
const char *table_program (const char *suite, const char *previous);
double table_size (const char *program, double previous);

/* Geometric mean of CONFIG over BASE, of SUITE's runs that ACCEPT takes (NULL:
   all), and of PROGRAM (NULL: every one).  0: of nothing.  */
double table_over (const char *suite, const char *program, const char *config,
		   const char *base, bool (*accept) (const struct run *run));
bool table_fits (const struct run *run);
bool table_exceeds (const struct run *run);
bool table_exceeds_little (const struct run *run); /* Up to twice.  */

/* Modelled time of each program, size and policy.  */
void table_print_times (const char *suite);

/* Of each program, over um, oversubscribed.  */
void table_print_over (const char *suite);

/* Of each program and policy of oversubscribed runs: what the modelled time
   went to, what moved, and what of it explains the time.  */
void table_print_why (const char *suite);

/* WORK/fig4-PROGRAM.dat: bytes by those of memory, time under each policy.  */
void table_write_times (const char *suite, const char *work);

/* WORK/NAME, for writing; fatal where that fails.  */
FILE *table_open (const char *work, const char *name);
void table_close (FILE *out, const char *name);
