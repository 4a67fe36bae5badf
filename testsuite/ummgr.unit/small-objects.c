/* Many small objects take an allocation each, run out of addresses, or get in each
   other's way: memory that shares pages, under every policy.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "memory/small.h"
#include "memory/unified.h"

enum { COUNT = 6000, SIZE = 64, APART = 2 * SIZE };

static char data[COUNT][APART];
static struct ummgr_object *objects[COUNT];
static struct ummgr_manager *m;

static struct ummgr_object *
map (void *base, size_t size)
{
  struct ummgr_object *o
    = ummgr_object_new ((uintptr_t) base, size, 0, UMMGR_PATH_MAPPED);
  o->manager = m;
  CHECK (ummgr_plan_map (o));
  CHECK (ummgr_objects_insert (&m->placed, o->copy.address, o));
  return o;
}

static void
unmap (struct ummgr_object *o)
{
  ummgr_plan_unmap (o);
  ummgr_objects_remove (&m->placed, o->copy.address);
  ummgr_storage_destroy (o);
  ummgr_object_drop (o);
}

static void
fill (int i)
{
  memset (data[i], i * 7 + 1, APART);
}

/* A region uses all of them: what POLICY wants to move can't, and nothing that is
   said to the driver is of one alone.  */
static void
use_all (void)
{
  struct ummgr_region_view view = { .invocation = 1, .sequence = 1 };
  for (int i = 0; i < COUNT; i++)
    {
      struct ummgr_object_view *list[] = { &objects[i]->view };
      uintptr_t address = objects[i]->copy.address;
      enum ummgr_place place = objects[i]->view.placed->place;
      ummgr_plan_region_begin (m, &view, list, 1);
      ummgr_execute_end (&m->executor, &view, list, 1);
      CHECK_EQ (objects[i]->copy.address, address);
      CHECK_EQ (objects[i]->view.placed->place, place);
    }
}

/* The contents of each are its own, and go both ways.  */
static void
copy_all (void)
{
  for (int i = 0; i < COUNT; i++)
    {
      fill (i);
      CHECK_EQ (ummgr_storage_copy_in (objects[i], 0, SIZE), UMMGR_OK);
    }
  for (int i = 0; i < COUNT; i++)
    {
      CHECK (memcmp ((void *) objects[i]->copy.address, data[i], SIZE) == 0);
      memset (data[i], 0, APART);
      CHECK_EQ (ummgr_storage_copy_out (objects[i], 0, SIZE), UMMGR_OK);
      CHECK (data[i][0] == (char) (i * 7 + 1) && !data[i][SIZE]);
      CHECK_EQ (data[i][SIZE - 1], data[i][0]);
    }
}

