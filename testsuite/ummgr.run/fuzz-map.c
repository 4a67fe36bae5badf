/* Mappings that differ from OpenMP's in any of a thousand small ways: random
   data constructs against a model of the present table.  fuzz-map SEED STEPS
   SCALE prints what the program saw, step by step.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */
/* { dg-ummgr-env "UMMGR_GPUS=2" } */

#include "fuzz-model.h"

/* The arrays.  Those in the struct of pointers are among the heap ones.  */
static u32 tiny[3], named[900];
#pragma omp declare target
static u32 global[700];
#pragma omp end declare target
static struct group { u32 a[64], gap[8], b[6000], c[16]; } group;
struct pointers { u32 pre[40]; u32 *p; u32 mid[3000]; u32 *q; u32 post[10]; };
static struct pointers *pointers;

enum { TINY, NAMED, GROUP, POINTERS, HEAP, HEAPS = 8, P = HEAP + 1,
       Q = HEAP + 2, GLOBAL = HEAP + HEAPS, COUNT };
enum { SLOT_P = 40, SLOT_Q = 40 + 2 + 3000, MID = 42 };
enum { RESULTS = 64 };

static u32 *result;		/* Each element a mapping of its own.  */
static long scale = 1;

/* A thread's part of the arrays.  */
struct context
{
  uint64_t random;
  int first, step;		/* FIRST, FIRST + STEP, ...  */
  /* The main thread, with all of them.  Others have no part in GLOBAL: on the
     simulated GPU a region that uses it changes the host's while it runs.  */
  bool alone;
};

#pragma omp declare target
static u32
kernel (u32 *p, long lo, long hi, int mode, u32 c)
{
  u32 sum = 0;
  for (long i = lo; i < hi; i++)
    {
      if (mode & READ)
	sum = sum * 31 + p[i];
      if (mode & WRITE)
	p[i] = (mode & READ ? p[i] * 3 : 0) + c * 7 + (u32) i;
    }
  return sum;
}
#pragma omp end declare target

static long
below (struct context *x, long n)
{
  uint64_t z = (x->random += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return n > 0 ? (long) ((z ^ z >> 31) % (uint64_t) n) : 0;
}

static int
pick_array (struct context *x)
{
  int n = (COUNT - !x->alone - x->first + x->step - 1) / x->step;
  return x->first + x->step * (int) below (x, n);
}

/* The constructs, by kind.  */

#define PRAGMA(X) _Pragma (#X)
#define KINDS(DO)							      \
  DO (ALLOC, alloc) DO (TO, to) DO (FROM, from) DO (TOFROM, tofrom)	      \
  DO (ALWAYS | TO, always, to) DO (ALWAYS | FROM, always, from)		      \
  DO (ALWAYS | TOFROM, always, tofrom)

static u32
run_one (const struct clause *k, int d, bool offload, struct access g)
{
  u32 sum = 0, *p = array[k->array].host;
  long lo = k->lo, n = k->hi - k->lo;
  switch (k->kind)
    {
#define DO(K, ...) case K:						      \
      PRAGMA (omp target map(__VA_ARGS__: p[lo:n]) map(tofrom: sum)	      \
	      device(d) if(offload))					      \
      sum = kernel (p, g.lo, g.hi, g.mode, g.c);			      \
      break;
      KINDS (DO)
#undef DO
    }
  return sum;
}

static void
run_later (const struct clause *k, int d, struct access g, char *token,
	   u32 *r)
{
  u32 *p = array[k->array].host;
  long lo = k->lo, n = k->hi - k->lo;
  switch (k->kind)
    {
#define DO(K, ...) case K:						      \
      PRAGMA (omp target map(__VA_ARGS__: p[lo:n]) map(from: r[:1]) device(d) \
	      depend(inout: *token) nowait)				      \
      r[0] = kernel (p, g.lo, g.hi, g.mode, g.c);			      \
      break;
      KINDS (DO)
#undef DO
    }
}

static u32
run_two (const struct clause *k, int d, const struct access *g)
{
  u32 sum = 0, *p = array[k[0].array].host, *q = array[k[1].array].host;
  long lo = k[0].lo, n = k[0].hi - lo, lo2 = k[1].lo, n2 = k[1].hi - lo2;
  struct access g0 = g[0], g1 = g[1];
  switch (k[0].kind << 3 | k[1].kind)
    {
#define TWO(K, L, M, N) case (K) << 3 | (L):				      \
      PRAGMA (omp target map(M: p[lo:n]) map(N: q[lo2:n2])		      \
	      map(tofrom: sum) device(d))				      \
      {								      \
	sum = kernel (p, g0.lo, g0.hi, g0.mode, g0.c);			      \
	sum = sum * 5 + kernel (q, g1.lo, g1.hi, g1.mode, g1.c);	      \
      }									      \
      break;
#define ROW(K, M)							      \
      TWO (K, ALLOC, M, alloc) TWO (K, TO, M, to) TWO (K, FROM, M, from)      \
      TWO (K, TOFROM, M, tofrom)
      ROW (ALLOC, alloc)
      ROW (TO, to)
      ROW (FROM, from)
      ROW (TOFROM, tofrom)
    }
  return sum;
}

static u32
run_four (const struct clause *k, int d, const struct access *g)
{
  u32 sum = 0;
  u32 *p = array[k[0].array].host, *q = array[k[1].array].host,
    *r = array[k[2].array].host, *s = array[k[3].array].host;
  long lo = k[0].lo, n = k[0].hi - lo, lo1 = k[1].lo, n1 = k[1].hi - lo1,
    lo2 = k[2].lo, n2 = k[2].hi - lo2, lo3 = k[3].lo, n3 = k[3].hi - lo3;
  struct access g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3];
#pragma omp target map(to: p[lo:n]) map(from: q[lo1:n1]) device(d) \
  map(tofrom: r[lo2:n2]) map(alloc: s[lo3:n3]) map(tofrom: sum)
  {
    sum = kernel (p, g0.lo, g0.hi, g0.mode, g0.c);
    sum = sum * 5 + kernel (q, g1.lo, g1.hi, g1.mode, g1.c);
    sum = sum * 5 + kernel (r, g2.lo, g2.hi, g2.mode, g2.c);
    sum = sum * 5 + kernel (s, g3.lo, g3.hi, g3.mode, g3.c);
  }
  return sum;
}

