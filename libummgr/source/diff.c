/* What is to be replaced in a source file, as a unified diff.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Lines that an edit touches are old ones and new ones as a whole; hunks whose lines around would
   meet are one.  No state.  */

#include "config.h"
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 };

static int
by_place (const void *a_p, const void *b_p)
{
  const struct ummgr_source_edit *a = a_p, *b = b_p;
  return (a->old.begin > b->old.begin) - (a->old.begin < b->old.begin);
}

/* The lines, from 0, that E touches: from *FROM to before *TO.  None, where whole lines come between two.  */
static void
touched (const struct ummgr_source *s, const struct ummgr_source_edit *e, size_t *from, size_t *to)
{
  size_t length = e->text ? strlen (e->text) : 0;
  *from = ummgr_source_line (s, e->old.begin) - 1;
  *to = ummgr_source_line (s, e->old.end) - 1;
  bool whole = e->old.begin == e->old.end && e->old.begin == s->lines[*from] && length
	       && e->text[length - 1] == '\n';
  *to += !whole;
}

static size_t
lines_in (const char *text)
{
  size_t count = 0;
  for (; *text; text++)
    count += *text == '\n' || !text[1];
  return count;
}

/* SIGN before each of the lines of TEXT[0..SIZE), the last of which may have no end.  */
static void
put_lines (FILE *out, char sign, const char *text, size_t size)
{
  while (size)
    {
      const char *end = memchr (text, '\n', size);
      size_t length = end ? (size_t) (end - text) + 1 : size;
      fputc (sign, out);
      fwrite (text, 1, length, out);
      if (!end)
	fputs ("\n\\ No newline at end of file\n", out);
      text += length;
      size -= length;
    }
}

static void
put_old (FILE *out, char sign, const struct ummgr_source *s, size_t from, size_t to)
{
  if (to > from)
    put_lines (out, sign, s->text + s->lines[from], s->lines[to] - s->lines[from]);
}

/* The text of lines FROM to before TO after EDITS; malloc'ed, or NULL.  */
static char *
edited (const struct ummgr_source *s, const struct ummgr_source_edit *edits, size_t count, size_t from, size_t to)
{
  char *text = NULL;
  size_t size, at = s->lines[from];
  FILE *memory = open_memstream (&text, &size);
  if (!memory)
    return NULL;
  for (size_t i = 0; i < count; i++)
    {
      fwrite (s->text + at, 1, edits[i].old.begin - at, memory);
      if (edits[i].text)
	fputs (edits[i].text, memory);
      at = edits[i].old.end;
    }
  fwrite (s->text + at, 1, s->lines[to] - at, memory);
  if (fclose (memory) == 0)
    return text;
  free (text);
  return NULL;
}

/* Edits whose lines are the same or follow each other: one change of these lines.  */
struct run
{
  size_t first, count;		/* Of the edits.  */
  size_t from, to;		/* Lines.  */
  char *text;			/* The new ones.  */
};

static size_t
runs_make (const struct ummgr_source *s, const struct ummgr_source_edit *edits, size_t count, struct run *runs)
{
  size_t made = 0;
  for (size_t i = 0; i < count; i++)
    {
      size_t from, to;
      touched (s, &edits[i], &from, &to);
      if (made && from <= runs[made - 1].to)
	{
	  runs[made - 1].count++;
	  runs[made - 1].to = to > runs[made - 1].to ? to : runs[made - 1].to;
	}
      else
	runs[made++] = (struct run) { i, 1, from, to, NULL };
    }
  for (size_t i = 0; i < made; i++)
    runs[i].text = edited (s, edits + runs[i].first, runs[i].count, runs[i].from, runs[i].to);
  return made;
}

/* The runs from R on, COUNT at most, that are in one hunk: printed.  Returns how many; *MORE is by how
   many lines the file has grown.  */
static size_t
put_hunk (FILE *out, const struct ummgr_source *s, const struct run *r, size_t count, long *more)
{
  size_t used = 1, from = r->from > CONTEXT ? r->from - CONTEXT : 0;
  while (used < count && r[used].from <= r[used - 1].to + 2 * CONTEXT)
    used++;
  size_t end = r[used - 1].to + CONTEXT;
  if (end > s->line_count)
    end = s->line_count;
  long grown = 0;
  for (size_t i = 0; i < used; i++)
    grown += (long) lines_in (r[i].text ? r[i].text : "") - (long) (r[i].to - r[i].from);
  fprintf (out, "@@ -%zu,%zu +%ld,%ld @@\n", from + 1, end - from, (long) from + 1 + *more,
	   (long) (end - from) + grown);
  size_t at = from;
  for (size_t i = 0; i < used; i++)
    {
      put_old (out, ' ', s, at, r[i].from);
      put_old (out, '-', s, r[i].from, r[i].to);
      put_lines (out, '+', r[i].text ? r[i].text : "", r[i].text ? strlen (r[i].text) : 0);
      at = r[i].to;
    }
  put_old (out, ' ', s, at, end);
  *more += grown;
  return used;
}

void
ummgr_source_diff (FILE *out, const struct ummgr_source *s, const char *name,
		   struct ummgr_source_edit *edits, size_t count)
{
  struct run *runs = count ? calloc (count, sizeof *runs) : NULL;
  if (!runs)
    return;
  qsort (edits, count, sizeof *edits, by_place);
  size_t made = runs_make (s, edits, count, runs);
  long more = 0;
  fprintf (out, "--- a/%s\n+++ b/%s\n", name, name);
  for (size_t i = 0; i < made;)
    i += put_hunk (out, s, runs + i, made - i, &more);
  for (size_t i = 0; i < made; i++)
    free (runs[i].text);
  free (runs);
}
