/* Directives, their map clauses, and the items in them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "source/source.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static size_t
line_end (const struct ummgr_source *s, size_t at)
{
  return at + strcspn (s->text + at, "\n");
}

static size_t
blanks (const char *text, size_t at)
{
  return at + strspn (text + at, " \t\r");
}

/* The last character of a line that isn't blank.  */
static char
last_of (const struct ummgr_source *s, size_t begin)
{
  size_t end = begin + strcspn (s->code + begin, "\n");
  while (end > begin && isspace ((unsigned char) s->code[end - 1]))
    end--;
  return end > begin ? s->code[end - 1] : '\0';
}

/* Does an OpenMP directive begin in the line from AT on, or, of Fortran, go on?  */
static bool
is_directive (const struct ummgr_source *s, size_t at)
{
  at = blanks (s->text, at);
  if (s->fortran)
    return strncasecmp (s->text + at, "!$omp", 5) == 0;
  if (s->text[at++] != '#')
    return false;
  at = blanks (s->text, at);
  if (strncmp (s->text + at, "pragma", 6) != 0)
    return false;
  at = blanks (s->text, at + 6);
  return strncmp (s->text + at, "omp", 3) == 0 && isspace ((unsigned char) s->text[at + 3]);
}

static bool
goes_on (const struct ummgr_source *s, size_t line)
{
  return last_of (s, s->lines[line]) == (s->fortran ? '&' : '\\');
}

/* From AT on, blanks and what continues a line: where the next word or sign is.  */
static size_t
next (const struct ummgr_source *s, size_t at, size_t end)
{
  while (at < end)
    {
      char c = s->code[at];
      if (isspace ((unsigned char) c) || c == '\\' || (s->fortran && c == '&'))
	at++;
      else if (s->fortran && strncasecmp (s->code + at, "!$omp", 5) == 0)
	at += 5;
      else
	break;
    }
  return at;
}

/* Where the bracket at AT is closed; END: it is not.  */
static size_t
closing (const struct ummgr_source *s, size_t at, size_t end)
{
  unsigned depth = 0;
  for (; at < end; at++)
    if (strchr ("([{", s->code[at]) && s->code[at])
      depth++;
    else if (strchr (")]}", s->code[at]) && s->code[at] && --depth == 0)
      return at;
  return end;
}

static bool
is_type (const struct ummgr_source *s, struct ummgr_source_range r)
{
  static const char *const types[] = { "to", "from", "tofrom", "alloc", "release", "delete" };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (r.end - r.begin == strlen (types[i])
	&& strncasecmp (s->code + r.begin, types[i], r.end - r.begin) == 0)
      return true;
  return false;
}

static bool
item_add (const struct ummgr_source *s, struct ummgr_source_map *map, size_t begin, size_t end)
{
  begin = next (s, begin, end);
  while (end > begin && isspace ((unsigned char) s->code[end - 1]))
    end--;
  if (begin == end || map->item_count == UMMGR_SOURCE_ITEMS)
    return false;
  map->items[map->item_count++] = (struct ummgr_source_range) { begin, end };
  return true;
}

/* What stands between the parentheses.  */
static bool
map_read (const struct ummgr_source *s, size_t begin, size_t end, struct ummgr_source_map *map)
{
  size_t item = begin;
  unsigned depth = 0;
  for (size_t at = begin; at < end; at++)
    {
      char c = s->code[at];
      if (c && strchr ("([{", c))
	depth++;
      else if (c && strchr (")]}", c))
	depth--;
      else if (c == ':' && s->code[at + 1] == ':')
	at++;
      else if (c == ':' && !depth)
	{
	  size_t stop = at;
	  item = next (s, item, end);
	  while (stop > item && isspace ((unsigned char) s->code[stop - 1]))
	    stop--;
	  map->type = (struct ummgr_source_range) { item, stop };
	  if (map->item_count || !is_type (s, map->type))
	    return false;
	  item = at + 1;
	}
      else if (c == ',' && !depth)
	{
	  if (!item_add (s, map, item, at))
	    return false;
	  item = at + 1;
	}
    }
  return item_add (s, map, item, end);
}

static bool
clauses_read (const struct ummgr_source *s, struct ummgr_source_directive *d)
{
  size_t end = d->all.end;
  for (size_t at = d->all.begin; (at = next (s, at, end)) < end;)
    {
      size_t word = at;
      while (at < end && ummgr_source_is_word (s->code[at]))
	at++;
      size_t length = at - word, open = next (s, at, end);
      if (!length)
	{
	  at = word + 1;
	  continue;
	}
      if (open >= end || s->code[open] != '(')
	continue;
      size_t close = closing (s, open, end);
      if (close == end)
	return false;
      at = close + 1;
      if (length != 3 || strncasecmp (s->code + word, "map", 3) != 0)
	continue;
      if (d->map_count == UMMGR_SOURCE_CLAUSES)
	return false;
      struct ummgr_source_map *map = &d->maps[d->map_count++];
      *map = (struct ummgr_source_map) { .all = { word, at } };
      if (!map_read (s, open + 1, close, map))
	return false;
    }
  return true;
}

bool
ummgr_source_directive (const struct ummgr_source *s, size_t line, struct ummgr_source_directive *out)
{
  if (!line || line > s->line_count)
    return false;
  size_t first = line - 1, last;
  while (first && goes_on (s, first - 1))
    first--;
  for (last = first; last + 1 < s->line_count && goes_on (s, last);)
    last++;
  *out = (struct ummgr_source_directive) {
    .all = { blanks (s->text, s->lines[first]), line_end (s, s->lines[last]) }
  };
  return is_directive (s, s->lines[first]) && clauses_read (s, out);
}

const struct ummgr_source_range *
ummgr_source_item (const struct ummgr_source *s, const struct ummgr_source_directive *d, const char *name,
		   const struct ummgr_source_map **map)
{
  const struct ummgr_source_range *found = NULL;
  size_t length = strlen (name);
  for (unsigned i = 0; i < d->map_count; i++)
    for (unsigned j = 0; j < d->maps[i].item_count; j++)
      {
	const struct ummgr_source_range *item = &d->maps[i].items[j];
	bool same = s->fortran ? strncasecmp (s->text + item->begin, name, length) == 0
		    : strncmp (s->text + item->begin, name, length) == 0;
	size_t behind = item->begin + length;
	if (!same || (behind != item->end && s->text[behind] != '[' && s->text[behind] != '('))
	  continue;
	if (found)
	  return NULL;
	found = item;
	*map = &d->maps[i];
      }
  return found;
}
