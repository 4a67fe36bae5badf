/* Findings that one change removes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "advise/making.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const ummgr_change_name[] = { "data-construct", "clause", "driver-advice" };

/* Findings beyond so many, the cheapest, are left out: linking them takes the square of it.  */
enum { FINDINGS_MOST = 4096, NAMES_MOST = 12 };

/* Findings, each with the first that it is linked to.  */
struct groups
{
  struct ummgr_advising *a;
  const struct ummgr_diagnosis *d;
  size_t count;
  size_t *first;
};

/* --- what belongs together ------------------------------------------------------------ */

static size_t
first_of (struct groups *g, size_t i)
{
  while (g->first[i] != i)
    i = g->first[i] = g->first[g->first[i]];
  return i;
}

static void
link_two (struct groups *g, size_t i, size_t j)
{
  size_t a = first_of (g, i), b = first_of (g, j);
  g->first[a < b ? b : a] = a < b ? a : b;
}

bool
ummgr_advise_same_object (const struct ummgr_traced_object *a, const struct ummgr_traced_object *b)
{
  return a == b || (strcmp (a->name, b->name) == 0 && a->line == b->line
		    && strcmp (a->file, b->file) == 0 && *a->file);
}

static bool
is_same_place (const struct ummgr_finding *a, const struct ummgr_finding *b)
{
  return a->line == b->line && strcmp (a->file, b->file) == 0;
}

/* Is F's copy made no more where another of the object is in a data construct?  */
static bool
is_absorbed (const struct ummgr_finding *f)
{
  return f->kind == UMMGR_FINDING_UNCHANGED_COPY && f->whole;
}

/* Or its copy, a part of which is in vain, to the device?  */
static bool
is_part (const struct ummgr_finding *f)
{
  return !f->whole && !f->enclose
	 && (f->kind == UMMGR_FINDING_UNUSED_COPY || f->kind == UMMGR_FINDING_OVERWRITTEN_COPY);
}

/* Where F's words name its object; NULL: they don't, or other than by all of it.  */
static const char *
section_in (const struct ummgr_finding *f)
{
  return *f->section ? strstr (f->change, f->section) : NULL;
}

/* What is behind that, up to what says where another name comes from.  */
static struct rest
{
  const char *begin;
  size_t length;
} rest_of (const struct ummgr_finding *f)
{
  const char *begin = section_in (f) + strlen (f->section), *end = strstr (begin, "; ");
  return (struct rest) { begin, end ? (size_t) (end - begin) : strlen (begin) };
}

/* Do their words differ by the object alone?  */
static bool
is_same_change (const struct ummgr_finding *a, const struct ummgr_finding *b)
{
  const char *in_a = section_in (a), *in_b = section_in (b);
  if (!in_a || !in_b || in_a - a->change != in_b - b->change
      || memcmp (a->change, b->change, (size_t) (in_a - a->change)) != 0)
    return false;
  struct rest x = rest_of (a), y = rest_of (b);
  return x.length == y.length && memcmp (x.begin, y.begin, x.length) == 0;
}

/* Are all of F's copies to the device in vain, for one reason or another?  Then what removes them
   for one is no change beside that for the other.  */
static bool
is_needless (const struct ummgr_finding *f)
{
  return f->whole && !f->enclose
	 && (f->kind == UMMGR_FINDING_UNUSED_COPY || f->kind == UMMGR_FINDING_OVERWRITTEN_COPY
	     || f->kind == UMMGR_FINDING_DUPLICATE_COPY);
}

static bool
belong_together (const struct ummgr_finding *a, const struct ummgr_finding *b)
{
  if (a->remedy || b->remedy)
    return a->remedy && b->remedy;
  bool same = ummgr_advise_same_object (a->object, b->object);
  if (a->enclose && b->enclose)
    return same || is_same_place (a, b);
  if (a->enclose || b->enclose)
    {
      const struct ummgr_finding *other = a->enclose ? b : a;
      return same && is_same_place (a, b) && (is_absorbed (other) || is_part (other));
    }
  if (same && is_needless (a) && is_needless (b) && (is_same_place (a, b) || a->kind != b->kind))
    return true;
  return a->kind == b->kind
	 && (same ? strcmp (a->change, b->change) == 0
	     : is_same_place (a, b) && is_same_change (a, b));
}

