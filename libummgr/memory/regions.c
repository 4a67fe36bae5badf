/* Target regions: found by the address of their host function.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the hash table of regions.  Readers take no lock: a chain only ever
   grows at its head, and nothing in it is freed.  */

#include "config.h"
#include "memory/regions.h"
#include "memory/statics.h"
#include "gomp/abi.h"
#include "base/log.h"
#include "report/stats.h"
#include "tables/tables.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096		/* Chains stay short up to many thousands. */

static struct ummgr_region *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* For writers.  */

static struct ummgr_region **
bucket_of (const void *function)
{
  /* Functions are aligned: their low bits say little.  */
  uintptr_t h = (uintptr_t) function >> 4;
  return &buckets[(h ^ h >> 12) % BUCKETS];
}

struct ummgr_region *
ummgr_regions_find (const void *function)
{
  struct ummgr_region *r
    = __atomic_load_n (bucket_of (function), __ATOMIC_ACQUIRE);
  while (r && __atomic_load_n (&r->function, __ATOMIC_RELAXED) != function)
    r = r->next;
  return r;
}

/* PTX names have '$' where the host's have '.'.  */
static char *
host_name (const char *kernel)
{
  char *name = strdup (kernel ? kernel : "(unnamed)");
  if (name)
    for (char *p = name; *p; p++)
      if (*p == '$')
	*p = '.';
  return name;
}

static void
add (const void *function, const char *kernel)
{
  if (ummgr_regions_find (function))
    return;
  struct ummgr_region *region = calloc (1, sizeof *region);
  char *name = region ? host_name (kernel) : NULL;
  if (!name)
    {
      free (region);
      return;
    }
  struct ummgr_region **bucket = bucket_of (function);
  region->function = function;
  region->name = name;
  region->next = *bucket;
  __atomic_store_n (bucket, region, __ATOMIC_RELEASE);
}

/* The functions of an image: host_table is { functions, their end,
   variables, their end, … } (libgomp/target.c, gomp_load_image_to_device).  */
static void
function_list (const void *host_table, void ***begin_p, void ***end_p)
{
  void **const *table = host_table;
  *begin_p = table[0];
  *end_p = table[1];
}

/* Atomic.  */
static bool ask_host;

bool
ummgr_regions_ask_host (void)
{
  return __atomic_load_n (&ask_host, __ATOMIC_RELAXED);
}

void
ummgr_regions_register (unsigned version, const void *host_table,
			const void *target_data)
{
  unsigned lib = UMMGR_VERSION_LIB (version);
  if (lib > UMMGR_GOMP_VERSION_KNOWN)
    {
      ummgr_warn_once ("gomp: offload images of interface version %u are "
		       "unknown (known: up to %u); ummgr leaves their regions "
		       "alone", lib, UMMGR_GOMP_VERSION_KNOWN);
      return;
    }
  const struct ummgr_nvptx_data *data
    = lib >= 2 ? (const void *) ((const void *const *) target_data + 1)
    : target_data;
  if (lib >= 2 && (uintptr_t) ((const void *const *) target_data)[0] & UMMGR_REQUIRES_REVERSE_OFFLOAD)
    __atomic_store_n (&ask_host, true, __ATOMIC_RELAXED);
  void **begin, **end;
  function_list (host_table, &begin, &end);
  size_t count = end - begin;
  pthread_mutex_lock (&lock);
  for (size_t i = 0; i < count; i++)
    add (begin[i], i < data->function_count ? data->functions[i].name : NULL);
  pthread_mutex_unlock (&lock);
  ummgr_statics_register (host_table, data);
}

void
ummgr_regions_unregister (const void *host_table)
{
  void **begin, **end;
  function_list (host_table, &begin, &end);
  ummgr_statics_unregister (host_table);
  pthread_mutex_lock (&lock);
  for (; begin < end; begin++)
    {
      struct ummgr_region *region = ummgr_regions_find (*begin);
      if (region)
	__atomic_store_n (&region->function, NULL, __ATOMIC_RELAXED);
    }
  pthread_mutex_unlock (&lock);
}

uint64_t
ummgr_region_number (struct ummgr_region *region)
{
  static uint64_t last;
  uint64_t number = __atomic_load_n (&region->number, __ATOMIC_RELAXED);
  if (number)
    return number;
  uint64_t fresh = __atomic_add_fetch (&last, 1, __ATOMIC_RELAXED);
  /* Of two threads the first has given it one.  */
  return __atomic_compare_exchange_n (&region->number, &number, fresh, false,
				      __ATOMIC_RELAXED, __ATOMIC_RELAXED)
	 ? fresh : number;
}

struct ummgr_stats_region *
ummgr_region_stats (struct ummgr_region *region)
{
  struct ummgr_stats_region *stats
    = __atomic_load_n (&region->stats, __ATOMIC_ACQUIRE);
  if (!stats)
    {
      /* Two threads may both ask; they get the same entry.  */
      ummgr_tables_scan ();
      const struct ummgr_table_region *known
	= ummgr_tables_region (region->function);
      stats = ummgr_stats_region_get (region->function, region->name,
				      known ? known->file : NULL,
				      known ? known->line : 0);
      if (known)
	ummgr_stats_region_title (stats, known->title);
      __atomic_store_n (&region->stats, stats, __ATOMIC_RELEASE);
    }
  return stats;
}

void
ummgr_regions_list (ummgr_stats_tell tell, void *data)
{
  size_t count;
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < units[i]->region_count; j++)
      {
	const struct ummgr_table_region *r = &units[i]->regions[j];
	if (r->count.checksum)
	  tell (&(struct ummgr_stats_launched) {
	    r->host_function, units[i]->name, r->count.function, r->count.ordinal,
	    r->count.checksum
	  }, data);
      }
  free (units);
}
