/* Reports: names that are cut to a width, and still tell apart what they name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Arguments of templates go first, those within others before the others; what then looks alike gets
   back what tells it from the rest.  No state.  */

#include "config.h"
#include "report/value.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char dots[] = "...";

static size_t
width_of (const char *text)
{
  size_t width = 0;
  for (const char *p = text; *p; p += ummgr_utf8_length (p))
    width++;
  return width;
}

/* Where the last characters of TEXT begin, so many.  */
static const char *
last_of (const char *text, size_t characters)
{
  for (size_t skip = width_of (text); skip > characters; skip--)
    text += ummgr_utf8_length (text);
  return text;
}

/* NAME without what stands deeper than DEPTH in brackets, malloc'ed.  */
static char *
shallow (const char *name, int depth)
{
  char *out = malloc (4 * strlen (name) + 1), *to = out;
  int at = 0;
  if (!out)
    return NULL;
  for (const char *p = name; *p; p++)
    {
      bool opens = *p == '<' || *p == '(', closes = *p == '>' || *p == ')';
      at -= closes;
      if (at <= depth)
	*to++ = *p;
      at += opens;
      if (opens && at == depth + 1 && p[1] != '>' && p[1] != ')')
	to = stpcpy (to, dots);
    }
  *to = 0;
  return out;
}

static int
depth_of (const char *name)
{
  int at = 0, most = 0;
  for (; *name; name++)
    {
      at += *name == '<' || *name == '(' ? 1 : *name == '>' || *name == ')' ? -1 : 0;
      most = at > most ? at : most;
    }
  return most;
}

/* NAME in WIDTH characters, by itself, malloc'ed.  What has no arguments keeps its end, which tells
   more.  */
static char *
cut (const char *name, size_t width)
{
  char *out = strdup (name);
  for (int depth = depth_of (name) - 1; out && depth >= 0 && width_of (out) > width; depth--)
    {
      free (out);
      out = shallow (name, depth);
    }
  if (!out || width_of (out) <= width)
    return out;
  char *end = NULL;
  if (asprintf (&end, "%s%s", dots, last_of (out, width - strlen (dots))) < 0)
    end = NULL;
  free (out);
  return end;
}

static bool
is_word (char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
	 || (c & 0x80);
}

/* Where the word begins at which NAME stops to be as OTHER.  */
static size_t
difference (const char *name, const char *other)
{
  size_t at = 0;
  while (name[at] && name[at] == other[at])
    at++;
  while (at > 0 && is_word (name[at - 1]))
    at--;
  return at;
}

/* NAME in WIDTH characters, with what is behind AT in it: how it begins up to its arguments, and
   that.  */
static char *
cut_at (const char *name, size_t at, size_t width)
{
  size_t head = strcspn (name, "<(");
  size_t most = width / 2;
  char *begin = strndup (name, head), *out = NULL;
  const char *shown = begin ? last_of (begin, most) : NULL;
  if (!begin)
    return NULL;
  const char *sign = shown > begin ? dots : "";
  size_t used = width_of (shown) + strlen (sign) + strlen (dots);
  const char *rest = name + (at < head ? head : at);
  size_t room = width > used ? width - used : 0, length = 0;
  bool more = width_of (rest) > room;
  for (size_t i = more && room > strlen (dots) ? room - strlen (dots) : room; i && rest[length]; i--)
    length += ummgr_utf8_length (rest + length);
  if (asprintf (&out, "%s%s%s%.*s%s", sign, shown, dots, (int) length, rest, more ? dots : "") < 0)
    out = NULL;
  free (begin);
  return out;
}

/* Where names[I] differs from those that are as FITS[I] when they are cut: the last place; 0: there are
   none.  */
static size_t
differs_at (char *const *names, char *const *fits, size_t count, size_t i)
{
  size_t at = 0;
  for (size_t j = 0; j < count; j++)
    if (strcmp (names[i], names[j]) != 0 && strcmp (fits[i], fits[j]) == 0)
      {
	size_t here = difference (names[i], names[j]);
	at = here > at ? here : at;
      }
  return at;
}

void
ummgr_report_names_free (char **names, size_t count)
{
  for (size_t i = 0; names && i < count; i++)
    free (names[i]);
  free (names);
}

bool
ummgr_report_fit (char **names, size_t count, size_t width)
{
  char **fits = calloc (2 * count + 1, sizeof *fits), **better = fits + count;
  bool good = fits != NULL;
  for (size_t i = 0; good && i < count; i++)
    good = (fits[i] = cut (names[i], width)) != NULL;
  for (size_t i = 0; good && i < count; i++)
    {
      size_t at = width_of (names[i]) > width ? differs_at (names, fits, count, i) : 0;
      good = !at || (better[i] = cut_at (names[i], at, width)) != NULL;
    }
  for (size_t i = 0; good && i < count; i++)
    {
      char **fit = better[i] ? &better[i] : &fits[i];
      free (names[i]);
      names[i] = *fit;
      *fit = NULL;
    }
  ummgr_report_names_free (fits, 2 * count);
  return good;
}