static bool
groups_make (struct groups *g)
{
  g->count = g->d->finding_count < FINDINGS_MOST ? g->d->finding_count : FINDINGS_MOST;
  g->first = malloc ((g->count + 1) * sizeof *g->first);
  if (!g->first)
    return false;
  for (size_t i = 0; i < g->count; i++)
    g->first[i] = i;
  for (size_t i = 0; i < g->count; i++)
    for (size_t j = i + 1; j < g->count; j++)
      if (belong_together (&g->d->findings[i], &g->d->findings[j]))
	link_two (g, i, j);
  return true;
}

/* --- their words ---------------------------------------------------------------------- */

static int
by_place (const void *a_p, const void *b_p)
{
  const struct ummgr_change_place *a = a_p, *b = b_p;
  int order = strcmp (a->file, b->file);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Of the constructs that copy; or, with MAKERS, those, too, that made what is copied back to the
   device.  */
static bool
places_make (struct ummgr_change *c, bool makers)
{
  free (c->places);
  c->place_count = 0;
  c->places = malloc ((2 * c->finding_count + 1) * sizeof *c->places);
  if (!c->places)
    return false;
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_finding *f = c->findings[i];
      /* What is said of one kind goes there.  */
      if (*f->file && (c->kind != UMMGR_CHANGE_CLAUSE || f->kind == c->findings[0]->kind))
	c->places[c->place_count++] = (struct ummgr_change_place) { f->file, f->line };
      if (makers && *f->out_file)
	c->places[c->place_count++] = (struct ummgr_change_place) { f->out_file, f->out_line };
    }
  if (c->place_count)
    qsort (c->places, c->place_count, sizeof *c->places, by_place);
  size_t kept = 0;
  for (size_t i = 0; i < c->place_count; i++)
    if (!kept || by_place (&c->places[i], &c->places[kept - 1]) != 0)
      c->places[kept++] = c->places[i];
  c->place_count = kept;
  return true;
}

static void
around_free (struct ummgr_change *c)
{
  free (c->around.function);
  free (c->around.file);
  free (c->around.names);
  c->around = (struct ummgr_change_around) { .function = NULL };
}

/* Where a data construct goes: around the loop that has the makers, too; else around one that has
   the constructs that copy, which then get what was made before it from the host.  */
static bool
place (struct groups *g, struct ummgr_change *c)
{
  if (!places_make (c, true))
    return false;
  const struct ummgr_advise_program *program = g->a->program;
  if (!program)
    return true;
  program->around (program->data, c->places, c->place_count, &c->around);
  if (c->around.file && c->around.all)
    return true;
  struct ummgr_change alone = { .kind = c->kind, .findings = c->findings, .finding_count = c->finding_count };
  bool good = places_make (&alone, false);
  if (good && (alone.place_count < c->place_count || c->around.file))
    program->around (program->data, alone.places, alone.place_count, &alone.around);
  if (!alone.around.file)
    {
      around_free (&alone);
      free (alone.places);
      return good;
    }
  around_free (c);
  free (c->places);
  c->places = alone.places;
  c->place_count = alone.place_count;
  c->around = alone.around;
  return true;
}

static bool
is_place (const struct ummgr_change *c, const char *file, uint32_t line)
{
  for (size_t i = 0; i < c->place_count; i++)
    if (c->places[i].line == line && strcmp (c->places[i].file, file) == 0)
      return true;
  return false;
}

bool
ummgr_advise_is_first (const struct ummgr_change *c, size_t i)
{
  for (size_t j = 0; j < i; j++)
    if (ummgr_advise_same_object (c->findings[j]->object, c->findings[i]->object))
      return false;
  return true;
}

