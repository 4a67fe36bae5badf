/* What comes from other units, or goes there, must have a name; what comes from
   nowhere must be unknown.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-fplugin-arg-ummgr-unify" } */

#include <stdlib.h>

struct box { double *inner; };

double *obtained (int n);
void handed (double *p);
void filled (struct box *b);
extern double *elsewhere;

void
run (double *given, struct box *box, double **out)
{
  double *got = obtained (3), *glob = elsewhere, *in = box->inner;
  double *unknown = (double *) (size_t) (atoi ("4") * 3l);
  struct box b;
  filled (&b);
  double *back = b.inner;
#pragma omp target map(given[:8], got[:8], glob[:8], in[:8], unknown[:8], back[:8])
  given[0] = got[0] + glob[0] + in[0] + unknown[0] + back[0];
  handed (malloc (64));
  *out = malloc (65);
}

double *
make (int n)
{
  return calloc (n, 8);
}

/* { dg-final { scan-ummgr-dump-times "argument given: parameter 1 of run$" 1 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "argument got: result of obtained$" 1 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "argument glob: variable elsewhere$" 1 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "argument in: parameter 2 of run$" 1 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "argument unknown: what is not known$" 1 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "argument back: parameter 1 of filled$" 1 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "flow to parameter 1 of handed: malloc at line 25" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "flow to parameter 3 of run: malloc at line 26" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump "flow to result of make: calloc at line 32" ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-times "leaves redirected if it reaches" 3 ummgr-sites } } */
/* { dg-final { scan-ummgr-dump-not " reaches redirected" ummgr-sites } } */
