/* Decoding the plugin's tables: bytes to structures, every access bounded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A table may be corrupt, of a later version, or not ours at all.  Offsets
   and counts are 32 bits wide and are added and multiplied in 64, so no sum
   wraps.  Holds no state; prints nothing.  */

#include "config.h"
#include "tables/decode.h"
#include "base/utf8.h"
#include "ummgr-table.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table's sections, within the bytes.  */
struct span
{
  const unsigned char *bytes;
  uint32_t count;
  uint32_t record_size;
};

struct view
{
  const unsigned char *bytes;
  struct ummgr_table_header header;
#define UMMGR_SECTION(KIND, NUMBER, NAME, RECORD) struct span NAME;
#include "ummgr-table.def"
  unsigned unknown;
  const char *reason;
};

/* Copy what a record has of SIZE bytes, the rest 0.  */
static void
record_get (void *to, size_t size, const struct span *span, uint32_t i)
{
  size_t have = span->record_size < size ? span->record_size : size;
  memset (to, 0, size);
  memcpy (to, span->bytes + (size_t) i * span->record_size, have);
}

/* A decoded unit being filled, and the copy of its strings.  */
struct filling
{
  const struct view *view;
  struct ummgr_table_unit *unit;
  struct ummgr_table_region *regions;
  struct ummgr_table_arg *args;
  struct ummgr_table_function *functions;
  struct ummgr_table_block *blocks;
  struct ummgr_table_edge *edges;
  struct ummgr_table_event *events;
  struct ummgr_table_call *calls;
  struct ummgr_table_call_live *call_lives;
  struct ummgr_table_taken *taken;
  struct ummgr_table_ref *refs;
  struct ummgr_table_dim *dims;
  struct ummgr_table_step *steps;
  struct ummgr_table_reduction *reductions;
  struct ummgr_table_ops *ops;
  struct ummgr_table_member *members;
  struct ummgr_code_field *fields;
  struct ummgr_table_static *statics;
  uintptr_t address;		/* Of the table; 0: in a file.  */
  unsigned char *code;
  struct ummgr_table_site *sites;
  struct ummgr_table_site_flow *site_flows;
  char *strings;
  bool bad;
};

static const char *
string_get (struct filling *f, uint32_t offset)
{
  if (offset < f->view->strings.count)
    return f->strings + offset;
  f->bad = true;
  return f->strings;
}

static enum ummgr_status
refuse (struct view *view, enum ummgr_status status, const char *reason)
{
  view->reason = reason;
  return status;
}

static enum ummgr_status
header_read (struct view *view, size_t size)
{
  struct ummgr_table_header *h = &view->header;
  const size_t to_sizes = 2 * sizeof (uint32_t);
  if (size < to_sizes)
    return refuse (view, UMMGR_ERR_INVALID, "it is too short");
  memset (h, 0, sizeof *h);
  memcpy (h, view->bytes, to_sizes);
  if (h->magic == __builtin_bswap32 (UMMGR_TABLE_MAGIC))
    return refuse (view, UMMGR_ERR_UNSUPPORTED,
		   "it is in the other byte order");
  if (h->magic != UMMGR_TABLE_MAGIC)
    return refuse (view, UMMGR_ERR_INVALID, "its magic is wrong");
  if (h->version != UMMGR_TABLE_VERSION)
    return refuse (view, UMMGR_ERR_UNSUPPORTED,
		   "its version is not known to this libummgr");
  if (h->header_size < sizeof *h || h->header_size > size)
    return refuse (view, UMMGR_ERR_INVALID, "its header size is wrong");
  memcpy (h, view->bytes, sizeof *h);
  if (h->table_size < h->header_size || h->table_size > size)
    return refuse (view, UMMGR_ERR_INVALID, "its size is wrong");
  return UMMGR_OK;
}

/* Where a section of KIND goes, or NULL; *LEAST: the size of its records in
   version 1, the shortest there are.  */
static struct span *
span_of (struct view *view, uint32_t kind, size_t *least)
{
  switch (kind)
    {
#define UMMGR_SECTION(KIND, NUMBER, NAME, RECORD)                             \
    case UMMGR_TABLE_##KIND:                                                  \
      *least = sizeof (RECORD);                                               \
      return &view->NAME;
#include "ummgr-table.def"
    default:
      return NULL;
    }
}

/* Take SECTION, if it is one that we know, into its place.  What came later to some records' ends may not be
   there.  */
