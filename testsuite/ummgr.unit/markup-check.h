/* Is a text well-formed markup?  Tags balance, attributes are quoted, nothing
   stands bare that must be escaped.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"

#include <stdbool.h>
#include <string.h>

static inline size_t
markup_name (const char *p)
{
  return strspn (p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		 "0123456789-");
}

/* &...; at P.  */
static inline bool
markup_entity (const char *p)
{
  size_t n = strspn (p + 1, "#abcdefghijklmnopqrstuvwxyz0123456789");
  return n > 0 && n < 10 && p[1 + n] == ';';
}

/* What stands between a tag's name and its '>'; returns that place.  */
static inline const char *
markup_attributes (const char *p)
{
  bool quoted = false;
  for (; *p && (quoted || *p != '>'); p++)
    {
      CHECK (*p != '<');
      if (*p == '&')
	CHECK (markup_entity (p));
      if (*p == '"')
	quoted = !quoted;
      if (*p == '=' && !quoted)
	CHECK (p[1] == '"');
    }
  CHECK (*p == '>' && !quoted);
  return p;
}

static inline void
markup_check (const char *text)
{
  static const char *open[64];
  size_t depth = 0;
  for (const char *p = text; *p; p++)
    {
      if (*p == '&')
	CHECK (markup_entity (p));
      CHECK (*p != '>');
      if (*p != '<')
	continue;
      bool close = *++p == '/', doctype = *p == '!';
      p += close || doctype;
      const char *name = p;
      size_t length = markup_name (p);
      CHECK (length > 0);
      p = doctype ? strchr (p, '>') : markup_attributes (p + length);
      if (close)
	{
	  CHECK (depth > 0 && strncmp (open[depth - 1], name, length) == 0);
	  CHECK (markup_name (open[--depth]) == length);
	}
      else if (!doctype && p[-1] != '/' && strncmp (name, "meta", 4) != 0)
	{
	  CHECK (depth < 64);
	  open[depth++] = name;
	}
      /* Style and script are not markup.  */
      if (!close && strncmp (name, "style", 5) == 0)
	p = strstr (p, "</style") - 1;
      else if (!close && strncmp (name, "script", 6) == 0)
	p = strstr (p, "</script") - 1;
    }
  CHECK (depth == 0);
}
