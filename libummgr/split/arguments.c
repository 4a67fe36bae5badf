/* How a launch's arguments go to other GPUs than its own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  */

#include "config.h"
#include "split/arguments.h"

#include "device/device.h"
#include "gomp/real.h"
#include "hints/hints.h"
#include "split/managed.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN_MOST = 4096 };	/* Bytes of a struct in which pointers are looked for.  */

/* May any GPU follow VALUE, which is no such address, if that is a pointer?  */
static bool
goes_anywhere (const struct ummgr_table_arg *arg, uintptr_t value)
{
  return arg->arg_class == UMMGR_ARG_SCALAR || !value
	 || (arg->arg_class == UMMGR_ARG_UNKNOWN && value < 4096);
}

/* May the region follow pointers that it finds in ARG's memory?  They may lead anywhere.  */
static bool
leads_on (const struct ummgr_table_region *known, const struct ummgr_table_arg *arg)
{
  return known->split.flags & UMMGR_SPLIT_POINTERS && !arg->flat;
}

static const char one_device[] = "a map clause of a kind that one device alone has";
static const char elsewhere[] = "a pointer to memory that other GPUs don't have";

static bool
is_pointer (int kind)
{
  return kind == UMMGR_MAP_POINTER || kind == UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION;
}

/* What libgomp would have the device's copy of the pointer of clause I be: *VALUE_P, on any GPU.
   False: it leads to what others don't have.  */
static bool
pointer_value (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, size_t i,
	       uintptr_t *value_p)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  uintptr_t to = *(uintptr_t *) clauses->hostaddrs[i], first = to + clauses->sizes[i];
  struct ummgr_object *object = to ? ummgr_managed_at (manager, first, 0) : NULL;
  *value_p = object ? object->copy.address + (first - object->view.base) - clauses->sizes[i] : 0;
  return !to || object || kind == UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION
	 || kind == UMMGR_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION;
}

/* A descriptor and the pointers in it, which are clauses behind clause I, or such a pointer
   alone: a copy into OUT that all GPUs can use, or why there is none.  */
static const char *
descriptor_plan (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		 const struct ummgr_clauses *clauses, size_t i, struct ummgr_gpus_argument *out)
{
  bool implicit;
  uintptr_t address = (uintptr_t) clauses->hostaddrs[i], value;
  bool alone = is_pointer (ummgr_clause_kind (clauses, i, &implicit));
  if (ummgr_hints_use (known, i).flags & UMMGR_USE_WRITE)
    return "it may change a pointer, of which each GPU has its own";
  memcpy (out->copy, (void *) address, out->copy_size);
  for (size_t j = alone ? i : i + 1; j < clauses->count; j++)
    {
      uintptr_t at = (uintptr_t) clauses->hostaddrs[j] - address;
      if (!is_pointer (ummgr_clause_kind (clauses, j, &implicit)) || at >= out->copy_size
	  || out->copy_size - at < sizeof value)
	break;
      if (!pointer_value (manager, clauses, j, &value))
	return elsewhere;
      memcpy (out->copy + at, &value, sizeof value);
    }
  return NULL;
}

/* Bytes that clause I has as a copy.  */
static size_t
copy_size (const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  return !clauses->hostaddrs[i] ? 0 : kind == UMMGR_MAP_TO_PSET ? clauses->sizes[i]
	 : is_pointer (kind) ? sizeof (void *) : 0;
}

/* So many bytes of argument I's memory have the pointers that the region finds in it.  */
static size_t
seen_size (const struct ummgr_table_region *known, size_t i)
{
  size_t size = 0;
  for (unsigned k = 0; k < known->member_count; k++)
    if (known->members[k].arg == i && known->members[k].offset + sizeof (void *) > size)
      size = known->members[k].offset + sizeof (void *);
  return size <= SEEN_MOST ? size : 0;
}

static size_t
round_up (size_t size)
{
  return (size + 15) & -(size_t) 16;
}

/* Room for OUT's arguments, with what they have of their own; false without memory.  */
static bool
arguments_make (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
		struct ummgr_gpus_launch *out)
{
  size_t count = clauses->count + known->member_count, more = 0;
  size_t all = round_up ((count + 1) * sizeof *out->argument);
  for (size_t i = 0; i < clauses->count; i++)
    more += round_up (copy_size (clauses, i)) + round_up (seen_size (known, i));
  out->argument = calloc (1, all + more);
  out->arguments = out->argument ? count : 0;
  char *next = (char *) out->argument + all;
  for (size_t i = 0; out->argument && i < clauses->count; i++)
    {
      struct ummgr_gpus_argument *a = &out->argument[i];
      a->copy = next;
      a->copy_size = copy_size (clauses, i);
      a->seen = next + round_up (a->copy_size);
      a->seen_size = seen_size (known, i);
      next = a->seen + round_up (a->seen_size);
    }
  return out->argument;
}

static const char follows[] = "it follows pointers that it finds in memory";

/* The pointer of clause I, in memory of ours, is to lead to the device's data: libgomp
   writes that there, for the time of the launch.  */
static const char *
attach_plan (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, size_t i,
	     struct ummgr_gpus_argument *out)
{
  uintptr_t value;
  out->unused = true;
  out->attached = ummgr_managed_at (manager, (uintptr_t) clauses->hostaddrs[i], sizeof (void *));
  /* One without a copy on the device is not attached.  */
  if (!out->attached
      && ummgr_real (omp_target_is_present) (clauses->hostaddrs[i], manager->device))
    return one_device;
  return !out->attached || pointer_value (manager, clauses, i, &value) ? NULL : elsewhere;
}

