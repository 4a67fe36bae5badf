/* What is written by pointers of which nothing is known, or is given to what isn't followed: would
   break if a variable of the devices' own, or an argument, that it may be were said not to be
   written.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { N = 4096 };

#pragma omp declare target
double table[N], other[N];
double *anywhere, *place;
char *letters;
struct pair
{
  double left[9], right;
} first, second, third;
extern struct pair make (void) __attribute__ ((const));
extern int number (void);
extern double fetch (void);
#pragma omp end declare target

void
by_assignment (double *z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  for (int i = 0; i < n; i++)
    {
      z[i] = table[i];
      anywhere[i] = 1;
    }
}

void
by_builtin (double *z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    memset (anywhere, 0, n);
    z[0] = table[0];
  }
}

void
by_number (double *z, uintptr_t number, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    memset ((void *) number, 0, n);
    z[0] = table[0];
  }
}

/* At an index that is the difference of pointers.  */
void
by_difference (uintptr_t number, int n)
{
#pragma omp target
  other[(double *) number - table] = n;
}

void
from_difference (double *z, uintptr_t number, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    ((double *) number)[(double *) (number + 8 * n) - other] = n;
    z[0] = table[0];
  }
}

/* Neither where the pointer is stored nor the index says what is accessed.  */
void
stored (double **z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  z[0] = &other[number ()];
}

/* The code that is called takes it from there.  */
void
stored_for_call (double *z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    place = z;
    number ();
  }
}

/* The code that is called may have its own way to the variable.  */
void
by_call (double *z)
{
#pragma omp target map(tofrom: z[0:1])
  z[0] = table[0] + fetch ();
}

/* These write nothing that is a variable of their own, or an argument's.  */
void
to_itself (double *z, int n)
{
#pragma omp target map(tofrom: z[0:n])
  {
    double own[16];
    memset (own, 0, sizeof own);
    void *block = __builtin_malloc (n);
    memset (block, 0, n);
    __builtin_printf ("%g\n", own[n & 15]);
    for (int i = 0; i < n; i++)
      {
	double row[n];
	row[i] = i;
	own[i & 15] += row[n - 1];
	__builtin_prefetch (anywhere + i);
      }
    z[0] = table[1] + own[n & 15] + *(char *) block;
    __builtin_free (n > 3 ? block : NULL);
    __builtin_free (anywhere);
  }
}

void
with_locks (omp_lock_t *locks, int n)
{
#pragma omp target map(tofrom: locks[0:n])
  for (int i = 0; i < n; i++)
    {
      omp_set_lock (&locks[i]);
      omp_unset_lock (&locks[i]);
    }
}

/* A difference of arguments' addresses is an index.  */
void
between (char *y, char *z, int n)
{
#pragma omp target map(tofrom: y[0:n], z[0:n])
  letters[y - z] = n;
}

void
of_structs (double *z)
{
#pragma omp target map(tofrom: z[0:1])
  {
    first = second;
    third = make ();
    z[0] = first.right;
  }
}


/* What a built-in function gets of a variable is that one's alone, and a text is nobody's.  */
void
within (double *z, const int *where, int n)
{
#pragma omp target map(tofrom: z[0:n]) map(to: where[0:n])
  {
    memset (&other[where[0]], 0, n);
    __builtin_printf ("a text\n");
    z[0] = table[0];
  }
}

/* { dg-final { scan-ummgr-dump-times {use z written unknown why a pointer of unknown origin$} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use y written unknown why a pointer of unknown origin$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static table read written unknown why a pointer of unknown origin$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use z written unknown why a pointer of unknown origin passed to memset} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static table read written unknown why a pointer of unknown origin passed to memset} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static other written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static other read written unknown why its address is stored to memory} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use z read written unknown why its address is stored to memory} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static table read written unknown why a call of fetch, whose code is not seen} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use locks read written unknown why passed to libgomp} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static other written unknown why passed to memset} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use where read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static table read$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use z written$} 5 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static first read written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static second read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static third written$} 1 ummgr-tables } } */
