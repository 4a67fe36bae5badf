/* Breaks if eight threads of a team on neighbouring words, or on the bytes of
   one word, lose each other's facts.  All counts are known beforehand.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-parallel } */
/* Written by the host, half of it read there, an eighth of that written.  */
/* { dg-ummgr-facts ^[0-9]+,words,.*,host,0,1,32768,32768,4096,0,16384,0,0,4096,32768,16384, } */
/* Written byte by byte, and every fourth word read by another thread.  */
/* { dg-ummgr-facts ^[0-9]+,bytes,.*,host,0,1,8192,0,8192,0,0,0,2048,8192,8192,8192, } */

#include "pattern.h"

int
main (void)
{
  int *words = ummgr_malloc (N * sizeof *words);
  unsigned char *bytes = ummgr_malloc (N);
  long sum = 0;
  for (int i = 0; i < N; i++)
    words[i] = 1;
#pragma omp target parallel num_threads (8) is_device_ptr (words, bytes) \
  map(tofrom: sum) reduction (+: sum)
  {
    int me = omp_get_thread_num (), all = omp_get_num_threads ();
    for (int i = me; i < N / 2; i += all)
      sum += words[i];
    for (int i = me; i < N; i += all)
      bytes[i] = 2;
#pragma omp barrier
    for (int i = me; i < N / 8; i += all)
      words[i] = 3;
    for (int i = (me + 1) % all; i < N / 16; i += all)
      sum += bytes[16 * i];
  }
  ummgr_free (words);
  ummgr_free (bytes);
  return expect (sum, N / 2 + N / 8);
}
