/* OpenMP's mappings: what a construct brings about.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing beyond the manager it is handed, whose lock is held.  What
   ends mappings is in unmapping.c.  */

#include "config.h"
#include "memory/mapping.h"
#include "memory/attached.h"
#include "memory/account.h"
#include "gomp/real.h"
#include "base/process.h"
#include "base/log.h"
#include "memory/kept.h"
#include "memory/linked.h"
#include "memory/plan.h"
#include "memory/storage.h"
#include "record/record.h"
#include "memory/unified.h"

/* Where libgomp's own memory grows, data of this size on are objects: one costs
   a page and two driver calls.  */
#define CROWDED_SIZE UINT64_C (4096)

/* splay_tree_lookup as gomp_map_vars_internal uses it: a range of no bytes
   is found only strictly inside a mapping.  */
struct ummgr_object *
ummgr_mapping_lookup (struct ummgr_manager *manager, uintptr_t address,
		      size_t size)
{
  if (size)
    return ummgr_objects_overlap (&manager->mapped, address, size);
  struct ummgr_object *object
    = ummgr_objects_find (&manager->mapped, address);
  return object && object->view.base != address ? object : NULL;
}

void
ummgr_mapping_increment (struct ummgr_object *object)
{
  uint64_t id = object->manager->construct;
  if (object->counted == id)
    return;
  object->counted = id;
  object->refcount++;
}

/* gomp_map_vars_existing: the clause is inside OBJECT, or (implicit maps)
   around it.  Anything else libgomp ends the program for.  */
static void
map_existing (struct ummgr_mapping *construct, struct ummgr_object *object,
	      uintptr_t address, size_t size, int kind, bool implicit)
{
  uintptr_t base = object->view.base, end = base + object->view.size;
  size_t lo = address - base;
  bool copy_out = ummgr_kind_is_data (kind) && (kind & UMMGR_MAP_FROM)
    && !ummgr_kind_is_always (kind);
  ummgr_mapping_use (construct, object);
  if (implicit && address <= base && end <= address + size)
    {
      lo = 0;
      size = object->view.size;
    }
  else if (address < base || address + size > end)
    return;
  /* Count only what the end of the construct will know of.  */
  if (ummgr_mapping_add (construct, object, lo, size, copy_out))
    ummgr_mapping_increment (object);
}

static bool
insert (struct ummgr_object *object)
{
  struct ummgr_manager *manager = object->manager;
  if (!ummgr_objects_insert (&manager->mapped, object->view.base, object))
    return false;
  if (object->copy.storage == UMMGR_STORAGE_LIBGOMP
      || ummgr_objects_insert (&manager->placed, object->copy.address, object))
    return true;
  ummgr_objects_remove (&manager->mapped, object->view.base);
  return false;
}

static bool
associate (struct ummgr_object *object)
{
  if (object->linked)
    return ummgr_linked_map (object);
  return ummgr_real (omp_target_associate_ptr)
    ((const void *) object->view.base, (const void *) object->copy.address,
     object->view.size, 0, object->manager->device) == 0;
}

static void
disassociate (struct ummgr_object *object)
{
  if (object->linked)
    ummgr_linked_unmap (object);
  else
    ummgr_real (omp_target_disassociate_ptr)
      ((const void *) object->view.base, object->manager->device);
}

/* COUNT clauses from FIRST on, the members of a struct.  */
struct members
{
  const struct ummgr_clauses *clauses;
  size_t first, count;
};

/* Copy all of new OBJECT in, or only those of its MEMBERS that are.  With `always' libgomp
   copies, as it does for what is present.  */
