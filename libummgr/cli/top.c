/* `ummgr top': what a running program does.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Reads the page that the program's library writes (base/live.h), again and again; the program does
   not notice.  No state.  */

#include "config.h"
#include "base/color.h"
#include "base/human.h"
#include "base/live.h"
#include "base/log.h"
#include "base/table.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct arguments
{
  bool once;
  double delay;			/* Seconds.  */
};

const struct ummgr_option ummgr_top_rows[] = {
  UMMGR_OPTION ("once", FLAG, struct arguments, once, "show once what is so now, without rates, and end",
		.letter = '1'),
  UMMGR_OPTION ("delay", TIME, struct arguments, delay, "from one look to the next", .fallback = "1s",
		.letter = 'd'),
  { .name = NULL }
};

static const char doc[]
  = "Show what a running program does, that was started with ummgr run --live: launches, bytes moved, faults, "
    "evictions, the region that runs, and its objects.\vWithout PID it is the only such program of this user.  "
    "Where the output is no terminal, or with --once, it is shown once.  Ends with the program.";

/* --- which program ------------------------------------------------------------------- */

/* The number that NAME is; 0: it is none.  */
static pid_t
parse_pid (const char *name)
{
  char *end;
  long n = strtol (name, &end, 10);
  return *name >= '1' && *name <= '9' && !*end && n > 0 && n <= INT32_MAX ? n : 0;
}

/* The files of programs that were killed stay: they go now.  */
static bool
is_there (pid_t pid)
{
  struct ummgr_live page;
  enum ummgr_live_state state = ummgr_live_read (pid, &page);
  if (state == UMMGR_LIVE_STALE)
    ummgr_live_forget (pid);
  return state == UMMGR_LIVE_THERE;
}

/* The only program that there is; 0 after a message.  */
static pid_t
find_only (void)
{
  char directory[PATH_MAX], list[512] = "";
  struct dirent *e;
  pid_t found = 0;
  unsigned count = 0;
  DIR *d = ummgr_live_directory (directory, sizeof directory, false) ? opendir (directory) : NULL;
  while (d && (e = readdir (d)))
    {
      pid_t pid = parse_pid (e->d_name);
      if (!pid || !is_there (pid))
	continue;
      size_t used = strlen (list);
      snprintf (list + used, sizeof list - used, " %d", (int) pid);
      found = pid;
      count++;
    }
  if (d)
    closedir (d);
  if (count == 1)
    return found;
  if (count)
    ummgr_error ("top: %u programs run; say which:%s", count, list);
  else
    ummgr_error ("top: no program of this user can be looked at (ummgr run --live PROGRAM starts one; it "
		 "shows from its first target construct on)");
  return 0;
}

/* PID's page; false after a message.  */
static bool
look (pid_t pid, struct ummgr_live *out)
{
  switch (ummgr_live_read (pid, out))
    {
    case UMMGR_LIVE_THERE:
      return true;
    case UMMGR_LIVE_STALE:
      ummgr_live_forget (pid);
      ummgr_error ("top: process %d has ended", (int) pid);
      return false;
    case UMMGR_LIVE_BAD:
      ummgr_error ("top: what process %d has left is no page of this ummgr's: start it with the ummgr run --live of "
		   "the same version", (int) pid);
      return false;
    default:
      ummgr_error ("top: process %d can't be looked at: it has ended, is another user's, was not started with "
		   "ummgr run --live, or has met no target construct yet", (int) pid);
      return false;
    }
}

/* --- output ---------------------------------------------------------------------------- */

/* A row: NAME, NOW as PUT has it, and, if SECONDS, how much more that is than BEFORE, for each of them.  */
static void
put_row (struct ummgr_table *table, const char *name, uint64_t now, uint64_t before, double seconds, bool bytes)
{
  double rate = seconds > 0 ? (double) (now - before) / seconds : 0;
  ummgr_table_add (table, "%s\t%s", name,
		   bytes ? ummgr_human_bytes ((double) now).text : ummgr_human_count ((int64_t) now).text);
  if (seconds > 0)
    ummgr_table_add (table, "\t%s/s",
		     bytes ? ummgr_human_bytes (rate).text : ummgr_human_count ((int64_t) (rate + 0.5)).text);
  ummgr_table_add (table, "\n");
}

