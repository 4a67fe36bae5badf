/* Traces that are small and ask for much: a reader that does all they say takes the
   machine's memory or never ends; or one that stops and doesn't say by which limit,
   says it twice, or can't be told to go on.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "replay/classify.h"
#include "replay/evict.h"
#include "replay/policies.h"
#include "device/profile.h"
#include "trace-test.h"
#include "diagnose/diagnose.h"

#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 1 << 20 };

/* A trace in memory, opened anew through its name, and what was said.  */
static int file, said;
static char path[64];
static struct ummgr_trace_writer *writer;

/* --- traces ------------------------------------------------------------------ */

static struct ummgr_trace_stream *
trace_begin (uint64_t size)
{
  struct ummgr_trace_run run = test_run;
  run.page_size = PAGE;
  CHECK (ummgr_trace_writer_open (path, &run, &writer) == UMMGR_OK);
  struct ummgr_trace_record records[] = {
    { .kind = UMMGR_TRACE_REGION, .u.region = { 1, "r", "f.c", 3 } },
    { .kind = UMMGR_TRACE_OBJECT,
      .u.object = { .object = 1, .name = "x", .file = "f.c",
		    .base = 0x10000000000, .size = size } },
    { .kind = UMMGR_TRACE_BEGIN, .u.launch = { 1, 1, 0 } }
  };
  for (size_t i = 0; i < sizeof records / sizeof *records; i++)
    ummgr_trace_write (writer, &records[i]);
  return ummgr_trace_stream_open (writer);
}

static void
trace_end (struct ummgr_trace_stream *stream)
{
  struct ummgr_trace_record finish
    = { .kind = UMMGR_TRACE_FINISH, .u.launch = { 1, 1, 0 } };
  ummgr_trace_write (writer, &finish);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
}

/* One access to each of so many pages of an object.  */
static void
make_sweep (uint64_t object_pages, uint64_t pages)
{
  struct ummgr_trace_stream *stream = trace_begin (object_pages * PAGE);
  struct ummgr_trace_access a = {
    .object = 1, .launch = 1, .count = pages, .size = 4,
    .stride = pages > 1 ? PAGE : 0, .access = UMMGR_TRACE_READ
  };
  ummgr_trace_stream_write (stream, &a, 1);
  trace_end (stream);
}

/* The whole of an object of 65,536 pages, again and again: the host's and the
   GPU's turn.  */
static void
make_turns (unsigned turns)
{
  struct ummgr_trace_stream *stream = trace_begin (UINT64_C (65536) * PAGE);
  for (unsigned i = 0; i < turns; i++)
    {
      struct ummgr_trace_access a = {
	.object = 1, .launch = i % 2, .count = 65536, .size = 4,
	.stride = PAGE, .access = UMMGR_TRACE_WRITE
      };
      ummgr_trace_stream_write (stream, &a, 1);
    }
  trace_end (stream);
}

/* An access to two pages that stands still, which the TLB serves.  */
static void
make_standstill (void)
{
  struct ummgr_trace_stream *stream = trace_begin (2 * PAGE);
  struct ummgr_trace_access a = {
    .object = 1, .offset = PAGE - 2, .launch = 1, .count = UINT64_C (1) << 40,
    .size = 4, .access = UMMGR_TRACE_READ
  };
  ummgr_trace_stream_write (stream, &a, 1);
  trace_end (stream);
}

/* --- readers ----------------------------------------------------------------- */

static enum ummgr_status
report (void)
{
  struct ummgr_diagnosis *d = ummgr_diagnose (path, NULL);
  enum ummgr_status status = d && !d->cut ? UMMGR_OK : UMMGR_ERR_LIMIT;
  ummgr_diagnosis_free (d);
  return status;
}

