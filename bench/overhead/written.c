/* written: what it costs to know which pages of the host were written.
   SPDX-License-Identifier: GPL-3.0-or-later

   Linked with libummgr's own memory/written.h.  Nanoseconds for a page of 4 KiB, least of several rounds over
   --bytes of memory: to have its writes noted, to look, when none was written, to let go of it, and what the
   program's first write to a page takes longer than its next.  */

#include "config.h"
#include "memory/written.h"

#include "common.h"

#include <omp.h>

enum { PAGE = 4096 };

static void
count (uintptr_t lo, uintptr_t hi, void *data)
{
  *(size_t *) data += hi - lo;
}

static void
least (double *to, double since, size_t pages)
{
  double ns = (omp_get_wtime () - since) * 1e9 / pages;
  if (*to == 0 || ns < *to)
    *to = ns;
}

static void
touch (volatile char *memory, size_t bytes)
{
  for (size_t i = 0; i < bytes; i += PAGE)
    memory[i]++;
}

int
main (int argc, char **argv)
{
  size_t bytes = 64 << 20, found;
  double watch = 0, look = 0, end = 0, first = 0, next = 0, start;
  for (int i = 1; i < argc; i++)
    if (sscanf (argv[i], "--bytes=%zu", &bytes) != 1)
      bench_fatal ("usage: written [--bytes=N]");
  char *memory = aligned_alloc (PAGE, bytes);
  if (!memory || bytes % PAGE)
    bench_fatal ("no memory, or no whole pages");
  if (!ummgr_written_able ())
    {
      puts ("able=0");
      return 0;
    }
  memset (memory, 1, bytes);
  for (int round = 0; round < 5; round++)
    {
      start = omp_get_wtime ();
      struct ummgr_written *w = ummgr_written_watch ((uintptr_t) memory, (uintptr_t) memory + bytes);
      least (&watch, start, bytes / PAGE);
      if (!w)
	bench_fatal ("the memory can't be watched");
      for (int i = 0; i < 3; i++)
	{
	  found = 0;
	  start = omp_get_wtime ();
	  ummgr_written_each (w, count, &found);
	  least (&look, start, bytes / PAGE);
	  if (found)
	    bench_fatal ("%zu bytes were written that nobody wrote", found);
	}
      start = omp_get_wtime ();
      touch (memory, bytes);
      least (&first, start, bytes / PAGE);
      start = omp_get_wtime ();
      touch (memory, bytes);
      least (&next, start, bytes / PAGE);
      ummgr_written_each (w, count, &found);
      if (found != bytes)
	bench_fatal ("of %zu bytes written %zu were noted", bytes, found);
      start = omp_get_wtime ();
      ummgr_written_end (w);
      least (&end, start, bytes / PAGE);
    }
  printf ("able=1 watch_ns=%.1f look_ns=%.1f end_ns=%.1f write_ns=%.1f\n", watch, look,
	  end, first - next);
  free (memory);
  return 0;
}
