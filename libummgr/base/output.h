/* Names of the files that a process leaves.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   In a name %p stands for the number of the process, %r for that of the rank in its MPI
   program (0 where it is none), %h for the host's name, %q{NAME} for the variable NAME and %% for
   %; other text stays.  So ranks of MPI, and processes that a program starts, write files of
   their own.  */

#pragma once

#include "base/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Is there a %p in NAME?  */
bool ummgr_output_has_pid (const char *name);

/* NAME, with ".%r" before its suffix if this is one of several ranks, for which NAME would be the
   same: it has none of %p, %r and %q, and is no pipe, no device and not "-".  The caller frees it;
   NULL without memory.  */
char *ummgr_output_for_rank (const char *name);

/* NAME with all of that replaced; with PID 0, %p, %r and %% are kept.  The
   caller frees it; NULL without memory.  */
char *ummgr_output_expand (const char *name, pid_t pid);

/* What stands for FILE itself: each % twice.  The caller frees it; NULL without
   memory.  */
char *ummgr_output_tell (const char *file);

/* NAME from the root, for it is to be found after the program has changed its
   directory: NAME itself if it begins there or is "-", else in DIRECTORY, or NAME
   if that is NULL.  The caller frees it; NULL without memory.  */
char *ummgr_output_from (const char *directory, const char *name);

/* The names in NAMED, as the user gave them, as whole paths of the calling
   process into OPTIONS; they are never freed.  Relative ones start where the
   process was at the first call, "-" stays.  In the CHILD of a fork, names that
   would be the parent's get the child's number before their suffix.  */
void ummgr_output_resolve (struct ummgr_options *options,
			   const struct ummgr_options *named, bool child);

/* Write FILE, or standard error for "-", by PUT, which need not look for errors.
   One message that begins with AREA if not all of it got there.  */
enum ummgr_status ummgr_output_write (const char *area, const char *file,
				      void (*put) (FILE *out, const void *what),
				      const void *what);
