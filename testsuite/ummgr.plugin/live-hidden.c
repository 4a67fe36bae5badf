/* Accesses that hide: would break if one of them were overlooked, since what
   is not read may be thrown away.  Nothing here is dead, and nothing surely not
   read.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

extern void unseen (void);
extern void take (int *);
extern int *give (void);
extern int (*callback) (void);

int shared[64];
static int hidden[64];
int *kept;
static jmp_buf back;

/* Through another pointer.  */
int
by_alias (void)
{
  int a1[64] = { 0 };
  int *p = a1 + 3;
#pragma omp target map(tofrom: a1)
  a1[1] = 1;
  return p[1];
}

/* The caller's, and it may be the same.  */
int
by_parameter (int *a2, int *q)
{
#pragma omp target map(tofrom: a2[0:64])
  a2[1] = 1;
  return q[1];
}

/* What an unseen function was given.  */
void
by_unseen (void)
{
  int a3[64];
  take (a3);
#pragma omp target map(tofrom: a3)
  a3[1] = 1;
  unseen ();
}

/* A pointer in memory.  */
int
by_memory (int n)
{
  int *a4 = malloc (64 * sizeof *a4);
  kept = a4;
#pragma omp target map(tofrom: a4[0:64])
  a4[1] = 1;
  return kept[1];
}

/* A pointer in a local structure.  */
int
by_member (int n)
{
  struct { int *p; } s, t;
  int *a5 = malloc (64 * sizeof *a5);
  s.p = a5;
  t = s;
#pragma omp target map(tofrom: a5[0:64])
  a5[1] = 1;
  int r = t.p[1];
  free (a5);
  return r;
}

/* A global, by whoever comes next.  */
int
by_global (void)
{
#pragma omp target map(tofrom: shared)
  shared[1] = 1;
  return 0;
}

/* A static, by what an unseen function calls.  */
int
read_hidden (void)
{
  return hidden[1];
}

void
by_callback (void)
{
#pragma omp target map(tofrom: hidden)
  hidden[1] = 1;
  unseen ();
}

/* After longjmp.  */
static void
jump (int *a6)
{
#pragma omp target map(tofrom: a6[0:64])
  a6[1] = 1;
  longjmp (back, 1);
}

int
by_jump (void)
{
  int a[64] = { 0 };
  if (setjmp (back) == 0)
    jump (a);
  return a[1];
}

/* In the loop's next turn, by its last turn's pointer.  */
int
by_turn (int n)
{
  int *old = NULL, s = 0;
  for (int i = 0; i < n; i++)
    {
      int *a7 = calloc (64, sizeof *a7);
      if (old)
	s += old[1];
      free (old);
#pragma omp target map(tofrom: a7[0:64])
      a7[1] = 1;
      old = a7;
    }
  return s;
}

/* As a number.  */
int
by_number (void)
{
  int a8[64] = { 0 };
  unsigned long n = (unsigned long) a8;
#pragma omp target map(tofrom: a8)
  a8[1] = 1;
  return *(int *) (n + 4);
}

/* By asm.  */
int
by_asm (void)
{
  int a9[64] = { 0 };
#pragma omp target map(tofrom: a9)
  a9[1] = 1;
  int r;
  __asm__ volatile ("movl %1, %0" : "=r" (r) : "m" (a9[1]));
  return r;
}

/* By another thread.  */
int
by_thread (void)
{
  int a10[64] = { 0 }, r = 0;
#pragma omp parallel shared(a10, r)
  {
#pragma omp master
    {
#pragma omp target map(tofrom: a10)
      a10[1] = 1;
    }
#pragma omp barrier
#pragma omp critical
    r += a10[1];
  }
  return r;
}

/* Only a part of it is new.  */
int
by_part (void)
{
  int a11[64];
#pragma omp target map(tofrom: a11)
  a11[1] = 1;
  memset (a11, 0, 4);
  return a11[1];
}

/* A region that runs on.  */
int
by_nowait (void)
{
  int a12[64] = { 0 };
#pragma omp target map(tofrom: a12) nowait
  a12[1] = 1;
#pragma omp taskwait
  return a12[1];
}

/* Pointers that come by value.  */
struct box { int *p; };
int
by_value (struct box a13)
{
#pragma omp target map(tofrom: a13.p[0:64])
  a13.p[1] = 1;
  return a13.p[1];
}

/* Returned.  */
int *
by_return (void)
{
  int *a14 = malloc (64 * sizeof *a14);
#pragma omp target map(tofrom: a14[0:64])
  a14[1] = 1;
  return a14;
}

/* Recursively.  */
static int
again (int *a15, int depth)
{
  if (depth == 0)
    return a15[1];
#pragma omp target map(tofrom: a15[0:64])
  a15[1]++;
  return again (a15, depth - 1);
}

int
by_recursion (int depth)
{
  int a[64] = { 0 };
  return again (a, depth);
}

/* By a name that the callee doesn't have for it.  */
static int
last_of (int n, ...)
{
  __builtin_va_list list;
  __builtin_va_start (list, n);
  int *p = __builtin_va_arg (list, int *);
  __builtin_va_end (list);
  return p[1];
}

int
by_rest (void)
{
  int a16[64] = { 0 };
#pragma omp target map(tofrom: a16)
  a16[1] = 1;
  return last_of (1, a16);
}

static int
at_number (unsigned long p)
{
  return *(int *) (p + 4);
}

int
by_number_of_callee (void)
{
  int a17[64] = { 0 };
#pragma omp target map(tofrom: a17)
  a17[1] = 1;
  return at_number ((unsigned long) a17);
}

/* By a function within, called by pointer.  */
int
by_nested (void)
{
  int a18[64] = { 0 };
  int within (void)
  {
    return a18[1];
  }
  callback = within;
#pragma omp target map(tofrom: a18)
  a18[1] = 1;
  return callback ();
}

/* By a difference.  */
int
by_difference (void)
{
  char a19[64] = { 0 }, other[64] = { 0 };
  long far = a19 - other;
#pragma omp target map(tofrom: a19)
  a19[1] = 1;
  return (other + far)[1];
}

/* { dg-final { scan-ummgr-dump-times {live a(1|2|3|4|5|6|7|8|9|10|11|14|15|16|17|19) host reads (maybe|yes)[^\n]* needed$} 16 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live (shared|hidden) host reads maybe writes maybe [^\n]* needed$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {live a12 not known: not waited for$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {live [ash][^\n]* (dead|reads no)} ummgr-tables } } */
