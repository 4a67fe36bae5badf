/* A static function's region is in the table; one in code that nothing
   reaches is not: would break if the table kept dead code alive.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

static int
used (int k)
{
#pragma omp target map(tofrom: k)
  k++;
  return k;
}

static int
unused (int k)
{
#pragma omp target map(tofrom: k)
  k--;
  return k;
}

int
f (int k)
{
  if (0)
    return unused (k);
  return used (k);
}

/* { dg-final { scan-ummgr-dump {region used\._omp_fn\.0 at static-dead\.c:8:9} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {table regions 1 args 1 } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {table regions 2} ummgr-tables } } */
