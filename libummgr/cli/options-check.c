/* Is what the user typed an option, and which was meant?
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   argp refuses what it doesn't know, but doesn't say what there is: this looks first.  No state.  */

#include "config.h"
#include "cli/options.h"

#include "base/log.h"
#include "base/meant.h"

#include <stdio.h>
#include <string.h>

/* The words of a command line that is looked through.  */
struct looking
{
  const struct ummgr_option *table[2];
  const char *title;		/* Of the command, for messages.  */
  bool builtin;			/* argp has --help and --usage.  */
};

static const struct ummgr_option builtin[] = {
  { .name = "help", .type = UMMGR_OPTION_FLAG, .letter = '?' },
  { .name = "usage", .type = UMMGR_OPTION_FLAG },
  { .name = NULL }
};

/* Table I of L, or NULL after the last.  */
static const struct ummgr_option *
table_of (const struct looking *l, int i)
{
  static const struct ummgr_option none = { .name = NULL };
  return i < 2 ? l->table[i] ? l->table[i] : &none : i == 2 && l->builtin ? builtin : NULL;
}

/* The option whose name is N letters of NAME, or begins so and no other does.  *MATCHES_P: how many
   begin so.  */
static const struct ummgr_option *
find_long (const struct looking *l, const char *name, size_t n, int *matches_p)
{
  const struct ummgr_option *table, *found = NULL;
  *matches_p = 0;
  for (int i = 0; (table = table_of (l, i)); i++)
    for (const struct ummgr_option *o = table; o->name; o++)
      if (n && strncmp (o->name, name, n) == 0)
	{
	  if (!o->name[n])
	    return o;
	  found = o;
	  ++*matches_p;
	}
  return *matches_p == 1 ? found : NULL;
}

static const struct ummgr_option *
find_letter (const struct looking *l, char letter)
{
  const struct ummgr_option *table;
  for (int i = 0; (table = table_of (l, i)); i++)
    for (const struct ummgr_option *o = table; o->name; o++)
      if (o->letter == letter)
	return o;
  return NULL;
}

/* WORD, N letters of which are an option's name, is none.  */
static bool
unknown (const struct looking *l, const char *word, size_t n, bool ambiguous)
{
  char known[1280] = "", names[1024] = "", typed[64] = "", meant[64];
  const struct ummgr_option *table;
  for (int i = 0; i < 2 && (table = table_of (l, i)); i++)
    for (const struct ummgr_option *o = table; o->name; o++)
      {
	size_t used = strlen (known);
	snprintf (known + used, sizeof known - used, "%s--%s", used ? " " : "", o->name);
	used = strlen (names);
	snprintf (names + used, sizeof names - used, "%s ", o->name);
      }
  if (n > 2)
    snprintf (typed, sizeof typed, "%.*s", (int) n - 2, word + 2);
  ummgr_error ("%s: %s option '%.*s'%s (known: %s)", l->title, ambiguous ? "ambiguous" : "unknown",
	       (int) n, word, ambiguous ? "" : ummgr_meant (typed, names, "--", meant, sizeof meant),
	       known);
  return false;
}

/* *TAKES_NEXT_P: the value of WORD, an option, is the next word.  */
static bool
check_long (const struct looking *l, const char *word, bool *takes_next_p)
{
  size_t n = strcspn (word, "=");
  int matches;
  const struct ummgr_option *o = find_long (l, word + 2, n - 2, &matches);
  if (!o)
    return unknown (l, word, n, matches > 1);
  bool flag = o->type == UMMGR_OPTION_FLAG;
  *takes_next_p = !word[n] && !flag && !o->absent;
  if (!word[n] || !flag)
    return true;
  ummgr_error ("%s: option '%.*s' takes no value", l->title, (int) n, word);
  return false;
}

static bool
check_letters (const struct looking *l, const char *word, bool *takes_next_p)
{
  for (const char *p = word + 1; *p; p++)
    {
      const struct ummgr_option *o = find_letter (l, *p);
      if (!o)
	return unknown (l, word, strlen (word), false);
      if (o->type == UMMGR_OPTION_FLAG)
	continue;
      *takes_next_p = !p[1] && !o->absent;
      break;
    }
  return true;
}

bool
ummgr_cli_check (const struct ummgr_option *table, const struct ummgr_option *more, int argc,
		 char **argv, bool until_first)
{
  const char *space = strchr (argv[0], ' ');
  const struct looking l = { { table, more }, space ? space + 1 : argv[0], !until_first };
  for (int i = 1; i < argc; i++)
    {
      const char *word = argv[i];
      bool takes_next = false;
      if (strcmp (word, "--") == 0)
	break;
      if (word[0] != '-' || !word[1])
	{
	  if (until_first)
	    break;
	  continue;
	}
      if (!(word[1] == '-' ? check_long : check_letters) (&l, word, &takes_next))
	return false;
      if (takes_next && ++i == argc)
	{
	  ummgr_error ("%s: option '%s' needs a value", l.title, word);
	  return false;
	}
    }
  return true;
}
