/* Breaks if a program that asks what its trace says so far is told less or more than it has done,
   if the answer waits for the end or changes what comes after it, or if phases end untold.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um rdm" } */
/* { dg-ummgr-trace {^phase .*first} } */
/* { dg-ummgr-facts shared host 1000 "cpu_wrote=1000" } */

#include "ummgr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma weak ummgr_malloc
#pragma weak ummgr_free
#pragma weak ummgr_mark
#pragma weak ummgr_report_now
#pragma weak ummgr_object_facts
#pragma weak ummgr_on_phase

enum { N = 1000 };

static int failed;

static void
equal (const char *what, double got, double wanted)
{
  if (got == wanted)
    return;
  fprintf (stderr, "%s: %g, not %g\n", what, got, wanted);
  failed = 1;
}

struct told
{
  int calls;
  unsigned phase;
  char name[32];
  size_t findings;
  const int *shared;
};

static void
on_phase (const struct ummgr_phase_end *end, void *data)
{
  struct told *told = data;
  struct ummgr_object_facts facts;
  told->calls++;
  told->phase = end->phase;
  told->findings = end->count;
  snprintf (told->name, sizeof told->name, "%s", end->name);
  /* It may ask on.  */
  equal ("asked while told", ummgr_object_facts (told->shared, &facts), 1);
  for (size_t i = 0; i < end->count; i++)
    if (!*end->findings[i].kind || !*end->findings[i].change)
      failed = 1;
}

static void
region (int *shared, int *mapped)
{
#pragma omp target teams distribute parallel for is_device_ptr (shared) map(tofrom: mapped[:N])
  for (int i = 0; i < N / 2; i++)
    shared[i] += mapped[i];
}

/* What REPORT says begins with a trace and has a line for shared.  */
static void
check_report (void)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  equal ("report", ummgr_report_now (out), 1);
  fclose (out);
  if (!strstr (text, "Trace ") || !strstr (text, "\nshared ("))
    {
      fprintf (stderr, "report: %s\n", text);
      failed = 1;
    }
  free (text);
}

int
main (void)
{
  /* Without libummgr there is none.  */
  if (!ummgr_malloc)
    return 0;
  struct ummgr_object_facts facts;
  struct told told = { .calls = 0 };
  int *shared = ummgr_malloc (N * sizeof *shared), *mapped = malloc (N * sizeof *mapped);
  told.shared = shared;
  equal ("on_phase", ummgr_on_phase (on_phase, &told), 1);
  for (int i = 0; i < N; i++)
    shared[i] = mapped[i] = i;
  ummgr_mark ("first");
  equal ("calls", told.calls, 1);
  equal ("phase", told.phase, 1);
  region (shared, mapped);
  equal ("facts", ummgr_object_facts (&shared[N / 2], &facts), 1);
  equal ("name", strcmp (facts.name, "shared"), 0);
  equal ("size", facts.size, N * sizeof *shared);
  equal ("known", facts.host_known && facts.device_known && facts.unified, 1);
  equal ("host wrote", facts.host_wrote, N);
  equal ("device wrote", facts.device_wrote, N / 2);
  equal ("host to device", facts.host_to_device, N / 2);
  equal ("device to host", facts.device_to_host, 0);
  /* In the phase of the region alone: the host has only written in another.  */
  equal ("alternating", facts.alternating, 0);
  /* In two phases, in one of which half.  */
  equal ("density", facts.density, 0.25);
  for (int i = 0; i < 10; i++)
    failed |= shared[i] != 2 * i;
  equal ("facts", ummgr_object_facts (shared, &facts), 1);
  equal ("device to host, read", facts.device_to_host, 10);
  equal ("again, nothing new", ummgr_object_facts (shared, &facts), 1);
  equal ("device to host, read", facts.device_to_host, 10);
  equal ("of the mapped", ummgr_object_facts (mapped, &facts), 1);
  equal ("unified", facts.unified, 0);
  equal ("copied in", facts.copied_in, N * sizeof *mapped);
  equal ("copied out", facts.copied_out, N * sizeof *mapped);
  equal ("copies", facts.copies, 2);
  equal ("read there", facts.host_to_device, N / 2);
  equal ("of nothing", ummgr_object_facts (&failed, &facts), 0);
  equal ("size of nothing", facts.size, 0);
  check_report ();
  /* Only marks end phases that are told.  */
  equal ("calls", told.calls, 1);
  /* Of which nothing has happened since the last question.  */
  ummgr_mark (NULL);
  equal ("calls", told.calls, 2);
  equal ("its name", strcmp (told.name, "first"), 0);
  /* Nothing at all has.  */
  ummgr_mark (NULL);
  equal ("calls", told.calls, 2);
  equal ("no more", ummgr_on_phase (NULL, NULL), 1);
  shared[0]++;
  ummgr_mark (NULL);
  equal ("calls", told.calls, 2);
  ummgr_free (shared);
  free (mapped);
  return failed;
}
