/* A table in memory, built field by field, for the tests of its reader.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TABLES_BUILD_H
#define TABLES_BUILD_H

#include "ummgr-table.h"

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
	.arg_first = i * b->args_each, .arg_count = b->args_each
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

/* Build the table B into OUT (BUILD_MAX bytes); returns its size.  */
static inline size_t
build_table (const struct build *b, unsigned char *out)
{
  const unsigned count = 3 + b->unknown_sections;
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
  return end;
}

#endif
