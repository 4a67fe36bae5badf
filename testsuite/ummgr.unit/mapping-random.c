/* Random constructs against a slow model of OpenMP's mappings, byte by byte, under
   every policy that places: a count, a copy, a place, a move or an association that
   is wrong shows in the step that makes it wrong; what the recorder is told is held
   against the same (fake-record.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "gomp/abi.h"
#include "memory/mapping.h"
#include "memory/unified.h"

#include <math.h>

/* Some objects are so small that they share pages.  */
enum { BYTES = 60000, COPIES = 12, SIZE = 7000, CLAUSES = 12, DEPTH = 4, SHARED = 3 };

/* What is mapped: bytes LO to LO + SIZE of the host's, and what the device's
   copy holds.  */
struct copy
{
  int id;			/* 0: none.  */
  int lo, size;
  unsigned count;
  unsigned running;		/* Open regions that use it.  */
  bool fixed;			/* Its address is known to the program.  */
  uintptr_t at;
  unsigned char byte[SIZE];
  bool known[SIZE];
};

/* Clause I of a construct is in COPY, which had ID, from LO on.  */
struct part
{
  struct copy *copy;
  int id, lo, size;
  bool from, always;
};

struct construct
{
  bool region;
  struct ummgr_mapping mapping;
  struct ummgr_region_view view;
  struct ummgr_hint hints[CLAUSES];
  int count, parts;
  struct part part[CLAUSES];
  void *addresses[CLAUSES];
  size_t sizes[CLAUSES];
  unsigned short kinds[CLAUSES];
};

/* Memory with one address.  */
struct shared
{
  unsigned char *base, byte[SIZE];
  int size;
  unsigned running;
  bool used;
};

static unsigned char data[BYTES], want[BYTES];
static struct copy copies[COPIES];
static struct shared shared[SHARED];
static struct construct open[DEPTH];
static int depth, last_id;
static struct ummgr_manager *m;
static uint64_t state;
static unsigned sequence;

static unsigned
rnd (unsigned n)
{
  state = state * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return (unsigned) (state >> 33) % n;
}

/* --- the model -------------------------------------------------------------- */

static struct copy *
copy_over (int lo, int size)
{
  for (int i = 0; i < COPIES; i++)
    if (copies[i].id && lo < copies[i].lo + copies[i].size
	&& copies[i].lo < lo + size)
      return &copies[i];
  return NULL;
}

static void
model_in (struct copy *c, int lo, int size)
{
  for (int i = lo; i < lo + size; i++)
    {
      c->byte[i] = want[c->lo + i];
      c->known[i] = true;
    }
}

/* What nobody has written there may be anything.  */
static void
model_out (const struct copy *c, int lo, int size)
{
  for (int i = lo; i < lo + size; i++)
    want[c->lo + i] = c->known[i] ? c->byte[i] : data[c->lo + i];
}

static struct copy *
model_make (int lo, int size, int kind)
{
  int i = 0;
  while (i < COPIES && copies[i].id)
    i++;
  if (i == COPIES)
    return NULL;
  copies[i] = (struct copy) { .id = ++last_id, .lo = lo, .size = size };
  if (kind & UMMGR_MAP_TO)
    model_in (&copies[i], 0, size);
  return &copies[i];
}

/* Of several clauses of one construct the first counts.  */
static bool
first_part (const struct construct *k, int i)
{
  for (int j = 0; j < i; j++)
    if (k->part[j].copy == k->part[i].copy && k->part[j].id == k->part[i].id)
      return false;
  return true;
}

/* The construct's end, or an `exit data' (DELETES: those that end all).  What the
   construct brings to zero goes, copied where a clause asks for it.  */
static void
model_end (const struct construct *k, unsigned deletes)
{
  bool zero[CLAUSES] = { false };
  for (int i = 0; i < k->parts; i++)
    {
      const struct part *p = &k->part[i];
      struct copy *c = p->copy;
      if (c->id != p->id)
	continue;
      if (first_part (k, i))
	{
	  c->count = deletes >> i & 1 ? 0 : c->count - 1;
	  zero[i] = c->count == 0;
	}
      else
	for (int j = 0; j < i; j++)
	  zero[i] |= zero[j] && k->part[j].copy == c;
      if (p->always || (zero[i] && p->from))
	model_out (c, p->lo, p->size);
    }
  for (int i = 0; i < k->parts; i++)
    if (zero[i])
      k->part[i].copy->id = 0;
}

