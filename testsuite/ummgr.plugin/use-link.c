/* Variables that the device has a link to: would break if what a region does by such a link were
   not what it does to the argument that maps the variable, or some argument of which it may be
   a part.  And a target construct within a region may do anything.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-fno-inline" } */

int whole[10];
int parts[100];
int own[20];
#pragma omp declare target link(whole, parts)
#pragma omp declare target to(own)
#pragma omp declare target
static void
update (int n)
{
  for (int i = 0; i < 10; i++)
    whole[i] += 1;			/* line 17 */
}
static void
update_part (void)
{
  parts[30] = 1;
}
void unseen (int *);
static void
step (int *z, int n)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    z[i]++;
}
#pragma omp end declare target

void
f (int *x, int *y, int *z, int n)
{
#pragma omp target map(tofrom: whole) map(to: y[0:n])
  update (n);
#pragma omp target map(tofrom: parts[20:30]) map(to: x[0:n])
  update_part ();
#pragma omp target
  unseen (own);
#pragma omp target map(tofrom: z[0:n])
  step (z, n);
}

/* { dg-final { scan-ummgr-dump-times {use whole read written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 17 w size 4 frequency 1 exact base 0 inner \[4 x 10\]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use y$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use parts written unknown why a variable that is linked to} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use x written unknown why a variable that is linked to} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {static own read written unknown} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use z read written unknown why a target construct within the region} 1 ummgr-tables } } */
