/* Which loop is around all launches of some regions: would break if one were named that leaves a
   region out, that is not the outermost, or that is in a function which is called in such a
   loop; or if local functions of two units were taken for one, or recursions followed for ever.  */
/* { dg-do run } */

#include "flow/around.h"
#include "flow-build.h"

#include "check.h"

static struct build a, b;

/* In UNITS units, around those of the regions of a that SET has: "main:9", "step", or "".  */
static const char *
around (unsigned units, unsigned set)
{
  static char text[64];
  const struct ummgr_table_unit *list[] = { &a.unit, &b.unit };
  const struct ummgr_table_region *regions[16];
  unsigned count = 0;
  struct ummgr_around found;
  for (unsigned i = 0; i < a.unit.region_count; i++)
    if (set >> i & 1)
      regions[count++] = &a.regions[i];
  if (!ummgr_flow_around (list, units, regions, count, &found))
    return "";
  snprintf (text, sizeof text, *found.file ? "%s:%u" : "%s", found.function, found.line);
  return text;
}

static void
launch (struct build *to, unsigned region, const char *in, uint32_t line)
{
  build_launch (to, region);
  build_around (to, in, line);
}

static void
call (struct build *to, const char *function, const char *in, uint32_t line)
{
  build_call (to, function);
  build_around (to, in, line);
}

static void
function (struct build *to, const char *name, uint32_t flags)
{
  build_function (to, name, flags);
  build_block (to);
}

#define CHECK_AROUND(UNITS, SET, TEXT)                                        \
  CHECK (strcmp (around (UNITS, SET), TEXT) == 0)

/* The header's example, with a second loop in step.  */
static void
worked (void)
{
  build_begin (&a, 3);
  function (&a, "step", UMMGR_FUNCTION_LOCAL);
  launch (&a, 0, "step", 0);
  launch (&a, 1, "step", 30);
  launch (&a, 2, "step", 30);
  function (&a, "setup", UMMGR_FUNCTION_LOCAL);
  launch (&a, 0, "setup", 0);
  function (&a, "main", 0);
  call (&a, "setup", "main", 0);
  build_block (&a);
  call (&a, "step", "main", 9);
  CHECK_AROUND (1, 1, "main:9");
  CHECK_AROUND (1, 3, "main:9");
  CHECK_AROUND (1, 6, "main:9");
  CHECK_AROUND (1, 0, "");
}

/* No loop but in what is called, and none at all.  */
static void
down (void)
{
  build_begin (&a, 3);
  function (&a, "main", 0);
  call (&a, "run", "main", 0);
  function (&a, "run", 0);
  launch (&a, 0, "run", 20);
  launch (&a, 1, "run", 20);
  launch (&a, 2, "run", 40);
  CHECK_AROUND (1, 3, "run:20");
  CHECK_AROUND (1, 7, "run");
  /* Without main, where one alone is not called.  */
  a.functions[0].name = "solve";
  CHECK_AROUND (1, 3, "run:20");
  function (&a, "other", 0);
  call (&a, "run", "other", 7);
  CHECK_AROUND (1, 3, "");
}

/* Two units have a `step' of their own.  */
static void
local (void)
{
  build_begin (&a, 2);
  function (&a, "step", UMMGR_FUNCTION_LOCAL);
  launch (&a, 0, "step", 0);
  function (&a, "shared", 0);
  launch (&a, 1, "shared", 0);
  build_begin (&b, 0);
  function (&b, "step", UMMGR_FUNCTION_LOCAL);
  function (&b, "main", 0);
  call (&b, "step", "main", 5);
  call (&b, "shared", "main", 5);
  CHECK_AROUND (2, 2, "main:5");
  CHECK_AROUND (2, 3, "");
  CHECK_AROUND (2, 1, "step");
}

/* Functions that call each other.  */
static void
recursive (void)
{
  build_begin (&a, 1);
  function (&a, "main", 0);
  call (&a, "ping", "main", 0);
  function (&a, "ping", 0);
  call (&a, "pong", "ping", 0);
  function (&a, "pong", 0);
  call (&a, "ping", "pong", 0);
  launch (&a, 0, "pong", 0);
  CHECK_AROUND (1, 1, "");
}

/* Tables that don't say where events are.  */
static void
silent (void)
{
  build_begin (&a, 1);
  function (&a, "main", 0);
  build_launch (&a, 0);
  CHECK_AROUND (1, 1, "");
  static const struct ummgr_table_region *many[UMMGR_AROUND_REGIONS + 1];
  const struct ummgr_table_unit *list[] = { &a.unit };
  struct ummgr_around found;
  CHECK (!ummgr_flow_around (list, 1, many, UMMGR_AROUND_REGIONS + 1, &found));
  CHECK (!ummgr_flow_around (list, 1, many, 0, &found));
}

int
main (void)
{
  worked ();
  down ();
  local ();
  recursive ();
  silent ();
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
