/* `ummgr cc`, `ummgr c++`, and by other names (wrappers.c): gcc with what ummgr needs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Adds options and becomes gcc; the user's own options come later and so
   win.  Owns nothing that outlives that.  */

#include "config.h"
#include "cli/cc.h"
#include "cli/options.h"
#include "base/log.h"

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

/* The compiler: what the user calls it ("ccache gcc-12 -m64"), and its major
   version.  */
struct compiler
{
  const char *name;
  int version;
};
enum
{
  VERSION_ABSENT = 0,		/* It can't be run, which is said when it is
				   to be.  */
  VERSION_UNKNOWN = -1
};

/* Ask the compiler that is all of COMMAND so far: its first word may be one that runs the next.  Its status, and what
   it says in TEXT.  */
static int
ask_compiler (const struct ummgr_cc_command *command, const char *question, char *text, size_t size)
{
  char **argv = calloc (command->count + 2, sizeof *argv);
  if (!argv)
    return UMMGR_EXIT_FAILURE;
  memcpy (argv, command->words, command->count * sizeof *argv);
  argv[command->count] = (char *) question;
  int status = ummgr_cli_capture (argv, text, size);
  free (argv);
  return status;
}

/* Clang answers -dumpversion as GCC does.  */
static bool
is_clang (const struct ummgr_cc_command *command)
{
  char text[256];
  for (size_t i = 0; i < command->count; i++)
    if (strstr (command->words[i], "gcc") || strstr (command->words[i], "g++")
	|| strstr (command->words[i], "gfortran"))
      return false;
  return ask_compiler (command, "--version", text, sizeof text) == 0 && strstr (text, "clang");
}

/* Its major version.  */
static int
compiler_version (const struct ummgr_cc_command *command)
{
  char text[64];
  int status = ask_compiler (command, "-dumpversion", text, sizeof text);
  if (status == 126 || status == 127 || status == UMMGR_EXIT_FAILURE)
    return VERSION_ABSENT;
  return status == 0 && atoi (text) > 0 ? atoi (text) : VERSION_UNKNOWN;
}

/* Into TEXT, SIZE bytes: which GCC COMPILER is, which ones there are plugins for, and how to have
   one for it.  */
static void
say_no_plugin (const struct compiler *compiler, struct ummgr_cli_paths *paths, char *text,
	       size_t size)
{
  char there[80] = "";
  size_t n = 0;
  for (int version = 1; version < 100; version++)
    if (ummgr_cli_find_plugin (paths, version) && n < sizeof there)
      n += snprintf (there + n, sizeof there - n, "%s%d", n ? ", " : " for GCC ", version);
  *paths->plugin = 0;
  if (compiler->version == VERSION_UNKNOWN)
    snprintf (text, size, "'%s' doesn't say with -dumpversion which GCC it is, and the plugin is%s",
	      compiler->name, *there ? there : " not installed");
  else
    snprintf (text, size, "'%s' is GCC %d and the plugin is%s (for one: gcc-%d-plugin-dev, and "
	      "`make install-plugins GCCS=gcc-%d' where ummgr was built)", compiler->name,
	      compiler->version, *there ? there : " not installed", compiler->version,
	      compiler->version);
}

/* Tracing is the plugin's and the program object's work.  */
static bool
can_trace (const struct compiler *compiler, struct ummgr_cli_paths *paths)
{
  char missing[PATH_MAX + 512];
  if (!ummgr_cli_find_plugin (paths, compiler->version))
    {
      say_no_plugin (compiler, paths, missing, sizeof missing);
      ummgr_error ("cc: -ftrace: %s: or name another compiler in UMMGR_CC (UMMGR_CXX for C++, "
		   "UMMGR_FC for Fortran)", missing);
      return false;
    }
  if (!*paths->trace_object)
    {
      ummgr_error ("cc: -ftrace needs ummgr/gcc-%d/ummgr-trace.o beside '%s', which is "
		   "not there: install ummgr again", compiler->version,
		   *paths->library ? paths->library : "libummgr.so");
      return false;
    }
  return true;
}

static bool
add_text (struct ummgr_cc_command *command, const char *before,
	  const char *text, const char *rest)
{
  char *option;
  if (asprintf (&option, "%s%s%s", before, text, rest) < 0)
    return false;
  bool good = ummgr_cc_add (command, option);
  free (option);
  return good;
}

/* The plugin and what the user's arguments say to it.  Without plugin headers none was made,
   which `ummgr info' tells.  */