struct ummgr_advise_found
ummgr_advise_found_of (const struct ummgr_change *c, const struct ummgr_traced_object *object)
{
  struct ummgr_advise_found found = { .made = true };
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_finding *f = c->findings[i];
      if (!ummgr_advise_same_object (f->object, object))
	continue;
      if (is_absorbed (f))
	found.unchanged += f->bytes;
      else if (is_part (f))
	{
	  found.part += f->bytes;
	  found.part_seconds += f->seconds;
	  if (f->kind == UMMGR_FINDING_UNUSED_COPY && object->copied_out)
	    found.part_unsure += f->bytes;
	}
      else if (f->kind != UMMGR_FINDING_REMAPPED)
	{
	  found.in += f->bytes;
	  found.in_seconds += f->seconds;
	}
      if (f->kind == UMMGR_FINDING_ROUND_TRIP)
	found.made &= (!c->around.file || c->around.all) && *f->out_file
		      && is_place (c, f->out_file, f->out_line);
      found.out += f->kept_bytes;
      found.out_seconds += f->kept_seconds;
    }
  return found;
}

bool
ummgr_advise_is_changed (const struct ummgr_advise_found *found, const struct ummgr_traced_object *o)
{
  uint64_t told = found->in + found->part - found->part_unsure;
  return o->copied_in > told && o->copied_in - told + o->first_vain > o->size;
}

/* How a data construct for C maps OBJECT.  What the device has before the host's is copied comes
   from the device; what came back as it had gone need not.  */
static const char *
map_type (const struct ummgr_change *c, const struct ummgr_traced_object *object)
{
  const struct ummgr_advise_found found = ummgr_advise_found_of (c, object);
  bool in = object->copied_in > found.in || !found.made, back = object->copied_out > found.unchanged;
  if (!object->copied_in && !back)
    return "alloc";
  return !back ? "to" : in ? "tofrom" : "from";
}

/* What is made before the construct has to come back there, and in once, which may be among those
   copies that came from the device.  And one copy of each object that changes has to come back at the end, which may
   be among those that nobody looked at.  What a copy brings in vain is brought once, too, or still, where the host
   changes what it brings otherwise.  */
static void
ends_subtract (struct ummgr_change *c, const struct ummgr_traced_object *object)
{
  const struct ummgr_advise_found found = ummgr_advise_found_of (c, object);
  if (found.part)
    {
      uint64_t once = object->first_vain < found.part ? object->first_vain : found.part;
      uint64_t stays = ummgr_advise_is_changed (&found, object) ? found.part : once;
      c->bytes -= stays;
      c->seconds -= found.part_seconds * (double) stays / (double) found.part;
    }
  if (!found.made && object->copied_in <= found.in && found.in)
    {
      uint64_t first = object->size < found.in ? object->size : found.in;
      c->bytes -= first;
      c->seconds -= found.in_seconds * (double) first / (double) found.in;
      uint64_t before = object->size < found.out ? object->size : found.out;
      c->bytes -= before;
      c->seconds -= before ? found.out_seconds * (double) before / (double) found.out : 0;
    }
  if (object->copied_out <= found.unchanged || found.out < object->copied_out || !found.out)
    return;
  uint64_t end = object->size < found.out ? object->size : found.out;
  c->bytes -= end;
  c->seconds -= found.out_seconds * (double) end / (double) found.out;
}

bool
ummgr_advise_is_only (const struct ummgr_change *c, const struct ummgr_traced_object *object)
{
  for (size_t i = 0; i < c->finding_count; i++)
    if (strcmp (c->findings[i]->object->name, object->name) == 0
	&& !ummgr_advise_same_object (c->findings[i]->object, object))
      return false;
  return true;
}

/* A clause of all that C keeps and that is mapped as TYPE.  */
static void
put_clause (FILE *out, const struct ummgr_change *c, const char *type)
{
  bool any = false;
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_traced_object *o = c->findings[i]->object;
      if (!ummgr_advise_is_first (c, i) || strcmp (map_type (c, o), type) != 0)
	continue;
      fprintf (out, "%s%s%s", any ? ", " : " map(", any ? "" : type, any ? "" : ": ");
      if (c->items[i].text)
	fputs (c->items[i].text, out);
      if (!ummgr_advise_is_only (c, o))
	fprintf (out, " /* of %s:%" PRIu32 " */", c->findings[i]->file, c->findings[i]->line);
      any = true;
    }
  if (any)
    fputc (')', out);
}

