/* What names.exp needs: a trace whose names are chosen to do harm, and looks at
   what a command makes of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "check.h"
#include "trace/write.h"
#include "ummgr.unit/markup-check.h"
#include "base/utf8.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* They move a cursor, end a line, a tag, a cell, or a character; a spreadsheet
   takes them for formulas; XML has no place for them.  */
static const char *const names[]
  = { "a\033[31m\r\nforged", "\xc2\x9b" "2J<x>&\"'", "\xff\xfe\xe2\x82",
      "=1+1", "+1", "-1", "@x", "\xef\xbf\xbf", "%n%s" };
enum { NAMES = sizeof names / sizeof *names, PAGE = 4096 };

static void
put_object (struct ummgr_trace_writer *w, int i)
{
  struct ummgr_trace_record r = {
    .kind = UMMGR_TRACE_OBJECT,
    .u.object = { .object = i + 1, .name = i % 2 ? names[i] : "",
		  .file = names[i], .line = i, .size = 4 * PAGE,
		  .base = 0x7f0000000000 + ((uint64_t) i << 24),
		  .element_size = 4, .layout = i ? "" : "\033:0:4;" }
  };
  ummgr_trace_write (w, &r);
  r = (struct ummgr_trace_record) {
    .kind = UMMGR_TRACE_COPY,
    .u.move = { .object = i + 1, .size = 4 * PAGE, .from = UMMGR_TRACE_HOST,
		.copy = i + 1, .file = names[i], .line = 7 }
  };
  ummgr_trace_write (w, &r);
}

/* Its copy was used in vain.  */
static void
put_end (struct ummgr_trace_writer *w, int i)
{
  struct ummgr_trace_state state = { 1, PAGE };
  struct ummgr_trace_cells run = { .length = PAGE / 4, .state = 1 };
  struct ummgr_trace_record r = {
    .kind = UMMGR_TRACE_FACTS,
    .u.facts = { .object = i + 1, .phase = 1, .words = PAGE, .states = &state,
		 .state_count = 1, .runs = &run, .run_count = 1,
		 .cells = PAGE / 4, .cell_words = 4 }
  };
  ummgr_trace_write (w, &r);
  r = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_OUTCOME,
				    .u.outcome = { i + 1, PAGE, PAGE, 0 } };
  ummgr_trace_write (w, &r);
}

static void
write_trace (const char *path)
{
  struct ummgr_trace_run run = {
    .program = names[0], .profile = "v100-nvlink2", .policy = names[1],
    .writer = names[2], .page_size = PAGE, .granularity = PAGE, .devices = 1,
    .sample = 1, .block = PAGE, .instrumented = 1
  };
  struct ummgr_trace_writer *w;
  CHECK (ummgr_trace_writer_open (path, &run, &w) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (w);
  struct ummgr_trace_record r
    = { .kind = UMMGR_TRACE_REGION, .u.region = { 1, names[0], names[1], 3 } };
  ummgr_trace_write (w, &r);
  for (int i = 0; i < NAMES; i++)
    put_object (w, i);
  r = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_BEGIN,
				    .u.launch = { 1, 1, 0 } };
  ummgr_trace_write (w, &r);
  for (int i = 0; i < NAMES; i++)
    {
      struct ummgr_trace_access a
	= { .object = i + 1, .launch = 1, .count = 1, .size = 4,
	    .access = UMMGR_TRACE_READ };
      ummgr_trace_stream_write (stream, &a, 1);
    }
  r.kind = UMMGR_TRACE_FINISH;
  ummgr_trace_write (w, &r);
  for (int i = 0; i < NAMES; i++)
    put_end (w, i);
  r = (struct ummgr_trace_record) {
    .kind = UMMGR_TRACE_PHASE, .u.phase = { 1, names[0], names[3], 1 }
  };
  ummgr_trace_write (w, &r);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
}

static char *
load (const char *path)
{
  static char text[1 << 20];
  FILE *f = fopen (path, "rb");
  CHECK (f);
  size_t n = fread (text, 1, sizeof text - 1, f);
  fclose (f);
  CHECK (n > 0 && n < sizeof text - 1 && !memchr (text, 0, n));
  text[n] = 0;
  return text;
}

/* Lines of printable characters, none of which a name has made.  */
static void
check_text (const char *text)
{
  for (const char *p = text; *p;)
    {
      size_t length = ummgr_utf8_printable (p);
      CHECK (length || *p == '\n');
      p += length ? length : 1;
    }
  CHECK (strncmp (text, "forged", 6) && !strstr (text, "\nforged"));
}

/* No cell is a formula.  */
static void
check_csv (const char *text)
{
  bool quoted = false, begins = true;
  for (const char *p = text; *p; p++)
    {
      CHECK (!begins || !strchr ("=+-@\t", *p));
      if (*p == '"' && !quoted)
	CHECK (!strchr ("=+-@\t\r", p[1]));
      quoted ^= *p == '"';
      begins = !quoted && (*p == ',' || *p == '\n');
    }
  CHECK (strstr (text, ",'=1+1,") && strstr (text, ",'@x,"));
}

int
main (int argc, char **argv)
{
  CHECK (argc == 3);
  if (strcmp (argv[1], "trace") == 0)
    write_trace (argv[2]);
  else if (strcmp (argv[1], "text") == 0)
    check_text (load (argv[2]));
  else if (strcmp (argv[1], "csv") == 0)
    check_csv (load (argv[2]));
  else if (strcmp (argv[1], "json") == 0)
    {
      json_t *json = json_loads (load (argv[2]), 0, NULL);
      CHECK (json_is_object (json) && json_object_size (json) > 1);
      json_decref (json);
    }
  else
    {
      const char *text = load (argv[2]);
      for (const char *p = text; *p; p++)
	CHECK (ummgr_utf8_printable (p) || *p == '\n'
	       || (*p & 0xc0) == 0x80);
      markup_check (text);
    }
  return 0;
}
