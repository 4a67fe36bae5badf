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

/* What FUNCTION's type takes and returns, a letter each, for what may call it: the same
   in every unit, and for a pointer to it; "?" where it has no prototype.  malloc'ed.  */
char *callee_signature (tree type);
