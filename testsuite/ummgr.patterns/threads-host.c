/* Breaks if eight threads on neighbouring words, or on the bytes of one word,
   lose each other's facts.  All counts are known beforehand.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-parallel } */
/* Thread T writes the words I with I % 8 == T; then those of its right
   neighbour are read, but those of thread 7.  */
/* { dg-ummgr-facts ^[0-9]+,words,.*,host,0,1,32768,32768,0,28672,0,0,0,0,32768,0, } */
/* Thread T writes byte T % 4 of words; half of the words are read again.  */
/* { dg-ummgr-facts ^[0-9]+,bytes,.*,host,0,1,8192,8192,0,4096,0,0,0,0,8192,0, } */
/* Each of the eight adds to all.  */
/* { dg-ummgr-facts ^[0-9]+,sums,.*,host,0,1,1024,1024,0,1024,0,0,0,0,1024,0, } */

#include "pattern.h"

int
main (void)
{
  int *words = malloc (N * sizeof *words);
  unsigned char *bytes = malloc (N);
  int *sums = malloc (1024 * sizeof *sums);
  long sum = 0;
  for (int i = 0; i < 1024; i++)
    sums[i] = 0;
#pragma omp parallel num_threads (8)
  {
    int me = omp_get_thread_num ();
    for (int i = me; i < N; i += 8)
      words[i] = me;
    for (int i = me % 4; i < N; i += 4)
      if (i / 4 % 2 == me / 4)
	bytes[i] = 1;
    for (int i = 0; i < 1024; i++)
#pragma omp atomic
      sums[i] += 1;
  }
#pragma omp parallel num_threads (8) reduction (+: sum)
  {
    int right = (omp_get_thread_num () + 1) % 8;
    for (int i = right; i < N; i += 8)
      if (right != 7)
	sum += words[i] - right + 1;
    for (int i = right; i < N; i += 8)
      sum += right < 4 ? bytes[i] : 0;
  }
  sum += sums[7] - 8;
  free (words);
  free (bytes);
  free (sums);
  return expect (sum, N / 8 * 7 + N / 2);
}
