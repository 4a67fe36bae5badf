/* analysis: reading the log of a run.
   SPDX-License-Identifier: GPL-3.0-or-later

   The log holds, in order, what libummgr says at each launch (UMMGR_LOG=debug)
   and what count.c counted in it.  An object is what one call of ummgr_malloc
   gave; what else libummgr calls one (small structures, sums) is left out.  */

#include "analysis.h"

#define TIE 0.01

enum { OBJECTS = 4096 };

/* The program's objects, the newest last.  */
struct object
{
  uint64_t base, size;		/* SIZE 0: it has gone.  */
};

struct reading
{
  const char *path;
  unsigned line;
  struct run *run;
  struct launch next;		/* Being read: its hints come first.  */
  struct object objects[OBJECTS];
  unsigned object_count;
};

static void *
grown (void *list, size_t count, size_t size)
{
  /* Powers of two.  */
  if (count & (count - 1))
    return list;
  list = realloc (list, (count ? 2 * count : 1) * size);
  if (!list)
    bench_fatal ("no memory");
  return list;
}

static void
bad (const struct reading *r, const char *what)
{
  bench_fatal ("%s, line %u: %s", r->path, r->line, what);
}

/* The number of the object at BASE, or OBJECTS.  */
static unsigned
object_at (const struct reading *r, uint64_t base)
{
  for (unsigned i = r->object_count; i-- > 0;)
    if (r->objects[i].base == base && r->objects[i].size)
      return i;
  return OBJECTS;
}

static struct use *
use_of (const struct reading *r, struct launch *launch, uint64_t base)
{
  unsigned object = object_at (r, base);
  for (size_t i = 0; i < launch->count; i++)
    if (launch->uses[i].object == object)
      return &launch->uses[i];
  return NULL;
}

/* The number after WORDS in TEXT.  */
static double
after (const struct reading *r, const char *text, const char *words)
{
  const char *at = strstr (text, words);
  double value;
  if (!at || sscanf (at + strlen (words), "%lf", &value) != 1)
    bad (r, words);
  return value;
}

/* FILE:LINE: NAME, object ID at BASE of SIZE bytes: ...  */
static void
hint_read (struct reading *r, const char *text)
{
  char region[WORD], name[WORD];
  const char *colon = strstr (text, ": "), *file = text;
  if (!colon)
    bad (r, "no hint");
  for (const char *p = text; p < colon; p++)
    if (*p == '/')
      file = p + 1;
  snprintf (region, sizeof region, "%.*s", (int) (colon - file), file);
  const char *at = strstr (colon, " at 0x");
  /* Remarks are about no object.  */
  if (!strstr (colon, ", object "))
    return;
  if (!at || sscanf (colon, ": %63[^,]", name) != 1)
    bad (r, "no object in a hint");
  unsigned object = object_at (r, strtoull (at + 4, NULL, 16));
  if (object == OBJECTS)
    return;
  struct launch *l = &r->next;
  strcpy (l->region, region);
  l->uses = grown (l->uses, l->count, sizeof *l->uses);
  struct use *use = &l->uses[l->count++];
  *use = (struct use) {
    .object = object,
    .density = after (r, text, ", density "),
    .locality = after (r, text, ", locality "),
    .expected = after (r, text, ", next use in "),
    .likely = after (r, text, ", likely in "),
    .exact = strstr (text, ", exact") && !strstr (text, ", estimated")
  };
  strcpy (use->name, name);
  use->place = use->locality == 0 || !strstr (text, ", bytes [0, 0)");
}

static void
launch_read (struct reading *r)
{
  struct run *run = r->run;
  if (!*r->next.region)
    strcpy (r->next.region, "?");
  run->launches = grown (run->launches, run->count, sizeof *run->launches);
  run->launches[run->count++] = r->next;
  r->next = (struct launch) { .count = 0 };
}

