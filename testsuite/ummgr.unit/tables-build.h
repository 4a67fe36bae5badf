/* A table in memory, built field by field, for the tests of its reader.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "ummgr-table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BUILD_MAX 8192

/* How the built table departs from version 1.  */
struct build
{
  unsigned regions;
  unsigned args_each;
  unsigned header_extra;	/* Bytes after each kind of record.  */
  unsigned section_extra;
  unsigned region_extra;
  unsigned arg_extra;
  unsigned unknown_sections;
  bool uses;			/* With how regions use their arguments.  */
};

/* Strings "", "r" at 1, "a" at 3, "f.c" at 5.  */
static const char build_strings[12] = "\0r\0a\0f.c";

static size_t
build_put (unsigned char *out, size_t at, const void *record, size_t size,
	   unsigned extra)
{
  memcpy (out + at, record, size);
  memset (out + at + size, 0xee, extra);
  return at + size + extra;
}

static size_t
build_regions (const struct build *b, unsigned char *out, size_t at)
{
  for (unsigned i = 0; i < b->regions; i++)
    {
      struct ummgr_region_record r = {
	.function = 0x1000 + 16 * i, .name = 1, .in_function = 3, .file = 5,
	.line = 10 + i, .column = 3, .constructs = UMMGR_CONSTRUCT_TARGET,
	.arg_first = i * b->args_each, .arg_count = b->args_each, .title = 3
      };
      at = build_put (out, at, &r, sizeof r, b->region_extra);
    }
  return at;
}

static size_t
build_args (const struct build *b, unsigned char *out, size_t at)
{
  for (unsigned i = 0; i < b->regions * b->args_each; i++)
    {
      struct ummgr_arg_record a = {
	.name = 3, .type = 1, .file = 5, .line = 7, .map_kind = 3,
	.arg_class = UMMGR_ARG_ARRAY, .element_size = 8, .size = 8ull << 32 | i
      };
      at = build_put (out, at, &a, sizeof a, b->arg_extra);
    }
  return at;
}

/* Expressions: 7 at 1, that of argument 0 less 1 at 4, and, of samples, the
   4-byte element of argument 0 at 8 times the first loop's iteration at 11, and
   the sum of two loops' at 21.  */
static const unsigned char build_code[28]
  = { UMMGR_CODE_END, UMMGR_CODE_CONST8, 7, UMMGR_CODE_END, UMMGR_CODE_ARG, 0,
      0, UMMGR_CODE_CONST8, 1, UMMGR_CODE_SUB, UMMGR_CODE_END,
      UMMGR_CODE_ITERATION, 0, UMMGR_CODE_CONST8, 8, UMMGR_CODE_MUL,
      UMMGR_CODE_ELEMENT, 0, 0, 4, UMMGR_CODE_END,
      UMMGR_CODE_ITERATION, 0, UMMGR_CODE_ITERATION, 1, UMMGR_CODE_ADD,
      UMMGR_CODE_END };

/* Each argument's reference has a sample of these steps.  */
static const struct ummgr_step_record build_steps[]
  = { { UMMGR_STEP_SHARED, 1, 0 }, { UMMGR_STEP_NONZERO, 11, 0.5 },
      { UMMGR_STEP_LOOP, 11, 8 }, { UMMGR_STEP_PART, 0, 0.25 } };
enum { BUILD_STEPS = sizeof build_steps / sizeof *build_steps };

static size_t
build_samples (unsigned args, unsigned char *out, size_t at,
	       struct ummgr_table_section *sections)
{
  const struct ummgr_sample_record sample = { 21, 0, args ? BUILD_STEPS : 0 };
  sections[0] = (struct ummgr_table_section) { UMMGR_TABLE_SAMPLES, at, args,
					       sizeof sample };
  for (unsigned i = 0; i < args; i++)
    at = build_put (out, at, &sample, sizeof sample, 0);
  sections[1] = (struct ummgr_table_section) { UMMGR_TABLE_STEPS, at,
					       BUILD_STEPS,
					       sizeof *build_steps };
  return build_put (out, at, build_steps, sizeof build_steps, 0);
}

