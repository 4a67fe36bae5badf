/* A recorder for tests of the runtime, which holds what it is told against what
   fake-gomp.h's driver and libgomp were asked for.  A trace in which that differs
   shows copies, places and moves that never were.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "record/libgomp.h"
#include "record/record.h"
#include "trace/format.h"

enum { FAKE_COPIES = 1 << 15 };

/* Device memory that is the copy of the host's, and the memory of unified
   objects.  */
struct fake_copy { uint64_t host, address; size_t size; int device; };
static struct fake_copy fake_copies[FAKE_COPIES], fake_unified[FAKE_COPIES];
static int fake_copy_count, fake_unified_count;
static int fake_told_devices;	/* Bits.  */

/* The last thing that the driver was asked for and the recorder not told yet.  */
static struct
{
  enum { FAKE_NOTHING, FAKE_PREFETCH, FAKE_ADVICE } what;
  uint64_t address;
  size_t size;
  int device;
  unsigned advice;
} fake_asked;

/* The driver was asked: but for the last, all that was before must have been
   told.  */
static inline void
fake_ask (int what, uint64_t address, size_t size, int device, unsigned advice)
{
  CHECK_EQ (fake_asked.what, FAKE_NOTHING);
  fake_asked.what = what;
  fake_asked.address = address;
  fake_asked.size = size;
  fake_asked.device = device;
  fake_asked.advice = advice;
}

/* Advice for pages that nothing was in yet: it is told of each object that comes to
   be there.  */
static struct { uint64_t lo, hi; unsigned advice; } fake_shared[FAKE_COPIES];
static int fake_shared_count;

static inline bool
fake_is_shared (uint64_t address, size_t size, unsigned advice)
{
  for (int i = 0; i < fake_shared_count; i++)
    if (address >= fake_shared[i].lo && address + size <= fake_shared[i].hi
	&& fake_shared[i].advice == advice)
      return true;
  return false;
}

static inline void
fake_told (int what, uint64_t address, size_t size, int device, unsigned advice)
{
  if (what == FAKE_ADVICE && fake_asked.what == FAKE_NOTHING
      && fake_is_shared (address, size, advice))
    return;
  CHECK_EQ (fake_asked.what, what);
  CHECK_EQ (fake_asked.address, address);
  CHECK_EQ (fake_asked.size, size);
  CHECK_EQ (fake_asked.device, device);
  CHECK_EQ (fake_asked.advice, advice);
  fake_asked.what = FAKE_NOTHING;
}

static inline struct fake_copy *
fake_copy_at (uint64_t address, int device)
{
  for (int i = 0; i < fake_copy_count; i++)
    if (fake_copies[i].device == device
	&& address - fake_copies[i].address < fake_copies[i].size)
      return &fake_copies[i];
  return NULL;
}

/* Is anything in SIZE bytes at ADDRESS known to the recorder?  */
static inline bool
fake_copy_in (uint64_t address, size_t size)
{
  for (int i = 0; i < fake_copy_count; i++)
    if (fake_copies[i].address < address + size
	&& address < fake_copies[i].address + fake_copies[i].size)
      return true;
  for (int i = 0; i < fake_unified_count; i++)
    if (fake_unified[i].address < address + size
	&& address < fake_unified[i].address + fake_unified[i].size)
      return true;
  return false;
}

void
ummgr_record_present (const void *host, uint64_t address, size_t size,
		      int device, bool libgomp)
{
  (void) libgomp;
  CHECK (size && fake_copy_count < FAKE_COPIES);
  for (int i = 0; i < fake_copy_count; i++)
    CHECK (fake_copies[i].device != device
	   || address + size <= fake_copies[i].address
	   || fake_copies[i].address + fake_copies[i].size <= address);
  fake_copies[fake_copy_count++]
    = (struct fake_copy) { (uintptr_t) host, address, size, device };
}