static void
count_read (struct reading *r, const char *text)
{
  unsigned long long base, accesses, bytes;
  if (strncmp (text, "launch", 6) == 0)
    launch_read (r);
  else if (sscanf (text, "new %llx %llu", &base, &bytes) == 2)
    {
      if (r->object_count == OBJECTS)
	bad (r, "too many objects");
      r->objects[r->object_count++] = (struct object) { base, bytes };
    }
  else if (sscanf (text, "gone %llx", &base) == 1)
    r->objects[object_at (r, base)].size = 0;
  else if (sscanf (text, "object %llx %llu %llu", &base, &accesses, &bytes)
	   == 3 && r->run->count)
    {
      struct launch *launch = &r->run->launches[r->run->count - 1];
      struct use *use = use_of (r, launch, base);
      if (!use)
	bad (r, "an object is accessed that libummgr says nothing of");
      use->true_locality = accesses;
      use->true_density
	= (double) bytes / r->objects[use->object].size;
    }
  else
    bad (r, "no count");
}

/* When each object is used next, and from when on its loop has gone round: from
   the second launch on of the first region that has the object again.  */
static void
truth_find (struct run *run, unsigned objects)
{
  size_t *next = calloc (objects + 1, sizeof *next);
  if (!next)
    bench_fatal ("no memory");
  for (size_t i = run->count; i-- > 0;)
    for (size_t j = 0; j < run->launches[i].count; j++)
      {
	struct use *use = &run->launches[i].uses[j];
	size_t then = next[use->object];
	use->next = then ? (double) (then - 1 - i) : INFINITY;
	next[use->object] = i + 1;
      }
  for (unsigned o = 0; o < objects; o++)
    {
      /* The first launch of a region that comes again, and that other one.  */
      size_t second = run->count;
      for (size_t i = 0; i < run->count && second == run->count; i++)
	for (size_t j = 0; j < run->launches[i].count; j++)
	  if (run->launches[i].uses[j].object == o)
	    for (size_t k = run->count; k-- > i + 1;)
	      for (size_t m = 0; m < run->launches[k].count; m++)
		if (run->launches[k].uses[m].object == o
		    && strcmp (run->launches[k].region,
			       run->launches[i].region) == 0)
		  second = k;
      for (size_t i = second; i < run->count; i++)
	for (size_t j = 0; j < run->launches[i].count; j++)
	  if (run->launches[i].uses[j].object == o)
	    run->launches[i].uses[j].round = true;
    }
  free (next);
}

void
log_read (const char *path, struct run *run)
{
  static struct reading reading;
  struct reading *r = &reading;
  *r = (struct reading) { .path = path, .run = run };
  FILE *file = fopen (path, "r");
  char text[2048];
  if (!file)
    bench_fatal ("%s: %s", path, strerror (errno));
  while (fgets (text, sizeof text, file))
    {
      unsigned long long base;
      r->line++;
      if (strncmp (text, "ummgr: hints: ", 14) == 0)
	hint_read (r, text + 14);
      else if (sscanf (text, "ummgr: rdm: object at %llx:", &base) == 1)
	{
	  struct use *use = use_of (r, &r->next, base);
	  if (use)
	    use->corrected = after (r, text, ": next use in ");
	}
      else if (strncmp (text, "count: ", 7) == 0)
	count_read (r, text + 7);
    }
  fclose (file);
  if (!run->count)
    bad (r, "no launch");
  truth_find (run, r->object_count);
}

static bool
is_less (double a, double b)
{
  return a < b && b - a > TIE * b;
}

bool
rank_agrees (const struct launch *launch, const struct use *use)
{
  unsigned above = 0, below = 0, true_above = 0, true_below = 0;
  unsigned n = launch->count;
  for (unsigned i = 0; i < n; i++)
    {
      const struct use *other = &launch->uses[i];
      above += is_less (use->locality, other->locality);
      below += is_less (other->locality, use->locality);
      true_above += is_less (use->true_locality, other->true_locality);
      true_below += is_less (other->true_locality, use->true_locality);
    }
  return above < n - true_below && true_above < n - below;
}
