/* lookup: finding an object by address among very many.
   SPDX-License-Identifier: GPL-3.0-or-later

   Linked with libummgr's own object table.  Objects of different sizes lie
   apart at random distances, as a long-lived heap's do; they are inserted
   and then found in random order, by an address anywhere inside.  */

#include "config.h"
#include "memory/objects.h"

#include "common.h"

struct heap
{
  uint64_t count;
  struct ummgr_object **objects;
  uintptr_t *probes;	/* An address in each, in random order.  */
  struct ummgr_objects table;
};

static void
heap_fill (struct heap *h, uint64_t seed)
{
  uint64_t state = seed;
  uintptr_t base = UINT64_C (0x7f0000000000);
  h->objects = bench_alloc (false, h->count * sizeof *h->objects);
  h->probes = bench_alloc (false, h->count * sizeof *h->probes);
  for (uint64_t i = 0; i < h->count; i++)
    {
      size_t size = 64 << bench_below (&state, 8);
      h->objects[i] = ummgr_object_new (base, size, 0, UMMGR_PATH_MAPPED);
      if (!h->objects[i])
	bench_fatal ("no memory for %llu objects",
		     (unsigned long long) h->count);
      base += size + 16 * bench_below (&state, 64);
    }
  for (uint64_t i = h->count - 1; i > 0; i--)
    {
      uint64_t j = bench_below (&state, i + 1);
      struct ummgr_object *o = h->objects[i];
      h->objects[i] = h->objects[j];
      h->objects[j] = o;
    }
  ummgr_objects_init (&h->table);
  for (uint64_t i = 0; i < h->count; i++)
    {
      struct ummgr_object *o = h->objects[i];
      if (!ummgr_objects_insert (&h->table, o->view.base, o))
	bench_fatal ("no memory for the table");
    }
}

/* Choose what to look for; the order is not that of insertion.  */
static void
heap_aim (struct heap *h, uint64_t *state)
{
  for (uint64_t i = 0; i < h->count; i++)
    {
      const struct ummgr_object *o = h->objects[bench_below (state, h->count)];
      h->probes[i] = o->view.base + bench_below (state, o->view.size);
    }
}

static double
heap_search (struct heap *h, uint64_t *found)
{
  double start = omp_get_wtime ();
  for (uint64_t i = 0; i < h->count; i++)
    {
      struct ummgr_object *o = ummgr_objects_find (&h->table, h->probes[i]);
      *found += o && h->probes[i] - o->view.base < o->view.size;
    }
  return (omp_get_wtime () - start) / h->count;
}

static void
heap_free (struct heap *h)
{
  ummgr_objects_clear (&h->table);
  for (uint64_t i = 0; i < h->count; i++)
    ummgr_object_drop (h->objects[i]);
  free (h->objects);
  free (h->probes);
}

int
main (int argc, char **argv)
{
  struct heap heap = { .count = 1000000 };
  uint64_t rounds = 5, seed = 1, found = 0;
  const struct bench_option options[] = {
    { "objects", BENCH_NUMBER, &heap.count, "that live at once" },
    { "rounds", BENCH_NUMBER, &rounds, "whose median counts" },
    { "seed", BENCH_NUMBER, &seed, "of the addresses" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Measure the object table.");
  if (heap.count < 1 || heap.count > 100000000 || rounds < 1
      || rounds > 1000)
    bench_fatal ("--objects and --rounds must be at least 1");
  heap_fill (&heap, seed);
  double *seconds = bench_alloc (false, rounds * sizeof *seconds);
  for (uint64_t r = 0; r < rounds; r++)
    {
      heap_aim (&heap, &seed);
      seconds[r] = heap_search (&heap, &found);
    }
  qsort (seconds, rounds, sizeof *seconds, bench_by_value);
  printf ("objects=%llu lookup_ns=%.1f\n", (unsigned long long) heap.count,
	  seconds[rounds / 2] * 1e9);
  free (seconds);
  heap_free (&heap);
  if (found != rounds * heap.count)
    bench_message ("wrong result: %llu of %llu lookups found their object",
		   (unsigned long long) found,
		   (unsigned long long) (rounds * heap.count));
  return found != rounds * heap.count;
}
