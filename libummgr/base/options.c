/* The option table and its parser.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state: callers hold their own struct ummgr_options.  */

#include "config.h"
#include "base/options.h"
#include "base/log.h"
#include "base/meant.h"
#include "base/remedy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECKED(NAME, TYPE, FIELD, VALUES, FALLBACK, HELP, REFUSE)            \
  UMMGR_OPTION (NAME, TYPE, struct ummgr_options, FIELD, HELP, .values = VALUES, \
		.fallback = FALLBACK, .refuse = REFUSE)
#define OPTION(NAME, TYPE, FIELD, VALUES, FALLBACK, HELP)                     \
  CHECKED (NAME, TYPE, FIELD, VALUES, FALLBACK, HELP, NULL)
/* A text that is a file's name, or a profile's; ABSENT is what counts where it is not said.  */
#define NAMED(NAME, MEANS, FIELD, ABSENT, FALLBACK, HELP)                     \
  UMMGR_OPTION (NAME, TEXT, struct ummgr_options, FIELD, HELP, .fallback = FALLBACK, \
		.absent = ABSENT, .means = UMMGR_OPTION_##MEANS)

#define MAX_SAMPLE (UINT64_C (1) << 20)
#define WORD 4			/* Shadow memory knows no smaller thing.  */

/* A mask chooses the blocks that are traced.  */
static const char *
refuse_sample (const char *value)
{
  uint64_t n = strtoull (value, NULL, 10);
  return n <= MAX_SAMPLE && (n & (n - 1)) == 0
    ? NULL : "a power of two from 1 to 1048576";
}

static const char *
refuse_block (const char *value)
{
  uint64_t size;
  return ummgr_parse_size (value, &size) && size >= WORD && size % WORD == 0
    ? NULL : "a size of at least 4 and a multiple of 4, such as 4K";
}

/* The forms are listed in the text; names may hold slashes, as files do.  */
static const char *
refuse_phase (const char *value)
{
  if (strcmp (value, "mark") == 0 || strcmp (value, "region") == 0)
    return NULL;
  const char *number = strrchr (value, '/');
  if (number && number != value && isdigit ((unsigned char) number[1]))
    {
      char *end;
      errno = 0;
      uint64_t n = strtoull (number + 1, &end, 10);
      if (errno == 0 && *end == 0 && n > 0)
	return NULL;
    }
  return "mark, region, or NAME/N, each N-th launch of the region NAME";
}

static const char *
refuse_apply (const char *value)
{
  struct ummgr_remedies parsed;
  const char *wanted = ummgr_remedies_parse (value, &parsed);
  ummgr_remedies_free (&parsed);
  return wanted;
}

/* Words behind a space each; the first space is left out below.  */
const char ummgr_policy_words[] =
#define UMMGR_POLICY(NAME) " " #NAME
#include "policy/policies.def"
  ;
static const char evict_words[] =
#define UMMGR_PAGING(NAME) " " #NAME
#define UMMGR_PAGING_VARIANT(NAME, WORD)
#include "paging/paging.def"
  ;

const struct ummgr_option ummgr_option_table[] = {
  OPTION ("gpu", NAME, gpu, "auto cuda sim", "auto",
	  "which GPU: a real one, the simulated one, or whichever is there"),
  NAMED ("profile", PROFILE, profile, NULL, "v100-nvlink2",
	 "machine to simulate: a profile's name or file"),
  OPTION ("gpus", COUNT, gpus, NULL, NULL,
	  "number of simulated GPUs (default: the profile's)"),
  OPTION ("device-mem", SIZE, device_mem, NULL, NULL,
	  "device memory to use (default: what the device has)"),
  OPTION ("scale", SCALE, scale, NULL, "1/1",
	  "shrink the simulated machine's memory, cache and pages together"),
  OPTION ("placement", NAME, placement, "none fine coarse first-touch coda", "none",
	  "the simulated GPUs are one device, whose memory lies on them by lines, by "
	  "pages, by who uses a page first, or by what teams use (CODA; with policy glm "
	  "for explicit); as with --fidelity=access"),
  OPTION ("scheduling", NAME, scheduling, "auto turns affinity block steal", "auto",
	  "which of such GPUs a team runs on: any in turn; as CODA has it, in groups of as "
	  "many as a GPU has at a time; in one block for each; in blocks, of which a GPU that "
	  "has nothing to do takes some (default: affinity for coda, else turns)"),
  OPTION ("access-counters", SWITCH, access_counters, NULL, "off",
	  "what the simulated GPU uses over its link often comes to it (Volta and "
	  "later; off by default, as on real machines)"),
  OPTION ("policy", NAME, policy, ummgr_policy_words + 1, "auto",
	  "where objects live and how they move"),
  OPTION ("transfer", NAME, transfer, "hybrid explicit implicit", "hybrid",
	  "how objects that a policy places on the device get there"),
  OPTION ("partial", NAME, partial, "off on paper policy", "policy",
	  "let parts of objects be placed apart from the rest: of any (as policy auto always "
	  "does); as the paper has it, the first part of one; or on under rdm and off under others"),
  OPTION ("evict", NAME, evict, evict_words + 1, "lru",
	  "how the simulated driver chooses what leaves the device"),
  OPTION ("copies", NAME, copies, "managed plain", "managed",
	  "what holds the device copy of mapped data"),
  OPTION ("keep", SWITCH, keep, NULL, "on",
	  "under policy auto, leave on the device what a mapping brought and no region wrote, for the "
	  "next mapping of the same: of it, only pages that the host has written since are copied"),
  OPTION ("share", NAME, share, "off on always", "on",
	  "under policy auto, have the host and devices share what the program allocates, if it can't "
	  "tell, and not all of it fits the device (or always)"),
  OPTION ("spread", NAME, spread, "off on demand", "off",
	  "run each region that can be on all GPUs, a range of its loop on each; data goes "
	  "where it is used, by what the compiler says, or by demand (with policy um for "
	  "explicit, and all data)"),
  OPTION ("pieces", COUNT, pieces, NULL, "1",
	  "run each region that can be in N ranges of its loop, one after the other, "
	  "on its device"),
  OPTION ("stream", NAME, stream, "off maps on always", "maps",
	  "run a region in ranges of its loop, and have each range's data come in, and leave, beside the others: "
	  "under policy auto where the device has no room for what its own clauses map, or also what is mapped "
	  "already, where that is faster, or always (with policy auto for explicit)"),
  CHECKED ("apply", TEXT, apply, NULL, NULL,
	   "advise the driver of objects in managed memory: read-mostly, preferred-device, "
	   "preferred-host or accessed-by, commas between, of all, or of one "
	   "(read-mostly:NAME@FILE:LINE); or what is said to help in a trace, or in a report "
	   "of one as JSON", refuse_apply),
  OPTION ("min-size", SIZE, min_size, NULL, "64K",
	  "smallest mapped object that ummgr takes over from libgomp"),
  NAMED ("stats", FILE, stats, UMMGR_STATS_FILE, NULL, "write the statistics there, as JSON"),
  NAMED ("report", FILE, report, NULL, NULL,
	 "write a report there: HTML if the name ends in .html, else text"),
  NAMED ("trace", FILE, trace, UMMGR_TRACE_FILE, NULL, "write a trace of the run there (.ummt)"),
  NAMED ("check", FILE, check, "-", NULL,
	 "find what a program built with ummgr cc --trace does wrong with its data: what is not "
	 "mapped, beyond it or freed, stale on either side, races of teams; the findings go to "
	 "standard error, or there"),
  OPTION ("trace-level", NAME, trace_level, "copies accesses", "accesses",
	  "what is in a trace or a report: copies, launches and faults, which costs next to "
	  "nothing and runs the plain code of a program that could report accesses; or these, "
	  "too"),
  CHECKED ("phase", TEXT, phase, NULL, "mark",
	   "where a trace is cut into phases: mark, region, or NAME/N, each "
	   "N-th launch of the region NAME", refuse_phase),
  CHECKED ("sample", COUNT, sample, NULL, "1",
	   "trace one block of memory in N, a power of two", refuse_sample),
  OPTION ("grain", NAME, grain, "page sector", "page",
	  "to what the accesses in a trace are rounded"),
  OPTION ("team-threads", COUNT, team_threads, NULL, NULL,
	  "with --fidelity=access, launch host versions as CUDA would, with N threads a "
	  "team (default: as libgomp does)"),
  OPTION ("filter", SWITCH, filter, NULL, "on",
	  "leave out of a trace what a TLB would serve"),
  CHECKED ("block", SIZE, block, NULL, "4K",
	   "size of the blocks whose access density is counted", refuse_block),
  OPTION ("fidelity", NAME, fidelity, "touch access", "touch",
	  "what the simulated driver counts: first touches of pages, or every "
	  "access of an instrumented program"),
  OPTION ("kernels", NAME, kernels, "host ptx auto", "host",
	  "what the simulated driver runs of a region: its host version; the "
	  "GPU's own code, translated; that where accesses are asked for"),
  OPTION ("read-steps", SIZE, read_steps, NULL, "256M",
	  "records and pages that reading a trace may take, beside 1024 for each "
	  "of its bytes"),
  OPTION ("read-memory", SIZE, read_memory, NULL, "2G",
	  "memory that reading a trace may take"),
  OPTION ("ranks", NAME, ranks, "share off", "share",
	  "give each of an MPI program's ranks on a node a default device of its own, as "
	  "far as there are GPUs, or leave that to the program"),
  OPTION ("admission", SWITCH, admission, NULL, "on",
	  "share a GPU's memory with the user's other processes under ummgr: leave them what they "
	  "have, or are due"),
  NAMED ("nvptx-plugin", FILE, nvptx_plugin, NULL, NULL,
	 "libgomp's own nvptx plugin, where it is not found by itself"),
  { .name = NULL }
};

static bool
is_exact (const struct ummgr_options *options)
{
  return options->fidelity && strcmp (options->fidelity, "access") == 0;
}

bool
ummgr_options_light (const struct ummgr_options *options)
{
  return options->trace_level && strcmp (options->trace_level, "copies") == 0;
}

bool
ummgr_options_accesses (const struct ummgr_options *options)
{
  return ((options->trace || options->report) && !ummgr_options_light (options))
	 || is_exact (options);
}

bool
ummgr_options_ptx (const struct ummgr_options *options)
{
  const char *kernels = options->kernels ? options->kernels : "host";
  return strcmp (kernels, "ptx") == 0
	 || (strcmp (kernels, "auto") == 0 && ummgr_options_accesses (options));
}

void
ummgr_option_variable (const struct ummgr_option *option, char *buf,
		       size_t size)
{
  snprintf (buf, size, "UMMGR_%s", option->name);
  for (char *p = buf; *p; p++)
    *p = *p == '-' ? '_' : toupper ((unsigned char) *p);
}

bool
ummgr_parse_size (const char *text, uint64_t *bytes_p)
{
  static const char units[] = "KMGT";
  if (!isdigit ((unsigned char) *text))
    return false;
  char *end;
  errno = 0;
  double value = strtod (text, &end);
  if (errno)
    return false;
  if (*end)
    {
      const char *u = strchr (units, toupper ((unsigned char) *end));
      if (!u)
	return false;
      for (int i = 0; i <= u - units; i++)
	value *= 1024;
      end++;
      if (*end == 'i')
	end++;
      if (*end == 'B' || *end == 'b')
	end++;
    }
  if (*end || value >= 0x1p63)
    return false;
  *bytes_p = value;
  return true;
}

/* Is VALUE one of the space-separated WORDS?  Return the word in them, which
   lives as long as the table, with its length.  */
static const char *
word_find (const char *words, const char *value)
{
  size_t n = strlen (value);
  for (const char *w = words; *w;)
    {
      size_t len = strcspn (w, " ");
      if (len == n && memcmp (w, value, n) == 0)
	return w;
      w += len;
      w += strspn (w, " ");
    }
  return NULL;
}

static enum ummgr_status
bad_value (const char *value, const char *where, const char *expected)
{
  ummgr_error ("%s: bad value '%s': expected %s", where, value, expected);
  return UMMGR_ERR_INVALID;
}

static enum ummgr_status
set_number (const struct ummgr_option *option, const char *value,
	    const char *where, uint64_t *number)
{
  uint64_t n;
  const char *digits = value;
  switch (option->type)
    {
    case UMMGR_OPTION_LEAST:
      if (!ummgr_parse_size (value, &n))
	return bad_value (value, where, "a size, such as 4K");
      break;
    case UMMGR_OPTION_SIZE:
      if (!ummgr_parse_size (value, &n) || n == 0)
	return bad_value (value, where,
			  "a size above 0, such as 512M or 4G");
      break;
    case UMMGR_OPTION_SCALE:
      if (strncmp (value, "1/", 2) == 0)
	digits += 2;
      /* Fall through.  */
    default:
      {
	char *end;
	errno = 0;
	n = strtoull (digits, &end, 10);
	if (errno || !isdigit ((unsigned char) *digits) || *end || n == 0
	    || n > 1U << 30)
	  return bad_value (value, where,
			    option->type == UMMGR_OPTION_SCALE
			    ? "1/N, such as 1/64" : "a number above 0");
      }
    }
  *number = n;
  return UMMGR_OK;
}

/* TEXT has a number and nothing more than a unit, which *UNIT_P is then.  */
static bool
parse_number (const char *text, double *number_p, const char **unit_p)
{
  char *end;
  errno = 0;
  *number_p = strtod (text, &end);
  *unit_p = end;
  return end != text && !errno && *number_p >= 0;
}

static bool
parse_part (const char *text, double *part_p)
{
  const char *unit;
  double part;
  if (!parse_number (text, &part, &unit) || (*unit && strcmp (unit, "%") != 0))
    return false;
  part /= *unit ? 100 : 1;
  if (part > 1)
    return false;
  *part_p = part;
  return true;
}

static bool
parse_time (const char *text, double *seconds_p)
{
  static const struct { const char *unit; double seconds; } units[]
    = { { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { "", 0 } };
  const char *unit;
  double time;
  if (!parse_number (text, &time, &unit) || time > 1e300 || (!*unit && time))
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp (unit, units[i].unit) == 0)
      {
	*seconds_p = time * units[i].seconds;
	return true;
      }
  return false;
}

/* Store VALUE, of which only the type was checked.  */
static enum ummgr_status
set_typed (void *field, const struct ummgr_option *option, const char *value,
	   const char *where)
{
  switch (option->type)
    {
    case UMMGR_OPTION_NAME:
      if (!*value || !word_find (option->values, value))
	{
	  char meant[64];
	  ummgr_error ("%s: unknown value '%s'%s (known: %s)", where, value,
		       ummgr_meant (value, option->values, "", meant, sizeof meant),
		       option->values);
	  return UMMGR_ERR_INVALID;
	}
      *(const char **) field = value;
      return UMMGR_OK;
    case UMMGR_OPTION_TEXT:
      if (!*value)
	return bad_value (value, where, "a name");
      *(const char **) field = value;
      return UMMGR_OK;
    case UMMGR_OPTION_SWITCH:
      if (strcmp (value, "on") != 0 && strcmp (value, "off") != 0)
	return bad_value (value, where, "on or off");
      *(bool *) field = value[1] == 'n';
      return UMMGR_OK;
    case UMMGR_OPTION_FLAG:
      *(bool *) field = true;
      return UMMGR_OK;
    case UMMGR_OPTION_PART:
      return parse_part (value, field) ? UMMGR_OK
	: bad_value (value, where, "a part from 0 to 1, such as 0.5 or 50%");
    case UMMGR_OPTION_TIME:
      return parse_time (value, field) ? UMMGR_OK
	: bad_value (value, where, "a time, such as 1us");
    default:
      return set_number (option, value, where, field);
    }
}

static enum ummgr_status
set_checked (void *field, const struct ummgr_option *option, const char *value,
	     const char *where)
{
  const char *expected = *value && option->refuse ? option->refuse (value)
    : NULL;
  return expected ? bad_value (value, where, expected)
    : set_typed (field, option, value, where);
}

static enum ummgr_status
set_list (struct ummgr_option_list *list, const struct ummgr_option *option,
	  const char *value, const char *where)
{
  struct ummgr_option one = *option;
  size_t before = list->count;
  char *rest, *words = strdup (value);
  one.type &= ~UMMGR_OPTION_LIST;
  for (char *word = words ? strtok_r (words, ",", &rest) : NULL; word;
       word = strtok_r (NULL, ",", &rest))
    {
      union { const char *text; uint64_t number; double real; } checked;
      enum ummgr_status status = set_checked (&checked, &one, word, where);
      if (status)
	return status;
      if (list->count == sizeof list->word / sizeof *list->word)
	return bad_value (value, where, "fewer");
      list->word[list->count++] = word;
    }
  return list->count > before ? UMMGR_OK
    : bad_value (value, where, "one at least, or several with commas between");
}

enum ummgr_status
ummgr_option_set (void *out, const struct ummgr_option *option,
		  const char *value, const char *where)
{
  char *field = (char *) out + option->offset;
  return option->type & UMMGR_OPTION_LIST
    ? set_list ((struct ummgr_option_list *) field, option, value, where)
    : set_checked (field, option, value, where);
}

const char *
ummgr_option_text (const struct ummgr_option *option)
{
  char variable[64];
  ummgr_option_variable (option, variable, sizeof variable);
  /* An empty variable counts as unset, as libgomp treats OMP_*.  */
  const char *value = getenv (variable);
  return value && *value ? value : option->fallback;
}

/* What the environment says of O into OUT, or its default.  */
static enum ummgr_status
set_from_environment (struct ummgr_options *out, const struct ummgr_option *o)
{
  char variable[64];
  ummgr_option_variable (o, variable, sizeof variable);
  const char *text = ummgr_option_text (o);
  return text ? ummgr_option_set (out, o, text, variable) : UMMGR_OK;
}

bool
ummgr_options_joined (const struct ummgr_options *options)
{
  return options->placement && strcmp (options->placement, "none") != 0;
}

bool
ummgr_options_spread (const struct ummgr_options *options)
{
  return options->spread && strcmp (options->spread, "off") != 0;
}

bool
ummgr_options_stream (const struct ummgr_options *options)
{
  return options->stream && (strcmp (options->stream, "on") == 0 || strcmp (options->stream, "always") == 0);
}

bool
ummgr_options_stream_maps (const struct ummgr_options *options)
{
  return options->stream && strcmp (options->stream, "off") != 0;
}

/* Who didn't choose a policy gets one that does what other options ask for.  */
static bool
is_open (const struct ummgr_options *options)
{
  return options->policy && (strcmp (options->policy, "explicit") == 0
			     || strcmp (options->policy, "auto") == 0);
}

/* GPUs behind one address space are modelled by all accesses; and whoever is to lay objects
   wants a policy that knows them.  On several GPUs all is managed memory.  */
static void
imply (struct ummgr_options *out)
{
  /* What it checks is what the clauses say.  */
  if (out->check)
    out->policy = "explicit";
  if (ummgr_options_spread (out))
    {
      out->min_size = 1;
      if (is_open (out))
	out->policy = "um";
    }
  else if (ummgr_options_stream (out) && is_open (out))
    out->policy = "auto";
  if (ummgr_options_joined (out))
    out->fidelity = "access";
  if (is_exact (out) && ummgr_options_light (out))
    {
      ummgr_warn ("--trace-level=copies has no effect: accesses are asked for (--fidelity, "
		  "--placement)");
      out->trace_level = "accesses";
    }
  if (!ummgr_options_joined (out))
    return;
  if (is_open (out))
    out->policy = strcmp (out->placement, "coda") == 0 ? "glm" : "explicit";
}

enum ummgr_status
ummgr_options_from_environment (struct ummgr_options *out)
{
  enum ummgr_status status = UMMGR_OK;
  memset (out, 0, sizeof *out);
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    {
      if (o->fallback)
	ummgr_option_set (out, o, o->fallback, o->name);
      if (set_from_environment (out, o) != UMMGR_OK)
	status = UMMGR_ERR_INVALID;
    }
  imply (out);
  return status;
}

enum ummgr_status
ummgr_options_some_from_environment (struct ummgr_options *out,
				     const char *const *names)
{
  memset (out, 0, sizeof *out);
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    for (const char *const *name = names; *name; name++)
      if (strcmp (o->name, *name) == 0
	  && set_from_environment (out, o) != UMMGR_OK)
	return UMMGR_ERR_INVALID;
  imply (out);
  return UMMGR_OK;
}
