/* The table decoder: a table of version 1; what a later writer may add is
   skipped; what is cut short, out of bounds or of another version is refused
   with its reason.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "tables/decode.h"
#include "tables-build.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned char bytes[BUILD_MAX];

/* Decode exactly SIZE bytes, so that a sanitizer sees an access beyond.  */
static enum ummgr_status
decode (const void *table, size_t size, struct ummgr_table_unit **unit,
	const char **reason)
{
  unsigned char *exact = malloc (size + 1);
  CHECK (exact);
  memcpy (exact + 1, table, size);
  /* One byte off: nothing may rely on alignment.  */
  enum ummgr_status status
    = ummgr_table_decode (exact + 1, size, 0x400000, unit, reason);
  free (exact);
  return status;
}

static void
check_contents (const struct ummgr_table_unit *unit, const struct build *b)
{
  CHECK (strcmp (unit->name, "f.c") == 0);
  CHECK (strcmp (unit->compiler, "r") == 0);
  CHECK_EQ (unit->region_count, b->regions);
  CHECK_EQ (unit->unknown_sections, b->unknown_sections);
  for (unsigned i = 0; i < b->regions; i++)
    {
      const struct ummgr_table_region *r = &unit->regions[i];
      CHECK (r->unit == unit);
      CHECK_EQ ((uintptr_t) r->host_function,
		0x400000 - UMMGR_TABLE_NOTE_HEADER + 0x1000 + 16 * i);
      CHECK (strcmp (r->name, "r") == 0 && strcmp (r->in_function, "a") == 0
	     && strcmp (r->title, "a") == 0);
      CHECK (strcmp (r->file, "f.c") == 0);
      CHECK (r->line == 10 + i && r->column == 3);
      CHECK_EQ (r->arg_count, b->args_each);
      for (unsigned j = 0; j < r->arg_count; j++)
	{
	  CHECK (strcmp (r->args[j].name, "a") == 0);
	  CHECK_EQ (r->args[j].size, 8ull << 32 | (i * b->args_each + j));
	  CHECK_EQ (r->args[j].map_kind, 3);
	}
    }
}

static void
check_good (const struct build *b)
{
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  check_contents (unit, b);
  free (unit);
}

/* The table at BYTES must be refused with STATUS and a reason with TEXT.  */
static void
check_refused (size_t size, enum ummgr_status status, const char *text)
{
  struct ummgr_table_unit *unit = NULL;
  const char *reason = NULL;
  CHECK_EQ (decode (bytes, size, &unit, &reason), status);
  CHECK (!unit && reason);
  if (!strstr (reason, text))
    fprintf (stderr, "reason: %s, not: %s\n", reason, text);
  CHECK (strstr (reason, text));
}

static const struct build plain = { .regions = 3, .args_each = 2 };

/* Set the FIELD of the header, or of section I (strings, regions, args).  */
#define SET_HEADER(FIELD, VALUE)                                              \
  (((struct ummgr_table_header *) bytes)->FIELD = (VALUE))
#define SECTION(I)                                                            \
  ((struct ummgr_table_section *) (bytes + sizeof (struct ummgr_table_header)) \
   + (I))

static void
check_header_faults (void)
{
  size_t size = build_table (&plain, bytes);
  SET_HEADER (version, UMMGR_TABLE_VERSION + 1);
  check_refused (size, UMMGR_ERR_UNSUPPORTED, "version");
  build_table (&plain, bytes);
  SET_HEADER (magic, __builtin_bswap32 (UMMGR_TABLE_MAGIC));
  check_refused (size, UMMGR_ERR_UNSUPPORTED, "byte order");
  SET_HEADER (magic, 17);
  check_refused (size, UMMGR_ERR_INVALID, "magic");
  build_table (&plain, bytes);
  SET_HEADER (header_size, 8);
  check_refused (size, UMMGR_ERR_INVALID, "header size");
  build_table (&plain, bytes);
  SET_HEADER (table_size, (uint32_t) size + 4);
  check_refused (size, UMMGR_ERR_INVALID, "size");
  build_table (&plain, bytes);
  SET_HEADER (section_count, 0xffffffff);
  check_refused (size, UMMGR_ERR_INVALID, "directory");
  build_table (&plain, bytes);
  SET_HEADER (unit, 12);
  check_refused (size, UMMGR_ERR_INVALID, "outside");
}

