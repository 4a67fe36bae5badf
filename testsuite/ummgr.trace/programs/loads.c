/* Part of trace.exp: load the shared library ARGV[1] and unload it, unused; then
   load it, use it and unload it, ARGV[2] times; then go on.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  int *outside = malloc (10 * sizeof *outside), sum = 0;
  for (int i = 0; i < 10; i++)
    outside[i] = 1;
  dlclose (dlopen (argv[1], RTLD_NOW));
  for (int turn = 0; turn < atoi (argv[2]); turn++)
    {
      void *library = dlopen (argv[1], RTLD_NOW);
      if (!library)
	return fprintf (stderr, "%s\n", dlerror ()), 1;
      int (*work) (void) = (int (*) (void)) dlsym (library, "library_work");
      sum += work ();
      dlclose (library);
    }
#pragma omp target map(tofrom: outside[:10])
  for (int i = 0; i < 10; i++)
    outside[i]++;
  for (int i = 0; i < 10; i++)
    sum += outside[i];
  free (outside);
  printf ("sum %d\n", sum);
  return 0;
}
