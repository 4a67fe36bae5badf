/* Compare a trace with a log of every access of the same run.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: checker [-v] LOG TRACE.  Works the facts, the outcomes of copies and
   the unchanged words out again, from the log (access-log.c) and from what the
   trace says of copies, of objects and of their copies on devices; each
   difference is a line.  -v: how much was compared.  The status is 0 if there
   is none.

   A record of the trace whose time is T was made after the log's events before
   T and before those after it.  Of several host threads that access the same
   words in no order, or under sampling, nothing can be said; use neither.

   Owns the spans.  The device's addresses and the host's are one space.  */

#include "checker.h"

#include "trace/read.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };		/* Differences.  */

uint64_t compared;
static uint64_t differences;
static struct span *spans;
static uint64_t block;
static FILE *events;
static struct access_log_event event;	/* The next.  */
static bool more;

/* What is live by the log alone: reset when it came.  */
struct allocation
{
  struct allocation *next;
  uint64_t address, size;
};
static struct allocation *allocations;

/* A realloc whose old object is about to go.  */
static struct
{
  uint64_t old, address, size, kept;
  struct word *words;
} resized;

void
differ (const char *format, ...)
{
  va_list args;
  if (++differences > SHOWN)
    return;
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  putchar ('\n');
}

/* --- spans ------------------------------------------------------------------ */

static struct span *
span_of (uint64_t object, int32_t device, uint64_t offset)
{
  for (struct span *s = spans; s; s = s->next)
    if (s->object == object && s->device == device
	&& offset - s->offset < s->size)
      return s;
  return NULL;
}

static struct span *
span_add (uint64_t object, int32_t device, uint64_t offset, uint64_t address,
	  uint64_t size, const char *name)
{
  struct span *s = calloc (1, sizeof *s);
  if (!s)
    abort ();
  *s = (struct span) { .next = spans, .object = object, .address = address,
		       .size = size, .offset = offset, .device = device };
  s->name = name;
  s->brought = calloc (word_end (address, size) - address / 4 + 1,
		       sizeof *s->brought);
  if (!s->brought)
    abort ();
  return spans = s;
}

/* Facts that were not told of what happened here.  */
static void
check_told (const struct span *s, const char *when)
{
  uint64_t first = s->address / 4, end = word_end (s->address, s->size);
  for (uint64_t n = first; n < end; n++)
    if (word_has_news (word_at (n)))
      {
	differ ("%s +%" PRIu64 " on %" PRId32 ": no facts at %s, but word %"
		PRIu64 " is in state %u", s->name, s->offset, s->device, when,
		n - first, word_state (word_at (n)));
	return;
      }
}

static void
span_drop (struct span *s)
{
  struct span **link = &spans;
  copies_settle (s, s->address, s->size);
  check_told (s, "its end");
  words_reset (s->address, s->size);
  while (*link != s)
    link = &(*link)->next;
  *link = s->next;
  free (s->brought);
  free (s);
}

/* --- the log ---------------------------------------------------------------- */

static void
next_event (void)
{
  more = fread (&event, sizeof event, 1, events) == 1;
}

static struct allocation **
allocation_at (uint64_t address)
{
  struct allocation **a = &allocations;
  while (*a && (*a)->address != address)
    a = &(*a)->next;
  return a;
}

static void
allocation_gone (uint64_t address)
{
  struct allocation **a = allocation_at (address), *old = *a;
  if (old)
    {
      *a = old->next;
      free (old);
    }
}

static void
allocation_new (uint64_t address, uint64_t size)
{
  allocation_gone (address);
  struct allocation *a = malloc (sizeof *a);
  if (!a)
    abort ();
  *a = (struct allocation) { allocations, address, size };
  allocations = a;
  words_reset (address, size);
}

/* Contents move with what lasts of their states.  */
static void
finish_resize (void)
{
  if (resized.size)
    allocation_new (resized.address, resized.size);
  uint64_t words = word_end (resized.address, resized.kept)
		   - resized.address / 4;
  for (uint64_t i = 0; i < words; i++)
    {
      struct word *w = word_at (resized.address / 4 + i);
      w->last_gpu = resized.words[i].last_gpu;
      w->unread = resized.words[i].unread;
    }
  free (resized.words);
  memset (&resized, 0, sizeof resized);
}

