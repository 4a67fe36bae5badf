/* Inside `ummgr run`.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "cli/cli.h"

#define UMMGR_RUN_OPTIONS 40

/* What was asked for, and what became of it.  */
struct ummgr_run
{
  struct ummgr_options options;
  /* Of each option in the table the text given, or NULL; as an option, or
     else as a variable.  */
  const char *text[UMMGR_RUN_OPTIONS];
  bool quiet, live;
  const char *color;		/* As the option says, or NULL.  */
  char **program;		/* Its name and arguments.  */
  char path[PATH_MAX];		/* Its file.  */
  char sanitizer[PATH_MAX];	/* Its sanitizer's library, or "".  */
  bool simulated;
  struct ummgr_cli_paths paths;
  struct ummgr_cli_gpu gpu;

  /* Files that the run shall leave.  STATS is where the program's process
     writes, TEMPORARY if nobody asked for that file; NULL for nowhere, or where
     each process has its own name.  */
  char *stats, *report;
  /* The same, and the trace's, as the program is told: in terms of base/output.h.
     NULL: none.  */
  char *told_stats, *told_report, *told_trace;
  bool stats_temporary;
  const char *stats_copy;	/* Where they go from there, or NULL.  */
  bool failed;			/* One of them can't be written.  */
};

/* Options and variables into RUN; 0, or the exit status (run-options.c).
   *DONE_P says that help was asked for and given.  */
int ummgr_run_options (struct ummgr_run *run, int argc, char **argv,
		       bool *done_p);

/* Text given for option NAME, or NULL.  */
const char **ummgr_run_text (struct ummgr_run *run, const char *name);

/* Which GPU; the profile and the memory asked for (run-machine.c).  */
int ummgr_run_choose_gpu (struct ummgr_run *run);

/* If this is a rank of MPI on a node with so many GPUs, its program's (run-ranks.c).  */
int ummgr_run_share (struct ummgr_run *run, unsigned gpus);

/* What --apply takes from a file becomes remedies (run-apply.c); 0, or the exit status.  */
int ummgr_run_apply (struct ummgr_run *run);

/* The environment of the program (run-environment.c).  */
int ummgr_run_environment (struct ummgr_run *run);

/* The files that have no name get one (run-default.c); 0, or the exit status.  */
int ummgr_run_default_files (struct ummgr_run *run);

/* Before and after: the files to be written (run-files.c).  Both may set
   FAILED, after a message; the former returns the exit status then, or 0.  RAN: the
   program ended by itself.  */
int ummgr_run_prepare_files (struct ummgr_run *run);
void ummgr_run_finish_files (struct ummgr_run *run, bool ran);
/* After them: one line of what the trace says to change first, if that brings much
   (run-advise.c).  */
void ummgr_run_advise (const struct ummgr_run *run);
/* Start, forward signals, wait; the exit status, *SIGNAL_P the signal that
   ended it or 0 (run-process.c).  */
int ummgr_run_process (struct ummgr_run *run, int *signal_p);
