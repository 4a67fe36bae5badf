/* Breaks if one of the facts about a word is wrong, or the copies of mapped
   data are not seen.  Ten words each, so that all can be counted by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um prefetch host lru" } */
/* { dg-ummgr-trace {^run .*sample=1 .*instrumented=1$} } */
/* { dg-ummgr-trace {^object in size=40 at=facts-mapped\.c:31 element=4.* heap} } */
/* { dg-ummgr-trace {^begin main\._omp_fn\.0 launch=1 on=gpu0$} } */
/* { dg-ummgr-trace {^finish main\._omp_fn\.0 launch=1 on=gpu0$} } */
/* { dg-ummgr-trace {^copy in \+0 size=40 from=host to=gpu0 } } */
/* { dg-ummgr-trace {^copy out \+0 size=40 from=gpu0 to=host } } */
/* { dg-ummgr-trace-not {^copy (in|kept) .*to=host} } */
/* { dg-ummgr-trace-not {^copy out .*to=gpu0} } */
/* All ten are written; three are read again here.  */
/* { dg-ummgr-facts in host 10 "cpu_wrote=10 c>c=3" } */
/* The device reads all, and three of them again after it wrote them.  What is
   copied to it counts as written by the CPU, what is copied back as read.  */
/* { dg-ummgr-facts in gpu0 10 "last_gpu=3 cpu_wrote=10 gpu_wrote=3 c>g=10 g>g=3" } */
/* { dg-ummgr-facts out gpu0 10 "last_gpu=10 gpu_wrote=10 g>c=10 g>g=3" } */
/* Four of the device's values are read here.  */
/* { dg-ummgr-facts out host 10 "last_gpu=10 g>c=4" } */
/* { dg-ummgr-facts kept host 10 "cpu_wrote=10 c>c=10" } */
/* { dg-ummgr-trace-not {^facts kept .*on=gpu} } */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int *in = malloc (10 * sizeof *in), *out = malloc (10 * sizeof *out);
  int *kept = malloc (10 * sizeof *kept);
  int sum = 0;
  for (int i = 0; i < 10; i++)
    in[i] = kept[i] = i;
  for (int i = 4; i < 7; i++)
    sum += in[i];
#pragma omp target map(to: in[:10]) map(from: out[:10])
  for (int i = 0; i < 10; i++)
    {
      out[i] = in[i] + 1;
      if (i < 3)
	{
	  in[i] = 7;
	  __asm__ volatile ("" ::: "memory");
	  out[i] += in[i];
	}
    }
  for (int i = 0; i < 10; i++)
    sum += kept[i];
  for (int i = 3; i < 7; i++)
    sum += out[i];
  free (in);
  free (out);
  free (kept);
  return sum == 15 + 45 + 4 + 5 + 6 + 7 ? 0 : 1;
}
