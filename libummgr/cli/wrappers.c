/* The command by other names: `ummgr-gcc` and its like.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What takes a compiler's path, and not two words, gets one of these links:
   CMake, clangd, Fortran in most build systems.  CMake looks for the archiver
   beside it, by the compiler's own name (PREFIX-gcc-ar), which has to be GCC's
   for -flto.

   No state.  */

#include "config.h"
#include "cli/cc.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
as_gcc (int argc, char **argv)
{
  return ummgr_cc_compile (argc, argv, UMMGR_CC_ANY);
}

static int
as_gxx (int argc, char **argv)
{
  return ummgr_cc_compile (argc, argv, UMMGR_CC_CXX);
}

static int
as_gfortran (int argc, char **argv)
{
  return ummgr_cc_compile (argc, argv, UMMGR_CC_FORTRAN);
}

/* The TOOL that belongs to the C compiler, which may be "ccache /opt/bin/gcc-12 -m64":
   /opt/bin/gcc-TOOL-12.  */
static void
tool_of (const char *cc, const char *tool, char *out, size_t size)
{
  size_t length;
  snprintf (out, size, "gcc-%s", tool);
  for (const char *word = cc; *(word += strspn (word, " \t")); word += length)
    {
      length = strcspn (word, " \t");
      const char *slash = memrchr (word, '/', length);
      const char *name = slash ? slash + 1 : word;
      const char *gcc = memmem (name, word + length - name, "gcc", 3);
      if (!gcc)
	continue;
      snprintf (out, size, "%.*sgcc-%s%.*s", (int) (gcc - word), word, tool,
		(int) (word + length - gcc - 3), gcc + 3);
      return;
    }
}

static int
as_tool (const char *tool, char **argv)
{
  char program[PATH_MAX];
  const char *cc = getenv ("UMMGR_CC");
  tool_of (cc && *cc ? cc : UMMGR_CC, tool, program, sizeof program);
  argv[0] = program;
  execvp (program, argv);
  int error = errno;
  ummgr_error ("can't run '%s': %s", program, strerror (error));
  return error == ENOENT ? UMMGR_EXIT_NOT_FOUND : UMMGR_EXIT_NOT_EXECUTABLE;
}

static int
as_ar (int argc, char **argv)
{
  return as_tool ("ar", argv);
}

static int
as_nm (int argc, char **argv)
{
  return as_tool ("nm", argv);
}

static int
as_ranlib (int argc, char **argv)
{
  return as_tool ("ranlib", argv);
}

int (*ummgr_cli_wrapper (const char *path)) (int, char **)
{
  static const struct
  {
    const char *name;
    int (*run) (int argc, char **argv);
  } wrappers[] = {
    { "ummgr-gcc", as_gcc }, { "ummgr-g++", as_gxx }, { "ummgr-gfortran", as_gfortran },
    { "ummgr-gcc-ar", as_ar }, { "ummgr-gcc-nm", as_nm }, { "ummgr-gcc-ranlib", as_ranlib }
  };
  const char *slash = path ? strrchr (path, '/') : NULL;
  const char *name = slash ? slash + 1 : path ? path : "";
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
    if (strcmp (name, wrappers[i].name) == 0)
      return wrappers[i].run;
  return NULL;
}
