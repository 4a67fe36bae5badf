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

/* Members of a struct, which libgomp maps as one where none of it is.  */

static void
group_clause (struct clause *k, int kind)
{
  static const long lo[] = { 0, 72, 6072 }, hi[] = { 64, 6072, 6088 };
  for (int i = 0; i < 3; i++)
    k[i] = (struct clause) { GROUP, lo[i], hi[i], kind };
}

static void
model_map_group (int d, int kind, struct entry *e)
{
  struct clause k[3];
  struct map *m[3];
  group_clause (k, kind);
  bool new = !present[d][GROUP];
  model_map (d, k, 3, e);
  for (int i = 0; i < 3; i++)
    m[i] = e[i].map;
  if (!new)
    return;
  m[0]->count->members = 3;
  m[1]->count = m[2]->count = m[0]->count;
}

static void
group_dynamic (struct context *x, int d)
{
  struct clause k[3];
  struct entry e[3];
  switch (below (x, 7))
    {
    case 0:
      model_map_group (d, TO, e);
#pragma omp target enter data map(to: group.a, group.b, group.c) device(d)
      return;
    case 1:
      model_map_group (d, ALLOC, e);
#pragma omp target enter data map(alloc: group.a, group.b, group.c) device(d)
      return;
    case 2:
      group_clause (k, DELETE);
      if (may_leave (&k[0], d))
	{
	  model_leave (d, k, 3);
#pragma omp target exit data map(delete: group.a, group.b, group.c) device(d)
	}
      return;
    case 3:
      group_clause (k, FROM);
      if (may_leave (&k[0], d))
	{
	  model_leave (d, k + 1, 1);
#pragma omp target exit data map(from: group.b) device(d)
	}
      return;
    default:
      group_clause (k, FROM);
      k[1].kind = RELEASE;
      if (may_leave (&k[0], d))
	{
	  model_leave (d, k, 3);
#pragma omp target exit data map(from: group.a) map(release: group.b) \
  map(from: group.c) device(d)
	}
    }
}

static void
op_group (struct context *x, int d, int depth)
{
  struct map *list[64];
  struct entry e[3];
  int n = model_maps (d, GROUP, list, 64);
  if (!owns (x, GROUP)
      || (n && list[0]->count->members == 1
	  && list[0]->hi - list[0]->lo != array[GROUP].size))
    return;
  struct clause whole = { GROUP, 0, array[GROUP].size, 0 };
  tell ("group", d, &whole, 1);
  if (below (x, 2))
    {
      group_dynamic (x, d);
      return;
    }
  model_map_group (d, TOFROM, e);
  if (depth < 3 && below (x, 3) == 0)
    {
      hold (e, 3, 1);
#pragma omp target data map(tofrom: group.a, group.b, group.c) device(d)
      steps (x, depth + 1, 3);
      hold (e, 3, -1);
      model_unmap (e, 3);
      return;
    }
  struct clause k = e[1].clause;
  struct access g = pick_access (x, &k, e[1].map);
  u32 sum = 0, expected = model_run (GROUP, e[1].map, g);
  long from = g.lo - 72, to = g.hi - 72;
  u32 off = g.c * 7 + 72;
  model_unmap (e, 3);
#pragma omp target map(tofrom: group.a, group.b, group.c) map(tofrom: sum) \
  device(d)
  for (long i = from; i < to; i++)
    {
      if (g.mode & READ)
	sum = sum * 31 + group.b[i];
      if (g.mode & WRITE)
	group.b[i] = (g.mode & READ ? group.b[i] * 3 : 0) + off + (u32) i;
    }
  saw (sum, expected);
}

/* Pointers in a struct that is mapped, attached and detached.  */

static void
attach_region (struct context *x, int d, int which, struct clause k,
	       struct map *holder)
{
  struct entry e;
  holder->attachments = true;
  k.kind = TOFROM;
  tell (which ? "attach q" : "attach p", d, &k, 1);
  model_map (d, &k, 1, &e);
  struct map *target = holder->attached[which] ? holder->target[which]
    : e.map;
  struct access g = pick_access (x, &k, e.map);
  if (target != e.map)
    g.hi = g.lo;
  u32 sum = 0, expected = model_run (k.array, e.map, g);
  model_unmap (&e, 1);
  struct pointers *t = pointers;
  long lo = k.lo, n = k.hi - k.lo;
  if (which == 0)
#pragma omp target map(tofrom: t->p[lo:n]) map(tofrom: sum) device(d)
    sum = kernel (g.lo < g.hi ? t->p : NULL, g.lo, g.hi, g.mode, g.c);
  else
#pragma omp target map(tofrom: t->q[lo:n]) map(tofrom: sum) device(d)
    sum = kernel (g.lo < g.hi ? t->q : NULL, g.lo, g.hi, g.mode, g.c);
  saw (sum, expected);
}

