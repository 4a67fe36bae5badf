/* Values of statistics, how they are written, and tables of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Text and HTML are two ways to write the same tables, so their figures
   can't differ.  */

#pragma once

#include "device/figures.h"
#include "report/report.h"

#include <jansson.h>

enum ummgr_report_kind
{
  UMMGR_REPORT_TEXT,
  UMMGR_REPORT_COUNT,
  UMMGR_REPORT_BYTES,
  UMMGR_REPORT_SECONDS
};

/* A column of a table, or a line of totals.  KEY is the JSON's; one that
   begins with '@' is put together from several (report/value.c).  */
struct ummgr_report_column
{
  const char *key;
  const char *title;
  enum ummgr_report_kind kind;
  const char *help;
};

/* One figure or word; not PRESENT where the JSON doesn't have it.  */
struct ummgr_report_value
{
  bool present;
  enum ummgr_report_kind kind;
  json_int_t count;
  double seconds;
  char text[320];
};

struct ummgr_report_value
ummgr_report_value (const json_t *of, const struct ummgr_report_column *c);

/* NUMBER as a value of KIND; and as a person reads it, in BUF, which is returned.  */
struct ummgr_report_value ummgr_report_computed (double number, enum ummgr_report_kind kind);
const char *ummgr_report_amount (double number, enum ummgr_report_kind kind, char *buf, size_t size);

/* What a person reads ("1.50 GiB"), and what is behind it ("1,610,612,736
   bytes").  "-" for what is not present.  */
void ummgr_report_human (const struct ummgr_report_value *v, char *buf,
			 size_t size);
void ummgr_report_exact (const struct ummgr_report_value *v, char *buf,
			 size_t size);

/* The value as a number, 0 if not present: for sorting and bars.  */
double ummgr_report_number (const struct ummgr_report_value *v);

/* The count nearest to NUMBER: what a file says may be beyond any.  */
json_int_t ummgr_report_whole (double number);

/* TO's part of FROM; 0: there is none.  And as text.  */
double ummgr_report_ratio (const struct ummgr_report_value *from, const struct ummgr_report_value *to);
struct ummgr_ratio_text { char text[32]; };
struct ummgr_ratio_text ummgr_report_ratio_text (const struct ummgr_report_value *from,
						 const struct ummgr_report_value *to);

/* A number of OBJECT, 0 where it is none.  */
double ummgr_report_field (const json_t *object, const char *key);

/* The lines of totals; ends with a NULL key.  */
extern const struct ummgr_report_column ummgr_report_totals[];

/* What tables of regions and of objects can show, likewise.  */
extern const struct ummgr_report_column ummgr_report_region_columns[];
extern const struct ummgr_report_column ummgr_report_object_columns[];
extern const struct ummgr_report_column ummgr_report_construct_columns[];

/* What a comparison of runs shows of each one's totals.  */
extern const struct ummgr_report_column ummgr_report_compared[];

/* Had the run several devices?  And does C tell anything of it that others don't?  */
bool ummgr_report_several (const json_t *stats);
bool ummgr_report_shows (const json_t *stats, const struct ummgr_report_column *c);

/* ROWS are borrowed from the statistics.  Columns that no row has are left
   out.  */
struct ummgr_report_table
{
  const char *title;
  const struct ummgr_report_column *columns[16];
  size_t column_count;
  const json_t **rows;
  size_t count;
  size_t shown;			/* The first of them fit the report.  */
};

/* The regions by modelled seconds, or by wall clock where there are none, the objects by traffic.  False without
   memory; free ROWS after use.  */
bool ummgr_report_regions (const json_t *stats, size_t limit,
			   struct ummgr_report_table *table);
bool ummgr_report_objects (const json_t *stats, size_t limit,
			   struct ummgr_report_table *table);
/* Data constructs by traffic, likewise.  */
bool ummgr_report_constructs (const json_t *stats, size_t limit,
			      struct ummgr_report_table *table);

/* Bytes of each GPU by whose memory they are in: GPUs that are one device, or devices.  */
struct ummgr_report_matrix
{
  const char *title;
  size_t gpus;			/* 0: of these nothing is known.  */
  const json_t *of[UMMGR_FIGURES_GPUS]; /* Each GPU's, by GPU; and what the host has of it: */
  const json_t *host[UMMGR_FIGURES_GPUS]; /* NULL: it is not asked for.  */
};

/* The N-th of STATS'; false: there are no more.  */
bool ummgr_report_matrix (const json_t *stats, size_t n, struct ummgr_report_matrix *out);
/* How many columns it has, and what GPU USER has in that of OWNER; their names.  */
size_t ummgr_report_owners (const struct ummgr_report_matrix *matrix);
struct ummgr_report_value ummgr_report_between (const struct ummgr_report_matrix *matrix,
						size_t user, size_t owner);
void ummgr_report_owner (const struct ummgr_report_matrix *matrix, size_t owner, char *buf,
			 size_t size);

/* One line that says what ran: policy, GPU, and that seconds are modelled. */
void ummgr_report_headline (const json_t *stats, char *buf, size_t size);

/* What ran on the host, or that nothing ran.  False where all is as usual.  */
bool ummgr_report_host (const json_t *stats, char *buf, size_t size);

/* Why it failed: "failed: exit status 1".  False where it didn't, or that is not known.  */
bool ummgr_report_ended_badly (const json_t *stats, char *buf, size_t size);

/* Launches of regions on devices.  */
double ummgr_report_launches (const json_t *stats);

/* The lists of the statistics that say what one process did when, up to NULL.  */
extern const char *const ummgr_report_timelines[];

/* The last part of a file's name.  */
const char *ummgr_report_base_name (const char *name);

/* What a person calls REGION, and where it is: "CalcForce (FILE:412)".  */
void ummgr_report_region (const json_t *region, char *buf, size_t size);

/* Cut NAMES, malloc'ed and printable, to WIDTH characters: what differs still does, as far as there is room
   for it.  False without memory: then they are as they were.  */
bool ummgr_report_fit (char **names, size_t count, size_t width);
void ummgr_report_names_free (char **names, size_t count);

/* A text of OBJECT, or FALLBACK.  */
const char *ummgr_report_string (const json_t *object, const char *key,
				 const char *fallback);
