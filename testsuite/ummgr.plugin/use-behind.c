/* What happens behind a loop, in a function that is called there, and under which
   conditions: would break if one of the conditions were forgotten and a write that
   may not happen counted as one that does.
   Each team does all, which is a loop over teams to the compiler.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

static void __attribute__ ((noinline))
fill (float *a, int n, float x)
{
  for (int i = 0; i < n; i++)
    a[i] = x;				/* line 11 */
}

static void __attribute__ ((noinline))
fill_more (float *a, int n, float x)
{
  for (int i = 0; i < n; i++)
    a[i] = x + 1;			/* line 18 */
  fill (a + n, n, x);
}

/* One loop behind another.  */
void
in_turn (float *a, int n, int m)
{
#pragma omp target map(tofrom: a[0:n])
  {
    for (int i = 0; i < n; i++)
      a[i] = 1;				/* line 29: certain */
    for (int i = 0; i < n; i++)
      a[i + n] = 2;			/* line 31: certain */
    if (m > 3)
      for (int i = 0; i < n; i++)
	a[i + 2 * n] = 3;		/* line 34 */
  }
#pragma omp target teams map(tofrom: a[0:n])
  {
    for (int i = 0; i < n; i++)
      a[i] = 4;				/* line 39: certain */
    for (int i = 0; i < n; i++)
      a[i + n] = 5;			/* line 41: certain */
    if (m > 3)
      for (int i = 0; i < n; i++)
	a[i + 2 * n] = 6;		/* line 44 */
  }
}

/* One condition in another, and two loops under one.  */
void
under_two (float *a, int n, int m, int k)
{
#pragma omp target teams map(tofrom: a[0:n])
  if (m > 3)
    if (k < 7)
      for (int i = 0; i < n; i++)
	a[i] = 7;			/* line 56 */
#pragma omp target teams map(tofrom: a[0:n])
  if (m > 3)
    {
      for (int i = 0; i < n; i++)
	a[i] = 8;			/* line 61 */
      for (int i = 0; i < n; i++)
	a[i + n] = 9;			/* line 63 */
    }
#pragma omp target teams map(tofrom: a[0:n])
  if (m == 3)
    for (int i = 0; i < n; i++)
      a[i] = 10;			/* line 68 */
}

/* Only under a condition, of the one that calls.  */
void
called (float *a, int n, int m)
{
#pragma omp target teams map(tofrom: a[0:n])
  if (m > 3)
    fill (a, n, 11);
#pragma omp target teams map(tofrom: a[0:n])
  if (m > 3)
    fill_more (a, n, 12);
#pragma omp target teams map(tofrom: a[0:n])
  {
    for (int i = 0; i < n; i++)
      a[i] = 13;			/* line 84: certain */
    if (m > 3)
      fill (a, n, 14);
  }
}

/* A guess with a probability of one, two calls before.  */
void
called_perhaps (float *a, const float *b, int n)
{
#pragma omp target map(tofrom: a[0:n]) map(to: b[0:n])
  if (__builtin_expect_with_probability (b[0] > 0, 1, 1.0))
    fill_more (a, n, 16);
}

void
called_always (float *a, int n)
{
#pragma omp target teams map(tofrom: a[0:n])
  fill_more (a, n, 15);
}

/* One condition before the last way out of the loop over teams, and one there.  */
void
under_both (float *a, int n, int m, int k)
{
#pragma omp target teams map(tofrom: a[0:n])
  if (m > 3)
    {
      for (int i = 0; i < n; i++)
	a[i] = 17;
      if (k < 7)
	for (int i = 0; i < n; i++)
	  a[i + n] = 18;		/* line 117 */
    }
}

/* A loop of the region's own is entered only if N is above 0.  */
void
left_early (float *a, int n, int m)
{
#pragma omp target map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    if (m > 3)
      {
	a[0] = 19;			/* line 129 */
	break;
      }
#pragma omp target teams map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    if (m > 3)
      {
	a[0] = 20;			/* line 136 */
	break;
      }
}

/* { dg-final { scan-ummgr-dump-times {certain line 29 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 31 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 39 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 41 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 84 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 11 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line 18 w$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {certain line \d+ w} 7 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line \d+ w size 4 frequency 1 exact} 18 ummgr-tables } } */
/* The conditions count as well as they disprove: once for the launch, as at -O0,
   and one that no expression says makes what is behind it a guess.  */
/* { dg-final { scan-ummgr-dump-times {ref line (11|18|34|44|56|61|63) w .* inner \[0 x \(\(1\) min \(\(\(0\) max \(m - 3\)\)\)\)\]} 9 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 56 w .* inner \[0 x .*\] inner \[0 x .*\(-1\*k \+ 7\)} 1 ummgr-tables } } */
/* GCC 11 has no loop over teams (GOMP_teams4 came with GCC 12), and GCC 16 keeps one where those between make
   two of it, so that the guess is the condition's own.  */
/* { dg-final { scan-ummgr-dump-times {ref line (68|129|136) w size 4 frequency 1 affine} {2 12:3 16:2} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 68 w size 4 frequency 0\.\d+ affine} {1 12:0 16:1} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 117 w .* inner \[0 x .*\(m - 3\).* inner \[0 x .*\(-1\*k \+ 7\)} 1 ummgr-tables } } */