/* Each array of Fortran is mapped with its descriptor, which libgomp copies, and then the address
   in it: copies that are nobody's object and go with those of C.  */
static double
descriptors_cost (const struct ummgr_change *c, const struct ummgr_diagnosis *d)
{
  uint64_t objects = 0, kept = 0, out = 0;
  for (size_t i = 0; i < d->object_count; i++)
    {
      objects += d->objects[i]->copies;
      out += d->objects[i]->copied_out;
    }
  for (size_t i = 0; i < c->finding_count; i++)
    kept += ummgr_advise_is_first (c, i) ? c->findings[i]->object->copies : 0;
  /* The arguments of a launch are one, and so is what libgomp 13 and later take back of their ICVs: nothing else
     that is nobody's comes back.  */
  uint64_t stays = d->launches * (d->copied_out > out ? 2 : 1);
  uint64_t own = objects + stays < d->copies ? d->copies - objects - stays : 0;
  if (!objects || !d->device_count || !ummgr_diagnosis_fortran (c->findings[0]->file))
    return 0;
  return (double) own * (double) kept / (double) objects * (double) d->devices[0].latency * 1e-9;
}

/* As a person calls it.  */
static const char *
function_name (const struct ummgr_change *c)
{
  return strcmp (c->around.function, "MAIN__") == 0 ? "the main program" : c->around.function;
}

static bool
say_data (struct ummgr_change *c, struct ummgr_advising *a)
{
  const struct ummgr_diagnosis *d = a->d;
  if (!ummgr_advise_items (a, c))
    return false;
  for (size_t i = 0; i < c->finding_count; i++)
    if (ummgr_advise_is_first (c, i))
      ends_subtract (c, c->findings[i]->object);
  c->seconds += descriptors_cost (c, d);
  size_t size, named = 0, objects = 0;
  FILE *out = open_memstream (&c->what, &size);
  if (!out)
    return false;
  fputs ("keep", out);
  for (size_t i = 0; i < c->finding_count; i++)
    objects += ummgr_advise_is_first (c, i);
  for (size_t i = 0; i < c->finding_count && named < NAMES_MOST; i++)
    if (ummgr_advise_is_first (c, i))
      {
	const char *before = !named ? " " : named + 1 == objects ? " and " : ", ";
	fputs (before, out);
	fputs (c->findings[i]->object->name, out);
	named++;
      }
  if (objects > named)
    fprintf (out, " and %zu more", objects - named);
  fputs (" on the device: one data construct around ", out);
  if (c->around.file)
    {
      const char *slash = strrchr (c->around.file, '/');
      fprintf (out, "the loop at %s:%" PRIu32 " in %s, for", slash ? slash + 1 : c->around.file,
	       c->around.line, function_name (c));
    }
  else if (c->around.function)
    fprintf (out, "what %s does, for", function_name (c));
  else
    fputs ("all that runs", out);
  fprintf (out, " %s", c->place_count == 1 ? "the construct" : "the constructs");
  if (fclose (out) != 0 || !(out = open_memstream (&c->directive, &size)))
    return false;
  fputs (ummgr_diagnosis_fortran (c->findings[0]->file) ? "!$omp target data" : "#pragma omp target data", out);
  static const char *const types[] = { "to", "tofrom", "from", "alloc" };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    put_clause (out, c, types[i]);
  if (fclose (out) != 0)
    return false;
  out = open_memstream (&c->note, &size);
  if (!out)
    return false;
  fputs ("in it, target update from before the host reads any of them, and target update to after the "
	 "host has changed it; where no block holds all, target enter data before and target exit data "
	 "behind", out);
  for (size_t i = 0; i < c->finding_count; i++)
    if (is_absorbed (c->findings[i]))
      {
	fputs ("; what is only mapped to no region wrote in this run", out);
	break;
      }
  if (!d->run.instrumented)
    fputs ("; no region may write what is only mapped to, which a trace without accesses can't tell",
	   out);
  if (d->device_count > 1)
    fputs ("; with the constructs' device clause", out);
  return fclose (out) == 0;
}

