/* What pages of HTML are made of.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Whatever comes from a file goes through ummgr_report_escaped, attributes
   (always in double quotes) included.  */

#pragma once

#include "report/value.h"

#include <stdint.h>
#include <stdio.h>

extern const char ummgr_report_style[];
extern const char ummgr_report_script[];

void ummgr_report_escaped (FILE *out, const char *text);

/* A table's cell, with a bar if MOST, the greatest of its column, is not 0, and below it a RATIO, which
   is escaped, or NULL.  */
void ummgr_report_cell (FILE *out, const struct ummgr_report_value *v, double most,
			const char *ratio);
/* The same of a count or of bytes.  */
void ummgr_report_count_cell (FILE *out, enum ummgr_report_kind kind,
			      uint64_t count);

/* Everything before and after what stands in <main>.  */
void ummgr_report_page_begin (FILE *out, const char *title);
void ummgr_report_page_end (FILE *out);
void ummgr_report_timeline (FILE *out, const json_t *stats);
