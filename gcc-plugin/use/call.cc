/* The functions that a region calls, each as it is called.
   SPDX-License-Identifier: GPL-3.0-or-later

   A recursion is walked twice: its first call as it is called, and all further ones at once.
   Parameters that each call hands on stay what they are there; of pointers into one argument
   that is left, of others nothing.  How often that runs is a guess.  Where a call by pointer
   may reach several functions, each is walked as if it were called in its share of all
   cases.  Owns the frames.  */

#include "use/use.h"

/* Beyond these a region is too large to follow.  */
#define FRAMES_MAX 48
#define DEPTH_MAX 10

/* A recursion is taken not to go on more often than this.  */
static const double again_most = 0.9;

use_frame *
use_frame_new (use_region *region, function *fun, use_frame *caller)
{
  use_frame *frame = new use_frame ();
  frame->number = region->frames.length ();
  frame->fun = fun;
  frame->caller = caller;
  frame->frequency = frame->residue = 1;
  frame->certain = true;
  region->frames.safe_push (frame);
  return frame;
}

/* The arguments of CALL, from FIRST on: of what libgomp runs one.  */
static void
params_fill (use_site *s, gcall *call, unsigned first, vec<use_poly> *params)
{
  for (unsigned i = first; i < gimple_call_num_args (call); i++)
    {
      params->safe_push (use_eval (s->region, s->frame, gimple_call_arg (call, i)));
      if (first)
	break;
    }
}

/* Is P nothing that is known?  */
static bool
is_anything (const use_poly &p)
{
  const use_atom *atom = use_is_atom (p);
  return atom && atom->kind == USE_OPAQUE;
}

/* Do the parameters GENERAL of a recursion's further calls say no more than is true of
   those that PARAMS are, too?  */
static bool
params_cover (const vec<use_poly> &general, const vec<use_poly> &params)
{
  if (general.length () != params.length ())
    return false;
  for (unsigned i = 0; i < params.length (); i++)
    {
      unsigned of, other;
      use_poly rest, known;
      if (use_equal (general[i], params[i]) || is_anything (general[i]))
	continue;
      if (!use_base_split (general[i], &of, &rest) || !is_anything (rest)
	  || !use_base_split (params[i], &other, &known) || of != other)
	return false;
    }
  return true;
}

/* What is left of a parameter that is BEFORE in one call and NOW in the next.  */
static use_poly
param_join (const use_poly &before, const use_poly &now)
{
  unsigned of, other;
  use_poly rest, known;
  if (use_equal (before, now))
    return before;
  use_poly any = use_simple (USE_OPAQUE, USE_WHY_AGAIN, NULL_TREE);
  if (!use_base_split (before, &of, &rest) || !use_base_split (now, &other, &known)
      || of != other)
    return any;
  /* As it was split off.  */
  return use_add (use_add (before, rest, -1), any);
}

/* Walk all further calls of the recursion that CALL at S goes on with, of what LAST, the
   call around it, is of.  */
static bool
recursion_walk (use_site *s, gcall *call, use_frame *last)
{
  use_region *region = s->region;
  use_frame *root = last->again ? last->again : last;
  auto_vec<use_poly> params;
  params_fill (s, call, 0, &params);
  if (params.length () != last->params.length ())
    return false;
  for (unsigned i = 0; i < region->frames.length (); i++)
    if (region->frames[i]->again == root && region->frames[i]->fun == last->fun
	&& params_cover (region->frames[i]->params, params))
      return true;
  if (region->frames.length () >= FRAMES_MAX)
    return false;
  use_frame *frame = use_frame_new (region, last->fun, s->frame);
  frame->called = true;
  frame->again = root;
  for (unsigned i = 0; i < params.length (); i++)
    frame->params.safe_push (param_join (last->params[i], params[i]));
  /* In the loops, and under the conditions, of the first one.  */
  double more = MIN (s->frame->places[s->block->index]->frequency, again_most);
  frame->frequency = root->frequency * more / (1 - more);
  frame->residue = root->residue * more / (1 - more);
  frame->source = root->source;
  use_source_add (&frame->source, frame->frequency, false);
  frame->data_guards.safe_splice (root->data_guards);
  frame->dims.safe_splice (root->dims);
  frame->once_more.safe_splice (root->once_more);
  frame->guards.safe_splice (root->guards);
  frame->certain = false;
  use_walk (region, frame);
  return true;
}

/* The innermost call of FUN that FRAME is in, or NULL; *DEPTH: calls around it.  */
static use_frame *
call_around (use_frame *frame, function *fun, unsigned *depth)
{
  use_frame *found = NULL;
  *depth = 0;
  for (; frame; frame = frame->caller, ++*depth)
    if (frame->fun == fun && !found)
      found = frame;
  return found;
}

bool
use_callee_walk (use_site *s, gcall *call, tree callee, unsigned first, double share)
{
  function *fun = DECL_STRUCT_FUNCTION (callee);
  cgraph_node *node = cgraph_node::get (callee);
  unsigned depth;
  if (!node || !node->has_gimple_body_p () || !fun || !fun->cfg || !fun->gimple_df
      || !gimple_in_ssa_p (fun) || fun->cfg->x_n_basic_blocks > 4000)
    return false;
  if (use_frame *last = call_around (s->frame, fun, &depth))
    return first == 0 && recursion_walk (s, call, last);
  if (depth > DEPTH_MAX || s->region->frames.length () >= FRAMES_MAX)
    return false;
  use_frame *frame = use_frame_new (s->region, fun, s->frame);
  frame->called = first == 0;
  if (startswith (ummgr_call_name (call), "GOMP_parallel_loop_"))
    frame->loop_call = call;
  params_fill (s, call, first, &frame->params);
  use_nest n;
  use_nest_fill (s, &n);
  frame->frequency = n.frequency * share;
  frame->residue = n.residue * share;
  frame->source = n.source;
  if (share < 1)
    use_source_add (&frame->source, frame->frequency, false);
  frame->data_guards.safe_splice (n.data_guards);
  frame->dims.safe_splice (n.dims);
  frame->once_more.safe_splice (n.once_more);
  frame->guards.safe_splice (n.guards);
  const use_place *place = s->frame->places[s->block->index];
  frame->certain = s->frame->certain && place->certain && share == 1;
  use_walk (s->region, frame);
  return true;
}

bool
use_nameless_walk (use_site *s, gcall *call)
{
  auto_vec<tree> targets;
  if (!callee_find (s->frame->fun, call, &targets))
    return false;
  bool good = true;
  for (unsigned i = 0; i < targets.length (); i++)
    good &= !ummgr_decl_is_replaceable (targets[i])
	    && use_callee_walk (s, call, targets[i], 0, 1.0 / targets.length ());
  return good;
}