/* The words are the finding's; of several objects in the same words, with all of them.  */
static bool
say_clause (struct ummgr_change *c)
{
  const struct ummgr_finding *f = c->findings[0];
  size_t size;
  FILE *out = open_memstream (&c->what, &size);
  if (!out)
    return false;
  bool several = false;
  for (size_t i = 1; i < c->finding_count; i++)
    several |= !ummgr_advise_same_object (c->findings[i]->object, f->object);
  if (!several)
    {
      fputs (f->change, out);
      return fclose (out) == 0;
    }
  fprintf (out, "%.*s", (int) (section_in (f) - f->change), f->change);
  for (size_t i = 0; i < c->finding_count; i++)
    if (ummgr_advise_is_first (c, i))
      fprintf (out, "%s%s", i ? ", " : "", c->findings[i]->section);
  fprintf (out, "%.*s", (int) rest_of (f).length, rest_of (f).begin);
  return fclose (out) == 0;
}

static bool
say_advice (struct ummgr_change *c, const struct ummgr_diagnosis *d)
{
  const struct ummgr_together *t = &d->together;
  size_t size;
  FILE *out = open_memstream (&c->what, &size);
  if (!out)
    return false;
  fputs ("advise the driver of", out);
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_finding *f = c->findings[i];
      fprintf (out, "%s %s (%s)", i ? "," : "", f->object->name, ummgr_remedy_name[f->remedy->kind]);
    }
  if (fclose (out) != 0)
    return false;
  if (t->with > 0 && t->without > t->with)
    c->seconds = t->without - t->with;
  else
    c->seconds = c->findings[0]->remedy->without - c->findings[0]->remedy->with;
  out = open_memstream (&c->directive, &size);
  if (!out)
    return false;
  fprintf (out, "ummgr run --apply=%s", d->path);
  return fclose (out) == 0;
}

/* --- all ------------------------------------------------------------------------------ */

/* Is F's copy made all the same, but while something else runs?  */
static bool
is_hidden (const struct ummgr_finding *f)
{
  return f->kind == UMMGR_FINDING_EARLY_COPY || f->kind == UMMGR_FINDING_OVERLAP;
}

/* C of its findings.  */
static bool
change_make (struct groups *g, struct ummgr_change *c)
{
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_finding *f = c->findings[i];
      if (!is_hidden (f))
	c->bytes += f->bytes + f->kept_bytes;
      c->seconds += f->seconds + f->kept_seconds;
      if (f->enclose)
	c->kind = UMMGR_CHANGE_DATA;
      if (f->remedy)
	c->kind = UMMGR_CHANGE_ADVICE;
    }
  if (!(c->kind == UMMGR_CHANGE_DATA ? place (g, c) : places_make (c, false)))
    return false;
  bool good = c->kind == UMMGR_CHANGE_DATA ? say_data (c, g->a)
	      : c->kind == UMMGR_CHANGE_ADVICE ? say_advice (c, g->d) : say_clause (c);
  if (good && g->a->patches)
    ummgr_advise_patch (g->a, c);
  return good;
}

/* C of the findings that are linked to FIRST.  */
static bool
change_of (struct groups *g, size_t first, struct ummgr_change *c)
{
  *c = (struct ummgr_change) { .kind = UMMGR_CHANGE_CLAUSE };
  c->findings = malloc ((g->count + 1) * sizeof *c->findings);
  if (!c->findings)
    return false;
  for (size_t i = first; i < g->count; i++)
    if (first_of (g, i) == first)
      c->findings[c->finding_count++] = &g->d->findings[i];
  return change_make (g, c);
}

static void
change_free (struct ummgr_change *c)
{
  for (size_t k = 0; c->items && k < c->finding_count; k++)
    free (c->items[k].text);
  free (c->items);
  free (c->findings);
  free (c->places);
  around_free (c);
  free (c->what);
  free (c->directive);
  free (c->note);
  free (c->patch);
  free (c->unpatched);
}

/* --- around the same loop -------------------------------------------------------------- */

