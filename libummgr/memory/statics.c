/* Variables that each device has of its own: `declare target'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is known of them, for good: what was of an image that is gone is reported, too.  Its
   lock is taken last, but for the recorder's.  */

#include "config.h"
#include "memory/statics.h"
#include "base/log.h"
#include "base/process.h"
#include "device/device.h"
#include "memory/objects.h"
#include "check/check.h"
#include "record/record.h"
#include "report/stats.h"
#include "tables/tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Of the size in libgomp's table of variables: it is declared with `link'.  */
#define LINKED ((uintptr_t) 1 << (sizeof (uintptr_t) * 8 - 1))

/* What one device has.  */
struct there
{
  struct there *next;
  int device;
  uintptr_t address;		/* 0: not known.  */
  size_t size;
  uint64_t in, out, uses;
  bool counted;			/* COUNTERS are the device's.  */
  struct ummgr_counters counters;
};

struct ummgr_static
{
  uintptr_t host;
  size_t size;
  bool linked;
  char *symbol;			/* As the device's code has it; or NULL.  */
  const struct ummgr_table_static *known; /* What a table says, or NULL.  */
  struct there *there;
};

struct image
{
  struct image *next;
  const void *host_table, *data;
  const void *const *functions;
  size_t function_count, count;
  bool gone;
  bool confused;		/* Which is where is not known.  */
  struct ummgr_static *variables;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct image *images;
static bool any_linked;		/* Atomic.  */

/* Where each device has all of them; atomic.  */
static struct
{
  uintptr_t lo, hi;
  uint64_t bytes;
} extents[UMMGR_DEVICES_MAX];

/* Does SYMBOL of the host have the name NAME in PTX, where '.' is '$'?  */
static bool
same_symbol (const char *symbol, const char *name)
{
  for (; *symbol && (*symbol == *name || (*symbol == '.' && *name == '$')); symbol++)
    name++;
  return !*symbol && !*name;
}

/* The variable of IMAGE that a table calls KNOWN, or NULL.  */
static struct ummgr_static *
find (const struct image *image, const struct ummgr_table_static *known)
{
  uintptr_t address = (uintptr_t) known->address;
  for (size_t i = 0; i < image->count; i++)
    {
      struct ummgr_static *v = &image->variables[i];
      if (address ? address == v->host
	  : *known->symbol && v->symbol && same_symbol (known->symbol, v->symbol))
	return v;
    }
  return NULL;
}

static bool
has_function (const struct image *image, const void *function)
{
  for (size_t i = 0; i < image->function_count; i++)
    if (image->functions[i] == function)
      return true;
  return false;
}

/* What the tables call IMAGE's variables, where a region uses them.  */
static void
describe (struct image *image)
{
  size_t count;
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < units[i]->region_count; j++)
      {
	const struct ummgr_table_region *r = &units[i]->regions[j];
	if (!r->static_count || !has_function (image, r->host_function))
	  continue;
	for (unsigned k = 0; k < r->static_count; k++)
	  {
	    struct ummgr_static *v = find (image, &r->statics[k]);
	    if (v && !v->known)
	      v->known = &r->statics[k];
	  }
      }
  free (units);
}

/* GCC 12's table of the device may have those with `link' in other places than the host's, and
   libgomp goes by the place: the device's code then finds other variables than it wants.  Is that
   so here?  */
static bool
is_confused (const struct image *image, const struct ummgr_nvptx_data *data)
{
  static const char suffix[] = "linkptr";
  for (size_t i = 0; i < image->count && i < data->variable_count; i++)
    {
      size_t length = strlen (data->variable_names[i]), end = sizeof suffix - 1;
      bool pointer = length > end
		     && strcmp (data->variable_names[i] + length - end, suffix) == 0;
      if (pointer != image->variables[i].linked)
	return true;
    }
  return data->variable_count != image->count;
}

/* libgomp's table of variables: an address and a size each.  */
static void
variables_fill (struct image *image, const uintptr_t *table,
		const struct ummgr_nvptx_data *data)
{
  for (size_t i = 0; i < image->count; i++)
    {
      struct ummgr_static *v = &image->variables[i];
      v->host = table[2 * i];
      v->size = table[2 * i + 1] & ~LINKED;
      v->linked = table[2 * i + 1] & LINKED;
      if (v->linked)
	__atomic_store_n (&any_linked, true, __ATOMIC_RELAXED);
    }
  image->confused = is_confused (image, data);
  for (size_t i = 0; i < image->count && !image->confused; i++)
    image->variables[i].symbol = strdup (data->variable_names[i]);
}

