/* Source files as text: would break if a directive's items were cut at the wrong comma or colon, a
   comment or string were taken for code, a loop ended elsewhere than the compiler has it end, or a
   patch didn't apply.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "source/source.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ummgr_source *
source_of (const char *suffix, const char *text)
{
  char name[64];
  snprintf (name, sizeof name, "source-%ld.%s", (long) getpid (), suffix);
  FILE *out = fopen (name, "w");
  CHECK (out && fputs (text, out) >= 0 && fclose (out) == 0);
  struct ummgr_source *s = ummgr_source_read (name);
  unlink (name);
  return s;
}

static bool
is_text (const struct ummgr_source *s, struct ummgr_source_range r, const char *text)
{
  return r.end - r.begin == strlen (text) && memcmp (s->text + r.begin, text, strlen (text)) == 0;
}

static const char c_text[]
  = "// #pragma omp target map(to: no)\n"				/* 1 */
    "int f (int n, struct s *p)\n"
    "{\n"
    "  char c = '{', *t = \"for (;;) { \\\" }\";\n"			/* 4 */
    "#pragma omp target teams distribute parallel for map(to: a[0:n], p->b[g (1, 2):n]) \\\n"
    "    map(from: c[0:2*n]) /* map(to: x) */ map(d, e)\n"		/* 6 */
    "  for (int i = 0; i < n; i++)\n"					/* 7 */
    "    if (a[i])\n"
    "      { b[i] = 0; }\n"
    "    else\n"
    "      do c[i]++; while (c[i] < n);\n"				/* 11 */
    "  n += 1;\n"							/* 12 */
    "  int k; for (k = 0; k < 3; k++) g (k, '}');\n"			/* 13 */
    "#pragma omp target map(always, to: a)\n"				/* 14 */
    "  ;\n"
    "#pragma omp target map(to: n1::q[0:3], (w)) map(tofrom : v)\n"	/* 16 */
    "  ;\n"
    "  while (n == 3)\n"						/* 18 */
    "#pragma omp parallel \\\n"
    "     for\n"
    "    for (;;) ;\n"							/* 21 */
    "}\n";

static void
c_directives (void)
{
  struct ummgr_source *s = source_of ("c", c_text);
  struct ummgr_source_directive d;
  const struct ummgr_source_map *map;
  CHECK (s && s->line_count == 22 && !s->fortran);
  CHECK (!ummgr_source_directive (s, 1, &d) && !ummgr_source_directive (s, 2, &d));
  CHECK (!ummgr_source_directive (s, 0, &d) && !ummgr_source_directive (s, 23, &d));
  for (size_t line = 5; line <= 6; line++)
    {
      CHECK (ummgr_source_directive (s, line, &d) && d.map_count == 3);
      CHECK (is_text (s, d.maps[0].type, "to") && is_text (s, d.maps[1].type, "from"));
      CHECK (d.maps[2].type.begin == d.maps[2].type.end && d.maps[2].item_count == 2);
      CHECK (d.maps[0].item_count == 2 && is_text (s, d.maps[0].items[0], "a[0:n]"));
      CHECK (is_text (s, d.maps[0].items[1], "p->b[g (1, 2):n]"));
      CHECK (is_text (s, d.maps[1].all, "map(from: c[0:2*n])"));
    }
  const struct ummgr_source_range *item = ummgr_source_item (s, &d, "p->b", &map);
  CHECK (item && is_text (s, *item, "p->b[g (1, 2):n]") && map == &d.maps[0]);
  CHECK (!ummgr_source_item (s, &d, "p", &map) && !ummgr_source_item (s, &d, "x", &map));
  CHECK (!ummgr_source_directive (s, 14, &d));
  CHECK (ummgr_source_directive (s, 16, &d) && is_text (s, d.maps[0].items[0], "n1::q[0:3]"));
  CHECK (is_text (s, d.maps[1].type, "tofrom") && is_text (s, d.maps[1].items[0], "v"));
  ummgr_source_free (s);
}

static void
c_loops (void)
{
  struct ummgr_source *s = source_of ("cc", c_text);
  struct ummgr_source_range loop;
  CHECK (s && ummgr_source_loop (s, 7, &loop) && ummgr_source_line (s, loop.end) == 11);
  CHECK (s->text[loop.end - 1] == ';' && !ummgr_source_changes (s, loop, "n", 1));
  CHECK (ummgr_source_changes (s, loop, "i", 1));
  loop.end = s->size;
  CHECK (ummgr_source_changes (s, loop, "n", 1) && !ummgr_source_changes (s, loop, "p", 1));
  CHECK (ummgr_source_loop (s, 13, &loop) && is_text (s, loop, "for (k = 0; k < 3; k++) g (k, '}');"));
  CHECK (ummgr_source_loop (s, 18, &loop) && ummgr_source_line (s, loop.end) == 21);
  CHECK (ummgr_source_loop (s, 11, &loop) && is_text (s, loop, "do c[i]++; while (c[i] < n);"));
  CHECK (!ummgr_source_loop (s, 4, &loop) && !ummgr_source_loop (s, 12, &loop));
  ummgr_source_free (s);
}

