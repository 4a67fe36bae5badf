/* `ummgr cc`: what gcc's arguments mean, as far as that matters here.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Knows the few options of gcc (GCC 11 to 14) that stop before
   the link, that take their value from the next argument, or that bear on
   offloading; all others are gcc's business.  */

#include "config.h"
#include "cli/cc.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static bool
is_any (const char *word, const char *const *list)
{
  for (; *list; list++)
    if (strcmp (word, *list) == 0)
      return true;
  return false;
}

static bool
begins (const char *word, const char *prefix)
{
  return strncmp (word, prefix, strlen (prefix)) == 0;
}

static bool
stops_early (const char *word)
{
  static const char *const list[]
    = { "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version",
	"-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs",
	"--compile", "--assemble", "--preprocess", "--help", "--target-help",
	NULL };
  return is_any (word, list) || begins (word, "-print-")
    || begins (word, "--print-") || begins (word, "--help=");
}

/* Does WORD have programs count what they execute, for GCC or gcov?  */
static bool
makes_count (const char *word)
{
  static const char *const list[]
    = { "-fprofile-generate", "-fprofile-arcs", "-coverage", "--coverage", NULL };
  return is_any (word, list) || begins (word, "-fprofile-generate=");
}

bool
ummgr_cc_takes_next (const char *word)
{
  static const char *const list[]
    = { "-o", "-x", "-I", "-L", "-l", "-D", "-U", "-include", "-imacros",
	"-isystem", "-idirafter", "-iprefix", "-iwithprefix", "-iquote",
	"-isysroot", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler",
	"-Xpreprocessor", "-T", "-u", "-z", "-e", "-A", "-B", "-aux-info",
	"-dumpbase", "-dumpdir", "-dumpbase-ext", "--param", "-wrapper",
	"-specs", "--output", "--sysroot", NULL };
  return is_any (word, list);
}

