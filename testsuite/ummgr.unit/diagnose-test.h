/* Making small traces by hand, and looking at their diagnosis.
   SPDX-License-Identifier: GPL-3.0-or-later

   The machine has rates that make costs easy: a byte a nanosecond each way,
   10 us a copy, 20 us a GPU's fault, 10 us a CPU's, 64 KiB a fault.  */

#pragma once

#include "check.h"
#include "diagnose/diagnose.h"
#include "record/shadow.h"
#include "trace/write.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define KIB UINT64_C (1024)

/* States of words, as the paper names them.  */
enum
{
  C = UMMGR_SHADOW_CPU_WROTE, G = UMMGR_SHADOW_GPU_WROTE,
  CC = UMMGR_SHADOW_C_C, CG = UMMGR_SHADOW_C_G, GC = UMMGR_SHADOW_G_C,
  GG = UMMGR_SHADOW_G_G, LG = UMMGR_SHADOW_LAST_GPU, UR = UMMGR_SHADOW_UNREAD
};

static struct ummgr_trace_writer *writer;
static struct ummgr_trace_stream *stream;
static char trace_path[64];
static uint64_t copies, launches;
static uint32_t trace_scope;	/* enum ummgr_trace_scope, of the next.  */
static uint32_t phase;

static inline void
put (struct ummgr_trace_record *r)
{
  ummgr_trace_write (writer, r);
}

static inline void
trace_begin (const char *name, uint32_t instrumented, uint32_t sample)
{
  struct ummgr_trace_run run
      = { .program = "./prog", .profile = "test", .policy = "explicit",
	  .writer = "test", .page_size = 4096, .granularity = 4096,
	  .devices = 1, .sample = sample, .block = 4096,
	  .instrumented = instrumented, .scope = trace_scope };
  snprintf (trace_path, sizeof trace_path, "%s.ummt", name);
  CHECK (ummgr_trace_writer_open (trace_path, &run, &writer) == UMMGR_OK);
  stream = ummgr_trace_stream_open (writer);
  CHECK (stream);
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_DEVICE };
  r.u.device = (struct ummgr_trace_device) {
    .device = 0, .memory = 1 << 30, .name = "gpu", .in_rate = 1000000000,
    .out_rate = 1000000000, .latency = 10000, .gpu_fault = 20000,
    .cpu_fault = 10000, .fault_size = 65536
  };
  put (&r);
  copies = launches = 0;
  phase = 1;
}

static inline void
add_object (uint64_t id, const char *name, uint64_t size, uint32_t flags)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
  r.u.object = (struct ummgr_trace_object) {
    .object = id, .name = name, .file = "prog.c", .line = 10 + id,
    .base = id << 32, .size = size, .flags = flags, .element_size = 4
  };
  put (&r);
}

static inline void
add_gone (uint64_t id)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_GONE };
  r.u.object.object = id;
  put (&r);
}

static inline void
add_present (uint64_t id, uint64_t size, bool absent)
{
  struct ummgr_trace_record r
      = { .kind = absent ? UMMGR_TRACE_ABSENT : UMMGR_TRACE_PRESENT };
  r.u.present = (struct ummgr_trace_present) {
    .object = id, .size = size, .address = id << 40, .file = "map.c",
    .line = 5
  };
  put (&r);
}

/* Copies stand at "copy.c", in the line of the object's number.  */
static inline uint64_t
add_in (uint64_t id, uint64_t offset, uint64_t size, uint64_t hash)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_COPY };
  r.u.move = (struct ummgr_trace_move) {
    .object = id, .offset = offset, .size = size, .from = UMMGR_TRACE_HOST,
    .to = 0, .copy = ++copies, .hash = hash, .file = "copy.c", .line = id
  };
  put (&r);
  return copies;
}

static inline void
add_out (uint64_t id, uint64_t offset, uint64_t size, uint64_t hash,
	 uint64_t unchanged)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_COPY };
  r.u.move = (struct ummgr_trace_move) {
    .object = id, .offset = offset, .size = size, .from = 0,
    .to = UMMGR_TRACE_HOST, .copy = ++copies, .hash = hash,
    .unchanged = unchanged, .file = "copy.c", .line = id
  };
  put (&r);
}

