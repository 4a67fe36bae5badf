/* A trace as a stream of page events.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the objects of the trace that is read, by number and for their names,
   and the batch under way.  The filter is tlb.c's.  */

#include "config.h"
#include "replay/pages.h"
#include "replay/tlb.h"

#include "log.h"
#include "trace/trace-read.h"

#include <Judy.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  BATCH = 4096,
  ALIGN = 512			/* Units are page numbers modulo this.  */
};

/* Objects beyond this many pages in all (16 TiB) are not followed.  */
#define UNITS_MAX (UINT32_C (1) << 31)

struct object
{
  struct ummgr_trace_object o;	/* Its strings are ours.  */
  bool placed;			/* Has units.  */
  uint32_t first, units;
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
  struct ummgr_page_totals totals;
  uint64_t page_size;
  void *objects, *regions;	/* Judy, by number.  */
  struct ummgr_tlb *tlb;
  uint8_t *seen;		/* Of each unit: did the GPU access it?  */
  uint32_t seen_room;
  struct ummgr_page_event batch[BATCH];
  size_t count;
  /* The launch that has begun, until what is known of it is complete.  */
  bool beginning;
  struct ummgr_page_region region;
  struct ummgr_page_use *uses;
  struct ummgr_trace_use *records;
  size_t use_room;
  uint64_t current, skipped;	/* Launches.  */
  bool failed;
  unsigned shown;		/* Per cent of the file.  */
};

static void
flush (struct stream *s)
{
  if (s->count && !s->failed
      && !s->sink->events (s->sink->data, s->batch, s->count))
    s->failed = true;
  s->count = 0;
}

static void
emit (struct stream *s, uint32_t unit, unsigned kind)
{
  if (kind <= UMMGR_PAGE_WRITE)
    {
      if (s->tlb && ummgr_tlb_hit (s->tlb, unit, kind == UMMGR_PAGE_WRITE))
	{
	  s->totals.filtered++;
	  return;
	}
      s->totals.device_events++;
      s->totals.footprint += !s->seen[unit];
      s->seen[unit] = 1;
    }
  else if (kind <= UMMGR_PAGE_HOST_WRITE)
    s->totals.host_events++;
  s->batch[s->count++] = (struct ummgr_page_event) { unit, kind };
  if (s->count == BATCH)
    flush (s);
}

/* The launch that has begun runs now: all is known of it.  */
static void
begin_now (struct stream *s)
{
  if (!s->beginning)
    return;
  s->beginning = false;
  s->region.uses = s->uses;
  for (size_t i = 0; i < s->region.use_count; i++)
    s->uses[i].record = &s->records[i];
  emit (s, s->totals.launches++, UMMGR_PAGE_REGION_BEGIN);
  flush (s);
  if (s->sink->region && !s->failed
      && !s->sink->region (s->sink->data, &s->region))
    s->failed = true;
}

/* --- objects ------------------------------------------------------------- */

static struct object *
find (struct stream *s, uint64_t id)
{
  PPvoid_t slot = JudyLGet (s->objects, id, PJE0);
  return slot ? *slot : NULL;
}

static void
show (struct stream *s, const struct object *o)
{
  struct ummgr_page_object shown = {
    o->o.object, o->o.name, o->o.file, o->o.line, o->first, o->units,
    o->o.base, o->o.size
  };
  if (s->sink->object && !s->failed
      && !s->sink->object (s->sink->data, &shown))
    s->failed = true;
}

/* Give O units, the first time it is needed.  */
static bool
place (struct stream *s, struct object *o)
{
  if (o->placed)
    return o->units;
  o->placed = true;
  uint64_t page = o->o.base / s->page_size;
  uint64_t pages
    = o->o.size ? (o->o.base + o->o.size - 1) / s->page_size - page + 1 : 0;
  uint64_t first = s->totals.units + (page - s->totals.units) % ALIGN;
  if (!pages || o->o.base + o->o.size < o->o.base || pages > UNITS_MAX
      || first + pages > UNITS_MAX)
    return false;
  uint32_t end = first + pages;
  if (end > s->seen_room)
    {
      uint32_t room = end > 2 * s->seen_room ? end : 2 * s->seen_room;
      uint8_t *seen = realloc (s->seen, room);
      if (!seen)
	{
	  s->failed = true;
	  return false;
	}
      memset (seen + s->seen_room, 0, room - s->seen_room);
      s->seen = seen;
      s->seen_room = room;
    }
  flush (s);
  if (s->failed || !s->sink->grow (s->sink->data, end))
    {
      s->failed = true;
      return false;
    }
  o->first = first;
  o->units = pages;
  s->totals.units = end;
  show (s, o);
  return !s->failed;
}

