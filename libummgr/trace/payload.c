/* The payloads of a trace's records, but for accesses: structs and bytes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The order of the fields is the format; new ones go to the end.  No state. */

#include "config.h"
#include "trace/code.h"

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

static unsigned char *
put_move (unsigned char *to, const struct ummgr_trace_move *move)
{
  to = ummgr_trace_put (to, move->object);
  to = ummgr_trace_put (to, move->offset);
  to = ummgr_trace_put (to, move->size);
  to = ummgr_trace_put_signed (to, move->from);
  to = ummgr_trace_put_signed (to, move->to);
  to = ummgr_trace_put (to, move->advice);
  to = ummgr_trace_put (to, move->launch);
  to = ummgr_trace_put (to, move->copy);
  to = ummgr_trace_put (to, move->hash);
  to = ummgr_trace_put (to, move->unchanged);
  to = ummgr_trace_put_string (to, move->file);
  return ummgr_trace_put (to, move->line);
}

static void
get_move (struct ummgr_trace_cursor *in, struct ummgr_trace_move *move)
{
  move->object = ummgr_trace_get (in);
  move->offset = ummgr_trace_get (in);
  move->size = ummgr_trace_get (in);
  move->from = ummgr_trace_get_signed (in);
  move->to = ummgr_trace_get_signed (in);
  move->advice = ummgr_trace_get (in);
  move->launch = ummgr_trace_get (in);
  move->copy = ummgr_trace_get (in);
  move->hash = ummgr_trace_get (in);
  move->unchanged = ummgr_trace_get (in);
  move->file = ummgr_trace_get_string (in);
  move->line = ummgr_trace_get (in);
}

/* A double is coded as the number that its bits make.  */
static unsigned char *
put_double (unsigned char *to, double value)
{
  uint64_t bits;
  memcpy (&bits, &value, sizeof bits);
  return ummgr_trace_put (to, bits);
}

