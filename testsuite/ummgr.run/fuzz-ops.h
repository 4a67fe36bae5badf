/* The rarer constructs of fuzz-map.c, and its steps.
   SPDX-License-Identifier: GPL-3.0-or-later  */

static void steps (struct context *x, int depth, int n);

static bool
owns (const struct context *x, int a)
{
  return a >= x->first && (a - x->first) % x->step == 0
    && (x->alone || a != GLOBAL);
}

/* `target data', with more steps inside.  */

static void
data_one (const struct clause *k, int d, bool offload, struct context *x,
	  int depth)
{
  u32 *p = array[k->array].host;
  long lo = k->lo, n = k->hi - k->lo;
  int inside = 1 + (int) below (x, 6);
  switch (k->kind)
    {
#define DO(K, ...) case K:						      \
      PRAGMA (omp target data map(__VA_ARGS__: p[lo:n]) device(d)	      \
	      if(offload))						      \
      steps (x, depth + 1, inside);					      \
      break;
      KINDS (DO)
#undef DO
    }
}

static void
data_two (const struct clause *k, int d, struct context *x, int depth)
{
  u32 *p = array[k[0].array].host, *q = array[k[1].array].host;
  long lo = k[0].lo, n = k[0].hi - lo, lo2 = k[1].lo, n2 = k[1].hi - lo2;
  int inside = 1 + (int) below (x, 6);
  switch (k[0].kind << 3 | k[1].kind)
    {
#define TWO_DATA(K, L, M, ...) case (K) << 3 | (L):			      \
      PRAGMA (omp target data map(M: p[lo:n]) map(__VA_ARGS__: q[lo2:n2])     \
	      device(d))						      \
      steps (x, depth + 1, inside);					      \
      break;
      TWO_DATA (TO, FROM, to, from)
      TWO_DATA (TOFROM, ALLOC, tofrom, alloc)
      TWO_DATA (TO, ALWAYS | TOFROM, to, always, tofrom)
    }
}

/* The counts that E refers to, each once, are or were held by a structured
   construct.  */
static void
hold (const struct entry *e, int n, int by)
{
  for (int i = 0; i < n; i++)
    {
      struct count *c = e[i].map ? e[i].map->count : NULL;
      for (int j = 0; j < i && c; j++)
	if (e[j].map && e[j].map->count == c)
	  c = NULL;
      if (!c)
	continue;
      c->structured += by;
      if (e[i].clause.kind & ALWAYS)
	c->always = true;
      if (by > 0 && c->references == 1)
	c->by_structured = true;
      else if (c->structured == 0)
	c->by_structured = c->always = false;
    }
}

static void
op_data (struct context *x, int d, int depth)
{
  static const int pairs[3][2]
    = { { TO, FROM }, { TOFROM, ALLOC }, { TO, ALWAYS | TOFROM } };
  struct clause k[2];
  struct entry e[2];
  int n = 1 + (int) below (x, 2);
  for (int i = 0; i < n; i++)
    {
      if (!pick_range (x, pick_array (x), d, &k[i]))
	return;
      zero_length (x, &k[i]);
      if (n == 2 && k[i].array == POINTERS)
	return;
    }
  bool offload = n == 2 || below (x, 8) != 0;
  const int *pair = pairs[below (x, 3)];
  if (n == 1)
    k[0].kind = pick_kind (x, &k[0], d, 7);
  else if (k[0].array == k[1].array)
    return;
  else
    k[0].kind = pair[0], k[1].kind = pair[1];
  if (offload)
    {
      model_map (d, k, n, e);
      hold (e, n, 1);
    }
  tell (offload ? "data" : "no data", d, k, n);
  if (n == 1)
    data_one (k, d, offload, x, depth);
  else
    data_two (k, d, x, depth);
  if (offload)
    {
      hold (e, n, -1);
      model_unmap (e, n);
    }
  tell ("end data", d, k, n);
}

#include "fuzz-special.h"

