/* Which functions a call may reach that names none.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "ummgr-plugin.h"

/* How CALL, without a callee that GCC knows, finds one.  */
enum callee_way
{
  CALLEE_POINTER,
  CALLEE_VIRTUAL
};
callee_way callee_way_of (gcall *call);

/* Fill TARGETS with the functions that CALL of FUNCTION may reach, for all that is
   known.  False: there may be others, too.  Beyond CALLEE_MOST there are none, and
   others.  */
enum { CALLEE_MOST = 16 };
bool callee_find (function *fun, gcall *call, vec<tree> *targets);

/* What FUNCTION takes and returns, a letter each, behind its name where it is virtual: the
   same in every unit; "?" where it has no prototype.  malloc'ed.  */
char *callee_signature (tree function);
/* The same of CALL, which may reach TARGETS: what it can reach has that signature.  "?": any.
   malloc'ed.  */
char *callee_call_signature (gcall *call, const vec<tree> &targets);
