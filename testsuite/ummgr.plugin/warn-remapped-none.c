/* Breaks if a map is put around a loop that may have no iteration, before whose first there need
   be nothing to map, and that isn't said; or if it is said of any other.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
perhaps (int *a, int n, int steps)
{
  int c[1000] = { 0 };
  for (int t = 0; t < steps; t++)
    {
#pragma omp target map(tofrom: a[0:n], c) /* { dg-warning ".a. is copied to the device each time" } */
      /* { dg-warning ".c. is copied to the device each time" "" { target *-*-* } 12 } */
      for (int i = 0; i < n; i++)
	a[i] += c[i]++;
    }
  for (int t = 0; ; t++)
    {
      if (t == steps)
	break;
#pragma omp target map(to: c[0:n]) map(from: a[0:n]) /* { dg-warning ".c. is copied to the device each time" } */
      for (int i = 0; i < n; i++)
	a[i] = c[i];
    }
}

/* No warning stands on the line that another has for its column: DejaGnu takes either.  */
void
surely (int *a, int n, int steps)
{
  for (int t = 0; t < 6; t++)
    {
#pragma omp target map(tofrom: a[0:n]) /* { dg-warning ".a. is copied to the device each time" } */
      for (int i = 0; i < n; i++)
	a[i]++;
    }
  int t = 0;
  do
    {
#pragma omp target map(tofrom: a[0:n]) /* { dg-warning ".a. is copied to the device each time" } */
      for (int i = 0; i < n; i++)
	a[i]++;
    }
  while (++t < steps);
}

/* { dg-final { scan-ummgr-output-times {, if it has an iteration} 2 } } */
/* { dg-final { scan-ummgr-output-times {map\(tofrom: (a\[\.\.\.\]|c)\). around the loop that this construct is in(?!,)} 3 } } */
