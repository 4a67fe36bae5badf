/* Constructs in three functions, called through two levels from the loop of a fourth.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, STEPS = 12 };

static double *flux, *density, *volume;

__attribute__ ((noinline)) static void
compute_flux (void)
{
#pragma omp target teams distribute parallel for map(to: density[0:N], volume[0:N]) map(from: flux[0:N]) /* HERE */
  for (int i = 0; i < N; i++)
    flux[i] = density[i] * volume[i];
}

__attribute__ ((noinline)) static void
advance (double dt)
{
#pragma omp target teams distribute parallel for map(to: flux[0:N]) map(tofrom: density[0:N]) /* HERE */
  for (int i = 0; i < N; i++)
    density[i] += dt * (flux[i] - flux[i ? i - 1 : 0]);
}

__attribute__ ((noinline)) static void
limit (void)
{
#pragma omp target teams distribute parallel for map(tofrom: density[0:N]) /* HERE */
  for (int i = 0; i < N; i++)
    density[i] = density[i] > 8 ? 8 : density[i];
}

__attribute__ ((noinline)) static void
step (double dt)
{
  compute_flux ();
  advance (dt);
  limit ();
}

__attribute__ ((noinline)) static void
simulate (int steps)
{
#ifdef MENDED
#pragma omp target data map(to: volume[0:N]) map(tofrom: density[0:N]) map(from: flux[0:N])
#endif
  for (int s = 0; s < steps; s++) /* LOOP */
    step (0.125);
}

int
main (void)
{
  flux = malloc (N * sizeof *flux);
  density = malloc (N * sizeof *density);
  volume = malloc (N * sizeof *volume);
  for (int i = 0; i < N; i++)
    {
      density[i] = 1 + i % 6;
      volume[i] = 1.0 / (1 + i % 4);
    }
  simulate (STEPS);
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += density[i] + flux[i];
  printf ("%.15g\n", sum);
}
