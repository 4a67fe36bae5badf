/* Which of HPE's six access patterns a trace shows (HPE, TCAD 2020, Fig. 2 and
   section III-A), by object and as a whole.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The paper names the patterns by their formulas and tells no rule.  Ours looks
   at visits: a use of a page after many others were used since its last use
   begins a new visit, which is short-distance if those others were few against
   what there is, and long-distance else.  The rules stand in classify.c.

   Not thread-safe.  */

#pragma once

#include "replay/pages.h"

enum ummgr_pattern
{
  UMMGR_PATTERN_NONE,		/* The GPU accesses nothing of it.  */
  UMMGR_PATTERN_STREAMING,	/* I.  */
  UMMGR_PATTERN_THRASHING,	/* II.  */
  UMMGR_PATTERN_PART_REPETITIVE,	/* III.  */
  UMMGR_PATTERN_MOST_REPETITIVE,	/* IV.  */
  UMMGR_PATTERN_REPETITIVE_THRASHING,	/* V.  */
  UMMGR_PATTERN_REGION_MOVING,	/* VI.  */
  UMMGR_PATTERNS
};

/* "I", "streaming".  */
extern const char *const ummgr_pattern_number[UMMGR_PATTERNS];
extern const char *const ummgr_pattern_name[UMMGR_PATTERNS];

struct ummgr_pattern_facts
{
  enum ummgr_pattern pattern;
  uint64_t pages;		/* That the GPU accesses.  */
  uint64_t visits;
  double repeated;		/* Share of pages with more than one visit.  */
  double far;			/* Share of second and later visits that are
				   long-distance.  */
  double spread;		/* Standard deviation of a page's visits by
				   their mean.  */
  double life;			/* Mean time from a page's first use to its
				   last, by the object's.  */
  /* What HPE finds out when a memory of 75 % of these pages, with nothing else
     in it, is first full (its section IV-D); NULL: it never is.  */
  const char *category;
  double ratio1, ratio2;
};

enum
{
  UMMGR_PICTURE_COLUMNS = 240,	/* Time.  */
  UMMGR_PICTURE_ROWS = 120	/* Pages.  */
};

struct ummgr_classified_object
{
  char *name, *file;
  uint32_t line;
  uint64_t size;		/* Bytes.  */
  uint32_t first, units;	/* Its pages' numbers; objects ascend.  */
  struct ummgr_pattern_facts facts;
};

struct ummgr_classified
{
  struct ummgr_page_totals totals;
  struct ummgr_pattern_facts facts;
  struct ummgr_classified_object *objects;
  size_t object_count;
  /* Uses by time and page, of pages in the order of units without gaps.  */
  uint64_t picture[UMMGR_PICTURE_ROWS][UMMGR_PICTURE_COLUMNS];
  uint64_t launches_at[UMMGR_PICTURE_COLUMNS]; /* Begun by then.  */
};

/* Read PATH, three times: no pipe.  *OUT is freed by ummgr_classified_free; NULL on error,
   which is logged.  */
enum ummgr_status ummgr_classify (const char *path,
				  const struct ummgr_page_options *options,
				  struct ummgr_classified **out);
void ummgr_classified_free (struct ummgr_classified *c);
