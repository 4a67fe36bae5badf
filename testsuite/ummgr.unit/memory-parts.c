/* How objects come to several GPUs, and to where launches want them, on devices that take down whose each page is:
   what the driver writes comes in equal parts, or to one; what no launch has used yet goes where one that is expected
   again wants it at once, else when three have; and what GPUs send one another goes by turns in which each has one
   partner, so that none waits for a third.  Random cuts.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "device/device.h"
#include "memory/execute.h"
#include "memory/parts.h"

#include <string.h>

enum { PAGE = 4096, GPUS = 4, MOST = 8, PAGES = 840, SIZE = PAGES * PAGE, BASE = 1 << 24, MEMORY = 1 << 30 };

static int owner[PAGES];	/* Of each page; -1: the host.  */
static bool copies;		/* Others get copies, and who has it keeps it:  */
static bool copy[PAGES][MOST];
static unsigned times[PAGES];	/* How often it was sent, or written.  */
static uint64_t spare;		/* Bytes that each GPU has left.  */
/* When each GPU has sent and got what it was asked for so far, as it takes part in one copy at a time.  */
static unsigned busy[MOST];

static unsigned
below (uint64_t *state, unsigned n)
{
  return (random64 (state) >> 32) % n;
}

static void
take (int device, uintptr_t address, size_t size)
{
  CHECK (address >= BASE && address + size <= BASE + SIZE);
  for (unsigned p = (address - BASE) / PAGE; p < (address - BASE + size + PAGE - 1) / PAGE; p++)
    {
      if (owner[p] == device || (copies && copy[p][device]))
	continue;
      if (owner[p] >= 0)
	{
	  unsigned *a = &busy[owner[p]], *b = &busy[device];
	  *a = *b = (*a > *b ? *a : *b) + 1;
	}
      times[p]++;
      if (copies)
	copy[p][device] = true;
      else
	owner[p] = device;
    }
}

static enum ummgr_status
prefetch (struct ummgr_device *device, uintptr_t address, size_t size, bool to_host)
{
  CHECK (!to_host);
  take (device->number, address, size);
  return UMMGR_OK;
}

static enum ummgr_status
copy_in (struct ummgr_device *device, uintptr_t to, const void *from, size_t size)
{
  CHECK ((uintptr_t) from == to);
  take (device->number, to, size);
  return UMMGR_OK;
}

static enum ummgr_status
advise (struct ummgr_device *device, uintptr_t address, size_t size, enum ummgr_device_advice advice, bool on)
{
  (void) device, (void) address, (void) size, (void) advice, (void) on;
  return UMMGR_OK;
}

static enum ummgr_status
memory (struct ummgr_device *device, uint64_t *free_p, uint64_t *total_p)
{
  (void) device;
  *free_p = spare;
  *total_p = MEMORY;
  return UMMGR_OK;
}

static const struct ummgr_device_ops ops = {
  .name = "parts", .prefetch = prefetch, .copy_in = copy_in, .advise = advise, .memory = memory
};

static struct ummgr_gpus gpus;

/* An object of which the host has all, beside COUNT GPUs.  */
static struct ummgr_object *
fresh (unsigned count)
{
  for (unsigned p = 0; p < PAGES; p++)
    owner[p] = -1;
  memset (times, 0, sizeof times);
  memset (busy, 0, sizeof busy);
  memset (copy, 0, sizeof copy);
  gpus = (struct ummgr_gpus) { .count = count, .joined = true };
  for (unsigned g = 0; g < count; g++)
    {
      gpus.device[g] = (int) g;
      gpus.room[g] = MEMORY;
    }
  struct ummgr_object *object = ummgr_object_new (BASE, SIZE, 0, UMMGR_PATH_MAPPED);
  CHECK (object);
  object->copy.address = BASE;
  object->copy.storage = UMMGR_STORAGE_MANAGED;
  return object;
}

static void
none_left (const struct ummgr_object *object, size_t lo, size_t hi, bool in)
{
  (void) object, (void) lo, (void) hi, (void) in;
  CHECK (false);
}

/* A launch wants whole pages: GPU g those from CUT[g] to CUT[g + 1], of which it uses all.  */
static struct ummgr_parts
wanted (const unsigned *cut)
{
  struct ummgr_parts parts = { .way = UMMGR_PARTS_OWN, .last = 1 };
  for (unsigned g = 0; g < GPUS; g++)
    {
      parts.gpu[g].own = (struct ummgr_interval) { (int64_t) cut[g] * PAGE, (int64_t) cut[g + 1] * PAGE };
      parts.gpu[g].bytes = (double) ummgr_interval_length (parts.gpu[g].own);
    }
  return parts;
}

static bool
is_so (const unsigned *cut)
{
  for (unsigned g = 0; g < GPUS; g++)
    for (unsigned p = cut[g]; p < cut[g + 1]; p++)
      if (owner[p] != (int) g)
	return false;
  return true;
}

