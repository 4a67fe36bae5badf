/* A trace as a stream of page events.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the launch that begins, and names of regions and arguments.  Objects are
   objects.c's, accesses reach.c's, events emit.c's, the filter is tlb.c's.  */

#include "config.h"
#include "replay/pages.h"
#include "replay/areas.h"
#include "replay/parts.h"

#include "base/log.h"
#include "policy/policy.h"
#include "trace/read.h"

#include <Judy.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  UNITS_STEP = 64,		/* For a use of an object: policies look at its blocks.  */
  WARP_STEPS = 16		/* Of a launch, for each warp.  */
};

struct region
{
  char *name, *file;
  uint32_t line;
  uint64_t launches;
};

struct stream
{
  const struct ummgr_page_options *options;
  const struct ummgr_page_sink *sink;
  struct ummgr_page_totals totals; /* But for what the emitter counts.  */
  unsigned shift;		/* Of a byte, to its page.  */
  struct ummgr_paged objects;
  void *regions;		/* Judy, by number.  */
  void *names;			/* JudySL, of uses: to themselves.  */
  /* The launch that has begun, until what is known of it is complete.  */
  bool beginning;
  struct ummgr_page_region region;
  struct ummgr_page_use *uses;
  size_t use_room;
  uint64_t current, skipped;	/* Launches.  */
  struct ummgr_trace_taken copies; /* Of objects.  */
  bool libgomps;		/* They were libgomp's, which devices count.  */
  struct ummgr_trace_device device; /* Ours; strings are gone.  */
  /* Of a launch in a GPU's order; NULL: it is none.  */
  struct ummgr_gpu_steps *steps;
  uint64_t steps_memory;	/* Taken from the limit.  */
  struct ummgr_areas areas;
  struct ummgr_parts parts;
  struct ummgr_emitter emitter;
  struct ummgr_reaches reaches;
};

/* The launch that has begun runs now: all is known of it.  */
static void
begin_now (struct stream *s)
{
  if (!s->beginning)
    return;
  s->beginning = false;
  s->region.uses = s->uses;
  ummgr_emit (&s->emitter, s->totals.launches++, UMMGR_PAGE_REGION_BEGIN);
  ummgr_emitter_flush (&s->emitter);
  if (s->sink->region && !s->emitter.failed
      && !s->sink->region (s->sink->data, &s->region))
    s->emitter.failed = true;
}

/* --- launches ------------------------------------------------------------ */

static void
region_defined (struct stream *s, const struct ummgr_trace_region *t)
{
  if (!ummgr_emitter_memory (&s->emitter, UMMGR_PAGED_BYTES))
    return;
  struct region *r = calloc (1, sizeof *r);
  PPvoid_t slot = r ? JudyLIns (&s->regions, t->region, PJE0) : NULL;
  if (!slot || slot == (PPvoid_t) PPJERR || *slot)
    {
      s->emitter.failed |= !slot || slot == (PPvoid_t) PPJERR;
      free (r);
      return;
    }
  *r = (struct region) {
    ummgr_emitter_copy (&s->emitter, t->name),
    ummgr_emitter_copy (&s->emitter, t->file), t->line, 0
  };
  *slot = r;
}

static void
launch_begins (struct stream *s, const struct ummgr_trace_launch *l)
{
  if (s->options->device >= 0 && l->device != s->options->device)
    {
      s->skipped = l->launch;
      return;
    }
  PPvoid_t slot = JudyLGet (s->regions, l->region, PJE0);
  struct region *r = slot ? *slot : NULL;
  s->region = (struct ummgr_page_region) {
    .launch = l->launch, .region = l->region,
    .invocation = r ? ++r->launches : 1, .name = r ? r->name : "", .file = r ? r->file : "",
    .line = r ? r->line : 0
  };
  s->current = l->launch;
  s->beginning = true;
}

