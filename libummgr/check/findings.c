/* What was found, and the places of the program's accesses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns both.  A finding is one of a kind, at one place, of one object; how often is counted.  */

#include "config.h"
#include "check/checker.h"

#include "base/grow.h"
#include "base/log.h"
#include "base/output.h"
#include "base/utf8.h"

#include <Judy.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ummgr_check_finding *all;
static size_t count, room;
static size_t last;		/* The one found last.  */

/* Places by number, from 1 on; and by unit, where its first is.  */
static struct ummgr_trace_place *places;
static size_t place_count = 1, place_room;
static void *units;

/* The pointers of the launch of which nothing is mapped: if it is one, its name.  */
static const char *unset_name;
static unsigned unset_count;

void
ummgr_check_places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t n)
{
  pthread_mutex_lock (&ummgr_checker.lock);
  PPvoid_t slot = JudyLIns (&units, unit, PJE0);
  if (slot && slot != PPJERR && !*slot && UMMGR_GROW (places, place_room, place_count + n))
    {
      memcpy (places + place_count, list, n * sizeof *list);
      *slot = (void *) place_count;
      place_count += n;
    }
  pthread_mutex_unlock (&ummgr_checker.lock);
}

uint32_t
ummgr_check_places_first (uint32_t unit)
{
  pthread_mutex_lock (&ummgr_checker.lock);
  PPvoid_t slot = JudyLGet (units, unit, PJE0);
  uint32_t first = slot && slot != PPJERR ? (uint32_t) (uintptr_t) *slot : 0;
  pthread_mutex_unlock (&ummgr_checker.lock);
  return first;
}

void
ummgr_check_unset (const void *host, const char *name)
{
  (void) host;
  if (!host)
    unset_count = 0;
  else if (unset_count++ == 0)
    unset_name = ummgr_check_text (name);
}

void
ummgr_check_name (struct ummgr_check_finding *f, const struct ummgr_check_section *section,
		  uint64_t host)
{
  const struct ummgr_check_object *object = section ? &section->object : NULL;
  /* That section's object, or a later one's.  */
  if (!object || !object->hi)
    object = ummgr_check_object_find (host);
  uint64_t base = object ? object->lo : section ? section->host : host;
  f->name = object && *object->name ? object->name
    : section && section->name ? section->name : "memory without a name";
  f->file = object ? object->file : "";
  f->line = object ? object->line : 0;
  f->offset = host - base;
  f->mapped_lo -= f->mapped_hi ? base : 0;
  f->mapped_hi -= f->mapped_hi ? base : 0;
}

static const struct ummgr_trace_place *
place_of (uint32_t number)
{
  static const struct ummgr_trace_place unknown = { "?", 0, 0 };
  return number && number < place_count ? &places[number] : &unknown;
}

/* Are both on one line?  */
static bool
places_same (uint32_t a, uint32_t b)
{
  const struct ummgr_trace_place *p = place_of (a), *q = place_of (b);
  return a == b || (p->line == q->line && strcmp (p->file, q->file) == 0);
}

bool
ummgr_check_is_directive (uint32_t place, const struct ummgr_check_region *region)
{
  const struct ummgr_trace_place *p = place_of (place);
  return region && region->file && p->line == region->line && strcmp (p->file, region->file) == 0;
}

static bool
is_same (const struct ummgr_check_finding *a, const struct ummgr_check_finding *b)
{
  return a->fault == b->fault && a->name == b->name && a->line == b->line && a->file == b->file
    && places_same (a->place, b->place);
}

void
ummgr_check_found (const struct ummgr_check_finding *finding)
{
  struct ummgr_check_finding f = *finding;
  if (f.fault == UMMGR_CHECK_NULL)
    {
      f.name = unset_count == 1 && *unset_name ? unset_name : "a null pointer";
      f.file = "";
    }
  f.times += !f.times;
  if (last >= count || !is_same (&all[last], &f))
    for (last = 0; last < count && !is_same (&all[last], &f);)
      last++;
  if (last < count)
    {
      all[last].times += f.times;
      all[last].kind |= f.kind;
    }
  else if (UMMGR_GROW (all, room, count + 1))
    all[count++] = f;
}

/* --- writing ----------------------------------------------------------------- */

static const char *
kind_name (enum ummgr_check_fault fault)
{
  switch (fault)
    {
    case UMMGR_CHECK_NOT_MAPPED:
    case UMMGR_CHECK_NULL: return "not mapped";
    case UMMGR_CHECK_BEYOND: return "beyond";
    case UMMGR_CHECK_FREED: return "freed";
    case UMMGR_CHECK_STALE_HOST: return "stale on the host";
    case UMMGR_CHECK_STALE_DEVICE: return "stale on the device";
    case UMMGR_CHECK_UNSET_HOST: return "unset on the host";
    case UMMGR_CHECK_UNSET_DEVICE: return "unset on the device";
    default: return "race";
    }
}

