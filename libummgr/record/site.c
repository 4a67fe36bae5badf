/* Places in the source, kept for good.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A library that was closed takes its strings with it, and its objects may
   outlive it in the trace; so each place is copied once.  Owns the copies and
   finds them by the original's address.  */

#include "config.h"
#include "record/recorder.h"

#include <Judy.h>
#include <stdlib.h>
#include <string.h>

static void *sites, *texts;

static const struct ummgr_record_site nowhere = { "", "", "", 0, 0 };

const char *
ummgr_record_text (const char *text)
{
  if (!text || !*text)
    return "";
  PPvoid_t slot = JudySLIns (&texts, (const uint8_t *) text, PJE0);
  if (!slot || slot == PPJERR)
    return "";
  if (!*slot)
    *slot = strdup (text);
  return *slot ? *slot : "";
}

/* Is WHAT, found at SITE's address, SITE still?  Another library may stand
   where one was closed.  */
static bool
is_same (const struct ummgr_record_site *what,
	 const struct ummgr_trace_site *site)
{
  return what->line == site->line && strcmp (what->name, site->name) == 0
    && strcmp (what->file, site->file) == 0;
}

const struct ummgr_record_site *
ummgr_record_site_of (const struct ummgr_trace_site *site)
{
  if (!site)
    return &nowhere;
  PPvoid_t slot = JudyLIns (&sites, (Word_t) site, PJE0);
  if (!slot || slot == PPJERR)
    return &nowhere;
  if (*slot && is_same (*slot, site))
    return *slot;
  struct ummgr_record_site *copy = malloc (sizeof *copy);
  if (!copy)
    return &nowhere;
  *copy = (struct ummgr_record_site) {
    ummgr_record_text (site->name), ummgr_record_text (site->file),
    ummgr_record_text (site->layout), site->line, site->element_size
  };
  return *slot = copy;
}
