/* Inside report/: what is drawn over time, from the statistics' timelines.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   HTML and text draw the same.  Of older statistics, which know launches alone, less is
   there; nothing here fails for that.  */

#pragma once

#include "report/value.h"

#include <stdio.h>

/* One clock, and the part of it that is drawn.  */
struct ummgr_report_axis
{
  const json_t *stats;
  const char *from, *to;	/* Keys of an entry's times.  */
  const char *clock;		/* In words.  */
  bool modelled;
  double first, last;
};

/* The axis of modelled time, or of the wall clock if WALL says so or nothing is modelled.
   False: nothing happened by it.  */
bool ummgr_report_axis (const json_t *stats, bool wall, struct ummgr_report_axis *out);

/* TIME's part of the axis, 0 to 1.  */
double ummgr_report_part (const struct ummgr_report_axis *axis, double time);

/* Kinds of traffic; KEY is an entry's, TOTAL that of the run.  Ends with a NULL key.  */
struct ummgr_report_lane
{
  const char *key, *total, *title;
  enum ummgr_report_kind kind;
  const char *help;
};
extern const struct ummgr_report_lane ummgr_report_lanes[];

/* Spread what the entries of the statistics' array LIST have of KEY on DEVICE (-1: on all)
   over COUNT bins, evenly over each entry's time; with KEY NULL how long they take, in
   seconds.  Returns the sum, of what is not there 0.  */
double ummgr_report_spread (const struct ummgr_report_axis *axis, const char *list,
			    int device, const char *key, double *bins, size_t count);

/* The same of entries outside of regions that belong to a data construct: the sum alone.  */
double ummgr_report_of_constructs (const struct ummgr_report_axis *axis, int device,
				   const char *key);

/* Is ENTRY of DEVICE?  Negative: of any.  */
bool ummgr_report_is_on (const json_t *entry, int device);
/* The next device behind DEVICE (-1: the first) that did anything; negative: none.  */
int ummgr_report_next_device (const json_t *stats, int device);

/* What construct NUMBER is, and the line that it stands in.  */
void ummgr_report_construct (const json_t *stats, double number, char *buf, size_t size);

/* What a device held over time: the objects that had most, each with a row of BYTES, one for
   each sample, the rest last.  */
enum { UMMGR_REPORT_HELD = 7 };
struct ummgr_report_held
{
  size_t objects;
  char name[UMMGR_REPORT_HELD + 1][320];
  double peak[UMMGR_REPORT_HELD + 1];
  size_t count;
  double *time;			/* From when; until the next one's.  */
  double *bytes[UMMGR_REPORT_HELD + 1];
  double most;			/* In all, at one of these times;  */
  double top;			/* and at any, which nobody may have looked at.  */
  double last;			/* In all, at the end.  */
  double budget;		/* Of the device; 0: not known.  */
};

/* False: nobody knows, or there is no memory.  Free what is in OUT after use.  */
bool ummgr_report_held (const struct ummgr_report_axis *axis, int device,
			struct ummgr_report_held *out);
void ummgr_report_held_free (struct ummgr_report_held *held);
/* In all, of sample I.  */
double ummgr_report_held_sum (const struct ummgr_report_held *held, size_t i);

/* The timeline as text; nothing where there is none.  */
void ummgr_report_timeline_text (FILE *out, const json_t *stats);
