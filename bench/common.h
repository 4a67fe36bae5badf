/* What the benchmark programs share: options, memory, random numbers, checks.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every program is one file of plain C99 and OpenMP that includes this.  It
   owns no state but the option table each program hands in, and knows
   nothing of what the programs compute.  */

#pragma once

#include "ummgr.h"

#include <errno.h>
#include <omp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weak, so that the programs also link and run where libummgr is absent.  */
#pragma weak ummgr_malloc
#pragma weak ummgr_free
#pragma weak ummgr_mark

/* Set by bench_parse; the start of every message.  */
static const char *bench_program = "bench";

static inline void
bench_message (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fprintf (stderr, "%s: ", bench_program);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  va_end (args);
}

/* A wrong command line, or input that can't be used: status 2, so that it
   can be told from a wrong result (1) and from libgomp's own exits (1).  */
#define bench_fatal(...) (bench_message (__VA_ARGS__), exit (2))

/* --- options ------------------------------------------------------------ */

enum bench_option_type
{
  BENCH_SIZE,	/* Bytes with K, M, G: uint64_t.  */
  BENCH_NUMBER,	/* A whole number: uint64_t.  */
  BENCH_TEXT,	/* const char *.  */
  BENCH_SWITCH	/* No value: bool.  */
};

struct bench_option
{
  const char *name;	/* Without "--"; NULL ends the table.  */
  enum bench_option_type type;
  void *value;		/* Holds the default until then.  */
  const char *help;
};

/* The options every program has.  */
struct bench_common
{
  uint64_t size;	/* Bytes of data footprint.  */
  uint64_t iterations;
  uint64_t seed;
  bool unified;
  bool footprint;
  bool no_check;
};

#define BENCH_COMMON_OPTIONS(C)                                               \
  { "size", BENCH_SIZE, &(C).size, "bytes of data, with K, M or G" },         \
  { "iterations", BENCH_NUMBER, &(C).iterations, "how often to repeat" },     \
  { "seed", BENCH_NUMBER, &(C).seed, "of the generated input" },              \
  { "unified", BENCH_SWITCH, &(C).unified,                                    \
    "data from ummgr_malloc instead of map clauses" },                        \
  { "footprint", BENCH_SWITCH, &(C).footprint,                                \
    "print the bytes of data and stop" },                                     \
  { "no-check", BENCH_SWITCH, &(C).no_check,                                  \
    "skip the comparison with the host" }

static inline bool
bench_parse_size (const char *text, uint64_t *out)
{
  char *end;
  errno = 0;
  unsigned long long n = strtoull (text, &end, 10);
  if (errno || *text < '0' || *text > '9')
    return false;
  int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  if (shift)
    end++;
  if (*end || n > UINT64_MAX >> shift >> 8)
    return false;
  *out = n << shift;
  return true;
}

static inline void
bench_help (const struct bench_option *options, const char *about)
{
  static const char *const values[] = { "=SIZE", "=N", "=TEXT", "" };
  printf ("Usage: %s [OPTION]...\n%s\n\n", bench_program, about);
  for (const struct bench_option *o = options; o->name; o++)
    {
      int width = printf ("  --%s%s", o->name, values[o->type]);
      printf ("%*s%s", width < 22 ? 22 - width : 1, "", o->help);
      if (o->type == BENCH_NUMBER || o->type == BENCH_SIZE)
	printf (" (default: %llu)",
		(unsigned long long) *(uint64_t *) o->value);
      putchar ('\n');
    }
}

static inline void
bench_set (const struct bench_option *option, const char *text)
{
  switch (option->type)
    {
    case BENCH_SWITCH:
      if (text)
	bench_fatal ("--%s takes no value", option->name);
      *(bool *) option->value = true;
      return;
    case BENCH_TEXT:
      if (!text || !*text)
	bench_fatal ("--%s needs a value: --%s=TEXT", option->name,
		     option->name);
      *(const char **) option->value = text;
      return;
    case BENCH_NUMBER:
      if (text && strpbrk (text, "KMG"))
	bench_fatal ("--%s=%s: expected a whole number", option->name, text);
      /* Fall through.  */
    default:
      if (!text || !bench_parse_size (text, option->value))
	bench_fatal ("--%s=%s: expected a %s", option->name, text ? text : "",
		     option->type == BENCH_SIZE
		     ? "size such as 65536, 64K or 16M" : "whole number");
    }
}

/* Read the command line into OPTIONS.  Anything not understood ends the
   program with one message; --help prints the table.  */
