/* Advice by the tables of the program that was traced.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/advise.h"

#include "cli/tables.h"
#include "flow/around.h"
#include "ummgr-table.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The diagnosis, and the program's tables while its advice is made.  */
struct advising
{
  const struct ummgr_cli_object *object;
  struct ummgr_sites *sites;	/* Of it; or NULL.  */
  struct ummgr_diagnosis *d;
  bool patches;
  struct ummgr_advice *advice;
};

/* Files by the last part of their paths: a trace and a table may have them from two directories.  */
static bool
is_same (const char *file, uint32_t line, const char *other_file, uint32_t other_line)
{
  const char *a = strrchr (file, '/'), *b = strrchr (other_file, '/');
  return line == other_line && strcmp (a ? a + 1 : file, b ? b + 1 : other_file) == 0;
}

/* The object's regions, one after another: behind *UNIT and *I; NULL: no more.  */
static const struct ummgr_table_region *
region_next (const struct ummgr_cli_object *object, size_t *unit, size_t *i)
{
  for (; *unit < object->unit_count; ++*unit, *i = 0)
    if (*i < object->units[*unit]->region_count)
      return &object->units[*unit]->regions[(*i)++];
  return NULL;
}

#define FOR_EACH_REGION(REGION, OBJECT)                                       \
  for (size_t unit_ = 0, i_ = 0; ((REGION) = region_next (OBJECT, &unit_, &i_));)

/* Is each place that of a region, not of a construct that moves data alone?  */
static bool
all_are_regions (const struct ummgr_cli_object *object, const struct ummgr_change_place *places, size_t count)
{
  for (size_t p = 0; p < count; p++)
    {
      const struct ummgr_table_region *region;
      bool found = false;
      FOR_EACH_REGION (region, object)
	found |= is_same (region->file, region->line, places[p].file, places[p].line);
      if (!found)
	return false;
    }
  return true;
}

static void
around (void *data, const struct ummgr_change_place *places, size_t count, struct ummgr_change_around *out)
{
  const struct ummgr_cli_object *object = ((const struct advising *) data)->object;
  const struct ummgr_table_region *regions[UMMGR_AROUND_REGIONS], *region;
  unsigned wanted = 0;
  struct ummgr_around around;
  FOR_EACH_REGION (region, object)
    for (size_t p = 0; p < count; p++)
      if (is_same (region->file, region->line, places[p].file, places[p].line))
	{
	  if (wanted++ < UMMGR_AROUND_REGIONS)
	    regions[wanted - 1] = region;
	  break;
	}
  if (!ummgr_flow_around ((const struct ummgr_table_unit *const *) object->units, object->unit_count, regions,
			  wanted, &around))
    return;
  out->function = strdup (around.function);
  out->names = strdup (around.names);
  if (*around.file && out->function && out->names)
    out->file = strdup (around.file);
  out->line = around.line;
  out->all = all_are_regions (object, places, count);
}

/* Is what is allocated in LINE of FILE what an argument may be?  */
struct origin
{
  const char *file;
  uint32_t line;
  bool found;
};

static void
origin_compare (const struct ummgr_table_flow_end *end, void *data)
{
  struct origin *o = data;
  o->found |= end->kind == UMMGR_FLOW_SITE && end->site
	      && is_same (end->site->file, end->site->line, o->file, o->line);
}

static bool
item (void *data, const struct ummgr_finding *f, const char *name, struct ummgr_advise_item *out)
{
  const struct advising *a = data;
  const struct ummgr_table_region *region;
  unsigned named = 0, found = 0;
  FOR_EACH_REGION (region, a->object)
    for (unsigned i = 0; i < region->arg_count && is_same (region->file, region->line, f->file, f->line); i++)
      {
	const struct ummgr_table_arg *arg = &region->args[i];
	struct origin origin = { f->object->file, f->object->line, false };
	/* Pointers that are attached to sections have the sections' names.  */
	if (arg->arg_class == UMMGR_ARG_POINTER || !*arg->name)
	  continue;
	bool same = strcmp (arg->name, name) == 0;
	if (!same && a->sites && !named)
	  ummgr_sites_each (a->sites, arg, origin_compare, &origin);
	if ((!same && !origin.found) || (!same && found) || named)
	  {
	    found += origin.found;
	    named += same;
	    continue;
	  }
	found += !same;
	named += same;
	*out = (struct ummgr_advise_item) { arg->name, true, region->in_function, arg->file_scope, arg->length_names };
      }
  out->only = named == 1 || (!named && found == 1);
  return named || found;
}

static const char *
allocates (void *data, const char *file, uint32_t line)
{
  const struct ummgr_cli_object *object = ((const struct advising *) data)->object;
  for (size_t i = 0; i < object->unit_count; i++)
    for (size_t j = 0; j < object->units[i]->site_count; j++)
      {
	const struct ummgr_table_site *site = &object->units[i]->sites[j];
	if (is_same (site->file, site->line, file, line))
	  return site->function;
      }
  return NULL;
}

static void
advise (const struct ummgr_cli_object *object, void *data)
{
  struct advising *a = data;
  struct ummgr_advise_program program = { a, around, item, allocates };
  if (a->advice || !object->unit_count)
    return;
  a->object = object;
  a->sites = ummgr_cli_sites_new (object);
  a->advice = ummgr_advise (a->d, &program, a->patches);
  ummgr_sites_free (a->sites);
}

/* Anything else would be an error there.  */
static bool
is_elf (const char *path)
{
  char begin[SELFMAG];
  FILE *in = fopen (path, "re");
  bool is = in && fread (begin, 1, sizeof begin, in) == sizeof begin
	    && memcmp (begin, ELFMAG, SELFMAG) == 0;
  if (in)
    fclose (in);
  return is;
}

struct ummgr_advice *
ummgr_cli_advice (struct ummgr_diagnosis *d, bool patches)
{
  struct advising a = { .d = d, .patches = patches };
  char *program = strndup (d->run.program, strcspn (d->run.program, " "));
  if (program && is_elf (program))
    ummgr_cli_tables_read (program, advise, &a);
  free (program);
  return a.advice ? a.advice : ummgr_advise (d, NULL, patches);
}
