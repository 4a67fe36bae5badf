/* Inside the HTML of a diagnosis.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   However large the run, a page stays one that a browser opens at once: only
   objects with findings, or the largest, have pictures, until
   UMMGR_DIAGNOSIS_PICTURE_BYTES are written; the others have a line.  */

#pragma once

#include "diagnose/diagnose.h"

#define UMMGR_DIAGNOSIS_PICTURE_BYTES (4u << 20)
#define UMMGR_DIAGNOSIS_OBJECT_BYTES (128u << 10) /* Of one object's folded
						     phases.  */
#define UMMGR_DIAGNOSIS_LARGEST 50	/* Objects shown, if few have findings. */
#define UMMGR_DIAGNOSIS_FINDINGS 500	/* Rows of the table.  */
#define UMMGR_DIAGNOSIS_LINE_BYTES (4u << 20) /* Of the compact table.  */

/* Does OBJECT, the INDEX-th, have pictures, as far as there is room?  */
bool ummgr_diagnosis_pictured (const struct ummgr_diagnosis *d, size_t index,
			       const bool *with_findings);

/* For each object whether a finding names it; free it.  NULL: no memory.  */
bool *ummgr_diagnosis_named (const struct ummgr_diagnosis *d);

/* OBJECT's name as a place in the page, which may have other runs' objects.  */
void ummgr_diagnosis_anchor (FILE *out, const struct ummgr_diagnosis *d,
			     const struct ummgr_traced_object *object);

/* TEXT escaped, and cut so that it takes at most about LIMIT bytes.  */
void ummgr_diagnosis_clipped (FILE *out, const char *text, size_t limit);

/* "FILE:12" with the whole name in a title; "-" if not known.  A cell.  */
void ummgr_diagnosis_where (FILE *out, const char *file, uint32_t line);

/* diagnose/html-object.c: OBJECT's section, with its pictures.  FINDINGS of D
   say which phases are worth showing.  */
void ummgr_diagnosis_object_html (FILE *out, const struct ummgr_diagnosis *d,
				  const struct ummgr_traced_object *object);
