/* The payloads of a trace's records, but for accesses: structs and bytes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Tables of fields say what a record of each kind has; the order is the format,
   and new ones go to the end.  No state. */

#include "config.h"
#include "trace/code.h"

#include <stddef.h>
#include <string.h>

/* The longest record that is no strings: facts, whose states and runs take a
   byte or seven beside their numbers.  */
_Static_assert (UMMGR_TRACE_STATES_MAX * (1 + UMMGR_TRACE_VARINT_MAX)
		+ UMMGR_TRACE_CELLS_MAX * (7 + UMMGR_TRACE_VARINT_MAX)
		+ 32 * UMMGR_TRACE_VARINT_MAX < UMMGR_TRACE_RECORD_ROOM,
		"a record's room holds the facts of an object");
/* The length of a payload is coded in three bytes.  */
_Static_assert (UMMGR_TRACE_RECORD_ROOM < 1 << 21
		&& UMMGR_TRACE_RECORD_ROOM < UMMGR_TRACE_BLOCK_MAX,
		"a record fits a block, and its length three bytes");

enum type
{
  NUMBER32, NUMBER64, SIGNED32, SIGNED64,
  REAL,				/* The number that its bits make.  */
  TEXT,
  /* Of single kinds.  */
  USE_FLAGS, STATES, BLOCKS, CELLS, RUNS, STEPS
};

struct field
{
  uint16_t offset;		/* In the record.  */
  uint8_t type;
};

#define OF(MEMBER) offsetof (struct ummgr_trace_record, u.MEMBER)
#define F(MEMBER)							\
  { OF (MEMBER),							\
    _Generic (((struct ummgr_trace_record *) NULL)->u.MEMBER,		\
	      uint32_t: NUMBER32, uint64_t: NUMBER64, int32_t: SIGNED32, \
	      int64_t: SIGNED64, double: REAL, const char *: TEXT) }

static const struct field run[]
  = { F (run.program), F (run.profile), F (run.policy), F (run.writer),
      F (run.page_size), F (run.granularity), F (run.devices),
      F (run.sample), F (run.block), F (run.instrumented), F (run.scope),
      F (run.rank), F (run.ranks), F (run.host), F (run.job) };
static const struct field device[]
  = { F (device.device), F (device.memory), F (device.name),
      F (device.in_rate), F (device.out_rate), F (device.latency),
      F (device.gpu_fault), F (device.cpu_fault), F (device.fault_size) };
static const struct field region[]
  = { F (region.region), F (region.name), F (region.file), F (region.line),
      F (region.title) };
static const struct field launch[]
  = { F (launch.launch), F (launch.region), F (launch.device) };
static const struct field object[]
  = { F (object.object), F (object.name), F (object.file), F (object.line),
      F (object.base), F (object.size), F (object.flags),
      F (object.element_size), F (object.layout) };
static const struct field gone[] = { F (object.object) };
static const struct field mark[] = { F (mark.name) };
static const struct field move[]
  = { F (move.object), F (move.offset), F (move.size), F (move.from),
      F (move.to), F (move.advice), F (move.launch), F (move.copy),
      F (move.hash), F (move.unchanged), F (move.file), F (move.line), F (move.gathered) };
static const struct field present[]
  = { F (present.object), F (present.offset), F (present.size),
      F (present.device), F (present.address), F (present.file),
      F (present.line), F (present.flags) };
static const struct field outcome[]
  = { F (outcome.copy), F (outcome.words), F (outcome.unused),
      F (outcome.overwritten) };
static const struct field facts[]
  = { F (facts.object), F (facts.device), F (facts.phase), F (facts.words),
      F (facts.offset), { 0, STATES }, { 0, BLOCKS }, { 0, CELLS },
      F (facts.cell_words), { 0, RUNS } };
static const struct field phase[]
  = { F (phase.phase), F (phase.name), F (phase.cause), F (phase.launches) };
