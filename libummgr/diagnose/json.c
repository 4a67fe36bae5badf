/* Diagnosis as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Pictures stay out: they are the HTML's.  No state.  */

#include "config.h"
#include "diagnose/traced.h"

#include "base/json-text.h"

static void
put_text (json_t *to, const char *key, const char *text)
{
  json_object_set_new (to, key, ummgr_json_string (text ? text : ""));
}

static void
put_count (json_t *to, const char *key, uint64_t count)
{
  json_int_t value = count > INT64_MAX ? INT64_MAX : (json_int_t) count;
  json_object_set_new (to, key, json_integer (value));
}

static void
put_place (json_t *to, const char *file, uint32_t line)
{
  put_text (to, "file", file);
  put_count (to, "line", line);
}

static void
put_facts (json_t *to, const struct ummgr_facts *f)
{
  put_count (to, "words", f->words);
  put_count (to, "cpu_wrote", f->cpu_wrote);
  put_count (to, "gpu_wrote", f->gpu_wrote);
  put_count (to, "c_c", f->c_c);
  put_count (to, "c_g", f->c_g);
  put_count (to, "g_c", f->g_c);
  put_count (to, "g_g", f->g_g);
  put_count (to, "last_gpu", f->last_gpu);
  put_count (to, "accessed", f->accessed);
  put_count (to, "gpu_accessed", f->gpu_accessed);
  put_count (to, "alternating", f->alternating);
  put_count (to, "overwritten", f->overwritten);
  json_object_set_new (to, "density",
		       json_real (f->words
				  ? (double) f->gpu_accessed / f->words : 0));
}

static json_t *
phase_facts (const struct ummgr_phase_facts *p)
{
  json_t *out = json_object (), *blocks = json_array ();
  put_count (out, "phase", p->phase);
  json_object_set_new (out, "device", json_integer (p->device));
  put_count (out, "offset", p->offset);
  put_count (out, "copies", p->copies ? p->copies : 1);
  put_facts (out, &p->facts);
  for (int i = 0; i < 11; i++)
    json_array_append_new (blocks, json_integer (p->blocks[i]));
  json_object_set_new (out, "blocks", blocks);
  return out;
}

static json_t *
object (const struct ummgr_traced_object *o)
{
  json_t *out = json_object (), *phases = json_array ();
  json_t *host = json_object (), *device = json_object ();
  put_count (out, "id", o->id);
  put_text (out, "name", o->name);
  put_place (out, o->file, o->line);
  put_count (out, "base", o->base);
  put_count (out, "size", o->size);
  json_object_set_new (out, "unified",
		       json_boolean (o->flags & UMMGR_TRACE_OBJECT_UNIFIED));
  put_count (out, "element_size", o->element_size);
  put_count (out, "merged", o->merged);
  put_count (out, "copied_in", o->copied_in);
  put_count (out, "copied_out", o->copied_out);
  put_count (out, "copies", o->copies);
  put_facts (host, &o->host);
  put_facts (device, &o->device);
  json_object_set_new (out, "host", host);
  json_object_set_new (out, "on_device", device);
  for (size_t i = 0; i < o->facts_count; i++)
    json_array_append_new (phases, phase_facts (&o->facts[i]));
  json_object_set_new (out, "facts", phases);
  return out;
}

static json_t *
finding (const struct ummgr_finding *f)
{
  json_t *out = json_object ();
  put_text (out, "kind", ummgr_finding_name[f->kind]);
  put_count (out, "object_id", f->object->id);
  put_text (out, "object", f->object->name);
  put_place (out, f->file, f->line);
  put_count (out, "phase", f->phase);
  put_count (out, "phases", f->phases);
  put_count (out, "times", f->times);
  put_count (out, "bytes", f->bytes);
  json_object_set_new (out, "modelled_seconds", json_real (f->seconds));
  put_text (out, "what", f->what);
  put_text (out, "change", f->change);
  put_text (out, "elements", f->elements);
  if (f->remedy)
    {
      json_t *remedy = json_object ();
      struct ummgr_remedy r = ummgr_diagnosis_remedy (f->object, f->remedy->kind);
      put_text (remedy, "name", ummgr_remedy_name[r.kind]);
      put_text (remedy, "object", r.name);
      put_place (remedy, r.file, r.line);
      json_object_set_new (remedy, "modelled_seconds", json_real (f->remedy->with));
      json_object_set_new (remedy, "instead_of", json_real (f->remedy->without));
      json_object_set_new (out, "remedy", remedy);
    }
  return out;
}

