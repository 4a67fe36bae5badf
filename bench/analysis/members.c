/* A library to preload: what the compiler's tables say of each argument of each launch of an
   instrumented program, beside what the launch accesses.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program runs on the host (OMP_TARGET_OFFLOAD=disabled), where an argument's memory has one
   address, whoever allocated it and however it is mapped.  Predictions are libummgr's own code's,
   from the launch's arguments alone, before it runs; accesses.c counts.

   After each launch one line on standard error for each argument that has memory, but for scalars,
   copies by value, the places of pointers, which are in others' memory, and what gfortran makes of
   a pointer's descriptor; and one for what each pointer leads to that the region finds in memory
   and follows, where no argument has that:

     members: FILE:LINE REGION NUMBER NAME STATE DENSITY TRUTH

   STATE is exact, estimated or unknown; the densities are those of the section that the argument
   maps, or, of one without a size, of what the program mapped before.  That is kept here: libgomp
   maps nothing on the host.

   One launch at a time.  */

#define _GNU_SOURCE
#include "accesses.h"

#include "gomp/clauses.h"
#include "hints/hints.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES = 512 };

/* Memory that is mapped: by which `target data', counted from 1, or 0.  */
struct range
{
  uintptr_t base;
  size_t size;
  unsigned level;
};

static struct range mapped[RANGES];
static unsigned mapped_count, level;

/* Pointers that were attached, as memory/attached.h has it.  */
static struct
{
  uintptr_t slot, target;
} attached[RANGES];
static unsigned attached_count;

/* --- what is mapped --------------------------------------------------------- */

static void
range_add (struct range *list, unsigned *count, struct range range)
{
  if (*count == RANGES)
    accesses_fail ("too many ranges");
  list[(*count)++] = range;
}

/* The range that has ADDRESS, or NULL.  */
static const struct range *
mapped_at (uintptr_t address)
{
  for (unsigned i = 0; i < mapped_count; i++)
    if (address - mapped[i].base < mapped[i].size)
      return &mapped[i];
  return NULL;
}

static void
mapped_forget (unsigned i)
{
  mapped[i] = mapped[--mapped_count];
}

/* Does clause I have data, which a struct's own hasn't?  */
static bool
has_data (const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  return ummgr_kind_is_data (ummgr_clause_kind (clauses, i, &implicit)) && clauses->hostaddrs[i];
}

/* Note the pointer at SLOT.  */
static void
attach (uintptr_t slot)
{
  unsigned i = 0;
  while (i < attached_count && attached[i].slot != slot)
    i++;
  if (i == RANGES)
    accesses_fail ("too many pointers");
  attached[i].slot = slot;
  attached[i].target = *(uintptr_t *) slot;
  attached_count += i == attached_count;
}

/* A construct that maps CLAUSES.  */
static void
map (const struct ummgr_clauses *clauses)
{
  for (size_t i = 0; i < clauses->count; i++)
    {
      bool implicit;
      uintptr_t at = (uintptr_t) clauses->hostaddrs[i];
      if (at && ummgr_kind_is_attach (ummgr_clause_kind (clauses, i, &implicit)))
	attach (at);
      else if (has_data (clauses, i) && clauses->sizes[i] && !mapped_at (at))
	range_add (mapped, &mapped_count, (struct range) { at, clauses->sizes[i], level });
    }
}