static bool
fill (struct ummgr_object *object, int kind, const struct members *members)
{
  bool good = true, implicit;
  if (!members)
    return (kind & UMMGR_MAP_TO) == 0 || ummgr_kind_is_always (kind)
	   || ummgr_storage_copy_in (object, 0, object->view.size) == UMMGR_OK;
  for (size_t i = members->first; good && i < members->first + members->count; i++)
    {
      size_t lo = (uintptr_t) members->clauses->hostaddrs[i] - object->view.base;
      kind = ummgr_clause_kind (members->clauses, i, &implicit);
      if (kind & UMMGR_MAP_TO && !ummgr_kind_is_always (kind))
	good = ummgr_storage_copy_in (object, lo, members->clauses->sizes[i]) == UMMGR_OK;
    }
  return good;
}

/* Give new OBJECT storage, its contents and its association.  What fails on
   the way leaves it to libgomp.  The association comes first: it is also the
   test whether libgomp knows any part of the range.  */
static void
take_over (struct ummgr_object *object, int kind, const struct members *members)
{
  if (!ummgr_plan_map (object))
    return;
  if (associate (object))
    {
      if (fill (object, kind, members))
	return;
      ummgr_manager_give_up (object->manager, "copying an object in");
      disassociate (object);
    }
  else
    ummgr_debug ("mapping: libgomp knows a part of [%#lx, +%zu) already",
		 (unsigned long) object->view.base, object->view.size);
  ummgr_plan_unmap (object);
  ummgr_storage_destroy (object);
}

/* Does what has SIZE bytes and is of KIND have its place before what has OTHER_SIZE and is of OTHER?  What isn't copied
   in goes before what is: if that place turns out to be another's, nothing has come and gone in vain.  Of what is,
   smaller data, and as large data that needn't come back, since the host need not copy it, and what is written goes
   over the link beside what is read.  */
static bool
goes_before (int kind, size_t size, int other, size_t other_size)
{
  if (!(kind & other & UMMGR_MAP_TO))
    return other & UMMGR_MAP_TO;
  return size < other_size || (size == other_size && other & UMMGR_MAP_FROM && !(kind & UMMGR_MAP_FROM));
}

/* Bytes of CLAUSES' data that is new; with a SIZE of what goes before an object of KIND and that.  */
static uint64_t
new_bytes (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, size_t size, int kind)
{
  uint64_t sum = 0;
  bool implicit;
  for (size_t i = 0; i < clauses->count; i++)
    {
      uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
      int its = ummgr_clause_kind (clauses, i, &implicit);
      if (address && its == UMMGR_MAP_STRUCT)
	i += clauses->sizes[i];
      else if (address && ummgr_kind_is_data (its)
	       && (size == SIZE_MAX || goes_before (its, clauses->sizes[i], kind, size))
	       && !ummgr_objects_overlap (&manager->mapped, address, clauses->sizes[i])
	       && !ummgr_unified_find (manager, address))
	sum += clauses->sizes[i];
    }
  return sum;
}

uint64_t
ummgr_mapping_new_bytes (struct ummgr_manager *manager, const struct ummgr_clauses *clauses)
{
  return new_bytes (manager, clauses, SIZE_MAX, 0);
}

/* A `declare target' variable can't be one, but with `link': the device's code has its address
   there.  The range is in no object of ours: make one, unless libgomp has it already
   (a `declare target' variable, the program's own association, a part of a
   struct).  */
static struct ummgr_object *
object_make (struct ummgr_mapping *construct, uintptr_t address, size_t size,
	     int kind, const struct members *members)
{
  struct ummgr_manager *manager = construct->manager;
  uint64_t least = ummgr_process.options.min_size;
  if (manager->crowded && least > CROWDED_SIZE)
    least = CROWDED_SIZE;
  if (size < least)
    return NULL;
  bool present = ummgr_real (omp_target_is_present) ((const void *) address, manager->device);
  bool linked = present && ummgr_linked_is (address, size);
  struct ummgr_object *object
    = present && !linked ? NULL
      : ummgr_object_new (address, size, manager->device, UMMGR_PATH_MAPPED);
  if (!object)
    return NULL;
  object->manager = manager;
  object->linked = linked;
  if (manager->mapping)
    object->view.ahead = new_bytes (manager, manager->mapping, size, kind);
  if (!ummgr_manager_passive (manager) && !manager->gone)
    take_over (object, kind, members);
  if (!insert (object))
    {
      if (object->copy.storage != UMMGR_STORAGE_LIBGOMP)
	{
	  disassociate (object);
	  ummgr_plan_unmap (object);
	  ummgr_storage_destroy (object);
	}
      ummgr_object_drop (object);
      return NULL;
    }
  ummgr_account_open (object, construct->site);
  return object;
}

