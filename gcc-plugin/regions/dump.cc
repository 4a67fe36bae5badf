/* What the plugin found, in GCC's dump files: lines that begin ";; ummgr:".
   SPDX-License-Identifier: GPL-3.0-or-later

   Tests scan these lines, since GIMPLE text differs between GCC versions.
   Holds no state.  */

#include "regions/regions.h"

static void
dump_bits (FILE *file, unsigned bits, const char *const *names, unsigned count)
{
  const char *separator = "";
  for (unsigned i = 0; i < count; i++)
    if (bits & (1u << i))
      {
	fprintf (file, "%s%s", separator, names[i]);
	separator = ",";
      }
  if (!*separator)
    fputs ("none", file);
}

static const char *
map_kind_name (unsigned kind)
{
  static const struct
  {
    unsigned kind;
    const char *name;
  } names[] = UMMGR_MAP_KIND_NAMES;
  for (unsigned i = 0; i < ARRAY_SIZE (names); i++)
    if (names[i].kind == kind)
      return names[i].name;
  return "unknown";
}

static void
dump_arg (FILE *file, unsigned i, const ummgr_arg *arg)
{
  static const char *const classes[] = UMMGR_ARG_CLASS_NAMES;
  fprintf (file, ";; ummgr:   arg %u: name %s map %s class %s element %u "
	   "size ", i, *arg->name ? arg->name : "?",
	   map_kind_name (arg->map_kind), classes[arg->arg_class],
	   arg->element_size);
  if (arg->size)
    fprintf (file, HOST_WIDE_INT_PRINT_UNSIGNED, arg->size);
  else
    fputs ("?", file);
  fprintf (file, " type \"%s\"", arg->type);
  if (*arg->file)
    fprintf (file, " declared %s:%u", lbasename (arg->file), arg->line);
  fputc ('\n', file);
}

void
ummgr_region_dump (FILE *file, const ummgr_region *region)
{
  static const char *const constructs[] = UMMGR_CONSTRUCT_NAMES;
  static const char *const flags[] = UMMGR_REGION_FLAG_NAMES;
  fprintf (file, ";; ummgr: region %s at %s:%u:%u in \"%s\" constructs ",
	   region->name, lbasename (region->file), region->line,
	   region->column, region->in_function);
  dump_bits (file, region->constructs, constructs, ARRAY_SIZE (constructs));
  fprintf (file, " collapse %u flags ", region->collapse);
  dump_bits (file, region->flags, flags, ARRAY_SIZE (flags));
  unsigned hidden = region->split_lo ? 2 : 0;
  fprintf (file, " args %u\n", region->args.length () - hidden);
  fprintf (file, ";; ummgr:   title \"%s\"\n", region->title);
  for (unsigned i = 0; i < region->args.length (); i++)
    if (!region->args[i].hidden)
      dump_arg (file, i, &region->args[i]);
}
