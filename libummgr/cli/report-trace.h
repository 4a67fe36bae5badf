/* `ummgr report`: what it was asked for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"
#include "diagnose/diagnose.h"

#include <stdbool.h>
#include <stdio.h>

enum ummgr_report_form
{
  UMMGR_REPORT_FORM_TEXT,
  UMMGR_REPORT_FORM_HTML,
  UMMGR_REPORT_FORM_JSON,
  UMMGR_REPORT_FORM_CSV,	/* The rest: traces only.  */
  UMMGR_REPORT_FORM_FINDINGS_CSV
};

struct ummgr_report_arguments
{
  enum ummgr_report_form form;
  /* Files, or "-": by OUT; NULL: not asked for.  */
  const char *html, *json, *csv, *findings;
  bool text;
  const char *out;		/* NULL: standard output.  */
  const char *maps;		/* A directory, or NULL.  */
  struct ummgr_diagnose_options options;
  struct ummgr_options machine;	/* On which remedies are tried; NULL and 0: as recorded.  */
  bool untried;			/* None are.  */
  bool anyway;			/* They are, however long it takes.  */
  char **files;
  int count;
  struct ummgr_option_list baselines; /* Among the files, or beside them.  */
};

/* Does FILE begin as a trace does?  False too if it can't be read.  */
bool ummgr_report_is_trace (const char *file);

/* Write what D says to OUT, but as HTML or text with statistics, which is
   report.c's.  False after a message.  */
bool ummgr_report_trace (FILE *out, const struct ummgr_diagnosis *d,
			 const struct ummgr_report_arguments *a);
