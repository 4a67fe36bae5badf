/* Managed memory in place of what a program would allocate.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of such memory, by address.  Its lock is a leaf: nothing is
   called under it but Judy, which may call free and so come back here with
   memory that is surely not ours.  unified.c has the objects.  */

#include "config.h"
#include "memory/unify.h"
#include "gomp/abi.h"
#include "gomp/real.h"
#include "base/process.h"
#include "base/log.h"
#include "memory/manager.h"
#include "tables/sites.h"
#include "tables/tables.h"
#include "memory/unified.h"
#include "check/check.h"
#include "device/device.h"
#include "policy/policy.h"
#include "record/record.h"

#include <Judy.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A Judy value must not be NULL.  */
struct range
{
  size_t size;
  int device;			/* Negative: it is the host's, and KEPT.  */
  bool plain;			/* malloc's, and nothing but counted here.  */
  bool counts;			/* In ASKED.  */
  bool kept;			/* Not freed any more.  */
  void *copy;			/* Of its pages, for the child of a fork.  */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *ranges;		/* JudyL: base to struct range.  */
/* All ranges lie in [lowest, highest): most of what is freed does not.  Both
   only grow.  Atomic.  */
static uintptr_t lowest = UINTPTR_MAX, highest;
static bool watched[UMMGR_UNIFY_NEW | UMMGR_UNIFY_OPENMP | 1];
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
/* Bytes that may be shared, plain or managed.  Locked.  */
static uint64_t asked;

/* This thread is inside Judy.  */
static __thread bool inside __attribute__ ((tls_model ("initial-exec")));

static void
enter (void)
{
  pthread_mutex_lock (&lock);
  inside = true;
}

static void
leave (void)
{
  inside = false;
  pthread_mutex_unlock (&lock);
}

/* May PTR be from here?  No lock.  */
static bool
may_be_ours (const void *ptr)
{
  uintptr_t address = (uintptr_t) ptr;
  return __builtin_expect (address
			   < __atomic_load_n (&highest, __ATOMIC_ACQUIRE), 0)
    && address >= __atomic_load_n (&lowest, __ATOMIC_ACQUIRE) && !inside;
}

/* What begins at PTR, or NULL.  Locked.  */
static struct range *
range_at (const void *ptr)
{
  PPvoid_t slot = JudyLGet (ranges, (Word_t) ptr, PJE0);
  return slot ? *slot : NULL;
}

/* --- the child of a fork ---------------------------------------------------- */

/* The pages that [BASE, BASE + SIZE) lies in.  Others may have part of them, as
   drivers cut small allocations out of one; then they are copied, too.  */
static uintptr_t
pages_of (uintptr_t base, size_t size, size_t *length)
{
  uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
  uintptr_t from = base & -page;
  *length = ((base + size + page - 1) & -page) - from;
  return from;
}

/* A driver's memory is not in the child.  So what it shall find there is copied
   before, at the cost of the time and of the memory until then.  */
static void
fork_prepare (void)
{
  enter ();
  Word_t base = 0;
  for (PPvoid_t slot = JudyLFirst (ranges, &base, PJE0); slot;
       slot = JudyLNext (ranges, &base, PJE0))
    {
      struct range *range = *slot;
      size_t length;
      uintptr_t from = pages_of (base, range->size, &length);
      if (range->device < 0 || range->plain)
	continue;
      range->copy = mmap (NULL, length, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (range->copy == MAP_FAILED)
	range->copy = NULL;
      else
	memcpy (range->copy, (void *) from, length);
    }
}

static void
fork_done (bool child)
{
  Word_t base = 0;
  for (PPvoid_t slot = JudyLFirst (ranges, &base, PJE0); slot;
       slot = JudyLNext (ranges, &base, PJE0))
    {
      struct range *range = *slot;
      size_t length;
      uintptr_t from = pages_of (base, range->size, &length);
      if (range->plain)
	continue;
      if (child)
	{
	  if (range->copy)
	    mremap (range->copy, length, length,
		    MREMAP_MAYMOVE | MREMAP_FIXED, (void *) from);
	  range->device = -1;
	  range->kept = true;
	}
      else if (range->copy)
	munmap (range->copy, length);
      range->copy = NULL;
    }
  leave ();
}

static void
fork_parent (void)
{
  fork_done (false);
}

static void
fork_child (void)
{
  fork_done (true);
}

static void
fork_handlers (void)
{
  pthread_atfork (fork_prepare, fork_parent, fork_child);
}

/* --- sites that other units decide about ------------------------------------ */

/* May the site called ID reach a region, as far as the program is loaded?  */
static bool
site_reaches (uint64_t id)
{
  static pthread_mutex_t composing = PTHREAD_MUTEX_INITIALIZER;
  static struct ummgr_sites *sites;
  static size_t known;
  ummgr_tables_scan ();
  pthread_mutex_lock (&composing);
  size_t count;
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  if (units && (!sites || count != known))
    {
      ummgr_sites_free (sites);
      sites = ummgr_sites_new (units, count);
      known = count;
    }
  free (units);
  bool reaches = sites && ummgr_sites_reach (sites, id);
  pthread_mutex_unlock (&composing);
  return reaches;
}

/* --- allocating and freeing ------------------------------------------------- */

/* The manager whose memory a program gets now, or NULL.  */
static struct ummgr_manager *
manager_get (void)
{
  struct ummgr_manager *manager = ummgr_is_active () && ummgr_real_load ()
    ? ummgr_manager_for (UMMGR_DEVICE_ICV) : NULL;
  return manager && !ummgr_manager_passive (manager)
    && ummgr_manager_prepare (manager) ? manager : NULL;
}

static void
bounds_grow (uintptr_t base, size_t size)
{
  if (base < lowest)
    __atomic_store_n (&lowest, base, __ATOMIC_RELEASE);
  if (base + size > highest)
    __atomic_store_n (&highest, base + size, __ATOMIC_RELEASE);
}

/* Note what PTR begins, as RANGE has it.  */
static bool
range_add (void *ptr, struct range what)
{
  struct range *range = malloc (sizeof *range);
  if (!range)
    return false;
  *range = what;
  enter ();
  PPvoid_t slot = JudyLIns (&ranges, (Word_t) ptr, PJE0);
  bool good = slot && slot != PPJERR;
  if (good)
    {
      *slot = range;
      bounds_grow ((uintptr_t) ptr, range->size);
    }
  leave ();
  if (!good)
    free (range);
  return good;
}

static void *
managed_new (size_t size, size_t align, bool zero, bool counts, const void *caller, uint64_t site)
{
  struct ummgr_manager *manager
    = size >= ummgr_process.options.min_size ? manager_get () : NULL;
  void *ptr = manager ? ummgr_unified_alloc (manager, size, false, caller, site) : NULL;
  if (!ptr)
    return NULL;
  pthread_once (&fork_once, fork_handlers);
  if ((align && ((uintptr_t) ptr & (align - 1)))
      || !range_add (ptr, (struct range) { .size = size, .device = manager->device, .counts = counts }))
    {
      ummgr_unified_free (ptr, false);
      return NULL;
    }
  if (zero)
    memset (ptr, 0, size);
  return ptr;
}

/* --- what may be shared -------------------------------------------------------- */

/* So much may be shared before anybody looks how much a device has, which starts it: hardly one for computing has less,
   and a program that never comes to a region shall not wait for one, nor one that forks before it does find that a
   driver's state is its parent's.  */
#define UNASKED (UINT64_C (4) << 30)

static bool
policy_shares (void)
{
  const struct ummgr_policy_ops *policy = ummgr_policy_find (ummgr_process.options.policy);
  return policy && policy->shares;
}

/* If what may be shared is BYTES in all, is it better plain?  */
static bool
stays_plain (uint64_t bytes)
{
  const struct ummgr_options *o = &ummgr_process.options;
  if (o->share[0] == 'a')
    return false;
  if (!o->device_mem && bytes < UNASKED)
    return true;
  struct ummgr_manager *manager = manager_get ();
  return !manager || !manager->plain_first || bytes <= manager->budget;
}

/* What this thread's next request is told to have behind it.  */
static __thread size_t ahead __attribute__ ((tls_model ("initial-exec")));

/* SIZE bytes of malloc's that count.  */
static void *
plain_new (size_t size, size_t align, bool zero)
{
  void *ptr = NULL;
  if (align <= 16)
    ptr = zero ? calloc (1, size) : malloc (size);
  else if (posix_memalign (&ptr, align, size) == 0 && zero)
    memset (ptr, 0, size);
  if (ptr && !range_add (ptr, (struct range) { .size = size, .plain = true, .counts = true }))
    {
      free (ptr);
      ptr = NULL;
    }
  return ptr;
}

/* Does anybody want what may be shared to be?  What is recorded, or checked, is what the clauses say.  */
static bool
shares (void)
{
  const struct ummgr_options *o = &ummgr_process.options;
  return ummgr_is_active () && strcmp (o->share, "off") != 0 && o->copies[0] != 'p' && !ummgr_options_spread (o)
	 && !(ummgr_record_on () && (o->trace || o->report)) && !ummgr_check_watches () && policy_shares ();
}

/* SIZE bytes that may be shared, or NULL, as ummgr_share_alloc.  */
static void *
shared_new (size_t size, size_t align, unsigned how, const void *caller, uint64_t site)
{
  const size_t later = ahead;
  ahead = 0;
  if (size < ummgr_process.options.min_size || !shares ())
    return NULL;
  enter ();
  uint64_t bytes = asked += size;
  leave ();
  bytes += later;
  bool zero = how & UMMGR_UNIFY_ZERO;
  void *ptr = stays_plain (bytes) ? plain_new (size, align, zero)
	      : managed_new (size, align, zero, true, caller, site);
  if (ptr)
    return ptr;
  enter ();
  asked -= size;
  leave ();
  return NULL;
}

/* The bytes of a request, as ummgr_unify_alloc gets it; 0: it is declined.  */
static size_t
request_bytes (size_t count, size_t size, size_t align, const void *old, unsigned how)
{
  size_t bytes;
  return old || __builtin_mul_overflow (count, size, &bytes) || bytes > PTRDIFF_MAX || (align & (align - 1))
	 || !watched[0] || !watched[how & (UMMGR_UNIFY_NEW | UMMGR_UNIFY_OPENMP)] ? 0 : bytes;
}

__attribute__ ((visibility ("default"))) void *
ummgr_unify_alloc (size_t count, size_t size, size_t align, const void *old,
		   unsigned how, uint64_t site)
{
  size_t bytes = request_bytes (count, size, align, old, how);
  int error = errno;
  void *ptr = NULL;
  if (bytes && (!site || (how & UMMGR_UNIFY_SURE) || site_reaches (site)))
    ptr = managed_new (bytes, align, how & UMMGR_UNIFY_ZERO, false, __builtin_return_address (0), site);
  errno = error;
  return ptr;
}

__attribute__ ((visibility ("default"))) void *
ummgr_share_alloc (size_t count, size_t size, size_t align, const void *old,
		   unsigned how, uint64_t site)
{
  size_t bytes = request_bytes (count, size, align, old, how);
  int error = errno;
  /* What omp_free gets must be omp_alloc's, or managed.  */
  void *ptr = bytes && !(how & UMMGR_UNIFY_OPENMP)
	      ? shared_new (bytes, align, how, __builtin_return_address (0), site) : NULL;
  errno = error;
  return ptr;
}

__attribute__ ((visibility ("default"))) void
ummgr_share_ahead (size_t bytes)
{
  ahead = bytes < PTRDIFF_MAX ? bytes : 0;
}

void
ummgr_unify_watch (unsigned how)
{
  watched[how & (UMMGR_UNIFY_NEW | UMMGR_UNIFY_OPENMP)] = true;
}

bool
ummgr_unify_free (void *ptr)
{
  if (!may_be_ours (ptr))
    return false;
  enter ();
  struct range *range = range_at (ptr);
  if (range)
    JudyLDel (&ranges, (Word_t) ptr, PJE0);
  if (range && range->counts)
    asked -= range->size;
  leave ();
  if (!range)
    return false;
  int error = errno;
  bool ours = !range->plain;
  if (ours && !range->kept)
    ummgr_unified_free (ptr, false);
  free (range);
  errno = error;
  return ours;
}

bool
ummgr_unify_size (const void *ptr, size_t *out)
{
  if (!may_be_ours (ptr))
    return false;
  enter ();
  struct range *range = range_at (ptr);
  bool ours = range && !range->plain;
  if (ours)
    *out = range->size;
  leave ();
  return ours;
}

bool
ummgr_unify_realloc (void *ptr, size_t size, void **out)
{
  size_t had;
  if (!ptr)
    return false;
  if (!ummgr_unify_size (ptr, &had))
    {
      /* What was plain is counted no more.  */
      ummgr_unify_free (ptr);
      return false;
    }
  *out = NULL;
  if (size == 0)
    {
      ummgr_unify_free (ptr);
      return true;
    }
  int error = errno;
  void *now = managed_new (size, 0, false, false, __builtin_return_address (0), 0);
  errno = error;
  if (!now)
    now = malloc (size);
  if (!now)
    return true;
  memcpy (now, ptr, had < size ? had : size);
  ummgr_unify_free (ptr);
  *out = now;
  return true;
}

bool
ummgr_unify_keep (int device)
{
  bool any = false;
  enter ();
  Word_t base = 0;
  for (PPvoid_t slot = JudyLFirst (ranges, &base, PJE0); slot;
       slot = JudyLNext (ranges, &base, PJE0))
    {
      struct range *range = *slot;
      if (range->device == device)
	any = range->kept = true;
    }
  leave ();
  return any;
}
