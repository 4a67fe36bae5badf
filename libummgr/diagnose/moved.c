/* Diagnosis: where data moved, as text and JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "diagnose/traced.h"

#include "base/json-text.h"
#include "base/table.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 30 };

/* Such as "after FILE:12".  */
static void
add_place (struct ummgr_table *table, const struct ummgr_moved *m)
{
  const char *slash = strrchr (m->file, '/');
  char file[200];
  ummgr_utf8_print (file, sizeof file, slash && slash[1] ? slash + 1 : m->file);
  ummgr_table_add (table, "%s%s", m->behind ? "after " : "", *file ? file : "-");
  if (m->line)
    ummgr_table_add (table, ":%" PRIu32, m->line);
}

static void
add_row (struct ummgr_table *table, const struct ummgr_moved *m, bool paged)
{
  char name[40];
  ummgr_utf8_print (name, sizeof name, m->object->name);
  add_place (table, m);
  ummgr_table_add (table, "\t%s\t%" PRIu64, name, m->copies);
  ummgr_table_add (table, "\t%s", ummgr_human_bytes (m->copied_in).text);
  ummgr_table_add (table, "\t%s", ummgr_human_bytes (m->copied_out).text);
  if (paged)
    {
      ummgr_table_add (table, "\t%" PRIu64 "\t%" PRIu64, m->gpu_faults, m->cpu_faults);
      ummgr_table_add (table, "\t%s", ummgr_human_bytes (m->in).text);
      ummgr_table_add (table, "\t%s", ummgr_human_bytes (m->out).text);
    }
  ummgr_table_add (table, "\n");
}

void
ummgr_diagnosis_moved (FILE *out, const struct ummgr_diagnosis *d)
{
  bool paged = false;
  if (!d->moved_count)
    return;
  for (size_t i = 0; i < d->moved_count; i++)
    paged |= d->moved[i].gpu_faults + d->moved[i].cpu_faults + d->moved[i].in
      + d->moved[i].out > 0;
  fputs ("\nWhere data moved, most bytes first\n", out);
  if (paged)
    fputs ("(after: by the construct's own copies, and by the host up to the next)\n", out);
  struct ummgr_table table = { .columns = paged ? "llrrrrrrr" : "llrrr", .indent = "  ",
			       .head = true };
  ummgr_table_add (&table, "at\tobject\tcopies\tin\tout%s\n",
		   paged ? "\tGPU faults\tCPU faults\tpaged in\tout" : "");
  size_t shown = d->moved_count < ROWS ? d->moved_count : ROWS;
  for (size_t i = 0; i < shown; i++)
    add_row (&table, &d->moved[i], paged);
  ummgr_table_end (&table, out);
  if (shown < d->moved_count)
    fprintf (out, "  %zu more, see --json\n", d->moved_count - shown);
}

json_t *
ummgr_diagnosis_json_moved (const struct ummgr_diagnosis *d)
{
  json_t *out = json_array ();
  for (size_t i = 0; i < d->moved_count; i++)
    {
      const struct ummgr_moved *m = &d->moved[i];
      const struct { const char *key; uint64_t count; } counts[] = {
	{ "line", m->line }, { "object_id", m->object->id }, { "copies", m->copies },
	{ "copied_in", m->copied_in }, { "copied_out", m->copied_out },
	{ "gpu_faults", m->gpu_faults }, { "cpu_faults", m->cpu_faults },
	{ "evictions", m->evictions }, { "paged_in", m->in }, { "paged_out", m->out }
      };
      json_t *one = json_object ();
      json_object_set_new (one, "file", ummgr_json_string (m->file));
      json_object_set_new (one, "object", ummgr_json_string (m->object->name));
      json_object_set_new (one, "host", json_boolean (m->behind));
      for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
	json_object_set_new (one, counts[j].key, json_integer ((json_int_t) counts[j].count));
      json_array_append_new (out, one);
    }
  return out;
}