static bool
more_uses (struct stream *s)
{
  size_t room = s->use_room ? 2 * s->use_room : 16;
  if (!ummgr_emitter_memory (&s->emitter, room * sizeof *s->uses))
    return false;
  struct ummgr_page_use *uses = reallocarray (s->uses, room, sizeof *uses);
  s->emitter.failed |= !uses;
  if (!uses)
    return false;
  s->uses = uses;
  s->use_room = room;
  return true;
}

/* NAME, as long-lived as S; NULL where it is none.  */
static const char *
name_kept (struct stream *s, const char *name)
{
  if (!name || !*name)
    return NULL;
  PPvoid_t slot = JudySLGet (s->names, (const uint8_t *) name, PJE0);
  if (slot)
    return *slot;
  if (!ummgr_emitter_memory (&s->emitter, UMMGR_PAGED_BYTES + strlen (name)))
    return NULL;
  char *copy = ummgr_emitter_copy (&s->emitter, name);
  slot = copy ? JudySLIns (&s->names, (const uint8_t *) name, PJE0) : NULL;
  if (!slot || slot == (PPvoid_t) PPJERR)
    {
      s->emitter.failed = true;
      free (copy);
      return NULL;
    }
  return *slot = copy;
}

static void
use_known (struct stream *s, const struct ummgr_trace_use *t)
{
  struct ummgr_paged_object *o = ummgr_paged_find (&s->objects, t->object);
  if (!s->beginning || t->launch != s->current || !o
      || !ummgr_paged_place (&s->objects, o)
      || !ummgr_emitter_steps (&s->emitter, o->units / UNITS_STEP))
    return;
  if (s->region.use_count == s->use_room && !more_uses (s))
    return;
  uint64_t lo, hi;
  ummgr_hint_range (&t->hint, o->o.size, &lo, &hi);
  uint64_t start = o->extent.start;
  s->uses[s->region.use_count++] = (struct ummgr_page_use) {
    .lo = o->extent.first + (start + lo) / s->objects.page_size,
    .hi = o->extent.first + (start + hi - 1) / s->objects.page_size + 1,
    .object = t->object, .region = s->region.region,
    .object_lo = o->extent.first, .object_hi = o->extent.first + o->units,
    .hint = t->hint
  };
  s->uses[s->region.use_count - 1].hint.name = name_kept (s, t->hint.name);
}

/* --- launches in a GPU's order ---------------------------------------------- */

/* All is known of what the launch, or a part of it, does: it runs.  */
static void
run_steps (struct stream *s)
{
  if (!s->steps)
    return;
  ummgr_emitter_flush (&s->emitter);
  if (!s->emitter.failed && !s->sink->steps (s->sink->data, s->steps, &s->areas))
    s->emitter.failed = true;
  ummgr_gpu_steps_destroy (s->steps);
  s->steps = NULL;
  s->emitter.limit->memory += s->steps_memory;
  s->steps_memory = 0;
}

/* STEPS has grown.  */
static void
charge_steps (struct stream *s)
{
  uint64_t bytes = ummgr_gpu_steps_memory (s->steps);
  if (bytes <= s->steps_memory)
    return;
  ummgr_emitter_memory (&s->emitter, bytes - s->steps_memory);
  s->steps_memory = bytes;
}

static void
take_shape (struct stream *s, const struct ummgr_trace_shape *t)
{
  const struct ummgr_device_shape shape = { t->teams, t->warps, t->lie, t->registers,
					    t->shared };
  begin_now (s);
  run_steps (s);
  ummgr_emitter_flush (&s->emitter);
  uint64_t warps = (uint64_t) t->teams * t->warps, memory = ummgr_gpu_steps_least (&shape);
  if (s->emitter.failed || !ummgr_emitter_steps (&s->emitter, WARP_STEPS * warps)
      || !ummgr_emitter_memory (&s->emitter, memory))
    return;
  s->steps_memory = memory;
  s->sink->told (s->sink->data);
  ummgr_areas_begin (&s->areas);
  s->steps = ummgr_gpu_steps_create (&shape);
  s->emitter.failed |= !s->steps;
  if (s->steps)
    charge_steps (s);
}