static enum ummgr_status
section_take (struct view *view, const struct ummgr_table_section *section)
{
  size_t least;
  struct span *span = span_of (view, section->kind, &least);
  if (!span)
    {
      view->unknown++;
      return UMMGR_OK;
    }
  uint64_t bytes = (uint64_t) section->count * section->record_size;
  if (bytes > view->header.table_size
      || section->offset > view->header.table_size - bytes)
    return refuse (view, UMMGR_ERR_INVALID, "a section is out of bounds");
  if (section->kind == UMMGR_TABLE_REGIONS)
    least = offsetof (struct ummgr_region_record, title);
  else if (section->kind == UMMGR_TABLE_ARGS)
    least = offsetof (struct ummgr_arg_record, length_names);
  else if (section->kind == UMMGR_TABLE_AROUND)
    least = offsetof (struct ummgr_around_record, names);
  if (section->record_size < least)
    return refuse (view, UMMGR_ERR_INVALID, "its records are too short");
  if (span->bytes)
    return refuse (view, UMMGR_ERR_INVALID, "a section is there twice");
  span->bytes = view->bytes + section->offset;
  span->count = section->count;
  span->record_size = section->record_size;
  return UMMGR_OK;
}

static enum ummgr_status
sections_read (struct view *view)
{
  const struct ummgr_table_header *h = &view->header;
  uint64_t bytes = (uint64_t) h->section_count * h->section_size;
  if (h->section_size < sizeof (struct ummgr_table_section)
      || bytes > h->table_size || h->section_offset > h->table_size - bytes)
    return refuse (view, UMMGR_ERR_INVALID, "its directory is out of bounds");
  struct span directory = { view->bytes + h->section_offset, h->section_count,
			    h->section_size };
  for (uint32_t i = 0; i < directory.count; i++)
    {
      struct ummgr_table_section section;
      record_get (&section, sizeof section, &directory, i);
      enum ummgr_status status = section_take (view, &section);
      if (status)
	return status;
    }
  const struct span *s = &view->strings;
  if (!s->bytes || s->record_size != 1 || s->count == 0
      || s->bytes[0] != '\0' || s->bytes[s->count - 1] != '\0')
    return refuse (view, UMMGR_ERR_INVALID, "its strings are wrong");
  return UMMGR_OK;
}

static void
arg_fill (struct filling *f, uint32_t i)
{
  struct ummgr_arg_record r;
  record_get (&r, sizeof r, &f->view->args, i);
  f->unit->args[i] = (struct ummgr_table_arg) {
    .name = string_get (f, r.name),
    .type = string_get (f, r.type),
    .file = string_get (f, r.file),
    .line = r.line,
    .map_kind = r.map_kind,
    .arg_class = r.arg_class,
    .element_size = r.element_size,
    .size = r.size,
    .hidden = r.flags & UMMGR_ARG_HIDDEN, .flat = r.flags & UMMGR_ARG_FLAT,
    .file_scope = r.flags & UMMGR_ARG_FILE_SCOPE,
    .length_names = r.flags & UMMGR_ARG_LENGTH_KNOWN ? string_get (f, r.length_names) : NULL
  };
}

static void
region_fill (struct filling *f, uint32_t i, uintptr_t address)
{
  struct ummgr_region_record r;
  record_get (&r, sizeof r, &f->view->regions, i);
  if ((uint64_t) r.arg_first + r.arg_count > f->unit->arg_count)
    {
      f->bad = true;
      return;
    }
  uintptr_t note = address - UMMGR_TABLE_NOTE_HEADER;
  uintptr_t function = address ? note + (uintptr_t) r.function : 0;
  f->unit->regions[i] = (struct ummgr_table_region) {
    .host_function = (const void *) function,
    .name = string_get (f, r.name),
    .in_function = string_get (f, r.in_function),
    .title = string_get (f, r.title),
    .file = string_get (f, r.file),
    .line = r.line,
    .column = r.column,
    .constructs = r.constructs,
    .collapse = r.collapse,
    .flags = r.flags,
    .arg_count = r.arg_count,
    .args = f->unit->args + r.arg_first,
    .unit = f->unit,
    .split = { .lo = -1, .why = f->strings },
    .count = { .function = f->strings }
  };
}

/* Do COUNT records from FIRST on lie in SPAN?  */
static bool
range_is_good (struct filling *f, const struct span *span, uint32_t first,
	       uint32_t count)
{
  bool good = (uint64_t) first + count <= span->count;
  f->bad |= !good;
  return good;
}

static void
event_fill (struct filling *f, uint32_t i)
{
  struct ummgr_event_record r;
  record_get (&r, sizeof r, &f->view->events, i);
  struct ummgr_table_event *event = &f->events[i];
  event->kind = r.kind;
  event->function = event->in_function = event->loop_file = event->loop_names = f->strings;
  if (r.kind == UMMGR_EVENT_CALL)
    event->function = string_get (f, r.target);
  else if (r.kind == UMMGR_EVENT_LAUNCH && r.target != UMMGR_EVENT_NO_REGION)
    {
      if (r.target < f->unit->region_count)
	event->region = &f->unit->regions[r.target];
      else
	f->bad = true;
    }
  if (f->view->around.count == f->view->events.count)
    {
      struct ummgr_around_record around;
      record_get (&around, sizeof around, &f->view->around, i);
      event->in_function = string_get (f, around.function);
      event->loop_file = string_get (f, around.file);
      event->loop_line = around.line;
      event->loop_names = string_get (f, around.names);
    }
}

