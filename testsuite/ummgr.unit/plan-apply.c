/* A plan that is applied wrongly leaves data where the policy does not expect
   it: placement, pressure, moves of plain copies, and what must not move.  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"
#include "base/log.h"

#include <unistd.h>

enum { SIZE = 1 << 20 };

static char data[4][SIZE];

static struct ummgr_object *
object (struct ummgr_manager *m, int i)
{
  return fake_object (m, data[i], SIZE);
}

static void
region (struct ummgr_manager *m, struct ummgr_object *o)
{
  struct ummgr_region_view view = { .invocation = 1, .sequence = 1 };
  struct ummgr_object_view *list[] = { &o->view };
  ummgr_plan_region_begin (m, &view, list, 1);
}

/* Managed copies: advice and prefetches, and the address stays.  */
static void
managed (void)
{
  struct ummgr_manager *m = fake_start ("lru", SIZE + SIZE / 2);
  struct ummgr_object *a = object (m, 0), *b = object (m, 1);
  uintptr_t address = a->copy.address;
  CHECK_EQ (a->copy.storage, UMMGR_STORAGE_MANAGED);
  CHECK_EQ (a->view.placed->place, UMMGR_PLACE_DEVICE);
  CHECK_EQ (b->view.placed->place, UMMGR_PLACE_HOST);
  int to_host = fake.to_host;
  region (m, b);
  CHECK_EQ (fake.to_host, to_host + 1);
  CHECK_EQ (a->view.placed->place, UMMGR_PLACE_HOST);
  CHECK_EQ (b->view.placed->place, UMMGR_PLACE_DEVICE);
  CHECK_EQ (b->view.placed->hi, SIZE);
  CHECK_EQ (a->copy.address, address);
  /* Of the two only the second has anything on the device.  */
  CHECK (!a->away && b->away);
  fake_drop (a);
  fake_drop (b);
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
  CHECK_EQ (a->copy.storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (b->copy.storage, UMMGR_STORAGE_PINNED);
  memset ((void *) a->copy.address, 7, SIZE);
  memset ((void *) b->copy.address, 8, SIZE);
  region (m, b);
  CHECK_EQ (a->copy.storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (b->copy.storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (((char *) a->copy.address)[SIZE - 1], 7);
  CHECK_EQ (((char *) b->copy.address)[SIZE - 1], 8);
  CHECK_EQ (fake_find ((uintptr_t) data[0], (uintptr_t) data[0] + 1)->device,
	    a->copy.address);
  CHECK (ummgr_objects_find (&m->placed, b->copy.address + 5) == b);
  /* Its address got out: it stays, and the policy sees that.  */
  ummgr_storage_pin (b);
  region (m, a);
  CHECK_EQ (b->copy.storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (a->copy.storage, UMMGR_STORAGE_PINNED);
  fake_drop (a);
  fake_drop (b);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Plain memory first: what loses a part becomes managed memory, keeps what it had in it, and
   what stays is sent again; libgomp is told.  */
static void
plain_first (void)
{
  struct ummgr_manager *m = fake_start ("auto", 4 * SIZE);
  m->plain_first = true;
  struct ummgr_object *o = object (m, 0), *held = object (m, 1);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_MANAGED);
  fake_drop (o);
  fake_drop (held);
  m->executor.policy->on_construct (m->executor.state, 2 * SIZE);
  o = object (m, 0);
  held = object (m, 1);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_PLAIN);
  CHECK (o->view.plain);
  memset ((void *) o->copy.address, 7, SIZE);
  uintptr_t old = o->copy.address;
  int prefetches = fake.prefetches;
  CHECK_EQ (fake_place (o, SIZE / 4, SIZE, UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT), UMMGR_OK);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_MANAGED);
  CHECK (!o->view.plain && o->copy.address != old);
  CHECK_EQ (o->view.placed->place, UMMGR_PLACE_DEVICE);
  CHECK_EQ (o->view.placed->lo, 0);
  CHECK_EQ (o->view.placed->hi, SIZE / 4);
  CHECK_EQ (fake.prefetches, prefetches + 1);
  for (size_t i = 0; i < SIZE; i++)
    CHECK_EQ (((char *) o->copy.address)[i], 7);
  CHECK_EQ (fake_find ((uintptr_t) data[0], (uintptr_t) data[0] + 1)->device, o->copy.address);
  CHECK (ummgr_objects_find (&m->placed, o->copy.address + 5) == o);
  CHECK (!ummgr_objects_find (&m->placed, old + 5));
  /* Its address got out.  */
  ummgr_storage_pin (held);
  CHECK (fake_place (held, 0, SIZE, UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT) != UMMGR_OK);
  CHECK_EQ (held->copy.storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (held->view.placed->hi, SIZE);
  fake_drop (o);
  fake_drop (held);
  /* The device has less than the budget says.  */
  m->executor.policy->on_construct (m->executor.state, SIZE);
  fake.plain_left = SIZE / 2;
  o = object (m, 0);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_MANAGED);
  CHECK_EQ (o->view.placed->place, UMMGR_PLACE_DEVICE);
  fake_drop (o);
  fake.plain_left = SIZE_MAX;
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Less memory: what is there must go, and the end of it takes all along.  */
static void
less_room (void)
{
  struct ummgr_manager *m = fake_start ("lru", 2 * SIZE);
  m->plain_copies = true;
  struct ummgr_object *o = object (m, 0);
  memset ((void *) o->copy.address, 8, SIZE);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_PLAIN);
  ummgr_plan_budget (m, SIZE / 2);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (((char *) o->copy.address)[SIZE - 1], 8);
  ummgr_plan_budget (m, 2 * SIZE);
  region (m, o);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_PLAIN);
  CHECK_EQ (fake_place (o, SIZE / 2, SIZE, UMMGR_PLACE_HOST,
				 UMMGR_TRANSFER_EXPLICIT), UMMGR_OK);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (o->view.placed->place, UMMGR_PLACE_HOST);
  /* What was planned before is not done again.  */
  ummgr_plan_budget (m, 3 * SIZE);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_PINNED);
  /* What does not page is nowhere but where it is.  */
  CHECK_EQ (fake_place (o, 0, SIZE, UMMGR_PLACE_DEVICE,
				 UMMGR_TRANSFER_HOME), UMMGR_OK);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_PINNED);
  fake_drop (o);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* What is told of an object's place under POLICY has TEXT.  */