static inline void
add_outcome (uint64_t copy, uint64_t words, uint64_t unused,
	     uint64_t overwritten)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OUTCOME };
  r.u.outcome = (struct ummgr_trace_outcome) { copy, words, unused,
					       overwritten };
  put (&r);
}

static inline uint64_t
add_launch (uint64_t region)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_REGION };
  r.u.region = (struct ummgr_trace_region) { region, "kernel", "prog.c", 99 };
  put (&r);
  r = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_BEGIN };
  r.u.launch = (struct ummgr_trace_launch) { ++launches, region, 0 };
  put (&r);
  return launches;
}

/* By the launch before; by the host if HOST.  */
static inline void
add_access (uint64_t id, uint64_t offset, uint64_t size, unsigned access,
	    bool host)
{
  struct ummgr_trace_access a = {
    .object = id, .offset = offset, .size = 4, .count = size / 4, .stride = 4,
    .launch = host ? 0 : launches, .access = access
  };
  ummgr_trace_stream_write (stream, &a, 1);
  if (!host)
    return;
  /* So that it stands before what comes next.  */
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_MARK };
  put (&r);
}

/* Up to four states of FACTS, each with its words; one cell a word in that
   order where there are no more than 1024.  */
struct state_words { uint8_t state; uint64_t words; };

static inline void
add_facts (uint64_t id, int32_t device, const struct state_words *states,
	   const uint64_t *blocks)
{
  struct ummgr_trace_state list[4];
  struct ummgr_trace_cells runs[4];
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_FACTS };
  struct ummgr_trace_facts *f = &r.u.facts;
  *f = (struct ummgr_trace_facts) { .object = id, .device = device,
				    .phase = phase, .states = list,
				    .runs = runs, .cell_words = 1 };
  for (int i = 0; i < 4 && states[i].words; i++)
    {
      list[i].state = states[i].state;
      list[i].words = states[i].words;
      f->words += states[i].words;
      f->state_count++;
    }
  while ((f->words + f->cell_words - 1) / f->cell_words
	 > UMMGR_TRACE_CELLS_MAX)
    f->cell_words *= 2;
  for (uint32_t i = 0; i < f->state_count; i++)
    {
      runs[i] = (struct ummgr_trace_cells) {
	.length = list[i].words / f->cell_words, .state = list[i].state,
	.part = { 255, 255, 255, 255, 255, 255 }
      };
      f->cells += runs[i].length;
    }
  f->run_count = f->state_count;
  if (blocks)
    memcpy (f->blocks, blocks, sizeof f->blocks);
  put (&r);
}
#define FACTS(ID, DEVICE, ...)                                                \
  add_facts (ID, DEVICE, (const struct state_words[4]) { __VA_ARGS__ }, NULL)

static inline void
end_phase (const char *name)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_PHASE };
  r.u.phase = (struct ummgr_trace_phase) { phase++, name, "mark", launches };
  put (&r);
}

static inline struct ummgr_diagnosis *
trace_diagnose (const struct ummgr_diagnose_options *options)
{
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  struct ummgr_diagnosis *d = ummgr_diagnose (trace_path, options);
  CHECK (d && !d->cut);
  unlink (trace_path);
  return d;
}

/* The only finding of KIND about NAME, or NULL if there is none.  */
static inline const struct ummgr_finding *
finding (const struct ummgr_diagnosis *d, enum ummgr_finding_kind kind,
	 const char *name)
{
  const struct ummgr_finding *found = NULL;
  for (size_t i = 0; i < d->finding_count; i++)
    if (d->findings[i].kind == kind
	&& strcmp (d->findings[i].object->name, name) == 0)
      {
	CHECK (!found);
	found = &d->findings[i];
      }
  return found;
}

static inline void
check_cost (const struct ummgr_finding *f, uint64_t bytes, double nanoseconds)
{
  CHECK (f);
  CHECK_EQ (f->bytes, bytes);
  CHECK (fabs (f->seconds * 1e9 - nanoseconds) < 1);
}