static void
block_fill (struct filling *f, uint32_t i)
{
  struct ummgr_block_record r;
  record_get (&r, sizeof r, &f->view->blocks, i);
  if (!range_is_good (f, &f->view->events, r.event_first, r.event_count)
      || !range_is_good (f, &f->view->edges, r.edge_first, r.edge_count))
    return;
  f->blocks[i] = (struct ummgr_table_block) {
    .events = f->events + r.event_first,
    .event_count = r.event_count,
    .edges = f->edges + r.edge_first,
    .edge_count = r.edge_count
  };
}

static void
function_fill (struct filling *f, uint32_t i)
{
  struct ummgr_function_record r;
  record_get (&r, sizeof r, &f->view->functions, i);
  if (!range_is_good (f, &f->view->blocks, r.block_first, r.block_count))
    return;
  struct ummgr_table_function *function = &f->unit->functions[i];
  *function = (struct ummgr_table_function) {
    .name = string_get (f, r.name),
    .flags = r.flags,
    .blocks = f->blocks + r.block_first,
    .block_count = r.block_count
  };
  /* Edges stay in their function.  */
  for (unsigned b = 0; b < function->block_count; b++)
    for (unsigned e = 0; e < function->blocks[b].edge_count; e++)
      {
	unsigned to = function->blocks[b].edges[e].to;
	if (to != UMMGR_EDGE_RETURN && to >= function->block_count)
	  f->bad = true;
      }
}

/* Calls that may reach what is not known, and what they may reach.  */
static void
calls_fill (struct filling *f)
{
  for (uint32_t i = 0; i < f->view->calls.count; i++)
    {
      struct ummgr_call_record r;
      record_get (&r, sizeof r, &f->view->calls, i);
      f->bad |= r.kind > UMMGR_CALL_VIRTUAL;
      f->calls[i] = (struct ummgr_table_call) {
	string_get (f, r.function), string_get (f, r.file), r.line, r.kind,
	string_get (f, r.signature), string_get (f, r.target)
      };
    }
  for (uint32_t i = 0; i < f->view->taken.count; i++)
    {
      struct ummgr_taken_record r;
      record_get (&r, sizeof r, &f->view->taken, i);
      f->taken[i] = (struct ummgr_table_taken) {
	string_get (f, r.function), string_get (f, r.signature), r.flags
      };
    }
}

static void
flow_fill (struct filling *f)
{
  const struct view *view = f->view;
  for (uint32_t i = 0; i < view->events.count; i++)
    event_fill (f, i);
  for (uint32_t i = 0; i < view->edges.count; i++)
    {
      struct ummgr_edge_record r;
      record_get (&r, sizeof r, &view->edges, i);
      /* Neither is a NaN.  */
      if (!(r.probability >= 0 && r.probability <= 1))
	f->bad = true;
      f->edges[i] = (struct ummgr_table_edge) { r.to, r.flags, r.probability };
    }
  for (uint32_t i = 0; i < view->blocks.count; i++)
    block_fill (f, i);
  /* A block that is bad has been left empty.  */
  for (uint32_t i = 0; i < view->functions.count; i++)
    function_fill (f, i);
  calls_fill (f);
}

/* Not of a sample.  */
enum { NO_SAMPLE = -1 };

/* The expression at OFFSET, over ARG_COUNT arguments, within LOOPS loops of a
   sample.  */
static const unsigned char *
code_get_in (struct filling *f, uint32_t offset, unsigned arg_count, int loops)
{
  const struct span *code = &f->view->code;
  if (offset == 0)
    return NULL;
  size_t left = code->count - (offset < code->count ? offset : code->count);
  const unsigned char *at = f->code + offset;
  if (code->record_size == 1 && left
      && (loops == NO_SAMPLE
	  ? ummgr_code_check (at, left, arg_count)
	  : ummgr_code_check_sample (at, left, arg_count, loops)))
    return at;
  f->bad = true;
  return NULL;
}

static const unsigned char *
code_get (struct filling *f, uint32_t offset, unsigned arg_count)
{
  return code_get_in (f, offset, arg_count, NO_SAMPLE);
}

/* What dimension I and reference I are of a range, if the table has that.  */
static void
range_dim_fill (struct filling *f, uint32_t i, unsigned arg_count)
{
  struct ummgr_range_dim_record r;
  if (f->view->range_dims.count != f->view->dims.count)
    return;
  record_get (&r, sizeof r, &f->view->range_dims, i);
  f->dims[i].range_stride = code_get (f, r.stride, arg_count);
  f->dims[i].range_count = code_get (f, r.count, arg_count);
  f->dims[i].range_extent = code_get (f, r.extent, arg_count);
}

