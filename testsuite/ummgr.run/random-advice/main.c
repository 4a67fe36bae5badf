/* Random programs against GCC's advice.
   SPDX-License-Identifier: GPL-3.0-or-later

     random print SEED COUNT [SAID ...]    the programs of COUNT seeds as one file; each SAID is what GCC
					   said of the file so far, and all of it is followed
     random runs SEED COUNT [SAID ...]     what they print on the devices, and on the host
     random check SEED COUNT [SAID ...]    follows the last SAID, one advice at a time and all together:
					   does each program give what it did at first?
     random ways SEED		           c or c++

   Exits 0, 1 where an advice is wrong, 2 where it is not understood.  */

#include "program.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, PROGRAMS = 100 };

static struct advice advices[MOST];

/* COUNT programs of the seeds from SEED on, as numbered in a file.  */
struct file
{
  uint64_t seed;
  int count;
  struct program *programs[PROGRAMS];
  char *text;
};

static void
file_print (struct file *f)
{
  size_t size;
  unsigned line = 0;
  FILE *out = open_memstream (&f->text, &size);
  for (int i = 0; i < f->count; i++)
    {
      struct program *p = f->programs[i];
      if (i == 0)
	print_head (out, p);
      else
	p->line = line;
      print_program (out, p);
      line = p->line;
    }
  print_table (out, f->programs, f->count);
  fclose (out);
}

/* Do what A says; why not, or NULL.  */
static const char *
file_advise (struct file *f, const struct advice *a)
{
  int i = 0;
  while (i < f->count - 1 && a->line >= f->programs[i]->line)
    i++;
  return program_advise (f->programs[i], a);
}

/* The program that A is about.  */
static struct program *
advised (struct file *f, const struct advice *a)
{
  int i = 0;
  while (i < f->count - 1 && a->line >= f->programs[i]->line)
    i++;
  return f->programs[i];
}

/* The file, after following all of SAID's ROUNDS.  */
static struct file
file_make (uint64_t seed, int count, char **said, int rounds)
{
  static struct file made;	/* As they are at first; but one file is asked for.  */
  struct file f = { .seed = seed };
  for (int i = 0; i < count && !made.text; i++)
    {
      struct program *p = program_make (seed + i);
      if (p && made.count < PROGRAMS)
	made.programs[made.count++] = p;
    }
  made.text = "";
  for (int i = 0; i < made.count; i++)
    f.programs[f.count++] = program_again (made.programs[i]);
  file_print (&f);
  for (int r = 0; r < rounds; r++)
    {
      int all = advices_read (said[r], advices, MOST);
      for (int i = 0; i < all; i++)
	{
	  const char *why = file_advise (&f, &advices[i]);
	  if (why)
	    {
	      fprintf (stderr, "line %u, '%s' %s: %s\n", advices[i].line, advices[i].name, advices[i].kind, why);
	      exit (2);
	    }
	}
      file_print (&f);
    }
  return f;
}

/* --- checks --- */

static bool
same (struct program *now, struct program *first, const char *what)
{
  for (int disabled = 0; disabled < 2; disabled++)
    {
      struct outcome x = program_run (first, disabled), y = program_run (now, disabled);
      if (y.broken || x.sum != y.sum)
	{
	  printf ("wrong: seed %llu, %s, %s: %u, as advised %u%s%s\n", (unsigned long long) first->seed, what,
		  disabled ? "host" : "devices", x.sum, y.sum, y.broken ? ", " : "", y.broken ? y.broken : "");
	  return false;
	}
    }
  return true;
}

/* Line NUMBER of TEXT.  */
static char *
text_line (const char *text, unsigned number)
{
  while (--number && strchr (text, '\n'))
    text = strchr (text, '\n') + 1;
  return strndup (text, strcspn (text, "\n"));
}

/* Does A's fix-it make of BEFORE's line what AFTER has?  */
static bool
fixit_is_right (const struct file *before, const struct file *after, const struct advice *a)
{
  char *old = text_line (before->text, a->fix_line), *new = text_line (after->text, a->fix_line), *made = NULL;
  size_t size, from = a->fix_from - 1, to = a->fix_to - 1;
  if (to > strlen (old) || from > to)
    return false;
  FILE *f = open_memstream (&made, &size);
  fprintf (f, "%.*s%s%s", (int) from, old, a->fix_text, old + to);
  fclose (f);
  bool right = strcmp (made, new) == 0;
  if (!right)
    printf ("wrong: fix-it: %s\n   is made of %s\n   for %s\n", made, old, new);
  return right;
}

/* Each of the last of ROUNDS alone.  */
static int
singles_check (uint64_t seed, int count, char **said, int rounds, struct file *first)
{
  static const char *const how[]
    = { [RETYPE] = "", [ADD] = " add", [REMOVE] = " remove", [AROUND] = "", [BESIDE] = " beside" };
  int all = advices_read (said[rounds - 1], advices, MOST), wrong = 0;
  struct advice *kept = malloc (MOST * sizeof *kept);
  memcpy (kept, advices, all * sizeof *kept);
  struct file before = file_make (seed, count, said, rounds - 1);
  for (int i = 0; i < all; i++)
    {
      struct advice *a = &kept[i];
      char what[64];
      int which = 0;
      struct program *about = advised (&before, a);
      while (before.programs[which] != about)
	which++;
      /* The other programs of the file stay as they are.  */
      struct file now = file_make (seed, count, said, rounds - 1);
      snprintf (what, sizeof what, "line %u, '%s' %s", a->line, a->name, a->kind);
      const char *why = file_advise (&now, a);
      file_print (&now);
      if (why)
	{
	  printf ("wrong: %s: %s\n", what, why);
	  wrong++;
	  continue;
	}
      printf ("advice %s%s%s\n", a->kind, how[a->what], a->fixit ? " fix-it" : "");
      wrong += !same (now.programs[which], first->programs[which], what);
      if (a->fixit)
	wrong += !fixit_is_right (&before, &now, a);
    }
  return wrong;
}

static int
check (uint64_t seed, int count, char **said, int rounds)
{
  struct file first = file_make (seed, count, said, 0), last = file_make (seed, count, said, rounds);
  int wrong = rounds ? singles_check (seed, count, said, rounds, &first) : 0;
  for (int i = 0; i < last.count; i++)
    wrong += !same (last.programs[i], first.programs[i], "all advice");
  if (rounds < 2)
    printf ("programs %d\n", last.count);
  return wrong != 0;
}

int
main (int argc, char **argv)
{
  if (argc < 3)
    return 2;
  uint64_t seed = strtoull (argv[2], NULL, 10);
  int count = argc > 3 ? atoi (argv[3]) : 1;
  if (strcmp (argv[1], "ways") == 0)
    puts (ways_of (seed).cxx ? "c++" : "c");
  else if (strcmp (argv[1], "check") == 0)
    return check (seed, count, argv + 4, argc - 4);
  else
    {
      struct file f = file_make (seed, count, argv + 4, argc - 4);
      if (strcmp (argv[1], "print") == 0)
	fputs (f.text, stdout);
      else
	for (int disabled = 0; disabled < 2; disabled++)
	  for (int i = 0; i < f.count; i++)
	    printf ("%llu %u\n", (unsigned long long) f.programs[i]->seed, program_run (f.programs[i], disabled).sum);
    }
  return 0;
}