/* A site, whose memory goes to parameter 2 of "a", and from there to the first
   argument, if there is one.  */
static size_t
build_sites (unsigned args, unsigned char *out, size_t at,
	     struct ummgr_table_section *sections)
{
  const struct ummgr_site_record site
    = { 77, 1, 5, 9, 3, 3, UMMGR_SITE_LEAVES, 0 };
  const struct ummgr_site_flow_record flows[2] = {
    { UMMGR_FLOW_SITE, 0, 0, UMMGR_FLOW_PARAMETER, 3, 2 },
    { UMMGR_FLOW_PARAMETER, 3, 2, UMMGR_FLOW_ARGUMENT, 0, 0 }
  };
  const unsigned count = args ? 2 : 1;
  sections[0] = (struct ummgr_table_section) { UMMGR_TABLE_SITES, at, 1,
					       sizeof site };
  at = build_put (out, at, &site, sizeof site, 0);
  sections[1] = (struct ummgr_table_section) { UMMGR_TABLE_SITE_FLOWS, at,
					       count, sizeof *flows };
  return build_put (out, at, flows, count * sizeof *flows, 0);
}

/* Regions that can be run by ranges, if they have two arguments: the last; each with
   one reduction.  */
static size_t
build_splits (const struct build *b, unsigned char *out, size_t at,
	      struct ummgr_table_section *sections)
{
  const unsigned args = b->regions * b->args_each;
  const struct ummgr_split_record split
    = { b->args_each >= 2 ? b->args_each - 1 : 0, 1, UMMGR_SPLIT_ATOMIC, 3, 0, 1 };
  const struct ummgr_reduction_record reduction = { b->args_each ? 1 : 0, 1, 3 };
  const struct ummgr_range_ref_record ref = { 1 };
  const struct ummgr_range_dim_record dim = { 1, 1, 0 };
  sections[0] = (struct ummgr_table_section) { UMMGR_TABLE_SPLITS, at, b->regions,
					       sizeof split };
  for (unsigned i = 0; i < b->regions; i++)
    at = build_put (out, at, &split, sizeof split, 0);
  sections[1] = (struct ummgr_table_section) { UMMGR_TABLE_REDUCTIONS, at, 1,
					       sizeof reduction };
  at = build_put (out, at, &reduction, sizeof reduction, 0);
  sections[2] = (struct ummgr_table_section) { UMMGR_TABLE_RANGE_REFS, at, args,
					       sizeof ref };
  for (unsigned i = 0; i < args; i++)
    at = build_put (out, at, &ref, sizeof ref, 0);
  sections[3] = (struct ummgr_table_section) { UMMGR_TABLE_RANGE_DIMS, at, args,
					       sizeof dim };
  for (unsigned i = 0; i < args; i++)
    at = build_put (out, at, &dim, sizeof dim, 0);
  return at;
}

/* Each region has two loop nests, the first with the dimension of the first argument's
   reference.  */
static size_t
build_ops (const struct build *b, unsigned char *out, size_t at,
	   struct ummgr_table_section *section)
{
  *section = (struct ummgr_table_section) {
    UMMGR_TABLE_OPS, at, 2 * b->regions, sizeof (struct ummgr_ops_record)
  };
  for (unsigned i = 0; i < 2 * b->regions; i++)
    {
      const struct ummgr_ops_record r
	= { i / 2, 0, !(i & 1) && b->args_each, 0, 0.5, 4, 2, 1 };
      at = build_put (out, at, &r, sizeof r, 0);
    }
  return at;
}

