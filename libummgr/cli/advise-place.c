/* Where the changes that `ummgr advise' tells of go, by the tables of the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/advise.h"

#include "cli/tables.h"
#include "flow/around.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct question
{
  const struct ummgr_change_place *places;
  size_t count;
  struct ummgr_change_around *out;
};

/* Files by the last part of their paths: a trace and a table may have them from two directories.  */
static bool
is_at (const struct ummgr_table_region *region, const struct ummgr_change_place *place)
{
  const char *a = strrchr (region->file, '/'), *b = strrchr (place->file, '/');
  return region->line == place->line
	 && strcmp (a ? a + 1 : region->file, b ? b + 1 : place->file) == 0;
}

static bool
is_wanted (const struct question *q, const struct ummgr_table_region *region)
{
  for (size_t i = 0; i < q->count; i++)
    if (is_at (region, &q->places[i]))
      return true;
  return false;
}

/* Is each place that of one of OBJECT's regions, not of a construct that moves data alone?  */
static bool
all_are_regions (const struct question *q, const struct ummgr_cli_object *object)
{
  for (size_t p = 0; p < q->count; p++)
    {
      bool found = false;
      for (size_t i = 0; i < object->unit_count && !found; i++)
	for (size_t j = 0; j < object->units[i]->region_count && !found; j++)
	  found = is_at (&object->units[i]->regions[j], &q->places[p]);
      if (!found)
	return false;
    }
  return true;
}

static void
answer (const struct ummgr_cli_object *object, void *data)
{
  const struct question *q = data;
  const struct ummgr_table_region *regions[UMMGR_AROUND_REGIONS];
  unsigned count = 0;
  struct ummgr_around around;
  for (size_t i = 0; i < object->unit_count; i++)
    for (size_t j = 0; j < object->units[i]->region_count; j++)
      if (is_wanted (q, &object->units[i]->regions[j]) && count++ < UMMGR_AROUND_REGIONS)
	regions[count - 1] = &object->units[i]->regions[j];
  if (q->out->function
      || !ummgr_flow_around ((const struct ummgr_table_unit *const *) object->units,
			     object->unit_count, regions, count, &around))
    return;
  q->out->function = strdup (around.function);
  if (*around.file && q->out->function)
    q->out->file = strdup (around.file);
  q->out->line = around.line;
  q->out->all = all_are_regions (q, object);
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

void
ummgr_cli_around (void *data, const struct ummgr_change_place *places, size_t count,
		  struct ummgr_change_around *out)
{
  const struct ummgr_diagnosis *d = data;
  struct question q = { places, count, out };
  char *program = strndup (d->run.program, strcspn (d->run.program, " "));
  if (program && is_elf (program))
    ummgr_cli_tables_read (program, answer, &q);
  free (program);
}
