/* Transactions: would break if GCC refused a unit because of reports in them, or
   if nobody were told that there are none.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-trace -fgnu-tm" } */
/* { dg-warning "no access in this unit is reported, as it is compiled with .-fgnu-tm." "" { target *-*-* } 0 } */

int g, *p;

__attribute__ ((transaction_safe)) int
safe (int *q)
{
  return q[1] + 1;
}

void
atomic (int n)
{
  __transaction_atomic
  {
    g += n;
    p[n] = safe (p);
  }
}

void
relaxed (void)
{
  __transaction_relaxed
  {
    p[2] = safe (p);
  }
}