static enum ummgr_status
evict (void)
{
  struct ummgr_replay_case cases[] = {
    { .policy = "lru", .part = 0.5 }, { .policy = "ideal", .part = 0.5 }
  };
  struct ummgr_replay_options options
    = { .pages = { .tlb.shared = { 512, 16 }, .device = -1 } };
  return ummgr_replay_evict (path, &options, cases, 2, NULL);
}

static enum ummgr_status
policies (void)
{
  struct ummgr_profile profile;
  CHECK (ummgr_profile_find ("v100-nvlink2", &profile));
  struct ummgr_replay_run run = {
    .policy = "um", .evict = "lru", .transfer = "hybrid",
    .device = profile.device[0]
  };
  struct ummgr_page_options options = { .device = -1 };
  return ummgr_replay_policies (path, &options, &run, 1, NULL);
}

static enum ummgr_status
classify (void)
{
  struct ummgr_page_options options = { .tlb.shared = { 512, 16 }, .device = -1 };
  struct ummgr_classified *c;
  enum ummgr_status status = ummgr_classify (path, &options, &c);
  if (!status)
    ummgr_classified_free (c);
  return status;
}

/* READ ends with STATUS, and one message that names VARIABLE, or none.  */
static void
read_gives (enum ummgr_status (*read) (void), enum ummgr_status status,
	    const char *variable)
{
  char text[1024] = "";
  CHECK (ftruncate (said, 0) == 0 && lseek (said, 0, SEEK_SET) == 0);
  CHECK_EQ (read (), status);
  CHECK (pread (said, text, sizeof text - 1, 0) >= 0);
  const char *end = strchr (text, '\n');
  if (variable)
    CHECK (strstr (text, variable) && end && !end[1]);
  else
    CHECK (!*text);
}

/* With little allowed READ stops at VARIABLE; with more it comes to the end.  */
static void
check_both (enum ummgr_status (*read) (void), const char *variable,
	    const char *little, const char *more)
{
  setenv (variable, little, 1);
  read_gives (read, UMMGR_ERR_LIMIT, variable);
  setenv (variable, more, 1);
  read_gives (read, UMMGR_OK, NULL);
  unsetenv (variable);
}

int
main (void)
{
  file = memfd_create ("trace", 0);
  said = memfd_create ("said", 0);
  CHECK (file >= 0 && said >= 0 && dup2 (said, 2) == 2);
  snprintf (path, sizeof path, "/proc/self/fd/%d", file);

  make_sweep (PAGES, PAGES);
  check_both (evict, "UMMGR_READ_STEPS", "64K", "4M");
  check_both (policies, "UMMGR_READ_STEPS", "64K", "4M");
  check_both (classify, "UMMGR_READ_STEPS", "64K", "4M");
  check_both (evict, "UMMGR_READ_MEMORY", "1M", "1G");
  check_both (policies, "UMMGR_READ_MEMORY", "1M", "1G");
  check_both (classify, "UMMGR_READ_MEMORY", "1M", "1G");
  make_turns (64);
  check_both (report, "UMMGR_READ_STEPS", "64K", "8M");
  check_both (report, "UMMGR_READ_MEMORY", "64K", "64M");

  /* By default.  */
  make_sweep (UINT64_C (1) << 30, 1);
  read_gives (evict, UMMGR_ERR_LIMIT, "UMMGR_READ_MEMORY");
  read_gives (classify, UMMGR_ERR_LIMIT, "UMMGR_READ_MEMORY");
  setenv ("UMMGR_READ_STEPS", "1M", 1);
  make_standstill ();
  read_gives (evict, UMMGR_ERR_LIMIT, "UMMGR_READ_STEPS");
  read_gives (classify, UMMGR_ERR_LIMIT, "UMMGR_READ_STEPS");
  read_gives (report, UMMGR_OK, NULL);

  setenv ("UMMGR_READ_STEPS", "junk", 1);
  read_gives (evict, UMMGR_ERR_INVALID, "UMMGR_READ_STEPS");
  return 0;
}