/* No more than an allocation for each fifty, and the freed ones are used again.  */
static void
many (const char *policy, uint64_t budget)
{
  m = fake_start (policy, budget);
  int advice = fake.advice;
  for (int i = 0; i < COUNT; i++)
    {
      objects[i] = map (data[i], SIZE);
      CHECK_EQ (objects[i]->copy.address % 256, 0);
      CHECK_EQ (objects[i]->copy.storage, UMMGR_STORAGE_MANAGED);
      CHECK (objects[i]->view.pinned);
    }
  int allocations = fake.allocations;
  CHECK (allocations <= COUNT / 50);
  CHECK (fake.advice - advice <= 2 * allocations);
  advice = fake.advice;
  copy_all ();
  use_all ();
  for (int i = 0; i < COUNT; i += 2)
    unmap (objects[i]);
  for (int i = 0; i < COUNT; i += 2)
    objects[i] = map (data[i], SIZE);
  CHECK_EQ (fake.allocations, allocations);
  CHECK_EQ (fake.advice, advice);
  copy_all ();
  for (int i = COUNT; i-- > 0;)
    unmap (objects[i]);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Those that are kept on the host share pages with no others: the advice is the
   whole allocation's.  */
static void
kinds (void)
{
  m = fake_start ("lru", 10 * SIZE);
  int advice = fake.advice;
  for (int i = 0; i < 20; i++)
    {
      objects[i] = map (data[i], SIZE);
      CHECK_EQ (objects[i]->view.placed->place,
		i < 10 ? UMMGR_PLACE_DEVICE : UMMGR_PLACE_HOST);
      CHECK_EQ (objects[i]->copy.chunk == objects[0]->copy.chunk, i < 10);
    }
  CHECK_EQ (fake.allocations, 2);
  CHECK_EQ (fake.advice, advice + 2);
  /* What is on the device the driver copies; the host what is kept here.  */
  int copies = fake.copies_in;
  CHECK_EQ (ummgr_storage_copy_in (objects[0], 0, SIZE), UMMGR_OK);
  CHECK_EQ (fake.copies_in, copies + 1);
  CHECK_EQ (ummgr_storage_copy_in (objects[10], 0, SIZE), UMMGR_OK);
  CHECK_EQ (fake.copies_in, copies + 1);
  CHECK_EQ (fake_place (objects[0], 0, SIZE, UMMGR_PLACE_HOST,
				 UMMGR_TRANSFER_EXPLICIT),
	    UMMGR_ERR_UNSUPPORTED);
  CHECK_EQ (fake_place (objects[0], 0, SIZE, UMMGR_PLACE_DEVICE,
				 UMMGR_TRANSFER_HOME), UMMGR_ERR_UNSUPPORTED);
  CHECK_EQ (objects[0]->view.placed->place, UMMGR_PLACE_DEVICE);
  for (int i = 0; i < 20; i++)
    unmap (objects[i]);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Every size below a page; from there on each has memory of its own.  No two
   overlap, none reaches over the end of its allocation (ASan looks).  */
static void
sizes (void)
{
  static char page[4096];
  m = fake_start ("um", 0);
  for (int i = 0; i < 4096; i++)
    {
      objects[i] = map (page, 1 + i);
      CHECK_EQ (objects[i]->copy.chunk != NULL, i < 4095);
      CHECK_EQ (objects[i]->view.pinned, i < 4095);
      memset ((void *) objects[i]->copy.address, i, 1 + i);
    }
  for (int i = 0; i < 4096; i++)
    {
      const char *p = (const char *) objects[i]->copy.address;
      CHECK (p[0] == (char) i && p[i] == (char) i);
    }
  for (int i = 0; i < 4096; i++)
    unmap (objects[i]);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Memory with one address: wherever demand takes it, whatever the policy.  */
static void
unified (void)
{
  static char *p[COUNT];
  m = fake_start ("host", 0);
  for (int i = 0; i < COUNT; i++)
    {
      CHECK ((p[i] = ummgr_unified_alloc (m, 100, false, NULL, 0)));
      CHECK_EQ (ummgr_unified_use (m, (uintptr_t) p[i], false)->view.placed->place,
		UMMGR_PLACE_ANY);
      memset (p[i], i, 100);
    }
  CHECK (fake.allocations <= COUNT / 50);
  for (int i = 0; i < COUNT; i++)
    {
      CHECK (p[i][0] == (char) i && p[i][99] == (char) i);
      CHECK (ummgr_unified_free (p[i], false));
    }
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Where there is no memory for another, those that are there go on.  */
static void
failing (void)
{
  m = fake_start ("um", 0);
  fake_fail ("cuMemAllocManaged", 1, CUDA_ERROR_OUT_OF_MEMORY);
  int i = 0;
  while ((objects[i] = ummgr_object_new ((uintptr_t) data[i], SIZE, 0,
					 UMMGR_PATH_MAPPED)))
    {
      objects[i]->manager = m;
      if (!ummgr_plan_map (objects[i]))
	break;
      CHECK (++i < COUNT);
    }
  CHECK (i > 100 && fake.failed > 0);
  CHECK_EQ (objects[i]->copy.storage, UMMGR_STORAGE_LIBGOMP);
  CHECK (!objects[i]->copy.chunk);
  ummgr_object_drop (objects[i]);
  CHECK (!ummgr_unified_alloc (m, 300, false, NULL, 0));
  fake_fail (NULL, 0, CUDA_SUCCESS);
  while (i-- > 0)
    {
      ummgr_storage_destroy (objects[i]);
      ummgr_object_drop (objects[i]);
    }
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* A few have memory of their own, as long as they are few: whichever they are.  */
static void
few (void)
{
  const int most = ummgr_small_own_most;
  m = fake_start ("lru", 1 << 20);
  for (int i = 0; i <= most; i++)
    {
      objects[i] = map (data[i], SIZE);
      CHECK_EQ (objects[i]->copy.chunk != NULL, i == most);
      CHECK_EQ (objects[i]->view.pinned, i == most);
    }
  CHECK_EQ (fake.allocations, most + 1);
  unmap (objects[most]);
  unmap (objects[3]);
  objects[3] = map (data[3], SIZE);
  CHECK (!objects[3]->copy.chunk);
  /* One that can't be had takes no place.  */
  unmap (objects[3]);
  fake_fail ("cuMemAllocManaged", 0, CUDA_ERROR_OUT_OF_MEMORY);
  struct ummgr_object *o
    = ummgr_object_new ((uintptr_t) data[3], SIZE, 0, UMMGR_PATH_MAPPED);
  o->manager = m;
  CHECK (!ummgr_plan_map (o));
  ummgr_object_drop (o);
  fake_fail (NULL, 0, CUDA_SUCCESS);
  objects[3] = map (data[3], SIZE);
  CHECK (!objects[3]->copy.chunk);
  for (int i = 0; i < most; i++)
    unmap (objects[i]);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

int
main (void)
{
  ummgr_process.active = true;
  few ();
  ummgr_small_own_most = 0;
  for (int i = 0; ummgr_policy_all[i]; i++)
    if (!ummgr_policy_all[i]->passive)
      {
	many (ummgr_policy_all[i]->name, UINT64_C (1) << 30);
	many (ummgr_policy_all[i]->name, COUNT * SIZE / 3);
      }
  kinds ();
  sizes ();
  unified ();
  failing ();
  return 0;
}
