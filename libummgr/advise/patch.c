/* Changes as patches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A patch is made only where it gives the same results by all that the trace and the tables know: of
   a data construct, if the host neither reads nor changes what it keeps while it is kept, if all of its
   names are sure, and if nothing jumps out of the loop.  Otherwise words say what is in the way.
   No state.  */

#include "config.h"
#include "advise/making.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { COLUMNS = 96, EDITS_MOST = 64 };

__attribute__ ((format (printf, 2, 3))) static void
refuse (struct ummgr_change *c, const char *format, ...)
{
  char text[400];
  va_list list;
  va_start (list, format);
  vsnprintf (text, sizeof text, format, list);
  va_end (list);
  free (c->unpatched);
  c->unpatched = strdup (text);
}

static const char *
last_part (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}

/* Cut DIRECTORY down to the one from which `git apply' takes names there: the repository's, or itself.  */
static void
to_repository (char *directory)
{
  size_t whole = strlen (directory);
  for (size_t length = whole; length; length--)
    if (length == whole || directory[length] == '/')
      {
	char at[PATH_MAX + 8];
	snprintf (at, sizeof at, "%.*s/.git", (int) length, directory);
	if (access (at, F_OK) == 0)
	  {
	    directory[length] = '\0';
	    return;
	  }
      }
}

/* PATH as `git apply', run here, takes it; malloc'ed, or NULL.  */
static char *
relative (const char *path)
{
  char *whole = realpath (path, NULL), directory[PATH_MAX];
  if (!whole || !getcwd (directory, sizeof directory))
    return whole;
  to_repository (directory);
  size_t length = strlen (directory);
  bool below = strncmp (whole, directory, length) == 0 && whole[length] == '/';
  char *name = strdup (below ? whole + length + 1 : whole + 1);
  free (whole);
  return name;
}

static void
diff_make (struct ummgr_change *c, const struct ummgr_source *source, struct ummgr_source_edit *edits,
	   size_t count)
{
  char *text = NULL, *name = relative (source->path);
  size_t size;
  FILE *out = name ? open_memstream (&text, &size) : NULL;
  if (out)
    {
      ummgr_source_diff (out, source, name, edits, count);
      if (fclose (out) == 0)
	c->patch = text;
      else
	free (text);
    }
  free (name);
}

/* --- data constructs ------------------------------------------------------------------- */

/* Does the host, while C's construct lasts, neither read what it keeps nor change it?  */
static bool
is_quiet (struct ummgr_change *c, const struct ummgr_traced_object *o)
{
  const struct ummgr_advise_found found = ummgr_advise_found_of (c, o);
  uint64_t kept = found.out + found.unchanged, out = o->copied_out > kept ? o->copied_out - kept : 0;
  if (ummgr_advise_is_changed (&found, o))
    refuse (c, "the host changes %s within the loop: target update to is needed behind that", o->name);
  else if (out > o->size)
    refuse (c, "the host reads %s within the loop: target update from is needed before that", o->name);
  else
    return true;
  return false;
}

/* Does anything in LOOP leave it other than by its end?  Then it is no structured block.  */
static const char *
leaves (const struct ummgr_source *s, struct ummgr_source_range loop)
{
  static const char *const words[] = { "return", "goto", "throw", "co_return", NULL };
  for (size_t at = loop.begin; at < loop.end; at++)
    for (size_t i = 0; words[i]; i++)
      if (ummgr_source_has_word (s, at, words[i], strlen (words[i])))
	return words[i];
  return NULL;
}

/* The directive TEXT in lines of so many columns, each behind INDENT; with its end.  Malloc'ed, or NULL.  */
static char *
broken (const char *text, const char *indent, bool fortran)
{
  char *lines = NULL;
  size_t size;
  FILE *out = open_memstream (&lines, &size);
  if (!out)
    return NULL;
  const char *before = "";
  size_t room = COLUMNS > strlen (indent) + 24 ? COLUMNS - strlen (indent) : 24;
  while (strlen (text) > room)
    {
      size_t at = room;
      while (at && text[at] != ' ')
	at--;
      /* A name that is longer than a line.  */
      if (!at)
	at = strcspn (text, " ");
      if (!text[at])
	break;
      fprintf (out, "%s%s%.*s %s\n", indent, before, (int) at, text, fortran ? "&" : "\\");
      text += at + 1;
      before = fortran ? "!$omp& " : "  ";
    }
  fprintf (out, "%s%s%s\n", indent, before, text);
  if (fclose (out) == 0)
    return lines;
  free (lines);
  return NULL;
}