/* One event of KIND for each page of [OFFSET, OFFSET + SIZE) of O.  */
static void
touch_range (struct stream *s, struct object *o, uint64_t offset,
	     uint64_t size, unsigned kind)
{
  if (!size || offset >= o->o.size)
    return;
  if (size > o->o.size - offset)
    size = o->o.size - offset;
  uint64_t start = o->o.base % s->page_size + offset;
  for (uint64_t p = start / s->page_size;
       p <= (start + size - 1) / s->page_size; p++)
    emit (s, o->first + p, kind);
}

static char *
copy_of (struct stream *s, const char *text)
{
  char *copy = strdup (text);
  if (!copy)
    s->failed = true;
  return copy ? copy : NULL;
}

/* Names may come later than the object, in a second record of it.  */
static void
rename_object (struct stream *s, struct object *o,
	       const struct ummgr_trace_object *t)
{
  free ((char *) o->o.name);
  free ((char *) o->o.file);
  o->o.name = copy_of (s, t->name);
  o->o.file = copy_of (s, t->file);
  o->o.line = t->line;
  if (o->units && !s->failed)
    show (s, o);
}

static void
object_appears (struct stream *s, const struct ummgr_trace_object *t)
{
  struct object *o = find (s, t->object);
  if (o)
    {
      rename_object (s, o, t);
      return;
    }
  o = calloc (1, sizeof *o);
  PPvoid_t slot = o ? JudyLIns (&s->objects, t->object, PJE0) : NULL;
  if (!slot || slot == (PPvoid_t) PPJERR)
    {
      free (o);
      s->failed = true;
      return;
    }
  o->o = *t;
  o->o.name = o->o.file = NULL;
  rename_object (s, o, t);
  *slot = o;
  /* Policies see managed memory when it is allocated, in that order.  */
  if (t->flags & UMMGR_TRACE_OBJECT_UNIFIED && !s->failed)
    place (s, o);
}

/* Its numbers are not used again; its strings may be asked for.  */
static void
object_goes (struct stream *s, uint64_t id)
{
  struct object *o = find (s, id);
  for (uint32_t i = 0; o && i < o->units; i++)
    emit (s, o->first + i, UMMGR_PAGE_FREE);
  if (o && s->tlb)
    ummgr_tlb_forget (s->tlb, o->first, o->first + o->units);
}

/* --- launches ------------------------------------------------------------ */

