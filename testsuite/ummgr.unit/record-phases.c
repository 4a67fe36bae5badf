/* Would break: phases cut at the wrong call of a region; accesses under another
   launch; regions, launches or devices that are missing or said twice; statics
   and resized objects; what comes after the end.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"

#include <stdlib.h>

static int phases, begins, ends, regions, devices, objects, gone, accesses;
static char *moved;

static void
take (const struct ummgr_trace_record *r, void *data)
{
  const char *how = data;
  switch (r->kind)
    {
    case UMMGR_TRACE_DEVICE:
      devices++;
      CHECK_EQ (r->u.device.in_rate, 10000000000);
      CHECK_EQ (r->u.device.fault_size, 65536);
      break;
    case UMMGR_TRACE_REGION:
      regions++;
      break;
    case UMMGR_TRACE_BEGIN:
      CHECK_EQ (r->u.launch.launch, ++begins);
      break;
    case UMMGR_TRACE_FINISH:
      CHECK_EQ (r->u.launch.launch, ++ends);
      break;
    case UMMGR_TRACE_OBJECT:
      objects++;
      break;
    case UMMGR_TRACE_GONE:
      gone++;
      break;
    case UMMGR_TRACE_ACCESS:
      CHECK_EQ (r->u.access.launch, begins > ends ? begins : 0);
      accesses++;
      break;
    case UMMGR_TRACE_FACTS:
      CHECK_EQ (r->u.facts.phase, phases + 1);
      break;
    case UMMGR_TRACE_PHASE:
      CHECK_EQ (r->u.phase.phase, ++phases);
      if (strcmp (r->u.phase.cause, "end") == 0)
	break;
      CHECK (strcmp (r->u.phase.cause, "region step") == 0);
      /* The sixth call of one region is the eleventh launch.  */
      CHECK_EQ (r->u.phase.launches,
		strcmp (how, "region") == 0 || phases == 2 ? 1 : 11);
      break;
    default:
      break;
    }
}

/* Twelve launches of two regions in turn.  */
static void
test_phase (const char *how, int expected)
{
  static int a, b, fixed[64];
  static const struct ummgr_trace_static list
    = { fixed, sizeof fixed, { "fixed", "p.c", "", 3, 4 } };
  test_begin (1, "page", how);
  rt->statics (&list, 1);
  char *p = malloc (1000);
  rt->allocated (p, 1000, NULL);
  for (int i = 0; i < 12; i++)
    {
      const void *f = i % 2 ? &b : &a;
      uint64_t launch
	= ummgr_record_launch_begin (f, "step", NULL, i % 2 ? NULL : "p.c", 1, 0);
      CHECK_EQ (launch, i + 1);
      struct ummgr_trace_thread *t = test_enter (true);
      rt->access (t, (uintptr_t) p + 8 * i, UMMGR_TRACE_HOW (8, 2));
      rt->access (t, (uintptr_t) p + 8 * i, UMMGR_TRACE_HOW (8, 2));
      rt->access (t, (uintptr_t) fixed, UMMGR_TRACE_HOW (4, 1));
      test_enter (false);
      ummgr_record_launch_end (launch, 0);
    }
  struct ummgr_trace_thread *t = test_enter (false);
  moved = malloc (5000);
  rt->resized (p, moved, 5000, NULL);
  /* The GPU's values have moved along.  */
  for (int i = 0; i < 24; i++)
    CHECK_EQ (test_state (moved + 4 * i), UMMGR_SHADOW_LAST_GPU);
  CHECK_EQ (test_state (moved + 96), 0);
  rt->access (t, (uintptr_t) moved + 4, UMMGR_TRACE_HOW (4, 1));
  CHECK (test_state (moved + 4) & UMMGR_SHADOW_G_C);
  test_read (take, (void *) how);
  /* Nothing listens any more.  */
  rt->access (t, (uintptr_t) moved + 4, UMMGR_TRACE_HOW (4, 2));
  rt->freed (moved);
  CHECK (!(test_state (moved + 4) & UMMGR_SHADOW_CPU_WROTE));
  CHECK (rt->enter ()->mask == UINT64_MAX);
  CHECK_EQ (phases, expected);
  CHECK_EQ (begins, 12);
  CHECK_EQ (ends, 12);
  CHECK_EQ (regions, 2);
  CHECK_EQ (devices, 1);
  CHECK_EQ (objects, 3);
  CHECK_EQ (gone, 1);
  CHECK_EQ (accesses, 12 * 2 + 1);
}

static void
test_every_region (void)
{
  test_phase ("region", 13);
}

static void
test_every_third (void)
{
  /* By how the name begins; each region for itself.  */
  test_phase ("st/6", 3);
}

static void
test_fork (void)
{
  test_begin (1, "page", "mark");
  char *p = malloc (1000);
  rt->allocated (p, 1000, NULL);
  struct ummgr_trace_thread *t = test_enter (false);
  rt->access (t, (uintptr_t) p, UMMGR_TRACE_HOW (4, 2));
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0)
    {
      ummgr_record_after_fork (NULL);
      rt->access (t, (uintptr_t) p + 4, UMMGR_TRACE_HOW (4, 2));
      rt->freed (p);
      CHECK_EQ (test_state (p + 4), 0);
      ummgr_record_mark ("child");
      ummgr_record_finish ();
      _exit (0);
    }
  int status;
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  test_read (take, "region");
  CHECK_EQ (phases, 1);
  CHECK_EQ (gone, 0);
}

int
main (void)
{
  test_run (test_every_region);
  test_run (test_every_third);
  test_run (test_fork);
  return 0;
}