/* --- clauses ---------------------------------------------------------------- */

static void
clause (struct construct *k, void *address, size_t size, int kind)
{
  k->addresses[k->count] = address;
  k->sizes[k->count] = size;
  k->kinds[k->count++] = kind;
}

static void
add_part (struct construct *k, struct copy *c, int lo, int size, int kind)
{
  k->part[k->parts++]
    = (struct part) { c, c->id, lo, size, kind & UMMGR_MAP_FROM, false };
  if (first_part (k, k->parts - 1))
    c->count++;
}

/* A live one, or NULL.  */
static struct copy *
pick (void)
{
  struct copy *c = &copies[rnd (COPIES)];
  return c->id ? c : NULL;
}

/* A clause for a part of what is mapped, all of it, or something new.  */
static void
add_clause (struct construct *k, bool may_always)
{
  int kind = rnd (4), lo, size;
  struct copy *c = rnd (3) ? pick () : NULL;
  if (c)
    {
      lo = rnd (c->size);
      size = 1 + rnd (c->size - lo);
      if (rnd (3) == 0)
	lo = 0, size = c->size;
      /* An implicit map may be around it.  */
      int before = rnd (4), after = rnd (4);
      if (rnd (8) == 0 && c->lo >= before && c->lo + c->size + after <= BYTES
	  && (!before || !copy_over (c->lo - before, before))
	  && (!after || !copy_over (c->lo + c->size, after)))
	{
	  clause (k, data + c->lo - before, before + c->size + after,
		  kind | UMMGR_MAP_IMPLICIT);
	  add_part (k, c, 0, c->size, kind);
	  return;
	}
    }
  else
    {
      size = 1 + rnd (SIZE);
      int at = rnd (BYTES - size);
      if (copy_over (at, size) || !(c = model_make (at, size, kind)))
	return;
      lo = 0;
    }
  bool always = may_always && !c->fixed && rnd (6) == 0 && kind;
  clause (k, data + c->lo + lo, size,
	  always ? kind | (UMMGR_MAP_ALWAYS_TO ^ UMMGR_MAP_TO) : kind);
  add_part (k, c, lo, size, kind);
  if (always && (kind & UMMGR_MAP_TO))
    model_in (c, lo, size);
  k->part[k->parts - 1].always = always && (kind & UMMGR_MAP_FROM);
}

/* A section of no bytes counts where it is in something, and makes nothing.  */
static void
add_zero_length (struct construct *k)
{
  int at = rnd (BYTES);
  struct copy *c = copy_over (at, 1);
  clause (k, data + at, 0, UMMGR_MAP_ZERO_LEN_ARRAY_SECTION);
  if (c)
    add_part (k, c, at - c->lo, 0, UMMGR_MAP_ALLOC);
}

static void
add_shared (struct construct *k)
{
  struct shared *s = &shared[rnd (SHARED)];
  if (!s->base)
    return;
  int lo = rnd (s->size);
  clause (k, s->base + lo, 1 + rnd (s->size - lo), rnd (4));
  s->used = true;
}

static void
add_clauses (struct construct *k, bool may_always)
{
  k->count = k->parts = 0;
  for (int i = rnd (CLAUSES - 3); i >= 0; i--)
    add_clause (k, may_always);
  if (k->region || !may_always)
    add_zero_length (k);
  add_shared (k);
}

static struct ummgr_clauses
clauses_of (struct construct *k)
{
  return (struct ummgr_clauses) { k->count, k->addresses, k->sizes, k->kinds };
}

/* --- constructs ------------------------------------------------------------- */

static struct ummgr_object *
object_of (const struct copy *c)
{
  return ummgr_objects_find (&m->mapped, (uintptr_t) data + c->lo);
}

/* How many of K's objects have more regions running now (STEP 1), or fewer.  */
static void
count_running (struct construct *k, int step)
{
  for (size_t i = 0; i < k->mapping.object_count; i++)
    {
      uintptr_t base = k->mapping.objects[i]->base;
      struct copy *c = copy_over (base - (uintptr_t) data, 1);
      if (base - (uintptr_t) data < BYTES)
	{
	  CHECK (c);
	  c->running += step;
	  c->at = object_of (c)->copy.address;
	}
      for (int s = 0; s < SHARED; s++)
	if (base == (uintptr_t) shared[s].base)
	  shared[s].running += step;
    }
}