typedef void data_function (int, size_t, void **, size_t *, unsigned short *);
typedef void data_end_function (void);
typedef void enter_function (int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
typedef void target_function (int, void (*) (void *), size_t, void **, size_t *, unsigned short *,
			      unsigned, void **, void **);
data_function GOMP_target_data_ext;
data_end_function GOMP_target_end_data;
enter_function GOMP_target_enter_exit_data;
target_function GOMP_target_ext;

void
GOMP_target_data_ext (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
		      unsigned short *kinds)
{
  data_function *real = (data_function *) accesses_next ("GOMP_target_data_ext");
  const struct ummgr_clauses clauses = { mapnum, hostaddrs, sizes, kinds };
  level++;
  map (&clauses);
  real (device, mapnum, hostaddrs, sizes, kinds);
}

void
GOMP_target_end_data (void)
{
  data_end_function *real = (data_end_function *) accesses_next ("GOMP_target_end_data");
  real ();
  for (unsigned i = mapped_count; i-- > 0;)
    if (mapped[i].level == level)
      mapped_forget (i);
  level--;
}

/* Is CLAUSES' construct `exit data'?  */
static bool
is_exit (const struct ummgr_clauses *clauses)
{
  bool implicit, exit = false;
  for (size_t i = 0; i < clauses->count; i++)
    switch (ummgr_clause_kind (clauses, i, &implicit))
      {
      case UMMGR_MAP_FROM:
      case UMMGR_MAP_ALWAYS_FROM:
      case UMMGR_MAP_DELETE:
      case UMMGR_MAP_RELEASE:
      case UMMGR_MAP_DETACH:
	exit = true;
      }
  return exit;
}

void
GOMP_target_enter_exit_data (int device, size_t mapnum, void **hostaddrs, size_t *sizes,
			     unsigned short *kinds, unsigned flags, void **depend)
{
  enter_function *real = (enter_function *) accesses_next ("GOMP_target_enter_exit_data");
  const struct ummgr_clauses clauses = { mapnum, hostaddrs, sizes, kinds };
  unsigned outer = level;
  level = 0;
  if (!is_exit (&clauses))
    map (&clauses);
  else
    for (size_t i = 0; i < mapnum; i++)
      for (unsigned k = mapped_count; k-- > 0;)
	if (sizes[i] && mapped[k].base == (uintptr_t) hostaddrs[i] && !mapped[k].level)
	  mapped_forget (k);
  level = outer;
  real (device, mapnum, hostaddrs, sizes, kinds, flags, depend);
}

/* --- a launch ----------------------------------------------------------------- */

static int
by_base (const void *a, const void *b)
{
  const struct range *x = a, *y = b;
  return x->base < y->base ? -1 : x->base > y->base;
}

/* Look at what CLAUSES map and what is mapped: ranges that overlap as one.  */
static void
look (const struct ummgr_clauses *clauses)
{
  struct range all[RANGES];
  unsigned count = 0, kept = 0;
  for (unsigned i = 0; i < mapped_count; i++)
    range_add (all, &count, mapped[i]);
  for (size_t i = 0; i < clauses->count; i++)
    if (has_data (clauses, i) && clauses->sizes[i])
      range_add (all, &count, (struct range) { (uintptr_t) clauses->hostaddrs[i],
					       clauses->sizes[i], 0 });
  qsort (all, count, sizeof *all, by_base);
  for (unsigned i = 0; i < count; i++)
    {
      struct range *last = kept ? &all[kept - 1] : NULL;
      uintptr_t end = all[i].base + all[i].size;
      if (!last || last->base + last->size <= all[i].base)
	all[kept++] = all[i];
      else if (last->base + last->size < end)
	last->size = end - last->base;
    }
  for (unsigned i = 0; i < kept; i++)
    accesses_add (all[i].base, all[i].size);
}

static void
look_away (void)
{
  for (unsigned i = 0; i < accesses_object_count; i++)
    if (accesses_objects[i].size)
      accesses_drop (accesses_objects[i].base);
}

/* The part of SIZE bytes at ADDRESS that was accessed; less than 0: nobody knows where it is.  */
static double
truth (uintptr_t address, size_t size)
{
  size_t bytes = 0;
  for (unsigned i = 0; i < accesses_object_count; i++)
    {
      const struct accesses_object *o = &accesses_objects[i];
      if (!size || address - o->base >= o->size)
	continue;
      for (size_t k = 0; k < size; k++)
	bytes += o->touched[address - o->base + k];
      return (double) bytes / (double) size;
    }
  return -1;
}

static void
report (const struct ummgr_table_region *region, unsigned number, const char *name,
	const struct ummgr_hint *hint, uintptr_t address, size_t size)
{
  double measured = truth (address, size);
  const char *file = strrchr (region->file, '/');
  const char *state = !hint->known || hint->density < 0 || measured < 0 ? "unknown"
		      : hint->estimated ? "estimated" : "exact";
  fprintf (stderr, "members: %s:%u %s %u %s %s %.9g %.9g\n", file ? file + 1 : region->file,
	   region->line, region->name, number, *name ? name : "-", state, hint->density, measured);
}

/* Is argument I of REGION one that is looked at?  */
static bool
is_looked_at (const struct ummgr_table_region *region, const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  const struct ummgr_table_arg *arg = &region->args[i];
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  return (ummgr_kind_is_data (kind) || kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION)
	 && clauses->hostaddrs[i] && !arg->hidden && arg->arg_class != UMMGR_ARG_SCALAR
	 && arg->arg_class != UMMGR_ARG_POINTER;
}

/* Where argument I lies: in what it maps, or in what was mapped.  */
static struct ummgr_hint_extent
extent_of (const struct ummgr_clauses *clauses, size_t i)
{
  uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
  const struct range *range = clauses->sizes[i] ? NULL : mapped_at (address);
  return range ? (struct ummgr_hint_extent) { .offset = address - range->base, .size = range->size }
	 : (struct ummgr_hint_extent) { .size = clauses->sizes[i] };
}

/* Where REGION's members lead.  False: not all are known.  */
static bool
members_find (const struct ummgr_table_region *region, const struct ummgr_clauses *clauses,
	      const struct range **to, struct ummgr_hint_extent *extents)
{
  bool all = ummgr_hints_can_follow (region);
  for (unsigned k = 0; k < region->member_count; k++)
    {
      const struct ummgr_table_member *member = &region->members[k];
      uintptr_t slot = (uintptr_t) clauses->hostaddrs[member->arg] + member->offset;
      to[k] = NULL;
      for (unsigned i = 0; i < attached_count; i++)
	if (attached[i].slot == slot && (to[k] = mapped_at (attached[i].target)))
	  extents[k] = (struct ummgr_hint_extent) {
	    .offset = attached[i].target - to[k]->base, .size = to[k]->size
	  };
      all &= to[k] != NULL;
    }
  return all;
}

/* What is known of a launch.  */
struct prediction
{
  struct ummgr_hint *hints, *members;
  struct ummgr_hint_extent *extents;
  const struct range **to;
};

static void *
array_new (size_t count, size_t size)
{
  void *p = calloc (count + 1, size);
  if (!p)
    accesses_fail ("no memory");
  return p;
}

static struct prediction
predict (const struct ummgr_table_region *region, const struct ummgr_clauses *clauses)
{
  unsigned args = region->arg_count, members = region->member_count;
  struct prediction p = {
    array_new (args, sizeof *p.hints), array_new (members, sizeof *p.members),
    array_new (args, sizeof *p.extents), array_new (members, sizeof *p.to)
  };
  struct ummgr_hint_extent *where = array_new (members, sizeof *where);
  for (unsigned i = 0; i < args; i++)
    {
      p.hints[i] = (struct ummgr_hint) UMMGR_HINT_UNKNOWN;
      p.extents[i] = extent_of (clauses, i);
    }
  for (unsigned k = 0; k < members; k++)
    p.members[k] = (struct ummgr_hint) UMMGR_HINT_UNKNOWN;
  bool known = ummgr_hints_evaluate (region, clauses->hostaddrs, clauses->sizes, p.extents, p.hints);
  if (members_find (region, clauses, p.to, where) && known)
    ummgr_hints_follow (region, clauses->hostaddrs, clauses->sizes, p.extents, where, p.hints,
			p.members);
  free (where);
  return p;
}

/* Where argument I begins.  */
static uintptr_t
begin (const struct ummgr_clauses *clauses, const struct prediction *p, unsigned i)
{
  return (uintptr_t) clauses->hostaddrs[i] - p->extents[i].offset;
}

/* Of two arguments for the same memory, as the compiler makes them of `this', that is told once,
   as libummgr does.  */
static void
args_report (const struct ummgr_table_region *region, const struct ummgr_clauses *clauses,
	     const struct prediction *p)
{
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      bool first = true;
      struct ummgr_hint hint = p->hints[i];
      for (unsigned k = 0; k < region->arg_count; k++)
	if (k != i && is_looked_at (region, clauses, k) && begin (clauses, p, k) == begin (clauses, p, i)
	    && p->extents[k].size == p->extents[i].size)
	  {
	    first &= i < k;
	    ummgr_hint_merge (&hint, &p->hints[k]);
	  }
      if (first && is_looked_at (region, clauses, i))
	report (region, i, region->args[i].name, &hint, begin (clauses, p, i), p->extents[i].size);
    }
}