static void
told (const char *policy, const char *text)
{
  struct ummgr_manager *m = fake_start (policy, 2 * SIZE);
  FILE *file = tmpfile ();
  int saved = dup (STDERR_FILENO);
  char line[256] = "";
  CHECK (file && saved >= 0);
  dup2 (fileno (file), STDERR_FILENO);
  ummgr_log_level = UMMGR_LOG_INFO;
  struct ummgr_object *o = object (m, 0);
  ummgr_log_level = UMMGR_LOG_WARN;
  dup2 (saved, STDERR_FILENO);
  close (saved);
  rewind (file);
  CHECK (fgets (line, sizeof line, file));
  CHECK (strstr (line, text) && strstr (line, "; 1048576 bytes\n"));
  fclose (file);
  fake_drop (o);
  ummgr_manager_free (m);
}

/* All that is to be on the host is brought there before it is used, and no more.  */
static void
populated (void)
{
  struct ummgr_manager *m = fake_start ("lru", 4 * SIZE);
  struct ummgr_object *o = object (m, 0);
  CHECK_EQ (fake_place (o, 0, SIZE / 4, UMMGR_PLACE_HOST,
				 UMMGR_TRANSFER_EXPLICIT), UMMGR_OK);
  CHECK_EQ (fake_place (o, SIZE / 2, SIZE, UMMGR_PLACE_HOST,
				 UMMGR_TRANSFER_EXPLICIT), UMMGR_OK);
  int prefetches = fake.prefetches;
  ummgr_storage_populate (o);
  CHECK_EQ (fake.prefetches, prefetches + 2);
  CHECK_EQ (fake.prefetched[0].lo, o->copy.address);
  CHECK_EQ (fake.prefetched[0].hi, o->copy.address + SIZE / 4);
  CHECK_EQ (fake.prefetched[1].lo, o->copy.address + SIZE / 2);
  CHECK_EQ (fake.prefetched[1].hi, o->copy.address + SIZE);
  CHECK_EQ (fake_place (o, 0, SIZE, UMMGR_PLACE_HOST,
				 UMMGR_TRANSFER_EXPLICIT), UMMGR_OK);
  prefetches = fake.prefetches;
  ummgr_storage_populate (o);
  CHECK_EQ (fake.prefetches, prefetches + 1);
  CHECK_EQ (fake.prefetched[1].lo, o->copy.address);
  CHECK_EQ (fake.prefetched[1].hi, o->copy.address + SIZE);
  fake_drop (o);
  ummgr_manager_free (m);
}