static void
random_hint (struct ummgr_hint *h, size_t size)
{
  static const double distances[] = { -1, 0, 1, 2, 5, INFINITY };
  *h = (struct ummgr_hint) { .known = rnd (4), .read = true, .write = rnd (2) };
  if (!h->known)
    return;
  h->locality = rnd (1000);
  h->density = h->density_most = h->density_program = rnd (5) / 4.0;
  h->density_sc19 = rnd (9) / 4.0;
  h->global_locality = h->locality * (1 + rnd (5));
  h->reuse_static = distances[rnd (6)];
  h->reuse_seen = distances[rnd (6)];
  h->reuse_likely = rnd (3);
  h->host_next = rnd (5) / 4.0;
  if (rnd (2))
    {
      h->lo = rnd (size);
      h->hi = h->lo + 1 + rnd (size - h->lo);
    }
}

/* What the region does: it writes wherever its clauses let it.  */
static void
compute (struct construct *k)
{
  for (int i = 0; i < k->parts; i++)
    {
      struct copy *c = k->part[i].copy;
      unsigned char *device = (unsigned char *) object_of (c)->copy.address;
      for (int j = k->part[i].lo; j < k->part[i].lo + k->part[i].size; j++)
	if (rnd (3) == 0)
	  {
	    c->byte[j] = device[j] = rnd (256);
	    c->known[j] = true;
	  }
    }
  for (int s = 0; s < SHARED; s++)
    if (shared[s].running)
      {
	int i = rnd (shared[s].size);
	shared[s].base[i] = shared[s].byte[i] = rnd (256);
      }
}

static void
region_begin (struct construct *k)
{
  k->region = true;
  add_clauses (k, false);
  struct ummgr_clauses clauses = clauses_of (k);
  ummgr_mapping_init (&k->mapping, m, NULL, true);
  ummgr_mapping_begin (&k->mapping, &clauses);
  k->view = (struct ummgr_region_view) {
    .region = 1 + rnd (5), .name = "region", .invocation = 1,
    .sequence = ++sequence, .hints = rnd (3) ? k->hints : NULL
  };
  for (size_t i = 0; i < k->mapping.object_count; i++)
    random_hint (&k->hints[i], k->mapping.objects[i]->size);
  ummgr_plan_region_begin (m, &k->view, k->mapping.objects,
			   k->mapping.object_count);
  ummgr_mapping_run (&k->mapping);
  count_running (k, 1);
  compute (k);
}

static void
data_begin (struct construct *k)
{
  void *seen[CLAUSES];
  k->region = false;
  add_clauses (k, true);
  struct copy *known = rnd (4) ? NULL : pick ();
  if (known)
    clause (k, data + known->lo + rnd (known->size), 0, UMMGR_MAP_USE_DEVICE_PTR);
  struct ummgr_clauses clauses = clauses_of (k);
  ummgr_mapping_init (&k->mapping, m, NULL, false);
  ummgr_mapping_begin (&k->mapping, &clauses);
  ummgr_mapping_hide (&k->mapping, &clauses, seen);
  for (int i = 0; i < k->count; i++)
    {
      uintptr_t at = (uintptr_t) k->addresses[i] - (uintptr_t) data;
      const struct copy *c = at < BYTES ? copy_over (at, 1) : NULL;
      CHECK_EQ (!seen[i], c && at + k->sizes[i] <= (size_t) c->lo + c->size
		&& k->kinds[i] != UMMGR_MAP_USE_DEVICE_PTR);
    }
  if (known && !known->fixed)
    {
      known->fixed = true;
      known->at = object_of (known)->copy.address;
    }
}

static void
construct_end (struct construct *k)
{
  if (k->region)
    {
      count_running (k, -1);
      ummgr_mapping_ran (&k->mapping);
      ummgr_execute_end (&m->executor, &k->view, k->mapping.objects,
			     k->mapping.object_count);
    }
  ummgr_mapping_end (&k->mapping);
  ummgr_mapping_fini (&k->mapping);
  model_end (k, 0);
}

/* --- steps ------------------------------------------------------------------ */

