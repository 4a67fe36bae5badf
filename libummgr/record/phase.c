/* Phases: what each object's shadow says at their ends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the phase's name and the scratch memory for facts.  Everything here
   with the recorder's lock held.  What goes within a phase has its facts
   written then; so an object may have several records for one phase, of device
   copies that came and went.  */

#include "config.h"
#include "record/recorder.h"
#include "record/shadow-scan.h"

static const char *phase_name = "";
static void (*told) (unsigned phase); /* Atomic.  */

bool
ummgr_record_facts (struct ummgr_record_span *span)
{
  static struct ummgr_shadow_facts facts;
  struct ummgr_record_object *object = span->object;
  struct ummgr_shadow_how how = {
    ummgr_record.options.block, ummgr_record.mask,
    object->flags & UMMGR_TRACE_OBJECT_UNIFIED,
    ummgr_record_alone ()
  };
  /* Of one side alone there are no facts of what both use.  */
  bool host = span->device < 0;
  if ((host ? !ummgr_record.instrumented : !ummgr_record_seen (span->device))
      || ummgr_record_blind (span)
      || !ummgr_shadow_scan (span->lo, span->hi - span->lo, &how, &facts))
    return false;
  ummgr_record_announce (object);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_FACTS,
    .u.facts = {
      .object = object->id, .device = span->device,
      .phase = ummgr_record.phase, .words = facts.words,
      .offset = span->offset, .state_count = facts.state_count,
      .states = facts.states, .cells = facts.cells,
      .cell_words = facts.cell_words, .run_count = facts.run_count,
      .runs = facts.runs
    }
  };
  for (int i = 0; i < 11; i++)
    record.u.facts.blocks[i] = facts.blocks[i];
  ummgr_record_write (&record);
  return true;
}

void
ummgr_record_end_phase (const char *cause, const char *name)
{
  bool any = ummgr_record.phase_launches != 0 || !name;
  if (ummgr_record.shadowed)
    for (struct ummgr_record_span *span = ummgr_record_next (0); span;
	 span = ummgr_record_next (span->lo + 1))
      any |= ummgr_record_facts (span);
  if (any)
    {
      struct ummgr_trace_record record = {
	.kind = UMMGR_TRACE_PHASE,
	.u.phase = {
	  .phase = ummgr_record.phase, .name = phase_name, .cause = cause,
	  .launches = ummgr_record.phase_launches
	}
      };
      ummgr_record_write (&record);
      ummgr_record.phase++;
      ummgr_record.untold = true;
      ummgr_record.phase_launches = 0;
      ummgr_record_new_epoch ();
    }
  phase_name = ummgr_record_text (name);
}

void
ummgr_record_mark (const char *name)
{
  if (!ummgr_record_tracing ())
    return;
  struct ummgr_trace_record record
    = { .kind = UMMGR_TRACE_MARK, .u.mark.name = name };
  pthread_mutex_lock (&ummgr_record.lock);
  ummgr_record_end_phase ("mark", name ? name : "");
  uint32_t phase = ummgr_record_untold ();
  ummgr_record_write (&record);
  pthread_mutex_unlock (&ummgr_record.lock);
  ummgr_record_tell_phase (phase);
}

uint32_t
ummgr_record_untold (void)
{
  bool untold = ummgr_record.untold;
  ummgr_record.untold = false;
  return untold ? ummgr_record.phase - 1 : 0;
}

void
ummgr_record_tell_phase (uint32_t phase)
{
  void (*f) (unsigned) = __atomic_load_n (&told, __ATOMIC_ACQUIRE);
  if (f && phase)
    f (phase);
}

void
ummgr_record_when_phase (void (*ended) (unsigned phase))
{
  __atomic_store_n (&told, ended, __ATOMIC_RELEASE);
}

uint64_t
ummgr_record_flush (void)
{
  uint64_t size = 0;
  if (!ummgr_record_tracing ())
    return 0;
  pthread_mutex_lock (&ummgr_record.lock);
  ummgr_record_end_phase ("report", phase_name);
  if (ummgr_trace_flush (ummgr_record.writer) == UMMGR_OK)
    size = ummgr_trace_writer_size (ummgr_record.writer);
  pthread_mutex_unlock (&ummgr_record.lock);
  return size;
}
