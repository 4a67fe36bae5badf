/* How the objects of a launch over GPUs are to lie.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is kept of regions' last launches.  */

#include "config.h"
#include "split/wants.h"

#include "base/grow.h"
#include "hints/footprint.h"
#include "hints/hints.h"
#include "split/arguments.h"

#include <stdlib.h>
#include <string.h>

/* A region's last launch: what it depended on, and what came of it.  Objects are used only where
   a launch has them, too.  */
struct kept
{
  const struct ummgr_table_region *known;
  struct ummgr_code_inputs_used used; /* By the region's expressions of ranges.  */
  size_t words, room;
  uint64_t *word;		/* What it depended on; none: it is not known.  */
  size_t wants, wants_room;
  struct ummgr_gpus_want *want;
};

/* Launches over GPUs and those on one are apart: those that are weighed are planned as both.  */
enum { KEPT = 128 };
static struct kept all[KEPT];

/* What USE's expressions of ranges depend on.  */
static void
used_add (const struct ummgr_table_use *use, struct ummgr_code_inputs_used *used)
{
  for (unsigned k = 0; k < use->ref_count; k++)
    {
      const struct ummgr_table_ref *ref = &use->refs[k];
      ummgr_code_inputs (ref->range_base, used);
      for (unsigned i = 0; i < ref->dim_count; i++)
	{
	  ummgr_code_inputs (ref->dims[i].range_stride, used);
	  ummgr_code_inputs (ref->dims[i].range_extent, used);
	  ummgr_code_inputs (ref->dims[i].range_count, used);
	}
    }
}

static struct kept *
kept_of (const struct ummgr_table_region *known, bool whole)
{
  struct kept *kept = &all[((uintptr_t) known / 16 * 2 + whole) % KEPT];
  if (kept->known == known)
    return kept;
  kept->known = known;
  kept->words = 0;
  memset (&kept->used, 0, sizeof kept->used);
  for (unsigned i = 0; i < known->arg_count; i++)
    used_add (&known->args[i].use, &kept->used);
  for (unsigned i = 0; i < known->member_count; i++)
    used_add (&known->members[i].use, &kept->used);
  return kept;
}

/* --- what it depends on ---------------------------------------------------------------- */

/* What is compared and, with KEEP, noted.  */
struct words
{
  struct kept *kept;
  size_t count;
  bool same, room;
};

static void
put (struct words *w, uint64_t word)
{
  struct kept *kept = w->kept;
  size_t at = w->count++;
  w->same &= at < kept->words && kept->word[at] == word;
  w->room = w->room && (at < kept->room || UMMGR_GROW (kept->word, kept->room, at + 1));
  if (w->room)
    kept->word[at] = word;
}

/* Of more than MOST bytes it is not known whether they are the same.  */
enum { MOST = 512 };

static void
put_memory (struct words *w, const char *from, size_t size)
{
  put (w, from ? size : 0);
  w->same &= size <= MOST;
  for (size_t at = 0; from && at < size && size <= MOST; at += sizeof (uint64_t))
    {
      uint64_t word = 0;
      memcpy (&word, from + at, size - at < sizeof word ? size - at : sizeof word);
      put (w, word);
    }
}

/* Does all that LAUNCH's wants depend on is as KEPT has it?  It has it from now on.  */
static bool
depends (struct kept *kept, const struct ummgr_clauses *clauses,
	 const struct ummgr_gpus_launch *launch)
{
  struct words w = { kept, 0, true, true };
  const struct ummgr_code_inputs_used *used = &kept->used;
  put (&w, launch->gpus.count);
  for (unsigned g = 0; g < launch->gpus.count; g++)
    {
      put (&w, launch->lo[g]);
      put (&w, launch->hi[g]);
    }
  for (size_t i = 0; i < launch->arguments; i++)
    {
      const struct ummgr_gpus_argument *a = &launch->argument[i];
      bool lies = a->object && !a->reduction;
      put (&w, lies ? (uintptr_t) a->object : 0);
      put (&w, lies ? a->offset : 0);
      put (&w, lies ? a->object->view.size : 0);
    }
  for (size_t i = 0; i < clauses->count; i++)
    {
      if (ummgr_code_has (&used->values, i))
	put (&w, (uintptr_t) clauses->hostaddrs[i]);
      if (ummgr_code_has (&used->sizes, i))
	put (&w, clauses->sizes[i]);
      if (ummgr_code_has (&used->loads, i))
	put_memory (&w, clauses->hostaddrs[i], clauses->sizes[i]);
    }
  bool same = w.same && w.count == kept->words;
  kept->words = w.room ? w.count : 0;
  return same && w.room;
}