/* Constructs overlap in time, as those of threads do.  */
static void
step_open (void)
{
  if (depth == DEPTH)
    return;
  if (rnd (3))
    region_begin (&open[depth++]);
  else
    data_begin (&open[depth++]);
}

static void
step_close (void)
{
  if (!depth)
    return;
  int i = rnd (depth);
  construct_end (&open[i]);
  open[i] = open[--depth];
  /* Small lists are in the mapping itself.  */
  struct ummgr_mapping *moved = &open[i].mapping;
  if (moved->entries == open[depth].mapping.few_entries)
    moved->entries = moved->few_entries;
  if (moved->objects == open[depth].mapping.few_objects)
    moved->objects = moved->few_objects;
}

static void
step_enter (void)
{
  static struct construct k;
  k.region = false;
  add_clauses (&k, false);
  struct ummgr_clauses clauses = clauses_of (&k);
  ummgr_mapping_init (&k.mapping, m, NULL, false);
  ummgr_mapping_begin (&k.mapping, &clauses);
  ummgr_mapping_forget (&k.mapping);
  ummgr_mapping_fini (&k.mapping);
}

/* Not of what open constructs use: what libgomp does then depends on more.  */
static bool
may_leave (const struct copy *c)
{
  for (int d = 0; d < depth; d++)
    for (int i = 0; i < open[d].parts; i++)
      if (open[d].part[i].copy == c && open[d].part[i].id == c->id)
	return false;
  return true;
}

static void
step_exit (void)
{
  static const int all[] = { UMMGR_MAP_FROM, UMMGR_MAP_RELEASE, UMMGR_MAP_DELETE,
			     UMMGR_MAP_ZERO_LEN_ARRAY_SECTION,
			     UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION };
  static struct construct k;
  unsigned short given[CLAUSES];
  unsigned deletes = 0;
  k.count = k.parts = 0;
  for (int i = rnd (4); i >= 0; i--)
    {
      struct copy *c = pick ();
      int kind = all[rnd (5)];
      if (!c || !may_leave (c))
	continue;
      int lo = rnd (c->size), size = 1 + rnd (c->size - lo);
      if (kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION
	  || kind == UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION)
	size = 0;
      if (kind == UMMGR_MAP_DELETE
	  || kind == UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION)
	deletes |= 1u << k.parts;
      clause (&k, data + c->lo + lo, size, kind);
      k.part[k.parts++]
	= (struct part) { c, c->id, lo, size, kind == UMMGR_MAP_FROM, false };
    }
  struct ummgr_clauses clauses = clauses_of (&k);
  ummgr_mapping_init (&k.mapping, m, NULL, false);
  ummgr_mapping_exit (&k.mapping, &clauses, given);
  /* All has been copied: libgomp finds counts of infinity.  */
  CHECK (memcmp (given, k.kinds, k.count * sizeof *given) == 0);
  ummgr_mapping_exit_end (&k.mapping);
  ummgr_mapping_fini (&k.mapping);
  model_end (&k, deletes);
}

static void
step_host (void)
{
  for (int i = rnd (200); i >= 0; i--)
    {
      int at = rnd (BYTES);
      data[at] = want[at] = rnd (256);
    }
}

static void
shared_free (struct shared *s)
{
  CHECK (ummgr_unified_free (s->base, false));
  /* The real libgomp's part: this manager is in no table.  */
  if (s->used)
    CHECK_EQ (fake_disassociate (s->base, 0), 0);
  *s = (struct shared) { NULL };
}

static void
step_shared (void)
{
  struct shared *s = &shared[rnd (SHARED)];
  if (!s->base)
    {
      s->size = 1 + rnd (SIZE);
      s->base = ummgr_unified_alloc (m, s->size, false, NULL, 0);
      CHECK (s->base);
      memset (s->base, 3, s->size);
      memset (s->byte, 3, s->size);
    }
  else if (rnd (3))
    {
      struct ummgr_object *o
	= ummgr_unified_use (m, (uintptr_t) s->base + rnd (s->size), false);
      CHECK (o && o->view.base == (uintptr_t) s->base);
      ummgr_plan_host_next (o);
    }
  else if (!s->running)
    shared_free (s);
}

static void
step_budget (void)
{
  ummgr_plan_budget (m, rnd (3) * SIZE * 2 + rnd (SIZE));
}

