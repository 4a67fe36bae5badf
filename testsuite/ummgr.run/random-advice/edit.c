/* What GCC advises, read and followed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- what it says --- */

static void
not_known (const char *line)
{
  fprintf (stderr, "an advice that is not known: %s", line);
  exit (2);
}

/* The place that LINE, "FILE:LINE:COLUMN: ...", begins with; 0: none.  */
static unsigned
line_number (const char *line)
{
  const char *colon = strchr (line, ':');
  return colon && isdigit (colon[1]) ? strtoul (colon + 1, NULL, 10) : 0;
}

/* The word in quotes behind AT, into NAME, of SIZE; what follows it.  */
static const char *
quoted (const char *at, char *name, size_t size)
{
  const char *begin = strchr (at, '\''), *end = begin ? strchr (begin + 1, '\'') : NULL;
  if (!end || end - begin > (long) size)
    return NULL;
  memcpy (name, begin + 1, end - begin - 1);
  name[end - begin - 1] = '\0';
  return end + 1;
}

static enum map_type
type_read (const char *text, const char *line)
{
  for (int t = 0; t < MAP_TYPES; t++)
    {
      size_t length = strlen (map_name[t]);
      if (strncmp (text, map_name[t], length) == 0 && text[length] == ':')
	return t;
    }
  not_known (line);
  return TO;
}

/* What is to be done, from a note.  */
static void
note_read (struct advice *a, const char *note, const char *line)
{
  const char *clause = strstr (note, "map(");
  a->device = strstr (note, "same") != NULL;
  if (strncmp (note, "remove ", 7) == 0)
    a->what = REMOVE;
  else if (strncmp (note, "map ", 4) == 0)
    {
      if (!clause)
	not_known (line);
      a->what = strstr (note, "target enter data") ? BESIDE : AROUND;
      a->if_entered = strstr (note, ", if it has an iteration") != NULL;
      a->type = type_read (clause + 4, line);
      clause = strstr (clause + 4, "map(");
      if (a->what == BESIDE)
	a->after = type_read (clause ? clause + 4 : "", line);
    }
  else if (clause && (strncmp (note, "use ", 4) == 0 || strncmp (note, "add ", 4) == 0))
    {
      a->what = *note == 'u' ? RETYPE : ADD;
      a->type = type_read (clause + 4, line);
    }
  else
    not_known (line);
}

int
advices_read (const char *path, struct advice *advices, int most)
{
  FILE *f = fopen (path, "r");
  char line[1024], kind[sizeof advices->kind + 1];
  int count = 0;
  bool told = true;
  if (!f)
    return 0;
  while (fgets (line, sizeof line, f))
    {
      const char *warning = strstr (line, ": warning: "), *note = strstr (line, ": note: ");
      const char *option = strstr (line, "[-fplugin-arg-ummgr-warn ");
      struct advice *last = count ? &advices[count - 1] : NULL;
      if (warning && option && sscanf (option + 25, "%16[a-z]", kind) == 1)
	{
	  if (!told || count == most)
	    not_known (line);
	  last = &advices[count++];
	  *last = (struct advice) { .line = line_number (line) };
	  strcpy (last->kind, kind);
	  if (!quoted (warning, last->name, sizeof last->name))
	    not_known (line);
	  told = false;
	}
      else if (note && !told)
	{
	  note_read (last, note + 8, line);
	  told = true;
	}
      else if (strncmp (line, "fix-it:", 7) == 0 && last)
	{
	  unsigned to_line;
	  const char *at = strstr (line, "\":{");
	  last->fixit = at && sscanf (at, "\":{%u:%u-%u:%u}:\"%15[a-z]\"", &last->fix_line, &last->fix_from, &to_line,
				      &last->fix_to, last->fix_text) == 5;
	  if (!last->fixit)
	    not_known (line);
	}
    }
  fclose (f);
  return count;
}

/* --- and is done --- */

/* A statement, and the innermost loop around it, as what leads to each.  */
struct found
{
  struct stmt *s, **loop;
};

