/* Diagnosis: reading a trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One pass: each record goes to the file that knows what it means.  Owns the
   diagnosis, its devices, regions and phases.  */

#include "config.h"
#include "diagnose/traced.h"

#include "base/log.h"
#include "trace/read.h"

#include <stdlib.h>
#include <string.h>

const char *const ummgr_finding_name[UMMGR_FINDING_KINDS] = {
  [UMMGR_FINDING_ALTERNATING] = "alternating",
  [UMMGR_FINDING_LOW_DENSITY] = "low-density",
  [UMMGR_FINDING_UNUSED_COPY] = "unused-copy",
  [UMMGR_FINDING_OVERWRITTEN_COPY] = "overwritten-copy",
  [UMMGR_FINDING_UNCHANGED_COPY] = "unchanged-copy",
  [UMMGR_FINDING_DUPLICATE_COPY] = "duplicate-copy",
  [UMMGR_FINDING_ROUND_TRIP] = "round-trip",
  [UMMGR_FINDING_UNUSED_ALLOCATION] = "unused-allocation",
  [UMMGR_FINDING_EARLY_COPY] = "early-copy",
  [UMMGR_FINDING_UNADVISED] = "unadvised",
  [UMMGR_FINDING_OVERLAP] = "overlap",
  [UMMGR_FINDING_REMAPPED] = "remapped"
};

static void
take_run (struct ummgr_diagnosing *g, const struct ummgr_trace_run *run)
{
  struct ummgr_trace_run *r = &g->d.run;
  *r = *run;
  r->program = ummgr_arena_string (&g->arena, run->program);
  r->profile = ummgr_arena_string (&g->arena, run->profile);
  r->policy = ummgr_arena_string (&g->arena, run->policy);
  r->writer = ummgr_arena_string (&g->arena, run->writer);
  r->host = ummgr_arena_string (&g->arena, run->host);
  r->job = ummgr_arena_string (&g->arena, run->job);
}

static void
take_device (struct ummgr_diagnosing *g,
	     const struct ummgr_trace_device *device)
{
  struct ummgr_diagnosis *d = &g->d;
  struct ummgr_trace_device one = *device;
  one.name = ummgr_arena_string (&g->arena, device->name);
  for (size_t i = 0; i < d->device_count; i++)
    if (d->devices[i].device == one.device)
      {
	d->devices[i] = one;
	return;
      }
  if (ummgr_arena_grow (&g->arena, &d->devices, d->device_count,
			&g->device_room, sizeof *d->devices))
    d->devices[d->device_count++] = one;
}

static void
take_region (struct ummgr_diagnosing *g,
	     const struct ummgr_trace_region *region)
{
  struct ummgr_diagnosis *d = &g->d;
  size_t room = g->region_room;
  if (!region->region)
    return;
  void **index = ummgr_number_slot (&g->region_index, region->region);
  if (!index)
    g->arena.failed = true;
  if (!index || *index
      || !ummgr_arena_grow (&g->arena, &d->region_launches, d->region_count,
			    &room, sizeof *d->region_launches)
      || !ummgr_arena_grow (&g->arena, &d->regions, d->region_count,
			    &g->region_room, sizeof *d->regions))
    return;
  struct ummgr_trace_region *r = &d->regions[d->region_count];
  *r = *region;
  r->name = ummgr_arena_string (&g->arena, region->name);
  r->file = ummgr_arena_string (&g->arena, region->file);
  r->title = ummgr_arena_string (&g->arena, region->title);
  d->region_launches[d->region_count++] = 0;
  *index = (void *) (uintptr_t) d->region_count;
}

static void
end_phase (struct ummgr_diagnosing *g, const char *name, const char *cause,
	   uint64_t launches)
{
  struct ummgr_diagnosis *d = &g->d;
  if (!ummgr_arena_grow (&g->arena, &d->phases, d->phase_count,
			 &g->phase_room, sizeof *d->phases))
    return;
  d->phases[d->phase_count] = (struct ummgr_trace_phase) {
    .phase = d->phase_count + 1,
    .name = ummgr_arena_string (&g->arena, name),
    .cause = ummgr_arena_string (&g->arena, cause), .launches = launches
  };
  d->phase_count++;
  g->phase_open = false;
  g->phase_launches = 0;
}