static double
get_double (struct ummgr_trace_cursor *in)
{
  uint64_t bits = ummgr_trace_get (in);
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

enum use_flag
{
  USE_READ = 1 << 0,
  USE_WRITE = 1 << 1,
  USE_OVERWRITTEN = 1 << 2,
  USE_ESTIMATED = 1 << 3,	/* Locality and density are.  */
  USE_HOST_KNOWN = 1 << 4,
  USE_HOST_READS = 1 << 5,
  USE_HOST_WRITES = 1 << 6,
  USE_DEAD = 1 << 7,
  USE_GUESSED = 1 << 8		/* Density is, and may be far more.  */
};

static unsigned char *
put_use (unsigned char *to, const struct ummgr_trace_use *use)
{
  const struct ummgr_hint *h = &use->hint;
  to = ummgr_trace_put (to, use->launch);
  to = ummgr_trace_put (to, use->object);
  to = ummgr_trace_put (to, (h->read ? USE_READ : 0)
			    | (h->write ? USE_WRITE : 0)
			    | (h->overwritten ? USE_OVERWRITTEN : 0)
			    | (h->estimated ? USE_ESTIMATED : 0)
			    | (h->host_known ? USE_HOST_KNOWN : 0)
			    | (h->host_reads ? USE_HOST_READS : 0)
			    | (h->host_writes ? USE_HOST_WRITES : 0)
			    | (h->dead ? USE_DEAD : 0)
			    | (h->density_most > h->density ? USE_GUESSED : 0));
  to = ummgr_trace_put (to, h->lo);
  to = ummgr_trace_put (to, h->hi);
  to = put_double (to, h->locality);
  to = put_double (to, h->density);
  to = put_double (to, h->density_sc19);
  to = put_double (to, h->global_locality);
  to = put_double (to, h->reuse_static);
  to = put_double (to, h->reuse_likely);
  to = ummgr_trace_put_signed (to, h->stride);
  to = ummgr_trace_put_string (to, h->name ? h->name : "");
  to = put_double (to, h->density_program);
  to = put_double (to, h->host_next);
  to = put_double (to, h->remote);
  to = put_double (to, h->remote_most);
  return put_double (to, h->remote_program);
}

static void
get_use (struct ummgr_trace_cursor *in, struct ummgr_trace_use *use)
{
  struct ummgr_hint *h = &use->hint;
  use->launch = ummgr_trace_get (in);
  use->object = ummgr_trace_get (in);
  uint64_t flags = ummgr_trace_get (in);
  *h = (struct ummgr_hint) {
    .known = true, .read = flags & USE_READ, .write = flags & USE_WRITE,
    .overwritten = flags & USE_OVERWRITTEN, .estimated = flags & USE_ESTIMATED,
    .density_most = flags & USE_GUESSED ? 1 : 0, .reuse_seen = -1,
    .host_known = flags & USE_HOST_KNOWN,
    .host_reads = flags & USE_HOST_READS,
    .host_writes = flags & USE_HOST_WRITES, .dead = flags & USE_DEAD
  };
  h->lo = ummgr_trace_get (in);
  h->hi = ummgr_trace_get (in);
  h->locality = get_double (in);
  h->density = get_double (in);
  h->density_sc19 = get_double (in);
  h->global_locality = get_double (in);
  h->reuse_static = get_double (in);
  h->reuse_likely = get_double (in);
  h->stride = ummgr_trace_get_signed (in);
  h->name = ummgr_trace_get_string (in);
  h->density_program = get_double (in);
  h->host_next = get_double (in);
  h->remote = get_double (in);
  h->remote_most = get_double (in);
  h->remote_program = get_double (in);
}

static unsigned char *
put_run (unsigned char *to, const struct ummgr_trace_run *run)
{
  to = ummgr_trace_put_string (to, run->program);
  to = ummgr_trace_put_string (to, run->profile);
  to = ummgr_trace_put_string (to, run->policy);
  to = ummgr_trace_put_string (to, run->writer);
  to = ummgr_trace_put (to, run->page_size);
  to = ummgr_trace_put (to, run->granularity);
  to = ummgr_trace_put (to, run->devices);
  to = ummgr_trace_put (to, run->sample);
  to = ummgr_trace_put (to, run->block);
  return ummgr_trace_put (to, run->instrumented);
}

static void
get_run (struct ummgr_trace_cursor *in, struct ummgr_trace_run *run)
{
  run->program = ummgr_trace_get_string (in);
  run->profile = ummgr_trace_get_string (in);
  run->policy = ummgr_trace_get_string (in);
  run->writer = ummgr_trace_get_string (in);
  run->page_size = ummgr_trace_get (in);
  run->granularity = ummgr_trace_get (in);
  run->devices = ummgr_trace_get (in);
  run->sample = ummgr_trace_get (in);
  run->block = ummgr_trace_get (in);
  run->instrumented = ummgr_trace_get (in);
}

static unsigned char *
put_device (unsigned char *to, const struct ummgr_trace_device *device)
{
  to = ummgr_trace_put (to, device->device);
  to = ummgr_trace_put (to, device->memory);
  to = ummgr_trace_put_string (to, device->name);
  to = ummgr_trace_put (to, device->in_rate);
  to = ummgr_trace_put (to, device->out_rate);
  to = ummgr_trace_put (to, device->latency);
  to = ummgr_trace_put (to, device->gpu_fault);
  to = ummgr_trace_put (to, device->cpu_fault);
  return ummgr_trace_put (to, device->fault_size);
}

static void
get_device (struct ummgr_trace_cursor *in, struct ummgr_trace_device *device)
{
  device->device = ummgr_trace_get (in);
  device->memory = ummgr_trace_get (in);
  device->name = ummgr_trace_get_string (in);
  device->in_rate = ummgr_trace_get (in);
  device->out_rate = ummgr_trace_get (in);
  device->latency = ummgr_trace_get (in);
  device->gpu_fault = ummgr_trace_get (in);
  device->cpu_fault = ummgr_trace_get (in);
  device->fault_size = ummgr_trace_get (in);
}

static unsigned char *
put_object (unsigned char *to, const struct ummgr_trace_object *object)
{
  to = ummgr_trace_put (to, object->object);
  to = ummgr_trace_put_string (to, object->name);
  to = ummgr_trace_put_string (to, object->file);
  to = ummgr_trace_put (to, object->line);
  to = ummgr_trace_put (to, object->base);
  to = ummgr_trace_put (to, object->size);
  to = ummgr_trace_put (to, object->flags);
  to = ummgr_trace_put (to, object->element_size);
  return ummgr_trace_put_string (to, object->layout);
}

static void
get_object (struct ummgr_trace_cursor *in, struct ummgr_trace_object *object)
{
  object->object = ummgr_trace_get (in);
  object->name = ummgr_trace_get_string (in);
  object->file = ummgr_trace_get_string (in);
  object->line = ummgr_trace_get (in);
  object->base = ummgr_trace_get (in);
  object->size = ummgr_trace_get (in);
  object->flags = ummgr_trace_get (in);
  object->element_size = ummgr_trace_get (in);
  object->layout = ummgr_trace_get_string (in);
}

static unsigned char *
put_present (unsigned char *to, const struct ummgr_trace_present *present)
{
  to = ummgr_trace_put (to, present->object);
  to = ummgr_trace_put (to, present->offset);
  to = ummgr_trace_put (to, present->size);
  to = ummgr_trace_put_signed (to, present->device);
  to = ummgr_trace_put (to, present->address);
  to = ummgr_trace_put_string (to, present->file);
  return ummgr_trace_put (to, present->line);
}

static void
get_present (struct ummgr_trace_cursor *in,
	     struct ummgr_trace_present *present)
{
  present->object = ummgr_trace_get (in);
  present->offset = ummgr_trace_get (in);
  present->size = ummgr_trace_get (in);
  present->device = ummgr_trace_get_signed (in);
  present->address = ummgr_trace_get (in);
  present->file = ummgr_trace_get_string (in);
  present->line = ummgr_trace_get (in);
}

static unsigned char *
put_facts (unsigned char *to, const struct ummgr_trace_facts *facts)
{
  uint32_t states = facts->state_count, runs = facts->run_count;
  if (states > UMMGR_TRACE_STATES_MAX)
    states = UMMGR_TRACE_STATES_MAX;
  if (runs > UMMGR_TRACE_CELLS_MAX)
    runs = UMMGR_TRACE_CELLS_MAX;
  to = ummgr_trace_put (to, facts->object);
  to = ummgr_trace_put_signed (to, facts->device);
  to = ummgr_trace_put (to, facts->phase);
  to = ummgr_trace_put (to, facts->words);
  to = ummgr_trace_put (to, facts->offset);
  to = ummgr_trace_put (to, states);
  for (uint32_t i = 0; i < states; i++)
    {
      *to++ = facts->states[i].state;
      to = ummgr_trace_put (to, facts->states[i].words);
    }
  for (int i = 0; i < 11; i++)
    to = ummgr_trace_put (to, facts->blocks[i]);
  to = ummgr_trace_put (to, facts->cells);
  to = ummgr_trace_put (to, facts->cell_words);
  to = ummgr_trace_put (to, runs);
  for (uint32_t i = 0; i < runs; i++)
    {
      const struct ummgr_trace_cells *run = &facts->runs[i];
      to = ummgr_trace_put (to, run->length);
      *to++ = run->state;
      memcpy (to, run->part, sizeof run->part);
      to += sizeof run->part;
    }
  return to;
}

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
get_runs (struct ummgr_trace_cursor *in, struct ummgr_trace_facts *facts,
	  struct ummgr_trace_cells *runs)
{
  const size_t parts = sizeof runs->part;
  uint64_t cells = 0;
  facts->runs = runs;
  facts->run_count = get_count (in, UMMGR_TRACE_CELLS_MAX, 2 + parts);
  for (uint32_t i = 0; i < facts->run_count && !in->bad; i++)
    {
      uint64_t length = ummgr_trace_need (in);
      cells += length;
      if (in->bad || length > facts->cells || cells > facts->cells
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
get_facts (struct ummgr_trace_cursor *in, struct ummgr_trace_facts *facts,
	   struct ummgr_trace_arrays *arrays)
{
  facts->object = ummgr_trace_get (in);
  facts->device = ummgr_trace_get_signed (in);
  facts->phase = ummgr_trace_get (in);
  facts->words = ummgr_trace_get (in);
  facts->offset = ummgr_trace_get (in);
  facts->states = arrays->states;
  facts->state_count = get_count (in, UMMGR_TRACE_STATES_MAX, 2);
  for (uint32_t i = 0; i < facts->state_count && !in->bad; i++)
    {
      if (in->at == in->end)
	in->bad = true;
      else
	arrays->states[i].state = *in->at++;
      arrays->states[i].words = ummgr_trace_need (in);
    }
  for (int i = 0; i < 11; i++)
    facts->blocks[i] = ummgr_trace_get (in);
  uint64_t cells = ummgr_trace_get (in);
  if (cells > UMMGR_TRACE_CELLS_MAX)
    in->bad = true;
  facts->cells = cells;
  facts->cell_words = ummgr_trace_get (in);
  get_runs (in, facts, arrays->runs);
}

unsigned char *
ummgr_trace_payload_put (const struct ummgr_trace_record *record,
			 unsigned char *to)
{
  to = ummgr_trace_put (to, record->time);
  switch (record->kind)
    {
    case UMMGR_TRACE_RUN:
      return put_run (to, &record->u.run);
    case UMMGR_TRACE_DEVICE:
      return put_device (to, &record->u.device);
    case UMMGR_TRACE_REGION:
      to = ummgr_trace_put (to, record->u.region.region);
      to = ummgr_trace_put_string (to, record->u.region.name);
      to = ummgr_trace_put_string (to, record->u.region.file);
      return ummgr_trace_put (to, record->u.region.line);
    case UMMGR_TRACE_BEGIN:
    case UMMGR_TRACE_FINISH:
      to = ummgr_trace_put (to, record->u.launch.launch);
      to = ummgr_trace_put (to, record->u.launch.region);
      return ummgr_trace_put_signed (to, record->u.launch.device);
    case UMMGR_TRACE_OBJECT:
      return put_object (to, &record->u.object);
    case UMMGR_TRACE_GONE:
      return ummgr_trace_put (to, record->u.object.object);
    case UMMGR_TRACE_MARK:
      return ummgr_trace_put_string (to, record->u.mark.name);
    case UMMGR_TRACE_COPY:
    case UMMGR_TRACE_PREFETCH:
    case UMMGR_TRACE_ADVICE:
      return put_move (to, &record->u.move);
    case UMMGR_TRACE_PRESENT:
    case UMMGR_TRACE_ABSENT:
      return put_present (to, &record->u.present);
    case UMMGR_TRACE_OUTCOME:
      to = ummgr_trace_put (to, record->u.outcome.copy);
      to = ummgr_trace_put (to, record->u.outcome.words);
      to = ummgr_trace_put (to, record->u.outcome.unused);
      return ummgr_trace_put (to, record->u.outcome.overwritten);
    case UMMGR_TRACE_FACTS:
      return put_facts (to, &record->u.facts);
    case UMMGR_TRACE_PHASE:
      to = ummgr_trace_put (to, record->u.phase.phase);
      to = ummgr_trace_put_string (to, record->u.phase.name);
      to = ummgr_trace_put_string (to, record->u.phase.cause);
      return ummgr_trace_put (to, record->u.phase.launches);
    case UMMGR_TRACE_USE:
      return put_use (to, &record->u.use);
    case UMMGR_TRACE_END:
    case UMMGR_TRACE_ACCESS:
      break;
    }
  return to;
}

/* The kinds that are new since the first version of the format.  */
static void
get_newer (struct ummgr_trace_cursor *in, struct ummgr_trace_record *record,
	   struct ummgr_trace_arrays *arrays)
{
  switch (record->kind)
    {
    case UMMGR_TRACE_OUTCOME:
      record->u.outcome.copy = ummgr_trace_get (in);
      record->u.outcome.words = ummgr_trace_get (in);
      record->u.outcome.unused = ummgr_trace_get (in);
      record->u.outcome.overwritten = ummgr_trace_get (in);
      break;
    case UMMGR_TRACE_FACTS:
      get_facts (in, &record->u.facts, arrays);
      break;
    case UMMGR_TRACE_PHASE:
      record->u.phase.phase = ummgr_trace_get (in);
      record->u.phase.name = ummgr_trace_get_string (in);
      record->u.phase.cause = ummgr_trace_get_string (in);
      record->u.phase.launches = ummgr_trace_get (in);
      break;
    case UMMGR_TRACE_USE:
      get_use (in, &record->u.use);
      break;
    default:
      get_present (in, &record->u.present);
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
  switch (record->kind)
    {
    case UMMGR_TRACE_RUN:
      get_run (in, &record->u.run);
      break;
    case UMMGR_TRACE_DEVICE:
      get_device (in, &record->u.device);
      break;
    case UMMGR_TRACE_REGION:
      record->u.region.region = ummgr_trace_get (in);
      record->u.region.name = ummgr_trace_get_string (in);
      record->u.region.file = ummgr_trace_get_string (in);
      record->u.region.line = ummgr_trace_get (in);
      break;
    case UMMGR_TRACE_BEGIN:
    case UMMGR_TRACE_FINISH:
      record->u.launch.launch = ummgr_trace_get (in);
      record->u.launch.region = ummgr_trace_get (in);
      record->u.launch.device = ummgr_trace_get_signed (in);
      break;
    case UMMGR_TRACE_OBJECT:
      get_object (in, &record->u.object);
      break;
    case UMMGR_TRACE_GONE:
      record->u.object = (struct ummgr_trace_object) {
	.object = ummgr_trace_get (in), .name = "", .file = "", .layout = ""
      };
      break;
    case UMMGR_TRACE_MARK:
      record->u.mark.name = ummgr_trace_get_string (in);
      break;
    case UMMGR_TRACE_COPY:
    case UMMGR_TRACE_PREFETCH:
    case UMMGR_TRACE_ADVICE:
      get_move (in, &record->u.move);
      break;
    default:
      get_newer (in, record, arrays);
      break;
    }
  return true;
}