static const struct field use[]
  = { F (use.launch), F (use.object), { 0, USE_FLAGS }, F (use.hint.lo),
      F (use.hint.hi), F (use.hint.locality), F (use.hint.density),
      F (use.hint.density_sc19), F (use.hint.global_locality),
      F (use.hint.reuse_static), F (use.hint.reuse_likely),
      F (use.hint.stride), F (use.hint.name), F (use.hint.density_program),
      F (use.hint.host_next), F (use.hint.remote), F (use.hint.remote_most),
      F (use.hint.remote_program), F (use.hint.density_most),
      F (use.hint.density_static), F (use.hint.scatter),
      F (use.hint.reuse_seen) };
static const struct field taken[]
  = { F (taken.device), F (taken.bytes), F (taken.libgomp),
      F (taken.copied_in), F (taken.copied_out), F (taken.copies), F (taken.seconds) };
static const struct field lost[]
  = { F (lost.launch), F (lost.device), F (lost.reports) };

static const struct field ran[]
  = { F (ran.launch), F (ran.device), F (ran.seconds), F (ran.faults), F (ran.batches) };

static const struct field shape[]
  = { F (shape.launch), F (shape.device), F (shape.teams), F (shape.warps),
      F (shape.lie), F (shape.registers), F (shape.shared) };
static const struct field area[]
  = { F (area.launch), F (area.device), F (area.base), F (area.end), F (area.key),
      F (area.kind) };
static const struct field steps[]
  = { F (steps.launch), F (steps.device), F (steps.team), F (steps.same), F (steps.left),
      { 0, STEPS } };

static const struct field handed[] = { F (handed.device) };
static const struct field faults[]
  = { F (faults.launch), F (faults.object), F (faults.device), F (faults.gpu_faults),
      F (faults.cpu_faults), F (faults.in), F (faults.out), F (faults.evictions),
      F (faults.file), F (faults.line) };