/* `enter data', `exit data' and `target update' of one array; LATER with
   `nowait' and a dependence.  */

#define BOTH(X)								      \
  if (!token)								      \
    {									      \
      PRAGMA (omp target X device(d) if(offload))			      \
    }									      \
  else									      \
    {									      \
      PRAGMA (omp target X device(d) depend(inout: *token) nowait)	      \
    }									      \
  break;

static void
enter (const struct clause *k, int d, bool offload, char *token)
{
  u32 *p = array[k->array].host;
  long lo = k->lo, n = k->hi - k->lo;
  switch (k->kind)
    {
    case ALLOC: BOTH (enter data map(alloc: p[lo:n]))
    case TO: BOTH (enter data map(to: p[lo:n]))
    case ALWAYS | TO: BOTH (enter data map(always, to: p[lo:n]))
    }
}

static void
leave (const struct clause *k, int d, bool offload, char *token)
{
  u32 *p = array[k->array].host;
  long lo = k->lo, n = k->hi - k->lo;
  switch (k->kind)
    {
    case FROM: BOTH (exit data map(from: p[lo:n]))
    case ALWAYS | FROM: BOTH (exit data map(always, from: p[lo:n]))
    case RELEASE: BOTH (exit data map(release: p[lo:n]))
    case DELETE: BOTH (exit data map(delete: p[lo:n]))
    }
}

static void
update (const struct clause *k, int d, bool offload, char *token)
{
  u32 *p = array[k->array].host;
  long lo = k->lo, n = k->hi - k->lo;
  switch (k->kind)
    {
    case TO: BOTH (update to(p[lo:n]))
    case FROM: BOTH (update from(p[lo:n]))
    }
}

/* What to do, within what libgomp allows.  */

static bool
touches_slot (long lo, long hi)
{
  return (lo < SLOT_P + 2 && hi > SLOT_P) || (lo < SLOT_Q + 2 && hi > SLOT_Q);
}

