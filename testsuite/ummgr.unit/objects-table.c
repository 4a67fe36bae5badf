/* A wrong answer for an address would manage the wrong data.
   Tables against a slow model, and how long a look-up takes is looked at by
   the benchmarks, not here.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "memory/objects.h"

#include <stdint.h>
#include <stdlib.h>

enum { SLOTS = 512, UNIT = 16 };	/* Model: owner of each unit.  */

static struct ummgr_object *model[SLOTS];
static struct ummgr_objects table;

static struct ummgr_object *
slow_overlap (size_t lo, size_t hi)
{
  struct ummgr_object *last = NULL;
  for (size_t a = lo; a < hi; a++)
    if (model[a / UNIT])
      last = model[a / UNIT];
  return last;
}

static void
compare (void)
{
  for (size_t a = 0; a < SLOTS * UNIT; a += 5)
    {
      CHECK (ummgr_objects_find (&table, a + 4096) == model[a / UNIT]);
      size_t size = 1 + (a * 7) % 200;
      if (a + size <= SLOTS * UNIT)
	CHECK (ummgr_objects_overlap (&table, a + 4096, size)
	       == slow_overlap (a, a + size));
    }
}

static void
random_steps (void)
{
  srand (1);
  for (int step = 0; step < 4000; step++)
    {
      size_t at = rand () % SLOTS, length = 1 + rand () % 8;
      if (at + length > SLOTS)
	continue;
      struct ummgr_object *there
	= ummgr_objects_overlap (&table, at * UNIT + 4096, length * UNIT);
      CHECK (there == slow_overlap (at * UNIT, (at + length) * UNIT));
      struct ummgr_object *o = there;
      if (there)
	{
	  size_t base = (there->view.base - 4096) / UNIT;
	  ummgr_objects_remove (&table, there->view.base);
	  for (size_t i = 0; i < there->view.size / UNIT; i++)
	    model[base + i] = NULL;
	  ummgr_object_drop (o);
	}
      else
	{
	  o = ummgr_object_new (at * UNIT + 4096, length * UNIT, 0,
				UMMGR_PATH_MAPPED);
	  CHECK (o && ummgr_objects_insert (&table, o->view.base, o));
	  for (size_t i = 0; i < length; i++)
	    model[at + i] = o;
	}
      if (step % 400 == 0)
	compare ();
    }
}

/* A construct that lists an object keeps it, dead or not.  */
static void
references (void)
{
  struct ummgr_object *a = ummgr_object_new (1, 1, 0, UMMGR_PATH_MAPPED);
  struct ummgr_object *b = ummgr_object_new (1, 1, 0, UMMGR_PATH_MAPPED);
  CHECK (a->view.id != b->view.id);
  a->references = 2;
  ummgr_object_drop (a);
  CHECK_EQ (a->life, UMMGR_OBJECT_DEAD);
  ummgr_object_unreference (a);
  CHECK_EQ (a->references, 1);
  ummgr_object_unreference (a);
  ummgr_object_drop (b);
}

static void
many (void)
{
  static struct ummgr_object objects[200000];
  struct ummgr_objects big;
  enum { N = sizeof objects / sizeof *objects };
  ummgr_objects_init (&big);
  for (size_t i = 0; i < N; i++)
    {
      objects[i].view.base = 0x10000 + i * 4096;
      objects[i].view.size = 4000;
      CHECK (ummgr_objects_insert (&big, objects[i].view.base, &objects[i]));
    }
  CHECK_EQ (ummgr_objects_count (&big), N);
  for (size_t i = 0; i < N; i += 7)
    {
      CHECK (ummgr_objects_find (&big, objects[i].view.base + 3999)
	     == &objects[i]);
      CHECK (!ummgr_objects_find (&big, objects[i].view.base + 4000));
    }
  CHECK (ummgr_objects_next (&big, 0) == &objects[0]);
  CHECK (ummgr_objects_next (&big, objects[8].view.base + 1) == &objects[9]);
  CHECK (!ummgr_objects_next (&big, objects[N - 1].view.base + 1));
  ummgr_objects_clear (&big);
  CHECK_EQ (ummgr_objects_count (&big), 0);
  CHECK (!ummgr_objects_find (&big, objects[0].view.base));
}

int
main (void)
{
  table.count = 1;
  ummgr_objects_init (&table);
  CHECK_EQ (ummgr_objects_count (&table), 0);
  random_steps ();
  compare ();
  references ();
  many ();
  ummgr_objects_clear (&table);
  CHECK_EQ (ummgr_objects_count (&table), 0);
  CHECK_EQ (pthread_rwlock_trywrlock (&table.lock), 0);
  return 0;
}
