/* What GCC warns of while it optimises: would break if an instrumented unit were
   told of it twice, or not at all, or of functions that nobody wrote.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-trace -Wall -Wextra -Wstack-usage=64 -fdiagnostics-plain-output" } */

extern int *g;
extern void use (void *);
extern void free (void *);
extern int sprintf (char *, const char *, ...);

void
freed (int *p)
{
  p[0] = 1;
  free (p);
  p[1] = 2; /* { dg-warning "used after .free." } */
}

void
format (int i)
{
  char b[3];
  sprintf (b, "%d-%s", i, "abcdef"); /* { dg-warning "writing 6 bytes" } */
  use (b);
  g[i] = b[0];
}

void
space (unsigned n) /* { dg-warning "stack usage might be unbounded" } */
{
  int *q = __builtin_alloca (n * 4);
  use (q);
  g[3] = *q;
}

int
unset (void)
{
  int a[3];
  g[0] = 1;
  return a[1]; /* { dg-warning "uninitialized" } */
}

/* { dg-ummgr-without-gcc "11" "has no -Wuse-after-free" } */
/* GCC 13 says it of p + 1, too, and GCC 16 only of that, as without the plugin.  */
/* { dg-final { scan-ummgr-output-times {:16:4: warning: pointer .p. used after .free.} {0 13:1} } } */
/* { dg-final { scan-ummgr-output-times {:16:8: warning: pointer .p. used after .free.} {1 16:0} } } */
/* { dg-final { scan-ummgr-output-times {writing 6 bytes} 1 } } */
/* { dg-final { scan-ummgr-output-times {might be unbounded} 1 } } */
/* { dg-final { scan-ummgr-output-times {is used uninitialized} 1 } } */
/* { dg-final { scan-ummgr-output-times {ummgr_} 0 } } */
