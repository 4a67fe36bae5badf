/* answer: what the searches found, in words.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads the graphs and names that depgraph wrote, the levels of bfs and the
   communities of louvain, and prints the largest communities with the
   packages that most others need, the modularity, and the levels with
   examples.  Modularity is computed here, from the graph and the
   communities.  */

#include "common.h"
#include "graph.h"

#define COMMUNITIES 10
#define EXAMPLES 6
#define WIDTH 40	/* Of the longest bar.  */

static char **names;
static int64_t *needed_by;	/* How many packages need each.  */

static void
read_names (const char *file, int64_t n)
{
  FILE *f = fopen (file, "r");
  char line[512];
  if (!f)
    bench_fatal ("%s: %s", file, strerror (errno));
  names = bench_alloc (false, n * sizeof *names);
  for (int64_t v = 0; v < n; v++)
    {
      if (!fgets (line, sizeof line, f))
	bench_fatal ("%s: fewer than %lld names", file, (long long) n);
      line[strcspn (line, "\n")] = 0;
      names[v] = bench_alloc (false, strlen (line) + 1);
      strcpy (names[v], line);
    }
  fclose (f);
}

/* One int32_t for each node, at most LIMIT - 1 and at least LOW.  */
static int32_t *
read_numbers (const char *file, int64_t n, int32_t low, int64_t limit)
{
  FILE *f = fopen (file, "rb");
  int32_t *numbers = bench_alloc (false, n * sizeof *numbers);
  if (!f || fread (numbers, sizeof *numbers, n, f) != (size_t) n)
    bench_fatal ("%s: %s", file, f ? "too short" : strerror (errno));
  for (int64_t v = 0; v < n; v++)
    if (numbers[v] < low || numbers[v] >= limit)
      bench_fatal ("%s: %d is out of range", file, numbers[v]);
  fclose (f);
  return numbers;
}

/* The nodes with GROUP[v] == WHICH that most others need, best first.  */
static int
best_of (const int32_t *group, int32_t which, int64_t n, int64_t *best,
	 int most)
{
  int count = 0;
  for (int64_t v = 0; v < n; v++)
    {
      if (group[v] != which)
	continue;
      int at = count < most ? count++ : most;
      while (at > 0 && needed_by[best[at - 1]] < needed_by[v])
	{
	  if (at < most)
	    best[at] = best[at - 1];
	  at--;
	}
      if (at < most)
	best[at] = v;
    }
  return count;
}

static void
print_best (const int32_t *group, int32_t which, int64_t n, int most)
{
  int64_t best[EXAMPLES];
  int count = best_of (group, which, n, best, most);
  for (int i = 0; i < count; i++)
    printf ("%s%s", i ? ", " : "", names[best[i]]);
  putchar ('\n');
}

static double
modularity (const struct graph *g, const int32_t *community)
{
  double *tot = calloc (g->n, sizeof *tot), inside = 0, squares = 0;
  if (!tot)
    bench_fatal ("out of memory");
  for (int64_t v = 0; v < g->n; v++)
    {
      tot[community[v]] += g->row[v + 1] - g->row[v];
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	inside += community[g->col[e]] == community[v];
    }
  for (int64_t c = 0; c < g->n; c++)
    squares += tot[c] * tot[c];
  free (tot);
  double m = g->m;
  return m > 0 ? inside / m - squares / m / m : 0;
}

static int64_t *sizes;	/* For by_size alone: qsort passes no context.  */

static int
by_size (const void *a, const void *b)
{
  int64_t x = sizes[*(const int32_t *) a], y = sizes[*(const int32_t *) b];
  return x < y ? 1 : x > y ? -1 : *(const int32_t *) a - *(const int32_t *) b;
}

static void
print_communities (const struct graph *g, const int32_t *community)
{
  int32_t *order = bench_alloc (false, g->n * sizeof *order);
  int64_t count = 0, alone = 0;
  sizes = calloc (g->n, sizeof *sizes);
  if (!sizes)
    bench_fatal ("out of memory");
  for (int64_t v = 0; v < g->n; v++)
    sizes[community[v]]++;
  for (int64_t c = 0; c < g->n; c++)
    {
      order[c] = c;
      count += sizes[c] > 1;
      alone += sizes[c] == 1;
    }
  qsort (order, g->n, sizeof *order, by_size);
  printf ("Communities: %lld of two packages or more, and %lld packages by "
	  "themselves.  Modularity %.4f.\n"
	  "The largest, with the packages that most others depend on:\n\n",
	  (long long) count, (long long) alone, modularity (g, community));
  for (int64_t i = 0; i < COMMUNITIES && i < g->n && sizes[order[i]] > 1; i++)
    {
      printf ("  %2lld  %6lld packages  ", (long long) i + 1,
	      (long long) sizes[order[i]]);
      print_best (community, order[i], g->n, EXAMPLES);
    }
  free (order);
  free (sizes);
}

static void
print_levels (const int32_t *level, int64_t n, int64_t root)
{
  int64_t *count = calloc (n + 1, sizeof *count), most = 1;
  int64_t last = 0;
  if (!count)
    bench_fatal ("out of memory");
  for (int64_t v = 0; v < n; v++)
    {
      count[level[v] + 1]++;	/* count[0]: not reached.  */
      last = level[v] > last ? level[v] : last;
    }
  for (int64_t l = 0; l <= last; l++)
    most = count[l + 1] > most ? count[l + 1] : most;
  printf ("\nLevels from %s: a package on level k needs it through a shortest "
	  "chain of k dependencies.\n\n", names[root]);
  for (int64_t l = 0; l <= last; l++)
    {
      int bar = (count[l + 1] * WIDTH + most - 1) / most;
      printf ("  %2lld  %6lld  %.*s%*s  ", (long long) l,
	      (long long) count[l + 1], bar,
	      "########################################", WIDTH - bar, "");
      print_best (level, l, n, 4);
    }
  printf ("\n  %lld packages don't need it at all, such as ",
	  (long long) count[0]);
  print_best (level, -1, n, 4);
  free (count);
}

int
main (int argc, char **argv)
{
  const char *directory = ".";
  uint64_t root = 0;
  char file[4096];
  const struct bench_option options[] = {
    { "directory", BENCH_TEXT, &directory, "where the files are" },
    { "root", BENCH_NUMBER, &root, "the node that bfs started from" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Print what bfs and louvain found in the package graph.");
  snprintf (file, sizeof file, "%s/needed-by.csr", directory);
  struct graph needs = graph_read (file, false);
  snprintf (file, sizeof file, "%s/undirected.csr", directory);
  struct graph both = graph_read (file, false);
  if (needs.n != both.n || root >= (uint64_t) needs.n)
    bench_fatal ("%s: the graphs don't belong together", directory);
  int64_t n = needs.n;
  needed_by = bench_alloc (false, n * sizeof *needed_by);
  for (int64_t v = 0; v < n; v++)
    needed_by[v] = needs.row[v + 1] - needs.row[v];
  snprintf (file, sizeof file, "%s/packages.txt", directory);
  read_names (file, n);
  snprintf (file, sizeof file, "%s/communities.bin", directory);
  int32_t *community = read_numbers (file, n, 0, n);
  snprintf (file, sizeof file, "%s/levels.bin", directory);
  int32_t *level = read_numbers (file, n, -1, n);
  print_communities (&both, community);
  print_levels (level, n, root);
  for (int64_t v = 0; v < n; v++)
    free (names[v]);
  free (names);
  free (needed_by);
  free (community);
  free (level);
  graph_free (&needs);
  graph_free (&both);
  return 0;
}
