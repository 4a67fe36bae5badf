/* `ummgr run`: run a program with its GPU memory managed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The order of things; each is a file of its own.  The program's output is
   never touched: all messages go to standard error.  */

#include "config.h"
#include "cli/run.h"
#include "base/log.h"
#include "base/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

/* Before anything else is set up: is there a program at all?  */
static int
find_program (struct ummgr_run *run)
{
  const char *name = run->program[0];
  char hint[256] = "";
  int error = ummgr_cli_find_program (name, run->path);
  if (error == 0)
    return 0;
  /* Before it stands an option or `ummgr run'.  */
  const char *before = run->program[-1];
  if (strcmp (before, "--trace") == 0 || strcmp (before, "--stats") == 0)
    snprintf (hint, sizeof hint, " (a file's name is joined to its option: %s=%s)", before, name);
  if (error == EACCES)
    {
      ummgr_error ("run: '%s' is not executable%s", name, hint);
      return UMMGR_EXIT_NOT_EXECUTABLE;
    }
  ummgr_error ("run: '%s': %s%s", name, error == ENOENT
	       ? "no such program" : strerror (error), hint);
  return UMMGR_EXIT_NOT_FOUND;
}

/* Notes about programs for which ummgr can do nothing; they run anyway.  */
static void
inspect_program (struct ummgr_run *run)
{
  struct ummgr_cli_program program;
  const char *name = run->program[0];
  if (!ummgr_cli_inspect (run->path, &program) || !program.elf)
    return;			/* A script may well start one.  */
  if (program.static_link || program.other_class)
    {
      ummgr_warn ("run: '%s' is %s: it can't be hooked, and runs without "
		  "ummgr", name, program.other_class ? "no 64-bit program"
		  : "statically linked");
      return;
    }
  if (program.privileged)
    {
      ummgr_warn ("run: '%s' is set-user-ID or set-group-ID: the loader won't "
		  "preload libummgr", name);
      return;
    }
  bool wants_trace = run->options.trace || run->options.check;
  if (program.asan || (!program.offload && !run->silent)
      || (!program.traced && wants_trace))
    ummgr_cli_inspect_libraries (run->path, &program);
  memcpy (run->sanitizer, program.sanitizer, sizeof run->sanitizer);
  if (!program.offload && !run->silent)
    ummgr_warn ("run: '%s' has no offload code: there may be nothing to "
		"manage (build it with -fopenmp and an offload compiler)",
		name);
  if (!program.traced && run->options.trace)
    ummgr_info ("run: '%s' doesn't report its accesses: the trace will show "
		"copies and launches only (build it with ummgr cc -ftrace)",
		name);
}

int
ummgr_cli_run (int argc, char **argv)
{
  static struct ummgr_run run;
  bool done = false;
  int killed = 0;
  int status = ummgr_run_options (&run, argc, argv, &done);
  if (status || done)
    return status;
  ummgr_cli_find_paths (&run.paths);
  status = find_program (&run);
  if (status)
    return status;
  status = ummgr_run_choose_gpu (&run);
  if (status)
    return status;
  inspect_program (&run);
  status = ummgr_run_apply (&run);
  if (status)
    return status;
  status = ummgr_run_default_files (&run);
  if (status == 0)
    status = ummgr_run_prepare_files (&run);
  if (status == 0)
    status = ummgr_run_environment (&run);
  if (status == 0)
    ummgr_run_say_ranks (&run);
  bool ran = false;
  if (status == 0)
    {
      status = ummgr_run_process (&run, &killed);
      ran = killed == 0 && status != UMMGR_EXIT_NOT_EXECUTABLE
	&& status != UMMGR_EXIT_NOT_FOUND;
    }
  ummgr_run_finish_files (&run, ran, killed);
  if (ran)
    ummgr_run_advise (&run);
  /* As the program did: a shell then stops its loop at Ctrl-C.  The program's
     core dump is the one of interest.  */
  if (killed)
    {
      prctl (PR_SET_DUMPABLE, 0);
      ummgr_process_die (killed);
    }
  return status == 0 && run.failed ? 1 : status;
}
