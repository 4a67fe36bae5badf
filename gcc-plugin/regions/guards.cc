/* No stack guard in functions that a GPU runs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Ubuntu's GCC compiles with -fstack-protector-strong if not told otherwise, and so do packages' builds.  It goes
   with each function to the offload compiler, whatever -foffload-options= says, and what that makes of it ptxas
   refuses: "Unknown symbol '__stack_chk_guard'".  The attribute no_stack_protector goes with the function, too.
   Example:

     #pragma omp target          // main._omp_fn.0 gets the attribute
     { char text[64]; ... }      // else guarded
     int main () { char line[64]; ... }  // stays guarded  */

#include "regions/regions.h"

void
ummgr_regions_unguard (void *, void *)
{
  if (!flag_stack_protect || !ummgr_unit_offloads ())
    return;
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    {
      tree decl = node->decl;
      if ((lookup_attribute ("omp target entrypoint", DECL_ATTRIBUTES (decl))
	   || lookup_attribute ("omp declare target", DECL_ATTRIBUTES (decl)))
	  && !lookup_attribute ("no_stack_protector", DECL_ATTRIBUTES (decl)))
	DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("no_stack_protector"), NULL_TREE, DECL_ATTRIBUTES (decl));
    }
}
