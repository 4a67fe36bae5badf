/* Inside the `ummgr` command.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"
#include "base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Exit statuses of the command's own, as env(1) and timeout(1) have them.  */
enum
{
  UMMGR_EXIT_FAILURE = 125,	/* ummgr itself failed or was misused.  */
  UMMGR_EXIT_NOT_EXECUTABLE = 126,
  UMMGR_EXIT_NOT_FOUND = 127
};

/* A subcommand; ARGV[0] is "ummgr NAME".  Returns the exit status.  */
struct ummgr_command
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *help;
};

int ummgr_cli_advise (int argc, char **argv);
int ummgr_cli_diff (int argc, char **argv);
int ummgr_cli_run (int argc, char **argv);
int ummgr_cli_cc (int argc, char **argv);
int ummgr_cli_cxx (int argc, char **argv);
int ummgr_cli_calibrate (int argc, char **argv);
int ummgr_cli_info (int argc, char **argv);
int ummgr_cli_report (int argc, char **argv);
int ummgr_cli_tables (int argc, char **argv);

/* `ummgr --list WHAT'; NULL: nothing was said.  */
int ummgr_cli_list (const char *what);
/* The WORDS, with spaces between, that the option called OPTION takes, one a line, each with what
   it does where they are policies.  */
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
  char libdir[PATH_MAX];	/* libummgr.so is here,  */
  char library[PATH_MAX];	/* this one,  */
  char sim[PATH_MAX];		/* the directory of the simulated driver,  */
  char shim[PATH_MAX];		/* libgomp's shim,  */
  char plugin[PATH_MAX];	/* and the compiler plugin.  */
  char trace_object[PATH_MAX];	/* For programs that are traced.  */
  char profiles[PATH_MAX];	/* Profiles of a build tree.  */
};
void ummgr_cli_find_paths (struct ummgr_cli_paths *paths);

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
  bool privileged;		/* Set-user-ID: the loader drops LD_PRELOAD. */
  bool asan;			/* It was built with AddressSanitizer.  */
  char sanitizer[PATH_MAX];	/* The sanitizer's library, or "".  */
};
bool ummgr_cli_inspect (const char *path, struct ummgr_cli_program *out);

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