/* A part of [LO, HI), often all of it.  */
static void
part (struct context *x, long *lo, long *hi)
{
  if (*lo == *hi || below (x, 3) == 0)
    return;
  long n = *hi - *lo, a = below (x, n), b = 1 + below (x, n - a);
  *lo += a;
  *hi = *lo + b;
}

/* A range of array A that is in one mapping of device D, or in none.  False
   if none was found.  */
static bool
pick_range (struct context *x, int a, int d, struct clause *k)
{
  struct map *list[64];
  int n = model_maps (d, a, list, 64);
  k->array = a;
  k->lo = 0;
  k->hi = array[a].size;
  if (a == POINTERS)
    {
      if (n && below (x, 2))
	{
	  k->lo = MID + 2 * below (x, 700);
	  k->hi = k->lo + 2 + 2 * below (x, 700);
	}
      return true;
    }
  if (n && (below (x, 10) < 7 || list[0]->count->members > 1))
    {
      const struct map *m = list[below (x, n)];
      k->lo = m->lo;
      k->hi = m->hi;
      part (x, &k->lo, &k->hi);
      return true;
    }
  if (n > 20)
    return false;
  long at = below (x, array[a].size);
  for (int i = 0; i < n; i++)
    {
      if (list[i]->lo <= at && at < list[i]->hi)
	return false;
      if (list[i]->hi <= at && list[i]->hi > k->lo)
	k->lo = list[i]->hi;
      if (list[i]->lo > at && list[i]->lo < k->hi)
	k->hi = list[i]->lo;
    }
  part (x, &k->lo, &k->hi);
  return true;
}

/* The kind of a structured map of K, which may be of the struct of pointers:
   a pointer that is attached or never set must not be copied back.  */
static int
pick_kind (struct context *x, const struct clause *k, int d, int kinds)
{
  static const int all[] = { TOFROM, FROM, TO, ALLOC, ALWAYS | TO,
			     ALWAYS | FROM, ALWAYS | TOFROM };
  int kind = all[below (x, kinds)];
  if (k->array == POINTERS && touches_slot (k->lo, k->hi))
    {
      const struct map *m = model_find (d, POINTERS, k->lo, k->hi);
      kind = below (x, 2) ? TO : TOFROM;
      if (m && m->attached[0] + m->attached[1])
	kind = TO;
    }
  return kind;
}

/* Where a region works in what K maps, after it is mapped.  */
static struct access
pick_access (struct context *x, const struct clause *k, const struct map *m)
{
  struct access g = { k->lo, k->hi, 0, (u32) below (x, 1000) };
  if (k->array == POINTERS && touches_slot (g.lo, g.hi))
    {
      g.lo = MID + below (x, 1000);
      g.hi = g.lo + below (x, 1000);
    }
  if (below (x, 4) == 0)
    part (x, &g.lo, &g.hi);
  if (g.lo < g.hi)
    g.mode = model_defined (k->array, m, g.lo, g.hi)
      ? 1 + (int) below (x, 3) : WRITE;
  return g;
}

static void
zero_length (struct context *x, struct clause *k)
{
  if (below (x, 12) == 0 && k->array != POINTERS)
    k->hi = k->lo;
}

static void
op_region (struct context *x, int d)
{
  struct clause k;
  struct entry e;
  if (!pick_range (x, pick_array (x), d, &k))
    return;
  zero_length (x, &k);
  k.kind = pick_kind (x, &k, d, 7);
  bool offload = below (x, 8) != 0;
  tell (offload ? "region" : "host", d, &k, 1);
  struct access g;
  u32 expected;
  if (offload)
    {
      model_map (d, &k, 1, &e);
      g = pick_access (x, &k, e.map);
      expected = model_run (k.array, e.map, g);
      model_unmap (&e, 1);
    }
  else
    {
      g = pick_access (x, &k, NULL);
      expected = model_run (k.array, NULL, g);
    }
  saw (run_one (&k, d, offload, g), expected);
}