static void
op_attach (struct context *x, int d)
{
  int which = (int) below (x, 2);
  struct map *holder = model_find (d, POINTERS, 0, array[POINTERS].size);
  struct clause k;
  struct entry e;
  if (!x->alone || !holder || !pick_range (x, which ? Q : P, d, &k))
    return;
  struct pointers *t = pointers;
  long lo = k.lo, n = k.hi - k.lo;
  k.kind = TO;
  if (below (x, 2))
    attach_region (x, d, which, k, holder);
  else if (below (x, 2) && holder->count->structured == 0)
    {
      holder->attachments = true;
      tell (which ? "enter q" : "enter p", d, &k, 1);
      model_map (d, &k, 1, &e);
      if (holder->attached[which]++ == 0)
	holder->target[which] = e.map;
      if (which == 0)
	{
#pragma omp target enter data map(to: t->p[lo:n]) device(d)
	}
      else
	{
#pragma omp target enter data map(to: t->q[lo:n]) device(d)
	}
    }
  else if (holder->attached[which])
    {
      k.kind = FROM;
      if (!may_leave (&k, d))
	return;
      tell (which ? "leave q" : "leave p", d, &k, 1);
      holder->attached[which]--;
      model_leave (d, &k, 1);
      if (which == 0)
	{
#pragma omp target exit data map(from: t->p[lo:n]) device(d)
	}
      else
	{
#pragma omp target exit data map(from: t->q[lo:n]) device(d)
	}
    }
}

/* A variable that the region names without mapping it.  */
static void
op_named (struct context *x, int d)
{
  struct map *list[64];
  struct clause k = { NAMED, 0, array[NAMED].size, TOFROM };
  struct entry e;
  int n = model_maps (d, NAMED, list, 64);
  /* The simulated GPU would take an address before the mapping's begin for
     that of what is there.  */
  if (!owns (x, NAMED) || n > 1 || (n && list[0]->lo))
    return;
  if (n)
    k.hi = list[0]->hi;
  tell ("named", d, &k, 1);
  model_map (d, &k, 1, &e);
  struct access g = pick_access (x, &k, e.map);
  u32 sum = 0, expected = model_run (NAMED, e.map, g);
  model_unmap (&e, 1);
#pragma omp target map(tofrom: sum) device(d)
  sum = kernel (named, g.lo, g.hi, g.mode, g.c);
  saw (sum, expected);
}

static void
op_global (struct context *x, int d)
{
  struct clause k = { GLOBAL, 0, array[GLOBAL].size, ALLOC };
  struct entry e;
  if (!owns (x, GLOBAL))
    return;
  model_map (d, &k, 1, &e);
  struct access g = pick_access (x, &k, e.map);
  u32 sum = 0, expected = model_run (GLOBAL, e.map, g);
#pragma omp target map(tofrom: sum) device(d)
  sum = kernel (global, g.lo, g.hi, g.mode, g.c);
  saw (sum, expected);
}

/* A pointer to what is present already, with no clause for it.  */
static void
op_implicit (struct context *x, int d)
{
  struct clause k;
  if (!pick_range (x, pick_array (x), d, &k))
    return;
  struct map *m = model_find (d, k.array, k.lo, k.hi);
  if (!m)
    return;
  tell ("implicit", d, &k, 1);
  struct access g = pick_access (x, &k, m);
  u32 sum = 0, expected = model_run (k.array, m, g);
  u32 *p = array[k.array].host + k.lo;
  long lo = g.lo - k.lo, n = g.hi - g.lo;
  u32 off = (u32) k.lo + g.c * 7;
#pragma omp target map(tofrom: sum) device(d)
  for (long i = lo; i < lo + n; i++)
    {
      if (g.mode & READ)
	sum = sum * 31 + p[i];
      if (g.mode & WRITE)
	p[i] = (g.mode & READ ? p[i] * 3 : 0) + off + (u32) i;
    }
  saw (sum, expected);
}

/* Device addresses: they must hold as long as the mapping does.  */

static char *
device_address (u32 *host, int d)
{
  char *found;
  if (host == named)
#pragma omp target data use_device_addr(named) device(d)
    found = (char *) named;
  else
#pragma omp target data use_device_ptr(host) device(d)
    found = (char *) host;
  return found;
}

