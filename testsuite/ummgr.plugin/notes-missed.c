/* Only what was asked for: would break if a note of one kind came out as one of
   another, or if what makes all of an argument unknown were left out.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-fopt-info-omp-missed" } */

#pragma omp declare target
void unseen (float *);
#pragma omp end declare target

void
f (float *a, float *b, int n)
{
#pragma omp target map(tofrom: a[0:n])
  unseen (a);
#pragma omp target teams distribute parallel for map(tofrom: b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = 1;
}

/* { dg-final { scan-ummgr-output-times {notes-missed.c:13:9: missed: a: passed to unseen, .*} 1 } } */
/* { dg-final { scan-ummgr-output-not {optimized: } } } */
/* { dg-final { scan-ummgr-output-not {missed: b} } } */
