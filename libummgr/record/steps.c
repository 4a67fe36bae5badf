/* What warps do in a launch in a GPU's order, so that it can be replayed in another.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what was written of the launch under way, and what is known of the parts of teams'
   steps that were written (trace/format.h).  One launch at a time; the device sees to that.  */

#include "config.h"
#include "record/recorder.h"

#include <Judy.h>
#include <stdlib.h>

#if HAVE_XXHASH
#include <xxhash.h>
#endif

/* Those of the launch whose begins were written.  */
static void *areas;		/* Judy1.  */

/* A part that was written.  */
struct part
{
  uint64_t high;		/* Of its hash; the table has the rest.  */
  uint64_t number;
  uint64_t begin;		/* Bytes of parts before it.  */
};

enum { PARTS = 1 << 18 };	/* Known at a time.  */

static struct
{
  void *known;			/* JudyL, by hash.  */
  unsigned count;
  uint64_t number;		/* Of the last one.  */
  uint64_t bytes;		/* Of all.  */
} parts;

static uint64_t
launch_on (int device)
{
  return __atomic_load_n (&ummgr_record.launch[device], __ATOMIC_RELAXED);
}

static void
write_record (struct ummgr_trace_record *record)
{
  pthread_mutex_lock (&ummgr_record.lock);
  ummgr_record_write (record);
  pthread_mutex_unlock (&ummgr_record.lock);
}

void
ummgr_record_shape (int device, const struct ummgr_device_shape *s)
{
  if (!ummgr_record_tracing ())
    return;
  Judy1FreeArray (&areas, PJE0);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_SHAPE,
    .u.shape = { launch_on (device), device, s->teams, s->warps, s->lie, s->registers,
		 s->shared }
  };
  write_record (&record);
}

void
ummgr_record_area (int device, const struct ummgr_device_area *a)
{
  if (!ummgr_record_tracing () || Judy1Set (&areas, a->base, PJE0) != 1)
    return;
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_AREA,
    .u.area = { launch_on (device), device, a->base, a->end, a->key, a->kind }
  };
  write_record (&record);
}

/* --- teams' parts ------------------------------------------------------------------ */

static void
forget_all (void)
{
  Word_t index = 0;
  for (PPvoid_t slot = JudyLFirst (parts.known, &index, PJE0); slot;
       slot = JudyLNext (parts.known, &index, PJE0))
    free (*slot);
  JudyLFreeArray (&parts.known, PJE0);
  parts.count = 0;
}

/* The part that has these SIZE bytes, too, which are told again later if there is none; 0:
   there is none, or there's no memory to know.  */
static uint64_t
same_part (const void *bytes, size_t size)
{
#if HAVE_XXHASH
  XXH128_hash_t hash = XXH3_128bits (bytes, size);
  if (parts.count == PARTS)
    forget_all ();
  PPvoid_t slot = JudyLIns (&parts.known, hash.low64, PJE0);
  if (!slot || slot == PPJERR)
    return 0;
  struct part *p = *slot;
  if (p && p->high == hash.high64 && parts.bytes - p->begin <= UMMGR_TRACE_PARTS_MAX)
    return p->number;
  if (!p)
    {
      *slot = p = malloc (sizeof *p);
      parts.count++;
    }
  if (p)
    *p = (struct part) { hash.high64, parts.number + 1, parts.bytes };
#else
  (void) bytes;
  (void) size;
#endif
  return 0;
}

void
ummgr_record_steps (int device, uint32_t team, const void *bytes, size_t size)
{
  if (!ummgr_record_tracing ())
    return;
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_STEPS,
    .u.steps = { launch_on (device), device, team, same_part (bytes, size), 0, 0, NULL }
  };
  struct ummgr_trace_steps *s = &record.u.steps;
  s->left = s->same ? 0 : size;
  do
    {
      s->size = s->left < UMMGR_TRACE_PIECE_MAX ? s->left : UMMGR_TRACE_PIECE_MAX;
      s->bytes = (const unsigned char *) bytes + (size - s->left);
      s->left -= s->size;
      write_record (&record);
    }
  while (s->left && !s->same);
  if (s->same)
    return;
  parts.number++;
  parts.bytes += size;
}
