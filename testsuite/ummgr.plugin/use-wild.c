/* What is written by built-in functions through pointers of which nothing is known: would break if
   an argument, or a variable of the devices' own, that it may be were said not to be written; if
   what such a function gets of a known one weren't that one's alone; or if memory of the region's
   own, or a text, were taken for unknown.  */
/* { dg-do compile } */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096 };

#pragma omp declare target
double table[N], other[N];
double *anywhere;
#pragma omp end declare target

void
unknown (double *z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    memset (anywhere, 0, n);
    z[0] = table[0];
  }
}

void
within (double *z, const int *where, int n)
{
#pragma omp target map(tofrom: z[0:n]) map(to: where[0:n])
  {
    memset (&other[where[0]], 0, n);
    z[0] = table[0];
  }
}

void
own (double *z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    double *mine = malloc (n * sizeof *mine);
    memset (mine, 0, n * sizeof *mine);
    z[0] = table[0] + mine[0];
    free (mine);
  }
}

void
text (double *z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    __builtin_printf ("a text\n");
    z[0] = 1;
  }
}

/* { dg-final { scan-ummgr-dump-times {use z written unknown why a pointer of unknown origin} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static table read written unknown} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static other written unknown} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use where read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use z written$} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static table read$} 2 ummgr-tables } } */
