/* Unified memory as modelled, beside a measured machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdio.h>

/* Print slowdowns from WORK/model-PROGRAM.json, of programs that have one,
   and append rows and the summary to LINES.  Fatal on error.  */
void model_report (const char *work, FILE *lines);