static void
check_section_faults (void)
{
  size_t size = build_table (&plain, bytes);
  SECTION (1)->count = 0xffffffff;
  check_refused (size, UMMGR_ERR_INVALID, "out of bounds");
  build_table (&plain, bytes);
  SECTION (1)->record_size = 8;
  check_refused (size, UMMGR_ERR_INVALID, "too short");
  build_table (&plain, bytes);
  SECTION (2)->offset = 0xfffffff0;
  check_refused (size, UMMGR_ERR_INVALID, "out of bounds");
  build_table (&plain, bytes);
  SECTION (1)->kind = UMMGR_TABLE_ARGS;
  check_refused (size, UMMGR_ERR_INVALID, "twice");
  build_table (&plain, bytes);
  SECTION (0)->kind = 999;
  check_refused (size, UMMGR_ERR_INVALID, "strings");
  /* An argument fewer than the regions name.  */
  build_table (&plain, bytes);
  SECTION (2)->count = 5;
  check_refused (size, UMMGR_ERR_INVALID, "outside");
  /* Strings that do not end.  */
  build_table (&plain, bytes);
  bytes[size - 1] = 'x';
  check_refused (size, UMMGR_ERR_INVALID, "strings");
}

/* Uses: there, and refused where a number or an expression is wrong.  */
static void
check_uses (void)
{
  const struct build b = { .regions = 2, .args_each = 2, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  check_good (&b);
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  const struct ummgr_table_region *r = &unit->regions[1];
  CHECK (r->trip && r->trip_exact && ummgr_code_has (&r->inputs.values, 0)
	 && !ummgr_code_has (&r->inputs.values, 1));
  CHECK_EQ (r->args[1].use.ref_count, 1);
  const struct ummgr_table_ref *ref = r->args[1].use.refs;
  CHECK (ref->frequency == 0.5 && ref->line == 5 && ref->element_size == 8);
  CHECK (ref->dim_count == 1 && ref->dims[0].shared);
  CHECK (strcmp (r->args[0].use.why, "a") == 0);
  const char *const names[] = { "n", "m" };
  char *text = ummgr_code_text (ref->dims[0].count, names, NULL, 0);
  CHECK (text && strcmp (text, "n - 1") == 0);
  free (text);
  free (unit);

  /* A stack that is empty, an argument that is not there, no end.  */
  static const unsigned char wrong[][3]
    = { { UMMGR_CODE_ADD, 0, 0 }, { UMMGR_CODE_END, 0, 0 },
	{ UMMGR_CODE_ARG, 2, 0 }, { 200, 0, 0 } };
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
      build_table (&b, bytes);
      memcpy (bytes + SECTION (3)->offset + 4, wrong[i], 3);
      check_refused (size, UMMGR_ERR_INVALID, "outside");
    }
  build_table (&b, bytes);
  SECTION (3)->count = 10;
  check_refused (size, UMMGR_ERR_INVALID, "outside");
  build_table (&b, bytes);
  SECTION (6)->count--;
  check_refused (size, UMMGR_ERR_INVALID, "outside");
  /* Not one for each: left out.  */
  build_table (&b, bytes);
  SECTION (5)->count--;
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  CHECK (!unit->regions[0].trip && !unit->args[0].use.flags);
  free (unit);
}

/* What is computed: there, of each region its own, and refused where a region, a dimension
   or an amount is none, or where a region's are not in a row.  */
