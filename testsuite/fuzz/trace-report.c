/* `ummgr report' of a trace: the diagnosis, in every form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz-trace.h"
#include "diagnose/diagnose.h"

#include <jansson.h>

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  struct ummgr_diagnosis *d = ummgr_diagnose (fuzz_trace (bytes, size), NULL);
  if (!d)
    return;
  ummgr_diagnosis_text (fuzz_null, d);
  ummgr_diagnosis_csv (fuzz_null, d);
  ummgr_diagnosis_findings_csv (fuzz_null, d);
  ummgr_diagnosis_html (fuzz_null, d);
  json_t *json = ummgr_diagnosis_json (d);
  CHECK (json && json_dumpf (json, fuzz_null, 0) == 0);
  json_decref (json);
  ummgr_diagnosis_free (d);
}