static void
op_present (struct context *x, int d)
{
  for (int i = 0; i < 8; i++)
    {
      int a = pick_array (x);
      long at = below (x, array[a].size);
      saw (omp_target_is_present (array[a].host + at, d) != 0,
	   model_find (d, a, at, at + 1) != NULL);
    }
}

static void
host_write (u32 *p, long lo, long hi, u32 c)
{
  for (long i = lo; i < hi; i++)
    p[i] = c + (u32) i * 5;
}

static struct access
pick_host (struct context *x, int a)
{
  struct access g = { 0, array[a].size, WRITE, (u32) below (x, 100000) };
  if (a == POINTERS)
    g.lo = MID, g.hi = SLOT_Q;
  else
    part (x, &g.lo, &g.hi);
  host_write (array[a].model.value, g.lo, g.hi, g.c);
  memset (array[a].model.known + g.lo, true, g.hi - g.lo);
  return g;
}

static void
op_host (struct context *x)
{
  int a = pick_array (x);
  struct access g = pick_host (x, a);
  host_write (array[a].host, g.lo, g.hi, g.c);
}

/* Chains of `nowait' constructs, one for each of a few arrays.  */

static void
chain_step (struct context *x, int d, char *token, u32 *r, u32 *expected)
{
  int what = (int) below (x, 6);
  struct clause k;
  struct entry e;
  if (what == 0)
    {
      struct access g = pick_host (x, x->first);
      u32 *p = array[x->first].host;
#pragma omp task depend(inout: *token) firstprivate(g, p)
      host_write (p, g.lo, g.hi, g.c);
    }
  else if (what == 1)
    op_enter (x, d, token);
  else if (what == 2)
    op_leave (x, d, token);
  else if (what == 3)
    op_update (x, d, token);
  else if (pick_range (x, x->first, d, &k))
    {
      k.kind = pick_kind (x, &k, d, 7);
      model_map (d, &k, 1, &e);
      struct access g = pick_access (x, &k, e.map);
      tell ("region later", d, &k, 1);
      *expected = model_run (k.array, e.map, g);
      model_unmap (&e, 1);
      run_later (&k, d, g, token, r);
    }
}

static void
op_chain (struct context *x)
{
  enum { LENGTH = 8 };
  char token[ARRAYS];
  u32 expected[LENGTH] = { 0 };
  u32 *r = calloc (LENGTH, sizeof *r);
  CHECK (r);
  int a[2] = { pick_array (x), pick_array (x) };
  if (a[0] == GLOBAL || a[1] == GLOBAL)
    {
      free (r);
      return;
    }
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < LENGTH; i++)
    {
      int at = a[below (x, 2)];
      struct context y = { (uint64_t) below (x, 1 << 30), at, COUNT, false };
      chain_step (&y, (int) below (x, omp_get_num_devices ()), &token[at],
		  &r[i], &expected[i]);
    }
  for (int i = 0; i < LENGTH; i++)
    saw (r[i], expected[i]);
  free (r);
}

static void
op_threads (struct context *x, int depth)
{
  uint64_t seed = (uint64_t) below (x, 1 << 30);
  if (!x->alone)
    return;
#pragma omp parallel num_threads(3)
  {
    struct context y = { seed + 1000 * omp_get_thread_num (),
			 omp_get_thread_num (), omp_get_num_threads (), false };
    steps (&y, depth + 1, 5);
  }
}

static void
one_step (struct context *x, int depth)
{
  int d = (int) below (x, omp_get_num_devices ());
  bool deep = depth >= 4;
  switch (below (x, 24))
    {
    case 0: case 1: case 2: case 3: op_region (x, d); break;
    case 4: case 5: case 6: op_regions (x, d); break;
    case 7: case 8: op_enter (x, d, NULL); break;
    case 9: case 10: op_leave (x, d, NULL); break;
    case 11: op_update (x, d, NULL); break;
    case 12: op_group (x, d, depth); break;
    case 13: op_attach (x, d); break;
    case 14: op_named (x, d); break;
    case 15: op_global (x, d); break;
    case 16: op_implicit (x, d); break;
    case 17: op_address (x, d); break;
    case 18: op_associate (x, d); break;
    case 19: op_present (x, d); op_host (x); break;
    case 20: op_map_and_use (x, d); break;
    case 21: op_chain (x); break;
    case 22: if (!deep) op_threads (x, depth); break;
    default: if (!deep) op_data (x, d, depth); break;
    }
}

