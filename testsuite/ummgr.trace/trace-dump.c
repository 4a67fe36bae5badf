/* Print a trace (.ummt) as text, one record a line, for tests to look at.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: trace-dump [-a|-q] FILE.  Objects and regions are called by their names,
   or #ID where they have none.  Addresses, times and hashes, which differ from
   run to run, are left out; -a prints addresses, -q only the end.  A trace that is damaged or
   has no end is printed as far as it can be read; then the status is 1.  It
   draws no conclusions: those are the diagnosis's.  */

#include "record/shadow.h"
#include "trace/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names by number.  */
struct names
{
  char **text;
  uint64_t count;
};

static struct names objects, regions;
static bool addresses, quiet;

static void
learn (struct names *names, uint64_t id, const char *name)
{
  if (id > 1 << 24)
    return;
  if (id >= names->count)
    {
      uint64_t count = 2 * id + 16;
      names->text = realloc (names->text, count * sizeof *names->text);
      if (!names->text)
	abort ();
      memset (names->text + names->count, 0,
	      (count - names->count) * sizeof *names->text);
      names->count = count;
    }
  free (names->text[id]);
  names->text[id] = *name ? strdup (name) : NULL;
}

static const char *
name (const struct names *names, uint64_t id)
{
  static char number[2][24];
  static int turn;
  if (id < names->count && names->text[id])
    return names->text[id];
  turn ^= 1;
  snprintf (number[turn], sizeof number[turn], "#%" PRIu64, id);
  return number[turn];
}

static const char *
place (int32_t device)
{
  static char text[2][16];
  static int turn;
  if (device == UMMGR_TRACE_HOST)
    return "host";
  turn ^= 1;
  snprintf (text[turn], sizeof text[turn], "gpu%" PRId32, device);
  return text[turn];
}

static const char *
base_name (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}

static void
print_run (const struct ummgr_trace_run *r)
{
  printf ("run profile=%s policy=%s page=%" PRIu64 " granularity=%" PRIu64
	  " sample=%" PRIu32 " block=%" PRIu64 " scope=%" PRIu32
	  " instrumented=%" PRIu32 "\n",
	  r->profile, r->policy, r->page_size, r->granularity, r->sample,
	  r->block, r->scope, r->instrumented);
}

static void
print_object (const struct ummgr_trace_object *o)
{
  learn (&objects, o->object, o->name);
  printf ("object %s size=%" PRIu64 " at=%s:%" PRIu32 " element=%" PRIu32
	  "%s%s%s", name (&objects, o->object), o->size, base_name (o->file),
	  o->line, o->element_size,
	  o->flags & UMMGR_TRACE_OBJECT_UNIFIED ? " unified" : "",
	  o->flags & UMMGR_TRACE_OBJECT_STATIC ? " static" : "",
	  o->flags & UMMGR_TRACE_OBJECT_HEAP ? " heap" : "");
  if (*o->layout)
    printf (" layout=%s", o->layout);
  if (addresses)
    printf (" base=%#" PRIx64, o->base);
  putchar ('\n');
}

static void
print_move (const char *what, const struct ummgr_trace_move *m)
{
  printf ("%s %s +%" PRIu64 " size=%" PRIu64, what, name (&objects, m->object),
	  m->offset, m->size);
  if (m->advice)
    printf (" advice=%" PRIu32, m->advice);
  if (strcmp (what, "copy") == 0)
    printf (" from=%s", place (m->from));
  printf (" to=%s launch=%" PRIu64 " unchanged=%" PRIu64 " number=%" PRIu64
	  " line=%" PRIu32 "\n", place (m->to), m->launch, m->unchanged,
	  m->copy, m->line);
}

static void
print_present (const char *what, const struct ummgr_trace_present *p)
{
  printf ("%s %s +%" PRIu64 " size=%" PRIu64 " on=%s line=%" PRIu32, what,
	  name (&objects, p->object), p->offset, p->size, place (p->device),
	  p->line);
  if (p->flags & UMMGR_TRACE_PRESENT_SMALL)
    fputs (" small", stdout);
  if (p->flags & UMMGR_TRACE_PRESENT_VARIABLE)
    fputs (" variable", stdout);
  if (addresses)
    printf (" address=%#" PRIx64, p->address);
  putchar ('\n');
}

static void
print_access (const struct ummgr_trace_access *a)
{
  printf ("access %s +%" PRIu64 " size=%" PRIu32 " %s%s%s launch=%" PRIu64,
	  name (&objects, a->object), a->object || addresses ? a->offset : 0,
	  a->size, a->access & UMMGR_TRACE_READ ? "r" : "",
	  a->access & UMMGR_TRACE_WRITE ? "w" : "",
	  a->access & UMMGR_TRACE_ATOMIC ? "a" : "", a->launch);
  if (a->count > 1)
    printf (" count=%" PRIu64 " stride=%" PRId64, a->count, a->stride);
  printf (" team=%" PRIu32 " thread=%" PRIu32 "\n", a->team, a->thread);
}