static void
data_edits (struct ummgr_change *c, const struct ummgr_source *s, struct ummgr_source_range loop)
{
  size_t line = s->lines[ummgr_source_line (s, loop.begin) - 1];
  size_t blank = strspn (s->text + line, " \t");
  char *indent = strndup (s->text + line, blank);
  char *directive = indent ? broken (c->directive, indent, s->fortran) : NULL;
  struct ummgr_source_edit edits[2] = { { { line, line }, directive } };
  size_t count = 1;
  if (directive && loop.begin > line + blank)
    {
      /* The loop begins behind something else: it gets a line of its own.  */
      size_t size = strlen (directive) + blank + 2;
      edits[0].old.begin = edits[0].old.end = loop.begin;
      edits[0].text = malloc (size);
      if (edits[0].text)
	snprintf (edits[0].text, size, "\n%s%s", directive, indent);
      free (directive);
    }
  if (s->fortran && edits[0].text)
    {
      size_t size = blank + 32, next = s->lines[ummgr_source_line (s, loop.end)];
      bool last = next == s->size;
      edits[1].old.begin = edits[1].old.end = last ? loop.end : next;
      edits[1].text = malloc (size);
      if (edits[1].text)
	snprintf (edits[1].text, size, "%s%s!$omp end target data%s", last ? "\n" : "", indent, last ? "" : "\n");
      count = 2;
    }
  if (edits[0].text && edits[count - 1].text)
    diff_make (c, s, edits, count);
  free (edits[0].text);
  free (edits[1].text);
  free (indent);
}

static void
patch_data (struct ummgr_advising *a, struct ummgr_change *c)
{
  const struct ummgr_diagnosis *d = a->d;
  struct ummgr_source_range loop;
  if (!d->run.instrumented || d->run.sample > 1)
    return refuse (c, "the trace doesn't have all accesses, which tell whether the host needs the data "
		   "meanwhile (ummgr cc --trace)");
  if (d->device_count > 1)
    return refuse (c, "there are several devices");
  if (!c->around.file || !c->around.all)
    return refuse (c, "no loop is known that encloses all of the constructs");
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_traced_object *o = c->findings[i]->object;
      if (!ummgr_advise_is_first (c, i))
	continue;
      if (!is_quiet (c, o))
	return;
      if (!c->items[i].sure || !ummgr_advise_is_only (c, o))
	return refuse (c, "%s has no name of its own around the loop", o->name);
    }
  const struct ummgr_source *s = ummgr_advise_source (a, c->around.file);
  if (!s)
    return refuse (c, "%s can't be read from here", c->around.file);
  if (!ummgr_source_loop (s, c->around.line, &loop))
    return refuse (c, "where the loop in line %u ends is not clear", (unsigned) c->around.line);
  const char *word = leaves (s, loop);
  if (word)
    return refuse (c, "`%s' leaves the loop, as a data construct must not be left", word);
  data_edits (c, s, loop);
}

/* --- clauses --------------------------------------------------------------------------- */

/* An item that gets another map type, or none.  */
struct move
{
  const struct ummgr_source_map *map;
  const struct ummgr_source_range *item;
  const char *type;		/* "": it goes.  */
};

/* What is left of OLD without what SPARE says; NULL: it can't be had so.  */
static const char *
spared (const struct ummgr_source *s, struct ummgr_source_range old, enum ummgr_spare spare)
{
  static const struct
  {
    const char *old;
    enum ummgr_spare spare;
    const char *kept;
  } known[] = {
    { "tofrom", UMMGR_SPARE_IN, "from" }, { "to", UMMGR_SPARE_IN, "alloc" },
    { "tofrom", UMMGR_SPARE_OUT, "to" }
  };
  size_t length = old.end - old.begin;
  const char *type = length ? s->text + old.begin : "tofrom";
  if (!length)
    length = strlen (type);
  if (spare == UMMGR_SPARE_ALL)
    return length == 2 && strncasecmp (type, "to", 2) == 0 ? "" : NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].spare == spare && strlen (known[i].old) == length
	&& strncasecmp (type, known[i].old, length) == 0)
      return known[i].kept;
  return NULL;
}

static const struct move *
moved (const struct move *moves, size_t count, const struct ummgr_source_range *item)
{
  for (size_t i = 0; i < count; i++)
    if (moves[i].item == item)
      return &moves[i];
  return NULL;
}

/* Those items of MAP that have TYPE, or stay (NULL), as a clause.  */
static bool
put_items (FILE *out, const struct ummgr_source *s, const struct ummgr_source_map *map, const struct move *moves,
	   size_t count, const char *type, const char *before)
{
  bool any = false;
  for (unsigned i = 0; i < map->item_count; i++)
    {
      const struct move *m = moved (moves, count, &map->items[i]);
      const struct ummgr_source_range item = map->items[i];
      if (type ? !m || strcmp (m->type, type) != 0 : m != NULL)
	continue;
      if (!any && type)
	fprintf (out, "%smap(%s: ", before, type);
      else if (!any)
	fprintf (out, "%smap(%.*s%s", before, (int) (map->type.end - map->type.begin),
		 s->text + map->type.begin, map->type.end > map->type.begin ? ": " : "");
      fprintf (out, "%s%.*s", any ? ", " : "", (int) (item.end - item.begin), s->text + item.begin);
      any = true;
    }
  if (any)
    fputc (')', out);
  return any;
}

