/* Random damage to tables and notes: the reader must neither read beyond the
   bytes (a sanitizer would tell, and strings are read to their ends) nor hand
   out anything that points outside the unit.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "hints/data.h"
#include "tables/sites.h"
#include "tables/decode.h"
#include "tables-build.h"

#include <elf.h>
#include <stdlib.h>

enum { ROUNDS = 120000 };

static uint64_t state = 88172645463325252ull;

/* xorshift64: the same sequence every time.  */
static uint32_t
random_next (void)
{
  return random64 (&state) >> 16;
}

static size_t total;
static unsigned sampled;

/* Expressions must be evaluated within bounds whatever they are.  */
static void
use_code (const unsigned char *code, unsigned arg_count)
{
  static char memory[64];
  void *hostaddrs[8];
  size_t sizes[8];
  int64_t value;
  if (arg_count > 8)
    return;
  for (unsigned i = 0; i < 8; i++)
    {
      hostaddrs[i] = memory;
      sizes[i] = sizeof memory;
    }
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  if (ummgr_code_evaluate (code, &inputs, &value))
    total += value & 1;
}

/* A sample whatever it is, of arrays that end where memory does.  */
static void
use_sample (const struct ummgr_table_ref *ref, unsigned arg_count)
{
  void *hostaddrs[8];
  size_t sizes[8];
  struct ummgr_code_memory memory[8];
  struct ummgr_data_ref out;
  static char *at;
  if (arg_count > 8 || ref->sample.loops > UMMGR_SAMPLE_LOOPS)
    return;
  if (!at)
    CHECK ((at = malloc (72)));
  for (unsigned i = 0; i < 8; i++)
    {
      hostaddrs[i] = memset (at, (int) random_next (), 72);
      sizes[i] = 72;
      memory[i] = (struct ummgr_code_memory) { at + 8, 8, 64, NULL };
    }
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  ummgr_data_sample (ref, &inputs, memory, random_next () % 4,
		     (struct ummgr_hint_extent) { .offset = 8, .size = 72 }, 4, &out);
  for (int v = 0; out.known && v < UMMGR_DATA_VARIANTS; v++)
    for (int g = 0; g < UMMGR_DATA_GRANULES; g++)
      CHECK (out.share[v][g] >= 0 && out.share[v][g] <= 1
	     && out.accesses[v] >= 0);
  sampled += out.known;
}

static void
use_uses (const struct ummgr_table_region *r)
{
  use_code (r->trip, r->arg_count);
  for (unsigned i = 0; i < r->arg_count; i++)
    {
      const struct ummgr_table_use *use = &r->args[i].use;
      total += strlen (use->why);
      for (unsigned j = 0; j < use->ref_count; j++)
	{
	  const struct ummgr_table_ref *ref = &use->refs[j];
	  total += strlen (ref->why);
	  use_code (ref->base, r->arg_count);
	  for (unsigned k = 0; k < ref->dim_count; k++)
	    {
	      use_code (ref->dims[k].stride, r->arg_count);
	      use_code (ref->dims[k].count, r->arg_count);
	      use_code (ref->dims[k].extent, r->arg_count);
	    }
	  use_sample (ref, r->arg_count);
	}
    }
}

/* ummgr_sites_each's callback.  */
static void
use_end (const struct ummgr_table_flow_end *end, void *data)
{
  (void) data;
  total += strlen (end->name) + (end->site ? strlen (end->site->kind) : 0);
}

static void
use_sites (const struct ummgr_table_unit *unit)
{
  struct ummgr_sites *sites = ummgr_sites_new (&unit, 1);
  CHECK (sites);
  for (size_t i = 0; i < unit->site_count; i++)
    {
      const struct ummgr_table_site *site = &unit->sites[i];
      total += strlen (site->kind) + strlen (site->file)
	       + strlen (site->function) + strlen (site->variable)
	       + strlen (site->why) + ummgr_sites_reach (sites, site->id);
    }
  for (size_t i = 0; i < unit->arg_count; i++)
    ummgr_sites_each (sites, &unit->args[i], use_end, NULL);
  ummgr_sites_free (sites);
}

