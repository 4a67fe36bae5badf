/* Maps that nobody wrote: would break if the remedy were to change a clause, or
   a few bytes were worth a warning.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

struct small { int x, y; };

int
f (int k)
{
  int table[100] = { 1 }, e;
  struct small s = { 1, 2 };
#pragma omp target map(from: e) /* { dg-warning ".table. is implicitly" } */
  e = table[k] + s.y;
  return e + table[0];
}

/* { dg-final { scan-ummgr-output {note: add .map.to: table.. to the construct} } } */
/* { dg-final { scan-ummgr-output-not {.s. is} } } */
