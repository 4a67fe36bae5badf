/* Breaks if two processes write to one file where each should have its own, or a
   name is taken apart wrongly.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "base/output.h"

#include <string.h>
#include <unistd.h>

static char *
text (const char *format, int pid)
{
  char *out;
  CHECK (asprintf (&out, format, pid) > 0);
  return out;
}

static void
expands (const char *name, pid_t pid, const char *wanted)
{
  char *got = ummgr_output_expand (name, pid);
  CHECK (got);
  CHECK (strcmp (got, wanted) == 0);
  free (got);
}

static void
patterns (void)
{
  char host[300];
  setenv ("UMMGR_TEST_RANK", "3", 1);
  expands ("s.json", 12, "s.json");
  expands ("s-%p.json", 12, "s-12.json");
  expands ("%p%p", 12, "1212");
  expands ("%q{UMMGR_TEST_RANK}-%q{UMMGR_TEST_NONE}.", 12, "3-.");
  expands ("100%%-%p", 12, "100%-12");
  /* What comes out is expanded once more.  */
  expands ("100%%-%q{UMMGR_TEST_RANK}-%p", 0, "100%%-3-%p");
  expands ("50%.json%", 12, "50%.json%");
  expands ("%q{RANK", 12, "%q{RANK");
  CHECK (gethostname (host, sizeof host) == 0);
  expands ("%h", 12, host);
  CHECK (ummgr_output_has_pid ("a%p"));
  CHECK (!ummgr_output_has_pid ("a%%p%q{p}"));
}

static void
processes (void)
{
  struct ummgr_options named = { .stats = "s.json", .report = "-",
    .trace = "/a.b/t" }, own;
  CHECK (chdir ("/tmp") == 0);
  ummgr_output_resolve (&own, &named, false);
  CHECK (strcmp (own.stats, "/tmp/s.json") == 0);
  CHECK (strcmp (own.report, "-") == 0);
  CHECK (strcmp (own.trace, "/a.b/t") == 0);
  /* A daemon leaves the directory.  */
  CHECK (chdir ("/") == 0);
  ummgr_output_resolve (&own, &named, true);
  CHECK (strcmp (own.stats, text ("/tmp/s.%d.json", getpid ())) == 0);
  CHECK (strcmp (own.report, "-") == 0);
  CHECK (strcmp (own.trace, text ("/a.b/t.%d", getpid ())) == 0);
  named.stats = "s%p.json";
  named.report = NULL;
  ummgr_output_resolve (&own, &named, true);
  CHECK (strcmp (own.stats, text ("/tmp/s%d.json", getpid ())) == 0);
  CHECK (!own.report);
}

static void
named_for_rank (const char *name, const char *wanted)
{
  char *got = ummgr_output_for_rank (name);
  CHECK (got);
  CHECK (strcmp (got, wanted) == 0);
  free (got);
}

/* Of several ranks each has its own, whoever names it: also where what has come out is named again.  */
static void
ranks (void)
{
  struct ummgr_options named = { .stats = "/a.b/s.json", .report = "/dev/null", .trace = "-" }, own;
  named_for_rank ("s.json", "s.json");
  expands ("s%r", 12, "s0");
  setenv ("OMPI_COMM_WORLD_RANK", "3", 1);
  /* Nobody says that there is another.  */
  named_for_rank ("s.json", "s.json");
  setenv ("OMPI_COMM_WORLD_SIZE", "4", 1);
  expands ("s%r%%r", 12, "s3%r");
  expands ("s%r%%r", 0, "s%r%%r");
  named_for_rank ("s.json", "s.%r.json");
  named_for_rank ("/a.b/s", "/a.b/s.%r");
  named_for_rank ("s.%r.json", "s.%r.json");
  named_for_rank ("s.%h.json", "s.%h.%r.json");
  named_for_rank ("s.%p.json", "s.%p.json");
  named_for_rank ("s.%q{A}.json", "s.%q{A}.json");
  named_for_rank ("s.%%p.json", "s.%%p.%r.json");
  ummgr_output_resolve (&own, &named, false);
  CHECK (strcmp (own.stats, "/a.b/s.3.json") == 0);
  CHECK (strcmp (own.report, "/dev/null") == 0 && strcmp (own.trace, "-") == 0);
  ummgr_output_resolve (&own, &named, true);
  CHECK (strcmp (own.stats, text ("/a.b/s.3.%d.json", getpid ())) == 0);
}

int
main (void)
{
  unsetenv ("OMPI_COMM_WORLD_RANK");
  patterns ();
  processes ();
  ranks ();
  return 0;
}
