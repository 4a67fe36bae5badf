/* What is to come to the device, and who sends for it: all of it is noted or sent for at once, nothing that has its
   place there is noted, and what nobody asked for is neither.  Random ranges, placed on a device that takes down what
   it is told.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "memory/execute.h"

#include <string.h>

enum { PAGE = 4096, PAGES = 40, SIZE = PAGES * PAGE, BASE = 1 << 20 };

static bool sent[PAGES];

static unsigned
below (uint64_t *state, unsigned n)
{
  return (random64 (state) >> 32) % n;
}

static enum ummgr_status
prefetch (struct ummgr_device *device, uintptr_t address, size_t size, bool to_host)
{
  (void) device;
  CHECK (!to_host && size && address >= BASE && address + size <= BASE + SIZE);
  for (uintptr_t at = address; at < address + size; at += PAGE)
    sent[(at - BASE) / PAGE] = true;
  return UMMGR_OK;
}

static enum ummgr_status
keep_on_host (struct ummgr_device *device, uintptr_t address, size_t size, bool on)
{
  (void) device, (void) address, (void) size, (void) on;
  return UMMGR_OK;
}

static const struct ummgr_device_ops device_ops = { .prefetch = prefetch, .keep_on_host = keep_on_host };
static const struct ummgr_policy_ops policy = { .name = "test" };

/* [LO, HI) comes to a device that has [HAS_LO, HAS_HI), or nothing where that is empty; ALREADY others were noted.  */
static void
comes (struct ummgr_executor *executor, struct ummgr_copy *copy, unsigned lo, unsigned hi, unsigned has_lo,
       unsigned has_hi, size_t already)
{
  struct ummgr_arrivals arrivals = { .count = already };
  struct ummgr_arrival *a = arrivals.at;
  bool noted[PAGES] = { false };
  memset (sent, 0, sizeof sent);
  copy->placed = has_lo < has_hi ? (struct ummgr_placed) { UMMGR_PLACE_DEVICE, has_lo * PAGE, has_hi * PAGE }
    : (struct ummgr_placed) { UMMGR_PLACE_HOST, 0, SIZE };
  executor->arrivals = &arrivals;
  CHECK_EQ (ummgr_execute_managed (executor, copy, lo * PAGE, hi * PAGE, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT),
	    UMMGR_OK);
  executor->arrivals = NULL;
  CHECK (arrivals.count <= already + 1);
  for (size_t i = already; i < arrivals.count; i++)
    {
      CHECK (a[i].copy == copy && a[i].lo < a[i].hi);
      for (size_t at = a[i].lo; at < a[i].hi; at += PAGE)
	noted[at / PAGE] = true;
    }
  bool inside = has_lo < has_hi && lo < has_lo && has_hi < hi, full = already == sizeof arrivals.at / sizeof *a;
  for (unsigned i = 0; i < PAGES; i++)
    {
      bool asked = lo <= i && i < hi, has = has_lo <= i && i < has_hi;
      CHECK_EQ (sent[i] + noted[i], asked);
      CHECK (!noted[i] || !has);
      /* What is new waits, but where there is no room to note it, or it is in two.  */
      CHECK (!sent[i] || has || inside || full);
    }
  /* Whoever has been told sends for the rest.  */
  for (size_t i = already; i < arrivals.count; i++)
    ummgr_execute_arrive (executor, &a[i]);
  for (unsigned i = lo; i < hi; i++)
    CHECK (sent[i]);
}

int
main (void)
{
  struct ummgr_policy_config config = { 0 };
  struct ummgr_device device = { .ops = &device_ops };
  struct ummgr_copy copy = { .device = &device, .address = BASE, .storage = UMMGR_STORAGE_UNIFIED };
  struct ummgr_executor executor = { 0 };
  uint64_t state = 1;
  CHECK (ummgr_execute_init (&executor, &policy, &config));
  executor.paged = true;
  for (unsigned k = 0; k < 20000; k++)
    {
      unsigned lo = below (&state, PAGES), hi = lo + 1 + below (&state, PAGES - lo);
      unsigned has_lo = below (&state, PAGES), has_hi = has_lo + below (&state, PAGES - has_lo + 1);
      comes (&executor, &copy, lo, hi, has_lo, has_hi, below (&state, 17));
    }
  /* Nobody has asked to be told.  */
  memset (sent, 0, sizeof sent);
  copy.placed = (struct ummgr_placed) { UMMGR_PLACE_HOST, 0, SIZE };
  CHECK_EQ (ummgr_execute_managed (&executor, &copy, 0, SIZE, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT), UMMGR_OK);
  CHECK (sent[0] && sent[PAGES - 1]);
  ummgr_execute_fini (&executor);
  return 0;
}