/* Map what is in no object of ours.  */
static void
map_new (struct ummgr_mapping *construct, uintptr_t address, size_t size,
	 int kind)
{
  struct ummgr_object *object = object_make (construct, address, size, kind, NULL);
  if (!object)
    return;
  if (object->copy.storage == UMMGR_STORAGE_LIBGOMP && (kind & UMMGR_MAP_TO))
    {
      ummgr_account_copied (object, size, 0);
      object->copy.filled = construct->manager->construct;
    }
  map_existing (construct, object, address, size, kind, false);
  if (!object->refcount)
    ummgr_mapping_release (object);
}

/* Bytes between two members of a struct that are nobody's.  */
enum { PADDING = 16 };

/* What M are in all into *ADDRESS and *SIZE.  False where something else lies in between, which
   no clause asked for, or where libgomp writes pointers into them.  */
static bool
members_extent (const struct members *m, uintptr_t *address, size_t *size)
{
  bool implicit;
  const struct ummgr_clauses *clauses = m->clauses;
  uintptr_t end = *address = (uintptr_t) clauses->hostaddrs[m->first];
  for (size_t i = m->first; i < m->first + m->count; i++)
    {
      uintptr_t at = (uintptr_t) clauses->hostaddrs[i];
      if (!at || !clauses->sizes[i] || at < end || at - end >= PADDING
	  || !ummgr_kind_is_data (ummgr_clause_kind (clauses, i, &implicit)))
	return false;
      end = at + clauses->sizes[i];
    }
  *size = end - *address;
  for (size_t i = 0; i < clauses->count; i++)
    {
      int kind = ummgr_clause_kind (clauses, i, &implicit);
      if ((ummgr_kind_is_attach (kind) || kind == UMMGR_MAP_ALWAYS_POINTER)
	  && (uintptr_t) clauses->hostaddrs[i] - *address < *size)
	return false;
    }
  return true;
}

/* Note what libgomp copies in of OBJECT, M.  */
static void
members_account (struct ummgr_object *object, const struct members *m)
{
  bool implicit;
  for (size_t i = m->first; i < m->first + m->count; i++)
    if (ummgr_clause_kind (m->clauses, i, &implicit) & UMMGR_MAP_TO)
      ummgr_account_copied (object, m->clauses->sizes[i], 0);
}

/* If M are in no object, make one of them all: libgomp takes members that it finds mapped
   from one mapping only.  */
static void
members_map (struct ummgr_mapping *construct, const struct members *m)
{
  struct ummgr_manager *manager = construct->manager;
  uintptr_t address;
  size_t size;
  if (!m->count || !members_extent (m, &address, &size)
      || (ummgr_unified_any () && ummgr_unified_use (manager, address, true))
      || ummgr_objects_overlap (&manager->mapped, address, size))
    return;
  struct ummgr_object *object = object_make (construct, address, size, UMMGR_MAP_ALLOC, m);
  if (object && object->copy.storage == UMMGR_STORAGE_LIBGOMP)
    members_account (object, m);
}

/* CONSTRUCT maps [ADDRESS, ADDRESS + SIZE) of unified OBJECT, which moves nothing.  As what `target data' maps so
   comes back when the last such mapping ends, the host wants it then; of a region alone the tables know better who
   is next.  */
static void
map_unified (struct ummgr_mapping *construct, struct ummgr_object *object, uintptr_t address, size_t size, int kind)
{
  ummgr_mapping_use (construct, object);
  if (!object->opaque && !construct->region && ummgr_kind_is_data (kind) && object->manager == construct->manager
      && ummgr_mapping_add (construct, object, address - object->view.base, size, kind & UMMGR_MAP_FROM))
    ummgr_mapping_increment (object);
}

