/* The shim without libummgr: LD_LIBRARY_PATH alone, or a program that finds
   libgomp before libummgr.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libgomp's entry points can't be seen this way, only the plugin's.  What
   that leaves: libgomp's own allocations, each of which may hold all new
   mappings of one construct, are made in managed memory by policy (`um': as
   is; `prefetch': sent before each launch that names it; `host': kept on the
   host), copies stay as libgomp makes them, and statistics know regions and
   totals, no objects.  What it can't do: decide for each object (so `lru' is
   taken as `um', after a warning), map nothing for unified memory, or pass
   un-mapped managed pointers.

   Owns the list of its allocations.  Called under libgomp's lock of a device,
   or from the thread that launches.  */

#include "config.h"
#include "gomp/shim/shim.h"
#include "device/device.h"
#include "gomp/abi.h"
#include "base/log.h"
#include "report/stats.h"

#include <Judy.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ARGUMENTS_MAX 512	/* Of a region that are looked at.  */

static struct ummgr_options options;
static bool started, managed, prefetch, host;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *sizes;		/* JudyL: address to size; by LOCK.  */
static __thread struct ummgr_stats_call *call;

static bool
read_counters (int device, struct ummgr_counters *out)
{
  ummgr_device_counters (device, ummgr_shim_counters, out);
  return true;
}

void
ummgr_shim_alone_start (const struct ummgr_options *o, int devices)
{
  options = *o;
  prefetch = strcmp (options.policy, "prefetch") == 0;
  host = strcmp (options.policy, "host") == 0;
  /* Libgomp's own way is what is left of auto.  */
  if (strcmp (options.policy, "auto") == 0)
    options.policy = "explicit";
  managed = strcmp (options.policy, "explicit") != 0;
  if (managed && !prefetch && !host && strcmp (options.policy, "um") != 0)
    {
      ummgr_warn ("shim: policy '%s' needs libummgr in the process (ummgr "
		  "run); using 'um'", options.policy);
      options.policy = "um";
    }
  struct ummgr_stats_run run
    = ummgr_stats_run_on (ummgr_device_ops (), devices);
  ummgr_stats_start (&options, &run);
  ummgr_stats_set_reader (read_counters);
  started = true;
}

static bool
remember (uintptr_t address, size_t size)
{
  pthread_mutex_lock (&lock);
  PPvoid_t slot = JudyLIns (&sizes, address, PJE0);
  bool ok = slot && slot != PPJERR;
  if (ok)
    *slot = (void *) size;
  pthread_mutex_unlock (&lock);
  return ok;
}

void *
ummgr_shim_alone_alloc (int ordinal, size_t size)
{
  struct ummgr_device *d = ummgr_device_of (ordinal);
  uintptr_t base, address;
  if (!managed || size < options.min_size || !d->ops->pages_on_demand (d)
      || d->ops->alloc (d, UMMGR_DEVICE_MANAGED, size, &base, &address)
	 != UMMGR_OK)
    return NULL;
  if (host)
    d->ops->keep_on_host (d, address, size, true);
  /* The plugin frees it as it does its own.  */
  if (!remember (address, size))
    ummgr_debug ("shim: an allocation is not tracked");
  return (void *) address;
}

void
ummgr_shim_alone_forget (void *address)
{
  pthread_mutex_lock (&lock);
  JudyLDel (&sizes, (Word_t) address, PJE0);
  pthread_mutex_unlock (&lock);
}

/* Send the allocation that holds ADDRESS to D.  */
static void
send (struct ummgr_device *d, uintptr_t address)
{
  Word_t base = address;
  pthread_mutex_lock (&lock);
  PPvoid_t slot = JudyLLast (sizes, &base, PJE0);
  size_t size = slot && slot != PPJERR ? (size_t) *slot : 0;
  pthread_mutex_unlock (&lock);
  if (size && address - base < size)
    d->ops->prefetch (d, base, size, false);
}

/* VARIABLES is the region's argument block, in device memory: one address
   for each argument.  */
static void
send_arguments (int ordinal, void *variables)
{
  struct ummgr_device *d = ummgr_device_of (ordinal);
  uintptr_t arguments[ARGUMENTS_MAX], base;
  size_t size;
  if (!variables
      || !d->ops->range (d, (uintptr_t) variables, &base, &size))
    return;
  size -= (uintptr_t) variables - base;
  if (size > sizeof arguments)
    size = sizeof arguments;
  if (d->ops->copy_out (d, arguments, (uintptr_t) variables, size) != UMMGR_OK)
    return;
  for (size_t i = 0; i < size / sizeof *arguments; i++)
    send (d, arguments[i]);
}

void
ummgr_shim_alone_run (int ordinal, void *function, void *variables)
{
  /* libgomp/plugin/plugin-nvptx.c, struct targ_fn_descriptor: the function, then its
     launch data, which begins with the kernel's name.  */
  const struct ummgr_nvptx_function *launch = ((void **) function)[1];
  char name[256];
  if (!started)
    return;
  snprintf (name, sizeof name, "%s", launch->name);
  for (char *p = name; *p; p++)
    if (*p == '$')
      *p = '.';
  call = ummgr_stats_region_begin (ummgr_stats_region_get (function, name,
							   NULL, 0), ordinal);
  if (prefetch)
    send_arguments (ordinal, variables);
}

void
ummgr_shim_alone_ran (int ordinal)
{
  if (call)
    ummgr_stats_region_end (call);
  call = NULL;
}

__attribute__ ((destructor)) static void
finish (void)
{
  if (started && options.stats)
    ummgr_stats_write (options.stats);
}
