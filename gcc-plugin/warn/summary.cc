/* What the functions of the unit do through their parameters.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns the summaries, one for each function that was lowered.  Item I of a
   summary is what parameter I points to.  */

#include "warn/warn.h"

struct summary
{
  ummgr_effects effects;
  bool visiting, resolved;
};

typedef int_hash<unsigned, 0, UINT_MAX> uid_hash;
static hash_map<uid_hash, summary *> *summaries;

void
ummgr_summary_make (void)
{
  auto_vec<ummgr_item> items;
  for (tree p = DECL_ARGUMENTS (current_function_decl); p; p = DECL_CHAIN (p))
    {
      ummgr_item item = { p, true };
      if (items.length () < UMMGR_ROOTS_ITEMS)
	items.safe_push (item);
    }
  if (!summaries)
    summaries = new hash_map<uid_hash, summary *>;
  ummgr_flow_body code = { gimple_body (current_function_decl), true, false };
  summary *s = XCNEW (summary);
  ummgr_flow_effects (&code, items, &s->effects, NULL);
  summaries->put (DECL_UID (current_function_decl), s);
}

/* What a call of UID does, or NULL where that is not known.  */
static const ummgr_effects *
summary_of (unsigned uid)
{
  summary **known = uid && summaries ? summaries->get (uid) : NULL;
  summary *s = known ? *known : NULL;
  /* A recursion is left alone.  */
  if (!s || s->visiting)
    return NULL;
  if (!s->resolved)
    {
      s->visiting = true;
      ummgr_summary_resolve (&s->effects);
      s->visiting = false;
      s->resolved = true;
    }
  return &s->effects;
}

/* The arguments of CALL whose parameters are in PARAMETERS.  */
static ummgr_roots
call_roots (const ummgr_call *call, ummgr_roots parameters)
{
  ummgr_roots roots = parameters & UMMGR_ROOTS_ANY;
  for (unsigned i = 0; i < call->args.length (); i++)
    if (i >= UMMGR_ROOTS_ITEMS || (parameters >> i & 1))
      roots |= call->args[i];
  return roots;
}

void
ummgr_summary_resolve (ummgr_effects *effects)
{
  for (unsigned i = 0; i < effects->calls.length (); i++)
    {
      const ummgr_call *call = effects->calls[i];
      const ummgr_effects *callee = summary_of (call->callee_uid);
      bool anything = !callee || (call->host && callee->device);
      if (anything)
	{
	  effects->read |= UMMGR_ROOTS_ANY;
	  effects->written |= UMMGR_ROOTS_ANY;
	}
      else if (call->host)
	effects->host_written |= call_roots (call, callee->written);
      else
	{
	  effects->read |= call_roots (call, callee->read);
	  effects->written |= call_roots (call, callee->written);
	}
      effects->device |= !callee || callee->device;
      delete call;
    }
  effects->calls.release ();
}
