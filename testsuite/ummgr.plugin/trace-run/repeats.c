/* What repeats an access, and what does not: would break if a report were left
   out that says something new, or made that says nothing.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { log-lines {^R .* 4 } 5 } */
/* { log-lines {^W .* 4 } -O0 4 -O2 3 } */
/* { log-lines {^[RW] .* 2 } 1 } */
/* { log-lines {^r .* 40 } 1 } */
/* { log-lines {^w .* 40 } 2 } */
/* { log-lines {^Ua .* 8 } 1 } */
/* { log-lines {^Ra .* 8 } 1 } */
/* { log-lines {^Wa .* 8 } 1 } */

#include <stdlib.h>
#include <string.h>

struct s { int a, b; unsigned c : 3, d : 9; long e; int f[6]; };
struct t { long v[5]; };

static const int constant[4] = { 1, 2, 3, 4 };
static volatile int index_of = 2;

__attribute__ ((noipa)) static int
accesses (struct s *s, int *other, long *atom, struct t *from, struct t *to)
{
  int local[4] = { 1, 2, 3, 4 };
  volatile int *v = &s->b;
  s->a = 1;		/* W, dead at -O2.  */
  int x = *v + *v;	/* R R: volatile.  */
  *other = x;		/* W */
  s->a = x;		/* W */
  s->f[1] = 2;		/* W */
  x += other[1];	/* R */
  s->d = 5;		/* W of 2 bytes.  */
  *to = *from;		/* r w of 40.  */
  __atomic_fetch_add (atom, 1, __ATOMIC_SEQ_CST);
  x += __atomic_load_n (atom, __ATOMIC_ACQUIRE);
  __atomic_store_n (atom, 3, __ATOMIC_RELEASE);
  return x + constant[x & 3] + local[x & 3];
}

int
main (void)
{
  struct s *s = calloc (1, sizeof *s);
  int *other = calloc (4, sizeof *other);
  long *atom = calloc (1, sizeof *atom);
  struct t *t = malloc (2 * sizeof *t);
  memset (t, 0, sizeof *t);	/* w of 40.  */
  int x = accesses (s, other, atom, t, t + 1);
  int i = index_of;		/* R: a static variable.  */
  x += other[i];		/* R */
  return !(x == 1 + 2 + 2);
}
