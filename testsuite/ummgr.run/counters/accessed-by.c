/* Memory of the host's that a GPU has a mapping of, by advice, and goes through again and
   again.  With an argument its preferred location is the host.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 1 << 20, ROUNDS = 6, SET_PREFERRED_LOCATION = 3, SET_ACCESSED_BY = 5, HOST = -1 };

int
main (int argc, char **argv)
{
  void *cuda = dlopen ("libcuda.so.1", RTLD_LAZY);
  int (*advise) (unsigned long long, size_t, int, int);
  void *(*get) (size_t);
  *(void **) &advise = cuda ? dlsym (cuda, "cuMemAdvise") : NULL;
  *(void **) &get = dlsym (RTLD_DEFAULT, "ummgr_malloc");
  (void) argv;
  /* The plugin has the driver begin.  */
#pragma omp target
  {
  }
  int *p = get && advise ? get (N * sizeof *p) : NULL;
  if (!p || advise ((uintptr_t) p, N * sizeof *p, SET_ACCESSED_BY, 0)
      || (argc > 1 && advise ((uintptr_t) p, N * sizeof *p, SET_PREFERRED_LOCATION, HOST)))
    return 2;
  for (int i = 0; i < N; i++)
    p[i] = i;
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp target teams distribute parallel for is_device_ptr (p)
      for (int i = 0; i < N; i++)
	p[i] += round;
    }
  uint64_t sum = 0;
  for (int i = 0; i < N; i++)
    sum += p[i];
  printf ("sum %llu\n", (unsigned long long) sum);
  return sum != (uint64_t) N * (N - 1) / 2 + 15u * N;
}