static void
take_area (struct stream *s, const struct ummgr_trace_area *t)
{
  if (s->steps && ummgr_emitter_memory (&s->emitter, UMMGR_PAGED_BYTES)
      && !ummgr_areas_add (&s->areas, t))
    s->emitter.failed = true;
}

/* Parts are numbered whosever they are.  */
static void
take_steps (struct stream *s, const struct ummgr_trace_steps *t)
{
  struct ummgr_gpu_part *part;
  if (s->emitter.failed)
    return;
  s->emitter.failed |= !ummgr_parts_take (&s->parts, t, &part);
  if (s->emitter.failed || !part || !s->steps || t->launch != s->current)
    return;
  s->emitter.failed |= !ummgr_gpu_steps_add (s->steps, t->team, part);
  if (!s->emitter.failed)
    charge_steps (s);
}

/* OBJECT is at ADDRESS from now on, as far as SIZE goes from OFFSET on.  */
static void
take_part (struct stream *s, uint64_t object, uint64_t address, uint64_t size, uint64_t offset)
{
  if (s->sink->steps && address && size
      && ummgr_emitter_memory (&s->emitter, UMMGR_PAGED_BYTES)
      && !ummgr_areas_part (&s->areas, address, size, object, offset))
    s->emitter.failed = true;
}

/* --- records ------------------------------------------------------------- */

static void
take_accesses (struct stream *s, const struct ummgr_trace_batch *batch)
{
  if (batch->launch)
    begin_now (s);
  if (batch->launch && batch->launch == s->skipped)
    return;
  ummgr_reaches_take (&s->reaches, batch);
}

static void
take_prefetch (struct stream *s, const struct ummgr_trace_move *m)
{
  struct ummgr_paged_object *o = ummgr_paged_find (&s->objects, m->object);
  if (o && ummgr_paged_place (&s->objects, o))
    ummgr_reach_range (&s->emitter, s->shift, &o->extent, m->offset, m->size,
		       m->to == UMMGR_TRACE_HOST ? UMMGR_PAGE_PREFETCH_OUT
		       : UMMGR_PAGE_PREFETCH_IN);
}

/* Pages are of one size, from the first object on.  */
static void
run_known (struct stream *s, const struct ummgr_trace_run *run)
{
  uint64_t size = run->page_size;
  if (size && size <= 1 << 30 && !(size & (size - 1)) && !s->objects.table)
    {
      s->objects.page_size = size;
      s->shift = s->reaches.shift = __builtin_ctzll (size);
    }
  s->totals.page_size = s->objects.page_size;
  const struct ummgr_policy_ops *policy = ummgr_policy_find (run->policy);
  s->libgomps = !policy || policy->passive;
}

static bool
wrong_pages (const struct stream *s, const char *path)
{
  uint64_t only = s->options->page_size;
  if (!only || s->objects.page_size == only)
    return false;
  ummgr_error ("%s: its pages have %" PRIu64 " bytes, and only those of %" PRIu64
	       " can be replayed so", path, s->objects.page_size, only);
  return true;
}

/* The device that is replayed, or the only one.  */
static bool
is_ours (const struct stream *s, int32_t device)
{
  return s->options->device < 0 || device == s->options->device;
}

/* A copy of what is mapped comes or goes.  */
static void
take_present (struct stream *s, const struct ummgr_trace_present *p, bool goes)
{
  struct ummgr_paged_object *o = ummgr_paged_find (&s->objects, p->object);
  if (!o || o->o.flags & UMMGR_TRACE_OBJECT_UNIFIED || !is_ours (s, p->device))
    return;
  o->said |= p->flags;
  if (goes)
    ummgr_areas_part_gone (&s->areas, p->address);
  else
    take_part (s, p->object, p->address, p->size, p->offset);
  if (!o->placed && ummgr_paged_is_libgomps (&s->objects, o))
    return;
  ummgr_paged_place (&s->objects, o);
  uint64_t size = goes && p->size > s->copies.bytes ? s->copies.bytes : p->size;
  s->copies.bytes += goes ? -size : size;
}