#define KIND(NAME, FIELDS)						\
  [UMMGR_TRACE_##NAME] = { FIELDS, FIELDS + sizeof FIELDS / sizeof *FIELDS }

static const struct { const struct field *begin, *end; } kinds[] = {
  KIND (RUN, run), KIND (DEVICE, device), KIND (REGION, region),
  KIND (BEGIN, launch), KIND (FINISH, launch), KIND (OBJECT, object),
  KIND (GONE, gone), KIND (MARK, mark), KIND (COPY, move),
  KIND (PREFETCH, move), KIND (ADVICE, move), KIND (PRESENT, present),
  KIND (ABSENT, present), KIND (OUTCOME, outcome), KIND (FACTS, facts),
  KIND (PHASE, phase), KIND (USE, use), KIND (TAKEN, taken), KIND (LOST, lost),
  KIND (RAN, ran), KIND (SHAPE, shape), KIND (AREA, area), KIND (STEPS, steps),
  KIND (HANDED, handed), KIND (FAULTS, faults)
};

/* Bit I of a use's flags is the I-th, but for one that says, where the record is too
   old to have more, that its density is guessed and may be far more.  */
enum { USE_GUESSED = 8 };
static const uint16_t use_flags[]
  = { OF (use.hint.read), OF (use.hint.write), OF (use.hint.overwritten),
      OF (use.hint.estimated), OF (use.hint.host_known),
      OF (use.hint.host_reads), OF (use.hint.host_writes),
      OF (use.hint.dead), [USE_GUESSED + 1] = OF (use.hint.corrected),
      OF (use.hint.only_read) };
enum { USE_FLAG_COUNT = sizeof use_flags / sizeof *use_flags };

/* --- writing --------------------------------------------------------------- */

static unsigned
flags_of (const struct ummgr_trace_record *record)
{
  const struct ummgr_hint *h = &record->u.use.hint;
  unsigned flags = (h->density_most > h->density) << USE_GUESSED;
  for (unsigned i = 0; i < USE_FLAG_COUNT; i++)
    if (i != USE_GUESSED)
      flags |= *((const bool *) record + use_flags[i]) << i;
  return flags;
}

static uint32_t
at_most (uint32_t count, uint32_t most)
{
  return count < most ? count : most;
}

static unsigned char *
put_states (unsigned char *to, const struct ummgr_trace_facts *f)
{
  uint32_t states = at_most (f->state_count, UMMGR_TRACE_STATES_MAX);
  to = ummgr_trace_put (to, states);
  for (uint32_t i = 0; i < states; i++)
    {
      *to++ = f->states[i].state;
      to = ummgr_trace_put (to, f->states[i].words);
    }
  return to;
}

static unsigned char *
put_runs (unsigned char *to, const struct ummgr_trace_facts *f)
{
  uint32_t runs = at_most (f->run_count, UMMGR_TRACE_CELLS_MAX);
  to = ummgr_trace_put (to, runs);
  for (uint32_t i = 0; i < runs; i++)
    {
      const struct ummgr_trace_cells *cells = &f->runs[i];
      to = ummgr_trace_put (to, cells->length);
      *to++ = cells->state;
      to = mempcpy (to, cells->part, sizeof cells->part);
    }
  return to;
}

static unsigned char *
put_steps (unsigned char *to, const struct ummgr_trace_steps *s)
{
  uint32_t size = at_most (s->size, UMMGR_TRACE_PIECE_MAX);
  to = ummgr_trace_put (to, size);
  return size ? mempcpy (to, s->bytes, size) : to;
}

static unsigned char *
put_field (unsigned char *to, const struct ummgr_trace_record *record,
	   const struct field *field)
{
  const void *at = (const char *) record + field->offset;
  uint64_t bits;
  switch ((enum type) field->type)
    {
    case NUMBER32:
      return ummgr_trace_put (to, *(const uint32_t *) at);
    case NUMBER64:
      return ummgr_trace_put (to, *(const uint64_t *) at);
    case SIGNED32:
      return ummgr_trace_put_signed (to, *(const int32_t *) at);
    case SIGNED64:
      return ummgr_trace_put_signed (to, *(const int64_t *) at);
    case REAL:
      memcpy (&bits, at, sizeof bits);
      return ummgr_trace_put (to, bits);
    case TEXT:
      return ummgr_trace_put_string (to, *(const char *const *) at);
    case USE_FLAGS:
      return ummgr_trace_put (to, flags_of (record));
    case STATES:
      return put_states (to, &record->u.facts);
    case BLOCKS:
      for (int i = 0; i < 11; i++)
	to = ummgr_trace_put (to, record->u.facts.blocks[i]);
      return to;
    case CELLS:
      return ummgr_trace_put (to, record->u.facts.cells);
    case RUNS:
      return put_runs (to, &record->u.facts);
    case STEPS:
      return put_steps (to, &record->u.steps);
    }
  return to;
}

unsigned char *
ummgr_trace_payload_put (const struct ummgr_trace_record *record,
			 unsigned char *to)
{
  to = ummgr_trace_put (to, record->time);
  if (ummgr_trace_has_payload (record->kind))
    for (const struct field *f = kinds[record->kind].begin;
	 f < kinds[record->kind].end; f++)
      to = put_field (to, record, f);
  return to;
}

/* --- reading --------------------------------------------------------------- */

/* A count of array elements, each at least BYTES long.  */
static uint32_t
get_count (struct ummgr_trace_cursor *in, uint64_t most, size_t bytes)
{
  uint64_t count = ummgr_trace_get (in);
  if (count <= most && count * bytes <= (size_t) (in->end - in->at))
    return count;
  in->bad = true;
  return 0;
}

static void
get_states (struct ummgr_trace_cursor *in, struct ummgr_trace_facts *f,
	    struct ummgr_trace_state *states)
{
  f->states = states;
  f->state_count = get_count (in, UMMGR_TRACE_STATES_MAX, 2);
  for (uint32_t i = 0; i < f->state_count && !in->bad; i++)
    {
      if (in->at == in->end)
	in->bad = true;
      else
	states[i].state = *in->at++;
      states[i].words = ummgr_trace_need (in);
    }
}

static void
get_runs (struct ummgr_trace_cursor *in, struct ummgr_trace_facts *f,
	  struct ummgr_trace_cells *runs)
{
  const size_t parts = sizeof runs->part;
  uint64_t cells = 0;
  f->runs = runs;
  f->run_count = get_count (in, UMMGR_TRACE_CELLS_MAX, 2 + parts);
  for (uint32_t i = 0; i < f->run_count && !in->bad; i++)
    {
      uint64_t length = ummgr_trace_need (in);
      cells += length;
      if (in->bad || length > f->cells || cells > f->cells
	  || (size_t) (in->end - in->at) < 1 + parts)
	{
	  in->bad = true;
	  return;
	}
      runs[i].length = length;
      runs[i].state = *in->at++;
      memcpy (runs[i].part, in->at, parts);
      in->at += parts;
    }
}

static void
get_steps (struct ummgr_trace_cursor *in, struct ummgr_trace_steps *s)
{
  s->size = get_count (in, UMMGR_TRACE_PIECE_MAX, 1);
  s->bytes = in->at;
  in->at += s->size;
}

static void
get_use_flags (struct ummgr_trace_record *record, uint64_t flags)
{
  for (unsigned i = 0; i < USE_FLAG_COUNT; i++)
    if (i != USE_GUESSED)
      *((bool *) record + use_flags[i]) = flags >> i & 1;
  record->u.use.hint.density_most = flags >> USE_GUESSED & 1;
}

static void
get_field (struct ummgr_trace_cursor *in, struct ummgr_trace_record *record,
	   const struct field *field, struct ummgr_trace_arrays *arrays)
{
  void *at = (char *) record + field->offset;
  struct ummgr_trace_facts *f = &record->u.facts;
  uint64_t bits;
  switch ((enum type) field->type)
    {
    case NUMBER32:
      *(uint32_t *) at = ummgr_trace_get (in);
      break;
    case NUMBER64:
      *(uint64_t *) at = ummgr_trace_get (in);
      break;
    case SIGNED32:
      *(int32_t *) at = ummgr_trace_get_signed (in);
      break;
    case SIGNED64:
      *(int64_t *) at = ummgr_trace_get_signed (in);
      break;
    case REAL:
      /* What an older record does not have stays as it is.  */
      if (in->at == in->end)
	break;
      bits = ummgr_trace_get (in);
      memcpy (at, &bits, sizeof bits);
      break;
    case TEXT:
      *(const char **) at = ummgr_trace_get_string (in);
      break;
    case USE_FLAGS:
      get_use_flags (record, ummgr_trace_get (in));
      break;
    case STATES:
      get_states (in, f, arrays->states);
      break;
    case BLOCKS:
      for (int i = 0; i < 11; i++)
	f->blocks[i] = ummgr_trace_get (in);
      break;
    case CELLS:
      bits = ummgr_trace_get (in);
      in->bad |= bits > UMMGR_TRACE_CELLS_MAX;
      f->cells = bits;
      break;
    case RUNS:
      get_runs (in, f, arrays->runs);
      break;
    case STEPS:
      get_steps (in, &record->u.steps);
      break;
    }
}

bool
ummgr_trace_payload_get (struct ummgr_trace_cursor *in, unsigned tag,
			 struct ummgr_trace_record *record,
			 struct ummgr_trace_arrays *arrays)
{
  if (!ummgr_trace_has_payload (tag))
    return false;
  record->kind = tag;
  record->time = ummgr_trace_get (in);
  /* What the record does not have.  */
  if (tag == UMMGR_TRACE_GONE)
    record->u.object = (struct ummgr_trace_object) {
      .name = "", .file = "", .layout = ""
    };
  else if (tag == UMMGR_TRACE_USE)
    record->u.use.hint
      = (struct ummgr_hint) { .known = true, .reuse_seen = -1 };
  else if (tag == UMMGR_TRACE_TAKEN)
    record->u.taken.seconds = 0;
  for (const struct field *f = kinds[tag].begin; f < kinds[tag].end; f++)
    get_field (in, record, f, arrays);
  return true;
}
