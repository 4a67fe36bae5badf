/* What PTX text defines, and what of it a kernel can reach.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Not a PTX parser: it splits text into top-level definitions (functions,
   kernels and global variables) and sees which names each one mentions.
   A name that is mentioned counts as reached, so the answer may be too large
   but never too small.  Definitions of the same name in several texts count
   as one.

   Owns the definitions (struct sim_ptx_units).  */

#include "config.h"
#include "simcuda/image/image.h"

#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit
{
  const char *name;		/* Not terminated.  */
  size_t length;
  const char *start, *end;	/* The whole definition.  */
  bool kernel, variable;
  bool marked;
  struct unit *same;		/* Another definition of this name.  */
  struct unit *queued;		/* While marking.  */
  struct unit *next;		/* In the list of all.  */
};

struct sim_ptx_units
{
  void *tree;			/* By name.  */
  struct unit *all;
};

static int
compare (const void *a, const void *b)
{
  const struct unit *x = a, *y = b;
  size_t n = x->length < y->length ? x->length : y->length;
  int c = memcmp (x->name, y->name, n);
  return c ? c : x->length < y->length ? -1 : x->length > y->length;
}

/* --- scanning ----------------------------------------------------------- */

static bool
is_name (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || c == '$' || c == '.'
	 || c == '%';
}

/* The next token from *P on, before END: a name, directive, number or
   register, or one other character.  Empty at the end.  */
static size_t
next_token (const char **p, const char *end)
{
  const char *s = *p;
  for (;;)
    {
      while (s < end && (isspace ((unsigned char) *s) || *s == '\0'))
	s++;
      if (end - s >= 2 && s[0] == '/' && s[1] == '/')
	while (s < end && *s != '\n')
	  s++;
      else
	break;
    }
  *p = s;
  const char *t = s;
  if (t < end && is_name (*t))
    while (t < end && is_name (*t))
      t++;
  else if (t < end)
    t++;
  return t - s;
}

static bool
token_is (const char *token, size_t length, const char *what)
{
  return strlen (what) == length && memcmp (token, what, length) == 0;
}

static bool
add_unit (struct sim_ptx_units *units, const struct unit *template)
{
  struct unit *u = malloc (sizeof *u);
  if (!u)
    return false;
  *u = *template;
  u->next = units->all;
  units->all = u;
  struct unit **found = tsearch (u, &units->tree, compare);
  if (!found)
    return false;
  if (*found != u)
    {
      u->same = (*found)->same;
      (*found)->same = u;
    }
  return true;
}

/* Past what follows .version, .target, .address_size or .file, such as "6.0", "sm_35" or "64": these end with that, not
   with their line (gcc/config/nvptx/mkoffload.cc of GCC 13 and later writes them one behind the other).  */
static void
skip_directive (const char **p, const char *end, const char *directive)
{
  bool dots = directive[1] == 'v', file = directive[1] == 'f';
  const char *s = *p;
  while (s < end && (*s == ' ' || *s == '\t'))
    s++;
  for (;;)
    {
      while (s < end && (isalnum ((unsigned char) *s) || *s == '_' || *s == ','
			 || (*s == '.' && dots && s + 1 < end && isdigit ((unsigned char) s[1]))))
	s++;
      const char *next = s;
      while (next < end && (*next == ' ' || *next == '\t'))
	next++;
      if (next < end && file && *next == '"')
	{
	  for (next++; next < end && *next != '"' && *next != '\n'; )
	    next++;
	  next += next < end && *next == '"';
	}
      else if (!(next < end && (s[-1] == ',' || *next == ',')))
	break;
      s = next;
    }
  *p = s;
}

/* Read one top-level statement at *P: up to its ';' or its closing brace.  */
static bool
read_statement (struct sim_ptx_units *units, const char **p, const char *end)
{
  struct unit u = { .start = *p };
  bool function = false, external = false, wants_name = false;
  int braces = 0, parens = 0;
  bool body = false;
  size_t n;
  while ((n = next_token (p, end)) > 0)
    {
      const char *t = *p;
      *p += n;
      if (*t == '(')
	parens++;
      else if (*t == ')')
	parens--;
      else if (*t == '{')
	braces++, body = true;
      else if (*t == '}' && --braces == 0 && function)
	break;
      else if (*t == ';' && braces == 0)
	break;
      else if (braces == 0 && parens == 0 && !u.name)
	{
	  if (token_is (t, n, ".func") || token_is (t, n, ".entry"))
	    {
	      function = wants_name = true;
	      u.kernel = t[1] == 'e';
	    }
	  else if (token_is (t, n, ".global") || token_is (t, n, ".const")
		   || token_is (t, n, ".shared"))
	    u.variable = wants_name = true;
	  else if (token_is (t, n, ".alias"))
	    body = wants_name = true; /* It mentions what it stands for.  */
	  else if (token_is (t, n, ".extern"))
	    external = true;
	  else if (!wants_name && !function && *t == '.'
		   && (token_is (t, n, ".version") || token_is (t, n, ".target")
		       || token_is (t, n, ".address_size") || token_is (t, n, ".file")))
	    {
	      skip_directive (p, end, t);
	      return true;
	    }
	  else if (wants_name && *t != '.' && (isalpha ((unsigned char) *t)
					       || *t == '_' || *t == '$'))
	    {
	      u.name = t;
	      u.length = n;
	    }
	}
    }
  u.end = *p;
  bool defines = u.name && !external && (u.variable || body);
  return !defines || add_unit (units, &u);
}

