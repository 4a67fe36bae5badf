/* GCC's headers, and the one place that knows how GCC 11 to 16 differ.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every .cc of the plugin includes this first.  A shim is an inline function
   or a macro named after the newest GCC's; it goes when its version leaves the
   window.  BUILDING_GCC_VERSION (1000 * major + minor) appears nowhere else. */

#pragma once

#include "gcc-plugin.h"
#include "bversion.h"

#if BUILDING_GCC_VERSION < 11000 || BUILDING_GCC_VERSION >= 17000
# error "the ummgr plugin supports GCC 11 to 16"
#endif

#include "backend.h"
#include "tree.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "tree-pass.h"
#include "context.h"
#include "pass_manager.h"
#include "dumpfile.h"
#include "diagnostic-core.h"
#include "diagnostic.h"
#if BUILDING_GCC_VERSION >= 16000
# include "diagnostics/file-cache.h"
using diagnostics::char_span;
#endif
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "varasm.h"
#include "langhooks.h"
#include "tree-pretty-print.h"
#include "file-prefix-map.h"
#include "omp-general.h"
#include "gomp-constants.h"
#include "toplev.h"
#include "ssa.h"
#include "tree-ssa.h"
#include "tree-iterator.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-inline.h"
#include "tree-into-ssa.h"
#include "tree-data-ref.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-address.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "gimple-fold.h"
#include "builtins.h"
#include "calls.h"
#include "target.h"
#include "internal-fn.h"
#include "memmodel.h"
#include "version.h"
/* GCC 11's gcc/gcov-io.h asks for a header that isn't installed with it.  */
#if BUILDING_GCC_VERSION >= 12000
# include "gcov-io.h"
#else
struct gcov_summary
{
  unsigned runs;
  gcov_type sum_max;
};
#endif
#include "profile.h"
#include "sreal.h"
#include "ipa-utils.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "tree-vrp.h"
/* Since GCC 14 the next needs this.  */
#if BUILDING_GCC_VERSION >= 14000
# include "ipa-cp.h"
#endif
#include "ipa-prop.h"
#include "ipa-fnsummary.h"
#include "ipa-inline.h"
#include "tree-cfgcleanup.h"
#include "tree-ssa.h"

/* Map kinds that came with GCC 12; GCC 11 never makes them.  */
#if BUILDING_GCC_VERSION < 12000
# define GOMP_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION 30
# define GOMP_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION 82
#endif

/* A struct of which members follow, so many as the clause's size; since GCC 14 one without order, too.  */
static inline bool
ummgr_map_is_struct (unsigned kind)
{
#if BUILDING_GCC_VERSION >= 14000
  if (kind == GOMP_MAP_STRUCT_UNORD)
    return true;
#endif
  return kind == GOMP_MAP_STRUCT;
}

/* The has_device_addr clause came with GCC 12.  */
static inline bool
ummgr_clause_is_has_device_addr (tree clause)
{
#if BUILDING_GCC_VERSION >= 12000
  return OMP_CLAUSE_CODE (clause) == OMP_CLAUSE_HAS_DEVICE_ADDR;
#else
  (void) clause;
  return false;
#endif
}

/* The innermost loops of cfun.  */
static inline void
ummgr_innermost_loops (vec<class loop *> *loops)
{
#if BUILDING_GCC_VERSION >= 12000
  for (class loop *loop : loops_list (cfun, LI_ONLY_INNERMOST))
    loops->safe_push (loop);
#else
  class loop *loop;
  FOR_EACH_LOOP (loop, LI_ONLY_INNERMOST)
    loops->safe_push (loop);
#endif
}

/* A copy of NODE's function, called SUFFIX after it.  */
static inline cgraph_node *
ummgr_version_clone (cgraph_node *node, const char *suffix)
{
#if BUILDING_GCC_VERSION >= 12000
  return node->create_version_clone_with_body (vNULL, NULL, NULL, NULL, NULL,
					       suffix, NULL_TREE, false);
#else
  return node->create_version_clone_with_body (vNULL, NULL, NULL, NULL, NULL,
					       suffix);
#endif
}

/* Move what does not vary out of FUN's loops, but no stores.  GCC 11 keeps its
   pass to itself: there, fewer accesses are reported by the loop.  */
static inline void
ummgr_invariants_move (function *fun)
{
#if BUILDING_GCC_VERSION >= 12000
  loop_invariant_motion_in_fun (fun, false);
#else
  (void) fun;
#endif
}

