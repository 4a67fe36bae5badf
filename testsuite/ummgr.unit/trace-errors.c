/* Traces that cannot be written or read: a program that is ended by its
   trace, a message too many or none, records lost that were flushed, a
   parent's trace that a child spoils, later formats misread.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "trace-test.h"
#include "trace/block.h"
#include "trace/bytes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char path[] = "trace-errors.ummt";
static const char log_path[] = "trace-errors.log";

static int saved_stderr;

/* Send what is logged to a file, and count its lines.  */
static void
log_begin (void)
{
  int fd = open (log_path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
  CHECK (fd >= 0);
  saved_stderr = dup (2);
  dup2 (fd, 2);
  close (fd);
}

static unsigned
log_end (const char *expect)
{
  dup2 (saved_stderr, 2);
  close (saved_stderr);
  size_t size;
  char *text = (char *) file_load (log_path, &size);
  text[size] = 0;
  unsigned lines = 0;
  for (size_t i = 0; i < size; i++)
    lines += text[i] == '\n';
  fputs (text, stderr);
  CHECK (!expect || strstr (text, expect));
  free (text);
  return lines;
}

static void
write_accesses (struct ummgr_trace_stream *stream, uint64_t *seed, int count)
{
  while (count--)
    {
      struct ummgr_trace_access a = random_access (seed);
      ummgr_trace_stream_write (stream, &a, 1);
    }
}

/* How many records can be read; they are those of write_accesses.  */
static uint64_t
check_accesses (const char *file, enum ummgr_status *status)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record r;
  uint64_t seed = 9, n = 0;
  CHECK (ummgr_trace_reader_open (file, &reader) == UMMGR_OK);
  while (!(*status = ummgr_trace_reader_next (reader, &r))
	 && r.kind != UMMGR_TRACE_END)
    if (r.kind == UMMGR_TRACE_ACCESS)
      {
	struct ummgr_trace_access want = random_access (&seed);
	CHECK (same_access (&r.u.access, &want));
	n++;
      }
  ummgr_trace_reader_close (reader);
  return n;
}

/* The limit on a file's size would end the program by a signal.  */
static void
test_limit (void)
{
  enum ummgr_status status;
  struct ummgr_trace_writer *writer;
  struct rlimit old, limit;
  uint64_t seed = 9;
  getrlimit (RLIMIT_FSIZE, &old);
  limit = old;
  limit.rlim_cur = 3 << 20;
  log_begin ();
  setrlimit (RLIMIT_FSIZE, &limit);
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  write_accesses (stream, &seed, 600000);
  struct ummgr_trace_record mark = mark_record ("later");
  ummgr_trace_write (writer, &mark);
  CHECK_EQ (ummgr_trace_flush (writer), UMMGR_ERR_IO);
  write_accesses (stream, &seed, 1000);
  CHECK_EQ (ummgr_trace_writer_close (writer), UMMGR_ERR_IO);
  setrlimit (RLIMIT_FSIZE, &old);
  CHECK_EQ (log_end (path), 1);
  log_begin ();
  CHECK (check_accesses (path, &status) > 50000);
  CHECK_EQ (status, UMMGR_ERR_INVALID);
  /* It was cut after its last whole block.  */
  CHECK_EQ (log_end ("without its end record"), 1);
}

static void
test_full (void)
{
  struct ummgr_trace_writer *writer;
  if (access ("/dev/full", W_OK) != 0)
    return;
  log_begin ();
  CHECK_EQ (ummgr_trace_writer_open ("/dev/full", &test_run, &writer),
	    UMMGR_ERR_IO);
  CHECK_EQ (ummgr_trace_writer_open ("/no/such/place", &test_run, &writer),
	    UMMGR_ERR_IO);
  CHECK_EQ (log_end ("/dev/full"), 2);
}

static void
test_killed (void)
{
  pid_t pid = fork ();
  CHECK (pid >= 0);
  if (pid == 0)
    {
      struct ummgr_trace_writer *writer;
      uint64_t seed = 9;
      CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
      struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
      write_accesses (stream, &seed, 1000);
      CHECK (ummgr_trace_flush (writer) == UMMGR_OK);
      write_accesses (stream, &seed, 100);
      raise (SIGKILL);
    }
  int how;
  enum ummgr_status status;
  CHECK (waitpid (pid, &how, 0) == pid && WIFSIGNALED (how));
  log_begin ();
  CHECK_EQ (check_accesses (path, &status), 1000);
  CHECK_EQ (status, UMMGR_ERR_INVALID);
  CHECK_EQ (log_end ("program was stopped"), 1);
}

static void
test_fork (void)
{
  struct ummgr_trace_writer *writer;
  uint64_t seed = 9;
  enum ummgr_status status;
  CHECK (ummgr_trace_writer_open (path, &test_run, &writer) == UMMGR_OK);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  write_accesses (stream, &seed, 500);
  pid_t pid = fork ();
  CHECK (pid >= 0);
  if (pid == 0)
    {
      struct ummgr_trace_record mark = mark_record ("child");
      write_accesses (stream, &seed, 100000);
      ummgr_trace_write (writer, &mark);
      ummgr_trace_flush (writer);
      ummgr_trace_stream_close (stream);
      ummgr_trace_writer_close (writer);
      _exit (0);
    }
  int how;
  CHECK (waitpid (pid, &how, 0) == pid && how == 0);
  write_accesses (stream, &seed, 500);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  CHECK_EQ (check_accesses (path, &status), 1000);
  CHECK_EQ (status, UMMGR_OK);
}

