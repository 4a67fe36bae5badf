/* Copies that stay on the device when their mapping ends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is known of ranges that were mapped, and the storage of those copies.  */

#include "config.h"
#include "memory/kept.h"

#include "base/log.h"
#include "base/process.h"
#include "check/check.h"
#include "gomp/abi.h"
#include "gomp/real.h"
#include "hints/live.h"
#include "memory/staging.h"
#include "memory/storage.h"
#include "memory/written.h"
#include "record/record.h"
#include "report/stats.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <Judy.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Ranges that are remembered at most.  */
#define RANGES_MOST 4096
/* What it costs for each page of 4 KiB to have the kernel note that it is written, to look whether it was, to let go
   of it, and to write to it for the first time: bench/overhead/written.c, on Linux 6.18 in a virtual machine, which
   makes the last of them some ten times dearer than it is without one.  In the model the program's thread takes so
   long.  */
#define WATCH_NS 120
#define LOOK_NS 14
#define END_NS 550
#define WRITE_NS 14000
#define PAGE 4096
/* Where nothing is known of the host, and from which on it isn't tried.  */
#define RISK_UNKNOWN 0.25
#define RISK_MOST 0.5

/* The proofs that hold are those of this age, of memory that was not freed since.  Which that is is known by the place
   that its address hashes to; where others have taken it, nothing is.  The address is odd while the memory is copied
   to: who frees it waits.  All atomic.  */
static uint64_t age = 1;
static bool frees_are_seen;
static uintptr_t unfreed[4096];
static int last_device = -1;

/* Whose copies were put off: all of them are its; NULL: none is.  Atomic.  */
static struct ummgr_manager *debtor;

struct ummgr_kept_range
{
  uintptr_t base;
  size_t size;
  uintptr_t address;		/* Of the copy, which nobody uses; 0: none.  */
  struct ummgr_written *watch;	/* Owned; NULL: not watched.  */
  struct ummgr_object *object;	/* That has it; or NULL.  */
  bool owed;			/* The host doesn't have what is there: the copy out was put off.  */
  double copied, spent, saved;	/* Nanoseconds, so far: by its copies; by watching it; that would have been copies.  */
  uint64_t wanted;		/* The construct that maps it.  */
  uint64_t proof;		/* Its age; 0: none.  */
  uint64_t met;			/* The age when its object came.  */
  double risk;			/* How probable it is that the host writes all of it before it is mapped again.  */
  unsigned clean;		/* Regions in a row that didn't write it,  */
  unsigned run;			/* and the most after which one did.  */
};

struct ummgr_kept
{
  void *ranges;			/* Judy array by base.  */
  size_t count;
  uint64_t bytes;		/* Of all copies.  */
};

/* --- proofs -------------------------------------------------------------------- */

static uintptr_t *
place_of (uintptr_t base)
{
  const unsigned places = sizeof unfreed / sizeof *unfreed;
  return &unfreed[(base * UINT64_C (0x9e3779b97f4a7c15)) >> 52 & (places - 1)];
}

void
ummgr_kept_sees_free (void)
{
  __atomic_store_n (&frees_are_seen, true, __ATOMIC_RELAXED);
}

