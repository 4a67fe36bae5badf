/* What the files that decode tables share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   tables/decode.c finds the sections and fills a unit; tables/decode-sites.c does
   so with sites, tables/decode-lives.c with what follows launches.  For these files only.  */

#ifndef UMMGR_TABLE_DECODE_INTERNAL_H
#define UMMGR_TABLE_DECODE_INTERNAL_H

#include "tables/decode.h"
#include "ummgr-table.h"

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
static inline void
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
  struct ummgr_table_ref *refs;
  struct ummgr_table_dim *dims;
  struct ummgr_table_step *steps;
  unsigned char *code;
  struct ummgr_table_site *sites;
  struct ummgr_table_site_flow *site_flows;
  char *strings;
  bool bad;
};

static inline const char *
string_get (struct filling *f, uint32_t offset)
{
  if (offset < f->view->strings.count)
    return f->strings + offset;
  f->bad = true;
  return f->strings;
}

/* Fill what follows launches, if the table has that of all arguments.  */
void ummgr_table_lives_fill (struct filling *f);

/* Fill the sites and their flows of F's unit, whose arguments are there.  */
void ummgr_table_sites_fill (struct filling *f);

#endif