static void
put_counters (const struct ummgr_live *now, const struct ummgr_live *before, double seconds)
{
  const struct ummgr_counters *c = &now->counters, *b = &before->counters;
  struct ummgr_table table = { .columns = "lrr", .indent = "  " };
  put_row (&table, "launches", c->launches, b->launches, seconds, false);
  put_row (&table, "to the device", c->h2d_bytes, b->h2d_bytes, seconds, true);
  put_row (&table, "back", c->d2h_bytes, b->d2h_bytes, seconds, true);
  put_row (&table, "GPU faults", c->gpu_faults, b->gpu_faults, seconds, false);
  put_row (&table, "CPU faults", c->cpu_faults, b->cpu_faults, seconds, false);
  put_row (&table, "evictions", c->evictions, b->evictions, seconds, false);
  ummgr_table_end (&table, stdout);
}

static void
put_objects (const struct ummgr_live *now, size_t room)
{
  struct ummgr_table table = { .columns = "lrr", .indent = "  ", .head = true };
  size_t shown = now->object_count < UMMGR_LIVE_OBJECTS ? now->object_count : UMMGR_LIVE_OBJECTS;
  if (shown > room)
    shown = room;
  if (!shown)
    return;
  ummgr_table_add (&table, "object of the region\tsize\ton the device\n");
  for (size_t i = 0; i < shown; i++)
    {
      const struct ummgr_live_object *o = &now->object[i];
      if (*o->name)
	ummgr_table_add (&table, "%s", o->name);
      else
	ummgr_table_add (&table, "#%" PRIu64, o->id);
      ummgr_table_add (&table, "\t%s\t%s\n", ummgr_human_bytes ((double) o->size).text,
		       ummgr_human_bytes ((double) o->on_device).text);
    }
  ummgr_table_end (&table, stdout);
  if (shown < now->object_count)
    printf ("  (%" PRIu64 " more)\n", now->object_count - shown);
}

/* SECONDS lie between BEFORE and NOW; 0: there is none before.  */
static void
put_page (const struct ummgr_live *now, const struct ummgr_live *before, double seconds, size_t room)
{
  ummgr_color_put (stdout, UMMGR_COLOR_HEAD);
  printf ("%s, process %" PRId64 ", policy %s", now->program, now->pid, now->policy);
  ummgr_color_put (stdout, UMMGR_COLOR_NONE);
  if (*now->region)
    printf ("\n%s: %s\n", now->running ? "runs" : "ran last", now->region);
  else
    printf ("\nno region has run yet\n");
  put_counters (now, before, seconds);
  put_objects (now, room);
  fflush (stdout);
}

/* Rows of the terminal beside those that are always there.  */
static size_t
room_for_objects (void)
{
  enum { ALWAYS = 11, USUAL = 24 };
  struct winsize size;
  size_t rows = ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : USUAL;
  return rows > ALWAYS ? rows - ALWAYS : 0;
}

/* Until the program ends, which is no error.  */
static int
watch (pid_t pid, struct ummgr_live *first, double delay)
{
  struct ummgr_live before = *first, now = *first;
  const struct timespec wait = { (time_t) delay, (delay - (double) (time_t) delay) * 1e9 };
  double seconds = 0;
  enum ummgr_live_state state;
  do
    {
      /* The whole screen, for a shorter page must leave nothing of the one before.  */
      fputs ("\033[H\033[J", stdout);
      put_page (&now, &before, seconds, room_for_objects ());
      if (ferror (stdout))
	return UMMGR_EXIT_FAILURE;
      before = now;
      nanosleep (&wait, NULL);
      seconds = delay;
      state = ummgr_live_read (pid, &now);
    }
  while (state == UMMGR_LIVE_THERE);
  if (state == UMMGR_LIVE_STALE)
    ummgr_live_forget (pid);
  printf ("\n%s has ended\n", before.program);
  return 0;
}

int
ummgr_cli_top (int argc, char **argv)
{
  struct arguments a = { .once = false };
  struct ummgr_cli_files files = { .what = "process", .usage = "[PID]", .most = 1, .optional = true };
  if (!ummgr_cli_parse (ummgr_top_rows, &a, &files, doc, argc, argv))
    return UMMGR_EXIT_FAILURE;
  pid_t pid = files.count ? parse_pid (files.name[0]) : find_only ();
  if (!pid && files.count)
    ummgr_error ("top: '%s' is no number of a process", files.name[0]);
  struct ummgr_live page;
  if (!pid || !look (pid, &page))
    return UMMGR_EXIT_FAILURE;
  if (!a.once && a.delay > 0 && ummgr_terminal (STDOUT_FILENO))
    return watch (pid, &page, a.delay);
  put_page (&page, &page, 0, UMMGR_LIVE_OBJECTS);
  return 0;
}