/* --- comparing -------------------------------------------------------------- */

static void
compare_copy (const struct copy *c)
{
  struct fake_association *a
    = fake_find ((uintptr_t) data + c->lo, (uintptr_t) data + c->lo + 1);
  struct ummgr_object *o = object_of (c);
  CHECK (a && o);
  CHECK_EQ (a->host, (uintptr_t) data + c->lo);
  CHECK_EQ (a->size, c->size);
  CHECK_EQ (a->device, o->copy.address);
  CHECK (o->view.base == a->host && o->view.size == a->size);
  CHECK (ummgr_objects_find (&m->placed, o->copy.address + c->size - 1) == o);
  CHECK (ummgr_mapping_owns (m, data + c->lo));
  CHECK_EQ (o->refcount, c->count);
  CHECK (o->view.running == c->running && o->holders == c->running);
  CHECK (o->life == UMMGR_OBJECT_LIVE);
  CHECK (o->view.placed->lo <= o->view.placed->hi
	 && o->view.placed->hi <= o->view.size);
  CHECK ((o->copy.storage == UMMGR_STORAGE_MANAGED) || !o->copy.host
	 == (o->view.placed->place == UMMGR_PLACE_DEVICE));
  if (c->fixed || c->running)
    CHECK_EQ (o->copy.address, c->at);
  const struct fake_copy *told = fake_copy_at (o->copy.address, 0);
  CHECK (told && told->address == o->copy.address && told->host == a->host
	 && told->size == a->size);
  const unsigned char *device = (const unsigned char *) o->copy.address;
  for (int i = 0; i < c->size; i++)
    CHECK (!c->known[i] || device[i] == c->byte[i]);
}

static void
compare (void)
{
  int live = 0, alone = 0, used = 0, all = 0;
  for (int i = 0; i < COPIES; i++)
    if (copies[i].id)
      {
	live++;
	compare_copy (&copies[i]);
	alone += !object_of (&copies[i])->copy.chunk;
      }
  for (int i = 0; i < SHARED; i++)
    {
      if (shared[i].base)
	{
	  all++;
	  alone += !ummgr_unified_use (m, (uintptr_t) shared[i].base, false)->copy.chunk;
	}
      used += shared[i].used;
      CHECK (memcmp (shared[i].base ? shared[i].base : shared[i].byte,
		     shared[i].byte, shared[i].size) == 0);
    }
  CHECK_EQ (ummgr_objects_count (&m->mapped), live);
  CHECK_EQ (ummgr_objects_count (&m->placed), live);
  CHECK (fake.allocations >= alone);
  CHECK (alone < live + all || fake.allocations == alone);
  CHECK_EQ (fake_count, live + used);
  CHECK_EQ (fake_copy_count, live + used);
  CHECK_EQ (fake_unified_count, all);
  CHECK_EQ (fake.strays, 0);
  CHECK_EQ (fake_asked.what, FAKE_NOTHING);
  CHECK (memcmp (data, want, BYTES) == 0);
}

static void
finish (void)
{
  while (depth)
    step_close ();
  for (int i = 0; i < COPIES; i++)
    while (copies[i].id)
      step_exit ();
  for (int i = 0; i < SHARED; i++)
    if (shared[i].base)
      shared_free (&shared[i]);
  compare ();
  CHECK_EQ (fake.allocations, 0);
}

static void
run (const char *policy, bool paged, bool plain, uint64_t seed)
{
  static void (*const steps[]) (void)
    = { step_open, step_open, step_close, step_close, step_enter, step_exit,
	step_exit, step_host, step_shared, step_budget };
  state = seed;
  fake.paged = paged;
  m = fake_start (policy, 2 * SIZE);
  m->plain_copies = plain;
  for (int i = 0; i < 200; i++)
    {
      steps[rnd (sizeof steps / sizeof *steps)]();
      compare ();
    }
  finish ();
  ummgr_manager_free (m);
}

int
main (void)
{
  ummgr_process.active = true;
  for (int i = 0; ummgr_policy_all[i]; i++)
    for (int kind = 0; kind < 4 && !ummgr_policy_all[i]->passive; kind++)
      for (int seed = 0; seed < 3; seed++)
	run (ummgr_policy_all[i]->name, kind & 1, kind & 2, 10 * i + seed);
  return 0;
}
