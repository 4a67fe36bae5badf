/* Arrays of 8 GB of which little is used take little of the host's memory, on the
   simulated GPU and in the library, wherever the policy puts them.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-counter all launches == 2 } */

#include "check.h"

#include <sys/mman.h>
#include <sys/resource.h>

#define SIZE ((size_t) 8 << 30)
#define STEP ((size_t) 512 << 20)

int
main (void)
{
  char *a = mmap (NULL, SIZE, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK (a != MAP_FAILED);
  char first = 0, last = 0;
#pragma omp target enter data map(alloc: a[:SIZE])
#pragma omp target map(alloc: a[:SIZE])
  for (size_t i = 0; i < SIZE; i += STEP)
    a[i] = a[i + STEP - 1] = 1 + i / STEP;
#pragma omp target map(alloc: a[:SIZE]) map(from: first, last)
  {
    first = a[0];
    last = a[SIZE - 1];
  }
#pragma omp target update from(a[SIZE - STEP:1])
#pragma omp target exit data map(release: a[:SIZE])
  CHECK_EQ (first, 1);
  CHECK_EQ (last, SIZE / STEP);
  CHECK_EQ (a[SIZE - STEP], SIZE / STEP);
  struct rusage usage;
  CHECK (getrusage (RUSAGE_SELF, &usage) == 0);
  CHECK (usage.ru_maxrss < 256 << 10);
  return 0;
}