static void
range_ref_fill (struct filling *f, uint32_t i, unsigned arg_count)
{
  struct ummgr_range_ref_record r;
  if (f->view->range_refs.count != f->view->refs.count)
    return;
  record_get (&r, sizeof r, &f->view->range_refs, i);
  f->refs[i].range_base = code_get (f, r.base, arg_count);
}

/* Dimension I, which is within AROUND others.  */
static void
dim_fill (struct filling *f, uint32_t i, unsigned arg_count, uint32_t around)
{
  struct ummgr_dim_record r;
  record_get (&r, sizeof r, &f->view->dims, i);
  f->dims[i] = (struct ummgr_table_dim) {
    .stride = code_get (f, r.stride, arg_count),
    .count = code_get (f, r.count, arg_count),
    .extent = code_get (f, r.extent, arg_count),
    .shared = r.flags & UMMGR_DIM_SHARED
  };
  if (r.of)
    {
      f->dims[i].of = r.of;
      f->dims[i].first = code_get (f, r.first, arg_count);
      f->dims[i].slope = code_get (f, r.slope, arg_count);
      f->dims[i].skip = code_get (f, r.skip, arg_count);
      f->dims[i].skip_slope = code_get (f, r.skip_slope, arg_count);
      f->bad |= r.of > around || !r.first || !r.slope || !r.skip || !r.skip_slope;
    }
  range_dim_fill (f, i, arg_count);
}

/* Step I, after LOOPS loops.  */
static void
step_fill (struct filling *f, uint32_t i, unsigned arg_count, unsigned loops)
{
  struct ummgr_step_record r;
  record_get (&r, sizeof r, &f->view->steps, i);
  bool test = r.kind >= UMMGR_STEP_POSITIVE && r.kind <= UMMGR_STEP_NONZERO;
  if (!(r.value >= 0 && r.value <= 1e300) || r.kind < UMMGR_STEP_SHARED
      || r.kind > UMMGR_STEP_PART || (test && !r.code))
    f->bad = true;
  f->steps[i] = (struct ummgr_table_step) {
    r.kind, code_get_in (f, r.code, arg_count, (int) loops), r.value
  };
}

/* The sample of reference I.  */
static void
sample_fill (struct filling *f, uint32_t i, unsigned arg_count)
{
  struct ummgr_sample_record r;
  unsigned loops = 0;
  if (f->view->samples.count != f->view->refs.count)
    return;
  record_get (&r, sizeof r, &f->view->samples, i);
  if (!range_is_good (f, &f->view->steps, r.step_first, r.step_count))
    return;
  for (uint32_t j = 0; j < r.step_count && !f->bad; j++)
    {
      step_fill (f, r.step_first + j, arg_count, loops);
      if (f->steps[r.step_first + j].kind <= UMMGR_STEP_LOOP)
	loops++;
      f->bad |= loops > UMMGR_SAMPLE_LOOPS;
    }
  if (f->bad)
    return;
  f->refs[i].sample = (struct ummgr_table_sample) {
    .address = code_get_in (f, r.address, arg_count, (int) loops),
    .loops = loops,
    .step_count = r.step_count,
    .steps = f->steps + r.step_first
  };
}

static void
ref_fill (struct filling *f, uint32_t i, unsigned arg_count)
{
  struct ummgr_ref_record r;
  record_get (&r, sizeof r, &f->view->refs, i);
  if (!range_is_good (f, &f->view->dims, r.dim_first, r.dim_count))
    return;
  /* Neither is a NaN.  */
  if (!(r.frequency >= 0 && r.frequency <= 1e300))
    f->bad = true;
  f->refs[i] = (struct ummgr_table_ref) {
    .flags = r.flags,
    .line = r.line,
    .base = code_get (f, r.base, arg_count),
    .element_size = r.element_size,
    .why = string_get (f, r.why),
    .frequency = r.frequency,
    .dim_count = r.dim_count,
    .dims = f->dims + r.dim_first
  };
  for (uint32_t j = 0; j < r.dim_count && !f->bad; j++)
    dim_fill (f, r.dim_first + j, arg_count, j);
  range_ref_fill (f, i, arg_count);
  if (!f->bad)
    sample_fill (f, i, arg_count);
}

/* R, of a region of ARG_COUNT arguments.  */
static struct ummgr_table_use
use_get (struct filling *f, struct ummgr_arg_use_record r, unsigned arg_count)
{
  if (!range_is_good (f, &f->view->refs, r.ref_first, r.ref_count))
    return (struct ummgr_table_use) { .why = f->strings };
  for (uint32_t j = 0; j < r.ref_count && !f->bad; j++)
    ref_fill (f, r.ref_first + j, arg_count);
  return (struct ummgr_table_use) {
    .flags = r.flags,
    .why = string_get (f, r.why),
    .ref_count = r.ref_count,
    .refs = f->refs + r.ref_first
  };
}

