/* `ummgr cc`, `ummgr c++`: gcc with what ummgr needs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Adds options and becomes gcc; the user's own options come later and so
   win.  Owns nothing that outlives that.  */

#include "config.h"
#include "cli/cc.h"
#include "log.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The PTX that GCC 12 makes by default is for sm_35, which ptxas of CUDA 12
   and later refuses.  GCC finds ptxas on $PATH, and without it checks
   nothing.  Ask the one that is there.  */
static bool
ptxas_accepts (const char *ptxas, const char *target)
{
  char file[] = "/tmp/ummgr-ptx-XXXXXX", text[160], out[16];
  int fd = mkostemp (file, O_CLOEXEC);
  if (fd < 0)
    return true;
  int n = snprintf (text, sizeof text, ".version 6.3\n.target %s\n"
		    ".address_size 64\n.visible .func f () { ret; }\n",
		    target);
  bool written = write (fd, text, n) == n;
  close (fd);
  char *const argv[] = { (char *) ptxas, (char *) "-c", (char *) "-o",
    (char *) "/dev/null", (char *) "--gpu-name", (char *) target, file, NULL };
  bool accepted = !written || ummgr_cli_capture (argv, out, sizeof out) == 0;
  unlink (file);
  return accepted;
}

static bool
needs_newer_target (void)
{
  char ptxas[PATH_MAX];
  return ummgr_cli_find_program ("ptxas", ptxas) == 0
    && !ptxas_accepts (ptxas, "sm_35") && ptxas_accepts (ptxas, "sm_75");
}

/* The major version of the compiler COMMAND begins with, or 0.  */
static int
compiler_version (const struct ummgr_cc_command *command)
{
  char text[64];
  char *const argv[] = { command->words[0], (char *) "-dumpversion", NULL };
  return ummgr_cli_capture (argv, text, sizeof text) == 0 ? atoi (text) : 0;
}

/* The plugin belongs to the GCC that this command was built with.  */
static bool
add_plugin (struct ummgr_cc_command *command, const char *plugin, int version)
{
  char *option;
  /* Version 0: it can't be run, which is said when it is to be.  */
  if (!*plugin || version == 0)
    return true;
  if (version != __GNUC__)
    {
      ummgr_warn ("cc: '%s' is GCC %d and the plugin is for GCC %d: compiling "
		  "without it", command->words[0], version, __GNUC__);
      return true;
    }
  if (asprintf (&option, "-fplugin=%s", plugin) < 0)
    return false;
  bool good = ummgr_cc_add (command, option);
  free (option);
  return good;
}

static bool
add_link (struct ummgr_cc_command *command, const struct ummgr_cli_paths *paths,
	  const struct ummgr_cc_arguments *arguments)
{
  if (!arguments->links || arguments->relocatable)
    return true;
  /* What mkoffload makes has text relocations; Debian's gcc warns of them in
     position-independent programs.  */
  if (!arguments->no_pie && !arguments->fixed
      && !ummgr_cc_add (command, "-Wl,-z,notext"))
    return false;
  if (!*paths->library || arguments->fixed)
    return true;
  char *directory, *rpath;
  if (asprintf (&directory, "-L%s", paths->libdir) < 0)
    return false;
  if (asprintf (&rpath, "-Wl,-rpath,%s", paths->libdir) < 0)
    {
      free (directory);
      return false;
    }
  /* Nothing in the program names libummgr, and where it stands in for all the
     program wants of libgomp nothing names that: both must be kept, libgomp
     second.  */
  bool good = ummgr_cc_add (command, "-Wl,--push-state,--no-as-needed")
    && ummgr_cc_add (command, directory) && ummgr_cc_add (command, rpath)
    && ummgr_cc_add (command, "-lummgr") && ummgr_cc_add (command, "-lgomp")
    && ummgr_cc_add (command, "-Wl,--pop-state");
  free (directory);
  free (rpath);
  return good;
}

/* A library that was built with a sanitizer needs its run time, which must
   come before all others; the program's own code is left as it is.  */
