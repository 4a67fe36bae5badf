/* Would break: a copy that is hashed in wide vectors, whose registers' upper halves stay in
   use: the program's own code, compiled for narrow ones, then runs at a third of its speed on
   some processors.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run { target x86_64-*-* } } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"

#include <stdlib.h>

#define SIZE (1 << 20)

/* Those of the 16 registers that narrow code names, or 0.  */
static uint64_t
upper_halves (void)
{
  uint64_t all = 0;
#ifdef __x86_64__
  uint64_t half[2];
#define LOOK(N)								\
  __asm__ volatile ("vextractf128 $1, %%ymm" #N ", %0" : "=m" (half));	\
  all |= half[0] | half[1];
  LOOK (0) LOOK (1) LOOK (2) LOOK (3) LOOK (4) LOOK (5) LOOK (6) LOOK (7)
  LOOK (8) LOOK (9) LOOK (10) LOOK (11) LOOK (12) LOOK (13) LOOK (14) LOOK (15)
#endif
  return all;
}

static void
test (void)
{
  test_begin (1, "page", NULL);
  char *host = malloc (SIZE), *device = malloc (SIZE);
  CHECK (host && device);
  for (int i = 0; i < SIZE; i++)
    host[i] = (char) test_random ();
  ummgr_record_copy_in (host, (uintptr_t) device, SIZE, 0);
  CHECK_EQ (upper_halves (), 0);
  ummgr_record_copy_out (host, (uintptr_t) device, SIZE, 0);
  CHECK_EQ (upper_halves (), 0);
  free (host);
  free (device);
}

int
main (void)
{
  if (__builtin_cpu_supports ("avx"))
    test_run (test);
  return 0;
}