static void
test_pipe (void)
{
  struct ummgr_trace_writer *writer;
  char from[32], to[32];
  int ends[2];
  uint64_t seed = 9;
  enum ummgr_status status;
  CHECK (pipe (ends) == 0);
  snprintf (from, sizeof from, "/proc/self/fd/%d", ends[0]);
  snprintf (to, sizeof to, "/proc/self/fd/%d", ends[1]);
  CHECK (ummgr_trace_writer_open (to, &test_run, &writer) == UMMGR_OK);
  close (ends[1]);
  struct ummgr_trace_stream *stream = ummgr_trace_stream_open (writer);
  write_accesses (stream, &seed, 1000);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  CHECK_EQ (check_accesses (from, &status), 1000);
  CHECK_EQ (status, UMMGR_OK);
  close (ends[0]);

  /* A reader that leaves ends the trace, not the program.  */
  CHECK (pipe (ends) == 0);
  snprintf (to, sizeof to, "/proc/self/fd/%d", ends[1]);
  log_begin ();
  CHECK (ummgr_trace_writer_open (to, &test_run, &writer) == UMMGR_OK);
  close (ends[0]);
  close (ends[1]);
  CHECK_EQ (ummgr_trace_flush (writer), UMMGR_OK);
  stream = ummgr_trace_stream_open (writer);
  write_accesses (stream, &seed, 10);
  CHECK_EQ (ummgr_trace_flush (writer), UMMGR_ERR_IO);
  CHECK_EQ (ummgr_trace_writer_close (writer), UMMGR_ERR_IO);
  CHECK_EQ (log_end (NULL), 1);
}

/* PATH can't be opened as a trace, with one message that says EXPECT.  */
static void
check_refused (const char *file, enum ummgr_status want, const char *expect)
{
  struct ummgr_trace_reader *reader = NULL;
  log_begin ();
  CHECK_EQ (ummgr_trace_reader_open (file, &reader), want);
  CHECK (!reader);
  CHECK_EQ (log_end (expect), 1);
}

static void
test_refused (void)
{
  unsigned char header[UMMGR_TRACE_HEADER_SIZE] = UMMGR_TRACE_MAGIC;
  ummgr_trace_put_u32 (header + 8, UMMGR_TRACE_VERSION + 1);
  ummgr_trace_put_u32 (header + 12, UMMGR_TRACE_HEADER_SIZE);
  file_store (path, header, sizeof header);
  check_refused (path, UMMGR_ERR_INVALID, "version 2");
  file_store (path, header, 9);
  check_refused (path, UMMGR_ERR_INVALID, "byte 9");
  file_store (path, "{ \"version\": 1 }", 16);
  check_refused (path, UMMGR_ERR_INVALID, "not a trace");
  file_store (path, "", 0);
  check_refused (path, UMMGR_ERR_INVALID, "not a trace");
  check_refused ("no-such-file.ummt", UMMGR_ERR_IO, "no-such-file");
  check_refused (".", UMMGR_ERR_IO, "cannot read");
}

/* A trace of a later ummgr, of the same version: a longer header, a kind
   that we don't know, a field more and fields less than ours.  */
static void
test_later (void)
{
  static unsigned char bytes[UMMGR_TRACE_STORED_MAX + 64];
  static const unsigned char raw[]
      = { 0x80 + 40, 3, 1, 2, 3,	/* Unknown.  */
	  0x80 + UMMGR_TRACE_MARK, 6, 7, 2, 'a', 'b', 0, 99,
	  0x80 + 41, 0,
	  0x80 + UMMGR_TRACE_OBJECT, 2, 8, 5,
	  0x80 + UMMGR_TRACE_END, 3, 0, 4, 0 };
  struct ummgr_trace_codec codec;
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record r;
  memcpy (bytes, UMMGR_TRACE_MAGIC, 8);
  ummgr_trace_put_u32 (bytes + 8, UMMGR_TRACE_VERSION);
  ummgr_trace_put_u32 (bytes + 12, UMMGR_TRACE_HEADER_SIZE + 8);
  CHECK (ummgr_trace_codec_init (&codec, true));
  size_t n = ummgr_trace_block_pack (&codec, 0, raw, sizeof raw, bytes + 24);
  ummgr_trace_codec_fini (&codec);
  file_store (path, bytes, 24 + n);

  log_begin ();
  CHECK (ummgr_trace_reader_open (path, &reader) == UMMGR_OK);
  CHECK (ummgr_trace_reader_next (reader, &r) == UMMGR_OK);
  CHECK (r.kind == UMMGR_TRACE_MARK && r.time == 7);
  CHECK (strcmp (r.u.mark.name, "ab") == 0);
  CHECK (ummgr_trace_reader_next (reader, &r) == UMMGR_OK);
  CHECK (r.kind == UMMGR_TRACE_OBJECT && r.u.object.object == 5);
  CHECK (r.u.object.size == 0 && strcmp (r.u.object.file, "") == 0);
  CHECK (ummgr_trace_reader_next (reader, &r) == UMMGR_OK);
  CHECK_EQ (r.kind, UMMGR_TRACE_END);
  ummgr_trace_reader_close (reader);
  CHECK_EQ (log_end ("skipped"), 1);
}

int
main (void)
{
  test_limit ();
  test_full ();
  test_killed ();
  test_fork ();
  test_pipe ();
  test_refused ();
  test_later ();
  unlink (path);
  unlink (log_path);
  return 0;
}
