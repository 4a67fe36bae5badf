/* Advice as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "advise/advise.h"
#include "advise/runs.h"
#include "base/json-text.h"

static json_t *
change (const struct ummgr_change *c)
{
  json_t *places = json_array (), *findings = json_array ();
  for (size_t i = 0; i < c->place_count; i++)
    json_array_append_new (places, json_pack ("{s:o, s:I}", "file", ummgr_json_string (c->places[i].file), "line",
					      (json_int_t) c->places[i].line));
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_finding *f = c->findings[i];
      json_array_append_new (findings, json_pack ("{s:s, s:o, s:o, s:I}", "kind",
						  ummgr_finding_name[f->kind], "object",
						  ummgr_json_string (f->object->name), "file", ummgr_json_string (f->file), "line",
						  (json_int_t) f->line));
    }
  json_t *around = !c->around.function ? json_null ()
    : json_pack ("{s:o, s:o, s:I}", "function", ummgr_json_string (c->around.function), "file",
		 ummgr_json_string (c->around.file), "line", (json_int_t) c->around.line);
  return json_pack ("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:f, s:o, s:o}", "kind",
		    ummgr_change_name[c->kind], "what", ummgr_json_string (c->what), "around", around,
		    "directive", ummgr_json_string (c->directive), "note", ummgr_json_string (c->note),
		    "patch", ummgr_json_string (c->patch), "unpatched", ummgr_json_string (c->unpatched),
		    "bytes", (json_int_t) c->bytes, "seconds", c->seconds, "places", places,
		    "findings", findings);
}

json_t *
ummgr_advice_json (const struct ummgr_advice *a)
{
  const struct ummgr_diagnosis *d = a->diagnosis;
  json_t *changes = json_array ();
  for (size_t i = 0; changes && i < a->count; i++)
    json_array_append_new (changes, change (&a->changes[i]));
  return json_pack ("{s:o, s:o, s:o, s:b, s:I, s:I, s:f, s:f, s:o, s:o}", "trace",
		    ummgr_json_string (d->path), "program",
		    ummgr_json_string (d->run.program), "policy", ummgr_json_string (d->run.policy), "cut", d->cut, "copied_in",
		    (json_int_t) d->copied_in, "copied_out", (json_int_t) d->copied_out,
		    "copy_seconds", d->copy_seconds, "busy_seconds", d->busy_seconds, "changes", changes,
		    "runs", ummgr_runs_json (a->runs));
}