static void
op_address (struct context *x, int d)
{
  struct clause k;
  if (!pick_range (x, pick_array (x), d, &k))
    return;
  struct map *m = model_find (d, k.array, k.lo, k.hi);
  if (!m)
    return;
  tell ("address", d, &k, 1);
  if (!m->address || below (x, 2))
    {
      char *base = device_address (array[k.array].host + k.lo, d)
	- (k.lo - m->lo) * (long) sizeof (u32);
      saw (m->address && base != m->address, 0);
      m->address = base;
    }
  struct access g = pick_access (x, &k, m);
  long n = g.hi - g.lo;
  size_t at = (g.lo - m->lo) * sizeof (u32);
  int host = omp_get_initial_device ();
  if (n <= 0)
    return;
  if (below (x, 3) == 0)
    {
      u32 *p = (u32 *) m->address;
      u32 sum = 0, expected = model_run (k.array, m, g);
      long lo = g.lo - m->lo, shift = m->lo;
#pragma omp target is_device_ptr(p) map(tofrom: sum) device(d)
      for (long i = lo; i < lo + n; i++)
	{
	  if (g.mode & READ)
	    sum = sum * 31 + p[i];
	  if (g.mode & WRITE)
	    p[i] = (g.mode & READ ? p[i] * 3 : 0) + g.c * 7 + (u32) (i + shift);
	}
      saw (sum, expected);
    }
  else if (below (x, 2))
    {
      model_copy_in (m, g.lo, g.hi);
      saw (omp_target_memcpy (m->address, array[k.array].host,
			      n * sizeof (u32), at, g.lo * sizeof (u32), d,
			      host), 0);
    }
  else
    {
      model_copy_out (m, g.lo, g.hi);
      saw (omp_target_memcpy (array[k.array].host, m->address,
			      n * sizeof (u32), g.lo * sizeof (u32), at, host,
			      d), 0);
    }
}

/* `target data' that maps and translates at once.  */
static void
op_map_and_use (struct context *x, int d)
{
  struct clause k;
  struct entry e;
  if (!pick_range (x, pick_array (x), d, &k) || k.array == POINTERS)
    return;
  k.kind = TOFROM;
  tell ("map and use", d, &k, 1);
  model_map (d, &k, 1, &e);
  struct access g = pick_access (x, &k, e.map);
  u32 sum = 0, expected = model_run (k.array, e.map, g);
  model_unmap (&e, 1);
  u32 *p = array[k.array].host + k.lo;
  long n = k.hi - k.lo, lo = g.lo - k.lo, hi = g.hi - k.lo;
  g.c = g.c * 7 + (u32) k.lo;
#pragma omp target data map(tofrom: p[:n]) use_device_ptr(p) device(d)
  {
#pragma omp target is_device_ptr(p) map(tofrom: sum) device(d)
    for (long i = lo; i < hi; i++)
      {
	if (g.mode & READ)
	  sum = sum * 31 + p[i];
	if (g.mode & WRITE)
	  p[i] = (g.mode & READ ? p[i] * 3 : 0) + g.c + (u32) i;
      }
  }
  saw (sum, expected);
}

/* The program's own associations, and such as must be refused.  */
static void
op_associate (struct context *x, int d)
{
  struct clause k;
  if (!pick_range (x, pick_array (x), d, &k) || k.array == POINTERS
      || k.array == GLOBAL)
    return;
  struct map *m = model_find (d, k.array, k.lo, k.hi);
  const struct array *a = &array[k.array];
  tell ("associate", d, &k, 1);
  if (m && m->own)
    {
      if (m->count->structured)
	return;
      saw (omp_target_disassociate_ptr (a->host + m->lo, d), 0);
      omp_target_free (m->own, d);
      model_remove (d, m);
      return;
    }
  if (m && below (x, 2))
    {
      saw (omp_target_disassociate_ptr (a->host + m->lo, d) != 0, 1);
      return;
    }
  size_t size = (k.hi - k.lo) * sizeof (u32);
  char *own = omp_target_alloc (size + 64, d);
  CHECK (own);
  saw (omp_target_associate_ptr (a->host + k.lo, own, size, 64, d) != 0, !!m);
  if (m)
    {
      omp_target_free (own, d);
      return;
    }
  m = model_new (d, k.array, k.lo, k.hi);
  m->count->references = FOREVER;
  m->own = own;
}

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
