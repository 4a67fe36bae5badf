/* When an object is used next, and its locality in the whole program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is known of the last OBJECTS objects, by their addresses: who uses
   them, and the answers, which change only when a user is found or a locality
   is not what it was.  A region that has not been launched with the object has
   no locality yet, so GL is complete once each was.  Guarded by the manager's
   lock.

   GL belongs to the object: SC'19's equation 1 has it as the sum of RF by RL
   over regions, and section 3.3 wants it the same in every region, or what it
   ranks would move for ever.  But an object may come to a region by other
   arguments each time, as two arrays that swap roles do, or the region may do
   more work each time.  RF by RL stands for the accesses of all the region's
   launches; what estimates it without bias from those that were seen is RF by
   the mean RL of the launches with this object.  A mean of everything seen
   still moves a little with each launch, and two that move may overtake each
   other again and again.  So it is worked out anew only when the uses have
   doubled: an object's GL changes with the logarithm of its uses, not with
   their number, and objects of one role each, swapped, come to be equal and
   stay so.

   Density is put together in the same way.  SC'19 section 4.2 has it for one
   launch, but what transfer by demand saves is what no launch accesses while
   the object is there.  Launches with an exact density are taken to access the
   same bytes each time; those whose density is an estimate, for want of the
   indices, others each time, independently.  */

#include "config.h"
#include "hints/reuse.h"

#include "flow/flow.h"
#include "hints/origins.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 1024, USERS = 48 };

struct user
{
  const struct ummgr_table_region *region;
  const struct ummgr_table_arg *arg; /* The first by which it has the object.  */
  uint64_t launches;		/* With the object.  */
  double sum;			/* Of their localities.  */
  double locality;		/* The mean when LAUNCHES was a power of 2.  */
  double missed;		/* The share that all its launches together
				   don't access.  */
  double remote;		/* The most over the link; 0: not known.  */
  double frequency;
  double reuse, likely;		/* When there were KNOWN users.  */
  unsigned known;
};

struct object
{
  uintptr_t base;
  size_t size;
  unsigned user_count;
  bool written;			/* Some user may, or there are too many.  */
  double global;
  double density;		/* In all launches; 0: not known.  */
  double remote;		/* The same.  */
  struct user users[USERS];
};

static struct object *objects[OBJECTS];

/* What is known of the object at VIEW, or NULL without memory.  */
static struct object *
object_get (const struct ummgr_object_view *view)
{
  struct object **slot
    = &objects[(view->base * (uintptr_t) 0x9e3779b97f4a7c15ull >> 32)
	       % OBJECTS];
  if (!*slot)
    *slot = calloc (1, sizeof **slot);
  else if ((*slot)->base == view->base && (*slot)->size == view->size)
    return *slot;
  if (*slot)
    {
      memset (*slot, 0, sizeof **slot);
      (*slot)->base = view->base;
      (*slot)->size = view->size;
    }
  return *slot;
}

static struct user *
user_get (struct object *object, const struct ummgr_table_region *region, const struct ummgr_table_arg *arg)
{
  for (unsigned i = 0; i < object->user_count; i++)
    if (object->users[i].region == region)
      return &object->users[i];
  if (object->user_count == USERS)
    {
      object->written = true;
      return NULL;
    }
  struct user *user = &object->users[object->user_count++];
  double frequency = ummgr_flow_frequency (region);
  *user = (struct user) {
    .region = region, .arg = arg, .frequency = isnan (frequency) ? 1 : frequency,
    .missed = 1
  };
  return user;
}

/* REGION uses OBJECT by ARG.  */
static struct user *
user_note (struct object *object, const struct ummgr_table_region *region,
	   const struct ummgr_table_arg *arg)
{
  unsigned flags = arg->use.flags;
  object->written |= (flags & (UMMGR_USE_WRITE | UMMGR_USE_UNKNOWN))
		     || !(flags & UMMGR_USE_ANALYSED);
  return user_get (object, region, arg);
}

bool
ummgr_reuse_same_variable (const struct ummgr_table_arg *a, const struct ummgr_table_arg *b)
{
  return *a->file && *a->name && a->line == b->line
	 && strcmp (a->name, b->name) == 0 && strcmp (a->file, b->file) == 0;
}

/* ummgr_origins_each's callback: REGION has OBJECT, DATA, most likely, by ARG.  */
static void
origin_note (const struct ummgr_table_region *region, const struct ummgr_table_arg *arg, void *object)
{
  user_note (object, region, arg);
}