static void
steps (struct context *x, int depth, int n)
{
  for (int i = 0; i < n; i++)
    {
      if (x->alone)
	step_now++;
      one_step (x, depth);
      for (int a = 0; a < COUNT; a++)
	if (owns (x, a))
	  model_check (a);
      if (verbose && x->alone)
	printf ("%ld %016llx\n", step_now, (unsigned long long) digest);
    }
}

/* Begin and end.  */

static void
set_array (int a, u32 *host, long size)
{
  array[a].host = host;
  array[a].size = size;
  array[a].model = contents_new (size);
  for (long i = 0; i < size; i++)
    {
      host[i] = (u32) (i * 7 + a);
      array[a].model.value[i] = host[i];
      array[a].model.known[i] = true;
    }
}

static void
set_up (void)
{
  static const long sizes[HEAPS] = { 1, 40, 1200, 7, 1025, 5000, 20000, 9 };
  set_array (TINY, tiny, sizeof tiny / sizeof *tiny);
  set_array (NAMED, named, sizeof named / sizeof *named);
  set_array (GROUP, (u32 *) &group, sizeof group / sizeof (u32));
  for (int i = 0; i < HEAPS; i++)
    {
      long size = sizes[i] > 100 ? sizes[i] * scale : sizes[i];
      set_array (HEAP + i, malloc (size * sizeof (u32)), size);
    }
  pointers = malloc (sizeof *pointers);
  CHECK (pointers);
  set_array (POINTERS, (u32 *) pointers, sizeof *pointers / sizeof (u32));
  pointers->p = array[P].host;
  pointers->q = array[Q].host;
  memset (array[POINTERS].model.known + SLOT_P, false, 2);
  memset (array[POINTERS].model.known + SLOT_Q, false, 2);
  set_array (GLOBAL, global, sizeof global / sizeof *global);
  for (int d = 0; d < omp_get_num_devices (); d++)
    {
      struct map *m = model_new (d, GLOBAL, 0, array[GLOBAL].size);
      m->count->references = FOREVER;
      model_copy_in (m, 0, array[GLOBAL].size);
#pragma omp target update to(global) device(d)
    }
}

static void
unmap_all (int d, int a)
{
  struct map *list[128];
  int n = model_maps (d, a, list, 128);
  for (int i = 0; i < n; i++)
    {
      u32 *p = array[a].host + list[i]->lo;
      long size = list[i]->hi - list[i]->lo;
      if (list[i]->own)
	{
	  saw (omp_target_disassociate_ptr (p, d), 0);
	  omp_target_free (list[i]->own, d);
	}
      else
	{
#pragma omp target exit data map(delete: p[:size]) device(d)
	}
      saw (omp_target_is_present (p, d) != 0, a == GLOBAL);
    }
  present[d][a] = NULL;
}

static int
run_seed (uint64_t seed, int n)
{
  struct context x = { seed, 0, 1, true };
  seed_now = seed;
  step_now = 0;
  set_up ();
  steps (&x, 0, n);
  for (int d = 0; d < omp_get_num_devices (); d++)
    for (int a = 0; a < COUNT; a++)
      unmap_all (d, a);
  for (int a = 0; a < COUNT; a++)
    {
      model_check (a);
      free (array[a].model.value);
      free (array[a].model.known);
    }
  for (int i = 0; i < HEAPS; i++)
    free (array[HEAP + i].host);
  free (pointers);
  return 0;
}