void
ummgr_kept_freed (const void *ptr)
{
  uintptr_t base = (uintptr_t) ptr, *place = place_of (base), at;
  while (__builtin_expect (((at = __atomic_load_n (place, __ATOMIC_ACQUIRE)) & ~(uintptr_t) 1) == base && at, 0))
    if (at == base
	&& __atomic_compare_exchange_n (place, &at, 0, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    else
      sched_yield ();
}

static uint64_t
age_now (void)
{
  return __atomic_load_n (&age, __ATOMIC_RELAXED);
}

/* Was nothing freed at R, as far as is known?  */
static bool
is_there (const struct ummgr_kept_range *r)
{
  return __atomic_load_n (place_of (r->base), __ATOMIC_RELAXED) == r->base;
}

static bool
is_proved (const struct ummgr_kept_range *r)
{
  return r->proof == age_now () && is_there (r);
}

/* R's memory is watched for frees from now on.  False: another's is there, whose copy was put off.  */
static bool
place_take (const struct ummgr_kept *kept, const struct ummgr_kept_range *r)
{
  uintptr_t *place = place_of (r->base), other = __atomic_load_n (place, __ATOMIC_RELAXED);
  PPvoid_t slot = other && other != r->base ? JudyLGet (kept->ranges, other, PJE0) : NULL;
  if (slot && ((const struct ummgr_kept_range *) *slot)->owed)
    return false;
  __atomic_store_n (place, r->base, __ATOMIC_RELAXED);
  return true;
}

/* --- copies that were put off ----------------------------------------------------- */

/* As memory/unmapping.c has it for a copy in time.  */
__attribute__ ((noreturn)) static void
end_program (const struct ummgr_kept_range *r, int device)
{
  ummgr_error ("kept: copying [%#lx, +%zu) back from device %d failed, and the program can't go on without it; "
	       "--keep=off has it copied as soon as its region ends", (unsigned long) r->base, r->size, device);
  exit (EXIT_FAILURE);
}

/* Copy R to the host, if that was put off; what was freed since nobody wants.  */
static void
make_up (struct ummgr_manager *manager, struct ummgr_kept_range *r)
{
  if (!r->owed)
    return;
  r->owed = false;
  uintptr_t *place = place_of (r->base), at = r->base;
  if (!__atomic_compare_exchange_n (place, &at, r->base | 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  ummgr_debug ("kept: %zu bytes at %#lx go out after all", r->size, (unsigned long) r->base);
  enum ummgr_status status = r->object ? ummgr_storage_copy_out (r->object, 0, r->size)
    : ummgr_staging_copy (manager, r->address, r->base, r->size, true);
  __atomic_store_n (place, r->base, __ATOMIC_RELEASE);
  if (status != UMMGR_OK && !manager->gone)
    end_program (r, manager->device);
}

/* Not while a region is writing it, which copies it out when it ends.  */
static void
settle_range (struct ummgr_manager *manager, struct ummgr_kept_range *r)
{
  if (!r->object || r->object->copy.state != UMMGR_COPY_WRITTEN)
    make_up (manager, r);
}

/* All of MANAGER's.  */
static void
settle (struct ummgr_manager *manager)
{
  Word_t base = 0;
  if (!manager->kept || manager->gone)
    return;
  void **ranges = &manager->kept->ranges;
  for (PPvoid_t slot = JudyLFirst (*ranges, &base, PJE0); slot; slot = JudyLNext (*ranges, &base, PJE0))
    settle_range (manager, *slot);
  __atomic_store_n (&debtor, NULL, __ATOMIC_RELEASE);
}

/* The manager that owes copies, locked, or NULL.  *STATE: for debtor_unlock.  */
static struct ummgr_manager *
debtor_lock (int *state)
{
  struct ummgr_manager *manager = __atomic_load_n (&debtor, __ATOMIC_ACQUIRE);
  if (!manager)
    return NULL;
  /* A thread that is cancelled in between would have the lock for ever.  */
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, state);
  pthread_mutex_lock (&manager->lock);
  return manager;
}

static void
debtor_unlock (struct ummgr_manager *manager, int state)
{
  pthread_mutex_unlock (&manager->lock);
  pthread_setcancelstate (state, NULL);
}

void
ummgr_kept_settle (void)
{
  int state;
  struct ummgr_manager *manager = debtor_lock (&state);
  if (!manager)
    return;
  settle (manager);
  debtor_unlock (manager, state);
}

__attribute__ ((visibility ("default"))) void
__ummgr_host_reads (const void *ptr)
{
  int state;
  struct ummgr_manager *manager = debtor_lock (&state);
  if (!manager)
    return;
  PPvoid_t slot = manager->kept && !manager->gone ? JudyLGet (manager->kept->ranges, (uintptr_t) ptr, PJE0) : NULL;
  if (slot)
    settle_range (manager, *slot);
  debtor_unlock (manager, state);
}

/* A child has no device.  One that is forked with the lock doesn't ask for any memory of the program's.  */
static void
before_fork (void)
{
  struct ummgr_manager *manager = __atomic_load_n (&debtor, __ATOMIC_ACQUIRE);
  struct timespec end;
  clock_gettime (CLOCK_REALTIME, &end);
  end.tv_sec++;
  if (!manager || pthread_mutex_timedlock (&manager->lock, &end) != 0)
    return;
  settle (manager);
  pthread_mutex_unlock (&manager->lock);
}

static bool
is_able (const struct ummgr_object *object)
{
  return object->copy.storage == UMMGR_STORAGE_PLAIN && !object->view.pinned && !object->attached && !object->linked
	 && !object->manager->gone;
}

bool
ummgr_kept_puts_off (struct ummgr_object *object)
{
  struct ummgr_kept_range *r = object->kept;
  struct ummgr_manager *manager = object->manager, *other = __atomic_load_n (&debtor, __ATOMIC_RELAXED);
  if (!r || !object->unread || object->holders > 1 || !is_able (object) || r->met != age_now ()
      || !__atomic_load_n (&frees_are_seen, __ATOMIC_RELAXED) || (other && other != manager)
      || ummgr_real (omp_get_num_devices) () != 1 || !place_take (manager->kept, r))
    return false;
  ummgr_kept_goes_out (object);
  r->owed = true;
  __atomic_store_n (&debtor, manager, __ATOMIC_RELEASE);
  r->saved += r->size * 1e9 * ummgr_staging_seconds (object->copy.device, true);
  ummgr_stats_kept (r->size);
  ummgr_debug ("kept: %zu bytes at %#lx don't go out yet", r->size, (unsigned long) r->base);
  return true;
}

bool
ummgr_kept_owes (const struct ummgr_object *object)
{
  return object->kept && object->kept->owed;
}

void
ummgr_kept_makes_up (struct ummgr_object *object)
{
  if (object->kept)
    make_up (object->manager, object->kept);
}

/* --- what launches do to proofs ----------------------------------------------------- */

void
ummgr_kept_start (struct ummgr_manager *manager)
{
  /* A trace, and the checker, are to see the program's own copies; a report is of statistics alone where nothing tells
     what the program accesses.  */
  const struct ummgr_options *o = &ummgr_process.options;
  if (((o->trace || o->report) && ummgr_record_on ()) || ummgr_check_on ())
    return;
  manager->kept = calloc (1, sizeof *manager->kept);
  /* A child has no device.  */
  static bool guarded;
  if (!__atomic_exchange_n (&guarded, true, __ATOMIC_RELAXED))
    pthread_atfork (before_fork, NULL, NULL);
}

void
ummgr_kept_host (void)
{
  ummgr_kept_settle ();
  __atomic_add_fetch (&age, 1, __ATOMIC_RELAXED);
}

/* May the region use a part of something whose proof is of the whole?  */
static bool
uses_parts (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses)
{
  if (!known || known->arg_count != clauses->count)
    return true;
  for (unsigned i = 0; i < known->arg_count; i++)
    if (!(ummgr_live_of (&known->args[i])->flags & UMMGR_LIVE_APART))
      return true;
  return false;
}

void
ummgr_kept_meets (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		  const struct ummgr_clauses *clauses)
{
  struct ummgr_kept *kept = manager->kept;
  int before = __atomic_exchange_n (&last_device, manager->device, __ATOMIC_RELAXED);
  if ((before >= 0 && before != manager->device) || uses_parts (known, clauses))
    ummgr_kept_host ();
  if (!kept)
    return;
  pthread_mutex_lock (&manager->lock);
  for (size_t i = 0; i < clauses->count; i++)
    {
      PPvoid_t slot = JudyLGet (kept->ranges, (uintptr_t) clauses->hostaddrs[i], PJE0);
      struct ummgr_kept_range *r = slot ? *slot : NULL;
      if (!r || !clauses->sizes[i] || r->size == clauses->sizes[i])
	continue;
      make_up (manager, r);
      r->proof = 0;
    }
  pthread_mutex_unlock (&manager->lock);
}

void
ummgr_kept_ran (struct ummgr_object *object, const struct ummgr_hint *hint, uint64_t number, bool alone)
{
  object->equal = object->copy.filled == number && object->copy.state != UMMGR_COPY_WRITTEN;
  object->proved = hint && hint->host_known && !hint->host_writes && hint->own;
  object->unread = alone && object->proved && !hint->host_silent && object->refcount == 1;
  struct ummgr_kept_range *r = object->kept;
  if (!r)
    return;
  if (object->copy.state != UMMGR_COPY_WRITTEN)
    r->clean++;
  else
    {
      r->run = r->run > r->clean ? r->run : r->clean;
      r->clean = 0;
    }
  r->risk = object->proved ? 1
    : !hint || !hint->host_known ? RISK_UNKNOWN
    : hint->host_writes ? hint->host_next : 0;
}

/* ------------------------------------------------------------------------------- */

void
ummgr_kept_end (struct ummgr_manager *manager)
{
  struct ummgr_kept *kept = manager->kept;
  Word_t base = 0;
  if (!kept)
    return;
  for (PPvoid_t slot = JudyLFirst (kept->ranges, &base, PJE0); slot; slot = JudyLNext (kept->ranges, &base, PJE0))
    free (*slot);
  JudyLFreeArray (&kept->ranges, PJE0);
  free (kept);
  manager->kept = NULL;
}

static struct ummgr_kept_range *
range_of (const struct ummgr_kept *kept, uintptr_t base, size_t size)
{
  PPvoid_t slot = JudyLGet (kept->ranges, base, PJE0);
  struct ummgr_kept_range *r = slot ? *slot : NULL;
  return r && r->size == size ? r : NULL;
}

static size_t
pages_of (size_t bytes)
{
  return (bytes + PAGE - 1) / PAGE;
}

/* The calling thread has taken NS nanoseconds for each page of BYTES of R.  */
static void
spend (struct ummgr_device *d, struct ummgr_kept_range *r, size_t bytes, unsigned ns)
{
  double sum = (double) pages_of (bytes) * ns;
  r->spent += sum;
  if (d->ops->set_time)
    d->ops->set_time (d->ops->time () + sum * 1e-9);
}

/* What copying BYTES to D takes, in nanoseconds.  */
static double
copy_ns (struct ummgr_device *d, size_t bytes)
{
  return bytes * 1e9 * ummgr_staging_seconds (d, false);
}

static void
watch_end (struct ummgr_device *d, struct ummgr_kept_range *r)
{
  if (!r->watch)
    return;
  ummgr_written_end (r->watch);
  spend (d, r, r->size, END_NS);
  r->watch = NULL;
}

/* MANAGER's device has R's copy no more.  */
static void
give_back (struct ummgr_manager *manager, struct ummgr_kept_range *r, bool gone)
{
  struct ummgr_device *d = ummgr_device_of (manager->device);
  if (!r->address)
    return;
  if (!gone)
    {
      make_up (manager, r);
      d->ops->free (d, UMMGR_DEVICE_PLAIN, 0, r->address);
    }
  r->owed = false;
  manager->kept->bytes -= r->size;
  r->address = 0;
  watch_end (d, r);
}

/* Give back all copies but those that construct WANTED maps.  */
static bool
give_back_all (struct ummgr_manager *manager, uint64_t wanted, bool gone)
{
  struct ummgr_kept *kept = manager->kept;
  uint64_t before = kept ? kept->bytes : 0;
  Word_t base = 0;
  if (!before)
    return false;
  for (PPvoid_t slot = JudyLFirst (kept->ranges, &base, PJE0); slot; slot = JudyLNext (kept->ranges, &base, PJE0))
    {
      struct ummgr_kept_range *r = *slot;
      if (!wanted || r->wanted != wanted)
	give_back (manager, r, gone);
    }
  return kept->bytes < before;
}

uint64_t
ummgr_kept_bytes (const struct ummgr_manager *manager)
{
  return manager->kept ? manager->kept->bytes : 0;
}

bool
ummgr_kept_drop (struct ummgr_manager *manager, bool gone)
{
  return give_back_all (manager, 0, gone);
}

uint64_t
ummgr_kept_again (const struct ummgr_manager *manager, const struct ummgr_clauses *clauses)
{
  uint64_t sum = 0, kept = ummgr_kept_bytes (manager);
  for (size_t i = 0; kept > 0 && i < clauses->count; i++)
    {
      const struct ummgr_kept_range *r
	= range_of (manager->kept, (uintptr_t) clauses->hostaddrs[i], clauses->sizes[i]);
      sum += r && r->address ? r->size : 0;
    }
  return sum < kept ? sum : kept;
}

void
ummgr_kept_room (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, uint64_t bytes)
{
  struct ummgr_kept *kept = manager->kept;
  if (!kept || !kept->bytes)
    return;
  for (size_t i = 0; i < clauses->count; i++)
    {
      struct ummgr_kept_range *r = range_of (kept, (uintptr_t) clauses->hostaddrs[i], clauses->sizes[i]);
      if (r && r->address && r->wanted != manager->construct)
	{
	  r->wanted = manager->construct;
	  bytes -= bytes < r->size ? bytes : r->size;
	}
    }
  if (manager->taken + kept->bytes + bytes > manager->budget)
    give_back_all (manager, manager->construct, false);
  if (manager->taken + kept->bytes + bytes > manager->budget)
    give_back_all (manager, 0, false);
}

/* Forget what no mapping refers to.  */
static void
forget_some (struct ummgr_kept *kept)
{
  Word_t base = 0;
  for (PPvoid_t slot = JudyLFirst (kept->ranges, &base, PJE0); slot; slot = JudyLNext (kept->ranges, &base, PJE0))
    {
      struct ummgr_kept_range *r = *slot;
      if (r->address || r->object)
	continue;
      free (r);
      JudyLDel (&kept->ranges, base, PJE0);
      kept->count--;
    }
}

/* The range of new OBJECT, made if it isn't known; NULL without memory, or while another object has it.  */
static struct ummgr_kept_range *
range_get (struct ummgr_object *object)
{
  struct ummgr_kept *kept = object->manager->kept;
  if (kept->count >= RANGES_MOST)
    forget_some (kept);
  PPvoid_t slot = kept->count < RANGES_MOST ? JudyLIns (&kept->ranges, object->view.base, PJE0) : NULL;
  if (!slot || slot == PPJERR)
    return NULL;
  struct ummgr_kept_range *r = *slot;
  if (!r)
    {
      *slot = r = calloc (1, sizeof *r);
      if (!r)
	{
	  JudyLDel (&kept->ranges, object->view.base, PJE0);
	  return NULL;
	}
      kept->count++;
    }
  if (r->object)
    {
      make_up (object->manager, r);
      return NULL;
    }
  if (r->size != object->view.size)
    {
      give_back (object->manager, r, false);
      *r = (struct ummgr_kept_range) { .base = object->view.base, .size = object->view.size };
    }
  return r;
}

bool
ummgr_kept_take (struct ummgr_object *object)
{
  struct ummgr_kept *kept = object->manager->kept;
  struct ummgr_kept_range *r = kept ? range_get (object) : NULL;
  object->kept = r;
  if (!r)
    return false;
  if (r->owed && !is_proved (r))
    make_up (object->manager, r);
  r->object = object;
  r->met = age_now ();
  object->copy.address = r->address;
  if (!r->address)
    return false;
  object->again = true;
  object->same = r->watch;
  object->proved = is_proved (r);
  r->proof = 0;
  kept->bytes -= r->size;
  r->address = 0;
  return true;
}

/* Watch R, whose object is on D, if that costs no more than copies have.  Not what needs no watching, or regions write
   again by turns.  */
static bool
watch (struct ummgr_device *d, struct ummgr_kept_range *r)
{
  double cost = pages_of (r->size) * (WATCH_NS + END_NS + r->risk * WRITE_NS);
  if (!ummgr_written_able () || r->risk >= RISK_MOST || r->clean <= r->run
      || r->spent + cost > r->copied + r->saved)
    return false;
  r->watch = ummgr_written_watch (r->base, r->base + r->size);
  ummgr_debug ("kept: %zu bytes at %#lx are %s, risk %.2f", r->size, (unsigned long) r->base,
	       r->watch ? "watched" : "not to be watched", r->risk);
  spend (d, r, r->size, WATCH_NS);
  return r->watch;
}

/* What ummgr_kept_fill copies.  */
struct fill
{
  struct ummgr_object *object;
  enum ummgr_status (*copy) (struct ummgr_object *object, size_t lo, size_t size);
  enum ummgr_status status;
  size_t bytes;
};

static void
fill_range (uintptr_t lo, uintptr_t hi, void *data)
{
  struct fill *f = data;
  if (f->status == UMMGR_OK)
    f->status = f->copy (f->object, lo - f->object->view.base, hi - lo);
  f->bytes += hi - lo;
}

enum ummgr_status
ummgr_kept_fill (struct ummgr_object *object,
		 enum ummgr_status (*copy) (struct ummgr_object *object, size_t lo, size_t size))
{
  struct ummgr_kept_range *r = object->kept;
  struct ummgr_device *d = object->copy.device;
  size_t size = object->view.size;
  struct fill f = { .object = object, .copy = copy, .status = UMMGR_OK };
  if (r && object->proved && object->copy.state == UMMGR_COPY_NEW)
    {
      r->saved += copy_ns (d, size);
      ummgr_stats_kept (size);
      object->proved = false;
      return UMMGR_OK;
    }
  object->proved = false;
  if (r)
    make_up (object->manager, r);
  /* What regions have written is to be overwritten: `always'.  */
  if (!r || !object->same || object->copy.state == UMMGR_COPY_WRITTEN)
    {
      bool watched = r && !r->watch && watch (d, r);
      f.status = copy (object, 0, size);
      f.bytes = size;
      object->same = watched && f.status == UMMGR_OK;
    }
  else
    {
      spend (d, r, size, LOOK_NS);
      ummgr_written_each (r->watch, fill_range, &f);
      spend (d, r, f.bytes, WRITE_NS);
      object->same = f.status == UMMGR_OK;
      r->saved += copy_ns (d, size - f.bytes);
      ummgr_stats_kept (size - f.bytes);
      ummgr_debug ("kept: of %zu bytes at %#lx %zu are copied again", size, (unsigned long) r->base, f.bytes);
    }
  if (r)
    r->copied += copy_ns (d, f.bytes);
  return f.status;
}

void
ummgr_kept_goes_out (struct ummgr_object *object)
{
  object->same = false;
  if (object->kept)
    watch_end (object->copy.device, object->kept);
}

void
ummgr_kept_went_out (struct ummgr_object *object, bool whole)
{
  object->equal = whole;
  if (whole && object->kept)
    object->kept->owed = false;
}

bool
ummgr_kept_put (struct ummgr_object *object)
{
  struct ummgr_kept_range *r = object->kept;
  if (!r)
    return false;
  bool able = is_able (object);
  if (!able || !object->unread || r->met != age_now ())
    make_up (object->manager, r);
  r->object = NULL;
  object->kept = NULL;
  bool equal = object->equal && object->proved && __atomic_load_n (&frees_are_seen, __ATOMIC_RELAXED);
  bool proved = able && (r->owed || (equal && place_take (object->manager->kept, r)));
  bool same = able && object->same && object->copy.state != UMMGR_COPY_WRITTEN && r->spent <= r->copied + r->saved;
  if (!same)
    watch_end (object->copy.device, r);
  if (!same && !proved)
    return false;
  if (proved)
    r->proof = age_now ();
  r->address = object->copy.address;
  object->manager->kept->bytes += r->size;
  return true;
}
