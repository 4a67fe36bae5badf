/* The compiler plugin: arguments, version check, passes.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns nothing but its registration.  Analyses nothing itself.

   To see what the plugin found, compile with
     -fplugin=.../ummgr.so -fplugin-arg-ummgr-dump
   and read SOURCE.*.ummgr-regions (the regions as recognised) and
   SOURCE.*.ummgr-tables (what was emitted).  -fdump-tree-ummgr-regions itself
   is refused by GCC, which reads its options before it loads plugins.  To stop in
   a pass, compile with -wrapper gdb,--args and break at its function; there, call
   debug_tree, debug_generic_expr, debug_gimple_stmt, debug_bb, debug_function.  */

#include "announce/announce.h"
#include "count/count.h"
#include "regions/regions.h"
#include "site/site.h"
#include "split/split.h"
#include "tables/tables.h"
#include "trace/trace.h"
#include "warn/warn.h"
#include "opts.h"
/* This header defines a static variable: it is included only here.  */
#include "plugin-version.h"

/* GCC looks these up with dlsym; everything else is hidden.  */
#pragma GCC visibility push(default)
extern int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible;
#pragma GCC visibility pop

struct arguments
{
  bool count;
  bool dump;
  bool no_announce;
  bool notable;
  const char *profile;		/* Files, or NULL.  */
  bool split;
  bool trace;
  bool trace_exact;
  bool unify;
  bool warn;
};

/* An argument, without a value or, SWITCHED, "on" or "off"; or any TEXT.  */
struct argument
{
  const char *name;
  bool arguments::*flag;
  bool switched;
  const char *arguments::*text;
};

static const argument argument_table[] = {
  { "count", &arguments::count, false, NULL },
  { "dump", &arguments::dump, false, NULL },
  { "no-announce", &arguments::no_announce, false, NULL },
  { "notable", &arguments::notable, false, NULL },
  { "profile", NULL, false, &arguments::profile },
  { "split", &arguments::split, true, NULL },
  { "trace", &arguments::trace, false, NULL },
  { "trace-exact", &arguments::trace_exact, false, NULL },
  { "unify", &arguments::unify, false, NULL },
  { "warn", &arguments::warn, false, NULL }
};

/* An argument that is not in the table.  */
static void
argument_unknown (const plugin_name_args *info, const char *name)
{
  char *known = xstrdup ("");
  for (const argument &a : argument_table)
    {
      char *longer = concat (known, *known ? ", " : "", "-fplugin-arg-",
			     info->base_name, "-", a.name, NULL);
      free (known);
      known = longer;
    }
  /* And no-NAME for each of the warnings.  */
  for (unsigned i = 0; i < UMMGR_WARNINGS; i++)
    {
      char *longer = concat (known, ", -fplugin-arg-", info->base_name, "-no-",
			     ummgr_warn_names[i], NULL);
      free (known);
      known = longer;
    }
  error ("ummgr plugin: unknown argument %qs; known are %s", name, known);
  free (known);
}

/* The value of ARG, which is switched.  */
static bool
argument_switch (const plugin_argument *arg, bool *flag)
{
  bool on = arg->value && strcmp (arg->value, "on") == 0;
  if (!on && (!arg->value || strcmp (arg->value, "off") != 0))
    {
      error ("ummgr plugin: argument %qs takes %<on%> or %<off%>, but was given "
	     "%qs", arg->key, arg->value ? arg->value : "");
      return false;
    }
  *flag = on;
  return true;
}

/* Take ARG, the flag FLAG; false after an error.  */
static bool
argument_take (const plugin_argument *arg, bool switched, bool *flag)
{
  if (switched)
    return argument_switch (arg, flag);
  if (arg->value)
    {
      error ("ummgr plugin: argument %qs takes no value, but was given "
	     "%qs", arg->key, arg->value);
      return false;
    }
  *flag = true;
  return true;
}

/* Take ARG, whose value is one more of *TEXT.  */
static bool
argument_text (const plugin_argument *arg, const char **text)
{
  if (!arg->value || !*arg->value)
    {
      error ("ummgr plugin: argument %qs takes a file, but was given none", arg->key);
      return false;
    }
  *text = *text ? concat (*text, ",", arg->value, NULL) : arg->value;
  return true;
}

