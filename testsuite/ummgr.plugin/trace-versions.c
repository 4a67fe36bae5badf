/* Which functions get a traced version, which are instrumented in place, and
   which are left alone: would break if the choice changed, or if an access that
   nobody else can see were reported.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-trace" } */

int
cloned (int *p, int n)
{
  int t = 0;
  for (int i = 0; i < n; i++)
    t += p[i];
  return t;
}

int
variable (int n, ...)
{
  __builtin_va_list list;
  __builtin_va_start (list, n);
  int *p = __builtin_va_arg (list, int *);
  __builtin_va_end (list);
  return *p;
}

__attribute__ ((no_instrument_function)) int
alone (int *p)
{
  return *p;
}

static const int constant[3] = { 1, 2, 3 };

int
private_only (int k)
{
  int local[8];
  for (int i = 0; i < 8; i++)
    local[i] = k * i;
  return local[k & 7] + constant[k % 3];
}

int
twice (int *p, int *q)
{
  int t = *p + p[1];
  *q = t;
  q[1] = *q + t;
  return t + *q;
}

/* { dg-final { scan-ummgr-dump {trace cloned at .*: cloned, 0 single, 1 hoisted} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace variable at .*: in place \(variable arguments\), 1 single} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace alone at .*: left alone \(no_instrument_function\)} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump-not {trace private_only} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace twice at .*: cloned, [45] single} ummgr-trace } } */
