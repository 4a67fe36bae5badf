/* Where constructs stand, and what they call things, in programs that don't say so.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the places found, by the address at which a construct calls libgomp.  Without
   tables the line comes from the program's debugging information, and without that the
   function stands for it.  */

#include "config.h"
#include "record/recorder.h"

#include "base/lines.h"
#include "base/symbols.h"

#include <Judy.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *places;

/* Is it libummgr's own code, which calls for a task that was put off?  */
static bool
is_own (const void *address)
{
  Dl_info its, own;
  return dladdr (address, &its) && dladdr ((const void *) is_own, &own)
    && its.dli_fbase == own.dli_fbase;
}

/* The code at CALL, by its function and, beyond the first, how many constructs of it were met before.  */
static bool
name_code (uintptr_t call, char *buf, size_t size)
{
  static void *functions;
  char symbol[512];
  if (!ummgr_symbol_code (call, symbol, sizeof symbol))
    return false;
  ummgr_symbol_plain (symbol, buf, size);
  PPvoid_t slot = JudySLIns (&functions, (const uint8_t *) buf, PJE0);
  Word_t *met = slot && slot != PPJERR ? (Word_t *) slot : NULL;
  if (met && ++*met > 1)
    {
      size_t length = strlen (buf);
      snprintf (buf + length, size - length, ", construct %lu", (unsigned long) *met);
    }
  return true;
}

/* Lock held.  */
static struct ummgr_record_site *
find_place (const void *address, const char *file, unsigned line)
{
  char text[4096];
  struct ummgr_record_site *site = calloc (1, sizeof *site);
  if (!site)
    return NULL;
  /* A call returns to what may be the next line.  */
  uintptr_t call = (uintptr_t) address - 1;
  if (!file && is_own (address))
    file = "";
  if (!file && (ummgr_line_of (call, text, sizeof text, &line)
		|| name_code (call, text, sizeof text)))
    file = text;
  *site = (struct ummgr_record_site) { "", ummgr_record_text (file), "", line, 0 };
  return site;
}

/* Every launch begins here: no lock where the place is known.  */
void
ummgr_record_place (const void *address, const char *file, unsigned line)
{
  if (!ummgr_record_on () || ummgr_record.instrumented || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  ummgr_record_pages_count (0, -1);
  PPvoid_t slot = JudyLIns (&places, (Word_t) address, PJE0);
  if (slot && slot != PPJERR && !*slot)
    {
      struct ummgr_record_site *found = find_place (address, file, line);
      /* Names of code may have been looked for meanwhile, but no places.  */
      *slot = found;
    }
  ummgr_record_context.construct = slot && slot != PPJERR ? *slot : NULL;
  pthread_mutex_unlock (&ummgr_record.lock);
}

/* Is SITE's name none that the user wrote: one of a library's header?  */
static bool
is_foreign (const struct ummgr_record_site *site)
{
  return !*site->name || ummgr_is_library_file (site->file) || strncmp (site->name, "_M_", 3) == 0
	 || strstr (site->name, "._M_") || strstr (site->name, ">_M_");
}

/* Is NAME, of a clause, SITE's with what it is a member of: domain.m_e of m_e, which a constructor allocates?  */
static bool
is_fuller (const struct ummgr_record_site *site, const char *name)
{
  size_t plain = strlen (site->name), whole = strlen (name);
  return plain && whole > plain && strcmp (name + whole - plain, site->name) == 0
	 && strchr (".>%", name[whole - plain - 1]);
}

void
ummgr_record_called (const void *host, const char *name, unsigned element)
{
  if (!ummgr_record_on () || !*name || !ummgr_record_tracing ())
    return;
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span = ummgr_record_find ((uintptr_t) host);
  struct ummgr_record_object *object = span ? span->object : NULL;
  struct ummgr_record_site *site
    = object && span == &object->host && !object->called
      && (object->guessed || is_foreign (object->site) || is_fuller (object->site, name))
      ? malloc (sizeof *site) : NULL;
  if (site)
    {
      const struct ummgr_record_site *at = ummgr_record_context.construct;
      if (!at || !ummgr_is_library_file (object->site->file))
	at = object->site;
      *site = (struct ummgr_record_site) {
	ummgr_record_text (name), at->file, object->site->layout, at->line,
	element ? element : object->site->element_size
      };
      ummgr_record_rename (object, site);
      object->called = true;
    }
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_handed (int device)
{
  static bool told[UMMGR_DEVICES_MAX]; /* Atomic.  */
  if (device < 0 || device >= UMMGR_DEVICES_MAX || !ummgr_record_on ()
      || ummgr_record.instrumented || !ummgr_record_tracing ()
      || __atomic_exchange_n (&told[device], true, __ATOMIC_RELAXED))
    return;
  struct ummgr_trace_record record
    = { .kind = UMMGR_TRACE_HANDED, .u.handed.device = device };
  ummgr_record_write (&record);
}