static bool
arguments_parse (const plugin_name_args *info, arguments *out)
{
  for (int i = 0; i < info->argc; i++)
    {
      const plugin_argument *arg = &info->argv[i];
      bool *flag = NULL, switched = false, unwanted = false;
      const char **text = NULL;
      for (const argument &a : argument_table)
	if (strcmp (arg->key, a.name) == 0)
	  {
	    flag = a.flag ? &(out->*a.flag) : NULL;
	    text = a.text ? &(out->*a.text) : NULL;
	    switched = a.switched;
	  }
      if (text)
	{
	  if (!argument_text (arg, text))
	    return false;
	  continue;
	}
      if (!flag && ummgr_warn_disable (arg->key))
	flag = &unwanted;
      if (!flag)
	{
	  argument_unknown (info, arg->key);
	  return false;
	}
      if (!argument_take (arg, switched, flag))
	return false;
    }
  return true;
}

/* Switch on the dump of PASS, which is registered, as an option would, with the
   notes of -fopt-info (use/notes.cc).  */
static void
dump_enable (const opt_pass *pass)
{
  char *option = concat (pass->type == GIMPLE_PASS ? "tree-" : "ipa-",
			 pass->name, "-optimized-missed-note", NULL);
  g->get_dumps ()->dump_switch_p (option);
  free (option);
}

/* Let -fopt-info know the plugin's passes, once all are registered.  GCC reads it
   before it loads plugins, and so leaves out their passes: ask once more.  Of
   several files GCC takes the first, and has said so.  */
static void
notes_enable (void)
{
  const char *file = NULL;
  for (unsigned i = 1; i < save_decoded_options_count; i++)
    {
      const cl_decoded_option *option = &save_decoded_options[i];
      if (option->opt_index != OPT_fopt_info_)
	continue;
      const char *to = strchr (option->arg, '=');
      to = to ? to : "";
      if (file && strcmp (file, to) != 0)
	continue;
      file = to;
      opt_info_switch_p (option->arg);
    }
  if (flag_opt_info && !file)
    opt_info_switch_p (NULL);
}