/* --- what comes of it ------------------------------------------------------------------ */

/* List the arguments of each object together in KEPT's wants, of which there is room for as many as
   arguments.  */
static void
list (struct kept *kept, struct ummgr_gpus_launch *launch)
{
  size_t count = 0;
  for (size_t i = 0; i < launch->arguments; i++)
    {
      struct ummgr_object *object = launch->argument[i].object;
      size_t n = 0;
      launch->argument[i].next = 0;
      if (!object || launch->argument[i].reduction)
	continue;
      while (n < count && kept->want[n].object != object)
	n++;
      if (n < count)
	launch->argument[kept->want[n].last].next = i;
      else
	{
	  kept->want[count].object = object;
	  kept->want[count++].first = i;
	}
      kept->want[n].last = i;
    }
  kept->wants = count;
}

/* A launch's arguments as each of its GPUs gets them, and what is known with these.  */
struct got
{
  const struct ummgr_table_region *known;
  void **values;		/* Those that are all GPUs', and LO and HI of one.  */
  struct ummgr_code_inputs inputs;
  struct ummgr_code_memo memo[UMMGR_PARTS_GPUS];
};

/* What each of LAUNCH's GPUs uses of what WANT is of.  */
static void
use_fill (const struct ummgr_gpus_launch *launch, const struct ummgr_gpus_want *want,
	  struct got *got, struct ummgr_footprint *use)
{
  for (unsigned g = 0; g < launch->gpus.count; g++)
    {
      size_t i = want->first;
      if (!launch->whole)
	{
	  got->values[launch->lo_argument] = (void *) (uintptr_t) launch->lo[g];
	  got->values[launch->lo_argument + 1] = (void *) (uintptr_t) launch->hi[g];
	}
      got->inputs.memo = &got->memo[g];
      use[g] = (struct ummgr_footprint) { .known = true };
      do
	{
	  const struct ummgr_table_arg arg = { .use = ummgr_hints_use (got->known, i) };
	  struct ummgr_footprint one;
	  ummgr_footprint_fill (&arg, &got->inputs, &one);
	  ummgr_footprint_merge (&use[g], &one, (int64_t) launch->argument[i].offset);
	}
      while ((i = launch->argument[i].next));
    }
}

void
ummgr_wants_fill (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
		  struct ummgr_gpus_launch *launch)
{
  struct kept *kept = kept_of (known, launch->whole);
  launch->wants = 0;
  if (!depends (kept, clauses, launch))
    {
      struct ummgr_footprint use[UMMGR_PARTS_GPUS];
      struct got got = { .known = known,
			 .values = malloc ((clauses->count + 1) * sizeof (void *)) };
      if (!got.values || !UMMGR_GROW (kept->want, kept->wants_room, launch->arguments + 1))
	{
	  kept->words = 0;
	  free (got.values);
	  return;
	}
      memcpy (got.values, clauses->hostaddrs, clauses->count * sizeof *got.values);
      got.inputs = (struct ummgr_code_inputs) { .hostaddrs = got.values,
						.sizes = clauses->sizes };
      list (kept, launch);
      for (size_t n = 0; n < kept->wants; n++)
	{
	  struct ummgr_gpus_want *want = &kept->want[n];
	  use_fill (launch, want, &got, use);
	  ummgr_parts_decide (use, launch->gpus.count, want->object->view.size, &want->parts);
	}
      free (got.values);
    }
  launch->want = kept->want;
  launch->wants = kept->wants;
}