static void
changes (void)
{
  struct ummgr_source *s = source_of ("c", "a == b; c [1] = 2; d <<= 1; &e; f & g; --h; j->k = 1; l |= m; n <= o;");
  struct ummgr_source_range all = { 0, s ? s->size : 0 };
  CHECK (s != NULL);
  for (const char *word = "abcfjmno"; *word; word++)
    CHECK (!ummgr_source_changes (s, all, word, 1));
  /* An `and' looks like an address that is taken.  */
  for (const char *word = "deghkl"; *word; word++)
    CHECK (ummgr_source_changes (s, all, word, 1));
  ummgr_source_free (s);
}

static const char f_text[]
  = "program p ! do\n"
    "  print *, 'do i = 1, 2 ! '\n"
    "  outer: DO it = 1, 10\n"						/* 3 */
    "    !$omp target teams distribute parallel do map(to: A, &\n"
    "    !$omp&   b%c(1:n)) map(tofrom:d)\n"				/* 5 */
    "    do i = 1, n\n"							/* 6 */
    "      d(i) = 1\n"
    "    end do\n"							/* 8 */
    "    do while (x)\n"
    "    enddo\n"
    "  end do outer\n"							/* 11 */
    "  do 10 i = 1, 2\n"						/* 12 */
    "10 continue\n"
    "end program\n";

static void
fortran (void)
{
  struct ummgr_source *s = source_of ("f90", f_text);
  struct ummgr_source_directive d;
  struct ummgr_source_range loop;
  const struct ummgr_source_map *map;
  CHECK (s && s->fortran);
  for (size_t line = 4; line <= 5; line++)
    {
      CHECK (ummgr_source_directive (s, line, &d) && d.map_count == 2 && d.maps[0].item_count == 2);
      CHECK (ummgr_source_item (s, &d, "a", &map) && ummgr_source_item (s, &d, "b%c", &map));
      CHECK (is_text (s, d.maps[0].items[1], "b%c(1:n)"));
    }
  CHECK (ummgr_source_loop (s, 3, &loop) && ummgr_source_line (s, loop.end) == 11);
  CHECK (ummgr_source_loop (s, 6, &loop) && ummgr_source_line (s, loop.end) == 8);
  CHECK (!ummgr_source_loop (s, 2, &loop) && !ummgr_source_loop (s, 12, &loop));
  ummgr_source_free (s);
  CHECK (!source_of ("f", f_text) && !source_of ("txt", "a"));
}

/* What `patch' makes of TEXT, after edits at each PLACES[i], is what the edits make of it.  */
static void
diff_once (const char *text, unsigned seed)
{
  struct ummgr_source_edit edits[8];
  size_t count = 0, at = 0, size = strlen (text), length;
  char name[64], patch[80], *wanted = NULL, got[8192];
  struct ummgr_source *s = source_of ("c", text);
  CHECK (s != NULL);
  FILE *memory = open_memstream (&wanted, &length);
  for (size_t i = 0; i < 8 && at < size; i++)
    {
      size_t begin = at + rand_r (&seed) % 60, end = begin + rand_r (&seed) % 3 * (rand_r (&seed) % 9);
      if (begin >= size || end > size)
	break;
      static const char *const new[] = { NULL, "new", "two\nlines", "\n", "line\n" };
      const char *put = new[rand_r (&seed) % 5];
      edits[count++] = (struct ummgr_source_edit) { { begin, end }, put ? strdup (put) : NULL };
      fprintf (memory, "%.*s%s", (int) (begin - at), text + at, put ? put : "");
      at = end + 1 <= size ? end : size;
      if (at == begin)
	fputc (text[at++], memory);
    }
  fputs (text + at, memory);
  CHECK (fclose (memory) == 0);
  snprintf (name, sizeof name, "source-diff-%ld.c", (long) getpid ());
  snprintf (patch, sizeof patch, "%s.patch", name);
  FILE *out = fopen (name, "w");
  CHECK (out && fputs (text, out) >= 0 && fclose (out) == 0);
  out = fopen (patch, "w");
  CHECK (out != NULL);
  ummgr_source_diff (out, s, name, edits, count);
  CHECK (fclose (out) == 0);
  char command[256];
  snprintf (command, sizeof command, "git apply --whitespace=nowarn %s", patch);
  if (count && strcmp (text, wanted) != 0)
    CHECK (system (command) == 0);
  FILE *in = fopen (name, "r");
  length = in ? fread (got, 1, sizeof got - 1, in) : 0;
  got[length] = '\0';
  CHECK (in && fclose (in) == 0);
  CHECK (strcmp (got, wanted) == 0);
  for (size_t i = 0; i < count; i++)
    free (edits[i].text);
  free (wanted);
  ummgr_source_free (s);
  unlink (name);
  unlink (patch);
}

static void
diffs (void)
{
  char text[2048];
  char above[4096];
  if (system ("git --version > /dev/null 2>&1") != 0 || !getcwd (above, sizeof above))
    return;
  /* Names are from here on, even within a repository.  */
  *strrchr (above, '/') = '\0';
  setenv ("GIT_CEILING_DIRECTORIES", above, 1);
  for (unsigned seed = 1; seed <= 60; seed++)
    {
      unsigned more = seed, size = 0;
      unsigned lines = 1 + rand_r (&more) % 40;
      for (unsigned i = 0; i < lines; i++)
	size += (unsigned) sprintf (text + size, "line %u%s\n", i, rand_r (&more) % 2 ? "" : " and more of it");
      if (seed % 3 == 0)
	text[size - 1] = '\0';
      diff_once (text, seed);
    }
}

int
main (void)
{
  c_directives ();
  c_loops ();
  changes ();
  fortran ();
  diffs ();
  return 0;
}