static bool
add_plugin (struct ummgr_cc_command *command, struct ummgr_cli_paths *paths,
	    const struct compiler *compiler, int argc, char **argv,
	    const struct ummgr_cc_arguments *arguments)
{
  char missing[PATH_MAX + 512];
  bool other = compiler->version != VERSION_ABSENT && compiler->version != __GNUC__;
  if (!ummgr_cli_find_plugin (paths, compiler->version))
    {
      if (!other)
	return true;
      say_no_plugin (compiler, paths, missing, sizeof missing);
      ummgr_warn ("cc: %s: compiling without it", missing);
      return true;
    }
  /* -w is for all warnings to GCC, whichever are asked for and in whatever
     order: who compiles with it relies on that.  But to be told nothing is not
     to have nothing to be told.  */
  if (arguments->warn && arguments->quiet)
    ummgr_warn ("cc: -w leaves out all warnings, also those of -Wummgr: compile "
		"without -w to see them");
  bool good = add_text (command, "-fplugin=", paths->plugin, "")
    && (!arguments->trace || ummgr_cc_add (command, "-fplugin-arg-ummgr-trace"))
    && (!arguments->count || ummgr_cc_add (command, "-fplugin-arg-ummgr-count"))
    && (!arguments->unify || ummgr_cc_add (command, "-fplugin-arg-ummgr-unify"))
    && (!arguments->warn || ummgr_cc_add (command, "-fplugin-arg-ummgr-warn"));
  for (int i = 0; i < argc && good; i++)
    {
      struct ummgr_cc_plugin_argument own;
      if (ummgr_cc_is_own (argv[i], &own) && own.text)
	good = add_text (command, "-fplugin-arg-ummgr-", own.text, own.rest);
      i += ummgr_cc_takes_next (argv[i]);
    }
  return good;
}

/* What is not for `ummgr cc' itself.  */
static bool
add_users (struct ummgr_cc_command *command, int argc, char **argv)
{
  bool good = true, value = false;
  for (int i = 0; i < argc && good; i++)
    {
      struct ummgr_cc_plugin_argument own;
      if (!value && ummgr_cc_is_own (argv[i], &own))
	continue;
      good = ummgr_cc_add (command, !value
			   && strcmp (argv[i], "--verbose") == 0
			   ? "-v" : argv[i]);
      value = !value && ummgr_cc_takes_next (argv[i]);
    }
  return good;
}

/* GCC's counters are variables that target regions may not use: a program that has them
   can't be linked for a GPU.  On the host the regions count as they would there.  */
static bool
add_counting (struct ummgr_cc_command *command, const struct ummgr_cc_arguments *arguments)
{
  if (!arguments->counts || !arguments->inputs)
    return true;
  if (arguments->offloads)
    ummgr_warn ("cc: GCC's counters don't work on GPUs: target regions of this program run "
		"on the host (-foffload=disable)");
  return ummgr_cc_add (command, "-foffload=disable");
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
#if defined __SANITIZE_ADDRESS__
  const char *library = "-lasan";
#elif defined __SANITIZE_THREAD__
  const char *library = "-ltsan";
#else
  const char *library = NULL;
#endif
  if (library && arguments->links && !arguments->fixed
      && !arguments->relocatable)
    return ummgr_cc_add (command, "-Wl,--push-state,--no-as-needed")
      && ummgr_cc_add (command, library)
      && ummgr_cc_add (command, "-Wl,--pop-state");
  return true;
}

/* What comes before the user's arguments.  */
static bool
add_first (struct ummgr_cc_command *command, int argc, char **argv,
	   const struct ummgr_cc_arguments *arguments,
	   struct ummgr_cli_paths *paths, const struct compiler *compiler)
{
  if (!add_plugin (command, paths, compiler, argc, argv, arguments)
      || !ummgr_cc_add (command, "-fopenmp"))
    return false;
  /* GCC 11 has neither the option nor sm_75: ptxas, which would only check
     what it makes, isn't asked then.  */
  if (arguments->links && !arguments->isa && compiler->version > 0
      && needs_newer_target ()
      && !ummgr_cc_add (command, compiler->version >= 12
			? "-foffload-options=nvptx-none=-misa=sm_75"
			: "-foffload=-Wa,--no-verify"))
    return false;
  /* Ubuntu's GCC has -fcf-protection=full by default, and others by their users; it goes with the objects to the
     offload compiler, which refuses it.  Another target's options go before the user's, too.  */
  if (arguments->links && compiler->version > 0
      && !ummgr_cc_add (command, compiler->version >= 12
			? "-foffload-options=-fcf-protection=none" : "-foffload=-fcf-protection=none"))
    return false;
  if (arguments->trace && arguments->links && !arguments->relocatable
      && !ummgr_cc_add (command, paths->trace_object))
    return false;
  return add_sanitizer (command, arguments);
}

/* The Fortran compiler that belongs to the C compiler CC, which may be
   "ccache /usr/bin/gcc-12 -m64": the same with another name, in SPACE.  */
static const char *
fortran_of (const char *cc, char *space, size_t size)
{
  size_t length;
  for (const char *word = cc; *(word += strspn (word, " \t")); word += length)
    {
      length = strcspn (word, " \t");
      const char *slash = memrchr (word, '/', length);
      const char *name = slash ? slash + 1 : word;
      const char *gcc = memmem (name, word + length - name, "gcc", 3);
      if (memmem (name, word + length - name, "gfortran", 8))
	return cc;
      if (!gcc)
	continue;
      snprintf (space, size, "%.*sgfortran%s", (int) (gcc - cc), cc, gcc + 3);
      return space;
    }
  return "gfortran";
}

