/* Random trace records, their comparison, and small things for tests of
   traces.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "random.h"
#include "base/log.h"
#include "trace/read.h"
#include "trace/write.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct ummgr_trace_run test_run
    = { .program = "test 1 2", .profile = "v100", .policy = "um",
	.writer = "test", .page_size = 4096, .granularity = 1, .devices = 1,
	.sample = 64, .block = 4096, .instrumented = 1 };

/* xorshift64: the same sequence every time.  */
static inline uint64_t
random_next (uint64_t *state)
{
  return random64 (state) >> 11;
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

/* The arrays belong to this, until the next call.  */
static inline struct ummgr_trace_facts
random_facts (uint64_t *s)
{
  static struct ummgr_trace_state states[256];
  static struct ummgr_trace_cells runs[UMMGR_TRACE_CELLS_MAX];
  /* Small mostly, and at times as large as can be.  */
  bool most = random_next (s) % 50 == 0;
  struct ummgr_trace_facts f = {
    .object = random_number (s), .device = random_number (s),
    .phase = random_number (s), .words = random_number (s),
    .offset = random_number (s), .states = states, .runs = runs,
    .state_count = most ? 256 : random_next (s) % 5,
    .cells = UMMGR_TRACE_CELLS_MAX, .cell_words = random_number (s),
    .run_count = most ? UMMGR_TRACE_CELLS_MAX : random_next (s) % 9
  };
  for (uint32_t i = 0; i < f.state_count; i++)
    states[i] = (struct ummgr_trace_state) { random_next (s),
					     random_number (s) };
  for (int i = 0; i < 11; i++)
    f.blocks[i] = random_number (s);
  for (uint32_t i = 0; i < f.run_count; i++)
    {
      runs[i].length = most ? 1 : random_next (s) % 100;
      runs[i].state = random_next (s);
      for (int k = 0; k < 6; k++)
	runs[i].part[k] = random_next (s);
    }
  return f;
}

static inline struct ummgr_trace_object
random_object (uint64_t *s)
{
  return (struct ummgr_trace_object) {
    .object = random_number (s), .name = random_string (s),
    .file = random_string (s), .line = random_number (s),
    .base = random_number (s), .size = random_number (s),
    .flags = random_number (s), .element_size = random_number (s),
    .layout = random_string (s)
  };
}

static inline struct ummgr_trace_move
random_move (uint64_t *s)
{
  return (struct ummgr_trace_move) {
    .object = random_number (s), .offset = random_number (s),
    .size = random_number (s), .from = random_number (s),
    .to = random_number (s), .advice = random_number (s),
    .launch = random_number (s), .copy = random_number (s),
    .hash = random_number (s), .unchanged = random_number (s),
    .file = random_string (s), .line = random_number (s)
  };
}

static inline struct ummgr_trace_use
random_use (uint64_t *s)
{
  static const double values[]
    = { 0, -1, 0.5, 1e300, __builtin_inf (), -0.0, 3 };
  uint64_t flags = random_next (s);
  return (struct ummgr_trace_use) {
    random_number (s), random_number (s), {
      .known = true, .read = flags & 1, .write = flags & 2,
      .overwritten = flags & 4, .estimated = flags & 8,
      .host_known = flags & 16, .host_reads = flags & 32,
      .host_writes = flags & 64, .dead = flags & 128, .only_read = flags & 256,
      .density_most = values[random_next (s) % 7],
      .density_static = values[random_next (s) % 7],
      .scatter = values[random_next (s) % 7],
      .reuse_seen = values[random_next (s) % 7],
      .corrected = random_next (s) % 2,
      .lo = random_number (s), .hi = random_number (s),
      .locality = values[random_next (s) % 7],
      .density = values[random_next (s) % 7],
      .density_sc19 = values[random_next (s) % 7],
      .global_locality = values[random_next (s) % 7],
      .reuse_static = values[random_next (s) % 7],
      .reuse_likely = values[random_next (s) % 7],
      .stride = random_number (s), .name = random_string (s),
      .density_program = values[random_next (s) % 7],
      .host_next = values[random_next (s) % 7],
      .remote = values[random_next (s) % 7],
      .remote_most = values[random_next (s) % 7],
      .remote_program = values[random_next (s) % 7]
    }
  };
}

static inline struct ummgr_trace_steps
random_steps (uint64_t *s)
{
  static unsigned char bytes[UMMGR_TRACE_PIECE_MAX];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = i * 7 + (i >> 8);
  uint32_t size = random_next (s) % 4 ? random_next (s) % 100
		  : random_next (s) % (UMMGR_TRACE_PIECE_MAX + 1);
  return (struct ummgr_trace_steps) {
    random_number (s), random_next (s) % 5, random_number (s), random_number (s),
    random_number (s), size, bytes + random_next (s) % (UMMGR_TRACE_PIECE_MAX - size + 1)
  };
}

/* Any kind but the run, an access and the end.  */
static inline struct ummgr_trace_record
random_record (uint64_t *s)
{
  struct ummgr_trace_record r = { .time = random_number (s) };
  do
    r.kind = UMMGR_TRACE_DEVICE
	     + random_next (s) % (UMMGR_TRACE_FAULTS - UMMGR_TRACE_DEVICE + 1);
  while (r.kind == UMMGR_TRACE_ACCESS);
  switch (r.kind)
    {
    case UMMGR_TRACE_DEVICE:
      r.u.device = (struct ummgr_trace_device) {
	random_number (s), random_number (s), random_string (s),
	random_number (s), random_number (s), random_number (s),
	random_number (s), random_number (s), random_number (s) };
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
      r.u.object = random_object (s);
      break;
    case UMMGR_TRACE_GONE:
      r.u.object.object = random_number (s);
      break;
    case UMMGR_TRACE_MARK:
      r.u.mark.name = random_string (s);
      break;
    case UMMGR_TRACE_PRESENT:
    case UMMGR_TRACE_ABSENT:
      r.u.present = (struct ummgr_trace_present) {
	random_number (s), random_number (s), random_number (s),
	random_number (s), random_number (s), random_string (s),
	random_number (s), random_number (s) };
      break;
    case UMMGR_TRACE_OUTCOME:
      r.u.outcome = (struct ummgr_trace_outcome) {
	random_number (s), random_number (s), random_number (s),
	random_number (s) };
      break;
    case UMMGR_TRACE_FACTS:
      r.u.facts = random_facts (s);
      break;
    case UMMGR_TRACE_PHASE:
      r.u.phase = (struct ummgr_trace_phase) {
	random_number (s), random_string (s), random_string (s),
	random_number (s) };
      break;
    case UMMGR_TRACE_USE:
      r.u.use = random_use (s);
      break;
    case UMMGR_TRACE_TAKEN:
      r.u.taken = (struct ummgr_trace_taken) {
	random_next (s) % 5, random_number (s), random_number (s),
	random_number (s), random_number (s), random_number (s) };
      break;
    case UMMGR_TRACE_LOST:
      r.u.lost = (struct ummgr_trace_lost) {
	random_number (s), random_next (s) % 5, random_number (s) };
      break;
    case UMMGR_TRACE_RAN:
      r.u.ran = (struct ummgr_trace_ran) {
	random_number (s), random_next (s) % 5, random_number (s) * 1e-9,
	random_number (s), random_number (s) };
      break;
    case UMMGR_TRACE_SHAPE:
      r.u.shape = (struct ummgr_trace_shape) {
	random_number (s), random_next (s) % 5, random_number (s), random_number (s),
	random_number (s), random_number (s), random_number (s) };
      break;
    case UMMGR_TRACE_AREA:
      r.u.area = (struct ummgr_trace_area) {
	random_number (s), random_next (s) % 5, random_number (s), random_number (s),
	random_number (s), random_number (s) };
      break;
    case UMMGR_TRACE_STEPS:
      r.u.steps = random_steps (s);
      break;
    case UMMGR_TRACE_HANDED:
      r.u.handed = (struct ummgr_trace_handed) { random_next (s) % 5 };
      break;
    case UMMGR_TRACE_FAULTS:
      r.u.faults = (struct ummgr_trace_faults) {
	random_number (s), random_number (s), random_next (s) % 5, random_number (s),
	random_number (s), random_number (s), random_number (s), random_number (s),
	random_string (s), random_number (s) };
      break;
    default:
      r.u.move = random_move (s);
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
	 && a->advice == b->advice && a->launch == b->launch
	 && a->copy == b->copy && a->hash == b->hash
	 && a->unchanged == b->unchanged && a->line == b->line
	 && strcmp (a->file, b->file) == 0);
}

static inline void
check_object (const struct ummgr_trace_object *a,
	      const struct ummgr_trace_object *b)
{
  CHECK (strcmp (a->name, b->name) == 0 && strcmp (a->file, b->file) == 0);
  CHECK (a->object == b->object && a->line == b->line && a->base == b->base
	 && a->size == b->size && a->flags == b->flags
	 && a->element_size == b->element_size
	 && strcmp (a->layout, b->layout) == 0);
}

static inline void
check_device (const struct ummgr_trace_device *a,
	      const struct ummgr_trace_device *b)
{
  CHECK_EQ (a->device, b->device);
  CHECK_EQ (a->memory, b->memory);
  CHECK (strcmp (a->name, b->name) == 0);
  CHECK (a->in_rate == b->in_rate && a->out_rate == b->out_rate
	 && a->latency == b->latency && a->gpu_fault == b->gpu_fault
	 && a->cpu_fault == b->cpu_fault && a->fault_size == b->fault_size);
}

static inline void
check_facts (const struct ummgr_trace_facts *a,
	     const struct ummgr_trace_facts *b)
{
  CHECK (a->object == b->object && a->device == b->device
	 && a->phase == b->phase && a->words == b->words
	 && a->offset == b->offset && a->cells == b->cells
	 && a->cell_words == b->cell_words);
  CHECK (memcmp (a->blocks, b->blocks, sizeof a->blocks) == 0);
  CHECK_EQ (a->state_count, b->state_count);
  for (uint32_t i = 0; i < a->state_count; i++)
    CHECK (a->states[i].state == b->states[i].state
	   && a->states[i].words == b->states[i].words);
  CHECK_EQ (a->run_count, b->run_count);
  for (uint32_t i = 0; i < a->run_count; i++)
    CHECK (a->runs[i].length == b->runs[i].length
	   && a->runs[i].state == b->runs[i].state
	   && memcmp (a->runs[i].part, b->runs[i].part, 6) == 0);
}

static inline void
check_present (const struct ummgr_trace_present *a,
	       const struct ummgr_trace_present *b)
{
  CHECK (a->object == b->object && a->offset == b->offset
	 && a->size == b->size && a->device == b->device
	 && a->address == b->address && a->line == b->line
	 && a->flags == b->flags && strcmp (a->file, b->file) == 0);
}

/* OF_A was read, OF_B written, or read too.  */
static inline void
check_use (const struct ummgr_trace_use *of_a,
	   const struct ummgr_trace_use *of_b)
{
  const struct ummgr_hint *a = &of_a->hint, *b = &of_b->hint;
  CHECK (of_a->launch == of_b->launch && of_a->object == of_b->object);
  CHECK (a->known && a->read == b->read && a->write == b->write
	 && a->overwritten == b->overwritten && a->estimated == b->estimated);
  CHECK (a->host_known == b->host_known && a->host_reads == b->host_reads
	 && a->host_writes == b->host_writes && a->dead == b->dead
	 && a->only_read == b->only_read);
  CHECK (a->density_most == b->density_most && a->scatter == b->scatter
	 && a->density_static == b->density_static
	 && a->reuse_seen == b->reuse_seen && a->corrected == b->corrected);
  CHECK (a->lo == b->lo && a->hi == b->hi && a->stride == b->stride
	 && strcmp (a->name, b->name) == 0);
  CHECK (a->locality == b->locality && a->density == b->density
	 && a->density_sc19 == b->density_sc19
	 && a->global_locality == b->global_locality
	 && a->reuse_static == b->reuse_static
	 && a->reuse_likely == b->reuse_likely
	 && a->density_program == b->density_program
	 && a->host_next == b->host_next
	 && a->remote == b->remote
	 && a->remote_most == b->remote_most
	 && a->remote_program == b->remote_program);
}

static inline void
check_phase (const struct ummgr_trace_phase *a,
	     const struct ummgr_trace_phase *b)
{
  CHECK (a->phase == b->phase && a->launches == b->launches
	 && strcmp (a->name, b->name) == 0 && strcmp (a->cause, b->cause) == 0);
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
      CHECK_EQ (a->u.run.sample, b->u.run.sample);
      CHECK_EQ (a->u.run.block, b->u.run.block);
      CHECK_EQ (a->u.run.instrumented, b->u.run.instrumented);
      break;
    case UMMGR_TRACE_DEVICE:
      check_device (&a->u.device, &b->u.device);
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
    case UMMGR_TRACE_PRESENT:
    case UMMGR_TRACE_ABSENT:
      check_present (&a->u.present, &b->u.present);
      break;
    case UMMGR_TRACE_OUTCOME:
      CHECK (a->u.outcome.copy == b->u.outcome.copy
	     && a->u.outcome.words == b->u.outcome.words
	     && a->u.outcome.unused == b->u.outcome.unused
	     && a->u.outcome.overwritten == b->u.outcome.overwritten);
      break;
    case UMMGR_TRACE_FACTS:
      check_facts (&a->u.facts, &b->u.facts);
      break;
    case UMMGR_TRACE_PHASE:
      check_phase (&a->u.phase, &b->u.phase);
      break;
    case UMMGR_TRACE_USE:
      check_use (&a->u.use, &b->u.use);
      break;
    case UMMGR_TRACE_TAKEN:
      CHECK_EQ (a->u.taken.device, b->u.taken.device);
      CHECK_EQ (a->u.taken.bytes, b->u.taken.bytes);
      CHECK_EQ (a->u.taken.libgomp, b->u.taken.libgomp);
      CHECK_EQ (a->u.taken.copied_in, b->u.taken.copied_in);
      CHECK_EQ (a->u.taken.copied_out, b->u.taken.copied_out);
      CHECK_EQ (a->u.taken.copies, b->u.taken.copies);
      break;
    case UMMGR_TRACE_LOST:
      CHECK_EQ (a->u.lost.launch, b->u.lost.launch);
      CHECK_EQ (a->u.lost.device, b->u.lost.device);
      CHECK_EQ (a->u.lost.reports, b->u.lost.reports);
      break;
    case UMMGR_TRACE_RAN:
      CHECK_EQ (a->u.ran.launch, b->u.ran.launch);
      CHECK_EQ (a->u.ran.device, b->u.ran.device);
      CHECK (a->u.ran.seconds == b->u.ran.seconds);
      CHECK_EQ (a->u.ran.faults, b->u.ran.faults);
      CHECK_EQ (a->u.ran.batches, b->u.ran.batches);
      break;
    case UMMGR_TRACE_SHAPE:
      CHECK_EQ (a->u.shape.launch, b->u.shape.launch);
      CHECK_EQ (a->u.shape.device, b->u.shape.device);
      CHECK_EQ (a->u.shape.teams, b->u.shape.teams);
      CHECK_EQ (a->u.shape.warps, b->u.shape.warps);
      CHECK_EQ (a->u.shape.lie, b->u.shape.lie);
      CHECK_EQ (a->u.shape.registers, b->u.shape.registers);
      CHECK_EQ (a->u.shape.shared, b->u.shape.shared);
      break;
    case UMMGR_TRACE_AREA:
      CHECK_EQ (a->u.area.launch, b->u.area.launch);
      CHECK_EQ (a->u.area.device, b->u.area.device);
      CHECK_EQ (a->u.area.base, b->u.area.base);
      CHECK_EQ (a->u.area.end, b->u.area.end);
      CHECK_EQ (a->u.area.key, b->u.area.key);
      CHECK_EQ (a->u.area.kind, b->u.area.kind);
      break;
    case UMMGR_TRACE_STEPS:
      CHECK_EQ (a->u.steps.launch, b->u.steps.launch);
      CHECK_EQ (a->u.steps.device, b->u.steps.device);
      CHECK_EQ (a->u.steps.team, b->u.steps.team);
      CHECK_EQ (a->u.steps.same, b->u.steps.same);
      CHECK_EQ (a->u.steps.left, b->u.steps.left);
      CHECK_EQ (a->u.steps.size, b->u.steps.size);
      CHECK (memcmp (a->u.steps.bytes, b->u.steps.bytes, a->u.steps.size) == 0);
      break;
    case UMMGR_TRACE_HANDED:
      CHECK_EQ (a->u.handed.device, b->u.handed.device);
      break;
    case UMMGR_TRACE_FAULTS:
      CHECK_EQ (a->u.faults.launch, b->u.faults.launch);
      CHECK_EQ (a->u.faults.object, b->u.faults.object);
      CHECK_EQ (a->u.faults.device, b->u.faults.device);
      CHECK_EQ (a->u.faults.gpu_faults, b->u.faults.gpu_faults);
      CHECK_EQ (a->u.faults.cpu_faults, b->u.faults.cpu_faults);
      CHECK_EQ (a->u.faults.in, b->u.faults.in);
      CHECK_EQ (a->u.faults.out, b->u.faults.out);
      CHECK_EQ (a->u.faults.evictions, b->u.faults.evictions);
      CHECK (strcmp (a->u.faults.file, b->u.faults.file) == 0);
      CHECK_EQ (a->u.faults.line, b->u.faults.line);
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
