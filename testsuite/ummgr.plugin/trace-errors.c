/* An error that GCC finds late: would break if it were said to be in a function
   that nobody wrote.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-trace -fdiagnostics-plain-output" } */

extern int *g;
extern void bad (int) __attribute__ ((error ("never to be called")));

void
calls (int i)
{
  g[0] = i;
  bad (g[1]); /* { dg-error "call to .bad. declared" } */
}

/* { dg-final { scan-ummgr-output {In function .calls.:} } } */
/* { dg-final { scan-ummgr-output-times {ummgr_} 0 } } */
