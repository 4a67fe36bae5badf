/* What objects are called where a data construct goes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A construct within the loop may be in another function, which has other names for what it is passed,
   and the name of where something was allocated may be out of scope.  So a name is sure only if the
   tables say that it is in scope around the loop and what it stands for.  Its section is the clause's,
   word for word, where all that its length is made of is in scope, too, and doesn't change in the loop;
   else the figures of the run.

   Worked example: main has the arrays r and p, and calls, in a loop, dot (r, p), whose construct has
   `map(to: a[0:n], b[0:n])', of a static n.  The objects were allocated in main, as r and p, which its
   loop can name; n holds in all of the file: r[0:n], p[0:n].  No state.  */

#include "config.h"
#include "advise/making.h"

#include "base/grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- sources --------------------------------------------------------------------------- */

struct ummgr_source *
ummgr_advise_source (struct ummgr_advising *a, const char *file)
{
  struct ummgr_advise_sources *s = &a->sources;
  if (!a->patches)
    return NULL;
  for (size_t i = 0; i < s->count; i++)
    if (strcmp (s->read[i]->path, file) == 0)
      return s->read[i];
  struct ummgr_source *source = ummgr_source_read (file);
  const char *program = a->d->run.program, *slash = strrchr (program, '/');
  if (!source && *file != '/' && slash && !memchr (program, ' ', (size_t) (slash - program)))
    {
      size_t size = (size_t) (slash - program) + 2 + strlen (file);
      char *beside = malloc (size);
      if (beside)
	{
	  snprintf (beside, size, "%.*s/%s", (int) (slash - program), program, file);
	  source = ummgr_source_read (beside);
	}
      free (beside);
    }
  if (source && UMMGR_GROW (s->read, s->room, s->count + 1))
    return s->read[s->count++] = source;
  ummgr_source_free (source);
  return NULL;
}

/* --- names ----------------------------------------------------------------------------- */

/* Is NAME[0..LENGTH) one of LIST's, "a b n"?  */
static bool
is_among (const char *list, const char *name, size_t length)
{
  for (const char *at = list; at && *at; at += strspn (at, " "))
    {
      size_t word = strcspn (at, " ");
      if (word == length && memcmp (at, name, length) == 0)
	return true;
      at += word;
    }
  return false;
}

/* NAME's first word: the variable of which it is a part.  */
static size_t
base_length (const char *name)
{
  size_t length = 0;
  while (isalnum ((unsigned char) name[length]) || name[length] == '_')
    length++;
  return length;
}

char *
ummgr_advise_called (const struct ummgr_finding *f)
{
  const char *name = *f->section ? f->section : f->object->name;
  size_t length = strcspn (name, "[");
  return length && *name != '[' ? strndup (name, length) : NULL;
}

/* --- sections -------------------------------------------------------------------------- */

/* Does what stands in TEXT, in brackets, keep its value in LOOP?  */
static bool
keeps (const struct ummgr_source *source, struct ummgr_source_range loop, const char *text, const char *end)
{
  while (text < end)
    {
      size_t length = base_length (text);
      if (length && !isdigit ((unsigned char) *text) && ummgr_source_changes (source, loop, text, length))
	return false;
      text += length ? length : 1;
    }
  return true;
}

/* The clause's words behind ITEM's name at F, "[0:n]", if they hold around C's loop; malloc'ed, or NULL.  */
static char *
words (struct ummgr_advising *a, const struct ummgr_change *c, const struct ummgr_finding *f,
       const struct ummgr_advise_item *item)
{
  bool here = strcmp (item->function, c->around.function) == 0;
  struct ummgr_source *source = item->length_names ? ummgr_advise_source (a, f->file) : NULL;
  struct ummgr_source_directive directive;
  struct ummgr_source_range loop;
  const struct ummgr_source_map *map;
  if (!source || strcmp (f->file, c->around.file) != 0 || (!here && *item->length_names)
      || !ummgr_source_directive (source, f->line, &directive)
      || !ummgr_source_loop (source, c->around.line, &loop))
    return NULL;
  for (const char *at = item->length_names; *at; at += strspn (at, " "))
    {
      size_t length = strcspn (at, " ");
      if (!is_among (c->around.names, at, length))
	return NULL;
      at += length;
    }
  const struct ummgr_source_range *range = ummgr_source_item (source, &directive, item->name, &map);
  if (!range)
    return NULL;
  const char *begin = source->text + range->begin + strlen (item->name), *end = source->text + range->end;
  if (begin == end || memchr (begin, '\n', (size_t) (end - begin)) || !keeps (source, loop, begin, end))
    return NULL;
  return strndup (begin, (size_t) (end - begin));
}

/* --- both ------------------------------------------------------------------------------ */