/* Where nothing pages on demand, there is nothing to advise, and nothing fails.  */
static void
unpaged (void)
{
  struct ummgr_manager *m = fake_start ("lru", 4 * SIZE);
  struct ummgr_object *o = object (m, 0);
  int advice = fake.advice, prefetches = fake.prefetches;
  m->executor.paged = false;
  CHECK_EQ (fake_place (o, 0, SIZE, UMMGR_PLACE_HOST,
				 UMMGR_TRANSFER_EXPLICIT), UMMGR_OK);
  CHECK_EQ (fake_place (o, 0, SIZE, UMMGR_PLACE_DEVICE,
				 UMMGR_TRANSFER_IMPLICIT), UMMGR_OK);
  CHECK (fake.advice == advice && fake.prefetches == prefetches);
  fake_drop (o);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

/* Memory that pages by demand holds what is not placed as a whole, or not placed
   at all; of a part the rest is kept on the host.  */
static void
kinds (void)
{
  struct ummgr_manager *m = fake_start ("lru", 4 * SIZE);
  m->plain_copies = true;
  struct ummgr_object *o
    = ummgr_object_new ((uintptr_t) data[0], SIZE, 0, UMMGR_PATH_MAPPED);
  o->manager = m;
  struct ummgr_decision d = { .object = &o->view, .lo = SIZE / 4,
			      .hi = SIZE / 2, .place = UMMGR_PLACE_DEVICE,
			      .transfer = UMMGR_TRANSFER_EXPLICIT };
  int advice = fake.advice, prefetches = fake.prefetches;
  CHECK_EQ (ummgr_storage_create (o, &d), UMMGR_OK);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_MANAGED);
  /* Two words each on what is before and behind.  */
  CHECK_EQ (fake.advice, advice + 4);
  CHECK_EQ (fake.prefetches, prefetches + 1);
  CHECK_EQ (o->view.placed->lo, SIZE / 4);
  CHECK_EQ (o->view.placed->hi, SIZE / 2);
  ummgr_storage_destroy (o);
  d.lo = 0;
  d.hi = SIZE;
  d.place = UMMGR_PLACE_ANY;
  CHECK_EQ (ummgr_storage_create (o, &d), UMMGR_OK);
  CHECK_EQ (o->copy.storage, UMMGR_STORAGE_MANAGED);
  ummgr_storage_destroy (o);
  CHECK_EQ (fake.allocations, 0);
  ummgr_object_drop (o);
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
  CHECK_EQ (a->copy.storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (b->copy.storage, UMMGR_STORAGE_PINNED);
  CHECK_EQ (b->view.placed->place, UMMGR_PLACE_HOST);
  fake_drop (a);
  fake_drop (b);
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
  CHECK_EQ (((char *) o->copy.address)[SIZE - 1], 5);
  memset (data[2], 6, SIZE);
  CHECK_EQ (ummgr_storage_copy_out (o, 10, 20), UMMGR_OK);
  CHECK (data[2][9] == 6 && data[2][10] == 5 && data[2][30] == 6);
  /* The region may have put something on the device, whoever placed it.  */
  o->away = false;
  region (m, o);
  CHECK (o->away);
  fake_drop (o);
  ummgr_manager_free (m);
  m = fake_start ("lru", 2 * SIZE);
  o = object (m, 2);
  CHECK_EQ (ummgr_storage_copy_in (o, 0, SIZE), UMMGR_OK);
  CHECK_EQ (fake.copies_in, in + 1);
  /* What demand has brought the host copies, as a program would.  */
  CHECK_EQ (fake_place (o, 0, SIZE, UMMGR_PLACE_DEVICE,
				 UMMGR_TRANSFER_IMPLICIT), UMMGR_OK);
  CHECK_EQ (ummgr_storage_copy_in (o, 0, SIZE), UMMGR_OK);
  CHECK_EQ (fake.copies_in, in + 1);
  fake_drop (o);
  ummgr_manager_free (m);
}

static void
place (struct ummgr_object *o, size_t lo, size_t hi, enum ummgr_place where,
       size_t placed_lo, size_t placed_hi)
{
  CHECK_EQ (fake_place (o, lo, hi, where, UMMGR_TRANSFER_EXPLICIT),
	    UMMGR_OK);
  if (placed_lo == placed_hi)
    CHECK_EQ (o->view.placed->place, UMMGR_PLACE_HOST);
  else
    {
      CHECK_EQ (o->view.placed->place, UMMGR_PLACE_DEVICE);
      CHECK_EQ (o->view.placed->lo, placed_lo);
      CHECK_EQ (o->view.placed->hi, placed_hi);
    }
}

/* Any one range may be on the device: the driver copies that, and the host
   what is before and after it.  */
static void
ranges (void)
{
  enum { QUARTER = SIZE / 4 };
  struct ummgr_manager *m = fake_start ("lru", 4 * SIZE);
  struct ummgr_object *o = object (m, 3);
  CHECK (o->reason);
  place (o, 0, QUARTER, UMMGR_PLACE_HOST, QUARTER, SIZE);
  place (o, 3 * QUARTER, SIZE, UMMGR_PLACE_HOST, QUARTER, 3 * QUARTER);
  for (int i = 0; i < SIZE; i++)
    data[3][i] = i / 1000;
  CHECK_EQ (ummgr_storage_copy_in (o, 0, SIZE), UMMGR_OK);
  CHECK_EQ (o->copied_in, 2 * QUARTER);
  CHECK (memcmp ((void *) o->copy.address, data[3], SIZE) == 0);
  char *copy = malloc (SIZE);
  size_t starts[] = { 0, QUARTER - 9, QUARTER, 2 * QUARTER, 3 * QUARTER - 1,
    3 * QUARTER, SIZE - 50 };
  for (int i = 0; i < 7; i++)
    {
      size_t n = i == 1 ? 3 * QUARTER : 50;
      memset ((void *) o->copy.address, 99, SIZE);
      memset (copy, 99, SIZE);
      memcpy (copy + starts[i], data[3] + starts[i], n);
      CHECK_EQ (ummgr_storage_copy_in (o, starts[i], n), UMMGR_OK);
      CHECK (memcmp ((void *) o->copy.address, copy, SIZE) == 0);
    }
  memcpy ((void *) o->copy.address, data[3], SIZE);
  memcpy (copy, data[3], SIZE);
  for (int i = 0; i < 7; i++)
    {
      memset (data[3], 99, SIZE);
      size_t n = i == 1 ? 3 * QUARTER : 50;
      CHECK_EQ (ummgr_storage_copy_out (o, starts[i], n), UMMGR_OK);
      CHECK (memcmp (data[3] + starts[i], copy + starts[i], n) == 0);
      CHECK (starts[i] == 0 || data[3][starts[i] - 1] == 99);
      CHECK (starts[i] + n == SIZE || data[3][starts[i] + n] == 99);
    }
  free (copy);
  /* What is not there can't leave; what touches it joins it.  */
  place (o, 0, QUARTER, UMMGR_PLACE_HOST, QUARTER, 3 * QUARTER);
  place (o, 3 * QUARTER, SIZE, UMMGR_PLACE_DEVICE, QUARTER, SIZE);
  place (o, 0, QUARTER, UMMGR_PLACE_DEVICE, 0, SIZE);
  /* A hole can't be said: what comes after it counts as not there.  */
  place (o, QUARTER, 2 * QUARTER, UMMGR_PLACE_HOST, 0, QUARTER);
  place (o, 0, SIZE, UMMGR_PLACE_HOST, 0, 0);
  place (o, 2 * QUARTER, 3 * QUARTER, UMMGR_PLACE_DEVICE, 2 * QUARTER,
	 3 * QUARTER);
  /* An empty range only gives a reason.  */
  place (o, 0, 0, UMMGR_PLACE_HOST, 2 * QUARTER, 3 * QUARTER);
  fake_drop (o);
  CHECK_EQ (fake.allocations, 0);
  ummgr_manager_free (m);
}

int
main (void)
{
  managed ();
  plain ();
  plain_first ();
  less_room ();
  kinds ();
  told ("lru", ": device, there is room");
  told ("host", ": host, ");
  told ("um", ": any, on demand");
  populated ();
  unpaged ();
  pressure ();
  copies ();
  ranges ();
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
