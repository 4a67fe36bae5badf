/* What the statistics say of objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the accounts, by base address, until they are reported.  An account
   is changed under the lock of its objects' manager, but two devices may
   open accounts at the same time: the table has a lock of its own.  */

#include "config.h"
#include "memory/account.h"
#include "device/device.h"
#include "base/human.h"
#include "base/lines.h"
#include "base/log.h"
#include "report/stats.h"
#include "base/symbols.h"
#include "tables/tables.h"

#include <Judy.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program that maps ever new addresses would make statistics that nobody
   reads, and keep memory for each.  */
#define ACCOUNTS_MAX 65536

struct ummgr_account
{
  struct ummgr_account *next;	/* Same base, other device, size or path. */
  uint64_t id;
  uintptr_t base;
  size_t size;
  int device;
  enum ummgr_data_path path;
  enum ummgr_storage storage;
  enum ummgr_place place;
  const char *reason;
  double density, density_static;
  const char *density_reason;
  const char *name;		/* As the first region has it; or NULL.  */
  const char *mapped;		/* Where that stands; or NULL.  */
  const void *site;		/* Code that allocated or mapped it.  */
  uint64_t site_id;		/* The same in the tables; 0: they don't have it.  */
  uint64_t maps, regions;
  uint64_t on_device;
  struct ummgr_counters counters;
  struct ummgr_counters last;	/* Of the storage, as the last object with it went.  */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *accounts;		/* JudyL: base to the first of its chain.  */
static size_t account_count;

static struct ummgr_account *
find_or_make (const struct ummgr_object *object, const void *site)
{
  const struct ummgr_object_view *view = &object->view;
  PPvoid_t slot = JudyLGet (accounts, view->base, PJE0);
  struct ummgr_account *head = slot ? *slot : NULL;
  for (struct ummgr_account *a = head; a; a = a->next)
    if (a->size == view->size && a->device == view->device
	&& a->path == view->path)
      return a;
  if (account_count >= ACCOUNTS_MAX)
    {
      ummgr_warn_once ("stats: more than %d different objects; later ones are "
		       "not listed", ACCOUNTS_MAX);
      return NULL;
    }
  struct ummgr_account *a = calloc (1, sizeof *a);
  if (a && !slot)
    slot = JudyLIns (&accounts, view->base, PJE0);
  if (!a || !slot || slot == PPJERR)
    {
      free (a);
      return NULL;
    }
  a->next = head;
  a->id = view->id;
  a->base = view->base;
  a->size = view->size;
  a->device = view->device;
  a->path = view->path;
  a->site = site;
  *slot = a;
  account_count++;
  return a;
}

void
ummgr_account_open (struct ummgr_object *object, const void *site)
{
  pthread_mutex_lock (&lock);
  struct ummgr_account *a = find_or_make (object, site);
  pthread_mutex_unlock (&lock);
  object->account = a;
  if (!a)
    return;
  a->maps++;
  a->on_device = 0;
  a->storage = object->copy.storage;
  a->place = object->copy.placed.place;
}

uint64_t
ummgr_account_number (const struct ummgr_object *object)
{
  return object->account ? object->account->id : 0;
}

void
ummgr_account_held (struct ummgr_object *object, uint64_t bytes)
{
  if (object->account)
    object->account->on_device = bytes;
}

void
ummgr_account_site (struct ummgr_object *object, uint64_t site)
{
  if (object->account)
    object->account->site_id = site;
}

void
ummgr_account_close (struct ummgr_object *object)
{
  struct ummgr_account *a = object->account;
  struct ummgr_device *device = object->copy.device;
  struct ummgr_counters now;
  if (!a)
    return;
  object->account = NULL;
  a->storage = object->copy.storage;
  a->place = object->copy.placed.place;
  a->reason = object->reason;
  if (!a->name)
    a->name = object->view.name;
  if (object->copy.storage == UMMGR_STORAGE_LIBGOMP)
    return;
  if (object->copy.chunk || !device->ops->range_counters
      || !device->ops->range_counters (device, object->copy.address, &now))
    {
      /* A device may count nothing for us, and does not by object where
	 many share a page: what we have copied.  */
      a->counters.h2d_bytes += object->copied_in;
      a->counters.d2h_bytes += object->copied_out;
      return;
    }
  static const struct ummgr_counters none;
  ummgr_counters_add_delta (&a->counters, &now, object->again ? &a->last : &none);
  a->last = now;
}

void
ummgr_account_mapped (struct ummgr_object *object, const char *where)
{
  if (object->account && !object->account->mapped)
    object->account->mapped = where;
}

bool
ummgr_account_placed (const struct ummgr_object *object)
{
  return !object->account || object->account->mapped;
}

void
ummgr_account_use (struct ummgr_object *object)
{
  if (object->account)
    object->account->regions++;
}

void
ummgr_account_density (struct ummgr_object *object,
		       const struct ummgr_hint *hint)
{
  struct ummgr_account *a = object->account;
  if (!a)
    return;
  a->density = hint->density;
  a->density_static = hint->density_static;
  a->density_reason = hint->reason;
}

void
ummgr_account_copied (struct ummgr_object *object, size_t h2d, size_t d2h)
{
  if (object->account)
    {
      object->account->counters.h2d_bytes += h2d;
      object->account->counters.d2h_bytes += d2h;
    }
}

static const char *
place_name (const struct ummgr_account *a)
{
  if (a->storage == UMMGR_STORAGE_LIBGOMP)
    return "libgomp";
  return a->place == UMMGR_PLACE_HOST ? "host"
    : a->place == UMMGR_PLACE_DEVICE ? "device" : "any";
}

/* Is SYMBOL a name that the source may have, of a whole variable?  */
static bool
is_plain (const char *symbol)
{
  return !strpbrk (symbol, ".+") && strncmp (symbol, "_Z", 2) != 0 && !strstr (symbol, "_MOD_");
}

/* What A's object is called: the variable with that address, else as a region's clause does, else as where it is
   allocated.  NULL: nobody gave it a name.  */
static const char *
name_find (const struct ummgr_account *a, const struct ummgr_table_site *site, char *buf, size_t size)
{
  char symbol[256];
  bool variable = ummgr_symbol_data (a->base, symbol, sizeof symbol);
  if (a->name && !(variable && is_plain (symbol)))
    return a->name;
  if (variable)
    {
      ummgr_symbol_plain (symbol, buf, size);
      return buf;
    }
  return site && *site->variable ? site->variable : NULL;
}

/* Where A's object is from: the clause that maps it; the line that allocates it; or the function.
   NULL: nobody knows.  */
static const char *
place_find (const struct ummgr_account *a, const struct ummgr_table_site *site, char *buf, size_t size)
{
  char text[4096];
  unsigned line;
  /* A call returns to what may be the next line.  */
  uintptr_t call = (uintptr_t) a->site - 1;
  const char *file = site && *site->file && !ummgr_is_library_file (site->file) ? site->file : NULL;
  if (file)
    line = site->line;
  if (a->mapped && a->path == UMMGR_PATH_MAPPED)
    return a->mapped;
  if (!file && ummgr_line_of (call, text, sizeof text, &line) && !ummgr_is_library_file (text))
    file = text;
  if (file)
    {
      const char *slash = strrchr (file, '/');
      snprintf (buf, size, "%.200s:%u", slash ? slash + 1 : file, line);
      return buf;
    }
  if (a->mapped)
    return a->mapped;
  if (!ummgr_symbol_code ((uintptr_t) a->site, text, sizeof text))
    return NULL;
  ummgr_symbol_plain (text, buf, size);
  return buf;
}

static void
report (const struct ummgr_account *a)
{
  char name[320], where[320];
  const struct ummgr_table_site *site = a->site_id ? ummgr_tables_site (a->site_id) : NULL;
  struct ummgr_stats_object out = {
    .id = a->id,
    .name = name_find (a, site, name, sizeof name),
    .where_allocated = place_find (a, site, where, sizeof where),
    .path = a->path == UMMGR_PATH_UNIFIED ? "unified" : "mapped",
    .place = place_name (a),
    .reason = a->reason,
    .density = a->density,
    .density_static = a->density_static,
    .density_reason = a->density_reason,
    .size = a->size,
    .base = a->base,
    .device = a->device,
    .maps = a->maps,
    .regions = a->regions,
    .on_device = a->on_device,
    .counters = a->counters
  };
  ummgr_stats_object_done (&out);
}

void
ummgr_account_report (void)
{
  Word_t base = 0;
  /* Another thread may be inside at exit; better no object list than a
     hang.  */
  if (pthread_mutex_trylock (&lock) != 0)
    return;
  for (PPvoid_t slot = JudyLFirst (accounts, &base, PJE0); slot;
       slot = JudyLNext (accounts, &base, PJE0))
    for (struct ummgr_account *a = *slot, *next; a; a = next)
      {
	next = a->next;
	report (a);
      }
  pthread_mutex_unlock (&lock);
}

/* Where map clauses copied the same ranges so often, and so much in all, somebody waits for it.  */
static const uint64_t remarkable_times = 8, remarkable_bytes = UINT64_C (1) << 26;

void
ummgr_account_remark (void)
{
  Word_t base = 0;
  uint64_t mapped = 0, copied = 0;
  if (pthread_mutex_trylock (&lock) != 0)
    return;
  for (PPvoid_t slot = JudyLFirst (accounts, &base, PJE0); slot;
       slot = JudyLNext (accounts, &base, PJE0))
    for (const struct ummgr_account *a = *slot; a; a = a->next)
      if (a->path == UMMGR_PATH_MAPPED)
	{
	  mapped += a->size;
	  copied += a->counters.h2d_bytes + a->counters.d2h_bytes;
	}
  pthread_mutex_unlock (&lock);
  if (!mapped || copied < remarkable_bytes || copied / remarkable_times < mapped)
    return;
  fprintf (stderr, "ummgr: map clauses copied %s, %llu times the %s that they map: what needs no copy "
	   "stays on the GPU with `ummgr cc --unify', or in one target data around the regions "
	   "(`ummgr run --trace-level=copies --trace=FILE' and `ummgr advise FILE' tell how)\n",
	   ummgr_human_bytes (copied).text, (unsigned long long) (copied / mapped),
	   ummgr_human_bytes (mapped).text);
}