static void
put_region (FILE *out, const struct ummgr_check_region *region)
{
  if (!region)
    fputs ("a region", out);
  else if (*region->file)
    fprintf (out, "the region of %s:%u", region->file, region->line);
  else
    fprintf (out, "the region %s", region->name);
}

static void
put_object (FILE *out, const struct ummgr_check_finding *f)
{
  char name[256];
  fputs (ummgr_utf8_print (name, sizeof name, f->name), out);
  if (*f->file)
    fprintf (out, " (%s:%u)", f->file, f->line);
}

/* What is done to which bytes; who does it is said before.  */
static void
put_access (FILE *out, const struct ummgr_check_finding *f)
{
  bool writes = f->kind & UMMGR_CHECK_WRITE, reads = f->kind & UMMGR_CHECK_READ;
  fprintf (out, " %s %" PRIu64 " bytes of ", writes && reads ? "updates" : writes ? "writes" : "reads",
	   f->size);
  put_object (out, f);
  fprintf (out, ", at %" PRId64, (int64_t) f->offset);
}

static void
put_why (FILE *out, const struct ummgr_check_finding *f)
{
  switch (f->fault)
    {
    case UMMGR_CHECK_NOT_MAPPED:
      fputs (", by its address on the host: it is not mapped, or not by this pointer", out);
      break;
    case UMMGR_CHECK_NULL:
      fputs (" of a pointer of which nothing is mapped", out);
      break;
    case UMMGR_CHECK_BEYOND:
    case UMMGR_CHECK_FREED:
      fprintf (out, f->fault == UMMGR_CHECK_FREED ? ", of which bytes %" PRId64 " to %" PRId64
	       " were on the device" : ", of which bytes %" PRId64 " to %" PRId64 " are there",
	       (int64_t) f->mapped_lo, (int64_t) f->mapped_hi - 1);
      break;
    case UMMGR_CHECK_STALE_HOST:
      fputs (", which ", out);
      put_region (out, f->region);
      fputs (" has written, and nothing has copied back", out);
      break;
    case UMMGR_CHECK_STALE_DEVICE:
      fputs (", which the host has written since it was copied to the device", out);
      break;
    case UMMGR_CHECK_UNSET_HOST:
      fputs (", which were copied from the device, where nothing had been written to them", out);
      break;
    case UMMGR_CHECK_UNSET_DEVICE:
      fputs (", to which nothing was copied or written on the device", out);
      break;
    default:
      {
	const struct ummgr_trace_place *other = place_of (f->other);
	fprintf (out, ", as teams %u and %u do, one of them to write", f->teams[0], f->teams[1]);
	if (f->other && (other->line != place_of (f->place)->line))
	  fprintf (out, " (the other at %s:%u)", other->file, other->line);
	fputs (", and nothing orders it", out);
	break;
      }
    }
}

static void
put_one (FILE *out, const struct ummgr_check_finding *f)
{
  const struct ummgr_trace_place *at = place_of (f->place);
  bool host = f->fault == UMMGR_CHECK_STALE_HOST || f->fault == UMMGR_CHECK_UNSET_HOST;
  fprintf (out, "%s:%u: %s: ", at->file, at->line, kind_name (f->fault));
  if (host)
    fputs ("the host", out);
  else
    put_region (out, f->region);
  put_access (out, f);
  put_why (out, f);
  if (f->times > 1)
    fprintf (out, " (%" PRIu64 " times)", f->times);
  fputc ('\n', out);
}

static int
by_place (const void *a, const void *b)
{
  const struct ummgr_check_finding *x = a;
  const struct ummgr_check_finding *y = b;
  const struct ummgr_trace_place *p = place_of (x->place), *q = place_of (y->place);
  int files = strcmp (p->file, q->file);
  return files ? files : p->line != q->line ? (p->line > q->line) - (p->line < q->line)
    : x->fault != y->fault ? (x->fault > y->fault) - (x->fault < y->fault)
    : strcmp (x->name, y->name);
}

static void
put_all (FILE *out, const void *what)
{
  (void) what;
  for (size_t i = 0; i < count; i++)
    put_one (out, &all[i]);
  if (count)
    fprintf (out, "ummgr: check: %zu fault%s\n", count, count == 1 ? "" : "s");
  else
    fputs ("ummgr: check: no fault was found\n", out);
}

/* All that was found so far; the lock is held, or the program is about to end.  */
static enum ummgr_status
write_all (void)
{
  qsort (all, count, sizeof *all, by_place);
  last = 0;
  return ummgr_output_write ("check", ummgr_checker.options.check, put_all, NULL);
}

unsigned
ummgr_check_findings_write (enum ummgr_status *status_p)
{
  pthread_mutex_lock (&ummgr_checker.lock);
  *status_p = write_all ();
  unsigned n = count;
  pthread_mutex_unlock (&ummgr_checker.lock);
  return n;
}

void
ummgr_check_findings_rescue (void)
{
  static bool done;
  if (!done)
    {
      done = true;
      write_all ();
    }
}
