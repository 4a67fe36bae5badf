/* Random trace records, their comparison, and small things for tests of
   traces.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef UMMGR_TRACE_TEST_H
#define UMMGR_TRACE_TEST_H

#include "check.h"
#include "log.h"
#include "trace/trace-read.h"
#include "trace/trace-write.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct ummgr_trace_run test_run
    = { .program = "test 1 2", .profile = "v100", .policy = "um",
	.writer = "test", .page_size = 4096, .granularity = 1, .devices = 1 };

/* xorshift64: the same sequence every time.  */
static inline uint64_t
random_next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 11;
}

/* Small ones mostly, and every extreme.  */
static inline uint64_t
random_number (uint64_t *state)
{
  static const uint64_t extremes[]
      = { 0, 1, 127, 128, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX };
  uint64_t r = random_next (state);
  if (r % 16 == 0)
    return extremes[random_next (state) % 7];
  return (random_next (state) << 11 ^ random_next (state)) >> r % 64;
}

static inline struct ummgr_trace_access
random_access (uint64_t *state)
{
  static const uint32_t sizes[] = { 1, 2, 4, 8, 12, 32, 4096, 4, 4, 8 };
  struct ummgr_trace_access a = { .count = 1 };
  uint64_t r = random_next (state);
  a.object = r % 8 ? r % 50 : random_number (state);
  a.size = r % 101 ? sizes[random_next (state) % 10]
	   : (uint32_t) random_number (state) | 1;
  a.offset = r % 9 ? random_next (state) % 4096 * a.size
	     : random_number (state);
  a.access = 1 + random_next (state) % 7;
  if (random_next (state) % 4 == 0)
    {
      a.count = 2 + random_number (state) / 2;
      a.stride = random_number (state);
    }
  if (random_next (state) % 2)
    {
      a.launch = random_number (state);
      a.team = random_number (state);
      a.thread = random_number (state);
    }
  return a;
}

static inline const char *
random_string (uint64_t *state)
{
  static char all[8][UMMGR_TRACE_STRING_MAX + 1];
  static unsigned turn;
  char *s = all[turn++ % 8];
  size_t length = random_next (state) % 12;
  if (random_next (state) % 500 == 0)
    length = UMMGR_TRACE_STRING_MAX;
  for (size_t i = 0; i < length; i++)
    s[i] = 1 + random_next (state) % 255;
  s[length] = 0;
  return s;
}

/* Any kind but the run, an access and the end.  */
static inline struct ummgr_trace_record
random_record (uint64_t *s)
{
  struct ummgr_trace_record r = { .time = random_number (s) };
  r.kind = UMMGR_TRACE_DEVICE
	   + random_next (s) % (UMMGR_TRACE_ADVICE - UMMGR_TRACE_DEVICE + 1);
  switch (r.kind)
    {
    case UMMGR_TRACE_DEVICE:
      r.u.device = (struct ummgr_trace_device) {
	random_number (s), random_number (s), random_string (s) };
      break;
    case UMMGR_TRACE_REGION:
      r.u.region = (struct ummgr_trace_region) {
	random_number (s), random_string (s), random_string (s),
	random_number (s) };
      break;
    case UMMGR_TRACE_BEGIN:
    case UMMGR_TRACE_FINISH:
      r.u.launch = (struct ummgr_trace_launch) {
	random_number (s), random_number (s), random_number (s) };
      break;
    case UMMGR_TRACE_OBJECT:
      r.u.object = (struct ummgr_trace_object) {
	random_number (s), random_string (s), random_string (s),
	random_number (s), random_number (s), random_number (s),
	random_number (s) };
      break;
    case UMMGR_TRACE_GONE:
      r.u.object.object = random_number (s);
      break;
    case UMMGR_TRACE_MARK:
      r.u.mark.name = random_string (s);
      break;
    default:
      r.u.move = (struct ummgr_trace_move) {
	random_number (s), random_number (s), random_number (s),
	random_number (s), random_number (s), random_number (s),
	random_number (s) };
    }
  return r;
}

static inline bool
same_access (const struct ummgr_trace_access *a,
	     const struct ummgr_trace_access *b)
{
  return a->object == b->object && a->offset == b->offset
	 && a->stride == b->stride && a->count == b->count
	 && a->launch == b->launch && a->size == b->size && a->team == b->team
	 && a->thread == b->thread && a->access == b->access;
}

static inline void
check_move (const struct ummgr_trace_move *a, const struct ummgr_trace_move *b)
{
  CHECK (a->object == b->object && a->offset == b->offset
	 && a->size == b->size && a->from == b->from && a->to == b->to
	 && a->advice == b->advice && a->launch == b->launch);
}