/* The one with that table, which is loaded, or NULL.  */
static struct image *
image_of (const void *host_table)
{
  pthread_mutex_lock (&lock);
  struct image *image = images;
  while (image && (image->host_table != host_table || image->gone))
    image = image->next;
  pthread_mutex_unlock (&lock);
  return image;
}

void
ummgr_statics_register (const void *host_table, const struct ummgr_nvptx_data *data)
{
  const void *const *table = host_table;
  const uintptr_t *begin = table[2], *end = table[3];
  size_t count = (end - begin) / 2;
  struct image *image = count && !image_of (host_table) ? calloc (1, sizeof *image) : NULL;
  if (!image || !(image->variables = calloc (count, sizeof *image->variables)))
    {
      free (image);
      return;
    }
  image->host_table = host_table;
  image->data = data;
  image->functions = table[0];
  image->function_count = (const void *const *) table[1] - (const void *const *) table[0];
  image->count = count;
  variables_fill (image, begin, data);
  /* A trace says what they are called when devices have them.  */
  if (ummgr_record_on ())
    {
      ummgr_tables_scan ();
      describe (image);
    }
  pthread_mutex_lock (&lock);
  image->next = images;
  images = image;
  pthread_mutex_unlock (&lock);
}

void
ummgr_statics_unregister (const void *host_table)
{
  struct image *image = image_of (host_table);
  if (!image)
    return;
  pthread_mutex_lock (&lock);
  /* While its tables are there.  */
  describe (image);
  image->gone = true;
  pthread_mutex_unlock (&lock);
}

/* What DEVICE has of V, maybe nothing yet; NULL without memory.  */
static struct there *
there_of (struct ummgr_static *v, int device)
{
  struct there *t = v->there;
  while (t && t->device != device)
    t = t->next;
  if (!t && (t = calloc (1, sizeof *t)))
    {
      t->device = device;
      t->next = v->there;
      v->there = t;
    }
  return t;
}

static void
widen (int device, uintptr_t address, size_t size)
{
  if (!extents[device].hi || address < extents[device].lo)
    __atomic_store_n (&extents[device].lo, address, __ATOMIC_RELAXED);
  if (address + size > extents[device].hi)
    __atomic_store_n (&extents[device].hi, address + size, __ATOMIC_RELAXED);
  __atomic_fetch_add (&extents[device].bytes, size, __ATOMIC_RELAXED);
}

static void
load (struct ummgr_static *v, int device, uintptr_t address, size_t size)
{
  struct there *t = there_of (v, device);
  widen (device, address, size);
  if (!t)
    return;
  t->address = address;
  t->size = size;
  ummgr_check_variable ((const void *) v->host, v->size);
  if (v->linked)
    ummgr_record_linked (v->host, v->size);
  else
    ummgr_record_variable ((const void *) v->host, address, size < v->size ? size : v->size,
			   device, v->known ? v->known->name : NULL,
			   v->known ? v->known->file : NULL, v->known ? v->known->line : 0);
}

void
ummgr_statics_loaded (int device, const void *data, const uintptr_t (*pairs)[2], size_t count)
{
  if (device < 0 || device >= UMMGR_DEVICES_MAX)
    return;
  pthread_mutex_lock (&lock);
  struct image *image = images;
  while (image && (image->data != data || image->gone))
    image = image->next;
  for (size_t i = 0; image && !image->confused && i < image->count
		     && image->function_count + i < count; i++)
    {
      const uintptr_t *pair = pairs[image->function_count + i];
      load (&image->variables[i], device, pair[0], pair[1] - pair[0]);
    }
  pthread_mutex_unlock (&lock);
}

void
ummgr_statics_copied (int device, uint64_t address, size_t size, bool in)
{
  if (device < 0 || device >= UMMGR_DEVICES_MAX
      || address >= __atomic_load_n (&extents[device].hi, __ATOMIC_RELAXED)
      || address < __atomic_load_n (&extents[device].lo, __ATOMIC_RELAXED))
    return;
  pthread_mutex_lock (&lock);
  for (struct image *image = images; image; image = image->next)
    for (size_t i = 0; i < image->count; i++)
      for (struct there *t = image->variables[i].there; t; t = t->next)
	if (t->device == device && address - t->address < t->size)
	  *(in ? &t->in : &t->out) += size;
  pthread_mutex_unlock (&lock);
}

