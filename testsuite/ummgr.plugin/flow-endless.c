/* Loops without end, around loops that end: would break if the blocks that
   GCC's predictors add for them had no room in the chain, or if what had been
   guessed stayed in the function.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-O0" } */

double v[64];
void work (void);

void
host (void)
{
#pragma omp parallel
  for (;;)
    for (int i = 0; i < 8; i++)
      work ();
}

void
launches (void)
{
  for (;;)
    for (int i = 0; i < 8; i++)
      {
#pragma omp target
	v[0] += 1;
      }
}

/* Both loops end nowhere, and one is left where it is right.  */
void
either (int m)
{
  if (m)
    for (;;)
      for (int i = 0; i < 4; i++)
	{
#pragma omp target
	  v[1] += 1;
	}
  for (;;)
    for (int i = 0; i < 2; i++)
      work ();
}

/* { dg-final { scan-ummgr-dump-times {flow edge launches 1 -> 1 probability 1 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge either 1 -> 1 probability 1 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow edge (launches|either) \d+ -> return} ummgr-tables } } */
