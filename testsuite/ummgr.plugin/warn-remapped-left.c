/* What stands in a loop's body but is followed by no further turn: would break if
   the host's look at a region's results there were missed, which a map around the
   loop would not have brought yet.
   (No warning stands in the line that has the number of its column.)  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

extern void show (int);

int
has (int n)
{
  int a[100] = { 0 };
  for (int t = 0; t < n; t++)
    {
#pragma omp target map(tofrom: a) /* { dg-warning ".a. is copied to" } */
      a[t % 100]++;
      for (int i = 0; i < 100; i++)
	if (i == t)
	  break;
    }
  int t = 0;
  while (t < n)
    {
#pragma omp target map(tofrom: a) /* { dg-warning ".a. is copied to" } */
      a[t % 100]++;
      t++;
    }
  do
    {
#pragma omp target map(tofrom: a) /* { dg-warning ".a. is copied to" } */
      a[t % 100]++;
    }
  while (t-- > 0);
  /* Nothing comes back.  */
  for (;;)
    {
#pragma omp target map(to: a) map(tofrom: t) /* { dg-warning ".a. is copied to" } */
      t += a[t % 100];
      if (t > n)
	return a[3];
    }
}

int
breaks (int n)
{
  int a[100] = { 0 }, t = 0, found = 0;
  for (;;)
    {
#pragma omp target map(tofrom: a)
      a[t % 100]++;
      if (++t == n)
	{
	  found = a[7];
	  break;
	}
    }
  for (t = 0; t < n; t++)
    {
#pragma omp target map(tofrom: a)
      a[t % 100]++;
      if (t == 5)
	return a[7];
    }
  for (t = 0; t < n; t++)
    {
#pragma omp target map(tofrom: a)
      a[t % 100]++;
      if (t == 50)
	goto out;
    }
out:
  return found;
}

void
ends (int n)
{
  static int a[100];
  for (int t = 0; t < n; t++)
    {
#pragma omp target map(tofrom: a)
      a[t % 100]++;
      if (t == 50)
	{
	  show (a[7]);
	  __builtin_exit (1);
	}
    }
}

void
chosen (int n, int how)
{
  int a[100] = { 0 };
  for (int t = 0; t < n; t++)
    {
#pragma omp target map(tofrom: a)
      a[t % 100]++;
      switch (t - how)
	{
	case 0:
	  break;
	case 1:
	  goto shown;
	default:
	  continue;
	}
    }
shown:
  show (a[7]);
}