/* A clause that maps [ADDRESS, ADDRESS + SIZE) or finds it mapped.  */
static void
map_range (struct ummgr_mapping *construct, uintptr_t address, size_t size,
	   int kind, bool implicit, bool may_make)
{
  struct ummgr_manager *manager = construct->manager;
  struct ummgr_object *object = NULL;
  if (ummgr_unified_any ()
      && (object = ummgr_unified_use (manager, address, true)))
    {
      map_unified (construct, object, address, size, kind);
      if (!object->opaque)
	return;
    }
  object = ummgr_mapping_lookup (manager, address, size);
  if (object)
    map_existing (construct, object, address, size, kind, implicit);
  else if (may_make && size)
    map_new (construct, address, size, kind);
}

/* gomp_map_0len_lookup: nothing is made, and what is there counts.  */
static void
map_zero_length (struct ummgr_mapping *construct, uintptr_t address,
		 size_t size)
{
  struct ummgr_manager *manager = construct->manager;
  struct ummgr_object *object;
  if (ummgr_unified_any ()
      && (object = ummgr_unified_use (manager, address, true)))
    ummgr_mapping_use (construct, object);
  else if ((object = ummgr_objects_overlap (&manager->mapped, address,
					    size ? size : 1)))
    map_existing (construct, object, address, size,
		  UMMGR_MAP_ZERO_LEN_ARRAY_SECTION, false);
}

/* The region gets VALUE as it is.  It may be a device address.  */
static void
use_value (struct ummgr_mapping *construct, uintptr_t value)
{
  struct ummgr_manager *manager = construct->manager;
  struct ummgr_object *object = NULL;
  if (ummgr_unified_any ())
    object = ummgr_unified_use (manager, value, false);
  if (!object)
    object = ummgr_objects_find (&manager->placed, value);
  if (object)
    ummgr_mapping_use (construct, object);
}

/* libgomp writes the device address of TARGET somewhere.  False: it is in no object.  */
static bool
pin_target (struct ummgr_mapping *construct, uintptr_t target)
{
  struct ummgr_object *object = NULL;
  if (ummgr_unified_any ())
    object = ummgr_unified_use (construct->manager, target, true);
  if (!object)
    object = ummgr_objects_find (&construct->manager->mapped, target);
  if (!object)
    return false;
  ummgr_storage_pin (object);
  ummgr_mapping_use (construct, object);
  return true;
}

/* Will the variable at SLOT have a device copy in this construct?  The
   compiler names every base pointer; one without a copy is not attached.  */
static bool
slot_is_mapped (const struct ummgr_mapping *construct,
		const struct ummgr_clauses *clauses, uintptr_t slot)
{
  bool implicit;
  for (size_t i = 0; i < clauses->count; i++)
    {
      uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
      if (address && slot - address < clauses->sizes[i]
	  && ummgr_kind_is_data (ummgr_clause_kind (clauses, i, &implicit)))
	return true;
    }
  return ummgr_real (omp_target_is_present) ((const void *) slot,
					     construct->manager->device);
}

/* The pointer at SLOT is given the device address of what it points to, BIAS
   bytes on.  */
static void
map_attach (struct ummgr_mapping *construct,
	    const struct ummgr_clauses *clauses, uintptr_t slot, size_t bias)
{
  struct ummgr_object *holder
    = ummgr_objects_find (&construct->manager->mapped, slot);
  if (!holder && !slot_is_mapped (construct, clauses, slot))
    return;
  if (holder)
    {
      holder->attached = true;
      ummgr_storage_pin (holder);
    }
  uintptr_t target = *(uintptr_t *) slot;
  bool known = pin_target (construct, target + bias);
  ummgr_attached_note (construct->manager, slot, known ? target : 0);
}