/* The use of argument I, of a region of ARG_COUNT.  */
static void
arg_use_fill (struct filling *f, uint32_t i, unsigned arg_count)
{
  struct ummgr_arg_use_record r;
  record_get (&r, sizeof r, &f->view->arg_uses, i);
  f->unit->args[i].use = use_get (f, r, arg_count);
}

/* Pointer I that a region finds in memory.  A region's follow one another.  */
static void
member_fill (struct filling *f, uint32_t i)
{
  struct ummgr_member_record r;
  record_get (&r, sizeof r, &f->view->members, i);
  struct ummgr_table_region *region
    = r.region < f->unit->region_count ? &f->unit->regions[r.region] : NULL;
  f->bad |= !region || r.arg >= region->arg_count;
  if (f->bad)
    return;
  if (!region->member_count)
    region->members = &f->members[i];
  f->bad |= region->members + region->member_count++ != &f->members[i];
  const struct ummgr_arg_use_record use = { r.flags, r.ref_first, r.ref_count, 0 };
  f->members[i] = (struct ummgr_table_member) {
    r.arg, r.offset, use_get (f, use, region->arg_count)
  };
}

/* What a region's expressions load from a struct.  A region's follow one another.  */
static void
field_fill (struct filling *f, uint32_t i)
{
  struct ummgr_field_record r;
  record_get (&r, sizeof r, &f->view->fields, i);
  struct ummgr_table_region *region
    = r.region < f->unit->region_count ? &f->unit->regions[r.region] : NULL;
  f->bad |= !region || r.arg >= region->arg_count;
  if (f->bad)
    return;
  if (!region->field_count)
    region->fields = &f->fields[i];
  f->bad |= region->fields + region->field_count++ != &f->fields[i];
  f->fields[i] = (struct ummgr_code_field) { r.arg, r.offset, string_get (f, r.name) };
}

/* A variable of its own that a region uses.  A region's follow one another.  */
static void
static_fill (struct filling *f, uint32_t i)
{
  struct ummgr_static_record r;
  record_get (&r, sizeof r, &f->view->statics, i);
  struct ummgr_table_region *region
    = r.region < f->unit->region_count ? &f->unit->regions[r.region] : NULL;
  f->bad |= !region;
  if (f->bad)
    return;
  if (!region->static_count)
    region->statics = &f->statics[i];
  f->bad |= region->statics + region->static_count++ != &f->statics[i];
  const struct ummgr_arg_use_record use = { r.flags, r.ref_first, r.ref_count, r.why };
  uintptr_t note = f->address - UMMGR_TABLE_NOTE_HEADER;
  f->statics[i] = (struct ummgr_table_static) {
    string_get (f, r.name), string_get (f, r.file), r.line, r.size,
    (const void *) (f->address && r.address ? note + (uintptr_t) r.address : 0),
    string_get (f, r.symbol), use_get (f, use, region->arg_count)
  };
}

static bool
is_amount (double x)
{
  /* No NaN is.  */
  return x >= 0 && x <= 1e300;
}

/* What the I-th loop nest computes.  The nests of a region follow one another.  */
static void
ops_fill (struct filling *f, uint32_t i)
{
  struct ummgr_ops_record r;
  record_get (&r, sizeof r, &f->view->ops, i);
  if (r.region >= f->unit->region_count || !is_amount (r.flops) || !is_amount (r.integers)
      || !is_amount (r.loads) || !is_amount (r.stores))
    f->bad = true;
  if (f->bad || !range_is_good (f, &f->view->dims, r.dim_first, r.dim_count))
    return;
  struct ummgr_table_region *region = &f->unit->regions[r.region];
  if (!region->ops_count)
    region->ops = &f->ops[i];
  f->bad |= region->ops + region->ops_count++ != &f->ops[i];
  f->ops[i] = (struct ummgr_table_ops) {
    r.flops, r.integers, r.loads, r.stores, r.dim_count, f->dims + r.dim_first
  };
  for (uint32_t j = 0; j < r.dim_count && !f->bad; j++)
    dim_fill (f, r.dim_first + j, region->arg_count, j);
}

/* What REGION's expressions depend on.  */
static void
inputs_fill (struct ummgr_table_region *region)
{
  ummgr_code_inputs (region->trip, &region->inputs);
  for (unsigned i = 0; i < region->arg_count; i++)
    for (unsigned j = 0; j < region->args[i].use.ref_count; j++)
      {
	const struct ummgr_table_ref *ref = &region->args[i].use.refs[j];
	ummgr_code_inputs (ref->base, &region->inputs);
	region->sampled |= ref->sample.step_count;
	for (unsigned k = 0; k < ref->dim_count; k++)
	  {
	    ummgr_code_inputs (ref->dims[k].stride, &region->inputs);
	    ummgr_code_inputs (ref->dims[k].count, &region->inputs);
	    ummgr_code_inputs (ref->dims[k].extent, &region->inputs);
	  }
      }
}

