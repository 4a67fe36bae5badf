/* Tables of applications under replacement policies, and data for gnuplot.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "eviction/apps.h"

/* Each program and capacity; what is missing; means by type; categories.  */
void table_apps (void);
void table_missing (void);
void table_means (void);
void table_categories (void);

/* Share of the programs that HPE takes for regular, or for irregular, as the
   paper says.  */
double table_classified (void);

/* WORK/fig*.dat; rows for collect.  */
void table_data (const char *work);
void table_rows (FILE *lines);
