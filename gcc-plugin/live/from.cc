/* What comes after a region as one call has it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that maps what it is given is called with this and with that, and what the host does next with all of
   them is the worst of each.  Where a call says to libummgr which it is (announce/calls.cc), what follows it alone
   counts.  So also for each launch of several that one region has, where its function was inlined.  Example, of which
   testsuite/ummgr.plugin/live-from.c has more:

     static void add (double *to, const double *what) { #pragma omp target ... to[i] += what[i]; }
     ...
     add (x, p);		// The host reads x after the loop only.
     add (r, q);		// It reads r at once.
     sum += r[0];

   ;; ummgr: live after region add._omp_fn.0
   ;; ummgr:   live to host reads maybe ...
   ;; ummgr:  called at line 12
   ;; ummgr:   live to host reads no ...

   One call deep: what comes after the caller's own end is of all its calls.  Owns the calls, until live_end.  */

#include "live/live.h"

static vec<live_call *> calls;

static live_call *
call_get (live_function *caller, const live_site *site)
{
  for (live_call *call : calls)
    if (call->site == site)
      return call;
  char number[16];
  snprintf (number, sizeof number, "%u", calls.length ());
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (caller->node->decl));
  live_call *call = new live_call ();
  *call = { caller, site, ummgr_id ({ "call", name, number }), false };
  calls.safe_push (call);
  return call;
}

/* Is there a launch of the region FUNCTION in F?  */
static bool
launches (const live_function *f, const_tree function)
{
  for (const live_site *site : f->sites)
    if (!site->callee && live_launch_function (site->call) == function)
      return true;
  return false;
}

/* Is SITE a call by the function's name?  */
static bool
is_plain_call (const live_site *site)
{
  tree callee = gimple_call_fndecl (site->call);
  cgraph_node *node = callee ? cgraph_node::get (callee) : NULL;
  return node && node->ultimate_alias_target () == site->callee->node;
}

/* Can all that call F say that they do?  */
static bool
calls_can_tell (const live_function *f)
{
  if (!f->good || !live_callers_are_known (f))
    return false;
  for (const live_function *caller : live_functions ())
    for (const live_site *site : caller->sites)
      if (site->callee == f && !(live_takes_calls (caller) && is_plain_call (site)))
	return false;
  return true;
}

void
live_calls_of (tree function, vec<live_call *> *out)
{
  for (live_function *f : live_functions ())
    if (f->good)
      for (const live_site *site : f->sites)
	if (site->callee ? launches (site->callee, function) && calls_can_tell (site->callee)
			 : live_takes_calls (f) && live_launch_function (site->call) == function)
	  out->safe_push (call_get (f, site));
}

const vec<live_call *> &
live_calls (void)
{
  return calls;
}

live_fact
live_fact_from (tree function, unsigned i, const live_call *call)
{
  live_fact fact = {};
  live_function *f = call->site->callee;
  fact.apart = true;
  if (!f)
    live_fact_add (&fact, call->caller, call->site, i);
  else
    {
      /* As if this were its only call.  */
      live_values all;
      memcpy (all, f->exit, sizeof all);
      live_exit_of (call->caller, call->site, f->exit);
      for (const live_site *site : f->sites)
	if (!site->callee && live_launch_function (site->call) == function)
	  live_fact_add (&fact, f, site, i);
      memcpy (f->exit, all, sizeof all);
    }
  live_fact_end (&fact);
  return fact;
}

unsigned
live_call_line (const live_call *call)
{
  gcall *stmt = call->site->call;
  return expand_location (ummgr_location_of_user (gimple_location (stmt), stmt, false)).line;
}

void
live_calls_free (void)
{
  for (live_call *call : calls)
    delete call;
  calls.release ();
}