/* The seven facts first, as the paper names them.  */
static void
print_facts (const struct ummgr_trace_facts *f)
{
  static const char *const names[8]
    = { "last_gpu", "cpu_wrote", "gpu_wrote", "c>c", "c>g", "g>c", "g>g",
	"unread" };
  uint64_t counts[8] = { 0 }, alternating = 0, overwritten = 0;
  for (uint32_t i = 0; i < f->state_count; i++)
    {
      uint8_t state = f->states[i].state;
      const uint8_t lost = UMMGR_SHADOW_UNREAD | UMMGR_SHADOW_LAST_GPU
	| UMMGR_SHADOW_GPU_WROTE;
      for (int bit = 0; bit < 8; bit++)
	if (state & 1 << bit)
	  counts[bit] += f->states[i].words;
      if (ummgr_shadow_alternates (state))
	alternating += f->states[i].words;
      if ((state & lost) == lost)
	overwritten += f->states[i].words;
    }
  printf ("facts %s +%" PRIu64 " on=%s phase=%" PRIu32 " words=%" PRIu64,
	  name (&objects, f->object), f->offset, place (f->device), f->phase,
	  f->words);
  for (int bit = 0; bit < 8; bit++)
    printf (" %s=%" PRIu64, names[bit], counts[bit]);
  printf (" alternating=%" PRIu64 " overwritten=%" PRIu64 "\n", alternating,
	  overwritten);
}

static void
print_launch (const char *what, const struct ummgr_trace_launch *l)
{
  printf ("%s %s launch=%" PRIu64 " on=%s\n", what, name (&regions, l->region),
	  l->launch, place (l->device));
}

static void
print_use (const struct ummgr_trace_use *u)
{
  const struct ummgr_hint *h = &u->hint;
  printf ("use launch=%" PRIu64 " object=%" PRIu64 " name=%s%s%s%s%s lo=%"
	  PRIu64 " hi=%" PRIu64 " locality=%.17g density=%.17g stride=%" PRId64
	  " next=%.17g likely=%.17g\n", u->launch, u->object, h->name,
	  h->read ? " read" : "", h->write ? " write" : "",
	  h->overwritten ? " overwritten" : "",
	  h->estimated ? " estimated" : "", h->lo, h->hi, h->locality,
	  h->density, h->stride, h->reuse_static, h->reuse_likely);
}

