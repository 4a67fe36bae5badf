/* depgraph: the package dependency graph of a Debian machine as two graphs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads control-file stanzas and writes, in the format of graph.h,
   needed-by.csr (arcs from a package to those that depend on it),
   undirected.csr (the same both ways), and packages.txt (names, one in a
   line, in the order of the nodes).  */

#include "common.h"
#include "demo/packages.h"
#include "graph.h"

static void
write_names (const struct packages *p, const char *file)
{
  FILE *f = fopen (file, "w");
  if (!f)
    bench_fatal ("%s: %s", file, strerror (errno));
  for (size_t i = 0; i < packages_count (p); i++)
    fprintf (f, "%s\n", packages_name (p, i));
  if (fclose (f) != 0)
    bench_fatal ("%s: %s", file, strerror (errno));
}

/* Returns the number of different dependencies.  */
static long long
write_graphs (const char *directory, const struct packages *p,
	      struct package_arcs *arcs)
{
  char file[4096];
  size_t n = packages_count (p);
  snprintf (file, sizeof file, "%s/packages.txt", directory);
  write_names (p, file);

  struct graph g = graph_from_pairs (n, arcs->pairs, arcs->count, true, false);
  snprintf (file, sizeof file, "%s/undirected.csr", directory);
  graph_write (&g, file);
  graph_free (&g);

  for (size_t i = 0; i < arcs->count; i++)
    {
      int32_t from = arcs->pairs[i][0];
      arcs->pairs[i][0] = arcs->pairs[i][1];
      arcs->pairs[i][1] = from;
    }
  g = graph_from_pairs (n, arcs->pairs, arcs->count, false, false);
  snprintf (file, sizeof file, "%s/needed-by.csr", directory);
  graph_write (&g, file);
  long long count = g.m;
  graph_free (&g);
  return count;
}

int
main (int argc, char **argv)
{
  const char *input = NULL, *output = ".", *root = NULL;
  bool recommends = false;
  const struct bench_option options[] = {
    { "input", BENCH_TEXT, &input, "read this instead of standard input" },
    { "output", BENCH_TEXT, &output, "directory for the files" },
    { "recommends", BENCH_SWITCH, &recommends, "count Recommends too" },
    { "root", BENCH_TEXT, &root, "print this package's node as well" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Turn Debian package stanzas into dependency graphs.");
  FILE *in = input ? fopen (input, "r") : stdin;
  if (!in)
    bench_fatal ("%s: %s", input, strerror (errno));
  struct packages *p = packages_read (in, recommends);
  if (ferror (in))
    bench_fatal ("%s: %s", input ? input : "standard input", strerror (errno));
  if (packages_count (p) == 0)
    bench_fatal ("%s: no packages", input ? input : "standard input");
  struct package_arcs arcs = packages_resolve (p);
  long long count = write_graphs (output, p, &arcs);
  printf ("packages=%zu dependencies=%lld unresolved=%zu skipped=%zu",
	  packages_count (p), count, arcs.unresolved, packages_skipped (p));
  if (root)
    printf (" root=%lld", (long long) packages_find (p, root));
  putchar ('\n');
  free (arcs.pairs);
  packages_free (p);
  if (input)
    fclose (in);
  return 0;
}
