/* From the findings of a trace to the changes that bring most.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A finding is about one object at one construct.  One change may remove many: a data construct
   keeps all on the device that the constructs within it use, so that findings which ask for it
   are one change where they are linked, by an object or by a construct, or go around the same loop.  What else
   is said of the same object is one change, too, whatever the construct.

   Worked example: spmv (v, p, q) and dot (p, q), called in a loop, copy v, p and q each time.
   Findings: v again at spmv, p again at spmv and at dot, q back and forth at dot.  v and p are
   linked by spmv, p and q by dot: one change, map(to: v) map(tofrom: p, q).

   What a change brings is summed over its findings, each byte of which is blamed on one of them
   (diagnose/copies.c), so that changes add up.  Seconds are modelled, by the rates in the trace.  */

#pragma once

#include "diagnose/diagnose.h"

struct json_t;

enum ummgr_change_kind
{
  UMMGR_CHANGE_DATA,		/* A data construct.  */
  UMMGR_CHANGE_CLAUSE,		/* What the findings' words say, of one object.  */
  UMMGR_CHANGE_ADVICE		/* To the driver: remedies that a replay has tried together.  */
};

/* "data-construct", "clause", "driver-advice".  */
extern const char *const ummgr_change_name[];

struct ummgr_change_place
{
  const char *file;
  uint32_t line;
};

/* Where the data construct goes, as the program's tables have it.  */
struct ummgr_change_around
{
  char *function;		/* NULL: not known.  */
  char *file;			/* Of a loop in it; NULL: around what the function does.  */
  uint32_t line;
  bool all;			/* The tables know where all of the constructs are: regions.  */
  char *names;			/* The function's variables that can be named there.  */
};

/* What the tables know of a map clause's item.  Strings are the tables'.  */
struct ummgr_advise_item
{
  const char *name;		/* As the clause has it.  */
  bool only;			/* No other item there may be the object.  */
  const char *function;		/* That the construct is in, as the source names it.  */
  bool file_scope;		/* Its variable is no function's.  */
  const char *length_names;	/* The function's variables that the section's length is made of; NULL:
				   not known, or it begins elsewhere than the variable.  */
};

/* Who knows the program that was traced: its tables.  FILE and LINE are of an allocation.  */
struct ummgr_advise_program
{
  void *data;
  /* What encloses all that runs the constructs at PLACES[0..COUNT): its strings are malloc'ed.  */
  void (*around) (void *data, const struct ummgr_change_place *places, size_t count,
		  struct ummgr_change_around *out);
  /* What F's construct calls its object: the item NAME, or else the first that what is allocated where F's
     object was may come to; false: none.  */
  bool (*item) (void *data, const struct ummgr_finding *f, const char *name,
		struct ummgr_advise_item *out);
  /* The function that what is allocated there is in: the tables', or NULL.  */
  const char *(*allocates) (void *data, const char *file, uint32_t line);
};

/* What an object is called where a data construct goes, as an item of a map clause.  */
struct ummgr_change_item
{
  char *text;			/* malloc'ed; or NULL.  */
  bool sure;			/* That is in scope there, and is that object.  */
};

struct ummgr_change
{
  enum ummgr_change_kind kind;
  const struct ummgr_finding **findings; /* The most expensive first.  */
  size_t finding_count;
  struct ummgr_change_place *places; /* Of the constructs; by file and line.  */
  size_t place_count;
  struct ummgr_change_around around; /* Of a data construct.  */
  struct ummgr_change_item *items; /* Likewise, of each finding that is the first of its object; or NULL.  */
  char *what;			/* One sentence.  */
  char *directive;		/* "#pragma omp target data map(to: a[0:9])", or the command that
				   applies it; NULL: WHAT says all.  */
  char *note;			/* What the host has to do for the result to stay what it is; or
				   NULL.  */
  uint64_t bytes;		/* That need not be copied then; 0: they are, but beside launches.  */
  double seconds;		/* Modelled, that these take; 0: not known.  */
  char *patch;			/* A unified diff that makes the change; or NULL.  */
  char *unpatched;		/* Then why there is none, in words; NULL: none is wanted.  */
};

struct ummgr_runs;

struct ummgr_advice
{
  struct ummgr_diagnosis *diagnosis;
  const struct ummgr_runs *runs; /* Runs that were tried (runs.h); NULL: nobody tried.  */
  struct ummgr_change *changes;	/* Those that bring most first.  */
  size_t count;
};

/* What DIAGNOSIS, which must live as long, comes to; PROGRAM is asked unless it is NULL.  With PATCHES
   sources are read, and changes that can be made by a patch have one.  The caller's to free; NULL
   without memory.  */
struct ummgr_advice *ummgr_advise (struct ummgr_diagnosis *diagnosis,
				   const struct ummgr_advise_program *program, bool patches);
void ummgr_advice_free (struct ummgr_advice *advice);

/* The first MOST changes, without those that bring less than a hundredth of the first, or all (0).  The
   caller looks at ferror (OUT).  */
void ummgr_advice_text (FILE *out, const struct ummgr_advice *advice, size_t most);
/* The first, which must be there, in short, for the end of a run.  */
void ummgr_advice_first (FILE *out, const struct ummgr_advice *advice);
/* All of them: a new reference; NULL without memory.  */
struct json_t *ummgr_advice_json (const struct ummgr_advice *advice);