/* How regions use their arguments, if the table has that of all.  */
static void
uses_fill (struct filling *f)
{
  const struct view *view = f->view;
  for (uint32_t i = 0; i < view->args.count; i++)
    f->unit->args[i].use.why = f->strings;
  if (view->region_uses.count != view->regions.count
      || view->arg_uses.count != view->args.count)
    return;
  for (uint32_t i = 0; i < view->regions.count && !f->bad; i++)
    {
      struct ummgr_region_use_record r;
      struct ummgr_table_region *region = &f->unit->regions[i];
      record_get (&r, sizeof r, &view->region_uses, i);
      region->trip = code_get (f, r.trip, region->arg_count);
      region->trip_exact = r.flags & UMMGR_REGION_USE_EXACT;
      region->trip_counted = r.flags & UMMGR_REGION_USE_COUNTED;
      for (unsigned j = 0; j < region->arg_count && !f->bad; j++)
	arg_use_fill (f, (uint32_t) (region->args - f->unit->args) + j,
		      region->arg_count);
      if (!f->bad)
	inputs_fill (region);
    }
  for (uint32_t i = 0; i < view->ops.count && !f->bad; i++)
    ops_fill (f, i);
  for (uint32_t i = 0; i < view->members.count && !f->bad; i++)
    member_fill (f, i);
  for (uint32_t i = 0; i < view->statics.count && !f->bad; i++)
    static_fill (f, i);
  for (uint32_t i = 0; i < view->fields.count && !f->bad; i++)
    field_fill (f, i);
}

/* Lay out the unit, all that it points to and its strings in one block; its
   size.  The counts are bounded by the size of the table, so the block is too.  */
static size_t
lay_out (struct filling *f, struct ummgr_table_unit *unit)
{
  const struct view *view = f->view;
  uintptr_t at = (uintptr_t) unit + sizeof *unit;
#define PLACE(POINTER, NAME)                                                  \
  ((POINTER) = (void *) at, at += view->NAME.count * sizeof *(POINTER))
  PLACE (f->regions, regions);
  PLACE (f->args, args);
  PLACE (f->functions, functions);
  PLACE (f->blocks, blocks);
  PLACE (f->edges, edges);
  PLACE (f->events, events);
  PLACE (f->calls, calls);
  PLACE (f->call_lives, call_lives);
  PLACE (f->taken, taken);
  PLACE (f->refs, refs);
  PLACE (f->dims, dims);
  PLACE (f->steps, steps);
  PLACE (f->reductions, reductions);
  PLACE (f->ops, ops);
  PLACE (f->members, members);
  PLACE (f->fields, fields);
  PLACE (f->statics, statics);
  PLACE (f->sites, sites);
  PLACE (f->site_flows, site_flows);
  PLACE (f->code, code);
  PLACE (f->strings, strings);
#undef PLACE
  return at - (uintptr_t) unit;
}

static void
site_fill (struct filling *f, uint32_t i)
{
  struct ummgr_site_record r;
  record_get (&r, sizeof r, &f->view->sites, i);
  f->sites[i] = (struct ummgr_table_site) {
    .id = r.id,
    .kind = string_get (f, r.kind),
    .file = string_get (f, r.file),
    .line = r.line,
    .function = string_get (f, r.function),
    .variable = string_get (f, r.variable),
    .flags = r.flags,
    .why = string_get (f, r.why)
  };
}

static void
end_fill (struct filling *f, struct ummgr_table_flow_end *end, uint32_t kind,
	  uint32_t x, uint32_t y)
{
  *end = (struct ummgr_table_flow_end) { .kind = kind, .name = f->strings };
  switch (kind)
    {
    case UMMGR_FLOW_SITE:
      if (x < f->view->sites.count)
	end->site = &f->sites[x];
      else
	f->bad = true;
      break;
    case UMMGR_FLOW_ARGUMENT:
      if (x < f->unit->arg_count)
	end->arg = &f->unit->args[x];
      else
	f->bad = true;
      break;
    case UMMGR_FLOW_PARAMETER:
    case UMMGR_FLOW_RETURN:
    case UMMGR_FLOW_GLOBAL:
      end->name = string_get (f, x);
      end->index = y;
      break;
    default:
      /* Of a later version: not known.  */
      end->kind = UMMGR_FLOW_UNKNOWN;
      break;
    }
}

/* The sites and their flows, once the arguments are there.  */
static void
sites_fill (struct filling *f)
{
  const struct view *view = f->view;
  f->unit->site_count = view->sites.count;
  f->unit->sites = f->sites;
  f->unit->site_flow_count = view->site_flows.count;
  f->unit->site_flows = f->site_flows;
  for (uint32_t i = 0; i < view->sites.count; i++)
    site_fill (f, i);
  for (uint32_t i = 0; i < view->site_flows.count && !f->bad; i++)
    {
      struct ummgr_site_flow_record r;
      record_get (&r, sizeof r, &view->site_flows, i);
      end_fill (f, &f->site_flows[i].from, r.from_kind, r.from_x, r.from_y);
      end_fill (f, &f->site_flows[i].to, r.to_kind, r.to_x, r.to_y);
    }
}