static void
region_defined (struct stream *s, const struct ummgr_trace_region *t)
{
  struct region *r = calloc (1, sizeof *r);
  PPvoid_t slot = r ? JudyLIns (&s->regions, t->region, PJE0) : NULL;
  if (!slot || slot == (PPvoid_t) PPJERR || *slot)
    {
      s->failed |= !slot || slot == (PPvoid_t) PPJERR;
      free (r);
      return;
    }
  *r = (struct region) {
    copy_of (s, t->name), copy_of (s, t->file), t->line, 0
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
  struct ummgr_page_use *uses = reallocarray (s->uses, room, sizeof *uses);
  if (uses)
    s->uses = uses;
  struct ummgr_trace_use *records
    = reallocarray (s->records, room, sizeof *records);
  if (records)
    s->records = records;
  s->failed |= !uses || !records;
  if (uses && records)
    s->use_room = room;
  return uses && records;
}

static void
use_known (struct stream *s, const struct ummgr_trace_use *t)
{
  struct object *o = find (s, t->object);
  if (!s->beginning || t->launch != s->current || !o || !place (s, o))
    return;
  if (s->region.use_count == s->use_room && !more_uses (s))
    return;
  uint64_t hi = t->hi && t->hi <= o->o.size ? t->hi : o->o.size;
  uint64_t lo = t->lo < hi ? t->lo : 0;
  uint64_t start = o->o.base % s->page_size;
  s->uses[s->region.use_count++] = (struct ummgr_page_use) {
    .lo = o->first + (start + lo) / s->page_size,
    .hi = o->first + (start + hi - 1) / s->page_size + 1,
    .object = t->object,
    .read = t->flags & UMMGR_TRACE_USE_READ,
    .write = t->flags & UMMGR_TRACE_USE_WRITE,
    .exact = !(t->flags & UMMGR_TRACE_USE_ESTIMATED),
    .locality = t->locality, .density = t->density,
    .next_use = t->reuse_likely > 0 ? t->reuse_likely : t->reuse_static,
    .stride = t->stride
  };
  /* Names live as long as the object: of the argument, nobody asks later.  */
  struct ummgr_trace_use *kept = &s->records[s->region.use_count - 1];
  *kept = *t;
  kept->name = o->o.name;
}

/* --- records ------------------------------------------------------------- */

static void
take_accesses (struct stream *s, const struct ummgr_trace_batch *batch)
{
  if (batch->launch)
    begin_now (s);
  if (batch->launch && batch->launch == s->skipped)
    return;
  uint64_t known = 0;
  struct object *o = NULL;
  for (size_t i = 0; i < batch->count && !s->failed; i++)
    {
      struct ummgr_trace_access a = ummgr_trace_batch_access (batch, i);
      if (a.object != known || !o)
	{
	  o = a.object ? find (s, a.object) : NULL;
	  known = a.object;
	}
      if (!o || !place (s, o))
	{
	  s->totals.strange++;
	  continue;
	}
      bool write = a.access & (UMMGR_TRACE_WRITE | UMMGR_TRACE_ATOMIC);
      unsigned kind = batch->launch
		      ? write ? UMMGR_PAGE_WRITE : UMMGR_PAGE_READ
		      : write ? UMMGR_PAGE_HOST_WRITE : UMMGR_PAGE_HOST_READ;
      for (uint64_t n = 0; n < a.count && a.offset < o->o.size; n++)
	{
	  touch_range (s, o, a.offset, a.size, kind);
	  a.offset += a.stride;
	}
    }
}

static void
take_prefetch (struct stream *s, const struct ummgr_trace_move *m)
{
  struct object *o = find (s, m->object);
  if (o && place (s, o))
    touch_range (s, o, m->offset, m->size,
		 m->to == UMMGR_TRACE_HOST ? UMMGR_PAGE_PREFETCH_OUT
		 : UMMGR_PAGE_PREFETCH_IN);
}

static void
take (struct stream *s, const struct ummgr_trace_record *r)
{
  switch (r->kind)
    {
    case UMMGR_TRACE_RUN:
      if (r->u.run.page_size && r->u.run.page_size <= 1 << 30)
	s->page_size = r->u.run.page_size;
      s->totals.page_size = s->page_size;
      break;
    case UMMGR_TRACE_REGION:
      region_defined (s, &r->u.region);
      break;
    case UMMGR_TRACE_BEGIN:
      begin_now (s);
      launch_begins (s, &r->u.launch);
      break;
    case UMMGR_TRACE_USE:
      use_known (s, &r->u.use);
      break;
    case UMMGR_TRACE_FINISH:
      begin_now (s);
      if (r->u.launch.launch != s->skipped)
	emit (s, s->totals.launches - 1, UMMGR_PAGE_REGION_END);
      break;
    case UMMGR_TRACE_OBJECT:
      object_appears (s, &r->u.object);
      break;
    case UMMGR_TRACE_GONE:
      object_goes (s, r->u.object.object);
      break;
    case UMMGR_TRACE_PREFETCH:
      take_prefetch (s, &r->u.move);
      break;
    default:
      break;
    }
}

static void
show_progress (struct stream *s, const char *path, uint64_t at)
{
  unsigned percent = s->totals.bytes ? at * 100 / s->totals.bytes : 0;
  if (!s->options->progress || percent == s->shown)
    return;
  s->shown = percent;
  fprintf (stderr, "\r%s: %3u%%", path, percent);
}

static void
release (struct stream *s)
{
  Word_t index = 0;
  for (PPvoid_t slot = JudyLFirst (s->objects, &index, PJE0); slot;
       slot = JudyLNext (s->objects, &index, PJE0))
    {
      struct object *o = *slot;
      free ((char *) o->o.name);
      free ((char *) o->o.file);
      free (o);
    }
  index = 0;
  for (PPvoid_t slot = JudyLFirst (s->regions, &index, PJE0); slot;
       slot = JudyLNext (s->regions, &index, PJE0))
    {
      struct region *r = *slot;
      free (r->name);
      free (r->file);
      free (r);
    }
  JudyLFreeArray (&s->objects, PJE0);
  JudyLFreeArray (&s->regions, PJE0);
  ummgr_tlb_destroy (s->tlb);
  free (s->seen);
  free (s->uses);
  free (s->records);
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
      if (s->failed)
	break;
      show_progress (s, path, ummgr_trace_reader_position (reader).offset);
    }
  begin_now (s);
  flush (s);
  if (s->shown)
    fputs ("\r\033[K", stderr);
  if (!status && s->failed)
    {
      ummgr_error ("%s: not enough memory to replay it", path);
      status = UMMGR_ERR_NOMEM;
    }
  return status;
}