static bool
is_cxx_file (const char *word)
{
  static const char *const list[]
    = { ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", NULL };
  const char *dot = strrchr (word, '.');
  return dot && is_any (dot, list);
}

static bool
is_fortran_file (const char *word)
{
  static const char *const list[]
    = { ".f", ".for", ".ftn", ".fpp", ".f90", ".f95", ".f03", ".f08", ".F",
	".FOR", ".FTN", ".FPP", ".F90", ".F95", ".F03", ".F08", NULL };
  const char *dot = strrchr (word, '.');
  return dot && is_any (dot, list);
}

#define ROW(NAME, FIELD, HELP) UMMGR_OPTION (NAME, FLAG, struct ummgr_cc_arguments, FIELD, HELP)

const struct ummgr_option ummgr_cc_rows[] = {
  ROW ("unify", unify,
       "have what regions use allocated in managed memory, so that maps copy nothing and "
       "the policy of ummgr run moves it; also -funify"),
  ROW ("trace", trace,
       "report each access to data on the heap, for ummgr run --trace; give it "
       "where files are compiled and where they are linked; also -ftrace"),
  ROW ("count", count,
       "as --trace, and count how conditions in regions come out, for ummgr run --stats; also -fcount"),
  ROW ("warn", warn, "warn of maps that copy what is not needed; also -Wummgr"),
  { .name = "profile", .type = UMMGR_OPTION_TEXT | UMMGR_OPTION_LIST, .means = UMMGR_OPTION_FILE,
    .help = "believe the statistics of runs (ummgr run --stats) of how often regions are "
      "launched, and of what --count counted" },
  { .name = NULL }
};

/* Is WORD OPTION, or its like among gcc's (-fNAME, -fno-NAME)?  *ON_P: to have it.  */
static bool
is_one_of (const char *word, const struct ummgr_option *option, bool *on_p)
{
  const char *name = option->name, *prefix = "-f", *negated = "-fno-";
  if (strcmp (name, "warn") == 0)
    {
      name = word[0] == '-' && word[1] == '-' ? name : "ummgr";
      prefix = "-W";
      negated = "-Wno-";
    }
  *on_p = true;
  if (begins (word, "--"))
    return strcmp (word + 2, option->name) == 0;
  *on_p = begins (word, prefix) && strcmp (word + strlen (prefix), name) == 0;
  return *on_p || (begins (word, negated) && strcmp (word + strlen (negated), name) == 0);
}

/* Is WORD one of those that are on or off?  The last one counts.  */
static bool
is_switch (const char *word, struct ummgr_cc_arguments *out)
{
  bool on;
  for (const struct ummgr_option *o = ummgr_cc_rows; o->name; o++)
    if (o->type == UMMGR_OPTION_FLAG && is_one_of (word, o, &on))
      {
	*(bool *) ((char *) out + o->offset) = on;
	return true;
      }
  return false;
}

bool
ummgr_cc_is_own (const char *word, struct ummgr_cc_plugin_argument *out)
{
  static const char disable[] = "-Wno-ummgr-", profile[] = "--profile=";
  *out = (struct ummgr_cc_plugin_argument) { NULL, "" };
  if (begins (word, disable) && word[strlen (disable)])
    {
      *out = (struct ummgr_cc_plugin_argument) { "no-", word
						 + strlen (disable) };
      return true;
    }
  if (begins (word, profile) && word[strlen (profile)])
    {
      *out = (struct ummgr_cc_plugin_argument) { "profile=", word + strlen (profile) };
      return true;
    }
  struct ummgr_cc_arguments unused;
  return is_switch (word, &unused);
}

void
ummgr_cc_classify (int argc, char **argv, struct ummgr_cc_arguments *out)
{
  bool stops = false;
  memset (out, 0, sizeof *out);
  for (int i = 0; i < argc; i++)
    {
      const char *word = argv[i];
      /* "-" is standard input, and what follows @ may hold inputs.  */
      if (word[0] != '-' || word[1] == 0)
	{
	  out->inputs = true;
	  out->cxx |= is_cxx_file (word);
	  out->fortran |= is_fortran_file (word);
	  continue;
	}
      stops |= stops_early (word);
      out->show |= strcmp (word, "-v") == 0 || strcmp (word, "--verbose") == 0
	|| strcmp (word, "-###") == 0;
      is_switch (word, out);
      out->quiet |= strcmp (word, "-w") == 0;
      out->relocatable |= strcmp (word, "-r") == 0;
      out->no_pie |= strcmp (word, "-no-pie") == 0;
      out->fixed |= strcmp (word, "-static") == 0
	|| strcmp (word, "-static-pie") == 0;
      out->inputs |= begins (word, "-l");
      /* Also in GCC 11's "-foffload=TARGET=OPTIONS".  */
      if (begins (word, "-foffload="))
	out->offloads = strcmp (word, "-foffload=disable") != 0;
      out->counts |= makes_count (word);
      if (begins (word, "-foffload"))
	out->isa |= strstr (word, "-misa=") || strstr (word, "-march=");
      if (strcmp (word, "-x") == 0 && i + 1 < argc)
	out->cxx |= begins (argv[i + 1], "c++");
      else if (begins (word, "-xc++"))
	out->cxx = true;
      if (ummgr_cc_takes_next (word))
	i++;
    }
  out->trace |= out->count;
  out->links = out->inputs && !stops;
}

bool
ummgr_cc_add (struct ummgr_cc_command *command, const char *word)
{
  if (!UMMGR_GROW (command->words, command->capacity, command->count + 2))
    return false;
  char *copy = strdup (word);
  if (!copy)
    return false;
  command->words[command->count++] = copy;
  command->words[command->count] = NULL;
  return true;
}

bool
ummgr_cc_add_words (struct ummgr_cc_command *command, const char *text)
{
  char *copy = strdup (text), *save;
  bool good = copy != NULL;
  for (char *word = copy ? strtok_r (copy, " \t", &save) : NULL;
       word && good; word = strtok_r (NULL, " \t", &save))
    good = ummgr_cc_add (command, word);
  free (copy);
  return good;
}

void
ummgr_cc_free (struct ummgr_cc_command *command)
{
  for (size_t i = 0; i < command->count; i++)
    free (command->words[i]);
  free (command->words);
}
