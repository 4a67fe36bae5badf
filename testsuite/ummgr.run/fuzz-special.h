/* Structs, pointers and device addresses, for fuzz-map.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

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