enum ummgr_status
ummgr_pages_read (const char *path, const struct ummgr_page_options *options,
		  const struct ummgr_page_sink *sink,
		  struct ummgr_page_totals *totals)
{
  struct ummgr_trace_reader *reader;
  enum ummgr_status status = ummgr_trace_reader_open (path, &reader);
  if (status)
    return status;
  struct stream *s = calloc (1, sizeof *s);
  if (s)
    {
      s->options = options;
      s->sink = sink;
      s->page_size = 4096;
    }
  if (!s
      || (options->tlb_entries
	  && !(s->tlb = ummgr_tlb_create (options->tlb_entries,
					  options->tlb_ways))))
    {
      ummgr_error ("%s: not enough memory to replay it", path);
      status = UMMGR_ERR_NOMEM;
    }
  else
    {
      FILE *file = options->progress && isatty (STDERR_FILENO)
		   ? fopen (path, "rbe") : NULL;
      if (file && !fseek (file, 0, SEEK_END))
	s->totals.bytes = ftell (file);
      if (file)
	fclose (file);
      status = read_all (s, path, reader);
      if (totals)
	*totals = s->totals;
    }
  if (s)
    release (s);
  ummgr_trace_reader_close (reader);
  return status;
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

enum ummgr_status
ummgr_pages_footprint (const char *path,
		       const struct ummgr_page_options *options,
		       struct ummgr_page_totals *totals)
{
  struct ummgr_page_sink none = { .grow = no_units, .events = no_events };
  enum ummgr_status status
    = ummgr_pages_read (path, options, &none, totals);
  if (!status && !totals->footprint)
    {
      ummgr_error ("%s: the GPU accesses nothing in it; trace a program built "
		   "with `ummgr cc -ftrace'", path);
      status = UMMGR_ERR_INVALID;
    }
  return status;
}

/* Elements are of 4 bytes or 8: one pass over a page is some 1000 accesses.  */
enum { PASS = 1024 };

struct ummgr_paging_use
ummgr_page_use_paging (const struct ummgr_page_use *u)
{
  double pages = u->hi > u->lo ? u->hi - u->lo : 1;
  /* Threads side by side, each on pages of its own, go through all of it at
     once, not from one end to the other.  */
  bool apart = u->stride >= 4 * PASS || u->stride <= -4 * PASS;
  return (struct ummgr_paging_use) {
    .lo = u->lo, .hi = u->hi, .density = u->density,
    .sweeps = u->locality > 0 ? u->locality / pages / PASS : 0,
    .next_use = u->next_use, .down = u->stride < 0,
    .random = !u->exact || apart, .write = u->write
  };
}
