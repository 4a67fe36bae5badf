/* What is surely written and what only seems to be: would break if a guess were
   taken for a proof, on which data is thrown away.  Each guess here has a
   probability of one, so that nothing else shows that it is one.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#define surely(condition) __builtin_expect_with_probability (condition, 1, 1.0)

void
either (float *a, const float *b, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    if (surely (b[i] > 0) || b[i] < -9)
      a[i] = 1;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    if (surely (b[i] > 0))
      a[i] = 2;
  /* Of three ways two lead there, and one leaves.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    {
      switch ((int) b[i])
	{
	case 1:
	  a[i + n] = 1;
	  break;
	case 2:
	  continue;
	default:
	  a[i + 2 * n] = 1;
	}
      a[i] = 3;
    }
  /* Whatever b holds.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    {
      if (surely (b[i] > 0))
	a[i + n] = 1;
      else
	a[i + n] = 2;
      a[i] = 4;
    }
}

/* What a function does that is called for some only; and in one that may not
   come back.  */
static void __attribute__ ((noinline))
set (float *a, int i)
{
  a[i] = 5;
}

#pragma omp declare target
extern void elsewhere (int);
#pragma omp end declare target

void
called (float *a, const float *b, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    if (surely (b[i] > 0))
      set (a, i);
#pragma omp target map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    {
      elsewhere (i);
      a[i] = 6;
    }
#pragma omp target map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    {
      if (surely (b[i] < 9))
	a[i] = 7;
      else
	break;
    }
#pragma omp target map(tofrom: a[0:n]) map(to: b[0:n])
  {
    for (int i = 0; i < n; i++)
      if (!surely (b[i] < 9))
	goto out;
    for (int i = 0; i < n; i++)
      a[i] = 8;
    out:;
  }
}

/* One place or the other.  */
void
one_of_two (float *a, int n, int k)
{
#pragma omp target map(tofrom: a[0:n + n])
  {
    float *q = k ? a : a + n;
    for (int i = 0; i < n; i++)
      q[i] = 9;
  }
}

/* Each team does all, which is a loop over teams to the compiler.  */
void
teams (float *a, const float *b, int n, int m)
{
#pragma omp target teams map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 10;
#pragma omp target teams map(tofrom: a[0:n])
  if (m > 3)
    for (int i = 0; i < n; i++)
      a[i] = 11;
#pragma omp target teams map(tofrom: a[0:n])
  if (m != 3)
    for (int i = 0; i < n; i++)
      a[i] = 12;
#pragma omp target teams map(tofrom: a[0:n]) map(to: b[0:n])
  if (surely (b[m] > 0))
    for (int i = 0; i < n; i++)
      a[i] = 13;
}

/* { dg-final { scan-ummgr-dump-times {certain line \d+ w$} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 43 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 70 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 109 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line (14|18|52|76|86) w size 4 frequency 1 affine } 5 ummgr-tables } } */