static void
take_copy (struct stream *s, const struct ummgr_trace_move *m)
{
  const struct ummgr_paged_object *o
    = ummgr_paged_find (&s->objects, m->object);
  if (!o || !o->placed)
    return;
  bool in = m->to >= 0 && is_ours (s, m->to);
  bool out = m->from >= 0 && is_ours (s, m->from);
  s->copies.copied_in += in ? m->size : 0;
  s->copies.copied_out += out ? m->size : 0;
  s->copies.copies += in || out;
}

static uint64_t
less (uint64_t a, uint64_t b)
{
  return a > b ? a - b : 0;
}

/* Objects are managed memory here: what the recorded run had of them on the device,
   and copied, is not besides.  */
static void
take_taken (struct stream *s, const struct ummgr_trace_taken *t)
{
  if (!s->sink->taken || !is_ours (s, t->device))
    return;
  const struct ummgr_trace_taken *c = &s->copies;
  struct ummgr_trace_taken rest = {
    t->device, less (t->bytes, c->bytes), t->libgomp, t->copied_in, t->copied_out, t->copies
  };
  if (s->libgomps)
    {
      rest.libgomp = less (t->libgomp, c->bytes);
      rest.copied_in = less (t->copied_in, c->copied_in);
      rest.copied_out = less (t->copied_out, c->copied_out);
      rest.copies = less (t->copies, c->copies);
    }
  begin_now (s);
  ummgr_emitter_flush (&s->emitter);
  if (!s->emitter.failed)
    s->sink->taken (s->sink->data, &rest);
}

static void
take_ran (struct stream *s, const struct ummgr_trace_ran *r)
{
  if (!s->sink->ran || !is_ours (s, r->device) || r->launch == s->skipped)
    return;
  begin_now (s);
  ummgr_emitter_flush (&s->emitter);
  if (!s->emitter.failed)
    s->sink->ran (s->sink->data, r, &s->device);
}

static void
take_gone (struct stream *s, uint64_t object)
{
  const struct ummgr_paged_object *o = ummgr_paged_find (&s->objects, object);
  if (o && o->o.flags & UMMGR_TRACE_OBJECT_UNIFIED)
    ummgr_areas_part_gone (&s->areas, o->o.base);
}

static void
take (struct stream *s, const struct ummgr_trace_record *r)
{
  ummgr_emitter_steps (&s->emitter, 1);
  switch (r->kind)
    {
    case UMMGR_TRACE_RUN:
      run_known (s, &r->u.run);
      break;
    case UMMGR_TRACE_REGION:
      region_defined (s, &r->u.region);
      break;
    case UMMGR_TRACE_BEGIN:
      begin_now (s);
      run_steps (s);
      launch_begins (s, &r->u.launch);
      break;
    case UMMGR_TRACE_USE:
      use_known (s, &r->u.use);
      break;
    case UMMGR_TRACE_FINISH:
      begin_now (s);
      if (r->u.launch.launch == s->current)
	run_steps (s);
      if (r->u.launch.launch != s->skipped)
	ummgr_emit (&s->emitter, s->totals.launches - 1,
		    UMMGR_PAGE_REGION_END);
      break;
    case UMMGR_TRACE_PRESENT:
    case UMMGR_TRACE_ABSENT:
      take_present (s, &r->u.present, r->kind == UMMGR_TRACE_ABSENT);
      break;
    case UMMGR_TRACE_COPY:
      take_copy (s, &r->u.move);
      break;
    case UMMGR_TRACE_LOST:
      ummgr_warn_once ("replay: reports of accesses in launch %" PRIu64 " and maybe "
		       "others are missing in the trace: less moves than in the run",
		       r->u.lost.launch);
      break;
    case UMMGR_TRACE_TAKEN:
      take_taken (s, &r->u.taken);
      break;
    case UMMGR_TRACE_RAN:
      take_ran (s, &r->u.ran);
      break;
    case UMMGR_TRACE_SHAPE:
      if (s->sink->steps && is_ours (s, r->u.shape.device) && r->u.shape.launch == s->current)
	take_shape (s, &r->u.shape);
      break;
    case UMMGR_TRACE_AREA:
      if (r->u.area.launch == s->current)
	take_area (s, &r->u.area);
      break;
    case UMMGR_TRACE_STEPS:
      if (s->sink->steps)
	take_steps (s, &r->u.steps);
      break;
    case UMMGR_TRACE_DEVICE:
      if (is_ours (s, r->u.device.device))
	s->device = r->u.device;
      break;
    case UMMGR_TRACE_OBJECT:
      ummgr_paged_appear (&s->objects, &r->u.object);
      if (r->u.object.flags & UMMGR_TRACE_OBJECT_UNIFIED)
	take_part (s, r->u.object.object, r->u.object.base, r->u.object.size, 0);
      break;
    case UMMGR_TRACE_GONE:
      take_gone (s, r->u.object.object);
      ummgr_paged_go (&s->objects, r->u.object.object);
      break;
    case UMMGR_TRACE_PREFETCH:
      take_prefetch (s, &r->u.move);
      break;
    default:
      break;
    }
}

