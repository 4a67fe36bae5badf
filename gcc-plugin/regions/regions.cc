/* Finding the target regions of a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns ummgr_regions.  Changes no code, and looks at no front end's trees
   beyond their names.

   After omplower, a target region in a function F is

     #pragma omp target CLAUSES [child fn: F._omp_fn.N (.omp_data_arr, ...)]
       { body, with the teams, distribute, parallel and loop statements that
	 are nested in or combined with it }

   so what it is made of is read off the statements of its body.  */

#include "regions/regions.h"
#include "split/split.h"

vec<ummgr_region> ummgr_regions;

const ummgr_region *
ummgr_region_of (const_tree function)
{
  for (unsigned i = 0; i < ummgr_regions.length (); i++)
    if (ummgr_regions[i].function_uid == DECL_UID (function))
      return &ummgr_regions[i];
  return NULL;
}

/* The constructs that a loop statement stands for.  */
static unsigned
loop_constructs (const gomp_for *loop)
{
  switch (gimple_omp_for_kind (loop))
    {
    case GF_OMP_FOR_KIND_FOR:
      return UMMGR_CONSTRUCT_FOR;
    case GF_OMP_FOR_KIND_DISTRIBUTE:
      return UMMGR_CONSTRUCT_DISTRIBUTE;
    case GF_OMP_FOR_KIND_TASKLOOP:
      return UMMGR_CONSTRUCT_TASKLOOP;
    case GF_OMP_FOR_KIND_SIMD:
      return UMMGR_CONSTRUCT_SIMD;
    default:
      return 0;
    }
}

static tree
statement_clauses (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_TEAMS:
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_TASK:
      return gimple_omp_taskreg_clauses (stmt);
    case GIMPLE_OMP_FOR:
      return gimple_omp_for_clauses (stmt);
    case GIMPLE_OMP_SECTIONS:
      return gimple_omp_sections_clauses (stmt);
    default:
      return NULL_TREE;
    }
}

static unsigned
statement_constructs (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_TEAMS:
      return UMMGR_CONSTRUCT_TEAMS;
    case GIMPLE_OMP_PARALLEL:
      return UMMGR_CONSTRUCT_PARALLEL;
    case GIMPLE_OMP_FOR:
      return loop_constructs (as_a <const gomp_for *> (stmt));
    case GIMPLE_OMP_SECTIONS:
      return UMMGR_CONSTRUCT_SECTIONS;
    case GIMPLE_OMP_SINGLE:
      return UMMGR_CONSTRUCT_SINGLE;
    case GIMPLE_OMP_TASK:
      return UMMGR_CONSTRUCT_TASK;
    case GIMPLE_OMP_CRITICAL:
      return UMMGR_CONSTRUCT_CRITICAL;
    default:
      return 0;
    }
}

/* One more loop, of KIND and with CHUNK, or NULL_TREE.  */
static void
sharing_add (ummgr_sharing *s, unsigned kind, tree chunk)
{
  HOST_WIDE_INT constant
    = chunk && tree_fits_shwi_p (chunk) ? MAX (tree_to_shwi (chunk), 0) : 0;
  bool same = s->kind == kind && s->chunked == (chunk != NULL_TREE) && s->chunk == constant
	      && (constant || !chunk);
  if (s->loops++ == 0)
    *s = { 1, kind, chunk != NULL_TREE, constant };
  else if (!same)
    {
      s->kind = UMMGR_SCHEDULE_MIXED;
      s->chunked |= chunk != NULL_TREE;
      s->chunk = 0;
    }
}

static void
loop_sharing (ummgr_region *region, const gomp_for *loop)
{
  static const unsigned kinds[]
    = { UMMGR_SCHEDULE_STATIC, UMMGR_SCHEDULE_DYNAMIC, UMMGR_SCHEDULE_GUIDED,
	UMMGR_SCHEDULE_AUTO, UMMGR_SCHEDULE_RUNTIME };
  tree clauses = gimple_omp_for_clauses (loop);
  if (gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_DISTRIBUTE)
    {
      tree c = omp_find_clause (clauses, OMP_CLAUSE_DIST_SCHEDULE);
      sharing_add (&region->distribute, c ? UMMGR_SCHEDULE_STATIC : UMMGR_SCHEDULE_NONE,
		   c ? OMP_CLAUSE_DIST_SCHEDULE_CHUNK_EXPR (c) : NULL_TREE);
    }
  else if (gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_FOR)
    {
      tree c = omp_find_clause (clauses, OMP_CLAUSE_SCHEDULE);
      unsigned kind = c ? OMP_CLAUSE_SCHEDULE_KIND (c) & OMP_CLAUSE_SCHEDULE_MASK : 0;
      unsigned known = UMMGR_SCHEDULE_NONE;
      if (c && kind < ARRAY_SIZE (kinds))
	known = kinds[kind];
      else if (c)
	known = UMMGR_SCHEDULE_MIXED;
      sharing_add (&region->shared, known,
		   c ? OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (c) : NULL_TREE);
      region->nested |= !gimple_omp_for_combined_into_p (loop);
    }
}