/* How argument I goes to a GPU that is not MANAGER's; or why it can't.  */
static const char *
argument_plan (struct ummgr_manager *manager, const struct ummgr_table_region *known,
	       const struct ummgr_clauses *clauses, size_t i, struct ummgr_gpus_argument *out)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
  const struct ummgr_table_arg *arg = &known->args[i];
  if (!address)
    return NULL;
  switch (kind)
    {
    case UMMGR_MAP_FIRSTPRIVATE_INT:
      out->object = arg->hidden || arg->arg_class == UMMGR_ARG_SCALAR
		    ? NULL : ummgr_managed_by_value (manager, address);
      if (out->object)
	out->offset = address - out->object->copy.address;
      if (out->object && leads_on (known, arg))
	return follows;
      return out->object || arg->hidden || goes_anywhere (arg, address) ? NULL
	     : elsewhere;
    case UMMGR_MAP_FIRSTPRIVATE:
      if (arg->arg_class == UMMGR_ARG_RECORD)
	return leads_on (known, arg) ? follows : NULL;
      return clauses->sizes[i] != sizeof (void *)
	     || goes_anywhere (arg, *(uintptr_t *) address)
	     || ummgr_managed_by_value (manager, *(uintptr_t *) address) ? NULL : elsewhere;
    case UMMGR_MAP_POINTER:
    case UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION:
    case UMMGR_MAP_TO_PSET:
      return descriptor_plan (manager, known, clauses, i, out);
    case UMMGR_MAP_ATTACH:
    case UMMGR_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION:
      return attach_plan (manager, clauses, i, out);
    case UMMGR_MAP_ZERO_LEN_ARRAY_SECTION:
      break;
    default:
      if (!ummgr_kind_is_data (kind))
	return one_device;
    }
  out->object = ummgr_managed_at (manager, address, clauses->sizes[i]);
  if (!out->object)
    return kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION ? NULL
	   : "data that is not ummgr's managed memory";
  if (leads_on (known, arg))
    return follows;
  out->offset = address - out->object->view.base;
  return NULL;
}

/* Have the pointers in A's memory, which is MANAGER's, read: that moves no page, and the device's
   copy may have others than the host's.  */
static bool
see (struct ummgr_manager *manager, struct ummgr_gpus_argument *a)
{
  struct ummgr_device *d = ummgr_device_of (manager->device);
  if (a->was_seen)
    return true;
  a->was_seen = a->seen_size && a->offset <= a->object->view.size
		&& a->seen_size <= a->object->view.size - a->offset
		&& d->ops->copy_out (d, a->seen, a->object->copy.address + a->offset,
				     a->seen_size) == UMMGR_OK;
  return a->was_seen;
}

/* What MEMBER is on the device into *VALUE_P.  False: that can't be told.  */
static bool
member_value (struct ummgr_manager *manager, const struct ummgr_table_member *member,
	      const struct ummgr_clauses *clauses, struct ummgr_gpus_argument *a,
	      uintptr_t *value_p)
{
  bool implicit;
  size_t end = member->offset + sizeof *value_p;
  char *address = clauses->hostaddrs[member->arg];
  int kind = ummgr_clause_kind (clauses, member->arg, &implicit);
  const char *from = NULL;
  for (size_t i = 0; address && kind != UMMGR_MAP_FIRSTPRIVATE_INT && i < clauses->count; i++)
    if (clauses->hostaddrs[i] == address + member->offset
	&& ummgr_kind_is_attach (ummgr_clause_kind (clauses, i, &implicit)))
      return pointer_value (manager, clauses, i, value_p);
  *value_p = 0;
  if (!address)
    return true;
  if (a->copy_size)
    from = end <= a->copy_size ? a->copy : NULL;
  else if (a->object)
    from = see (manager, a) ? a->seen : NULL;
  else if (kind == UMMGR_MAP_FIRSTPRIVATE)
    from = end <= clauses->sizes[member->arg] ? address : NULL;
  if (from)
    memcpy (value_p, from + member->offset, sizeof *value_p);
  return from;
}

/* What the pointer MEMBER of A leads to, into OUT; or why others GPUs can't follow it.  */
static const char *
member_plan (struct ummgr_manager *manager, const struct ummgr_table_member *member,
	     const struct ummgr_clauses *clauses, struct ummgr_gpus_argument *a,
	     struct ummgr_gpus_argument *out)
{
  uintptr_t value;
  if (!member_value (manager, member, clauses, a, &value))
    return follows;
  out->object = ummgr_managed_by_value (manager, value);
  if (out->object)
    out->offset = value - out->object->copy.address;
  return !value || out->object ? NULL : elsewhere;
}

const char *
ummgr_gpus_arguments (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		      const struct ummgr_clauses *clauses, struct ummgr_gpus_launch *out)
{
  if (known->split.lo < 0 && !*known->split.why)
    return "it was compiled with -fplugin-arg-ummgr-split=off, or by an older plugin";
  if (known->split.flags & UMMGR_SPLIT_STATICS)
    return "it uses variables that each GPU has its own of";
  if (known->split.flags & UMMGR_SPLIT_CALLS)
    return "it calls what is not known here";
  if (!arguments_make (known, clauses, out))
    return "there is no memory";
  const char *why = NULL;
  for (size_t i = 0; i < clauses->count && !why; i++)
    why = argument_plan (manager, known, clauses, i, &out->argument[i]);
  for (unsigned k = 0; k < known->member_count && !why; k++)
    why = member_plan (manager, &known->members[k], clauses,
		       &out->argument[known->members[k].arg],
		       &out->argument[clauses->count + k]);
  return why;
}
