/* Debian packages and what they need, from control-file stanzas.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns the names and dependency texts of one set of packages.  It neither
   finds the package lists nor compares versions: a dependency is met by its
   name.  */

#include "packages.h"

#include <Judy.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct package
{
  char *name;
  char *needs;		/* Comma-separated, as in the stanzas.  */
};

struct packages
{
  struct package *list;
  size_t count, capacity, skipped;
  Pvoid_t index;	/* JudySL: name -> position + 1.  */
  Pvoid_t providers;	/* JudySL: virtual name -> Judy1 of positions.  */
};

/* The fields of a stanza that matter.  */
enum field
{
  PACKAGE, STATUS, DEPENDS, PRE_DEPENDS, RECOMMENDS, PROVIDES, FIELDS, OTHER
};

static const char *const field_names[FIELDS] = {
  "Package", "Status", "Depends", "Pre-Depends", "Recommends", "Provides"
};

struct stanza
{
  char *value[FIELDS];
  bool any;
};

static void *
need (void *p)
{
  if (!p)
    {
      fputs ("depgraph: out of memory\n", stderr);
      exit (2);
    }
  return p;
}

/* *TEXT becomes "TEXT, MORE".  */
static void
append (char **text, const char *more)
{
  size_t old = *text ? strlen (*text) : 0;
  *text = need (realloc (*text, old + strlen (more) + 3));
  sprintf (*text + old, "%s%s", old ? ", " : "", more);
}

/* The name at the start of TEXT, without version, architecture or profile:
   copied to NAME.  False if there is none.  */
static bool
first_name (const char *text, const char *end, char *name, size_t size)
{
  while (text < end && isspace ((unsigned char) *text))
    text++;
  size_t n = 0;
  while (text + n < end && !isspace ((unsigned char) text[n])
	 && !strchr ("([<:", text[n]))
    n++;
  if (n == 0 || n >= size)
    return false;
  memcpy (name, text, n);
  name[n] = 0;
  return true;
}

/* --- reading ------------------------------------------------------------ */

static enum field
field_find (const char *line, size_t len)
{
  for (int f = 0; f < FIELDS; f++)
    if (strlen (field_names[f]) == len
	&& strncasecmp (field_names[f], line, len) == 0)
      return f;
  return OTHER;
}

static void
stanza_reset (struct stanza *s)
{
  for (int f = 0; f < FIELDS; f++)
    free (s->value[f]);
  memset (s, 0, sizeof *s);
}

/* "install ok installed", not "deinstall ok config-files" or
   "purge ok not-installed".  Lists of available packages have no Status.  */
static bool
installed (const char *status)
{
  const char *last = status ? strrchr (status, ' ') : NULL;
  return !status || strcmp (last ? last + 1 : status, "installed") == 0;
}

static size_t
package_intern (struct packages *p, const char *name)
{
  Word_t *slot;
  JSLI (slot, p->index, (const uint8_t *) name);
  if (slot == PJERR)
    need (NULL);
  if (*slot)
    return *slot - 1;
  if (p->count == p->capacity)
    {
      p->capacity = p->capacity ? 2 * p->capacity : 1024;
      p->list = need (realloc (p->list, p->capacity * sizeof *p->list));
    }
  p->list[p->count] = (struct package) { .name = need (strdup (name)) };
  *slot = ++p->count;
  return p->count - 1;
}

static void
provide (struct packages *p, const char *text, size_t position)
{
  for (const char *end; *text; text = *end ? end + 1 : end)
    {
      char name[256];
      end = text + strcspn (text, ",");
      if (!first_name (text, end, name, sizeof name))
	continue;
      Word_t *slot;
      JSLI (slot, p->providers, (const uint8_t *) name);
      if (slot == PJERR)
	need (NULL);
      int inserted;
      J1S (inserted, *(Pvoid_t *) slot, position);
      if (inserted == JERR)
	need (NULL);
    }
}

static void
stanza_end (struct packages *p, struct stanza *s, bool recommends)
{
  char name[256];
  const char *text = s->value[PACKAGE];
  if (!s->any)
    return;
  if (!text || !first_name (text, text + strlen (text), name, sizeof name)
      || !installed (s->value[STATUS]))
    p->skipped++;
  else
    {
      size_t position = package_intern (p, name);
      for (int f = DEPENDS; f <= RECOMMENDS; f++)
	if (s->value[f] && (f != RECOMMENDS || recommends))
	  append (&p->list[position].needs, s->value[f]);
      if (s->value[PROVIDES])
	provide (p, s->value[PROVIDES], position);
    }
  stanza_reset (s);
}

