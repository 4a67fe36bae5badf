/* What may alias, through one pointer, an access that stays in the loop stays
   there too; what is based on another pointer is hoisted.  Would break if a
   read could be reported before the write that it reads.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-trace" } */

void
same (int *p, const int *index, int n)
{
  for (int i = 0; i < n; i++)
    p[index[i]] = p[i];
}

void
different (int *p, const int *q, const int *index, int n)
{
  for (int i = 0; i < n; i++)
    p[index[i]] = q[i];
}

int observe (int *);

void
called (int *p, int n)
{
  for (int i = 0; i < n; i++)
    {
      p[i] = i;
      observe (p);
    }
}

/* { dg-final { scan-ummgr-dump {trace same at .*: cloned, 2 single, 1 hoisted} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace different at .*: cloned, 1 single, 2 hoisted} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace called at .*: cloned, 1 single, 0 hoisted} ummgr-trace } } */
