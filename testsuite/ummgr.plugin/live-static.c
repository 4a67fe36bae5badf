/* A static variable that is only used by its name isn't what a pointer means: reading one is no access to other memory.
   Would break if it counted as one, and nothing of a program with `static int n' were proved; or if one whose address
   is taken, or that a pointer may mean otherwise, didn't.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdlib.h>

static int n, seen, *at, taken, *p_taken = &taken;
int open_to_all;
static int table[4];

void
see (int *p)
{
  at = p;
  seen++;
}

void
named (int *s1)
{
#pragma omp target map(tofrom: s1[0:n])
  s1[0] = 1;
  n++;
#pragma omp target map(tofrom: s1[0:n])
  s1[0] += 2;
  free (s1);
}

int
address_taken (int *s2)
{
#pragma omp target map(tofrom: s2[0:10])
  s2[0] = 1;
  int k = taken;
#pragma omp target map(tofrom: s2[0:10])
  s2[0] += 2;
  free (s2);
  return k + *p_taken;
}

int
open_one (int *s3)
{
#pragma omp target map(tofrom: s3[0:10])
  s3[0] = 1;
  int k = open_to_all;
#pragma omp target map(tofrom: s3[0:10])
  s3[0] += 2;
  free (s3);
  return k;
}

/* What a static pointer points to is another matter.  */
int
pointed_to (int *s4)
{
#pragma omp target map(tofrom: s4[0:10])
  s4[0] = 1;
  int k = *at;
#pragma omp target map(tofrom: s4[0:10])
  s4[0] += 2;
  free (s4);
  return k;
}

/* A mapped one is reached by its address.  */
int
mapped (int *s5)
{
#pragma omp target map(tofrom: s5[0:10])
  s5[0] = 1;
  int k = table[seen & 3];
#pragma omp target map(tofrom: s5[0:10], table)
  s5[0] += table[2];
  free (s5);
  return k;
}

/* { dg-final { scan-ummgr-dump-times {live s1 host reads no writes no .* needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live s[2-5] host reads maybe writes no .* needed$} 4 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live s[1-5] host reads no writes no .* dead$} 5 ummgr-tables } } */