static void
take (struct ummgr_diagnosing *g, const struct ummgr_trace_record *r)
{
  g->epoch++;
  ummgr_trace_limit_steps (g->limit, 1);
  switch (r->kind)
    {
    case UMMGR_TRACE_RUN:
      take_run (g, &r->u.run);
      break;
    case UMMGR_TRACE_DEVICE:
      take_device (g, &r->u.device);
      break;
    case UMMGR_TRACE_REGION:
      take_region (g, &r->u.region);
      break;
    case UMMGR_TRACE_BEGIN:
      ummgr_diagnose_launch (g, &r->u.launch);
      ummgr_diagnose_begun (g, r->u.launch.device, false);
      break;
    case UMMGR_TRACE_FINISH:
      ummgr_diagnose_begun (g, r->u.launch.device, true);
      break;
    case UMMGR_TRACE_HANDED:
      ummgr_diagnose_handed (g, r->u.handed.device);
      break;
    case UMMGR_TRACE_FAULTS:
      ummgr_diagnose_faults (g, &r->u.faults);
      break;
    case UMMGR_TRACE_OBJECT:
      ummgr_diagnose_object (g, &r->u.object);
      break;
    case UMMGR_TRACE_GONE:
      ummgr_diagnose_gone (g, r->u.object.object);
      break;
    case UMMGR_TRACE_COPY:
      ummgr_diagnose_copy (g, &r->u.move);
      break;
    case UMMGR_TRACE_ADVICE:
      ummgr_diagnose_advice (g, &r->u.move);
      break;
    case UMMGR_TRACE_USE:
      ummgr_diagnose_use (g, &r->u.use);
      break;
    case UMMGR_TRACE_PRESENT:
    case UMMGR_TRACE_ABSENT:
      ummgr_diagnose_present (g, &r->u.present,
			      r->kind == UMMGR_TRACE_ABSENT);
      break;
    case UMMGR_TRACE_OUTCOME:
      ummgr_diagnose_outcome (g, &r->u.outcome);
      break;
    case UMMGR_TRACE_FACTS:
      ummgr_diagnose_facts (g, &r->u.facts);
      break;
    case UMMGR_TRACE_TAKEN:
      ummgr_diagnose_taken (g, &r->u.taken);
      break;
    case UMMGR_TRACE_STEPS:
      g->d.stepped = true;
      break;
    case UMMGR_TRACE_LOST:
      g->d.lost += r->u.lost.reports;
      break;
    case UMMGR_TRACE_PHASE:
      end_phase (g, r->u.phase.name, r->u.phase.cause, r->u.phase.launches);
      break;
    default:
      break;
    }
}

static void
read_all (struct ummgr_diagnosing *g, struct ummgr_trace_reader *reader)
{
  struct ummgr_trace_batch batch;
  struct ummgr_trace_record record;
  enum ummgr_status status;
  while (!(status = ummgr_trace_reader_batch (reader, &batch, &record))
	 && (batch.count || record.kind != UMMGR_TRACE_END)
	 && !g->arena.failed)
    if (batch.count)
      ummgr_diagnose_accesses (g, &batch);
    else
      take (g, &record);
  g->d.cut = status != UMMGR_OK;
  if (g->phase_open)
    end_phase (g, "", g->d.cut ? "no more of the trace" : "end",
	       g->phase_launches);
}

struct ummgr_diagnosis *
ummgr_diagnose (const char *path, const struct ummgr_diagnose_options *options)
{
  return ummgr_diagnose_part (path, 0, options);
}

const struct ummgr_traced_object *
ummgr_diagnosis_at (const struct ummgr_diagnosis *d, uint64_t address)
{
  const struct ummgr_diagnosing *g = (const struct ummgr_diagnosing *) d;
  for (size_t i = 0; i < d->object_count; i++)
    if (g->all[i]->live && address - g->all[i]->o.base < g->all[i]->o.size)
      return &g->all[i]->o;
  return NULL;
}

struct ummgr_diagnosis *
ummgr_diagnose_part (const char *path, uint64_t bytes,
		     const struct ummgr_diagnose_options *options)
{
  static const struct ummgr_diagnose_options defaults
      = UMMGR_DIAGNOSE_DEFAULTS;
  struct ummgr_trace_reader *reader;
  if (ummgr_trace_reader_open (path, &reader) != UMMGR_OK)
    return NULL;
  ummgr_trace_reader_until (reader, bytes);
  struct ummgr_diagnosing *g = calloc (1, sizeof *g);
  if (g)
    {
      g->options = options ? *options : defaults;
      g->limit = g->arena.limit = ummgr_trace_reader_limit (reader);
      g->d.path = ummgr_arena_string (&g->arena, path);
      take_run (g, &g->d.run);
      read_all (g, reader);
      ummgr_diagnose_copies_end (g);
      ummgr_diagnose_findings (g);
    }
  bool exceeded = g && g->limit->exceeded;
  ummgr_trace_reader_close (reader);
  if (g && !g->arena.failed)
    {
      g->limit = g->arena.limit = NULL;
      g->d.cut |= exceeded;
      return &g->d;
    }
  if (!exceeded)
    ummgr_error ("trace: %s: no memory to diagnose it", path);
  ummgr_diagnosis_free (g ? &g->d : NULL);
  return NULL;
}

void
ummgr_diagnosis_free (struct ummgr_diagnosis *diagnosis)
{
  struct ummgr_diagnosing *g = (struct ummgr_diagnosing *) diagnosis;
  if (!g)
    return;
  free (g->ids.entries);
  free (g->small_ids);
  free (g->copies.entries);
  free (g->kinds.entries);
  free (g->region_index.entries);
  ummgr_arena_free (&g->arena);
  free (g);
}
