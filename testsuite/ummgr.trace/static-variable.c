/* Arrays of the device's own.  Breaks if what a region does with them is taken for accesses to the
   host's, by whose address host versions know them, reported one by one or as loops; if what was
   never copied has no copy in the trace; or if the recorder's own variables are in it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um" } */
/* { dg-ummgr-trace {^present in \+0 size=4096 on=gpu0 line=0 variable$} } */
/* { dg-ummgr-trace {^present out \+0 size=4096 on=gpu0 line=0 variable$} } */
/* { dg-ummgr-trace {^access out \+0 size=4096 w launch=1 } } */
/* { dg-ummgr-trace-not {^present buffer} } */
/* { dg-ummgr-facts in gpu0 1024 "cpu_wrote=1024 c>g=1024 unread=0" } */
/* { dg-ummgr-facts out gpu0 1024 "last_gpu=1024 gpu_wrote=1024 g>g=1024 g>c=1024" } */
/* { dg-ummgr-facts in host 1024 "cpu_wrote=1024" } */
/* { dg-ummgr-facts nest gpu0 1024 "last_gpu=1024 gpu_wrote=1024" } */

enum { N = 1024, ROWS = 32 };

#pragma omp declare target
int in[N], out[N], nest[ROWS][ROWS];

static int
twice (int i)
{
  return 2 * in[i];
}
#pragma omp end declare target

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < N; i++)
    in[i] = i;
#pragma omp target update to(in)
#pragma omp target
  {
    for (int i = 0; i < N; i++)
      out[i] = twice (i);
    for (int i = 0; i < N; i++)
      out[(i * 5) % N] += out[i] & 1;
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < ROWS; j++)
	nest[j][i] = i + j;
  }
#pragma omp target update from(out)
  for (int i = 0; i < N; i++)
    sum += out[i];
  return sum != N * (N - 1);
}