json_t *
ummgr_diagnosis_json_findings (const struct ummgr_diagnosis *d)
{
  json_t *out = json_array ();
  for (size_t i = 0; i < d->finding_count; i++)
    json_array_append_new (out, finding (&d->findings[i]));
  return out;
}

json_t *
ummgr_diagnosis_json_head (const struct ummgr_diagnosis *d)
{
  json_t *out = json_object ();
  put_text (out, "path", d->path);
  json_object_set_new (out, "cut", json_boolean (d->cut));
  put_text (out, "program", d->run.program);
  put_text (out, "profile", d->run.profile);
  put_text (out, "policy", d->run.policy);
  put_text (out, "host", d->run.host);
  if (d->run.rank)
    json_object_set_new (out, "rank", json_pack ("{s:I, s:I, s:o}", "number", (json_int_t) d->run.rank - 1,
						 "count", (json_int_t) d->run.ranks, "job",
						 ummgr_json_string (*d->run.job ? d->run.job : NULL)));
  put_count (out, "sample", d->run.sample ? d->run.sample : 1);
  put_count (out, "block", d->run.block);
  json_object_set_new (out, "instrumented",
		       json_boolean (d->run.instrumented));
  json_object_set_new (out, "accesses_asked",
		       json_boolean (!(d->run.scope & UMMGR_TRACE_LIGHT)));
  put_count (out, "launches", d->launches);
  put_count (out, "accesses", d->accesses);
  put_count (out, "lost", d->lost);
  put_count (out, "object_count", d->object_count);
  put_count (out, "phase_count", d->phase_count);
  return out;
}

json_t *
ummgr_diagnosis_json (const struct ummgr_diagnosis *d)
{
  json_t *out = json_object (), *phases = json_array ();
  json_t *regions = json_array (), *objects = json_array ();
  put_count (out, "version", 1);
  json_object_set_new (out, "trace", ummgr_diagnosis_json_head (d));
  json_object_set_new (out, "findings", ummgr_diagnosis_json_findings (d));
  if (!d->run.instrumented)
    json_object_set_new (out, "moved", ummgr_diagnosis_json_moved (d));
  if (*d->together.machine)
    {
      json_t *together = json_object ();
      put_text (together, "tried", d->together.machine);
      put_count (together, "count", d->together.count);
      json_object_set_new (together, "modelled_seconds",
			   d->together.with > 0 ? json_real (d->together.with) : json_null ());
      json_object_set_new (together, "instead_of", json_real (d->together.without));
      json_object_set_new (out, "remedies", together);
    }
  for (size_t i = 0; i < d->phase_count; i++)
    {
      json_t *one = json_object ();
      put_count (one, "phase", d->phases[i].phase);
      put_text (one, "name", d->phases[i].name);
      put_text (one, "cause", d->phases[i].cause);
      put_count (one, "launches", d->phases[i].launches);
      json_array_append_new (phases, one);
    }
  for (size_t i = 0; i < d->region_count; i++)
    {
      json_t *one = json_object ();
      put_text (one, "name", d->regions[i].name);
      if (*d->regions[i].title)
	put_text (one, "title", d->regions[i].title);
      put_place (one, d->regions[i].file, d->regions[i].line);
      put_count (one, "launches", d->region_launches[i]);
      json_array_append_new (regions, one);
    }
  for (size_t i = 0; i < d->object_count; i++)
    json_array_append_new (objects, object (d->objects[i]));
  json_object_set_new (out, "phases", phases);
  json_object_set_new (out, "regions", regions);
  json_object_set_new (out, "objects", objects);
  return out;
}