/* Before anything is associated: which unified objects may not be?  Attaching
   a pointer in unified memory would overwrite the host's own, unless what it
   points to has one address too: else the memory around it is treated as
   ordinary from now on.  */
static void
find_opaque (struct ummgr_mapping *construct,
	     const struct ummgr_clauses *clauses)
{
  struct ummgr_manager *manager = construct->manager;
  bool implicit;
  for (size_t i = 0; i < clauses->count; i++)
    {
      int kind = ummgr_clause_kind (clauses, i, &implicit);
      if (!clauses->hostaddrs[i]
	  || !(ummgr_kind_is_attach (kind) || kind == UMMGR_MAP_ALWAYS_POINTER))
	continue;
      uintptr_t slot = (uintptr_t) clauses->hostaddrs[i];
      struct ummgr_object *holder = ummgr_unified_use (manager, slot, false);
      if (!holder || holder->opaque
	  || ummgr_unified_use (manager, *(uintptr_t *) slot, false))
	continue;
      holder->opaque = true;
      if (holder->associated >> manager->device & 1
	  && ummgr_real (omp_target_disassociate_ptr)
	  ((const void *) holder->view.base, manager->device) == 0)
	{
	  holder->associated &= ~((uint64_t) 1 << manager->device);
	  ummgr_record_absent (holder->view.base, holder->view.size,
			       manager->device);
	}
    }
}

/* Does anything of [ADDRESS, +SIZE) lie between the begin of a struct of CLAUSES' and the end of its last member
   there?  Where libgomp finds a part of that mapped it wants all members in it.  */
static bool
in_struct (const struct ummgr_clauses *clauses, uintptr_t address, size_t size)
{
  bool implicit;
  for (size_t i = 0; i + 1 < clauses->count; i++)
    {
      size_t last = i + clauses->sizes[i];
      if (ummgr_clause_kind (clauses, i, &implicit) != UMMGR_MAP_STRUCT || last <= i || last >= clauses->count)
	continue;
      uintptr_t base = (uintptr_t) clauses->hostaddrs[i];
      if (base < address + size && address < (uintptr_t) clauses->hostaddrs[last] + clauses->sizes[last])
	return true;
    }
  return false;
}

static void
map_clause (struct ummgr_mapping *construct,
	    const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
  size_t size = clauses->sizes[i];
  switch (kind)
    {
    case UMMGR_MAP_ZERO_LEN_ARRAY_SECTION:
      map_zero_length (construct, address, size);
      break;
    case UMMGR_MAP_POINTER:
    case UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION:
      map_range (construct, address, sizeof (void *), kind, implicit, false);
      pin_target (construct, *(uintptr_t *) address + size);
      break;
    case UMMGR_MAP_ATTACH:
    case UMMGR_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION:
      map_attach (construct, clauses, address, size);
      break;
    case UMMGR_MAP_ALWAYS_POINTER:
      if (i > 0 && clauses->hostaddrs[i - 1])
	pin_target (construct, (uintptr_t) clauses->hostaddrs[i - 1]);
      break;
    case UMMGR_MAP_USE_DEVICE_PTR:
    case UMMGR_MAP_USE_DEVICE_PTR_IF_PRESENT:
      pin_target (construct, address);
      break;
    case UMMGR_MAP_FIRSTPRIVATE_INT:
      use_value (construct, address);
      break;
    case UMMGR_MAP_FIRSTPRIVATE:
      if (size == sizeof (void *))
	use_value (construct, *(uintptr_t *) address);
      break;
    case UMMGR_MAP_TO_PSET:
    case UMMGR_MAP_IF_PRESENT:
      map_range (construct, address, size, kind, implicit, false);
      break;
    default:
      if (!ummgr_kind_is_data (kind))
	ummgr_info ("mapping: clause of unknown kind %#x is left to libgomp",
		    (unsigned) kind);
      map_range (construct, address, size, kind, implicit,
		 ummgr_kind_is_data (kind) && !in_struct (clauses, address, size));
    }
}