static void
release (struct stream *s)
{
  Word_t index = 0;
  for (PPvoid_t slot = JudyLFirst (s->regions, &index, PJE0); slot;
       slot = JudyLNext (s->regions, &index, PJE0))
    {
      struct region *r = *slot;
      free (r->name);
      free (r->file);
      free (r);
    }
  uint8_t name[UMMGR_TRACE_STRING_MAX + 1] = "";
  for (PPvoid_t slot = JudySLFirst (s->names, name, PJE0); slot;
       slot = JudySLNext (s->names, name, PJE0))
    free (*slot);
  JudySLFreeArray (&s->names, PJE0);
  ummgr_areas_free (&s->areas);
  ummgr_parts_free (&s->parts);
  ummgr_gpu_steps_destroy (s->steps);
  ummgr_paged_free (&s->objects);
  JudyLFreeArray (&s->regions, PJE0);
  ummgr_emitter_fini (&s->emitter);
  free (s->uses);
  free (s);
}

static enum ummgr_status
read_all (struct stream *s, const char *path,
	  struct ummgr_trace_reader *reader)
{
  struct ummgr_trace_batch batch;
  struct ummgr_trace_record record;
  enum ummgr_status status;
  while (!(status = ummgr_trace_reader_batch (reader, &batch, &record)))
    {
      if (batch.count)
	take_accesses (s, &batch);
      else if (record.kind == UMMGR_TRACE_END)
	break;
      else
	take (s, &record);
      if (record.kind == UMMGR_TRACE_RUN && wrong_pages (s, path))
	status = UMMGR_ERR_INVALID;
      if (status || s->emitter.failed)
	break;
    }
  begin_now (s);
  ummgr_emitter_flush (&s->emitter);
  if (!status && s->emitter.limit->exceeded)
    status = UMMGR_ERR_LIMIT;
  else if (!status && s->emitter.failed)
    {
      ummgr_error ("%s: not enough memory to replay it", path);
      status = UMMGR_ERR_NOMEM;
    }
  return status;
}

