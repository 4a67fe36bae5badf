/* Source files as text: reading, and what is code of it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "source/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A source that a person wrote is smaller.  */
enum { LARGEST = 16 << 20 };

static bool
is_suffix (const char *suffix, const char *const *known)
{
  for (; *known; known++)
    if (strcasecmp (suffix, *known) == 0)
      return true;
  return false;
}

/* Fixed form has other comments and continuations.  */
static bool
is_known (const char *path, bool *fortran)
{
  static const char *const c[] = { "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "inc", NULL };
  static const char *const f[] = { "f90", "f95", "f03", "f08", NULL };
  const char *dot = strrchr (path, '.');
  *fortran = dot && is_suffix (dot + 1, f);
  return dot && (*fortran || is_suffix (dot + 1, c));
}

static char *
contents (const char *path, size_t *size)
{
  FILE *in = fopen (path, "re");
  char *text = in ? malloc (LARGEST + 1) : NULL;
  if (text)
    {
      *size = fread (text, 1, LARGEST + 1, in);
      bool bad = ferror (in) || *size > LARGEST || memchr (text, 0, *size);
      char *fit = bad ? NULL : realloc (text, *size + 1);
      if (fit)
	fit[*size] = '\0';
      else
	free (text);
      text = fit;
    }
  if (in)
    fclose (in);
  return text;
}

/* Where a comment or string that begins at AT ends; AT: none does.  OpenMP's lines are no comments.  */
static size_t
skipped (const struct ummgr_source *s, size_t at)
{
  const char *t = s->text;
  size_t end = at;
  if (s->fortran ? t[at] == '!' && strncasecmp (t + at, "!$omp", 5) != 0
      : t[at] == '/' && t[at + 1] == '/')
    return at + strcspn (t + at, "\n");
  if (!s->fortran && t[at] == '/' && t[at + 1] == '*')
    {
      const char *close = strstr (t + at + 2, "*/");
      return close ? (size_t) (close - t) + 2 : s->size;
    }
  /* An apostrophe within a number groups its digits.  */
  if (t[at] != '"' && (t[at] != '\'' || (!s->fortran && at && isalnum ((unsigned char) t[at - 1]))))
    return at;
  for (end++; t[end] && t[end] != t[at] && t[end] != '\n'; end++)
    if (t[end] == '\\' && !s->fortran && t[end + 1])
      end++;
  return t[end] ? end + 1 : end;
}

static bool
lines_find (struct ummgr_source *s)
{
  size_t count = 1;
  for (size_t i = 0; i < s->size; i++)
    count += s->text[i] == '\n';
  s->lines = calloc (count + 1, sizeof *s->lines);
  for (size_t i = 0; s->lines && i <= s->size; i++)
    if (i == s->size || !i || s->text[i - 1] == '\n')
      if (i < s->size || !s->line_count || s->lines[s->line_count - 1] != i)
	s->lines[s->line_count++] = i;
  if (s->line_count)
    s->line_count--;
  return s->lines != NULL;
}

static bool
code_find (struct ummgr_source *s)
{
  s->code = strdup (s->text);
  for (size_t i = 0; s->code && i < s->size;)
    {
      size_t end = skipped (s, i);
      for (size_t j = i; j < end; j++)
	if (s->code[j] != '\n')
	  s->code[j] = ' ';
      i = end > i ? end : i + 1;
    }
  return s->code != NULL;
}

struct ummgr_source *
ummgr_source_read (const char *path)
{
  struct ummgr_source *s = calloc (1, sizeof *s);
  if (s && is_known (path, &s->fortran) && (s->path = strdup (path))
      && (s->text = contents (path, &s->size)) && lines_find (s) && code_find (s))
    return s;
  ummgr_source_free (s);
  return NULL;
}

void
ummgr_source_free (struct ummgr_source *s)
{
  if (!s)
    return;
  free (s->path);
  free (s->text);
  free (s->code);
  free (s->lines);
  free (s);
}

bool
ummgr_source_is_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

bool
ummgr_source_has_word (const struct ummgr_source *s, size_t at, const char *name, size_t length)
{
  bool same = s->fortran ? strncasecmp (s->code + at, name, length) == 0
	      : strncmp (s->code + at, name, length) == 0;
  return same && !ummgr_source_is_word (s->code[at + length])
	 && (!at || !ummgr_source_is_word (s->code[at - 1]));
}

size_t
ummgr_source_line (const struct ummgr_source *s, size_t at)
{
  size_t lo = 0, hi = s->line_count;
  while (lo + 1 < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (s->lines[mid] <= at)
	lo = mid;
      else
	hi = mid;
    }
  return lo + 1;
}