/* The struct of clause I: its members become one mapping with one count, unless they are in
   a mapping that exists (gomp_map_fields_existing).  Returns how many they are.  */
static size_t
struct_clause (struct ummgr_mapping *construct, const struct ummgr_clauses *clauses, size_t i)
{
  size_t count = clauses->sizes[i], most = clauses->count - i - 1;
  const struct members members = { clauses, i + 1, count };
  bool implicit;
  if (count <= most)
    members_map (construct, &members);
  else
    count = most;
  for (size_t j = i + 1; j <= i + count; j++)
    {
      int kind = ummgr_clause_kind (clauses, j, &implicit);
      map_range (construct, (uintptr_t) clauses->hostaddrs[j], clauses->sizes[j], kind,
		 implicit, false);
    }
  struct ummgr_object *object
    = count ? ummgr_objects_find (&construct->manager->mapped,
				  (uintptr_t) clauses->hostaddrs[i + 1]) : NULL;
  /* Only where there was no memory to note any of it.  */
  if (object && !object->refcount)
    ummgr_mapping_release (object);
  return count;
}

void
ummgr_mapping_begin (struct ummgr_mapping *construct,
		     const struct ummgr_clauses *clauses)
{
  struct ummgr_manager *manager = construct->manager;
  bool implicit;
  manager->construct++;
  bool counts = manager->kept || manager->admission || manager->executor.policy->on_construct;
  uint64_t bytes = counts ? ummgr_mapping_new_bytes (manager, clauses) : 0;
  ummgr_manager_look (manager, bytes, manager->admission ? ummgr_kept_again (manager, clauses) : 0);
  if (ummgr_unified_any ())
    find_opaque (construct, clauses);
  ummgr_kept_room (manager, clauses, bytes);
  if (manager->executor.policy->on_construct)
    {
      manager->executor.policy->on_construct (manager->executor.state, bytes);
      /* Where all fits nobody asks in which order it comes.  */
      manager->mapping = manager->taken + bytes > manager->budget ? clauses : NULL;
    }
  for (size_t i = 0; i < clauses->count; i++)
    {
      if (!clauses->hostaddrs[i])
	continue;
      if (ummgr_clause_kind (clauses, i, &implicit) != UMMGR_MAP_STRUCT)
	{
	  map_clause (construct, clauses, i);
	  continue;
	}
      i += struct_clause (construct, clauses, i);
    }
  manager->mapping = NULL;
}

bool
ummgr_mapping_concerned (const struct ummgr_manager *manager,
			 const struct ummgr_clauses *clauses)
{
  if (ummgr_objects_count (&manager->mapped) || ummgr_unified_any ())
    return true;
  uint64_t min_size = ummgr_process.options.min_size;
  for (size_t i = 0; i < clauses->count; i++)
    if (clauses->sizes[i] >= min_size)
      return true;
  return false;
}

/* May libgomp go without clause I of `target data'?  It has nothing to do
   for plain data of ours.  Otherwise its list refers to the association until
   the end of the construct, and the object can't move or go before.  */
static bool
hideable (const struct ummgr_clauses *clauses, size_t i, int kind)
{
  bool implicit;
  return ummgr_kind_is_data (kind)
    && (i + 1 == clauses->count
	|| ummgr_clause_kind (clauses, i + 1, &implicit)
	   != UMMGR_MAP_ALWAYS_POINTER);
}

/* Copy for a hidden clause with `always' what libgomp would have, now and at
   the end.  Not where it has attached pointers: only it knows which.  */
static bool
copy_always (struct ummgr_mapping *construct, struct ummgr_object *object,
	     uintptr_t address, size_t size, int kind)
{
  size_t lo = address - object->view.base, i = construct->count;
  while (i > 0 && (construct->entries[i - 1].object != object
		   || construct->entries[i - 1].lo != lo
		   || construct->entries[i - 1].size != size))
    i--;
  if (i == 0 || object->attached
      || ((kind & UMMGR_MAP_TO)
	  && ummgr_storage_copy_in (object, lo, size) != UMMGR_OK))
    return false;
  construct->entries[i - 1].always |= (kind & UMMGR_MAP_FROM) != 0;
  return true;
}

