/* What programs take of GCC's libraries for the GPU: prepare.sh has this run once, so
   that their modules are translated when ummgr is installed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 256

static double d[N];
static float f[N];
static int out[N];

static void
mathematics (void)
{
#pragma omp target teams distribute parallel for map(tofrom: d, f)
  for (int i = 0; i < N; i++)
    {
      double x = d[i];
      float y = f[i];
      d[i] = sin (x) + cos (x) + tan (x) + exp (x) + exp2 (x) + log (x + 1) + log10 (x + 1)
	     + log2 (x + 1) + pow (x, 1.5) + sqrt (x) + cbrt (x) + floor (x) + ceil (x)
	     + fabs (x) + fmod (x, 0.7) + atan (x) + atan2 (x, 2) + asin (x / 2)
	     + acos (x / 2) + sinh (x) + cosh (x) + tanh (x) + erf (x) + hypot (x, 1)
	     + fmin (x, 1) + fmax (x, 1) + round (x) + trunc (x);
      f[i] = sinf (y) + cosf (y) + tanf (y) + expf (y) + exp2f (y) + logf (y + 1)
	     + log10f (y + 1) + powf (y, 1.5f) + sqrtf (y) + floorf (y) + ceilf (y)
	     + fabsf (y) + fmodf (y, 0.7f) + atanf (y) + atan2f (y, 2) + sinhf (y)
	     + tanhf (y) + fminf (y, 1) + fmaxf (y, 1) + roundf (y) + hypotf (y, 1);
    }
}

static void
constructs (void)
{
  int sum = 0;
  double total = 0;
#pragma omp target teams num_teams (2) map(tofrom: out, sum, total)
  {
#pragma omp parallel num_threads (4)
    {
      omp_lock_t lock;
      omp_init_lock (&lock);
#pragma omp for schedule (dynamic, 4)
      for (int i = 0; i < N; i++)
	out[i] += omp_get_thread_num () + omp_get_team_num ();
#pragma omp for schedule (guided) ordered reduction (+: total)
      for (int i = 0; i < 16; i++)
	{
	  total += i;
#pragma omp ordered
	  out[i]++;
	}
#pragma omp single
      {
#pragma omp task
	out[0]++;
#pragma omp taskwait
      }
#pragma omp sections
      {
#pragma omp section
	out[1]++;
#pragma omp section
	out[2]++;
      }
#pragma omp critical
      out[3]++;
      omp_set_lock (&lock);
      out[4]++;
      omp_unset_lock (&lock);
#pragma omp barrier
#pragma omp atomic
      sum++;
      omp_destroy_lock (&lock);
    }
  }
#pragma omp target map(tofrom: out)
  {
    char *p = malloc (100), *q = calloc (10, 10);
    if (p && q)
      {
	memset (p, 1, 100);
	memcpy (q, p, 100);
	memmove (q + 1, q, 50);
	printf ("%d %s %g\n", memcmp (p, q, 100), "prepared", (double) strlen (q) * 0);
      }
    free (q);
    free (p);
    out[5] = abs (out[5]) + omp_is_initial_device () + omp_get_num_threads ();
  }
#pragma omp target teams distribute parallel for simd reduction (+: sum)
  for (int i = 0; i < N; i++)
    sum += i;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    d[i] = f[i] = i / (double) N;
  mathematics ();
  constructs ();
  return 0;
}