static void
check_ops (void)
{
  const struct build b = { .regions = 2, .args_each = 2, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  for (unsigned i = 0; i < 2; i++)
    {
      const struct ummgr_table_region *r = &unit->regions[i];
      CHECK_EQ (r->ops_count, 2);
      CHECK (r->ops[0].flops == 0.5 && r->ops[0].integers == 4);
      CHECK (r->ops[1].loads == 2 && r->ops[1].stores == 1);
      CHECK (r->ops[0].dim_count == 1 && r->ops[0].dims[0].shared && !r->ops[1].dim_count);
    }
  free (unit);
  struct ummgr_ops_record r;
  for (unsigned i = 0; i < 6; i++)
    {
      build_table (&b, bytes);
      unsigned char *at = bytes + SECTION (10)->offset + sizeof r;
      memcpy (&r, at, sizeof r);
      r.region = i == 0 ? 2 : i == 1 ? 1 : 0;
      r.dim_count = i == 2 ? 5 : 0;
      r.flops = i == 3 ? -1 : i == 4 ? __builtin_nan ("") : 1;
      r.stores = i == 5 ? __builtin_inf () : 1;
      memcpy (at, &r, sizeof r);
      /* The second region's first one then comes before its second.  */
      if (i == 1)
	{
	  at += sizeof r;
	  r.region = 0;
	  memcpy (at, &r, sizeof r);
	}
      check_refused (size, UMMGR_ERR_INVALID, "outside");
    }
  /* As a table has it that was made before: not known.  */
  build_table (&b, bytes);
  SECTION (10)->kind = 999;
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  CHECK (!unit->regions[0].ops_count && unit->regions[0].trip);
  free (unit);
}

/* The two sections before the last four: SECTION (3 + 8) and on.  */
static void
check_sites (void)
{
  const struct build b = { .regions = 1, .args_each = 1, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  CHECK_EQ (unit->site_count, 1);
  const struct ummgr_table_site *site = unit->sites;
  CHECK (site->id == 77 && site->line == 9 && site->flags == UMMGR_SITE_LEAVES);
  CHECK (strcmp (site->kind, "r") == 0 && strcmp (site->file, "f.c") == 0);
  CHECK (strcmp (site->function, "a") == 0 && !*site->why);
  CHECK_EQ (unit->site_flow_count, 2);
  CHECK (unit->site_flows[0].from.site == site);
  CHECK_EQ (unit->site_flows[0].to.index, 2);
  CHECK (strcmp (unit->site_flows[1].from.name, "a") == 0);
  CHECK (unit->site_flows[1].to.arg == &unit->args[0]);
  free (unit);
  /* A site, an argument and a name that are not there; an end of a kind that
     this reader does not know is unknown.  */
  static const struct
  {
    unsigned place, value;
    bool good;
  } changes[] = { { 4, 1, false }, { 24 + 16, 1, false }, { 24 + 4, 99, false },
		  { 24, 99, true } };
  for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++)
    {
      build_table (&b, bytes);
      memcpy (bytes + SECTION (12)->offset + changes[i].place,
	      &changes[i].value, sizeof changes[i].value);
      if (!changes[i].good)
	{
	  check_refused (size, UMMGR_ERR_INVALID, "outside");
	  continue;
	}
      CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
      CHECK_EQ (unit->site_flows[1].from.kind, UMMGR_FLOW_UNKNOWN);
      free (unit);
    }
}

/* The four sections after those: SECTION (3 + 10) and on.  */
static void
check_splits (void)
{
  const struct build b = { .regions = 2, .args_each = 2, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  const struct ummgr_table_split *split = &unit->regions[1].split;
  CHECK (split->lo == 0 && split->trip && split->flags == UMMGR_SPLIT_ATOMIC);
  CHECK (strcmp (split->why, "a") == 0 && split->reduction_count == 1);
  CHECK (split->reductions->arg == 0
	 && strcmp (split->reductions->operation, "r") == 0
	 && strcmp (split->reductions->type, "a") == 0);
  const struct ummgr_table_ref *ref = unit->args[3].use.refs;
  CHECK (ref->range_base && ref->dims->range_stride && ref->dims->range_count
	 && !ref->dims->range_extent);
  free (unit);
  /* HI, a reduction, its argument and an expression that are not there.  */
  static const struct
  {
    unsigned section, place, value;
  } changes[] = { { 13, 0, 2 }, { 13, 20, 2 }, { 14, 0, 3 }, { 13, 4, 99 },
		  { 15, 0, 99 }, { 16, 4, 99 } };
  for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++)
    {
      build_table (&b, bytes);
      memcpy (bytes + SECTION (changes[i].section)->offset + changes[i].place,
	      &changes[i].value, sizeof changes[i].value);
      check_refused (size, UMMGR_ERR_INVALID, "outside");
    }
  /* A table from before there were any, or with another number of them.  */
  build_table (&b, bytes);
  SECTION (13)->kind = 998;
  SECTION (15)->count--;
  SECTION (16)->count--;
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  CHECK (unit->regions[0].split.lo == -1 && !*unit->regions[0].split.why);
  CHECK (!unit->args[0].use.refs->range_base);
  CHECK (!unit->args[0].use.refs->dims->range_count);
  free (unit);
}

/* The section after those: SECTION (3 + 14).  */
static void
check_shares (void)
{
  const struct build b = { .regions = 2, .args_each = 2, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  const struct ummgr_table_share *s = &unit->regions[1].share;
  CHECK (!s->teams_least && s->teams && !s->threads && s->distribute_chunk && !s->loops_chunk);
  CHECK (s->distribute == UMMGR_SCHEDULE_STATIC && s->loops == UMMGR_SCHEDULE_MIXED);
  CHECK_EQ (s->flags, UMMGR_SHARE_TEAMS | UMMGR_SHARE_DISTRIBUTE_CHUNK);
  free (unit);
  /* An expression that is not there.  */
  const uint32_t beyond = 99;
  memcpy (bytes + SECTION (17)->offset + 16, &beyond, sizeof beyond);
  check_refused (size, UMMGR_ERR_INVALID, "outside");
  /* A table from before there were any.  */
  build_table (&b, bytes);
  SECTION (17)->count--;
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  CHECK (!unit->regions[0].share.teams && !unit->regions[0].share.flags);
  free (unit);
}

/* The section after that.  */
static void
check_counts (void)
{
  const struct build b = { .regions = 2, .args_each = 1, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  const struct ummgr_table_count *c = &unit->regions[1].count;
  CHECK (strcmp (c->function, "a") == 0 && c->ordinal == 1 && c->checksum == 77);
  CHECK (c->source == UMMGR_COUNT_STATISTICS && c->launches == 12.5);
  CHECK (strcmp (ummgr_table_source_name (c->source), "statistics") == 0);
  CHECK (strcmp (ummgr_table_source_name (99), "unknown") == 0);
  free (unit);
  /* A name that is not there, and launches that are no number of any.  */
  const uint32_t beyond = 9999;
  memcpy (bytes + SECTION (18)->offset, &beyond, sizeof beyond);
  check_refused (size, UMMGR_ERR_INVALID, "outside");
  static const double wrong[] = { -1, 0.0 / 0.0, 1.0 / 0.0 };
  for (unsigned i = 0; i < 3; i++)
    {
      build_table (&b, bytes);
      memcpy (bytes + SECTION (18)->offset + 16, &wrong[i], sizeof wrong[i]);
      check_refused (size, UMMGR_ERR_INVALID, "outside");
    }
  /* A table from before there were any.  */
  build_table (&b, bytes);
  SECTION (18)->count--;
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  CHECK (unit->regions[0].count.source == UMMGR_COUNT_NONE && !*unit->regions[0].count.function);
  free (unit);
}

/* Write WRONG at AT of section N's first record: the table is refused.  */
static void
check_wrong (const struct build *b, unsigned n, size_t at, uint32_t wrong)
{
  size_t size = build_table (b, bytes);
  memcpy (bytes + SECTION (n)->offset + at, &wrong, sizeof wrong);
  check_refused (size, UMMGR_ERR_INVALID, "outside");
}

/* Dimensions that depend on others; and the two behind what can be run by ranges: a region, an
   argument, a name or a reference that isn't there, or records of a region that don't follow one
   another.  */
static void
check_own (void)
{
  const struct build b = { .regions = 2, .args_each = 1, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  const struct ummgr_table_region *region = &unit->regions[1];
  CHECK (region->field_count == 1 && region->fields[0].offset == 24);
  CHECK (strcmp (region->fields[0].name, "a") == 0);
  CHECK (region->static_count == 1 && region->statics[0].size == 4096
	 && region->statics[0].line == 7);
  /* As far from the note as the record says.  */
  CHECK_EQ ((uintptr_t) region->statics[0].address, 0x400000 - UMMGR_TABLE_NOTE_HEADER + 64);
  CHECK (strcmp (region->statics[0].symbol, "a") == 0);
  CHECK (strcmp (region->statics[0].use.why, "a") == 0);
  CHECK (strcmp (region->statics[0].name, "a") == 0 && region->statics[0].use.ref_count == 1);
  free (unit);
  /* A dimension that depends on itself.  */
  check_wrong (&b, 7, offsetof (struct ummgr_dim_record, of), 1);
  check_wrong (&b, 19, offsetof (struct ummgr_field_record, region), 2);
  check_wrong (&b, 19, offsetof (struct ummgr_field_record, arg), 1);
  check_wrong (&b, 19, offsetof (struct ummgr_field_record, name), 9999);
  check_wrong (&b, 20, offsetof (struct ummgr_static_record, region), 2);
  check_wrong (&b, 20, offsetof (struct ummgr_static_record, name), 9999);
  check_wrong (&b, 20, offsetof (struct ummgr_static_record, file), 9999);
  check_wrong (&b, 20, offsetof (struct ummgr_static_record, symbol), 9999);
  check_wrong (&b, 20, offsetof (struct ummgr_static_record, why), 9999);
  check_wrong (&b, 20, offsetof (struct ummgr_static_record, ref_first), 9999);
  check_wrong (&b, 20, offsetof (struct ummgr_static_record, ref_count), 9999);
  const struct build three = { .regions = 3, .args_each = 1, .uses = true };
  for (unsigned n = 19; n <= 20; n++)
    {
      const uint32_t apart = 0;
      const size_t record = n == 19 ? sizeof (struct ummgr_field_record)
	: sizeof (struct ummgr_static_record);
      size = build_table (&three, bytes);
      memcpy (bytes + SECTION (n)->offset + 2 * record, &apart, sizeof apart);
      check_refused (size, UMMGR_ERR_INVALID, "outside");
    }
}

/* The two behind that.  */
static void
check_calls (void)
{
  const struct build b = { .regions = 1, .args_each = 1, .uses = true };
  struct ummgr_table_unit *unit;
  const char *reason;
  size_t size = build_table (&b, bytes);
  CHECK_EQ (decode (bytes, size, &unit, &reason), UMMGR_OK);
  CHECK (unit->call_count == 1 && unit->calls[0].line == 9
	 && unit->calls[0].kind == UMMGR_CALL_VIRTUAL && !*unit->calls[0].target);
  CHECK (strcmp (unit->calls[0].file, "f.c") == 0 && strcmp (unit->calls[0].function, "a") == 0
	 && strcmp (unit->calls[0].signature, "r") == 0);
  CHECK (unit->taken_count == 1 && unit->taken[0].flags == UMMGR_TAKEN_LOCAL);
  CHECK (strcmp (unit->taken[0].function, "a") == 0
	 && strcmp (unit->taken[0].signature, "r") == 0);
  free (unit);
  check_wrong (&b, 21, offsetof (struct ummgr_call_record, function), 9999);
  check_wrong (&b, 21, offsetof (struct ummgr_call_record, file), 9999);
  check_wrong (&b, 21, offsetof (struct ummgr_call_record, kind), 2);
  check_wrong (&b, 21, offsetof (struct ummgr_call_record, signature), 9999);
  check_wrong (&b, 21, offsetof (struct ummgr_call_record, target), 9999);
  check_wrong (&b, 22, offsetof (struct ummgr_taken_record, function), 9999);
  check_wrong (&b, 22, offsetof (struct ummgr_taken_record, signature), 9999);
}

int
main (void)
{
  check_calls ();
  check_shares ();
  check_counts ();
  check_own ();
  check_uses ();
  check_splits ();
  check_ops ();
  check_sites ();
  check_good (&plain);
  check_good (&(struct build) { .regions = 0 });
  check_good (&(struct build) { .regions = 5, .args_each = 0 });
  check_good (&(struct build) { .regions = 4, .args_each = 3,
				.header_extra = 12, .section_extra = 4,
				.region_extra = 40, .arg_extra = 20,
				.unknown_sections = 2 });
  size_t size = build_table (&plain, bytes);
  for (size_t cut = 0; cut < size; cut++)
    check_refused (cut, UMMGR_ERR_INVALID, "");
  check_header_faults ();
  check_section_faults ();

  struct ummgr_table_unit *unit;
  const char *reason;
  size = build_table (&plain, bytes);
  CHECK_EQ (ummgr_table_decode (bytes, size, 0, &unit, &reason), UMMGR_OK);
  CHECK (!unit->regions[0].host_function);
  free (unit);
  return 0;
}
