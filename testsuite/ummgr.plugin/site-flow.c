/* A way from an allocation to a region is lost, or one is seen that is none.  */
/* { dg-do compile } */
/* { dg-additional-options "-O0" } */

#include <stdlib.h>
#include <string.h>

struct field { int n; double *one, *two; };
struct list { struct list *next; double *data; };

#define PRAGMA(x) _Pragma (#x)
#define RUN(p)                                                                \
  PRAGMA (omp target map(tofrom: p[:8]))                                   \
  p[0] += 1;

static double *global;
static double *returned (int n) { double *made = malloc (n); made[0] = n; return made + 1; }
static void given (double *argument) { RUN (argument) }
static void stored (struct field *f) { f->two = malloc (64); }
static double *chosen (double *x) { return x; }
static double *other (double *x) { return NULL; }
static double *(*table[]) (double *) = { chosen, other };

void
fields (void)
{
  struct field f, copy;
  f.one = malloc (65);
  stored (&f);
  copy = f;
  double *use_two = copy.two;
  RUN (use_two)
  free (f.one);
}

void
calls (void)
{
  given (returned (66));
}

void
globals (void)
{
  global = malloc (67);
  double *use_global = global;
  RUN (use_global)
}

void
memory (int which)
{
  double *both[2] = { malloc (68), malloc (69) }, *moved[2];
  memcpy (moved, both, sizeof both);
  double *use_moved = moved[which];
  RUN (use_moved)
  double *use_first = both[0];
  RUN (use_first)
}

void
lists (void)
{
  struct list *l = malloc (sizeof *l);
  l->data = malloc (70);
  l->next = l;
  double *use_list = l->next->next->data;
  RUN (use_list)
}

void
pointers (int which)
{
  double *use_called = table[which] (malloc (71));
  RUN (use_called)
  double *through = (double *) ((size_t) use_called & ~(size_t) 63);
  RUN (through)
}

void
parallel (void)
{
  double *outer = malloc (72);
#pragma omp parallel
  {
    double *use_outer = outer;
    RUN (use_outer)
  }
}

/* { dg-final { scan-ummgr-dump "argument use_two: malloc at line 19" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "site malloc at site-flow.c:28 .*reaches no region" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument argument: malloc at line 17" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument use_global: malloc at line 45" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "argument use_moved: malloc at line 53" 2 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "argument use_first: malloc" 1 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument use_list: malloc at line 65" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument use_called: malloc at line 74" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument through: malloc at line 74" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "argument use_outer: malloc at line 83" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-not "not known" ummgr-sites } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