static int
by_address (const void *a_p, const void *b_p)
{
  const struct ummgr_finding *a = *(const struct ummgr_finding *const *) a_p;
  const struct ummgr_finding *b = *(const struct ummgr_finding *const *) b_p;
  return (a > b) - (a < b);
}

static bool
is_around_same (const struct ummgr_change *a, const struct ummgr_change *b)
{
  return a->around.file && b->around.file && a->around.line == b->around.line
	 && strcmp (a->around.file, b->around.file) == 0;
}

/* Make A and B one if that is a data construct around the loop which they go around, and brings and
   patches what they do.  One that has a patch waits for none that has not.  */
static bool
merge (struct groups *g, struct ummgr_change *a, struct ummgr_change *b, bool *merged)
{
  *merged = false;
  if (!is_around_same (a, b) || !a->patch != !b->patch)
    return true;
  struct ummgr_change c = { .kind = UMMGR_CHANGE_CLAUSE, .finding_count = a->finding_count + b->finding_count };
  c.findings = malloc (c.finding_count * sizeof *c.findings);
  if (!c.findings)
    return false;
  memcpy (c.findings, a->findings, a->finding_count * sizeof *c.findings);
  memcpy (c.findings + a->finding_count, b->findings, b->finding_count * sizeof *c.findings);
  qsort (c.findings, c.finding_count, sizeof *c.findings, by_address);
  bool good = change_make (g, &c);
  *merged = good && is_around_same (&c, a) && c.bytes == a->bytes + b->bytes && !c.patch == !a->patch;
  if (!*merged)
    {
      change_free (&c);
      return good;
    }
  change_free (a);
  change_free (b);
  *a = c;
  return true;
}

/* Around one loop goes one directive.  */
static bool
merge_all (struct groups *g, struct ummgr_advice *a)
{
  for (size_t i = 0; i < a->count; i++)
    for (size_t j = i + 1; j < a->count;)
      {
	bool merged;
	if (!merge (g, &a->changes[i], &a->changes[j], &merged))
	  return false;
	if (merged)
	  a->changes[j] = a->changes[--a->count];
	else
	  j++;
      }
  return true;
}

static int
by_gain (const void *a_p, const void *b_p)
{
  const struct ummgr_change *a = a_p, *b = b_p;
  if (a->seconds != b->seconds)
    return a->seconds > b->seconds ? -1 : 1;
  return a->bytes != b->bytes ? (a->bytes > b->bytes ? -1 : 1)
	 : (a->findings[0] > b->findings[0]) - (a->findings[0] < b->findings[0]);
}

static bool
changes_make (struct ummgr_advice *a, struct ummgr_advising *making)
{
  struct groups g = { .a = making, .d = a->diagnosis };
  bool good = groups_make (&g);
  a->changes = good ? calloc (g.count + 1, sizeof *a->changes) : NULL;
  good = a->changes != NULL;
  for (size_t i = 0; good && i < g.count; i++)
    if (first_of (&g, i) == i)
      good = change_of (&g, i, &a->changes[a->count++]);
  good = good && merge_all (&g, a);
  if (good && a->count)
    qsort (a->changes, a->count, sizeof *a->changes, by_gain);
  free (g.first);
  return good;
}

struct ummgr_advice *
ummgr_advise (struct ummgr_diagnosis *diagnosis, const struct ummgr_advise_program *program, bool patches)
{
  struct ummgr_advice *a = calloc (1, sizeof *a);
  struct ummgr_advising making = { .d = diagnosis, .program = program, .patches = patches };
  if (!a)
    return NULL;
  a->diagnosis = diagnosis;
  bool good = changes_make (a, &making);
  for (size_t i = 0; i < making.sources.count; i++)
    ummgr_source_free (making.sources.read[i]);
  free (making.sources.read);
  if (good)
    return a;
  ummgr_advice_free (a);
  return NULL;
}

void
ummgr_advice_free (struct ummgr_advice *a)
{
  for (size_t i = 0; a && i < a->count; i++)
    change_free (&a->changes[i]);
  if (a)
    free (a->changes);
  free (a);
}