/* num_teams of an expression, chunks of one, and a schedule of a later version.  */
static size_t
build_shares (const struct build *b, unsigned char *out, size_t at,
	      struct ummgr_table_section *section)
{
  const struct ummgr_share_record r
    = { 0, b->args_each ? 4 : 1, 0, UMMGR_SCHEDULE_STATIC, 1, 77, 0,
	UMMGR_SHARE_TEAMS | UMMGR_SHARE_DISTRIBUTE_CHUNK };
  *section = (struct ummgr_table_section) { UMMGR_TABLE_SHARES, at, b->regions, sizeof r };
  for (unsigned i = 0; i < b->regions; i++)
    at = build_put (out, at, &r, sizeof r, 0);
  return at;
}

/* Launches that statistics counted.  */
static size_t
build_counts (const struct build *b, unsigned char *out, size_t at,
	      struct ummgr_table_section *section)
{
  *section = (struct ummgr_table_section) { UMMGR_TABLE_COUNTS, at, b->regions,
					    sizeof (struct ummgr_count_record) };
  for (unsigned i = 0; i < b->regions; i++)
    {
      const struct ummgr_count_record r = { 3, i, 77, UMMGR_COUNT_STATISTICS, 12.5 };
      at = build_put (out, at, &r, sizeof r, 0);
    }
  return at;
}

/* A number in a struct and a variable of the device's own for each region that has arguments.  */
static size_t
build_own (const struct build *b, unsigned char *out, size_t at,
	   struct ummgr_table_section *sections)
{
  const unsigned count = b->args_each ? b->regions : 0;
  sections[0] = (struct ummgr_table_section) { UMMGR_TABLE_FIELDS, at, count,
					       sizeof (struct ummgr_field_record) };
  for (unsigned i = 0; i < count; i++)
    {
      const struct ummgr_field_record r = { i, 0, 24, 3 };
      at = build_put (out, at, &r, sizeof r, 0);
    }
  sections[1] = (struct ummgr_table_section) { UMMGR_TABLE_STATICS, at, count,
					       sizeof (struct ummgr_static_record) };
  for (unsigned i = 0; i < count; i++)
    {
      const struct ummgr_static_record r = { i, 3, 3, 7, UMMGR_USE_ANALYSED, 0, 1, 4096, 64, 3, 3 };
      at = build_put (out, at, &r, sizeof r, 0);
    }
  return at;
}

/* A call that names no function, and one that it may reach.  */
static size_t
build_calls (unsigned char *out, size_t at, struct ummgr_table_section *sections)
{
  const struct ummgr_call_record call = { 3, 5, 9, UMMGR_CALL_VIRTUAL, 1, 0 };
  const struct ummgr_taken_record taken = { 3, 1, UMMGR_TAKEN_LOCAL };
  sections[0] = (struct ummgr_table_section) { UMMGR_TABLE_CALLS, at, 1, sizeof call };
  at = build_put (out, at, &call, sizeof call, 0);
  sections[1] = (struct ummgr_table_section) { UMMGR_TABLE_TAKEN, at, 1, sizeof taken };
  return build_put (out, at, &taken, sizeof taken, 0);
}

enum { BUILD_USES = 20 };

/* The sections of uses, their records at AT; fills SECTIONS.  Each argument has
   one reference with one dimension.  */
