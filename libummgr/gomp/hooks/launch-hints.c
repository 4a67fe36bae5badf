/* Hints for the objects of a launch: from arguments to objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An argument may be a part of its object, or a pointer into it without a size
   (in a `target data' region): offset and size are the object table's.  Holds no
   state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "memory/account.h"
#include "memory/manager.h"
#include "memory/plan.h"
#include "memory/unified.h"
#include "hints/hints.h"
#include "base/log.h"
#include "hints/reuse.h"
#include "record/record.h"
#include "ummgr-table.h"

#include <inttypes.h>

/* Which of OBJECTS AT is in, or -1.  NEAR is the one to begin with.  */
static int
object_of (uintptr_t at, struct ummgr_object_view *const *objects, size_t count, size_t near)
{
  for (size_t i = 0, o = near; i < count; i++, o++)
    {
      o = o < count ? o : 0;
      if (at - objects[o]->base < objects[o]->size)
	return (int) o;
    }
  return -1;
}

void
ummgr_launch_objects (const struct ummgr_table_region *region,
		      const struct ummgr_clauses *clauses,
		      struct ummgr_object_view *const *objects, size_t count, int *object)
{
  size_t next = 0;
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      /* A number may look like an address.  */
      bool number = region->args[i].arg_class == UMMGR_ARG_SCALAR && !clauses->sizes[i];
      uintptr_t at = (uintptr_t) clauses->hostaddrs[i];
      object[i] = number ? -1 : object_of (at, objects, count, next);
      /* Objects are in the order in which arguments come to them.  */
      if (object[i] >= 0)
	next = object[i] + 1;
    }
}

/* The object of MANAGER's that an argument refers to by ADDRESS, or NULL.  */
static struct ummgr_object *
object_at (struct ummgr_manager *manager, uintptr_t address)
{
  struct ummgr_object *object = ummgr_objects_find (&manager->mapped, address);
  return object ? object : ummgr_unified_find (manager, address);
}

void
ummgr_launch_names (struct ummgr_manager *manager, const struct ummgr_table_region *region,
		    const struct ummgr_clauses *clauses)
{
  bool implicit, tells = manager && manager->explain;
  if (!region || region->arg_count != clauses->count)
    return;
  if (tells)
    pthread_mutex_lock (&manager->lock);
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      const struct ummgr_table_arg *arg = &region->args[i];
      const void *host = clauses->hostaddrs[i];
      int kind = ummgr_clause_kind (clauses, i, &implicit);
      if (ummgr_kind_is_data (kind) || kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION)
	ummgr_record_called (host, arg->name, arg->element_size);
      struct ummgr_object *object
	= tells && *arg->name && arg->arg_class != UMMGR_ARG_SCALAR
	  ? object_at (manager, (uintptr_t) host) : NULL;
      if (object)
	ummgr_plan_name (manager, &object->view, arg->name, region->file, region->line);
    }
  if (tells)
    pthread_mutex_unlock (&manager->lock);
}

/* What is given for OBJECT, by the name of its first argument.  */
static void
hint_log (const struct ummgr_table_region *region,
	  const struct ummgr_object_view *object,
	  const struct ummgr_hint *hint)
{
  ummgr_debug ("hints: %s:%u: %s, object %" PRIu64 " at %#" PRIxPTR
	       " of %zu bytes: %s, "
	       "locality %.6g, density %.6g (SC'19's %.6g), bytes [%" PRIu64
	       ", %" PRIu64 "), next use in %.4g regions, global locality %.6g, "
	       "likely in %.4g regions, density in the program %.6g, "
	       "places of an iteration %.4g, over the link %.6g, at most %.6g, in"
	       " the program %.6g, %s%s%s",
	       region->file, region->line, hint->name ? hint->name : "",
	       object->id, object->base,
	       object->size,
	       hint->overwritten ? "overwritten"
	       : !hint->write ? hint->read ? "read" : "not used"
	       : hint->read ? "read and written" : "written",
	       hint->locality, hint->density, hint->density_sc19, hint->lo,
	       hint->hi, hint->reuse_static, hint->global_locality,
	       hint->reuse_likely, hint->density_program, hint->scatter,
	       hint->remote, hint->remote_most, hint->remote_program,
	       hint->estimated ? "estimated" : "exact",
	       hint->reason ? ", " : "", hint->reason ? hint->reason : "");
}

