/* Loops: where they begin and end, and what they may change.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "source/source.h"

#include <ctype.h>
#include <string.h>

static bool
is_at (const struct ummgr_source *s, size_t at, const char *word)
{
  return ummgr_source_has_word (s, at, word, strlen (word));
}

static size_t
behind_blanks (const struct ummgr_source *s, size_t at)
{
  while (isspace ((unsigned char) s->code[at]))
    at++;
  return at;
}

/* --- C ---------------------------------------------------------------------------------- */

/* Behind the bracket that closes the one at AT; 0: none does.  */
static size_t
behind_bracket (const struct ummgr_source *s, size_t at)
{
  unsigned depth = 0;
  for (; s->code[at]; at++)
    if (strchr ("([{", s->code[at]))
      depth++;
    else if (strchr (")]}", s->code[at]) && --depth == 0)
      return at + 1;
  return 0;
}

/* Behind a directive, and blanks.  */
static size_t
behind_pragmas (const struct ummgr_source *s, size_t at)
{
  at = behind_blanks (s, at);
  while (s->code[at] == '#')
    {
      size_t end;
      do
	{
	  end = at + strcspn (s->code + at, "\n");
	  at = end + (s->code[end] != '\0');
	  while (end && isspace ((unsigned char) s->code[end - 1]) && s->code[end - 1] != '\n')
	    end--;
	}
      while (end && s->code[end - 1] == '\\' && s->code[at]);
      at = behind_blanks (s, at);
    }
  return at;
}

/* Behind the statement at AT; 0: not clear.  */
static size_t
behind_statement (const struct ummgr_source *s, size_t at, unsigned depth)
{
  at = behind_pragmas (s, at);
  if (!depth)
    return 0;
  if (s->code[at] == '{')
    return behind_bracket (s, at);
  bool is_if = is_at (s, at, "if");
  if (is_if || is_at (s, at, "for") || is_at (s, at, "while") || is_at (s, at, "switch"))
    {
      at = behind_blanks (s, at + strspn (s->code + at, "abcdefghijklmnopqrstuvwxyz"));
      if (s->code[at] != '(' || !(at = behind_bracket (s, at)) || !(at = behind_statement (s, at, depth - 1)))
	return 0;
      size_t other = behind_blanks (s, at);
      return is_if && is_at (s, other, "else") ? behind_statement (s, other + 4, depth - 1) : at;
    }
  if (is_at (s, at, "do"))
    {
      at = behind_statement (s, at + 2, depth - 1);
      if (!at || !is_at (s, at = behind_blanks (s, at), "while"))
	return 0;
    }
  while (s->code[at] && s->code[at] != ';')
    {
      if (strchr (")]}", s->code[at]))
	return 0;
      at = strchr ("([{", s->code[at]) ? behind_bracket (s, at) : at + 1;
      if (!at)
	return 0;
    }
  return s->code[at] ? at + 1 : 0;
}

/* --- Fortran ----------------------------------------------------------------------------- */

/* The first word of LINE, behind a construct's name.  */
static size_t
first_word (const struct ummgr_source *s, size_t line)
{
  size_t at = s->lines[line] + strspn (s->code + s->lines[line], " \t");
  size_t word = at;
  while (ummgr_source_is_word (s->code[word]))
    word++;
  size_t colon = word + strspn (s->code + word, " \t");
  if (word > at && s->code[colon] == ':' && s->code[colon + 1] != ':')
    return colon + 1 + strspn (s->code + colon + 1, " \t");
  return at;
}

static bool
is_end_do (const struct ummgr_source *s, size_t at)
{
  if (is_at (s, at, "enddo"))
    return true;
  return is_at (s, at, "end") && is_at (s, at + 3 + strspn (s->code + at + 3, " \t"), "do");
}

/* A loop that ends at a label has a number behind its word.  */
static bool
is_do (const struct ummgr_source *s, size_t at)
{
  if (!is_at (s, at, "do"))
    return false;
  return !isdigit ((unsigned char) s->code[at + 2 + strspn (s->code + at + 2, " \t")]);
}

static bool
fortran_loop (const struct ummgr_source *s, size_t line, struct ummgr_source_range *out)
{
  unsigned depth = 0;
  out->begin = s->lines[line] + strspn (s->code + s->lines[line], " \t");
  for (size_t i = line; i < s->line_count; i++)
    {
      size_t at = first_word (s, i);
      if (is_do (s, at))
	depth++;
      else if (is_end_do (s, at) && depth && --depth == 0)
	{
	  out->end = s->lines[i] + strcspn (s->text + s->lines[i], "\n");
	  return true;
	}
      if (!depth)
	return false;
    }
  return false;
}

/* ------------------------------------------------------------------------------------------ */

bool
ummgr_source_loop (const struct ummgr_source *s, size_t line, struct ummgr_source_range *out)
{
  if (!line || line > s->line_count)
    return false;
  if (s->fortran)
    return fortran_loop (s, line - 1, out);
  size_t end = s->lines[line - 1] + strcspn (s->code + s->lines[line - 1], "\n");
  for (size_t at = s->lines[line - 1]; at < end; at++)
    if (is_at (s, at, "for") || is_at (s, at, "while") || is_at (s, at, "do"))
      {
	out->begin = at;
	out->end = behind_statement (s, at, UMMGR_SOURCE_LOOP_NEST);
	return out->end != 0;
      }
  return false;
}

/* Does what stands behind a word change it?  =, += and ++ do, -> and [ don't.  */
static bool
is_changed_behind (const char *code)
{
  code += strspn (code, " \t\r\n");
  if ((code[0] == '+' && code[1] == '+') || (code[0] == '-' && code[1] == '-'))
    return true;
  if (code[0] == '=')
    return code[1] != '=';
  if (strncmp (code, "<<=", 3) == 0 || strncmp (code, ">>=", 3) == 0)
    return true;
  return code[0] && strchr ("+-*/%&|^", code[0]) && code[1] == '=';
}

/* Does what stands before the word at AT change it, or take its address?  */
static bool
is_changed_before (const char *code, size_t at)
{
  while (at && isspace ((unsigned char) code[at - 1]))
    at--;
  if (at < 2)
    return false;
  const char *two = code + at - 2;
  if (memcmp (two, "++", 2) == 0 || memcmp (two, "--", 2) == 0)
    return true;
  return two[1] == '&' && two[0] != '&';
}

bool
ummgr_source_changes (const struct ummgr_source *s, struct ummgr_source_range range, const char *word,
		      size_t length)
{
  for (size_t at = range.begin; at + length <= range.end; at++)
    if (ummgr_source_has_word (s, at, word, length)
	&& (is_changed_behind (s->code + at + length) || is_changed_before (s->code, at)))
      return true;
  return false;
}
