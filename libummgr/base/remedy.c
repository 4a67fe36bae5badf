/* Lists of remedies.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "base/remedy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const ummgr_remedy_name[UMMGR_REMEDY_KINDS] = {
  "read-mostly", "accessed-by", "preferred-device", "preferred-host"
};

static const char expected[]
  = "read-mostly, preferred-device, preferred-host and accessed-by, commas between, each of all "
    "objects or as in read-mostly:NAME@FILE:LINE; then the name of a trace, or of a report of "
    "one as JSON";

/* The kind that WORD begins with, up to its end or a colon; KINDS: none.  */
static unsigned
kind_of (const char *word)
{
  size_t length = strcspn (word, ":,");
  unsigned k = 0;
  while (k < UMMGR_REMEDY_KINDS
	 && (strlen (ummgr_remedy_name[k]) != length
	     || memcmp (ummgr_remedy_name[k], word, length) != 0))
    k++;
  return k;
}

/* OBJECT is "[NAME][@FILE[:LINE]]", and is cut into those.  */
static bool
object_parse (char *object, struct ummgr_remedy *r)
{
  char *at = strchr (object, '@');
  r->name = object;
  if (!at)
    return *object;
  *at = 0;
  r->file = at + 1;
  char *colon = strrchr (at + 1, ':'), *end;
  if (colon && isdigit ((unsigned char) colon[1]))
    {
      unsigned long line = strtoul (colon + 1, &end, 10);
      if (*end || !line || line > UINT32_MAX)
	return false;
      r->line = line;
      *colon = 0;
    }
  return *r->file;
}

/* One WORD, to its end.  */
static bool
word_parse (char *word, unsigned kind, struct ummgr_remedies *out)
{
  if (out->count == UMMGR_REMEDIES_MAX)
    return false;
  struct ummgr_remedy *r = &out->remedy[out->count++];
  *r = (struct ummgr_remedy) { .kind = kind, .name = "", .file = "" };
  char *object = word + strlen (ummgr_remedy_name[kind]);
  return !*object || object_parse (object + 1, r);
}

const char *
ummgr_remedies_parse (const char *text, struct ummgr_remedies *out)
{
  *out = (struct ummgr_remedies) { .text = strdup (text) };
  if (!out->text)
    return "memory for it";
  for (char *word = out->text, *next; word && *word; word = next)
    {
      unsigned kind = kind_of (word);
      if (kind == UMMGR_REMEDY_KINDS)
	{
	  /* A file's name may have commas.  */
	  out->path = word;
	  break;
	}
      next = strchr (word, ',');
      if (next)
	*next++ = 0;
      if (!word_parse (word, kind, out))
	{
	  ummgr_remedies_free (out);
	  return expected;
	}
    }
  if (out->count || out->path)
    return NULL;
  ummgr_remedies_free (out);
  return expected;
}

void
ummgr_remedies_free (struct ummgr_remedies *remedies)
{
  free (remedies->text);
  *remedies = (struct ummgr_remedies) { .text = NULL };
}

/* Is the one name the end of the other, from a directory on?  */
static bool
same_file (const char *a, const char *b)
{
  size_t m = strlen (a), n = strlen (b);
  const char *longer = m > n ? a : b, *shorter = m > n ? b : a;
  size_t more = m > n ? m - n : n - m;
  return strcmp (longer + more, shorter) == 0
    && (!more || longer[more - 1] == '/' || *shorter == '/');
}

bool
ummgr_remedy_is_for (const struct ummgr_remedy *r, const char *name, const char *file,
		     uint32_t line)
{
  if (*r->name && *name && strcmp (r->name, name) != 0)
    return false;
  if (*r->file && *file && !same_file (r->file, file))
    return false;
  if ((*r->name || *r->file) && !(*r->name && *name) && !(*r->file && *file))
    return false;
  return !r->line || !line || r->line == line;
}
