/* `ummgr run`: the environment that brings the library into the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Changes this process's environment, which the program inherits.  */

#include "config.h"
#include "cli/run.h"
#include "base/log.h"
#include "base/output.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* FIRST:SECOND into the variable NAME; either may be empty.  */
static bool
set_list (const char *name, const char *first, const char *second)
{
  char *text;
  if (asprintf (&text, "%s%s%s", first, *first && *second ? ":" : "", second)
      < 0)
    return false;
  bool good = setenv (name, text, 1) == 0;
  free (text);
  return good;
}

static const char *
variable (const char *name)
{
  const char *value = getenv (name);
  return value ? value : "";
}

/* A sanitizer's library refuses to come after any other: the program's, or that of
   a libummgr that was built with it.  */
static bool
preload_sanitizer (const struct ummgr_run *run)
{
#if defined __SANITIZE_ADDRESS__
  extern void __asan_init (void);
  void *its = (void *) __asan_init;
  /* Managed memory traps on purpose, and libgomp keeps what it allocates. */
  setenv ("ASAN_OPTIONS", "detect_leaks=0:allow_user_segv_handler=1:"
	  "handle_segv=0:handle_sigbus=0", 0);
#elif defined __SANITIZE_THREAD__
  extern void __tsan_init (void);
  void *its = (void *) __tsan_init;
  /* libgomp's threads wait for each other unseen.  */
  setenv ("TSAN_OPTIONS", "ignore_noninstrumented_modules=1:handle_segv=0:"
	  "handle_sigbus=0", 0);
#else
  void *its = NULL;
#endif
  Dl_info info;
  const char *first = its && dladdr (its, &info) ? info.dli_fname
    : run->sanitizer;
  return set_list ("LD_PRELOAD", first, variable ("LD_PRELOAD"));
}

static bool
set_file_from (const char *directory, const char *name, const char *value)
{
  char *text = ummgr_output_from (directory, value);
  bool good = text && setenv (name, text, 1) == 0;
  free (text);
  return good;
}

static bool
set_file (const char *name, const char *value)
{
  char here[PATH_MAX];
  return set_file_from (getcwd (here, sizeof here), name, value);
}

/* A file to be written, VALUE as base/output.h has it; NULL for none.  */
static bool
set_output (const char *name, const char *value)
{
  char here[PATH_MAX];
  if (!value)
    return unsetenv (name) == 0;
  char *told = getcwd (here, sizeof here) ? ummgr_output_tell (here) : NULL;
  bool good = set_file_from (told, name, value);
  free (told);
  return good;
}

static bool
is_file (const struct ummgr_option *option, const char *text)
{
  return strcmp (option->name, "nvptx-plugin") == 0
    || (strcmp (option->name, "profile") == 0 && strchr (text, '/'));
}

/* libgomp's threads spin for milliseconds at the end of each of the hundreds
   of teams that a simulated launch runs one after another; on a busy machine
   they keep each other from the processor.  The program's own wishes stand.  */
static bool
set_spinning (void)
{
  if (getenv ("OMP_WAIT_POLICY") || getenv ("GOMP_SPINCOUNT"))
    return true;
  return setenv ("GOMP_SPINCOUNT", "100", 1) == 0;
}

static bool
set_variables (struct ummgr_run *run)
{
  bool good = true;
  for (int i = 0; ummgr_option_table[i].name; i++)
    {
      const struct ummgr_option *option = &ummgr_option_table[i];
      char name[64];
      ummgr_option_variable (option, name, sizeof name);
      const char *text = run->text[i];
      if (text && is_file (option, text))
	good &= set_file (name, text);
      else if (text)
	good &= setenv (name, text, 1) == 0;
    }
  good &= setenv ("UMMGR_GPU", run->simulated ? "sim" : "cuda", 1) == 0;
  if (run->simulated)
    good &= set_spinning ();
  /* What only this command reads, to know whether all was written, need not say how the
     run went.  */
  bool brief = run->stats_temporary && !run->report && !run->stats_copy;
  good &= (brief ? setenv ("UMMGR_STATS_BRIEF", "1", 1) : unsetenv ("UMMGR_STATS_BRIEF")) == 0;
  good &= !run->live || setenv ("UMMGR_LIVE", "on", 1) == 0;
  good &= !run->color || setenv ("UMMGR_COLOR", run->color, 1) == 0;
  /* Of how much was copied in vain, at the end.  */
  good &= (run->quiet || run->told_trace ? unsetenv ("UMMGR_REMARK") : setenv ("UMMGR_REMARK", "1", 1)) == 0;
  /* The program writes the report with what its trace says; where it could
     not, it is made from the statistics (run-files.c).  */
  return good && set_output ("UMMGR_TRACE", run->told_trace)
    && set_output ("UMMGR_REPORT", run->told_report)
    && set_output ("UMMGR_STATS", run->told_stats);
}

int
ummgr_run_environment (struct ummgr_run *run)
{
  const struct ummgr_cli_paths *paths = &run->paths;
  if (!*paths->library)
    {
      ummgr_error ("run: libummgr.so is not installed with this command");
      return UMMGR_EXIT_FAILURE;
    }
  if (strpbrk (paths->library, " :"))
    {
      ummgr_error ("run: can't preload '%s': its name has a space or a colon",
		   paths->library);
      return UMMGR_EXIT_FAILURE;
    }
  if (set_variables (run)
      && set_list ("LD_PRELOAD", variable ("LD_PRELOAD"), paths->library)
      && preload_sanitizer (run)
      && (!run->simulated
	  || set_list ("LD_LIBRARY_PATH", paths->sim,
		       variable ("LD_LIBRARY_PATH"))))
    return 0;
  ummgr_error ("run: can't set up the environment: out of memory");
  return UMMGR_EXIT_FAILURE;
}