/* Correct HINTS, one for each of REGION's arguments, where all pointers that it finds in memory
   lead to objects, and add what it does there to OUT, one for each of OBJECTS.  */
static void
members_add (const struct ummgr_table_region *region, const struct ummgr_clauses *clauses,
	     struct ummgr_object_view *const *objects, size_t count,
	     const struct ummgr_hint_extent *extents, struct ummgr_hint *hints,
	     struct ummgr_hint *out, bool *seen)
{
  struct ummgr_hint_extent where[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_hint members[UMMGR_LAUNCH_HINTS_MAX];
  int object[UMMGR_LAUNCH_HINTS_MAX];
  if (!region->member_count
      || !ummgr_launch_members (region, clauses, objects, count, where, object))
    return;
  ummgr_hints_follow (region, clauses->hostaddrs, clauses->sizes, extents, where, hints, members);
  for (unsigned k = 0; k < region->member_count; k++)
    {
      int o = object[k];
      if (seen[o])
	ummgr_hint_merge (&out[o], &members[k]);
      else
	out[o] = members[k];
      const char *name = ummgr_hints_member_name (region, k);
      if (!out[o].name && *name)
	out[o].name = name;
      seen[o] = true;
    }
}

bool
ummgr_launch_hints (const struct ummgr_table_region *region,
		    const struct ummgr_clauses *clauses,
		    struct ummgr_object_view *const *objects, size_t count,
		    struct ummgr_hint *out, struct ummgr_launch_data *data)
{
  struct ummgr_hint hints[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_hint_extent extents[UMMGR_LAUNCH_HINTS_MAX];
  int object[UMMGR_LAUNCH_HINTS_MAX];
  bool seen[UMMGR_LAUNCH_HINTS_MAX] = { false };
  unsigned args = region->arg_count;
  /* Another count is that of another region.  */
  if (args != clauses->count || args > UMMGR_LAUNCH_HINTS_MAX
      || count > UMMGR_LAUNCH_HINTS_MAX)
    return false;
  ummgr_launch_objects (region, clauses, objects, count, object);
  for (unsigned i = 0; i < args; i++)
    {
      extents[i] = (struct ummgr_hint_extent) { .size = clauses->sizes[i] };
      if (object[i] >= 0)
	extents[i] = (struct ummgr_hint_extent) {
	  .offset = (uintptr_t) clauses->hostaddrs[i] - objects[object[i]]->base,
	  .size = objects[object[i]]->size,
	  .remote = ((const struct ummgr_object *) objects[object[i]])->manager->remote
	};
    }
  if (!ummgr_hints_evaluate (region, clauses->hostaddrs, clauses->sizes,
			     extents, hints))
    return false;
  if (region->sampled)
    ummgr_launch_data_hints (region, clauses, objects, object, extents, hints,
			     data);
  for (size_t o = 0; o < count; o++)
    out[o] = (struct ummgr_hint) UMMGR_HINT_UNKNOWN;
  members_add (region, clauses, objects, count, extents, hints, out, seen);
  for (unsigned i = 0; i < args; i++)
    {
      int o = object[i];
      if (o < 0)
	continue;
      if (seen[o])
	ummgr_hint_merge (&out[o], &hints[i]);
      else
	out[o] = hints[i];
      if (!out[o].name && *region->args[i].name)
	out[o].name = region->args[i].name;
      seen[o] = true;
      ummgr_reuse_note (objects[o], region, &region->args[i]);
    }
  for (size_t o = 0; o < count; o++)
    if (seen[o])
      {
	ummgr_reuse_fill (objects[o], region, &out[o]);
	/* What the run has shown is of all launches so far already.  */
	if (out[o].corrected)
	  {
	    out[o].density_program = -1;
	    ummgr_account_density ((struct ummgr_object *) objects[o],
				   &out[o]);
	  }
	hint_log (region, objects[o], &out[o]);
      }
  return true;
}
