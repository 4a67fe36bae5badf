/* Inside the `ummgr` command.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"
#include "base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Exit statuses of the command's own, as env(1) and timeout(1) have them.  */
enum
{
  UMMGR_EXIT_FAILURE = 125,	/* ummgr itself failed or was misused.  */
  UMMGR_EXIT_NOT_EXECUTABLE = 126,
  UMMGR_EXIT_NOT_FOUND = 127
};

/* What a subcommand's arguments are, for who completes them.  */
enum ummgr_takes
{
  UMMGR_TAKES_NOTHING,
  UMMGR_TAKES_FILES,
  UMMGR_TAKES_PROGRAM,		/* With arguments of its own.  */
  UMMGR_TAKES_TRACES,		/* *.ummt.  */
  UMMGR_TAKES_RESULTS,		/* Traces, and statistics: *.json.  */
  UMMGR_TAKES_WORDS		/* Of WORDS.  */
};

/* A subcommand; ARGV[0] is "ummgr NAME".  Returns the exit status.  */
struct ummgr_command
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *help;
  /* What it takes, in one table after the other; each ends with a NULL name, and may be NULL.  */
  const struct ummgr_option *options, *more;
  enum ummgr_takes takes;
  const char *words;
};

/* All of them; ends with a NULL name (main.c).  */
extern const struct ummgr_command ummgr_commands[];

int ummgr_cli_advise (int argc, char **argv);
int ummgr_cli_completion (int argc, char **argv);
int ummgr_cli_diff (int argc, char **argv);
int ummgr_cli_help (int argc, char **argv);
int ummgr_cli_run (int argc, char **argv);
int ummgr_cli_cc (int argc, char **argv);
int ummgr_cli_cxx (int argc, char **argv);
/* Is the command called NAME, which may be a path, by a name that stands for a
   compiler (wrappers.c)?  Then what that is, else NULL.  */
int (*ummgr_cli_wrapper (const char *name)) (int argc, char **argv);

int ummgr_cli_calibrate (int argc, char **argv);
int ummgr_cli_info (int argc, char **argv);
int ummgr_cli_report (int argc, char **argv);
int ummgr_cli_tables (int argc, char **argv);
int ummgr_cli_top (int argc, char **argv);

extern const struct ummgr_option ummgr_advise_rows[], ummgr_calibrate_rows[], ummgr_cc_rows[],
  ummgr_classify_rows[], ummgr_diff_rows[], ummgr_info_rows[], ummgr_replay_rows[],
  ummgr_report_rows[], ummgr_run_more[], ummgr_tables_rows[],
  ummgr_top_rows[];

/* The command called NAME, or NULL.  */
const struct ummgr_command *ummgr_command_find (const char *name);
/* The message that NAME is none, and the exit status.  */
int ummgr_command_unknown (const char *name);
/* Which there are.  */
void ummgr_commands_help (FILE *to);
/* COMMAND with ARGV, whose first word is any.  */
int ummgr_command_run (const struct ummgr_command *command, int argc, char **argv);

/* `ummgr --list WHAT'; NULL: nothing was said.  */
int ummgr_cli_list (const char *what);
/* What the word NAME of the option called OPTION does, or "".  */
const char *ummgr_cli_describe (const char *option, const char *name);
/* The WORDS, with spaces between, that the option called OPTION takes, one a line, each with what
   it does.  */
void ummgr_cli_list_words (const char *option, const char *words);

/* TEXT, a name that need not be UTF-8, for JSON; null if it is empty.  */
struct json_t *ummgr_json_text (const char *text);
/* JSON, which is released, on standard output, reals with DIGITS; false after a
   message, or with the stream's error set.  */
bool ummgr_json_put (struct json_t *json, int digits);

/* Where the parts lie, in a build tree or installed (paths.c).  Empty where
   nothing was found.  */
struct ummgr_cli_paths
{
  char tree[PATH_MAX];		/* Of a build tree its libummgr/; else empty.  */
  char libdir[PATH_MAX];	/* libummgr.so is here,  */
  char library[PATH_MAX];	/* this one,  */
  char sim[PATH_MAX];		/* the directory of the simulated driver,  */
  char shim[PATH_MAX];		/* libgomp's shim,  */
  char plugin[PATH_MAX];	/* and the compiler plugin, of the GCC that this was built with.  */
  char trace_object[PATH_MAX];	/* For programs that are traced, of that GCC.  */
  char profiles[PATH_MAX];	/* Profiles of a build tree.  */
  char manuals[PATH_MAX];	/* The directory of the manual pages.  */
};
void ummgr_cli_find_paths (struct ummgr_cli_paths *paths);

/* Set PLUGIN and TRACE_OBJECT of PATHS, which are found, to those for GCC VERSION (major), each
   empty where there is none.  True: there is a plugin.  */
bool ummgr_cli_find_plugin (struct ummgr_cli_paths *paths, int version);

/* DIRECTORY/NAME into OUT if there is such a file; else false, OUT empty.  */
bool ummgr_cli_join (char out[PATH_MAX], const char *directory,
		     const char *name);

/* Have ASK fill ANSWER, SIZE bytes, in a child process, which is ended after SECONDS
   (apart.c).  False: it gave none, *STATUS_P says how it ended (waitpid's, or -1), and ANSWER
   is 0.  */
bool ummgr_cli_ask_apart (void (*ask) (const void *question, void *answer),
			  const void *question, void *answer, size_t size,
			  unsigned seconds, int *status_p);

/* What kind of GPU the machine has (probe.c); asked in a child process, so
   that no driver stays loaded here.  */
struct ummgr_cli_gpu
{
  int devices;			/* 0: none.  */
  int driver_version;		/* As cuDriverGetVersion gives it.  */
  uint64_t memory;		/* Of the smallest.  */
  char name[128];		/* Of the first.  */
};
void ummgr_cli_probe_gpu (struct ummgr_cli_gpu *out);

/* What a program file is (elf.c).  */
struct ummgr_cli_program
{
  bool elf, other_class;
  bool static_link;
  bool offload;			/* It carries offload code itself.  */
  bool traced;			/* It reports its accesses.  */
  bool unified;			/* It asks the library for memory (ummgr cc --unify).  */
  bool privileged;		/* Set-user-ID: the loader drops LD_PRELOAD. */
  bool asan;			/* It was built with AddressSanitizer.  */
  char sanitizer[PATH_MAX];	/* The sanitizer's library, or "".  */
};
bool ummgr_cli_inspect (const char *path, struct ummgr_cli_program *out);

/* The files that `ummgr run' leaves where no name is said, each list up to NULL: the trace; trace and
   statistics (run-default.c).  What was there of an earlier run gets the suffix.  */
#define UMMGR_OLD_SUFFIX ".old"
extern const char *const ummgr_last_trace[], *const ummgr_last_run[];

/* Set OFFLOAD and TRACED of OUT, which ummgr_cli_inspect has filled in for PATH,
   also if something that it is linked with has them; and SANITIZER.  Runs the dynamic loader in
   its tracing mode, not the program.  */
void ummgr_cli_inspect_libraries (const char *path,
				  struct ummgr_cli_program *out);

/* Run ARGV and collect its standard output, up to SIZE - 1 bytes; standard
   error is discarded.  Returns its exit status, or -1.  */
int ummgr_cli_capture (char *const argv[], char *buf, size_t size);

/* First line of TEXT only.  */
void ummgr_cli_first_line (char *text);

/* NAME on $PATH (or itself, if it has a slash) into OUT; 0, or ENOENT or
   EACCES.  */
int ummgr_cli_find_program (const char *name, char out[PATH_MAX]);