/* Does GCC read a profile, or make its program count for one?  */
static inline bool
ummgr_profile_passes (void)
{
  return flag_branch_probabilities || flag_test_coverage || profile_arc_flag;
}

/* GCC's probability of E, which has one.  A guess is made in parts of REG_BR_PROB_BASE; what
   was counted is finer.  */
static inline double
ummgr_edge_probability (edge e)
{
  if (e->probability.quality () >= ADJUSTED)
    return e->probability.to_sreal ().to_double ();
  return (double) e->probability.to_reg_br_prob_base () / REG_BR_PROB_BASE;
}

/* How often a run that trained GCC executed BLOCK, on average of such runs; negative where no
   profile says that.  */
static inline double
ummgr_block_counted (basic_block block)
{
  profile_count count = block->count.ipa ();
  if (!profile_info || profile_info->runs == 0 || !count.initialized_p ()
      || !(count.quality () >= ADJUSTED))
    return -1;
  return (double) count.to_gcov_type () / profile_info->runs;
}

/* The same of E, where only its source's block says that.  */
static inline double
ummgr_edge_counted (edge e)
{
  double counted = ummgr_block_counted (e->src);
  return counted < 0 || !e->probability.initialized_p ()
	 ? -1 : counted * ummgr_edge_probability (e);
}

/* Does GCC keep its warnings to itself, as with -w?  */
static inline bool *
ummgr_warnings_inhibited (void)
{
#if BUILDING_GCC_VERSION >= 14000
  return &global_dc->m_inhibit_warnings;
#else
  return &global_dc->dc_inhibit_warnings;
#endif
}

/* GCC 11 has no such function yet.  */
#if BUILDING_GCC_VERSION < 12000
static inline bool
startswith (const char *text, const char *prefix)
{
  return strncmp (text, prefix, strlen (prefix)) == 0;
}
#endif

/* Line LINE of the source file PATH.  GCC 14 keeps the files' text in the
   context of the diagnostics.  */
static inline char_span
ummgr_source_line_get (const char *path, int line)
{
#if BUILDING_GCC_VERSION >= 14000
  return global_dc->get_file_cache ().get_source_line (path, line);
#else
  return location_get_source_line (path, line);
#endif
}

/* Was the map clause CLAUSE of the construct at LOC not written?  GCC 12 came
   to mark those; before, such a clause has the construct's location.  */
static inline bool
ummgr_clause_is_implicit (tree clause, location_t loc)
{
#if BUILDING_GCC_VERSION >= 12000
  if (OMP_CLAUSE_MAP_RUNTIME_IMPLICIT_P (clause)
      || OMP_CLAUSE_MAP_IMPLICIT (clause))
    return true;
#endif
  return OMP_CLAUSE_LOCATION (clause) == loc;
}

/* May another definition of the function DECL be linked in its place?  GCC 12
   came to ask whether its own flag holds.  */
static inline bool
ummgr_decl_is_replaceable (tree decl)
{
#if BUILDING_GCC_VERSION >= 12000
  return decl_replaceable_p (decl, flag_semantic_interposition);
#else
  return decl_replaceable_p (decl);
#endif
}

/* The number that the program gives for the device DEVICE of a launch.  Since GCC 13 numbers
   that libgomp took for its own, -1 and -2, are OpenMP's, and code makes them one less.  */
static inline tree
ummgr_launch_device (tree device)
{
#if BUILDING_GCC_VERSION >= 13000
  gphi *phi = TREE_CODE (device) == SSA_NAME
	      ? dyn_cast <gphi *> (SSA_NAME_DEF_STMT (device)) : NULL;
  if (!phi || gimple_phi_num_args (phi) != 2)
    return device;
  for (unsigned i = 0; i < 2; i++)
    {
      tree less = gimple_phi_arg_def (phi, i), given = gimple_phi_arg_def (phi, !i);
      gassign *made = TREE_CODE (less) == SSA_NAME
		      ? dyn_cast <gassign *> (SSA_NAME_DEF_STMT (less)) : NULL;
      if (made && gimple_assign_rhs_code (made) == PLUS_EXPR
	  && operand_equal_p (gimple_assign_rhs1 (made), given)
	  && integer_minus_onep (gimple_assign_rhs2 (made)))
	return given;
    }
#endif
  return device;
}
