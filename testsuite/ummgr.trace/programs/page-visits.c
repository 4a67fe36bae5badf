/* Say how each launch of a trace (.ummt) touches pages, a line for each object:
   how many pages, and how often it went from one of them to another.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: page-visits FILE.  "launch N OBJECT pages=P visits=V team=T": T is the
   last team that touched it.  A visit is a row of accesses to the same page, as
   the trace has them, whatever comes between of other objects.  */

#include "trace/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096
#define OBJECTS 64

struct object
{
  char *name;
  uint8_t *seen;		/* By page.  */
  uint64_t pages, count, visits, last, highest;
};

static struct object objects[OBJECTS];

static void *
need (void *pointer)
{
  if (!pointer)
    abort ();
  return pointer;
}

static void
learn (const struct ummgr_trace_object *o)
{
  if (o->object >= OBJECTS)
    return;
  struct object *object = &objects[o->object];
  free (object->name);
  free (object->seen);
  object->name = need (strdup (o->name));
  object->count = o->size / PAGE + 1;
  object->seen = need (calloc (object->count, 1));
}

static void
touch (const struct ummgr_trace_access *a)
{
  if (!a->launch || a->object >= OBJECTS || !objects[a->object].seen)
    return;
  struct object *o = &objects[a->object];
  uint64_t page = a->offset / PAGE;
  if (page >= o->count)
    return;
  o->pages += !o->seen[page];
  o->seen[page] = 1;
  o->visits += !o->visits || page != o->last;
  o->last = page;
  if (a->team > o->highest)
    o->highest = a->team;
}

static void
print (uint64_t launch)
{
  for (int i = 0; i < OBJECTS; i++)
    {
      struct object *o = &objects[i];
      if (o->visits)
	printf ("launch %" PRIu64 " %s pages=%" PRIu64 " visits=%" PRIu64
		" team=%" PRIu64 "\n", launch, o->name, o->pages, o->visits,
		o->highest);
      if (o->seen)
	memset (o->seen, 0, o->count);
      o->pages = o->visits = o->highest = 0;
    }
}

int
main (int argc, char **argv)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record r;
  if (argc != 2 || ummgr_trace_reader_open (argv[1], &reader) != 0)
    return 1;
  do
    {
      if (ummgr_trace_reader_next (reader, &r) != 0)
	return 1;
      if (r.kind == UMMGR_TRACE_OBJECT)
	learn (&r.u.object);
      else if (r.kind == UMMGR_TRACE_ACCESS)
	touch (&r.u.access);
      else if (r.kind == UMMGR_TRACE_FINISH)
	print (r.u.launch.launch);
    }
  while (r.kind != UMMGR_TRACE_END);
  ummgr_trace_reader_close (reader);
  return 0;
}