/* Put PASS after the pass REFERENCE.  */
static void
pass_register (const char *plugin, const arguments *args, opt_pass *pass,
	       const char *reference)
{
  register_pass_info info;
  info.pass = pass;
  info.reference_pass_name = reference;
  info.ref_pass_instance_number = 1;
  info.pos_op = PASS_POS_INSERT_AFTER;
  register_callback (plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  if (args->dump)
    dump_enable (pass);
}

#pragma GCC visibility push(default)
int
plugin_init (plugin_name_args *info, plugin_gcc_version *version)
{
  if (!plugin_default_version_check (version, &gcc_version))
    {
      error ("ummgr plugin: built for GCC %s (%s), but loaded by GCC %s (%s); "
	     "rebuild it with this compiler", gcc_version.basever,
	     gcc_version.datestamp, version->basever, version->datestamp);
      return 1;
    }
  arguments args = {};
  args.split = true;
  if (!arguments_parse (info, &args))
    return 1;
  if (args.profile && !count_open (args.profile))
    return 1;
  args.trace |= args.trace_exact || args.count;
  if (args.count)
    count_enable ();
  static plugin_info about = { "0.1", "ummgr: -fplugin-arg-ummgr-dump: dump "
			       "what is found; -fplugin-arg-ummgr-notable: "
			       "emit no table; -fplugin-arg-ummgr-profile=FILE: "
			       "launches are those of runs' statistics; "
			       "-fplugin-arg-ummgr-count: count how conditions in "
			       "regions come out; "
			       "-fplugin-arg-ummgr-no-announce: "
			       "don't say where the host comes next; "
			       "-fplugin-arg-ummgr-split=off: let no region be run "
			       "by ranges; -fplugin-arg-ummgr-trace: report "
			       "every memory access; -fplugin-arg-ummgr-trace-exact: "
			       "each where it is made; -fplugin-arg-ummgr-unify: "
			       "managed memory for what reaches regions; "
			       "-fplugin-arg-ummgr-warn: "
			       "warn of map clauses that move data in vain" };
  register_callback (info->base_name, PLUGIN_INFO, NULL, &about);

  /* Before omplower, which outlines what it finds; registered before the warning
     pass, and so run after it, which sees the constructs as they were written.  */
  if (args.split)
    pass_register (info->base_name, &args, ummgr_pass_split_new (),
		   "omp_oacc_kernels_decompose");

  /* Before omplower a region's body is in place and uses the very variables of
     its clauses; once in SSA form, and not optimised yet, the host's loops are
     what every -O level sees.  */
  if (args.warn)
    {
      pass_register (info->base_name, &args, ummgr_pass_warn_new (),
		     "omp_oacc_kernels_decompose");
      pass_register (info->base_name, &args, ummgr_pass_warn_loop_new (),
		     "ssa");
      register_callback (info->base_name, PLUGIN_ALL_IPA_PASSES_START,
			 ummgr_warn_finish, NULL);
      register_callback (info->base_name, PLUGIN_ALL_IPA_PASSES_END,
			 ummgr_warn_remapped_finish, NULL);
    }

  /* After omplower a target construct has its outlined function and its
     argument block, and still its clauses, its location, and the constructs
     nested in it; the next passes flatten and outline it.  This runs at every
     -O level.  */
  pass_register (info->base_name, &args, ummgr_pass_regions_new (),
		 "omplower");
  register_callback (info->base_name, PLUGIN_ALL_IPA_PASSES_START, ummgr_regions_unguard, NULL);

  /* remove_symbols is the first of the small IPA passes after
     opt_local_passes: every function is in SSA form, nothing is streamed yet
     (neither to LTO nor to the offload compiler), and functions that nothing
     reaches are gone.  From here on GCC keeps all regions, since they are in
     the offload tables; so a table written now keeps no region alive that
     would have gone without it.  Small IPA passes run at -O0 too.

     GCC reads its own profile a little later, still before anything is streamed.  And
     what is compiled to be counted must be to GCC what is compiled by the counts, while
     passes of the plugin may make new blocks.  */
  const char *last = ummgr_profile_passes () ? "profile" : "remove_symbols";
  if (!args.notable || args.unify)
    {
      pass_register (info->base_name, &args, ummgr_pass_sites_new (args.unify),
		     last);
      last = UMMGR_PASS_SITES;
    }
  if (!args.notable)
    {
      pass_register (info->base_name, &args, ummgr_pass_tables_new (), last);
      last = UMMGR_PASS_TABLES;
    }
  /* What the tables asked for, in code that is as they saw it.  */
  if (!args.notable && args.count)
    {
      pass_register (info->base_name, &args, ummgr_pass_count_new (), last);
      last = UMMGR_PASS_COUNT;
    }
  /* After the tables, which describe the code as it was written, and before
     allocations are changed, which are followed as such.  A trace is of what
     the program does itself.  */
  if (!args.notable && !args.no_announce && !args.trace)
    {
      pass_register (info->base_name, &args, ummgr_pass_announce_new (), last);
      last = UMMGR_PASS_ANNOUNCE;
    }
  /* At this position what is changed reaches LTO and the offload compiler.
     After the tables, which describe the code as it was written.  */
  if (args.unify || (!args.notable && !args.trace))
    {
      pass_register (info->base_name, &args, ummgr_pass_unify_new (args.unify), last);
      last = UMMGR_PASS_UNIFY;
    }
  if (args.trace)
    {
      /* In SSA form, and before anything is optimised: every variable that an
	 allocation is stored to is still there.  */
      pass_register (info->base_name, &args, ummgr_pass_trace_names_new (),
		     "ssa");
      pass_register (info->base_name, &args, ummgr_pass_trace_new (args.trace_exact),
		     last);
      register_callback (info->base_name, PLUGIN_OVERRIDE_GATE,
			 trace_version_hush, NULL);
      register_callback (info->base_name, PLUGIN_FINISH_UNIT,
			 trace_version_hush, NULL);
    }
  notes_enable ();
  return 0;
}
#pragma GCC visibility pop