static void
members_report (const struct ummgr_table_region *region, const struct ummgr_clauses *clauses,
		const struct prediction *p)
{
  for (unsigned k = 0; k < region->member_count; k++)
    {
      bool argument = false;
      for (unsigned i = 0; i < region->arg_count && p->to[k]; i++)
	argument |= is_looked_at (region, clauses, i) && begin (clauses, p, i) == p->to[k]->base;
      if (!argument)
	report (region, region->arg_count + k, ummgr_hints_member_name (region, k), &p->members[k],
		p->to[k] ? p->to[k]->base : 0, p->to[k] ? p->to[k]->size : 0);
    }
}

void
GOMP_target_ext (int device, void (*fn) (void *), size_t mapnum, void **hostaddrs, size_t *sizes,
		 unsigned short *kinds, unsigned flags, void **depend, void **args)
{
  target_function *real = (target_function *) accesses_next ("GOMP_target_ext");
  const struct ummgr_clauses clauses = { mapnum, hostaddrs, sizes, kinds };
  ummgr_tables_scan ();
  const struct ummgr_table_region *region = ummgr_tables_region ((const void *) fn);
  if (!region || region->arg_count != mapnum)
    accesses_fail ("a region without a table");
  struct prediction p = predict (region, &clauses);
  look (&clauses);
  __atomic_store_n (&accesses_on, true, __ATOMIC_RELAXED);
  real (device, fn, mapnum, hostaddrs, sizes, kinds, flags, depend, args);
  __atomic_store_n (&accesses_on, false, __ATOMIC_RELAXED);
  args_report (region, &clauses, &p);
  members_report (region, &clauses, &p);
  look_away ();
  free (p.hints);
  free (p.members);
  free (p.extents);
  free (p.to);
}