static bool
add_sanitizer (struct ummgr_cc_command *command,
	       const struct ummgr_cc_arguments *arguments)
{
#ifdef __SANITIZE_ADDRESS__
  if (arguments->links && !arguments->fixed && !arguments->relocatable)
    return ummgr_cc_add (command, "-Wl,--push-state,--no-as-needed")
      && ummgr_cc_add (command, "-lasan")
      && ummgr_cc_add (command, "-Wl,--pop-state");
#endif
  return true;
}

static bool
make_command (struct ummgr_cc_command *command, int argc, char **argv,
	      const struct ummgr_cc_arguments *arguments)
{
  struct ummgr_cli_paths paths;
  const char *compiler = getenv (arguments->cxx ? "UMMGR_CXX" : "UMMGR_CC");
  if (!compiler || !*compiler)
    compiler = arguments->cxx ? UMMGR_CXX : UMMGR_CC;
  if (!ummgr_cc_add_words (command, compiler) || command->count == 0)
    return false;
  if (arguments->inputs)
    {
      int version = compiler_version (command);
      ummgr_cli_find_paths (&paths);
      if (!add_plugin (command, paths.plugin, version)
	  || !ummgr_cc_add (command, "-fopenmp"))
	return false;
      /* GCC 11 has neither the option nor sm_75.  */
      if (arguments->links && !arguments->offload_options && version >= 12
	  && needs_newer_target ()
	  && !ummgr_cc_add (command,
			    "-foffload-options=nvptx-none=-misa=sm_75"))
	return false;
      if (!add_sanitizer (command, arguments))
	return false;
    }
  for (int i = 0; i < argc; i++)
    if (!ummgr_cc_add (command, strcmp (argv[i], "--verbose") == 0
		       ? "-v" : argv[i]))
      return false;
  return !arguments->inputs || add_link (command, &paths, arguments);
}

static void
show (const struct ummgr_cc_command *command)
{
  fputs ("ummgr: cc:", stderr);
  for (size_t i = 0; i < command->count; i++)
    fprintf (stderr, " %s", command->words[i]);
  fputc ('\n', stderr);
}

static void
help (const char *name)
{
  static const struct argp_option options[] = {
    { "OPTION", 0, NULL, OPTION_DOC | OPTION_NO_USAGE,
      "any option of gcc", 0 },
    { "-v, --verbose, -###", 0, NULL, OPTION_DOC | OPTION_NO_USAGE,
      "as gcc's; also shows the whole command", 0 },
    { 0 }
  };
  static const struct argp argp = {
    .options = options, .args_doc = "FILE...",
    .doc = "Compile and link with gcc, adding the compiler plugin, -fopenmp "
      "and libummgr.\vThe compiler is $UMMGR_CC (for C++: $UMMGR_CXX) or the "
      "one ummgr was built with.  The exit status is the compiler's."
  };
  argp_help (&argp, stdout, ARGP_HELP_STD_HELP, (char *) name);
}

static int
compile (int argc, char **argv, bool cxx)
{
  struct ummgr_cc_arguments arguments;
  struct ummgr_cc_command command = { NULL, 0, 0 };
  if (argc > 1 && strcmp (argv[1], "--help") == 0)
    {
      help (argv[0]);
      return 0;
    }
  ummgr_cc_classify (argc - 1, argv + 1, &arguments);
  arguments.cxx |= cxx;
  if (!make_command (&command, argc - 1, argv + 1, &arguments))
    {
      ummgr_error ("cc: can't make the command: no memory, or an empty "
		   "UMMGR_CC");
      ummgr_cc_free (&command);
      return UMMGR_EXIT_FAILURE;
    }
  if (arguments.show)
    show (&command);
  execvp (command.words[0], command.words);
  int error = errno;
  ummgr_error ("cc: can't run '%s': %s", command.words[0], strerror (error));
  ummgr_cc_free (&command);
  return error == ENOENT ? UMMGR_EXIT_NOT_FOUND : UMMGR_EXIT_NOT_EXECUTABLE;
}

int
ummgr_cli_cc (int argc, char **argv)
{
  return compile (argc, argv, false);
}

int
ummgr_cli_cxx (int argc, char **argv)
{
  return compile (argc, argv, true);
}