static void
print (const struct ummgr_trace_record *r)
{
  switch (r->kind)
    {
    case UMMGR_TRACE_RUN: print_run (&r->u.run); break;
    case UMMGR_TRACE_DEVICE:
      printf ("device gpu%" PRIu32 " memory=%" PRIu64 " name=%s\n",
	      r->u.device.device, r->u.device.memory, r->u.device.name);
      break;
    case UMMGR_TRACE_REGION:
      learn (&regions, r->u.region.region, r->u.region.name);
      printf ("region %s at=%s:%" PRIu32 "\n", r->u.region.name,
	      base_name (r->u.region.file), r->u.region.line);
      break;
    case UMMGR_TRACE_BEGIN: print_launch ("begin", &r->u.launch); break;
    case UMMGR_TRACE_FINISH: print_launch ("finish", &r->u.launch); break;
    case UMMGR_TRACE_OBJECT: print_object (&r->u.object); break;
    case UMMGR_TRACE_GONE:
      printf ("gone %s\n", name (&objects, r->u.object.object));
      break;
    case UMMGR_TRACE_MARK: printf ("mark %s\n", r->u.mark.name); break;
    case UMMGR_TRACE_COPY: print_move ("copy", &r->u.move); break;
    case UMMGR_TRACE_PREFETCH: print_move ("prefetch", &r->u.move); break;
    case UMMGR_TRACE_ADVICE: print_move ("advice", &r->u.move); break;
    case UMMGR_TRACE_ACCESS: print_access (&r->u.access); break;
    case UMMGR_TRACE_PRESENT: print_present ("present", &r->u.present); break;
    case UMMGR_TRACE_ABSENT: print_present ("absent", &r->u.present); break;
    case UMMGR_TRACE_OUTCOME:
      printf ("outcome number=%" PRIu64 " words=%" PRIu64 " unused=%" PRIu64
	      " overwritten=%" PRIu64 "\n", r->u.outcome.copy,
	      r->u.outcome.words, r->u.outcome.unused,
	      r->u.outcome.overwritten);
      break;
    case UMMGR_TRACE_FACTS: print_facts (&r->u.facts); break;
    case UMMGR_TRACE_PHASE:
      printf ("phase %" PRIu32 " name=%s cause=%s launches=%" PRIu64 "\n",
	      r->u.phase.phase, r->u.phase.name, r->u.phase.cause,
	      r->u.phase.launches);
      break;
    case UMMGR_TRACE_USE: print_use (&r->u.use); break;
    case UMMGR_TRACE_LOST:
      printf ("lost launch=%" PRIu64 " on=gpu%d reports=%" PRIu64 "\n",
	      r->u.lost.launch, r->u.lost.device, r->u.lost.reports);
      break;
    case UMMGR_TRACE_RAN:
      printf ("ran launch=%" PRIu64 " on=gpu%d seconds=%.9g faults=%" PRIu64
	      " batches=%" PRIu64 "\n", r->u.ran.launch, r->u.ran.device,
	      r->u.ran.seconds, r->u.ran.faults, r->u.ran.batches);
      break;
    case UMMGR_TRACE_HANDED:
      printf ("handed gpu%" PRId32 "\n", r->u.handed.device);
      break;
    case UMMGR_TRACE_FAULTS:
      printf ("faults %s launch=%" PRIu64 " on=gpu%" PRId32 " gpu=%" PRIu64 " cpu=%" PRIu64
	      " in=%" PRIu64 " out=%" PRIu64 " evictions=%" PRIu64 " at=%s:%" PRIu32 "\n",
	      name (&objects, r->u.faults.object), r->u.faults.launch, r->u.faults.device,
	      r->u.faults.gpu_faults, r->u.faults.cpu_faults, r->u.faults.in,
	      r->u.faults.out, r->u.faults.evictions, base_name (r->u.faults.file),
	      r->u.faults.line);
      break;
    case UMMGR_TRACE_SHAPE:
      printf ("shape launch=%" PRIu64 " on=gpu%d teams=%" PRIu32 " warps=%" PRIu32
	      " lie=%" PRIu32 " registers=%" PRIu32 " shared=%" PRIu64 "\n",
	      r->u.shape.launch, r->u.shape.device, r->u.shape.teams, r->u.shape.warps,
	      r->u.shape.lie, r->u.shape.registers, r->u.shape.shared);
      break;
    case UMMGR_TRACE_AREA:
      printf ("area launch=%" PRIu64 " on=gpu%d base=%#" PRIx64 " end=%#" PRIx64
	      " key=%#" PRIx64 " kind=%" PRIu32 "\n", r->u.area.launch,
	      r->u.area.device, r->u.area.base, r->u.area.end, r->u.area.key,
	      r->u.area.kind);
      break;
    case UMMGR_TRACE_STEPS:
      printf ("steps launch=%" PRIu64 " on=gpu%d team=%" PRIu32 " same=%" PRIu64
	      " bytes=%" PRIu32 " left=%" PRIu64 "\n", r->u.steps.launch,
	      r->u.steps.device, r->u.steps.team, r->u.steps.same, r->u.steps.size,
	      r->u.steps.left);
      break;
    case UMMGR_TRACE_TAKEN:
      printf ("taken device=%" PRId32 " bytes=%" PRIu64 " libgomp=%" PRIu64
	      " in=%" PRIu64 " out=%" PRIu64 " copies=%" PRIu64 " seconds=%.9g\n",
	      r->u.taken.device, r->u.taken.bytes, r->u.taken.libgomp,
	      r->u.taken.copied_in, r->u.taken.copied_out, r->u.taken.copies,
	      r->u.taken.seconds);
      break;
    case UMMGR_TRACE_END: puts ("end"); break;
    default: printf ("kind %d\n", r->kind);
    }
}

int
main (int argc, char **argv)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record record;
  enum ummgr_status status;
  addresses = argc == 3 && strcmp (argv[1], "-a") == 0;
  quiet = argc == 3 && strcmp (argv[1], "-q") == 0;
  if (argc != 2 + (addresses || quiet))
    {
      fputs ("usage: trace-dump [-a|-q] FILE\n", stderr);
      return 2;
    }
  if (ummgr_trace_reader_open (argv[argc - 1], &reader) != UMMGR_OK)
    return 1;
  do
    {
      status = ummgr_trace_reader_next (reader, &record);
      if (status == UMMGR_OK && (!quiet || record.kind == UMMGR_TRACE_END))
	print (&record);
    }
  while (status == UMMGR_OK && record.kind != UMMGR_TRACE_END);
  ummgr_trace_reader_close (reader);
  return status == UMMGR_OK ? 0 : 1;
}