/* Add the regions with an argument of ARG's declaration, or whose data is allocated where ARG's is.  */
static void
users_find (struct object *object, const struct ummgr_table_arg *arg)
{
  size_t count;
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < units[i]->arg_count; j++)
      if (ummgr_reuse_same_variable (arg, &units[i]->args[j]))
	for (size_t k = 0; k < units[i]->region_count; k++)
	  {
	    const struct ummgr_table_region *r = &units[i]->regions[k];
	    if (&units[i]->args[j] >= r->args
		&& &units[i]->args[j] < r->args + r->arg_count)
	      user_note (object, r, &units[i]->args[j]);
	  }
  free (units);
  ummgr_origins_each (arg, origin_note, object);
}

void
ummgr_reuse_note (const struct ummgr_object_view *view,
		  const struct ummgr_table_region *region,
		  const struct ummgr_table_arg *arg)
{
  struct object *object = object_get (view);
  struct user *user = object ? user_note (object, region, arg) : NULL;
  if (user && !user->launches)
    users_find (object, arg);
}

/* The least distance from USER's region to a user of OBJECT, or -1; and which is
   likely, or 0.  */
static void
reuse_get (const struct object *object, struct user *user)
{
  const struct ummgr_table_region *regions[USERS];
  for (unsigned i = 0; i < object->user_count; i++)
    regions[i] = object->users[i].region;
  double reuse = ummgr_flow_reuse (user->region, regions, object->user_count);
  double likely = ummgr_flow_next_use (user->region, regions,
				       object->user_count, reuse);
  user->reuse = isnan (reuse) ? -1 : reuse;
  user->likely = isnan (likely) ? 0 : likely;
  user->known = object->user_count;
}

/* The share of an object that is not accessed where HINT's launch happens
   FREQUENCY times; 1 where nothing is known.  */
static double
share_missed (const struct ummgr_hint *hint, double frequency)
{
  if (hint->density < 0)
    return 1;
  double missed = hint->density < 1 ? 1 - hint->density : 0;
  return hint->estimated && frequency > 1 ? pow (missed, frequency) : missed;
}

/* One more launch of USER's region.  */
static void
launch_add (struct object *object, struct user *user,
	    const struct ummgr_hint *hint)
{
  user->sum += hint->locality;
  user->launches++;
  if ((user->launches & (user->launches - 1)) != 0)
    return;
  user->locality = user->sum / user->launches;
  double missed = share_missed (hint, user->frequency);
  if (missed < user->missed)
    user->missed = missed;
  if (hint->remote > 0)
    user->remote = fmax (hint->remote, user->remote);
  else if (!(user->remote > 0))
    user->remote = INFINITY;
  double global = 0, all_missed = 1, remote = 0;
  for (unsigned i = 0; i < object->user_count; i++)
    {
      global += object->users[i].frequency * object->users[i].locality;
      all_missed *= object->users[i].missed;
      if (object->users[i].launches)
	remote += fmax (object->users[i].frequency,
			(double) object->users[i].launches)
		  * object->users[i].remote;
    }
  /* Equal sums of other orders shall be equal.  */
  object->global = (float) global;
  object->density = 1 - all_missed;
  object->remote = remote < INFINITY ? remote : 0;
}

void
ummgr_reuse_fill (const struct ummgr_object_view *view,
		  const struct ummgr_table_region *region,
		  struct ummgr_hint *hint)
{
  struct object *object = object_get (view);
  struct user *user = object ? user_get (object, region, NULL) : NULL;
  if (!user)
    return;
  launch_add (object, user, hint);
  if (user->known != object->user_count)
    reuse_get (object, user);
  hint->global_locality = object->global;
  hint->frequency = user->frequency;
  hint->first = user->launches == 1;
  hint->density_program = object->density > 0 ? object->density
    : hint->density;
  hint->remote_program = object->remote;
  hint->reuse_static = user->reuse;
  hint->reuse_likely = user->likely;
  hint->only_read = !object->written;
}

void
ummgr_reuse_others (const struct ummgr_object_view *view, ummgr_reuse_other *function, void *data)
{
  const struct object *object = object_get (view);
  for (unsigned i = 0; object && i < object->user_count; i++)
    if (!object->users[i].launches && object->users[i].arg)
      function (object->users[i].region, object->users[i].arg, object->users[i].frequency, data);
}