static void
reduction_fill (struct filling *f, uint32_t i, unsigned arg_count)
{
  struct ummgr_reduction_record r;
  record_get (&r, sizeof r, &f->view->reductions, i);
  f->bad |= r.arg > arg_count;
  f->reductions[i] = (struct ummgr_table_reduction) {
    (int) r.arg - 1, string_get (f, r.operation), string_get (f, r.type)
  };
}

/* How region I can be run by ranges.  */
static void
split_fill (struct filling *f, uint32_t i)
{
  struct ummgr_split_record r;
  struct ummgr_table_region *region = &f->unit->regions[i];
  record_get (&r, sizeof r, &f->view->splits, i);
  /* Both arguments are there.  */
  if (r.lo >= region->arg_count && r.lo)
    {
      f->bad = true;
      return;
    }
  if (!range_is_good (f, &f->view->reductions, r.reduction_first,
		      r.reduction_count))
    return;
  region->split = (struct ummgr_table_split) {
    .lo = (int) r.lo - 1,
    .trip = code_get (f, r.trip, region->arg_count),
    .flags = r.flags,
    .why = string_get (f, r.why),
    .reduction_count = r.reduction_count,
    .reductions = f->reductions + r.reduction_first
  };
  for (uint32_t j = 0; j < r.reduction_count && !f->bad; j++)
    reduction_fill (f, r.reduction_first + j, region->arg_count);
}

/* The same of all regions, if the table has it.  */
static void
splits_fill (struct filling *f)
{
  if (f->view->splits.count == f->view->regions.count)
    for (uint32_t i = 0; i < f->view->regions.count && !f->bad; i++)
      split_fill (f, i);
}

static uint32_t
schedule_of (uint32_t kind)
{
  /* One of a later version is none of those that say where an iteration goes.  */
  return kind < UMMGR_SCHEDULE_MIXED ? kind : UMMGR_SCHEDULE_MIXED;
}

/* How iterations are shared out, if the table has that of all regions.  */
static void
shares_fill (struct filling *f)
{
  if (f->view->shares.count != f->view->regions.count)
    return;
  for (uint32_t i = 0; i < f->view->regions.count && !f->bad; i++)
    {
      struct ummgr_share_record r;
      struct ummgr_table_region *region = &f->unit->regions[i];
      unsigned args = region->arg_count;
      record_get (&r, sizeof r, &f->view->shares, i);
      region->share = (struct ummgr_table_share) {
	.teams_least = code_get (f, r.teams_least, args), .teams = code_get (f, r.teams, args),
	.threads = code_get (f, r.threads, args), .distribute = schedule_of (r.distribute),
	.loops = schedule_of (r.loops), .distribute_chunk = code_get (f, r.distribute_chunk, args),
	.loops_chunk = code_get (f, r.loops_chunk, args), .flags = r.flags
      };
    }
}

/* How often regions were launched, if the table has that of all.  */
static void
counts_fill (struct filling *f)
{
  if (f->view->counts.count != f->view->regions.count)
    return;
  for (uint32_t i = 0; i < f->view->regions.count && !f->bad; i++)
    {
      struct ummgr_count_record r;
      record_get (&r, sizeof r, &f->view->counts, i);
      f->bad |= !is_amount (r.launches);
      f->unit->regions[i].count = (struct ummgr_table_count) {
	string_get (f, r.function), r.ordinal, r.checksum, r.source, r.launches
      };
    }
}

static struct ummgr_table_live
live_make (struct filling *f, uint32_t flags, uint32_t why, double next)
{
  /* Neither is a NaN.  */
  f->bad |= !(next >= 0 && next <= 1);
  return (struct ummgr_table_live) { .flags = flags, .why = string_get (f, why), .next = next };
}

/* What follows them by single calls.  */
static void
call_lives_fill (struct filling *f)
{
  uint32_t last = 0;
  for (uint32_t i = 0; i < f->view->call_lives.count; i++)
    {
      struct ummgr_call_live_record r;
      record_get (&r, sizeof r, &f->view->call_lives, i);
      if (r.arg >= f->view->args.count || r.arg < last)
	{
	  f->bad = true;
	  return;
	}
      last = r.arg;
      f->call_lives[i] = (struct ummgr_table_call_live) { r.call, r.line, live_make (f, r.flags, r.why, r.next) };
      struct ummgr_table_arg *arg = &f->unit->args[r.arg];
      if (!arg->call_live_count++)
	arg->call_lives = &f->call_lives[i];
    }
}