static void
use_unit (const struct ummgr_table_unit *unit)
{
  use_sites (unit);
  total += strlen (unit->name) + strlen (unit->compiler);
  for (size_t i = 0; i < unit->region_count; i++)
    {
      const struct ummgr_table_region *r = &unit->regions[i];
      total += strlen (r->name) + strlen (r->in_function) + strlen (r->file);
      CHECK (r->args >= unit->args
	     && r->args + r->arg_count <= unit->args + unit->arg_count);
      for (unsigned j = 0; j < r->arg_count; j++)
	total += strlen (r->args[j].name) + strlen (r->args[j].type)
		 + strlen (r->args[j].file);
      use_uses (r);
    }
}

static unsigned decoded, refused;

static void
use_table (const void *table, size_t size, void *data)
{
  (void) data;
  struct ummgr_table_unit *unit;
  const char *reason = NULL;
  if (ummgr_table_decode (table, size, 0x1000, &unit, &reason) == UMMGR_OK)
    {
      decoded++;
      use_unit (unit);
      free (unit);
    }
  else
    {
      refused++;
      CHECK (reason);
    }
}

/* Change a few places: a bit, a byte, a word to an extreme or a small step. */
static void
damage (unsigned char *bytes, size_t size)
{
  static const uint32_t extremes[] = { 0, 1, 0x7fffffff, 0x80000000,
				       0xffffffff, 0xfffffffc, 0x10000 };
  for (unsigned n = 1 + random_next () % 4; n--;)
    {
      size_t at = random_next () % size;
      uint32_t word;
      switch (random_next () % 4)
	{
	case 0:
	  bytes[at] ^= 1u << random_next () % 8;
	  break;
	case 1:
	  bytes[at] = random_next ();
	  break;
	default:
	  at = at / 4 * 4;
	  if (at + 4 > size)
	    break;
	  memcpy (&word, bytes + at, 4);
	  word = random_next () % 2 ? extremes[random_next () % 7]
				    : word + random_next () % 65 - 32;
	  memcpy (bytes + at, &word, 4);
	}
    }
}

/* A foreign note and then the table's, at the start of OUT.  */
static size_t
build_notes (const struct build *b, unsigned char *out)
{
  static const struct
  {
    Elf64_Nhdr header;
    char owner[4];
    char text[8];
  } foreign = { { 4, 8, 3 }, "GNU", "1234567" };
  size_t at = build_put (out, 0, &foreign, sizeof foreign, 0);
  size_t size = build_table (b, out + at + UMMGR_TABLE_NOTE_HEADER);
  Elf64_Nhdr ours = { sizeof UMMGR_TABLE_NOTE_OWNER, size,
		      UMMGR_TABLE_NOTE_TYPE };
  memset (out + at, 0, UMMGR_TABLE_NOTE_HEADER);
  memcpy (out + at, &ours, sizeof ours);
  memcpy (out + at + sizeof ours, UMMGR_TABLE_NOTE_OWNER,
	  sizeof UMMGR_TABLE_NOTE_OWNER);
  return at + UMMGR_TABLE_NOTE_HEADER + size;
}

int
main (void)
{
  static unsigned char bytes[2 * BUILD_MAX];
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      struct build b = { .regions = random_next () % 4,
			 .args_each = random_next () % 3,
			 .region_extra = random_next () % 3 * 4,
			 .unknown_sections = random_next () % 2,
			 .uses = random_next () % 2 };
      size_t size = build_notes (&b, bytes);
      if (round)
	damage (bytes, size);
      if (random_next () % 8 == 0)
	size = random_next () % (size + 1);
      unsigned char *exact = malloc (size ? size : 1);
      CHECK (exact);
      memcpy (exact, bytes, size);
      ummgr_table_notes (exact, size, random_next () % 2 ? 4 : 8, use_table,
			 NULL);
      free (exact);
    }
  /* Both ways were tried, and often.  */
  CHECK (decoded > ROUNDS / 20 && refused > ROUNDS / 20);
  CHECK (total > 0 && sampled > 1000);
  return 0;
}