/* May C's loop, or what comes before it from line LINE on, if that isn't 0, have the variable of NAME stand
   for something else?  */
static bool
may_change (struct ummgr_advising *a, const struct ummgr_change *c, const char *name, size_t line)
{
  const struct ummgr_source *s = ummgr_advise_source (a, c->around.file);
  struct ummgr_source_range range;
  if (!s || !ummgr_source_loop (s, c->around.line, &range))
    return true;
  if (line)
    range = (struct ummgr_source_range) { s->lines[line - 1 < s->line_count ? line - 1 : s->line_count], range.begin };
  return ummgr_source_changes (s, range, name, base_length (name));
}

/* Is what F's clause calls its object, ITEM, its name around C's loop, too?  */
static bool
holds (struct ummgr_advising *a, const struct ummgr_change *c, const struct ummgr_finding *f,
       const struct ummgr_advise_item *item)
{
  bool local = is_among (c->around.names, item->name, base_length (item->name));
  if (strcmp (f->file, c->around.file) != 0 || !item->only || may_change (a, c, item->name, 0))
    return false;
  return item->file_scope ? !local : local && strcmp (item->function, c->around.function) == 0;
}

/* Is OBJECT made before C's loop, in its function, as what its name says, and still is when the loop begins, which
   may exchange it for another; or is it a variable that the loop can name?  */
static bool
is_made_before (struct ummgr_advising *a, const struct ummgr_change *c, const struct ummgr_traced_object *object)
{
  size_t length = base_length (object->name);
  bool local = is_among (c->around.names, object->name, length);
  if (!length || strcmp (object->file, c->around.file) != 0 || object->merged > 1)
    return false;
  if (object->flags & UMMGR_TRACE_OBJECT_STATIC)
    return true;
  const char *function = a->program->allocates (a->program->data, object->file, object->line);
  return local && function && strcmp (function, c->around.function) == 0
	 && object->line < c->around.line && !may_change (a, c, object->name, object->line + 1);
}

/* NAME and its section.  */
static char *
joined (struct ummgr_advising *a, const struct ummgr_traced_object *object, const char *name, const char *section)
{
  const char *figures = ummgr_diagnosis_section (a->d, object), *bracket = strchr (figures, '[');
  if (!section)
    section = bracket && *figures != '[' ? bracket : "";
  size_t size = strlen (name) + strlen (section) + 1;
  char *text = malloc (size);
  if (text)
    snprintf (text, size, "%s%s", name, section);
  return text;
}

/* What the run has of OBJECT, for want of better.  */
static char *
unsure (struct ummgr_advising *a, const struct ummgr_change *c, const struct ummgr_traced_object *object)
{
  char *text = NULL;
  size_t size;
  FILE *out = NULL;
  for (size_t i = 0; i < c->finding_count && !out; i++)
    if (ummgr_advise_same_object (c->findings[i]->object, object) && (out = open_memstream (&text, &size)))
      {
	if (ummgr_diagnosis_fortran (c->findings[i]->file))
	  fputs (object->name, out);
	else
	  fputs (ummgr_diagnosis_section (a->d, object), out);
      }
  if (out && fclose (out) == 0)
    return text;
  free (text);
  return NULL;
}

/* What OBJECT of C is called around C's loop.  */
static struct ummgr_change_item
item_of (struct ummgr_advising *a, const struct ummgr_change *c, const struct ummgr_traced_object *object)
{
  char *section = NULL, *name = NULL;
  bool placed = a->program && c->around.file;
  for (size_t i = 0; i < c->finding_count && placed && !section; i++)
    {
      const struct ummgr_finding *f = c->findings[i];
      struct ummgr_advise_item item;
      char *here = ummgr_advise_same_object (f->object, object) ? ummgr_advise_called (f) : NULL;
      if (here && a->program->item (a->program->data, f, here, &item))
	{
	  if (!name && holds (a, c, f, &item))
	    name = strdup (item.name);
	  section = words (a, c, f, &item);
	}
      free (here);
    }
  if (!name && placed && is_made_before (a, c, object))
    name = strdup (object->name);
  struct ummgr_change_item item = { NULL, name != NULL };
  if (!name)
    item.text = unsure (a, c, object);
  else if (ummgr_diagnosis_fortran (c->around.file))
    item.text = strdup (name);
  else
    item.text = joined (a, object, name, section);
  free (section);
  free (name);
  return item;
}

bool
ummgr_advise_items (struct ummgr_advising *a, struct ummgr_change *c)
{
  c->items = calloc (c->finding_count + 1, sizeof *c->items);
  for (size_t i = 0; i < c->finding_count && c->items; i++)
    if (ummgr_advise_is_first (c, i))
      c->items[i] = item_of (a, c, c->findings[i]->object);
  return c->items != NULL;
}