/* Of all pages, each with a part of 64 KiB at least, and so far from equal parts that it isn't taken for them.  */
static void
cuts (uint64_t *state, unsigned *cut)
{
  do
    {
      cut[0] = 0;
      cut[GPUS] = PAGES;
      for (unsigned g = 1; g < GPUS; g++)
	cut[g] = cut[g - 1] + 20 + below (state, 320);
    }
  while (cut[GPUS - 1] > PAGES - 20 || (cut[1] > 200 && cut[1] < 220));
}

/* The object as the driver has written it, to all of COUNT GPUs, or to the first as a WHOLE.  */
static struct ummgr_object *
written (unsigned count, bool whole)
{
  struct ummgr_object *object = fresh (count);
  ummgr_parts_over (&gpus);
  ummgr_parts_whole (whole);
  ummgr_parts_begin (object);
  CHECK (object->laid);
  CHECK (ummgr_parts_copy (object, 0, SIZE, true, none_left));
  return object;
}

static void
check_equal (void)
{
  struct ummgr_object *object = written (GPUS, false);
  for (unsigned p = 0; p < PAGES; p++)
    CHECK (owner[p] == (int) (p / (PAGES / GPUS)) && times[p] == 1);
  for (int g = 0; g < GPUS; g++)
    CHECK_EQ (ummgr_parts_held (object, g), SIZE / GPUS);
  ummgr_object_drop (object);
  object = written (GPUS, true);
  for (unsigned p = 0; p < PAGES; p++)
    CHECK (owner[p] == 0 && times[p] == 1);
  ummgr_object_drop (object);
  /* Where that would push out others, and of little, each page comes when it is used.  */
  object = fresh (GPUS);
  ummgr_parts_whole (false);
  spare = 2 * SIZE / GPUS - 1;
  ummgr_parts_begin (object);
  CHECK (!object->laid);
  spare = MEMORY;
  object->view.size = UMMGR_PARTS_LEAST - 1;
  ummgr_parts_begin (object);
  CHECK (!object->laid);
  ummgr_object_drop (object);
}

/* Launches that are expected AGAIN, or not, want it otherwise than in equal parts.  */
static void
check_early (uint64_t *state, bool again)
{
  unsigned cut[GPUS + 1], launches = 0;
  struct ummgr_object *object = written (GPUS, false);
  cuts (state, cut);
  struct ummgr_parts parts = wanted (cut);
  uint64_t bytes[GPUS] = { 0 };
  ummgr_parts_missing (object, &parts, &gpus, bytes);
  for (unsigned g = 0; g < GPUS; g++)
    {
      uint64_t its = 0;
      for (unsigned p = cut[g]; p < cut[g + 1]; p++)
	its += owner[p] == (int) g ? 0 : PAGE;
      CHECK_EQ (bytes[g], its);
    }
  while (!is_so (cut))
    {
      CHECK (launches++ < 9);
      ummgr_parts_lay (object, &parts, &gpus, false, again);
    }
  CHECK_EQ (launches, again ? 1 : 3);
  for (unsigned p = 0; p < PAGES; p++)
    CHECK (times[p] <= 2);
  /* And it stays: what lies so moves no more.  */
  memset (times, 0, sizeof times);
  ummgr_parts_lay (object, &parts, &gpus, true, again);
  for (unsigned p = 0; p < PAGES; p++)
    CHECK_EQ (times[p], 0);
  ummgr_object_drop (object);
}

/* Each of COUNT GPUs is to have a copy of all that the others have.  */
static void
check_pairs (unsigned count)
{
  struct ummgr_object *object = written (count, false);
  struct ummgr_parts parts = { .way = UMMGR_PARTS_COPIES, .last = 1 };
  for (unsigned g = 0; g < count; g++)
    {
      parts.gpu[g].far = (struct ummgr_intervals) { 1, { { 0, SIZE } } };
      parts.gpu[g].bytes = SIZE;
    }
  memset (busy, 0, sizeof busy);
  memset (times, 0, sizeof times);
  copies = true;
  ummgr_parts_lay (object, &parts, &gpus, true, true);
  copies = false;
  unsigned last = 0;
  for (unsigned g = 0; g < count; g++)
    last = busy[g] > last ? busy[g] : last;
  for (unsigned p = 0; p < PAGES; p++)
    CHECK_EQ (times[p], count - 1);
  /* Each gets all parts but its own, which goes to all others: in so many steps that is done if nobody waits; of an odd
     number one waits at a time.  One GPU after the other, each would wait until the one before has all.  */
  CHECK_EQ (last, 2 * (count - !(count & 1)) * (PAGES / count));
  ummgr_object_drop (object);
}

int
main (void)
{
  uint64_t state = 5;
  for (int g = 0; g < MOST; g++)
    {
      ummgr_device_of (g)->ops = &ops;
      ummgr_device_of (g)->number = g;
    }
  spare = MEMORY;
  check_equal ();
  for (int i = 0; i < 300; i++)
    check_early (&state, i % 2);
  for (unsigned count = 2; count <= MOST; count++)
    check_pairs (count);
  return 0;
}