static void
op_regions (struct context *x, int d)
{
  static const int four[4] = { TO, FROM, TOFROM, ALLOC };
  struct clause k[4];
  struct entry e[4];
  struct access g[4];
  int n = below (x, 3) ? 2 : 4;
  for (int i = 0; i < n; i++)
    {
      int a = i > 0 && below (x, 3) == 0 ? k[i - 1].array : pick_array (x);
      if (!pick_range (x, a, d, &k[i]))
	return;
      zero_length (x, &k[i]);
      k[i].kind = n == 4 ? four[i] : pick_kind (x, &k[i], d, 4);
      if (n == 4 && a == POINTERS)
	return;
      for (int j = 0; j < i; j++)
	if (k[j].array == a && k[i].lo < k[i].hi && k[j].lo < k[j].hi)
	  {
	    /* Both in one mapping, or apart: clauses have no order.  */
	    struct map *m = model_find (d, a, k[i].lo, k[i].hi);
	    bool apart = k[i].hi <= k[j].lo || k[j].hi <= k[i].lo;
	    if (!m && !apart)
	      return;
	  }
    }
  tell ("regions", d, k, n);
  model_map (d, k, n, e);
  u32 expected = 0;
  for (int i = 0; i < n; i++)
    {
      g[i] = pick_access (x, &k[i], e[i].map);
      if (k[i].lo == k[i].hi)
	g[i].hi = g[i].lo, g[i].mode = 0;
      expected = expected * 5 + model_run (k[i].array, e[i].map, g[i]);
    }
  model_unmap (e, n);
  saw (n == 2 ? run_two (k, d, g) : run_four (k, d, g), expected);
}

static void
op_enter (struct context *x, int d, char *token)
{
  static const int kinds[] = { TO, TO, ALLOC, ALWAYS | TO };
  struct clause k;
  struct entry e;
  if (!pick_range (x, pick_array (x), d, &k))
    return;
  zero_length (x, &k);
  k.kind = k.array == POINTERS ? TO : kinds[below (x, 4)];
  bool offload = token || below (x, 8) != 0;
  if (offload)
    model_map (d, &k, 1, &e);
  tell (offload ? token ? "enter later" : "enter" : "no enter", d, &k, 1);
  enter (&k, d, offload, token);
}

/* More ends of dynamic mappings than beginnings would pull what structured
   constructs hold from under libgomp.  */
static bool
may_leave (const struct clause *k, int d)
{
  const struct map *m = model_find (d, k->array, k->lo, k->hi);
  if (!m || m->count->references == FOREVER)
    return true;
  if (k->kind == DELETE)
    return m->count->structured == 0
      || (m->count->structured == 1 && m->count->by_structured
	  && !m->count->always);
  return m->count->references > m->count->structured;
}

static void
op_leave (struct context *x, int d, char *token)
{
  static const int kinds[] = { FROM, FROM, RELEASE, DELETE, ALWAYS | FROM };
  struct clause k;
  if (!pick_range (x, pick_array (x), d, &k))
    return;
  zero_length (x, &k);
  k.kind = kinds[below (x, k.array == POINTERS ? 4 : 5)];
  if (!may_leave (&k, d))
    return;
  bool offload = token || below (x, 8) != 0;
  if (offload)
    model_leave (d, &k, 1);
  tell (offload ? token ? "leave later" : "leave" : "no leave", d, &k, 1);
  leave (&k, d, offload, token);
}

static void
op_update (struct context *x, int d, char *token)
{
  struct clause k;
  if (!pick_range (x, pick_array (x), d, &k))
    return;
  k.kind = below (x, 2) ? TO : FROM;
  bool offload = token || below (x, 8) != 0;
  struct map *m = model_find (d, k.array, k.lo, k.hi);
  /* There libgomp 12 counts a pointer's place from the section's begin.  */
  if (m && m->attachments && k.lo)
    return;
  if (m && offload && k.kind == TO)
    model_copy_in (m, k.lo, k.hi);
  else if (m && offload)
    model_copy_out (m, k.lo, k.hi);
  tell (offload ? token ? "update later" : "update" : "no update", d, &k, 1);
  update (&k, d, offload, token);
}

#include "fuzz-ops.h"

int
main (int argc, char **argv)
{
  if (argc > 3)
    scale = atol (argv[3]);
  if (argc > 2)
    {
      verbose = true;
      return run_seed (strtoull (argv[1], NULL, 0), atoi (argv[2]));
    }
  for (uint64_t seed = 1; seed <= 20; seed++)
    run_seed (seed, 60);
  return 0;
}