static bool
find (struct stmt **s, unsigned line, struct stmt **loop, struct found *found)
{
  for (; *s; s = &(*s)->next)
    {
      bool construct = (*s)->kind == TARGET || (*s)->kind == DATA;
      if (construct && (*s)->line == line)
	{
	  *found = (struct found) { *s, loop };
	  return true;
	}
      if ((*s)->kind != TARGET && find (&(*s)->body, line, (*s)->kind == LOOP ? s : loop, found))
	return true;
    }
  return false;
}

static void
item_remove (struct stmt *s, int i)
{
  if (i + 1 < s->item_count && !s->items[i].joined)
    s->items[i + 1].joined = false;
  memmove (&s->items[i], &s->items[i + 1], (s->item_count - i - 1) * sizeof *s->items);
  s->item_count--;
}

/* Does item I share its clause?  */
static bool
shares (const struct stmt *s, int i)
{
  return s->items[i].joined || (i + 1 < s->item_count && s->items[i + 1].joined);
}

/* Each jump out of the function gets ALSO before it.  */
static void
before_jumps (struct stmt **s, const struct stmt *also)
{
  for (; *s; s = &(*s)->next)
    {
      if ((*s)->kind == RETURN || (*s)->kind == LEAVE_BLOCK)
	{
	  struct stmt *copy = malloc (sizeof *copy);
	  *copy = *also;
	  copy->next = *s;
	  *s = copy;
	  s = &copy->next;
	}
      before_jumps (&(*s)->body, also);
    }
}

/* Map ITEM once around or beside LOOP.  */
static void
loop_enclose (struct stmt **loop, const struct item *item, const struct advice *a, const struct stmt *s)
{
  struct stmt *one = calloc (1, sizeof *one), *after, *around = *loop;
  one->firstprivate = -1;
  one->item_count = 1;
  one->items[0] = *item;
  one->items[0].joined = false;
  one->items[0].type = a->type;
  if (a->device)
    one->device = s->device;
  if (a->what == AROUND)
    {
      one->kind = DATA;
      one->next = around->next;
      one->body = around;
      around->next = NULL;
      *loop = one;
      return;
    }
  one->kind = ENTER;
  after = malloc (sizeof *after);
  *after = *one;
  after->kind = EXIT;
  after->items[0].type = a->after;
  before_jumps (&around->body, after);
  after->next = around->next;
  around->next = after;
  one->next = around;
  *loop = one;
}

static int
item_named (const struct stmt *s, const char *name)
{
  for (int i = 0; i < s->item_count; i++)
    if (strcmp (base_name[s->items[i].base], name) == 0)
      return i;
  return -1;
}

const char *
program_advise (struct program *p, const struct advice *a)
{
  struct found found;
  bool there = false;
  for (int i = 0; i < p->function_count && !there; i++)
    there = find (&p->f[i].body, a->line, NULL, &found);
  if (!there)
    return "no such construct";
  struct stmt *s = found.s;
  int i = item_named (s, a->name);
  struct item item = { .form = WHOLE, .type = TOFROM };
  while (item.base < BASES && strcmp (base_name[item.base], a->name) != 0)
    item.base++;
  if (item.base == BASES || (i < 0) != (a->what == ADD || (a->what >= AROUND && i < 0)))
    return "no such clause";
  if (i >= 0)
    item = s->items[i];
  if ((a->what == AROUND || a->what == BESIDE) && !found.loop)
    return "no loop";
  if (a->what == AROUND || a->what == BESIDE)
    {
      if (!a->if_entered || (*found.loop)->k)
	loop_enclose (found.loop, &item, a, s);
    }
  else if (a->what == REMOVE)
    item_remove (s, i);
  else if (a->what == RETYPE && !shares (s, i))
    s->items[i].type = a->type;
  else
    {
      if (a->what == RETYPE)
	item_remove (s, i);
      if (s->item_count == ITEMS)
	return "too many clauses";
      item.type = a->type;
      item.joined = false;
      s->items[s->item_count++] = item;
    }
  return NULL;
}
