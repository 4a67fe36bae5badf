/* Inside `ummgr cc`.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "cli/cli.h"

/* What the user's arguments say to the compiler driver.  */
struct ummgr_cc_arguments
{
  bool inputs;			/* There is something to compile or link.  */
  bool links;			/* And it is linked.  */
  bool cxx;			/* Some input is C++.  */
  bool fortran;			/* Some input is Fortran.  */
  bool relocatable;		/* -r: linked, but no program.  */
  bool no_pie, fixed;		/* -no-pie; -static.  */
  bool isa;			/* The device's -misa= or -march=.  */
  bool show;			/* -v, --verbose or -###.  */
  bool counts;			/* -fprofile-generate and its like.  */
  bool offloads;		/* -foffload= of anything but disable.  */
  bool trace;			/* -ftrace, and no -fno-trace after it; or COUNT.  */
  bool count;			/* -fcount, and no -fno-count after it.  */
  bool unify;			/* -funify, and no -fno-unify after it.  */
  bool warn;			/* -Wummgr, and no -Wno-ummgr after it.  */
  bool quiet;			/* -w.  */
};
/* What a name of the command says of the language; ANY: the files do.  */
enum ummgr_cc_language
{
  UMMGR_CC_ANY,
  UMMGR_CC_CXX,
  UMMGR_CC_FORTRAN
};

/* Become the compiler, with what ummgr adds.  Returns an exit status where that
   can't be.  */
int ummgr_cc_compile (int argc, char **argv, enum ummgr_cc_language language);

void ummgr_cc_classify (int argc, char **argv,
			struct ummgr_cc_arguments *out);

/* Is WORD an option whose value is the next argument?  */
bool ummgr_cc_takes_next (const char *word);

/* An argument of the plugin's, in two parts; TEXT is NULL for none.  */
struct ummgr_cc_plugin_argument
{
  const char *text, *rest;
};

/* Is WORD an option of `ummgr cc' itself, which gcc doesn't know?  *OUT is what
   it says to the plugin.  */
bool ummgr_cc_is_own (const char *word, struct ummgr_cc_plugin_argument *out);

/* A growing argument vector, ended by NULL.  */
struct ummgr_cc_command
{
  char **words;
  size_t count, capacity;
};
bool ummgr_cc_add (struct ummgr_cc_command *command, const char *word);

/* Add the words of TEXT, such as "gcc -m64".  */
bool ummgr_cc_add_words (struct ummgr_cc_command *command, const char *text);

void ummgr_cc_free (struct ummgr_cc_command *command);