bool
sim_ptx_parse (struct sim_image *image)
{
  if (image->units)
    return true;
  image->units = calloc (1, sizeof *image->units);
  if (!image->units)
    return false;
  for (size_t i = 0; i < image->ptx_count; i++)
    {
      const char *p = image->ptx[i].text, *end = p + image->ptx[i].size;
      while (p < end)
	if (!read_statement (image->units, &p, end))
	  {
	    sim_ptx_free (image);
	    return false;
	  }
    }
  return true;
}

static void
keep_node (void *node)
{
}

void
sim_ptx_free (struct sim_image *image)
{
  struct sim_ptx_units *units = image->units;
  if (!units)
    return;
  tdestroy (units->tree, keep_node);
  while (units->all)
    {
      struct unit *u = units->all;
      units->all = u->next;
      free (u);
    }
  free (units);
  image->units = NULL;
}

static struct unit *
find (const struct sim_image *image, const char *name, size_t length)
{
  struct unit key = { .name = name, .length = length };
  if (!image->units)
    return NULL;
  struct unit **found = tfind (&key, &image->units->tree, compare);
  return found ? *found : NULL;
}

/* --- answers ------------------------------------------------------------ */

/* Bytes of a type directive such as ".u32"; 0 if it is none.  */
static size_t
type_size (const char *t, size_t n)
{
  if (n < 3 || *t != '.' || !strchr ("ubsf", t[1])
      || !isdigit ((unsigned char) t[2]))
    return 0;
  return strtoul (t + 2, NULL, 10) / 8;
}

/* Of "= { 1, { 2, 3 } };" from P to END: 2.  */
static size_t
values (const char *p, const char *end)
{
  size_t count = 0, n;
  int deep = 0;
  for (; (n = next_token (&p, end)) > 0 && *p != ';'; p += n)
    if (*p == '{')
      count += deep++ == 0;
    else if (*p == '}')
      deep--;
    else
      count += deep == 1 && *p == ',';
  return count;
}

size_t
sim_ptx_global_size (const struct sim_image *image, const char *name)
{
  const struct unit *u = find (image, name, strlen (name));
  while (u && !u->variable)
    u = u->same;
  if (!u)
    return 0;
  size_t size = 0, n;
  const char *p = u->start;
  while ((n = next_token (&p, u->end)) > 0 && p != u->name)
    {
      size_t bytes = type_size (p, n);
      if (bytes)
	size = bytes;
      p += n;
    }
  p += n;
  while ((n = next_token (&p, u->end)) > 0 && *p == '[')
    {
      bool open = p + 1 < u->end && p[1] == ']';
      size_t count = strtoull (p + 1, NULL, 10);
      while (p < u->end && *p++ != ']')
	;
      size *= open ? values (p, u->end) : count;
    }
  return size;
}

bool
sim_ptx_has_kernel (const struct sim_image *image, const char *name)
{
  const struct unit *u = find (image, name, strlen (name));
  while (u && !u->kernel)
    u = u->same;
  return u;
}

static struct unit *
mark (struct unit *u, struct unit *queue)
{
  if (!u || u->marked)
    return queue;
  for (; u; u = u->same)
    {
      u->marked = true;
      u->queued = queue;
      queue = u;
    }
  return queue;
}

static bool
begins (const char *token, size_t length, const char *how)
{
  return length > strlen (how) && memcmp (token, how, strlen (how)) == 0;
}

/* Mark what KERNEL reaches.  Of the run time's functions that it calls, KNOWN, if
   it is not NULL, says which will do: false at the first that does not, *NAME_P of
   *LENGTH_P.  */
static bool
mark_reached (struct sim_image *image, const char *kernel,
	      bool (*known) (const char *name, size_t length),
	      const char **name_p, size_t *length_p)
{
  for (struct unit *u = image->units->all; u; u = u->next)
    u->marked = false;
  struct unit *queue = mark (find (image, kernel, strlen (kernel)), NULL);
  while (queue)
    {
      struct unit *u = queue;
      queue = u->queued;
      const char *p = u->start;
      size_t n;
      for (; (n = next_token (&p, u->end)) > 0; p += n)
	/* What the run time calls itself is its own business.  */
	if (known && begins (p, n, "gomp_"))
	  continue;
	else if (known && (begins (p, n, "GOMP_") || begins (p, n, "omp_")))
	  {
	    if (known (p, n))
	      continue;
	    *name_p = p;
	    *length_p = n;
	    return false;
	  }
	else if (isalpha ((unsigned char) *p) || *p == '_' || *p == '$')
	  queue = mark (find (image, p, n), queue);
    }
  return true;
}

void
sim_ptx_mark (struct sim_image *image, const char *kernel)
{
  if (image->units)
    mark_reached (image, kernel, NULL, NULL, NULL);
}

bool
sim_ptx_marked (const struct sim_image *image, const char *name)
{
  const struct unit *u = find (image, name, strlen (name));
  return u && u->marked;
}

bool
sim_ptx_calls_only (struct sim_image *image, const char *kernel,
		    bool (*known) (const char *name, size_t length),
		    char *name, size_t size)
{
  const char *unknown;
  size_t length;
  *name = 0;
  if (!sim_ptx_has_kernel (image, kernel))
    return false;
  if (mark_reached (image, kernel, known, &unknown, &length))
    return true;
  snprintf (name, size, "%.*s", (int) length, unknown);
  return false;
}