struct packages *
packages_read (FILE *in, bool recommends)
{
  struct packages *p = need (calloc (1, sizeof *p));
  struct stanza stanza = { .any = false };
  enum field field = OTHER;
  char *line = NULL;
  size_t size = 0;
  while (getline (&line, &size, in) >= 0)
    {
      line[strcspn (line, "\r\n")] = 0;
      const char *text = line + strspn (line, " \t");
      const char *colon = strchr (line, ':');
      if (!*text)
	{
	  stanza_end (p, &stanza, recommends);
	  field = OTHER;
	  continue;
	}
      if (text > line)	/* A field goes on.  */
	{
	  if (field != OTHER)
	    {
	      char **value = &stanza.value[field];
	      *value = need (realloc (*value,
				      strlen (*value) + strlen (text) + 2));
	      strcat (strcat (*value, " "), text);
	    }
	  continue;
	}
      field = colon ? field_find (line, colon - line) : OTHER;
      stanza.any = true;
      if (field != OTHER && stanza.value[field])
	field = OTHER;	/* Twice: the first counts.  */
      if (field != OTHER)
	{
	  colon++;
	  colon += strspn (colon, " \t");
	  stanza.value[field] = need (strdup (colon));
	}
    }
  stanza_end (p, &stanza, recommends);
  free (line);
  return p;
}

void
packages_free (struct packages *p)
{
  uint8_t name[256] = "";
  Word_t *slot, freed;
  JSLF (slot, p->providers, name);
  while (slot)
    {
      J1FA (freed, *(Pvoid_t *) slot);
      JSLN (slot, p->providers, name);
    }
  JSLFA (freed, p->providers);
  JSLFA (freed, p->index);
  (void) freed;
  for (size_t i = 0; i < p->count; i++)
    {
      free (p->list[i].name);
      free (p->list[i].needs);
    }
  free (p->list);
  free (p);
}

/* --- answers ------------------------------------------------------------ */

size_t
packages_count (const struct packages *p)
{
  return p->count;
}

size_t
packages_skipped (const struct packages *p)
{
  return p->skipped;
}

const char *
packages_name (const struct packages *p, size_t position)
{
  return p->list[position].name;
}

int64_t
packages_find (const struct packages *p, const char *name)
{
  Word_t *slot;
  JSLG (slot, p->index, (const uint8_t *) name);
  return slot ? (int64_t) *slot - 1 : -1;
}

/* --- resolving ---------------------------------------------------------- */

static void
add (struct package_arcs *arcs, size_t *capacity, int32_t from, int32_t to)
{
  if (arcs->count == *capacity)
    {
      *capacity = *capacity ? 2 * *capacity : 4096;
      arcs->pairs = need (realloc (arcs->pairs,
				   *capacity * sizeof *arcs->pairs));
    }
  arcs->pairs[arcs->count][0] = from;
  arcs->pairs[arcs->count++][1] = to;
}

/* One alternative: arcs from FROM to the package NAME, or to all that
   provide it.  False if there is none.  */
static bool
resolve_name (const struct packages *p, struct package_arcs *arcs,
	      size_t *capacity, size_t from, const char *name)
{
  int64_t to = packages_find (p, name);
  if (to >= 0)
    {
      add (arcs, capacity, from, to);
      return true;
    }
  Word_t *slot, provider = 0;
  JSLG (slot, p->providers, (const uint8_t *) name);
  if (!slot)
    return false;
  int found;
  J1F (found, *(Pvoid_t *) slot, provider);
  while (found)
    {
      add (arcs, capacity, from, provider);
      J1N (found, *(Pvoid_t *) slot, provider);
    }
  return true;
}

/* "a | b (>= 1)", up to END.  */
static void
resolve_group (const struct packages *p, struct package_arcs *arcs,
	       size_t *capacity, size_t from, const char *text,
	       const char *end)
{
  bool any = false, met = false;
  while (text < end)
    {
      char name[256];
      const char *bar = memchr (text, '|', end - text);
      const char *stop = bar ? bar : end;
      if (first_name (text, stop, name, sizeof name))
	{
	  any = true;
	  met |= resolve_name (p, arcs, capacity, from, name);
	}
      text = stop + 1;
    }
  arcs->unresolved += any && !met;
}

struct package_arcs
packages_resolve (const struct packages *p)
{
  struct package_arcs arcs = { .count = 0 };
  size_t capacity = 0;
  for (size_t i = 0; i < p->count; i++)
    for (const char *text = p->list[i].needs, *end; text && *text;
	 text = *end ? end + 1 : end)
      {
	end = text + strcspn (text, ",");
	resolve_group (p, &arcs, &capacity, i, text, end);
      }
  return arcs;
}
