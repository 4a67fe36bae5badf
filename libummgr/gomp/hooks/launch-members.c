/* What a region reaches by pointers that it finds in what is mapped, with no argument for it: of a
   solver that an earlier `enter data' mapped, with what its members point to, a region has only
   the struct.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The pointers themselves are not read: the host's may be others by now, or in memory that has
   gone, and reading the device's takes time.  Where they lead is known from when they were
   attached.  Holds no state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "hints/hints.h"
#include "memory/attached.h"
#include "memory/unified.h"

/* The object that member K leads to, and in *AT where, by the host's address; or NULL.  */
static struct ummgr_object *
member_object (struct ummgr_manager *manager, const struct ummgr_table_region *region,
	       const struct ummgr_clauses *clauses, unsigned k, uintptr_t *at)
{
  bool implicit;
  const struct ummgr_table_member *member = &region->members[k];
  uintptr_t holder = (uintptr_t) clauses->hostaddrs[member->arg];
  int kind = ummgr_clause_kind (clauses, member->arg, &implicit);
  if (!holder || kind == UMMGR_MAP_FIRSTPRIVATE || kind == UMMGR_MAP_FIRSTPRIVATE_INT)
    return NULL;
  *at = ummgr_attached_to (manager, holder + member->offset);
  struct ummgr_object *object = NULL;
  if (*at && ummgr_unified_any ())
    object = ummgr_unified_use (manager, *at, true);
  return object || !*at ? object : ummgr_objects_find (&manager->mapped, *at);
}

void
ummgr_launch_members_use (const struct ummgr_table_region *region,
			  const struct ummgr_clauses *clauses, struct ummgr_mapping *mapping)
{
  uintptr_t at;
  if (region->arg_count != clauses->count)
    return;
  for (unsigned k = 0; k < region->member_count; k++)
    {
      struct ummgr_object *object
	= member_object (mapping->manager, region, clauses, k, &at);
      if (object)
	ummgr_mapping_use (mapping, object);
    }
}

bool
ummgr_launch_members (const struct ummgr_table_region *region, const struct ummgr_clauses *clauses,
		      struct ummgr_object_view *const *objects, size_t count,
		      struct ummgr_hint_extent *extents, int *object)
{
  if (!count || !ummgr_hints_can_follow (region)
      || region->member_count > UMMGR_LAUNCH_HINTS_MAX)
    return false;
  struct ummgr_manager *manager = ((struct ummgr_object *) objects[0])->manager;
  for (unsigned k = 0; k < region->member_count; k++)
    {
      uintptr_t at;
      const struct ummgr_object *to = member_object (manager, region, clauses, k, &at);
      size_t o = 0;
      while (o < count && (!to || objects[o] != &to->view))
	o++;
      if (o == count)
	return false;
      object[k] = (int) o;
      extents[k] = (struct ummgr_hint_extent) {
	.offset = at - to->view.base, .size = to->view.size, .remote = manager->remote
      };
    }
  return true;
}