/* MAP as MOVES make it; malloc'ed, or NULL.  */
static char *
rewritten (const struct ummgr_source *s, const struct ummgr_source_map *map, const struct move *moves, size_t count)
{
  static const char *const types[] = { "to", "from", "alloc" };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return NULL;
  bool any = put_items (out, s, map, moves, count, NULL, "");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    any |= put_items (out, s, map, moves, count, types[i], any ? " " : "");
  if (fclose (out) == 0)
    return text;
  free (text);
  return NULL;
}

/* The changes of one directive's clauses, behind *USED edits.  */
static bool
directive_edits (const struct ummgr_source *s, const struct ummgr_source_directive *d, const struct move *moves,
		 size_t count, struct ummgr_source_edit *edits, size_t *used)
{
  for (unsigned i = 0; i < d->map_count; i++)
    {
      const struct ummgr_source_map *map = &d->maps[i];
      bool any = false;
      for (size_t m = 0; m < count; m++)
	any |= moves[m].map == map;
      if (!any)
	continue;
      if (*used == EDITS_MOST)
	return false;
      struct ummgr_source_edit *e = &edits[*used];
      *e = (struct ummgr_source_edit) { map->all, rewritten (s, map, moves, count) };
      if (!e->text)
	return false;
      ++*used;
      /* No clause: without the blanks before it.  */
      while (!*e->text && e->old.begin && (s->text[e->old.begin - 1] == ' ' || s->text[e->old.begin - 1] == '\t'))
	e->old.begin--;
    }
  return true;
}

/* What F makes of its object's item in D.  */
static struct move
move_of (struct ummgr_advising *a, const struct ummgr_source *s, const struct ummgr_source_directive *d,
	 const struct ummgr_finding *f)
{
  struct ummgr_advise_item item;
  struct move m = { NULL, NULL, NULL };
  char *name = ummgr_advise_called (f);
  m.item = name ? ummgr_source_item (s, d, name, &m.map) : NULL;
  if (!m.item && name && a->program && a->program->item (a->program->data, f, name, &item) && item.only)
    m.item = ummgr_source_item (s, d, item.name, &m.map);
  m.type = m.item ? spared (s, m.map->type, f->spare) : NULL;
  free (name);
  return m;
}

/* What C's findings in F's line make of the items there.  */
static bool
line_edits (struct ummgr_advising *a, struct ummgr_change *c, const struct ummgr_source *s,
	    const struct ummgr_finding *f,
	    struct ummgr_source_edit *edits, size_t *used)
{
  struct ummgr_source_directive d;
  struct move moves[EDITS_MOST];
  size_t count = 0;
  if (!ummgr_source_directive (s, f->line, &d))
    {
      refuse (c, "%s:%u is no directive whose clauses can be read", last_part (f->file), (unsigned) f->line);
      return false;
    }
  for (size_t i = 0; i < c->finding_count; i++)
    {
      const struct ummgr_finding *g = c->findings[i];
      if (g->line != f->line || strcmp (g->file, f->file) != 0 || count == EDITS_MOST)
	continue;
      struct move m = move_of (a, s, &d, g);
      if (!m.type)
	{
	  refuse (c, m.item ? "%s:%u maps %s otherwise than a map type can mend"
		  : "what %s:%u maps of %s is not clear", last_part (f->file), (unsigned) f->line,
		  g->object->name);
	  return false;
	}
      if (!moved (moves, count, m.item))
	moves[count++] = m;
    }
  return directive_edits (s, &d, moves, count, edits, used);
}

/* Is there a finding before the I-th of C in the same line?  */
static bool
is_line_again (const struct ummgr_change *c, size_t i)
{
  for (size_t j = 0; j < i; j++)
    if (c->findings[j]->line == c->findings[i]->line && strcmp (c->findings[j]->file, c->findings[i]->file) == 0)
      return true;
  return false;
}

static void
patch_clauses (struct ummgr_advising *a, struct ummgr_change *c)
{
  struct ummgr_source_edit edits[EDITS_MOST];
  size_t used = 0;
  bool good = true;
  for (size_t i = 0; i < c->finding_count && good; i++)
    {
      good = c->findings[i]->spare != UMMGR_SPARE_NOTHING && c->findings[i]->whole;
      if (!good)
	refuse (c, "it takes more than another map type");
      else if (strcmp (c->findings[i]->file, c->findings[0]->file) != 0)
	{
	  refuse (c, "it is in several files");
	  good = false;
	}
    }
  const struct ummgr_source *s = good ? ummgr_advise_source (a, c->findings[0]->file) : NULL;
  if (good && !s)
    refuse (c, "%s can't be read from here", c->findings[0]->file);
  good &= s != NULL;
  for (size_t i = 0; i < c->finding_count && good; i++)
    good = is_line_again (c, i) || line_edits (a, c, s, c->findings[i], edits, &used);
  if (good && used)
    diff_make (c, s, edits, used);
  for (size_t i = 0; i < used; i++)
    free (edits[i].text);
}

void
ummgr_advise_patch (struct ummgr_advising *a, struct ummgr_change *c)
{
  if (c->kind == UMMGR_CHANGE_DATA)
    patch_data (a, c);
  else if (c->kind == UMMGR_CHANGE_CLAUSE)
    patch_clauses (a, c);
}
