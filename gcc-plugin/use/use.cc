/* How a region uses its arguments: the analysis as a whole.
   SPDX-License-Identifier: GPL-3.0-or-later

   Needs SSA form and block counts or at least probabilities; changes no code.
   See use.h for how it goes about it.  Owns nothing but what it hands out.  */

#include "use/use.h"

/* What a pointer of unknown origin may do, it may do to any argument's memory
   but private copies.  */
static void
wild_spread (use_region *region)
{
  if (!region->wild_read && !region->wild_write)
    return;
  for (unsigned i = 0; i < region->arg_flags.length (); i++)
    {
      unsigned kind = region->region->args[i].map_kind;
      if (kind == GOMP_MAP_FIRSTPRIVATE || kind == GOMP_MAP_FIRSTPRIVATE_INT)
	continue;
      if (!(region->arg_flags[i] & UMMGR_USE_UNKNOWN))
	region->arg_flags[i] |= UMMGR_USE_BEHIND;
      region->arg_flags[i] |= UMMGR_USE_UNKNOWN
			      | (region->wild_read ? UMMGR_USE_READ : 0)
			      | (region->wild_write ? UMMGR_USE_WRITE : 0);
      if (!region->arg_why[i])
	region->arg_why[i] = xstrdup (region->wild_why);
    }
}

/* What is not followed may do anything to variables of the region's own.  */
static void
statics_spread (use_region *region)
{
  if (!(region->met & UMMGR_SPLIT_CALLS) && !region->wild_read && !region->wild_write)
    return;
  const char *why = region->wild_why ? region->wild_why : region->unseen_why;
  for (unsigned i = 0; i < region->statics.length (); i++)
    use_static_unknown (&region->statics[i], UMMGR_USE_READ | UMMGR_USE_WRITE, why);
}

/* May REGION assign to the pointer at OFFSET of ARG?  */
static bool
pointer_is_written (const use_region *region, unsigned arg, HOST_WIDE_INT offset)
{
  if (!(region->arg_flags[arg] & UMMGR_USE_WRITE))
    return false;
  if (region->arg_flags[arg] & UMMGR_USE_UNKNOWN)
    return true;
  HOST_WIDE_INT end = offset == USE_ANYWHERE ? 0 : offset + GET_MODE_SIZE (ptr_mode);
  for (unsigned i = 0; i < region->refs.length (); i++)
    {
      const use_ref *ref = region->refs[i];
      if (ref->arg == arg && (ref->flags & UMMGR_REF_WRITE)
	  && !(offset != USE_ANYWHERE && ref->hi > ref->lo
	       && (ref->hi <= offset || ref->lo >= end)))
	return true;
    }
  return false;
}

/* Where a region assigns to a pointer that was followed, what that leads to is
   not known.  */
static void
pointers_check (use_region *region)
{
  for (unsigned i = 0; i < region->members.length (); i++)
    if (pointer_is_written (region, region->members[i].arg, region->members[i].offset))
      region->met |= UMMGR_SPLIT_POINTERS;
  for (unsigned i = 0; i < region->pointers.length (); i++)
    if (pointer_is_written (region, region->pointers[i].arg, region->pointers[i].offset))
      {
	region->wild_read = region->wild_write = true;
	region->met |= UMMGR_SPLIT_POINTERS;
	if (!region->wild_why)
	  region->wild_why
	    = concat ("pointer ", use_arg_name (region, region->pointers[i].arg),
		      " assigned to in the region", NULL);
      }
}

/* Forget the references, and what is computed.  */
static void
refs_free (use_region *region)
{
  region->refs.safe_splice (region->member_refs);
  region->member_refs.truncate (0);
  region->members.truncate (0);
  region->refs.safe_splice (region->static_refs);
  region->static_refs.truncate (0);
  for (unsigned i = 0; i < region->statics.length (); i++)
    free (const_cast <char *> (region->statics[i].why));
  region->statics.truncate (0);
  for (unsigned i = 0; i < region->refs.length (); i++)
    {
      free (const_cast <char *> (region->refs[i]->why));
      delete region->refs[i];
    }
  region->refs.truncate (0);
  for (unsigned i = 0; i < region->work.length (); i++)
    delete region->work[i];
  region->work.truncate (0);
}

/* The fields of what FUNCTION's parameter points to.  */
static tree
block_fields (tree function)
{
  tree parameter = DECL_ARGUMENTS (function);
  if (!parameter || !POINTER_TYPE_P (TREE_TYPE (parameter)))
    return NULL_TREE;
  tree type = TREE_TYPE (TREE_TYPE (parameter));
  return TREE_CODE (type) == RECORD_TYPE ? TYPE_FIELDS (type) : NULL_TREE;
}

use_region *
use_analyse (const ummgr_region *source, tree function)
{
  use_region *region = new use_region ();
  region->region = source;
  region->fields = block_fields (function);
  for (unsigned i = 0; i < source->args.length (); i++)
    {
      region->arg_flags.safe_push (UMMGR_USE_ANALYSED);
      region->arg_why.safe_push (NULL);
    }
  struct function *fun = DECL_STRUCT_FUNCTION (function);
  use_atoms_reset ();
  /* Atom 0 is what there is no room for.  */
  use_simple (USE_OPAQUE, USE_WHY_COMPUTED, NULL_TREE);
  if (fun && fun->cfg && gimple_in_ssa_p (fun))
    {
      use_frame *frame = use_frame_new (region, fun, NULL);
      frame->params.safe_push (use_simple (USE_BLOCK, 0, NULL_TREE));
      use_walk (region, frame);
      use_outer_find (region);
      region->walked = true;
    }
  else
    {
      region->wild_read = region->wild_write = true;
      region->wild_why = xstrdup ("its code is not seen");
    }
  if (use_atoms_full)
    {
      refs_free (region);
      region->walked = false;
      region->trip_known = region->outer_known = false;
      region->teams_least.known = region->teams.known = region->threads.known = false;
      region->distribute_chunk.known = region->shared_chunk.known = false;
      region->wild_read = region->wild_write = true;
      if (!region->wild_why)
	region->wild_why = xstrdup ("too much code to follow");
    }
  pointers_check (region);
  wild_spread (region);
  statics_spread (region);
  return region;
}

void
use_region_free (use_region *region)
{
  for (unsigned i = 0; i < region->frames.length (); i++)
    use_frame_free (region->frames[i]);
  for (unsigned i = 0; i < region->dims.length (); i++)
    delete region->dims[i];
  refs_free (region);
  for (unsigned i = 0; i < region->arg_why.length (); i++)
    free (const_cast <char *> (region->arg_why[i]));
  free (const_cast <char *> (region->wild_why));
  free (const_cast <char *> (region->unseen_why));
  delete region;
}
