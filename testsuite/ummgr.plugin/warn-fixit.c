/* Fix-its: would break if they replaced another word than the map type, or that
   of a clause which maps other things too.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (int *to, int *b, int n)
{
#pragma omp target parallel for map(from: b[0:n]) map( tofrom : to[0:n]) /* { dg-warning ".to. is copied back" } */
  for (int i = 0; i < n; i++)
    b[i] = to[i];
#pragma omp target parallel for map(tofrom: b[0:n]) /* { dg-warning ".b. is copied to" } */
  for (int i = 0; i < n; i++)
    b[i] = i;
#pragma omp target parallel for map(to[0:n]) map(from: b[0:n]) /* { dg-warning ".to. is copied back" } */
  for (int i = 0; i < n; i++)
    b[i] = to[i];
#pragma omp target parallel for map(tofrom: to[0:n], b[0:n]) /* { dg-warning ".to. is copied back" } */
  for (int i = 0; i < n; i++)
    b[i] += to[i];
}

/* { dg-final { scan-ummgr-output {fix-it:.*:.8:56-8:62.:"to"} } } */
/* { dg-final { scan-ummgr-output {fix-it:.*:.11:37-11:43.:"from"} } } */
/* { dg-final { scan-ummgr-output-times {fix-it:} 2 } } */
/* { dg-final { scan-ummgr-output {note: use .map.to: to.\.\.\...} } } */