static inline void
check_object (const struct ummgr_trace_object *a,
	      const struct ummgr_trace_object *b)
{
  CHECK (strcmp (a->name, b->name) == 0 && strcmp (a->file, b->file) == 0);
  CHECK (a->object == b->object && a->line == b->line && a->base == b->base
	 && a->size == b->size && a->flags == b->flags);
}

static inline void
check_record (const struct ummgr_trace_record *a,
	      const struct ummgr_trace_record *b)
{
  CHECK_EQ (a->kind, b->kind);
  CHECK_EQ (a->time, b->time);
  switch (a->kind)
    {
    case UMMGR_TRACE_RUN:
      CHECK (strcmp (a->u.run.program, b->u.run.program) == 0
	     && strcmp (a->u.run.profile, b->u.run.profile) == 0
	     && strcmp (a->u.run.policy, b->u.run.policy) == 0
	     && strcmp (a->u.run.writer, b->u.run.writer) == 0);
      CHECK_EQ (a->u.run.page_size, b->u.run.page_size);
      CHECK_EQ (a->u.run.granularity, b->u.run.granularity);
      CHECK_EQ (a->u.run.devices, b->u.run.devices);
      break;
    case UMMGR_TRACE_DEVICE:
      CHECK_EQ (a->u.device.device, b->u.device.device);
      CHECK_EQ (a->u.device.memory, b->u.device.memory);
      CHECK (strcmp (a->u.device.name, b->u.device.name) == 0);
      break;
    case UMMGR_TRACE_REGION:
      CHECK_EQ (a->u.region.region, b->u.region.region);
      CHECK_EQ (a->u.region.line, b->u.region.line);
      CHECK (strcmp (a->u.region.name, b->u.region.name) == 0
	     && strcmp (a->u.region.file, b->u.region.file) == 0);
      break;
    case UMMGR_TRACE_BEGIN:
    case UMMGR_TRACE_FINISH:
      CHECK_EQ (a->u.launch.launch, b->u.launch.launch);
      CHECK_EQ (a->u.launch.region, b->u.launch.region);
      CHECK_EQ (a->u.launch.device, b->u.launch.device);
      break;
    case UMMGR_TRACE_OBJECT:
      check_object (&a->u.object, &b->u.object);
      break;
    case UMMGR_TRACE_GONE:
      CHECK_EQ (a->u.object.object, b->u.object.object);
      break;
    case UMMGR_TRACE_MARK:
      CHECK (strcmp (a->u.mark.name, b->u.mark.name) == 0);
      break;
    case UMMGR_TRACE_COPY:
    case UMMGR_TRACE_PREFETCH:
    case UMMGR_TRACE_ADVICE:
      check_move (&a->u.move, &b->u.move);
      break;
    case UMMGR_TRACE_ACCESS:
      CHECK (same_access (&a->u.access, &b->u.access));
      break;
    case UMMGR_TRACE_END:
      break;
    }
}

static inline struct ummgr_trace_record
run_record (void)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_RUN };
  r.u.run = test_run;
  return r;
}

static inline struct ummgr_trace_record
mark_record (const char *name)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_MARK };
  r.u.mark.name = name;
  return r;
}

static inline uint64_t
file_size (const char *path)
{
  struct stat st;
  CHECK (stat (path, &st) == 0);
  return st.st_size;
}

/* Keep the log's words to descriptor 2 off the test's output, where damage by
   the thousand is expected; CHECK still speaks.  */
static inline void
log_discard (void)
{
  FILE *spoken = fdopen (dup (2), "w");
  CHECK (spoken && freopen ("/dev/null", "w", stderr));
  setbuf (spoken, NULL);
  stderr = spoken;
}

/* A whole file in memory, with room for as much again.  */
static inline unsigned char *
file_load (const char *path, size_t *size)
{
  *size = file_size (path);
  unsigned char *bytes = malloc (2 * *size + 1);
  FILE *f = fopen (path, "rb");
  CHECK (bytes && f && fread (bytes, 1, *size, f) == *size);
  fclose (f);
  return bytes;
}

static inline void
file_store (const char *path, const void *bytes, size_t size)
{
  FILE *f = fopen (path, "wb");
  CHECK (f && fwrite (bytes, 1, size, f) == size && fclose (f) == 0);
}

/* Records up to the end or to an error, which goes to *STATUS.  */
static inline uint64_t
read_all (const char *path, enum ummgr_status *status)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record record;
  uint64_t n = 0;
  *status = ummgr_trace_reader_open (path, &reader);
  if (*status)
    return 0;
  while (!(*status = ummgr_trace_reader_next (reader, &record))
	 && record.kind != UMMGR_TRACE_END)
    n++;
  ummgr_trace_reader_close (reader);
  return n;
}

#endif