/* The command for ARGUMENTS' language; SPACE is for it.  */
static const char *
compiler_of (const struct ummgr_cc_arguments *arguments, char *space,
	     size_t size)
{
  const char *cc = getenv ("UMMGR_CC");
  const char *own = getenv (arguments->cxx ? "UMMGR_CXX"
			    : arguments->fortran ? "UMMGR_FC" : "UMMGR_CC");
  if (own && *own)
    return own;
  if (arguments->cxx)
    return UMMGR_CXX;
  if (!cc || !*cc)
    cc = UMMGR_CC;
  return arguments->fortran ? fortran_of (cc, space, size) : cc;
}

/* 0, or the exit status after a message.  */
static int
make_command (struct ummgr_cc_command *command, int argc, char **argv,
	      const struct ummgr_cc_arguments *arguments)
{
  struct ummgr_cli_paths paths;
  char space[PATH_MAX + 256];
  struct compiler compiler
    = { compiler_of (arguments, space, sizeof space), VERSION_ABSENT };
  bool good = ummgr_cc_add_words (command, compiler.name) && command->count > 0;
  if (good && arguments->inputs)
    {
      compiler.version = compiler_version (command);
      if (compiler.version > 0 && is_clang (command))
	{
	  ummgr_error ("cc: '%s' is clang, whose programs offload by another library than GCC's libgomp, which ummgr "
		       "doesn't know: name a GCC in UMMGR_CC (UMMGR_CXX for C++, UMMGR_FC for Fortran)", compiler.name);
	  return UMMGR_EXIT_FAILURE;
	}
      ummgr_cli_find_paths (&paths);
      if (arguments->trace && compiler.version != VERSION_ABSENT
	  && !can_trace (&compiler, &paths))
	return UMMGR_EXIT_FAILURE;
      good = add_first (command, argc, argv, arguments, &paths, &compiler);
    }
  good = good && add_users (command, argc, argv) && add_counting (command, arguments)
    && (!arguments->inputs || add_link (command, &paths, arguments));
  if (good)
    return 0;
  ummgr_error ("cc: can't make the command: no memory, or an empty UMMGR_CC");
  return UMMGR_EXIT_FAILURE;
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
  struct argp_option options[16] = { { 0 } };
  const struct argp argp = {
    .options = options, .args_doc = "FILE...",
    .doc = "Compile and link with gcc, adding the compiler plugin, -fopenmp "
      "and libummgr.\vAny option of gcc will do, and -Wno-ummgr-NAME, which leaves out the "
      "warnings of --warn that are called NAME; -v, --verbose and -### also show the whole command.  "
      "The compiler is $UMMGR_CC (for C++: $UMMGR_CXX, for "
      "Fortran: $UMMGR_FC) or the "
      "one ummgr was built with.  The exit status is the compiler's."
  };
  int count = ummgr_cli_argp (ummgr_cc_rows, UMMGR_CLI_KEY, options);
  argp_help (&argp, stdout, ARGP_HELP_STD_HELP, (char *) name);
  ummgr_cli_argp_free (options, count);
}

/* Set for the compiler, which must not be ummgr once more: UMMGR_CC=mpicc with
   OMPI_CC=ummgr-gcc would never end.  */
#define INSIDE "UMMGR_INSIDE_CC"

static bool
is_inside_itself (void)
{
  const char *inside = getenv (INSIDE);
  if (inside)
    ummgr_error ("cc: '%s' calls ummgr again: name gcc itself in UMMGR_CC, UMMGR_CXX and UMMGR_FC", inside);
  return inside != NULL;
}

int
ummgr_cc_compile (int argc, char **argv, enum ummgr_cc_language language)
{
  struct ummgr_cc_arguments arguments;
  struct ummgr_cc_command command = { NULL, 0, 0 };
  char space[PATH_MAX + 256];
  if (argc > 1 && strcmp (argv[1], "--help") == 0)
    {
      help (argv[0]);
      return 0;
    }
  if (is_inside_itself ())
    return UMMGR_EXIT_FAILURE;
  ummgr_cc_classify (argc - 1, argv + 1, &arguments);
  arguments.cxx = language == UMMGR_CC_CXX || (arguments.cxx && language == UMMGR_CC_ANY);
  arguments.fortran = language == UMMGR_CC_FORTRAN || (arguments.fortran && language == UMMGR_CC_ANY);
  setenv (INSIDE, compiler_of (&arguments, space, sizeof space), 1);
  int status = make_command (&command, argc - 1, argv + 1, &arguments);
  if (status)
    {
      ummgr_cc_free (&command);
      return status;
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
  return ummgr_cc_compile (argc, argv, UMMGR_CC_ANY);
}

int
ummgr_cli_cxx (int argc, char **argv)
{
  return ummgr_cc_compile (argc, argv, UMMGR_CC_CXX);
}