/* walk_gimple_seq's callback inside a region: what it is made of.  */
static tree
region_body_walk (gimple_stmt_iterator *gsi, bool *, walk_stmt_info *wi)
{
  ummgr_region *region = (ummgr_region *) wi->info;
  const gimple *stmt = gsi_stmt (*gsi);
  region->constructs |= statement_constructs (stmt);
  if (const gomp_for *loop = dyn_cast <const gomp_for *> (stmt))
    {
      region->collapse = MAX (region->collapse, gimple_omp_for_collapse (loop));
      loop_sharing (region, loop);
    }
  if (omp_find_clause (statement_clauses (stmt), OMP_CLAUSE_REDUCTION))
    region->flags |= UMMGR_REGION_REDUCTION;
  ummgr_region_reductions_add (region, statement_clauses (stmt));
  return NULL_TREE;
}

static unsigned
clause_flags (tree clauses)
{
  static const struct
  {
    omp_clause_code code;
    unsigned flag;
  } known[] = {
    { OMP_CLAUSE_NOWAIT, UMMGR_REGION_NOWAIT },
    { OMP_CLAUSE_DEPEND, UMMGR_REGION_DEPEND },
    { OMP_CLAUSE_IF, UMMGR_REGION_IF },
    { OMP_CLAUSE_DEVICE, UMMGR_REGION_DEVICE },
    { OMP_CLAUSE_IN_REDUCTION, UMMGR_REGION_REDUCTION }
  };
  unsigned flags = 0;
  for (unsigned i = 0; i < ARRAY_SIZE (known); i++)
    if (omp_find_clause (clauses, known[i].code))
      flags |= known[i].flag;
  return flags;
}

/* Argument I of REGION is the plugin's, called NAME in the tables.  */
static void
arg_hide (ummgr_region *region, unsigned i, const char *name)
{
  ummgr_arg *arg = &region->args[i];
  free (const_cast <char *> (arg->name));
  arg->name = xstrdup (name);
  arg->hidden = true;
}

/* How REGION can be run by ranges: by its last two arguments.  */
static void
split_fill (ummgr_region *region, gomp_target *stmt)
{
  const ummgr_split *split = ummgr_split_of (stmt);
  if (!split)
    return;
  region->split_flags = split->flags;
  region->split_why = split->why;
  if (split->why)
    return;
  unsigned count = region->args.length ();
  gcc_assert (count >= 2);
  region->split_lo = count - 1;
  arg_hide (region, count - 2, "@lo");
  arg_hide (region, count - 1, "@hi");
}

/* Note the region that STMT of the current function is.  */
static void
region_add (gomp_target *stmt)
{
  tree child = gimple_omp_target_child_fn (stmt);
  /* A construct with an error has none.  */
  if (!child)
    return;
  ummgr_region region = {};
  region.function_uid = DECL_UID (child);
  region.name = xstrdup (IDENTIFIER_POINTER (DECL_NAME (child)));
  region.in_function
    = xstrdup (lang_hooks.decl_printable_name (current_function_decl, 2));
  region.title = ummgr_function_title (current_function_decl);
  region.function
    = xstrdup (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (current_function_decl)));
  region.location = gimple_location (stmt);
  ummgr_location_get (gimple_location (stmt), &region.file, &region.line,
		      &region.column);
  region.constructs = UMMGR_CONSTRUCT_TARGET;
  region.flags = clause_flags (gimple_omp_target_clauses (stmt));
  ummgr_region_args_fill (&region, stmt);
  split_fill (&region, stmt);

  walk_stmt_info wi = {};
  wi.info = &region;
  walk_gimple_seq (gimple_omp_body (stmt), region_body_walk, NULL, &wi);
  if (dump_file)
    ummgr_region_dump (dump_file, &region);
  ummgr_regions.safe_push (region);
}

/* walk_gimple_seq's callback on a function's body.  */
static tree
function_walk (gimple_stmt_iterator *gsi, bool *, walk_stmt_info *)
{
  gimple *any = gsi_stmt (*gsi);
  if (gassign *assign = dyn_cast <gassign *> (any))
    ummgr_names_note (assign);
  gomp_target *stmt = dyn_cast <gomp_target *> (any);
  /* Data constructs and OpenACC are not launched by GOMP_target_ext.  */
  if (stmt && gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_REGION)
    region_add (stmt);
  return NULL_TREE;
}

static bool
regions_gate (void)
{
  return flag_openmp && !seen_error ();
}

static void
regions_find (function *)
{
  walk_stmt_info wi = {};
  gimple_seq body = gimple_body (current_function_decl);
  unsigned first = ummgr_regions.length ();
  ummgr_names_begin ();
  walk_gimple_seq (body, function_walk, NULL, &wi);
  ummgr_names_end ();
  if (first == ummgr_regions.length ())
    return;
  unsigned checksum = ummgr_region_checksum (body);
  for (unsigned i = first; i < ummgr_regions.length (); i++)
    {
      ummgr_regions[i].checksum = checksum;
      ummgr_regions[i].ordinal = i - first;
    }
}

opt_pass *
ummgr_pass_regions_new (void)
{
  static const ummgr_pass pass = {
    GIMPLE_PASS, UMMGR_PASS_REGIONS, OPTGROUP_OMP, PROP_gimple_any,
    regions_gate, regions_find
  };
  return ummgr_pass_new (&pass);
}