static size_t
build_uses (const struct build *b, unsigned char *out, size_t at,
	    struct ummgr_table_section *sections)
{
  const unsigned args = b->regions * b->args_each;
  const uint32_t expression = b->args_each ? 4 : 1;
  sections[0] = (struct ummgr_table_section) { UMMGR_TABLE_CODE, at,
					       sizeof build_code, 1 };
  at = build_put (out, at, build_code, sizeof build_code, 0);
  const struct ummgr_region_use_record region = { expression, 1 };
  sections[1] = (struct ummgr_table_section) {
    UMMGR_TABLE_REGION_USES, at, b->regions, sizeof region
  };
  for (unsigned i = 0; i < b->regions; i++)
    at = build_put (out, at, &region, sizeof region, 0);
  sections[2] = (struct ummgr_table_section) {
    UMMGR_TABLE_ARG_USES, at, args, sizeof (struct ummgr_arg_use_record)
  };
  for (unsigned i = 0; i < args; i++)
    {
      const struct ummgr_arg_use_record a = { UMMGR_USE_ANALYSED, i, 1, 3 };
      at = build_put (out, at, &a, sizeof a, 0);
    }
  sections[3] = (struct ummgr_table_section) {
    UMMGR_TABLE_REFS, at, args, sizeof (struct ummgr_ref_record)
  };
  for (unsigned i = 0; i < args; i++)
    {
      const struct ummgr_ref_record r
	= { UMMGR_REF_READ | UMMGR_REF_AFFINE, 5, 1, 8, i, 1, 0, 0.5 };
      at = build_put (out, at, &r, sizeof r, 0);
    }
  sections[4] = (struct ummgr_table_section) {
    UMMGR_TABLE_DIMS, at, args, sizeof (struct ummgr_dim_record)
  };
  for (unsigned i = 0; i < args; i++)
    {
      const struct ummgr_dim_record d = { 1, expression, expression, 1 };
      at = build_put (out, at, &d, sizeof d, 0);
    }
  at = build_samples (args, out, at, sections + 5);
  at = build_ops (b, out, at, sections + 7);
  at = build_sites (args, out, at, sections + 8);
  at = build_splits (b, out, at, sections + 10);
  at = build_shares (b, out, at, sections + 14);
  at = build_counts (b, out, at, sections + 15);
  at = build_own (b, out, at, sections + 16);
  return build_calls (out, at, sections + 18);
}

/* Build the table B into OUT (BUILD_MAX bytes); returns its size.  */
static inline size_t
build_table (const struct build *b, unsigned char *out)
{
  const unsigned uses_count = b->uses ? BUILD_USES : 0;
  const unsigned count = 3 + b->unknown_sections + uses_count;
  struct ummgr_table_section uses[BUILD_USES];
  const uint32_t section_size
    = sizeof (struct ummgr_table_section) + b->section_extra;
  struct ummgr_table_header h = {
    .magic = UMMGR_TABLE_MAGIC, .version = UMMGR_TABLE_VERSION,
    .header_size = sizeof h + b->header_extra, .section_count = count,
    .section_size = section_size, .unit = 5, .compiler = 1
  };
  h.section_offset = h.header_size;
  size_t regions_at = h.section_offset + count * section_size;
  size_t args_at = build_regions (b, out, regions_at);
  size_t strings_at = build_args (b, out, args_at);
  if (b->uses)
    strings_at = build_uses (b, out, strings_at, uses);
  size_t end = build_put (out, strings_at, build_strings,
			  sizeof build_strings, 0);
  h.table_size = end;
  size_t at = build_put (out, 0, &h, sizeof h, b->header_extra);
  for (unsigned i = 0; i < b->unknown_sections; i++)
    {
      struct ummgr_table_section s = { 1000 + i, 0, 0xffffffff, 0xffffffff };
      at = build_put (out, at, &s, sizeof s, b->section_extra);
    }
  const struct ummgr_table_section known[3] = {
    { UMMGR_TABLE_STRINGS, strings_at, sizeof build_strings, 1 },
    { UMMGR_TABLE_REGIONS, regions_at, b->regions,
      sizeof (struct ummgr_region_record) + b->region_extra },
    { UMMGR_TABLE_ARGS, args_at, b->regions * b->args_each,
      sizeof (struct ummgr_arg_record) + b->arg_extra }
  };
  for (unsigned i = 0; i < 3; i++)
    at = build_put (out, at, &known[i], sizeof known[i], b->section_extra);
  for (unsigned i = 0; i < uses_count; i++)
    at = build_put (out, at, &uses[i], sizeof uses[i], b->section_extra);
  return end;
}