bool
ummgr_mapping_always (struct ummgr_mapping *construct, const struct ummgr_clauses *clauses)
{
  bool implicit, all = true;
  for (size_t i = 0; i < clauses->count; i++)
    {
      uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
      int kind = ummgr_clause_kind (clauses, i, &implicit);
      struct ummgr_object *object = address && ummgr_kind_is_always (kind)
	? ummgr_objects_find (&construct->manager->mapped, address) : NULL;
      if (object)
	all &= copy_always (construct, object, address, clauses->sizes[i], kind);
    }
  return all;
}

void
ummgr_mapping_update (struct ummgr_manager *manager, const struct ummgr_clauses *clauses,
		      size_t *sizes)
{
  bool implicit;
  for (size_t i = 0; i < clauses->count; i++)
    {
      uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
      int kind = ummgr_clause_kind (clauses, i, &implicit);
      struct ummgr_object *object = address && clauses->sizes[i] && ummgr_kind_is_data (kind)
	? ummgr_objects_find (&manager->mapped, address) : NULL;
      sizes[i] = clauses->sizes[i];
      if (!object || object->attached || object->copy.storage == UMMGR_STORAGE_LIBGOMP
	  || sizes[i] > object->view.size - (address - object->view.base))
	continue;
      if (ummgr_storage_update (object, address - object->view.base, sizes[i],
				kind & UMMGR_MAP_TO))
	sizes[i] = 0;
    }
}

static void
hold_at (struct ummgr_mapping *construct, uintptr_t address)
{
  struct ummgr_object *object
    = ummgr_objects_find (&construct->manager->mapped, address);
  if (object && object->copy.storage != UMMGR_STORAGE_LIBGOMP)
    ummgr_mapping_hold (construct, object);
}

void
ummgr_mapping_hide (struct ummgr_mapping *construct,
		    const struct ummgr_clauses *clauses, void **hostaddrs)
{
  struct ummgr_manager *manager = construct->manager;
  size_t members = 0;
  bool implicit;
  for (size_t i = 0; i < clauses->count; i++)
    {
      uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
      int kind = ummgr_clause_kind (clauses, i, &implicit);
      struct ummgr_object *object
	= address ? ummgr_objects_find (&manager->mapped, address) : NULL;
      hostaddrs[i] = clauses->hostaddrs[i];
      if (kind == UMMGR_MAP_STRUCT)
	members = clauses->sizes[i] + 1;
      if (members)
	members--, hold_at (construct, address);
      else if (!object || object->copy.storage == UMMGR_STORAGE_LIBGOMP
	       || address + clauses->sizes[i]
		  > object->view.base + object->view.size)
	continue;
      else if (hideable (clauses, i, kind)
	       && (!ummgr_kind_is_always (kind)
		   || copy_always (construct, object, address,
				   clauses->sizes[i], kind)))
	hostaddrs[i] = NULL;
      else if (kind != UMMGR_MAP_USE_DEVICE_PTR
	       && kind != UMMGR_MAP_USE_DEVICE_PTR_IF_PRESENT)
	hold_at (construct, address);
    }
}

void
ummgr_mapping_pin (struct ummgr_manager *manager, const void *ptr)
{
  struct ummgr_object *object
    = ummgr_objects_find (&manager->mapped, (uintptr_t) ptr);
  if (object)
    ummgr_storage_pin (object);
}

bool
ummgr_mapping_owns (struct ummgr_manager *manager, const void *ptr)
{
  struct ummgr_object *object
    = ummgr_objects_find (&manager->mapped, (uintptr_t) ptr);
  return object && object->view.base == (uintptr_t) ptr
    && object->copy.storage != UMMGR_STORAGE_LIBGOMP;
}