static struct stream *
stream_new (const struct ummgr_page_options *options,
	    const struct ummgr_page_sink *sink, bool footprint_only)
{
  struct stream *s = calloc (1, sizeof *s);
  if (!s)
    return NULL;
  s->options = options;
  s->sink = s->emitter.sink = sink;
  s->emitter.footprint_only = footprint_only;
  s->reaches.emitter = &s->emitter;
  s->reaches.find = ummgr_paged_extent;
  s->reaches.data = &s->objects;
  s->objects.emitter = &s->emitter;
  s->areas.objects = &s->objects;
  s->objects.reaches = &s->reaches;
  s->reaches.meaning = 1;
  s->objects.page_size = s->totals.page_size = 4096;
  s->shift = s->reaches.shift = 12;
  s->emitter.sms = options->tlb.sms ? options->tlb.sms : 1;
  if (footprint_only || !ummgr_tlbs_any (&options->tlb))
    return s;
  s->emitter.tlb_bytes = ummgr_tlbs_unit_bytes (&options->tlb);
  s->emitter.tlb = ummgr_tlbs_create (&options->tlb);
  if (s->emitter.tlb)
    return s;
  release (s);
  return NULL;
}

static struct ummgr_page_totals
totals_of (const struct stream *s)
{
  struct ummgr_page_totals t = s->totals;
  t.device_events = s->emitter.device_events;
  t.host_events = s->emitter.host_events;
  t.filtered = s->emitter.filtered;
  t.footprint = s->emitter.footprint;
  t.strange = s->reaches.strange;
  t.units = s->objects.units;
  return t;
}

static enum ummgr_status
read_for (const char *path, const struct ummgr_page_options *options,
	  const struct ummgr_page_sink *sink, bool footprint_only,
	  struct ummgr_page_totals *totals)
{
  struct ummgr_trace_reader *reader;
  enum ummgr_status status = ummgr_trace_reader_open (path, &reader);
  if (status)
    return status;
  struct stream *s = stream_new (options, sink, footprint_only);
  if (!s)
    {
      ummgr_error ("%s: not enough memory to replay it", path);
      status = UMMGR_ERR_NOMEM;
    }
  else
    {
      s->emitter.limit = s->parts.limit = ummgr_trace_reader_limit (reader);
      status = read_all (s, path, reader);
      if (totals)
	*totals = totals_of (s);
      release (s);
    }
  ummgr_trace_reader_close (reader);
  return status;
}

enum ummgr_status
ummgr_pages_read (const char *path, const struct ummgr_page_options *options,
		  const struct ummgr_page_sink *sink,
		  struct ummgr_page_totals *totals)
{
  return read_for (path, options, sink, false, totals);
}

static bool
no_units (void *data, uint32_t units)
{
  (void) data;
  (void) units;
  return true;
}

static bool
no_events (void *data, const struct ummgr_page_event *events, size_t count)
{
  (void) data;
  (void) events;
  (void) count;
  return true;
}

void
ummgr_pages_complain (const char *path)
{
  ummgr_error ("%s: the GPU accesses nothing in it; trace a program built with "
	       "`ummgr cc -ftrace'", path);
}

enum ummgr_status
ummgr_pages_footprint (const char *path,
		       const struct ummgr_page_options *options,
		       struct ummgr_page_totals *totals)
{
  struct ummgr_page_sink none = { .grow = no_units, .events = no_events };
  struct stat st;
  if (!stat (path, &st) && (S_ISFIFO (st.st_mode) || S_ISSOCK (st.st_mode)))
    {
      ummgr_error ("%s: it has to be read more than once, and a pipe can't be",
		   path);
      return UMMGR_ERR_INVALID;
    }
  /* Whatever the TLB serves later, it didn't serve at first.  */
  enum ummgr_status status = read_for (path, options, &none, true, totals);
  if (!status && !totals->footprint)
    {
      ummgr_pages_complain (path);
      status = UMMGR_ERR_INVALID;
    }
  return status;
}

struct ummgr_paging_use
ummgr_page_use_paging (const struct ummgr_page_use *u)
{
  struct ummgr_paging_use use = {
    .lo = u->lo, .hi = u->hi, .object_lo = u->object_lo,
    .object_hi = u->object_hi, .region = u->region
  };
  ummgr_paging_use_fill (&use, &u->hint, u->hi > u->lo ? u->hi - u->lo : 1);
  return use;
}
