/* Between the files of the generator of programs for the use analysis.
   SPDX-License-Identifier: GPL-3.0-or-later

   random-use.c writes programs and their functions, random-use-nest.c regions
   and their loops, random-use-body.c what stands in loops.  Every index is in
   bounds by construction: values are intervals, and an array is as large as the
   indices that were written.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
  ARRAYS = 6, PARAMS = 3, DEPTH = 4, TEXT = 400
};

/* Inclusive.  */
struct interval
{
  long lo, hi;
};

struct expr
{
  char text[TEXT];
  struct interval v;
};

enum array_kind
{
  FLAT,				/* T *a.  */
  ROWS,				/* T (*a)[COLS].  */
  STATIC,			/* A global T a[SIZE].  */
  MEMBER,			/* T *a of the struct M.  */
  INDICES,			/* int *, values below RANGE; never written.  */
  STARTS			/* int *, a[i] = i * RANGE; never written.  */
};

struct array
{
  enum array_kind kind;
  unsigned type;		/* Index of element_types.  */
  bool own;			/* STATIC: each device's, `declare target'.  */
  long size, cols;		/* Elements (rows, of ROWS) that are needed.  */
  long range;
  /* In the region being written.  */
  bool used, written, section;
  struct interval touched;
};

struct param
{
  const char *type;
  struct interval v;
  bool is_signed;
};

struct loop
{
  char var[4];
  const char *type;
  bool is_signed;
  struct interval v;
  long trips;			/* At most.  */
  char head[3 * TEXT];		/* "for (...)".  */
};

/* How functions have the struct M.  */
enum member_form
{
  BY_VALUE,			/* m.a */
  BY_POINTER,			/* m->a */
  NESTED,			/* m->q->a */
  THIS,				/* this->a, in C++; else m->a.  */
  ELEMENT			/* p_ms[w].a */
};

/* The program being written.  */
struct program
{
  enum member_form form;
  uint64_t seed;
  unsigned number;
  bool affine;			/* Nothing depends on data.  */
  bool constant;		/* Each function is called a constant number
				   of times.  */
  bool cxx;
  bool classes;			/* Functions are called by virtual ones.  */
  struct array arrays[ARRAYS];
  unsigned array_count;
  struct param params[PARAMS];
  char helpers[65536];		/* Device functions.  */
  unsigned helper_count;
};

extern struct program program;
extern struct loop loops[DEPTH];
extern unsigned loop_count;	/* Those that are open.  */
extern FILE *out;

struct element_type
{
  const char *name;
  const char *members[4];	/* "", or of structs.  */
};
extern const struct element_type element_types[];
enum { ELEMENT_TYPES = 8, STRUCT_TYPES = 6 };

/* 0 to N - 1.  */
unsigned pick (unsigned n);
bool chance (unsigned percent);
void indent (unsigned depth);
void __attribute__ ((format (printf, 1, 2))) say (const char *format, ...);

/* random-use-body.c.  Statements at loop depth DEPTH, between what an iteration
   does; REDUCTION: s may be added to.  */
void body_write (unsigned depth, bool reduction);
void statement_write (unsigned depth, bool reduction);
/* Note an access of array A at elements V.  */
void array_touch (unsigned a, struct interval v, bool write);
struct interval interval_add (struct interval a, struct interval b);
struct interval interval_scale (struct interval a, long k);

/* Atomics are not allowed.  */
extern bool in_loop_construct;

/* random-use-nest.c: one region of function F, number R of it, in loops of the
   host indented DEPTH.  */
void region_write (unsigned depth, unsigned f, unsigned r);
/* Functions that count iterations, for the function that is being written.  */
extern char trip_functions[65536];

/* What stands before the name of array A in a region; valid until the next call.  */
const char *array_prefix (unsigned a);
