/* collect: results of a benchmark script as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads lines of NAME=VALUE words after `row` or `summary`, and writes
   {"name": NAME, "rows": [{...}...], "summary": {...}}.  What reads as a
   number becomes one.  */

#include "common.h"

#include <jansson.h>

static json_t *
value_make (const char *text)
{
  char *end;
  errno = 0;
  long long whole = strtoll (text, &end, 10);
  if (*text && !*end && !errno)
    return json_integer (whole);
  double real = strtod (text, &end);
  if (*text && !*end)
    return json_real (real);
  return json_string (text);
}

static void
words_add (json_t *object, char *words, const char *line)
{
  char *save;
  for (char *w = strtok_r (words, " \n", &save); w;
       w = strtok_r (NULL, " \n", &save))
    {
      char *equals = strchr (w, '=');
      if (!equals)
	bench_fatal ("expected NAME=VALUE, not '%s' in: %s", w, line);
      *equals = 0;
      if (json_object_set_new (object, w, value_make (equals + 1)) != 0)
	bench_fatal ("not text: %s", line);
    }
}

int
main (int argc, char **argv)
{
  const char *name = "bench", *output = NULL;
  const struct bench_option options[] = {
    { "name", BENCH_TEXT, &name, "of the benchmark" },
    { "output", BENCH_TEXT, &output, "file to write" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Turn result lines into JSON.");
  if (!output)
    bench_fatal ("--output=FILE is missing");
  json_t *rows = json_array (), *summary = json_object ();
  char line[4096], words[4096];
  while (fgets (line, sizeof line, stdin))
    {
      line[strcspn (line, "\n")] = 0;
      strcpy (words, line);
      if (strncmp (words, "row ", 4) == 0)
	{
	  json_t *row = json_object ();
	  words_add (row, words + 4, line);
	  json_array_append_new (rows, row);
	}
      else if (strncmp (words, "summary ", 8) == 0)
	words_add (summary, words + 8, line);
      else if (*words)
	bench_fatal ("expected `row` or `summary`: %s", line);
    }
  json_t *all = json_pack ("{ss so so}", "name", name, "rows", rows,
			   "summary", summary);
  if (!all || json_dump_file (all, output, JSON_INDENT (1)
			      | JSON_REAL_PRECISION (6)) != 0)
    bench_fatal ("can't write %s", output);
  json_decref (all);
  return 0;
}
