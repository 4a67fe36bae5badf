/* A plan that is applied wrongly leaves data where the policy does not expect
   it: placement, pressure, moves of plain copies, and what must not move.  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "plan.h"
#include "storage.h"

enum { SIZE = 1 << 20 };

static char data[4][SIZE];

static struct ummgr_object *
object (struct ummgr_manager *m, int i)
{
  struct ummgr_object *o
    = ummgr_object_new ((uintptr_t) data[i], SIZE, 0, UMMGR_PATH_MAPPED);
  o->manager = m;
  CHECK (ummgr_plan_map (o));
  CHECK_EQ (fake_associate (data[i], (void *) o->address, SIZE, 0, 0), 0);
  CHECK (ummgr_objects_insert (&m->placed, o->address, o));
  return o;
}

static void
region (struct ummgr_manager *m, struct ummgr_object *o)
{
  struct ummgr_region_view view = { .invocation = 1, .sequence = 1 };
  struct ummgr_object_view *list[] = { &o->view };
  ummgr_plan_region_begin (m, &view, list, 1);
}

static void
drop (struct ummgr_object *o)
{
  ummgr_plan_unmap (o);
  CHECK_EQ (fake_disassociate ((void *) o->view.base, 0), 0);
  ummgr_objects_remove (&o->manager->placed, o->address);
  ummgr_storage_destroy (o);
  ummgr_object_drop (o);
}

/* Managed copies: advice and prefetches, and the address stays.  */
static void
managed (void)
{
  struct ummgr_manager *m = fake_start ("lru", SIZE + SIZE / 2);
  struct ummgr_object *a = object (m, 0), *b = object (m, 1);
  uintptr_t address = a->address;
  CHECK_EQ (a->storage, UMMGR_STORAGE_MANAGED);
  CHECK_EQ (a->view.place, UMMGR_PLACE_DEVICE);
  CHECK_EQ (b->view.place, UMMGR_PLACE_HOST);
  int to_host = fake.to_host;
  region (m, b);
  CHECK_EQ (fake.to_host, to_host + 1);
  CHECK_EQ (a->view.place, UMMGR_PLACE_HOST);
  CHECK_EQ (b->view.place, UMMGR_PLACE_DEVICE);
  CHECK_EQ (b->view.placed_bytes, SIZE);
  CHECK_EQ (a->address, address);
  drop (a);
  drop (b);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Plain copies move by copying, and libgomp is told.  */
static void
plain (void)
{
  struct ummgr_manager *m = fake_start ("lru", SIZE + SIZE / 2);
  m->plain_copies = true;
  struct ummgr_object *a = object (m, 0), *b = object (m, 1);
  CHECK_EQ (a->storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (b->storage, UMMGR_STORAGE_PINNED);
  memset ((void *) a->address, 7, SIZE);
  memset ((void *) b->address, 8, SIZE);
  region (m, b);
  CHECK_EQ (a->storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (b->storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (((char *) a->address)[SIZE - 1], 7);
  CHECK_EQ (((char *) b->address)[SIZE - 1], 8);
  CHECK_EQ (fake_find ((uintptr_t) data[0], (uintptr_t) data[0] + 1)->device,
	    a->address);
  CHECK (ummgr_objects_find (&m->placed, b->address + 5) == b);
  /* Its address got out: it stays, and the policy sees that.  */
  ummgr_storage_pin (b);
  region (m, a);
  CHECK_EQ (b->storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (a->storage, UMMGR_STORAGE_PINNED);
  drop (a);
  drop (b);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Device memory runs out below the budget: the policy makes room, or the
   object starts on the host.  */
static void
pressure (void)
{
  struct ummgr_manager *m = fake_start ("lru", 8 * SIZE);
  m->plain_copies = true;
  fake.plain_left = SIZE;
  struct ummgr_object *a = object (m, 0), *b = object (m, 1);
  CHECK_EQ (a->storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (b->storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (b->view.place, UMMGR_PLACE_HOST);
  drop (a);
  drop (b);
  fake.plain_left = SIZE_MAX;
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* What the driver copies and what the host copies.  */
static void
copies (void)
{
  struct ummgr_manager *m = fake_start ("um", 0);
  struct ummgr_object *o = object (m, 2);
  int in = fake.copies_in;
  memset (data[2], 5, SIZE);
  CHECK_EQ (ummgr_storage_copy_in (o, 0, SIZE), UMMGR_OK);
  CHECK_EQ (fake.copies_in, in);
  CHECK_EQ (((char *) o->address)[SIZE - 1], 5);
  memset (data[2], 6, SIZE);
  CHECK_EQ (ummgr_storage_copy_out (o, 10, 20), UMMGR_OK);
  CHECK (data[2][9] == 6 && data[2][10] == 5 && data[2][30] == 6);
  drop (o);
  ummgr_manager_free (m);
  m = fake_start ("lru", 2 * SIZE);
  o = object (m, 2);
  CHECK_EQ (ummgr_storage_copy_in (o, 0, SIZE), UMMGR_OK);
  CHECK_EQ (fake.copies_in, in + 1);
  drop (o);
  ummgr_manager_free (m);
}

int
main (void)
{
  managed ();
  plain ();
  pressure ();
  copies ();
  return 0;
}