static inline void
bench_parse (int argc, char **argv, const struct bench_option *options,
	     const char *about)
{
  const char *slash = argc ? strrchr (argv[0], '/') : NULL;
  bench_program = slash ? slash + 1 : argc ? argv[0] : bench_program;
  for (int i = 1; i < argc; i++)
    {
      const char *arg = argv[i];
      if (strcmp (arg, "--help") == 0)
	{
	  bench_help (options, about);
	  exit (0);
	}
      if (strncmp (arg, "--", 2) != 0 || !arg[2])
	bench_fatal ("unexpected argument '%s' (try --help)", arg);
      const char *equals = strchr (arg, '=');
      size_t len = equals ? (size_t) (equals - arg) - 2 : strlen (arg + 2);
      const struct bench_option *o = options;
      while (o->name && (strlen (o->name) != len
			 || strncmp (o->name, arg + 2, len) != 0))
	o++;
      if (!o->name)
	bench_fatal ("unknown option '%s' (try --help)", arg);
      bench_set (o, equals ? equals + 1 : NULL);
    }
}

/* --- memory ------------------------------------------------------------- */

/* Can --unified be honoured?  Says so once where it can't: the programs then
   map their data, which gives the same results.  */
static inline bool
bench_unified (bool wanted)
{
  if (wanted && !ummgr_malloc)
    {
      bench_message ("--unified: libummgr is not there (run under 'ummgr run' "
		     "or link with -lummgr); mapping the data instead");
      return false;
    }
  return wanted;
}

static inline void *__attribute__ ((malloc))
bench_alloc (bool unified, size_t size)
{
  void *p = unified ? ummgr_malloc (size) : malloc (size ? size : 1);
  if (!p)
    bench_fatal ("no memory for %zu bytes", size);
  return p;
}

static inline void
bench_free (bool unified, void *p)
{
  if (unified)
    ummgr_free (p);
  else
    free (p);
}

/* --- versions of a program, and phases of a run ---------------------------- */

/* The option of the programs that have a finding and its remedy.  */
#define BENCH_VARIANT_OPTION(V)                                               \
  { "variant", BENCH_TEXT, &(V), "naive or remedied (default: naive)" }

/* GCC doesn't count a map clause as a use of the variable.  */
#define BENCH_MAPPED(P) ((void) (P))

/* Is VARIANT, as given, the remedied one?  */
static inline bool
bench_remedied (const char *variant)
{
  if (strcmp (variant, "naive") != 0 && strcmp (variant, "remedied") != 0)
    bench_fatal ("--variant=%s: expected naive or remedied", variant);
  return variant[0] == 'r';
}

/* Where ummgr is in the process and WANTED: what was traced until now is one
   phase, what follows is called NAME.  */
static inline void
bench_mark (bool wanted, const char *name)
{
  if (wanted && ummgr_mark)
    ummgr_mark (name);
}

/* --- numbers ------------------------------------------------------------ */

/* SplitMix64: the next of a sequence that STATE determines.  */
static inline uint64_t
bench_random (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* In [0, LIMIT); the bias of the modulus is far below 2^-32 here.  */
static inline uint64_t
bench_below (uint64_t *state, uint64_t limit)
{
  return (bench_random (state) >> 16) % limit;
}

/* In [0, 1).  */
static inline double
bench_uniform (uint64_t *state)
{
  return (double) (bench_random (state) >> 11) * 0x1p-53;
}

/* FNV-1a, to compare results across runs.  */
static inline uint64_t
bench_checksum (const void *data, size_t size)
{
  const unsigned char *p = data;
  uint64_t hash = UINT64_C (0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ p[i]) * UINT64_C (0x100000001b3);
  return hash;
}

/* For qsort, to take medians.  */
static inline int
bench_by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* --- results ------------------------------------------------------------ */

/* The one line of results: `result` and NAME=VALUE words.  EXTRA holds the
   program's own words, or is empty.  SECONDS is wall time around the
   regions and the motion of their data.  Returns the exit status.  */
static inline int
bench_result (const struct bench_common *common, uint64_t footprint,
	      double seconds, bool checked, bool correct, const char *extra)
{
  printf ("result program=%s variant=%s footprint=%llu iterations=%llu "
	  "seed=%llu wall_seconds=%.6f%s%s check=%s\n",
	  bench_program, common->unified ? "unified" : "mapped",
	  (unsigned long long) footprint,
	  (unsigned long long) common->iterations,
	  (unsigned long long) common->seed, seconds, *extra ? " " : "", extra,
	  !checked ? "skipped" : correct ? "ok" : "failed");
  if (fflush (stdout) != 0)
    bench_fatal ("can't write the results");
  return checked && !correct;
}