bool
ummgr_statics_linked (uintptr_t address, uintptr_t *base_p, size_t *size_p)
{
  bool found = false;
  if (!__atomic_load_n (&any_linked, __ATOMIC_RELAXED))
    return false;
  pthread_mutex_lock (&lock);
  for (struct image *image = images; image && !found; image = image->next)
    for (size_t i = 0; i < image->count && !found && !image->gone; i++)
      if (image->variables[i].linked && address - image->variables[i].host
					< image->variables[i].size)
	{
	  found = true;
	  *base_p = image->variables[i].host;
	  *size_p = image->variables[i].size;
	}
  pthread_mutex_unlock (&lock);
  return found;
}

/* Those that REGION uses, with NULL behind them; NULL without memory.  */
static struct ummgr_static **
used_by (const struct ummgr_region *region)
{
  const struct ummgr_table_region *known = ummgr_tables_region (region->function);
  struct ummgr_static **list
    = calloc ((known ? known->static_count : 0) + 1, sizeof (struct ummgr_static *));
  size_t count = 0;
  pthread_mutex_lock (&lock);
  struct image *image = images;
  while (image && (image->gone || !has_function (image, region->function)))
    image = image->next;
  for (unsigned i = 0; list && image && known && i < known->static_count; i++)
    if ((list[count] = find (image, &known->statics[i])))
      {
	if (!list[count]->known)
	  list[count]->known = &known->statics[i];
	count += !list[count]->linked;
      }
  if (list)
    list[count] = NULL;
  pthread_mutex_unlock (&lock);
  return list;
}

void
ummgr_statics_use (struct ummgr_region *region, int device)
{
  struct ummgr_static **list = __atomic_load_n (&region->statics, __ATOMIC_ACQUIRE), **none = NULL;
  if (!list)
    {
      if (!(list = used_by (region)))
	return;
      /* Of two threads the first has said it.  */
      if (!__atomic_compare_exchange_n (&region->statics, &none, list, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
	{
	  free (list);
	  list = none;
	}
    }
  if (!*list)
    return;
  pthread_mutex_lock (&lock);
  for (; *list; list++)
    {
      struct there *t = there_of (*list, device);
      if (t)
	t->uses++;
    }
  pthread_mutex_unlock (&lock);
}

uint64_t
ummgr_statics_bytes (int device)
{
  return __atomic_load_n (&extents[device].bytes, __ATOMIC_RELAXED);
}

void
ummgr_statics_account (int number)
{
  struct ummgr_device *device = ummgr_device_of (number);
  if (!device->ops->range_counters || pthread_mutex_trylock (&lock) != 0)
    return;
  for (struct image *image = images; image; image = image->next)
    for (size_t i = 0; i < image->count; i++)
      for (struct there *t = image->variables[i].there; t; t = t->next)
	if (t->device == number && t->address)
	  t->counted |= device->ops->range_counters (device, t->address, &t->counters);
  pthread_mutex_unlock (&lock);
}

/* Is what DEVICE has of V, T, worth a line?  Small ones are where no table names them.  */
static bool
is_object (const struct ummgr_static *v, const struct there *t)
{
  const struct ummgr_counters *c = &t->counters;
  return !v->linked
	 && (t->uses
	     || (v->size >= ummgr_process.options.min_size
		 && (t->in || t->out || c->local_bytes || c->peer_bytes || c->far_bytes)));
}

static void
report (const struct ummgr_static *v, const struct there *t)
{
  char where[320];
  const struct ummgr_table_static *known = v->known;
  struct ummgr_stats_object out = {
    .id = ummgr_object_number (),
    .name = known ? known->name : v->symbol,
    .path = "static",
    .place = "device",
    .reason = "declare target",
    .size = v->size, .base = v->host,
    .device = t->device,
    .maps = 1, .regions = t->uses,
    .counters = t->counters
  };
  if (known && *known->file)
    {
      snprintf (where, sizeof where, "%s:%u", known->file, known->line);
      out.where_allocated = where;
    }
  if (!t->counted)
    {
      out.counters.h2d_bytes = t->in;
      out.counters.d2h_bytes = t->out;
    }
  ummgr_stats_object_done (&out);
}

void
ummgr_statics_report (void)
{
  /* Another thread may be inside at exit.  */
  if (pthread_mutex_trylock (&lock) != 0)
    return;
  for (struct image *image = images; image; image = image->next)
    {
      if (!image->gone)
	describe (image);
      for (size_t i = 0; i < image->count; i++)
	for (struct there *t = image->variables[i].there; t; t = t->next)
	  if (is_object (&image->variables[i], t))
	    report (&image->variables[i], t);
    }
  pthread_mutex_unlock (&lock);
}
