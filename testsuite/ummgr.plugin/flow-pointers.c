/* Calls through pointers: would break if what a constant table, a variable that nobody else
   writes, or a parameter holds were not called, if others were, or if it were not said where
   that is not all.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdlib.h>

double v[64];

static void __attribute__ ((noinline))
one (int n)
{
#pragma omp target
  v[0] += n;
}

static void __attribute__ ((noinline))
two (int n)
{
#pragma omp target
  v[1] += n;
}

static void __attribute__ ((noinline))
none (int n)
{
  v[2] += n;
}

static int __attribute__ ((noinline))
other (const void *p, const void *q)
{
#pragma omp target
  v[3] += 1;
  return p > q;
}

struct ops { int k; void (*run) (int); int (*order) (const void *, const void *); };
static const struct ops table[] = { { 1, one, other }, { 2, two, other }, { 3, none, 0 } };
struct ops open_table[] = { { 1, one, 0 } };
static void (*mine) (int);
static void (*lent) (int) = none;

void
constant_table (int n)
{
  table[n].run (n);
}

void
constant_element (int n)
{
  table[1 + (n & 0)].run (n);
}

void
public_table (int n)
{
  open_table[n].run (n);		/* line 59 */
}

void
set (int n)
{
  mine = n ? one : two;
}

void
set_variable (int n)
{
  if (mine)
    mine (n);
}

extern void give (void (**) (int));

void
lent_variable (int n)
{
  give (&lent);
  lent (n);				/* line 81 */
}

static void __attribute__ ((noinline))
apply (void (*f) (int), int n)
{
  f (n);
}

void
by_parameter (int n)
{
  apply (two, n);
  apply (none, n);
}

void
anything (void (*f) (int), int n)
{
  f (n);				/* line 100 */
}

void
handed (int n)
{
  qsort (v, n, sizeof *v, other);
}

/* { dg-final { scan-ummgr-dump-times {flow event constant_table \d call one$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event constant_table \d call two$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge constant_table 1 -> \d probability 0\.333\d* estimated$} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event constant_element \d call} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event constant_element \d call two$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow edge constant_element .* estimated} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event public_table \d call one$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event set_variable \d call (one|two)$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event apply \d call two$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge apply 1 -> \d probability 0\.5 estimated$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event handed \d call other$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow event .* call none} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow event (constant|public|set|apply|by).* call other} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow call public_table \S*:59 pointer not all known$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow call lent_variable \S*:81 pointer not all known$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow call anything \S*:100 pointer not all known$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow call} 3 ummgr-tables } } */