/* What follows launches, if the table has that of all arguments.  */
static void
lives_fill (struct filling *f)
{
  const struct view *view = f->view;
  bool known = view->lives.count == view->args.count;
  for (uint32_t i = 0; i < view->args.count; i++)
    {
      struct ummgr_live_record r = { 0 };
      if (known)
	record_get (&r, sizeof r, &view->lives, i);
      f->unit->args[i].live = live_make (f, r.flags, r.why, r.next);
    }
  call_lives_fill (f);
}

static bool
unit_new (struct filling *f)
{
  const struct view *view = f->view;
  struct ummgr_table_unit *unit = calloc (1, lay_out (f, NULL));
  if (!unit)
    return false;
  lay_out (f, unit);
  f->unit = unit;
  unit->region_count = view->regions.count;
  unit->regions = f->regions;
  unit->arg_count = view->args.count;
  unit->args = f->args;
  unit->function_count = view->functions.count;
  unit->functions = f->functions;
  unit->call_count = view->calls.count;
  unit->calls = f->calls;
  unit->taken_count = view->taken.count;
  unit->taken = f->taken;
  if (view->code.count)
    memcpy (f->code, view->code.bytes, view->code.count);
  memcpy (f->strings, view->strings.bytes, view->strings.count);
  /* Reports and the command print them.  */
  ummgr_utf8_make_printable (f->strings, view->strings.count);
  return true;
}

enum ummgr_status
ummgr_table_decode (const void *bytes, size_t size, uintptr_t address,
		    struct ummgr_table_unit **out, const char **reason)
{
  struct view view = { .bytes = bytes };
  enum ummgr_status status = header_read (&view, size);
  if (!status)
    status = sections_read (&view);
  if (status)
    {
      *reason = view.reason;
      return status;
    }
  struct filling f = { .view = &view, .address = address };
  if (!unit_new (&f))
    {
      *reason = "there is no memory to read it";
      return UMMGR_ERR_NOMEM;
    }
  f.unit->name = string_get (&f, view.header.unit);
  f.unit->compiler = string_get (&f, view.header.compiler);
  f.unit->version = view.header.version;
  f.unit->unknown_sections = view.unknown;
  f.unit->size = view.header.table_size;
  for (uint32_t i = 0; i < view.args.count; i++)
    arg_fill (&f, i);
  for (uint32_t i = 0; i < view.regions.count; i++)
    region_fill (&f, i, address);
  flow_fill (&f);
  if (!f.bad)
    uses_fill (&f);
  if (!f.bad)
    splits_fill (&f);
  if (!f.bad)
    shares_fill (&f);
  if (!f.bad)
    counts_fill (&f);
  if (!f.bad)
    sites_fill (&f);
  lives_fill (&f);
  if (f.bad)
    {
      free (f.unit);
      *reason = "a record points outside the table";
      return UMMGR_ERR_INVALID;
    }
  *out = f.unit;
  return UMMGR_OK;
}

void
ummgr_table_notes (const void *bytes, size_t size, size_t align,
		   ummgr_table_note_function function, void *data)
{
  const unsigned char *p = bytes;
  size_t mask = (align == 8 ? 8 : 4) - 1;
  size_t at = 0;
  Elf64_Nhdr note;	/* Elf32_Nhdr is the same.  */
  while (size - at >= sizeof note)
    {
      memcpy (&note, p + at, sizeof note);
      uint64_t name = at + sizeof note;
      uint64_t table = (name + note.n_namesz + mask) & ~(uint64_t) mask;
      uint64_t end = table + note.n_descsz;
      if (end > size)
	return;
      if (note.n_type == UMMGR_TABLE_NOTE_TYPE
	  && note.n_namesz == sizeof UMMGR_TABLE_NOTE_OWNER
	  && memcmp (p + name, UMMGR_TABLE_NOTE_OWNER, note.n_namesz) == 0)
	function (p + table, note.n_descsz, data);
      at = (end + mask) & ~(uint64_t) mask;
      if (at > size)
	return;
    }
}

void
ummgr_table_construct_names (uint32_t constructs, char *text, size_t size)
{
  static const char *const names[] = UMMGR_CONSTRUCT_NAMES;
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (constructs & (1u << i) && used < size)
      {
	int n = snprintf (text + used, size - used, "%s%s", used ? " " : "",
			  names[i]);
	used += n > 0 ? (size_t) n : 0;
      }
}

const char *
ummgr_table_map_name (uint32_t map_kind)
{
  static const struct
  {
    uint32_t kind;
    const char *name;
  } names[] = UMMGR_MAP_KIND_NAMES;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].kind == map_kind)
      return names[i].name;
  return NULL;
}

const char *
ummgr_table_class_name (uint32_t arg_class)
{
  static const char *const names[] = UMMGR_ARG_CLASS_NAMES;
  return arg_class < sizeof names / sizeof *names ? names[arg_class]
						  : "unknown";
}

const char *
ummgr_table_source_name (uint32_t source)
{
  static const char *const names[] = UMMGR_COUNT_SOURCE_NAMES;
  return source < sizeof names / sizeof *names ? names[source] : "unknown";
}