static void
resize (const struct access_log_event *e)
{
  const struct allocation *a = e->old ? *allocation_at (e->old) : NULL;
  uint64_t had = a ? a->size : 0;
  if (had && e->old == e->address && had == e->size)
    return;
  allocation_gone (e->old);
  resized.old = had ? e->old : 0;
  resized.address = e->address;
  resized.size = e->size;
  resized.kept = had < e->size ? had : e->size;
  uint64_t words = word_end (e->old, resized.kept) - e->old / 4;
  resized.words = calloc (words + 1, sizeof *resized.words);
  if (!resized.words)
    abort ();
  for (uint64_t i = 0; i < words; i++)
    resized.words[i] = *word_at (e->old / 4 + i);
  /* Else when the trace says that the old one is gone.  */
  if (!had)
    finish_resize ();
}

/* Where E was: host versions of regions name variables of the device's own by the host's.  */
static uint64_t
place_of (const struct access_log_event *e)
{
  for (const struct span *s = spans; s && e->device >= 0; s = s->next)
    if (s->device == e->device && e->address - s->host < s->size)
      return s->address + (e->address - s->host);
  return e->address;
}

static void
take_event (const struct access_log_event *e)
{
  switch (e->kind)
    {
    case ACCESS_LOG_ACCESS:
      words_access (place_of (e), e->size, e->access, e->device >= 0);
      break;
    case ACCESS_LOG_ALLOCATED:
      if (e->size)
	allocation_new (e->address, e->size);
      break;
    case ACCESS_LOG_STATIC:
      allocation_new (e->address, e->size);
      break;
    case ACCESS_LOG_RESIZED:
      resize (e);
      break;
    case ACCESS_LOG_FREED:
      allocation_gone (e->address);
      break;
    default:
      differ ("the log is damaged");
    }
}

static void
take_events (uint64_t before)
{
  for (; more && event.sequence < before; next_event ())
    take_event (&event);
}

/* --- the trace -------------------------------------------------------------- */

static void
take_object (const struct ummgr_trace_object *o)
{
  const struct allocation *a = *allocation_at (o->base);
  /* A better name for the same.  */
  if (span_of (o->object, UMMGR_TRACE_HOST, 0))
    return;
  /* One that the program said nothing of began when it was mapped.  */
  if (!a || a->size != o->size)
    words_reset (o->base, o->size);
  struct span *s = span_add (o->object, UMMGR_TRACE_HOST, 0, o->base, o->size,
			     strdup (o->name));
  s->unified = o->flags & UMMGR_TRACE_OBJECT_UNIFIED;
}

static void
take_gone (uint64_t object)
{
  struct span *s = span_of (object, UMMGR_TRACE_HOST, 0);
  if (!s)
    {
      differ ("object %" PRIu64 " goes and never came", object);
      return;
    }
  uint64_t address = s->address;
  span_drop (s);
  for (s = spans; s; s = s->next)
    if (s->object == object)
      differ ("%s goes before its copy on %" PRId32, s->name, s->device);
  if (resized.words && resized.old == address)
    finish_resize ();
}

static void
take_present (const struct ummgr_trace_present *p, bool there)
{
  struct span *host = span_of (p->object, UMMGR_TRACE_HOST, p->offset);
  if (!host)
    {
      differ ("object %" PRIu64 " +%" PRIu64 " is on %" PRId32
	      " and nowhere else", p->object, p->offset, p->device);
      return;
    }
  if (p->address == host->address + p->offset)
    {
      host->unified = true;
      return;
    }
  struct span *s = span_of (p->object, p->device, p->offset);
  if (there)
    {
      words_reset (p->address, p->size);
      span_add (p->object, p->device, p->offset, p->address, p->size,
		host->name)->host = host->address + p->offset;
    }
  else if (!s || s->size != p->size)
    differ ("%s +%" PRIu64 " on %" PRId32 " goes and never came", host->name,
	    p->offset, p->device);
  else
    span_drop (s);
}

