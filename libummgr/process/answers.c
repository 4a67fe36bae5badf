/* What a program asks of its own trace (ummgr.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each answer is a diagnosis of the trace so far: nothing is kept beside it that would have to
   be the same.  Owns who is told of phases.  One question at a time, under a lock of its own, which is
   taken before the recorder's; the thread that is told of a phase has it, and may ask on.  */

#include "config.h"
#include "ummgr.h"

#include "diagnose/diagnose.h"
#include "record/record.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__ ((visibility ("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool telling;	/* This thread has the lock, and FUNCTION runs.  */
static ummgr_phase_function *function;
static void *function_data;

static void
ask (void)
{
  if (!telling)
    pthread_mutex_lock (&lock);
}

static void
answered (void)
{
  if (!telling)
    pthread_mutex_unlock (&lock);
}

/* Of the trace so far.  1, 0 or -1, as the calls return it; *OUT is the caller's.  */
static int
diagnose (struct ummgr_diagnosis **out)
{
  *out = NULL;
  uint64_t bytes = ummgr_record_flush ();
  const char *path = bytes ? ummgr_record_path () : NULL;
  if (!path)
    return 0;
  *out = ummgr_diagnose_part (path, bytes, NULL);
  if (*out)
    return 1;
  errno = EIO;
  return -1;
}

PUBLIC int
ummgr_report_now (FILE *out)
{
  struct ummgr_diagnosis *d;
  if (!ummgr_record_on ())
    return 0;
  ask ();
  int result = diagnose (&d);
  if (d)
    {
      ummgr_diagnosis_text (out, d);
      ummgr_diagnosis_free (d);
      if (ferror (out))
	result = -1;
    }
  answered ();
  return result;
}

/* O's facts, of which D is all there is.  */
static void
fill (struct ummgr_object_facts *to, const struct ummgr_diagnosis *d,
      const struct ummgr_traced_object *o)
{
  bool unified = o->flags & UMMGR_TRACE_OBJECT_UNIFIED;
  const struct ummgr_facts *h = &o->host, *g = unified ? &o->host : &o->device;
  /* What stands for a name is none.  */
  if (*o->name != '[')
    strncpy (to->name, o->name, sizeof to->name - 1);
  to->size = o->size;
  to->host_known = d->run.instrumented & 1;
  to->device_known = d->run.instrumented != 0;
  to->unified = unified;
  to->host_wrote = h->cpu_wrote;
  to->device_wrote = g->gpu_wrote;
  to->host_to_host = h->c_c;
  to->host_to_device = g->c_g;
  to->device_to_host = h->g_c;
  to->device_to_device = g->g_g;
  to->alternating = unified ? h->alternating : 0;
  to->density = g->words ? (double) g->gpu_accessed / (double) g->words : -1;
  to->copied_in = o->copied_in;
  to->copied_out = o->copied_out;
  to->copies = o->copies;
}

PUBLIC int
ummgr_object_facts (const void *ptr, struct ummgr_object_facts *out)
{
  struct ummgr_diagnosis *d;
  memset (out, 0, sizeof *out);
  if (!ummgr_record_on ())
    return 0;
  ask ();
  int result = diagnose (&d);
  const struct ummgr_traced_object *o
    = d ? ummgr_diagnosis_at (d, (uintptr_t) ptr) : NULL;
  if (o)
    fill (out, d, o);
  else if (result > 0)
    result = 0;
  ummgr_diagnosis_free (d);
  answered ();
  return result;
}

/* --- phases --------------------------------------------------------------------- */

static void
tell (const struct ummgr_diagnosis *d, unsigned phase)
{
  struct ummgr_phase_finding *findings = calloc (d->finding_count + 1, sizeof *findings);
  if (!findings)
    return;
  for (size_t i = 0; i < d->finding_count; i++)
    {
      const struct ummgr_finding *f = &d->findings[i];
      findings[i] = (struct ummgr_phase_finding) {
	ummgr_finding_name[f->kind], f->object->name, f->file, f->line, f->bytes, f->seconds,
	f->what, f->change
      };
    }
  const struct ummgr_phase_end end = {
    phase, phase <= d->phase_count ? d->phases[phase - 1].name : "", d->finding_count, findings
  };
  telling = true;
  function (&end, function_data);
  telling = false;
  free (findings);
}

static void
phase_ended (unsigned phase)
{
  struct ummgr_diagnosis *d;
  /* Of what its own questions end, FUNCTION isn't told.  */
  if (telling)
    return;
  ask ();
  if (function && diagnose (&d) > 0)
    {
      tell (d, phase);
      ummgr_diagnosis_free (d);
    }
  answered ();
}

PUBLIC int
ummgr_on_phase (ummgr_phase_function *f, void *data)
{
  if (!ummgr_record_on ())
    return 0;
  ask ();
  function = f;
  function_data = data;
  ummgr_record_when_phase (f ? phase_ended : NULL);
  answered ();
  return 1;
}