void
ummgr_record_absent (uint64_t address, size_t size, int device)
{
  struct fake_copy *c = fake_copy_at (address, device);
  CHECK (c && c->address == address && c->size == size);
  *c = fake_copies[--fake_copy_count];
}

void
ummgr_record_moved (uint64_t old, uint64_t address, int device)
{
  struct fake_copy *c = fake_copy_at (old, device);
  CHECK (c && c->address == old && !fake_copy_at (address, device));
  c->address = address;
}

void
ummgr_record_managed (void *ptr, size_t size)
{
  CHECK (fake_unified_count < FAKE_COPIES);
  fake_unified[fake_unified_count++]
    = (struct fake_copy) { (uintptr_t) ptr, (uintptr_t) ptr, size, 0 };
}

void
ummgr_record_managed_free (void *ptr)
{
  int i = 0;
  while (i < fake_unified_count && fake_unified[i].host != (uintptr_t) ptr)
    i++;
  CHECK (i < fake_unified_count);
  fake_unified[i] = fake_unified[--fake_unified_count];
}

static inline void
fake_copied (const void *host, uint64_t address, size_t size, int device)
{
  struct fake_copy *c = fake_copy_at (address, device);
  CHECK (c && address - c->address + size <= c->size);
  CHECK_EQ (c->host + (address - c->address), (uintptr_t) host);
}

void
ummgr_record_copy_in (const void *host, uint64_t address, size_t size,
		      int device)
{
  fake_copied (host, address, size, device);
}

void
ummgr_record_copy_out (const void *host, uint64_t address, size_t size,
		       int device)
{
  fake_copied (host, address, size, device);
}

void
ummgr_record_prefetch (uint64_t address, size_t size, int device)
{
  fake_told (FAKE_PREFETCH, address, size, device, 0);
}

void
ummgr_record_advice (uint64_t address, size_t size, int device, unsigned advice)
{
  fake_told (FAKE_ADVICE, address, size, device, advice);
}

/* Memory is about to be freed: the recorder has forgotten it.  */
static inline void
fake_forgotten (uint64_t address)
{
  for (int i = 0; i < fake_copy_count; i++)
    CHECK (fake_copies[i].address != address);
  for (int i = 0; i < fake_unified_count; i++)
    CHECK (fake_unified[i].address != address);
  for (int i = 0; i < fake_shared_count; i++)
    if (fake_shared[i].lo == address)
      fake_shared[i--] = fake_shared[--fake_shared_count];
}

static void
fake_record_end (int status, void *unused)
{
  if (status)
    return;
  CHECK_EQ (fake_copy_count, 0);
  CHECK_EQ (fake_unified_count, 0);
  CHECK_EQ (fake_asked.what, FAKE_NOTHING);
}

__attribute__ ((constructor)) static void
fake_record_begin (void)
{
  on_exit (fake_record_end, NULL);
}

/* What the runtime may call besides.  */
bool ummgr_record_is_on;
void ummgr_record_linked (uint64_t host, size_t size) { }
void ummgr_record_variable (const void *host, uint64_t address, size_t size, int device,
			    const char *name, const char *file, unsigned line) { }
void ummgr_record_start (const struct ummgr_options *options) { }
void ummgr_record_when_open (void (*opened) (void)) { }
void ummgr_record_devices (int count) { }
void ummgr_record_device (int device) { fake_told_devices |= 1 << device; }
enum ummgr_status ummgr_record_finish (void) { return UMMGR_OK; }
const char *ummgr_record_path (void) { return NULL; }
void ummgr_record_after_fork (const struct ummgr_options *own) { }
void ummgr_record_mark (const char *name) { }
void ummgr_record_libgomp_in (int device, uint64_t address, const void *host,
			      size_t size) { }
void ummgr_record_libgomp_out (int device, uint64_t address, const void *host,
			       size_t size) { }
void ummgr_record_libgomp_freed (int device, uint64_t address, size_t size) { }
void ummgr_record_libgomp_launch (int device, uint64_t table) { }