static void
take_copy (const struct ummgr_trace_move *m)
{
  int32_t device = m->from == UMMGR_TRACE_HOST ? m->to : m->from;
  struct span *there = span_of (m->object, device, m->offset);
  struct span *here = span_of (m->object, UMMGR_TRACE_HOST, m->offset);
  if (!there || !here || m->size > there->size - (m->offset - there->offset))
    {
      differ ("copy %" PRIu64 " is of something unknown", m->copy);
      return;
    }
  uint64_t from = here->address + m->offset;
  uint64_t to = there->address + (m->offset - there->offset);
  uint64_t words = word_end (to, m->size) - to / 4, unchanged = 0;
  compared++;
  if (m->from == UMMGR_TRACE_HOST)
    {
      copies_settle (there, to, m->size);
      for (uint64_t i = 0; i < words; i++)
	words_copied_in (from / 4 + i, to / 4 + i);
      copies_bring (m->copy, there, to, m->size);
      return;
    }
  for (uint64_t i = 0; i < words; i++)
    unchanged += words_copied_out (from / 4 + i, to / 4 + i);
  if (unchanged != m->unchanged)
    differ ("%s: copy %" PRIu64 " has %" PRIu64 " unchanged words, should be %"
	    PRIu64, here->name, m->copy, m->unchanged, unchanged);
}

static void
take_facts (const struct ummgr_trace_facts *f)
{
  struct span *s = span_of (f->object, f->device, f->offset);
  if (!s || s->offset != f->offset)
    differ ("facts of object %" PRIu64 " +%" PRIu64 " on %" PRId32
	    ", which isn't there", f->object, f->offset, f->device);
  else
    facts_compare (s, f, block);
}

static void
take_record (const struct ummgr_trace_record *r)
{
  take_events (r->time);
  switch (r->kind)
    {
    case UMMGR_TRACE_OBJECT:
      take_object (&r->u.object);
      break;
    case UMMGR_TRACE_GONE:
      take_gone (r->u.object.object);
      break;
    case UMMGR_TRACE_PRESENT:
    case UMMGR_TRACE_ABSENT:
      take_present (&r->u.present, r->kind == UMMGR_TRACE_PRESENT);
      break;
    case UMMGR_TRACE_COPY:
      take_copy (&r->u.move);
      break;
    case UMMGR_TRACE_OUTCOME:
      copies_told (&r->u.outcome);
      break;
    case UMMGR_TRACE_FACTS:
      take_facts (&r->u.facts);
      break;
    case UMMGR_TRACE_PHASE:
      for (const struct span *s = spans; s; s = s->next)
	check_told (s, "a phase's end");
      break;
    default:
      break;
    }
}

/* The end of the trace settles all copies.  */
static bool
read_trace (const char *path)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record record = { .kind = UMMGR_TRACE_RUN };
  if (ummgr_trace_reader_open (path, &reader) != UMMGR_OK)
    return false;
  while (ummgr_trace_reader_next (reader, &record) == UMMGR_OK
	 && record.kind != UMMGR_TRACE_END)
    {
      if (record.kind == UMMGR_TRACE_RUN)
	block = record.u.run.block;
      /* Accesses have no time.  */
      if (record.kind != UMMGR_TRACE_ACCESS && record.kind != UMMGR_TRACE_RUN)
	take_record (&record);
    }
  ummgr_trace_reader_close (reader);
  for (struct span *s = spans; s; s = s->next)
    copies_settle (s, s->address, s->size);
  copies_end ();
  return record.kind == UMMGR_TRACE_END;
}

int
main (int argc, char **argv)
{
  bool verbose = argc == 4 && strcmp (argv[1], "-v") == 0;
  if (argc != 3 + verbose)
    {
      fputs ("usage: checker [-v] LOG TRACE\n", stderr);
      return 2;
    }
  if (!(events = fopen (argv[1 + verbose], "rb")))
    {
      perror (argv[1 + verbose]);
      return 2;
    }
  next_event ();
  if (!read_trace (argv[2 + verbose]))
    return 2;
  if (verbose || differences)
    printf ("%" PRIu64 " facts and copies compared, %" PRIu64 " differences\n",
	    compared, differences);
  return differences != 0;
}
