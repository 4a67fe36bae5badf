/* Which profile is in force: the search path, --gpus, --device-mem, --scale.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing; the file format is profile.c's.  */

#include "config.h"
#include "device/profile.h"
#include "base/log.h"
#include "base/meant.h"
#include "base/utf8.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PAGE UINT64_C (4096)
#define MAX_BLOCK_PAGES 512

#ifndef UMMGR_PROFILEDIR
#define UMMGR_PROFILEDIR "/usr/share/ummgr/profiles"
#endif

/* Directory I of the search path, to BUF; false after the last.  The library
   finds an installed tree that was moved by its own place in it:
   lib/ummgr/sim/libcuda.so.1 beside share/ummgr/profiles, where lib may be
   lib/x86_64-linux-gnu.  */
static bool
search_directory (int i, char *buf, size_t size)
{
  Dl_info self;
  const char *set;
  buf[0] = '\0';
  switch (i)
    {
    case 0:
      set = getenv ("UMMGR_PROFILE_PATH");
      snprintf (buf, size, "%s", set ? set : "");
      return true;
    case 1:
    case 2:
      if (dladdr ((void *) search_directory, &self) && self.dli_fname)
	{
	  const char *slash = strrchr (self.dli_fname, '/');
	  if (slash)
	    snprintf (buf, size, "%.*s/../../..%s/share/ummgr/profiles",
		      (int) (slash - self.dli_fname), self.dli_fname,
		      i == 2 ? "/.." : "");
	}
      return true;
    case 3:
      snprintf (buf, size, "%s", UMMGR_PROFILEDIR);
      return true;
    default:
      return false;
    }
}

enum { PROFILES = 256 };	/* At most, that are listed.  */

struct known
{
  char name[64];
  char path[PATH_MAX + 300];
};

static int
compare (const void *a, const void *b)
{
  return strcmp (((const struct known *) a)->name, ((const struct known *) b)->name);
}

/* Append the profiles of DIRECTORY to the COUNT that are KNOWN; how many there are then.  */
static size_t
list_directory (const char *directory, struct known *known, size_t count)
{
  DIR *dir = *directory ? opendir (directory) : NULL;
  struct dirent *e;
  while (dir && count < PROFILES && (e = readdir (dir)))
    {
      size_t n = strlen (e->d_name), i = 0;
      if (n <= 5 || n - 5 >= sizeof known->name || strcmp (e->d_name + n - 5, ".conf") != 0)
	continue;
      snprintf (known[count].path, sizeof known->path, "%s/%s", directory, e->d_name);
      snprintf (known[count].name, sizeof known->name, "%.*s", (int) n - 5, e->d_name);
      while (strcmp (known[i].name, known[count].name) != 0)
	i++;
      count += i == count;
    }
  if (dir)
    closedir (dir);
  return count;
}

/* All on the search path, sorted; the caller frees them.  NULL without memory.  */
static struct known *
list_all (size_t *count_p)
{
  char directory[PATH_MAX];
  struct known *known = calloc (PROFILES + 1, sizeof *known);
  *count_p = 0;
  for (int i = 0; known && search_directory (i, directory, sizeof directory); i++)
    *count_p = list_directory (directory, known, *count_p);
  if (known)
    qsort (known, *count_p, sizeof *known, compare);
  return known;
}

/* The first sentence of PATH's first comment, which is cut to SIZE.  */
static void
read_about (const char *path, char *about, size_t size)
{
  char line[256];
  FILE *f = fopen (path, "re");
  *about = 0;
  while (f && fgets (line, sizeof line, f) && line[0] == '#' && line[1] == ' ')
    {
      size_t used = strlen (about);
      line[strcspn (line, "\n")] = 0;
      snprintf (about + used, size - used, "%s%s", used ? " " : "", line + 2);
    }
  if (f)
    fclose (f);
  /* A number's point is no end.  */
  for (char *p = about; (p = strchr (p, '.')); p++)
    if (!p[1] || p[1] == ' ')
      {
	*p = 0;
	break;
      }
  ummgr_utf8_make_printable (about, strlen (about));
}

void
ummgr_profile_list (void (*tell) (const char *name, const char *about, void *data), void *data)
{
  size_t count;
  char about[1024];
  struct known *known = list_all (&count);
  for (size_t i = 0; i < count; i++)
    {
      read_about (known[i].path, about, sizeof about);
      tell (known[i].name, about, data);
    }
  free (known);
}

static void
unknown_profile (const char *name)
{
  size_t count;
  char names[1024] = "", meant[96];
  struct known *known = list_all (&count);
  for (size_t i = 0; i < count; i++)
    {
      size_t used = strlen (names);
      snprintf (names + used, sizeof names - used, "%s%s", used ? " " : "", known[i].name);
    }
  free (known);
  if (*names)
    ummgr_error ("UMMGR_PROFILE: unknown profile '%s'%s (known: %s)", name,
		 ummgr_meant (name, names, "", meant, sizeof meant), names);
  else
    ummgr_error ("UMMGR_PROFILE: no profile '%s': no profiles are installed;"
		 " set UMMGR_PROFILE_PATH to their directory", name);
}

static bool
parse_path (const char *path, const char *name, struct ummgr_profile *out)
{
  FILE *f = fopen (path, "re");
  if (!f)
    {
      ummgr_error ("simcuda: profile %s: %s", path, strerror (errno));
      return false;
    }
  bool ok = ummgr_profile_parse (f, path, out);
  fclose (f);
  if (ok)
    {
      const char *base = strrchr (name, '/');
      snprintf (out->name, sizeof out->name, "%s", base ? base + 1 : name);
      char *suffix = strstr (out->name, ".conf");
      if (suffix)
	*suffix = '\0';
    }
  return ok;
}

bool
ummgr_profile_find (const char *name, struct ummgr_profile *out)
{
  if (strchr (name, '/'))
    return parse_path (name, name, out);
  char directory[PATH_MAX], path[PATH_MAX + 300];
  for (int i = 0; search_directory (i, directory, sizeof directory); i++)
    {
      if (!*directory)
	continue;
      snprintf (path, sizeof path, "%s/%s.conf", directory, name);
      FILE *f = fopen (path, "re");
      if (f)
	{
	  fclose (f);
	  return parse_path (path, name, out);
	}
    }
  unknown_profile (name);
  return false;
}

static bool
power_of_two (uint64_t n)
{
  return n && !(n & (n - 1));
}

static bool
check_device (const struct ummgr_figures *d, const char *where, int i)
{
  const char *what = NULL;
  if (!power_of_two (d->fault_granularity) || d->fault_granularity < PAGE)
    what = "fault_granularity must be a power of two of at least 4K";
  else if (!power_of_two (d->block_bytes)
	   || d->block_bytes < d->fault_granularity
	   || d->block_bytes > MAX_BLOCK_PAGES * PAGE)
    what = "block_bytes must be a power of two from fault_granularity to 2M";
  else if (d->memory_bytes < d->block_bytes)
    what = "memory_bytes must hold at least one block";
  else if (d->prefetch_threshold > 100)
    what = "prefetch_threshold must be from 0 to 100";
  else if (d->access_counter_threshold > 65535)
    what = "access_counter_threshold must be from 0 to 65535";
  else if (d->access_counter_threshold
	   && (!power_of_two (d->access_counter_granularity)
	       || d->access_counter_granularity < d->fault_granularity
	       || d->access_counter_granularity > d->block_bytes))
    what = "access_counter_granularity must be a power of two from fault_granularity to"
	   " block_bytes";
  else if (d->fault_batch < 1 || d->sm_count < 1 || d->max_threads_per_sm < 1)
    what = "fault_batch, sm_count, max_threads_per_sm must be at least 1";
  if (what)
    ummgr_error ("%s: device %d: %s", where, i, what);
  return !what;
}

bool
ummgr_profile_check (const struct ummgr_profile *p, const char *where)
{
  for (int i = 0; i < p->device_count; i++)
    {
      if (!check_device (&p->device[i], where, i))
	return false;
      /* One arena serves all devices, so one page table layout does too.  */
      if (p->device[i].block_bytes != p->device[0].block_bytes
	  || (p->device[i].fault_granularity
	      != p->device[0].fault_granularity)
	  || (p->device[i].access_counter_granularity
	      != p->device[0].access_counter_granularity))
	{
	  ummgr_error ("%s: device %d: block_bytes, fault_granularity and"
		       " access_counter_granularity must be those of device 0", where, i);
	  return false;
	}
    }
  return true;
}

/* Append FORMAT to P->scaling, after a separator.  */
static void __attribute__ ((format (printf, 2, 3)))
note (struct ummgr_profile *p, const char *format, ...)
{
  size_t n = strlen (p->scaling);
  va_list args;
  if (n && n < sizeof p->scaling - 3)
    {
      strcat (p->scaling, "; ");
      n += 2;
    }
  va_start (args, format);
  vsnprintf (p->scaling + n, sizeof p->scaling - n, format, args);
  va_end (args);
}

/* Exact below a GiB too: "96K", "1536M".  */
static const char *
size_text (uint64_t bytes, char *buf, size_t size)
{
  static const char units[] = " KMGT";
  int u = 0;
  while (bytes && bytes % 1024 == 0 && u < 4)
    {
      bytes /= 1024;
      u++;
    }
  snprintf (buf, size, u ? "%" PRIu64 "%c" : "%" PRIu64, bytes, units[u]);
  return buf;
}

static uint64_t
floor_power_of_two (uint64_t n)
{
  while (n & (n - 1))
    n &= n - 1;
  return n;
}

/* Fewer blocks than this, and evicting one is a matter of luck.  More, for smaller blocks, are
   not worth it: going through half as large a block in order takes one fault less, not half as
   many, so that the faults of a program grow as the machine shrinks.  */
#define BLOCKS_ENOUGH 32

/* The block that goes with a shrunken granule: of as many granules as it had,
   since the tree prefetcher's faults for a block depend on it, but small
   against MEMORY, and of four at least, or the tree has nothing to do.  */
static uint64_t
scaled_block (const struct ummgr_figures *d, uint64_t granule,
	      uint64_t memory)
{
  uint64_t block = d->block_bytes / d->fault_granularity * granule;
  while (block > 4 * granule && memory / block < BLOCKS_ENOUGH)
    block /= 2;
  return block < d->block_bytes ? block : d->block_bytes;
}

/* N times fewer threads in flight, on fewer multiprocessors that are as much faster: what
   they do one after another takes an Nth.  The program still sees all of them.  */
static void
shrink_threads (struct ummgr_figures *d, uint64_t n)
{
  d->scaled = n;
  d->clock_mhz *= (double) d->sm_count / ummgr_figures_sms (d);
  d->memory_latency /= n;
  d->remote_latency /= n;
  d->fault_batch = d->fault_batch / n ? d->fault_batch / n : 1;
}

/* Regions of which accesses over the link are counted shrink as blocks do, from BLOCK_WAS, and
   as many times fewer accesses notify.  */
static void
shrink_counters (struct ummgr_figures *d, uint64_t block_was)
{
  uint64_t was = d->access_counter_granularity;
  int threshold = d->access_counter_threshold;
  if (!threshold)
    return;
  d->access_counter_granularity = was / (block_was / d->block_bytes);
  if (d->access_counter_granularity < d->fault_granularity)
    d->access_counter_granularity = d->fault_granularity;
  threshold /= was / d->access_counter_granularity;
  d->access_counter_threshold = threshold ? threshold : 1;
}

/* A machine N times smaller on which a program with an Nth of the data takes an
   Nth of the modelled time.  Capacity and cache shrink by N; rates stay.  What
   happens as often as before (a launch, a copy) must cost an Nth.  The granule
   shrinks by G, N or as far as the host's page lets it, so that there are N / G
   times fewer faults: a batch has N / G times fewer too, and costs an Nth, and
   a CPU fault a Gth.  MEMORY: what the smallest device will have.  */
static void
scale_device (struct ummgr_figures *d, uint64_t n, uint64_t memory,
	      bool *limited)
{
  uint64_t granule = floor_power_of_two (d->fault_granularity / n);
  if (granule < PAGE)
    {
      granule = d->fault_granularity < PAGE ? d->fault_granularity : PAGE;
      *limited = true;
    }
  double g = (double) d->fault_granularity / granule;
  double stream = (double) ummgr_figures_stream (d) * d->fault_granularity;
  uint64_t block = scaled_block (d, granule, memory);
  d->gpu_block_cost *= (double) block / d->block_bytes;
  d->cpu_fault_cost /= g;
  d->launch_cost /= n;
  d->link_latency /= n;
  shrink_threads (d, n);
  d->fault_granularity = granule;
  d->gpu_fault_cost *= ummgr_figures_stream (d) * (double) granule / stream;
  uint64_t block_was = d->block_bytes;
  d->block_bytes = block;
  shrink_counters (d, block_was);
  d->cache_bytes /= n;
  d->memory_bytes = d->memory_bytes / n / block * block;
  if (d->memory_bytes < block)
    {
      d->memory_bytes = block;
      *limited = true;
    }
}

/* MEMORY: of each device, or 0 for an Nth of what they have.  */
static void
scale (struct ummgr_profile *p, uint64_t n, uint64_t memory)
{
  bool limited = false;
  char capacity[32], block[32], granule[32], cache[32];
  /* All devices have blocks of one size: the smallest decides.  */
  for (int i = 0; i < p->device_count; i++)
    if (!memory || p->device[i].memory_bytes / n < memory)
      memory = p->device[i].memory_bytes / n;
  for (int i = 0; i < p->device_count; i++)
    {
      scale_device (&p->device[i], n, memory, &limited);
      for (int j = 0; j < p->device_count; j++)
	p->peer_latency[i][j] /= n;
    }
  const struct ummgr_figures *d = &p->device[0];
  note (p, "scale 1/%" PRIu64 ": memory %s, cache %s, block %s, fault"
	" granularity %s, fixed costs to match%s", n,
	size_text (d->memory_bytes, capacity, 32),
	size_text (d->cache_bytes, cache, 32),
	size_text (d->block_bytes, block, 32),
	size_text (d->fault_granularity, granule, 32),
	limited ? " (no smaller: the host's pages are 4K)" : "");
}

/* MOST: what the devices have before any scaling.  */
static bool
set_memory (struct ummgr_profile *p, uint64_t bytes, const uint64_t *most)
{
  char memory[32], block[32];
  for (int i = 0; i < p->device_count; i++)
    {
      struct ummgr_figures *d = &p->device[i];
      if (bytes < d->block_bytes || bytes > most[i])
	{
	  ummgr_error ("UMMGR_DEVICE_MEM: %s is not possible: device %d of"
		       " profile %s takes from %s to %s",
		       size_text (bytes, memory, 32), i, p->name,
		       size_text (d->block_bytes, block, 32),
		       size_text (most[i], (char[32]) { 0 }, 32));
	  return false;
	}
      d->memory_bytes = bytes / d->block_bytes * d->block_bytes;
    }
  note (p, "device memory %s",
	size_text (p->device[0].memory_bytes, memory, 32));
  return true;
}

/* The last uplink that a device of P is behind, 0: none is.  */
static int
last_uplink (const struct ummgr_profile *p)
{
  int last = 0;
  for (int i = 0; i < p->device_count; i++)
    last = p->uplink[i] > last ? p->uplink[i] : last;
  return last;
}

/* N devices out of a profile of COUNT: its own again and again.  A pair that
   the profile does not have takes the rate of any pair it has.  */
static bool
replicate (struct ummgr_profile *p, uint64_t n)
{
  if (n > UMMGR_PROFILE_DEVICES)
    {
      ummgr_error ("UMMGR_GPUS: %" PRIu64 " is too many: at most %d", n,
		   UMMGR_PROFILE_DEVICES);
      return false;
    }
  int count = p->device_count, uplinks = last_uplink (p);
  double any = p->peer_rate[0][1], latency = p->peer_latency[0][1];
  for (int i = count; i < (int) n; i++)
    {
      p->device[i] = p->device[i % count];
      p->uplink[i] = 0;
      if (p->uplink[i % count])
	p->uplink[i] = p->uplink[i - count] + uplinks;
    }
  for (int i = uplinks; i < 2 * UMMGR_PROFILE_DEVICES && uplinks; i++)
    p->uplink_rate[i] = p->uplink_rate[i - uplinks];
  for (int i = 0; i < (int) n; i++)
    for (int j = 0; j < (int) n; j++)
      if (i != j && (i >= count || j >= count))
	{
	  p->peer_rate[i][j] = any;
	  p->peer_latency[i][j] = latency;
	}
  if ((int) n != count)
    note (p, "%" PRIu64 " devices instead of %d", n, count);
  p->device_count = n;
  return true;
}

/* All devices of P as one: GPUs behind one address space.  */
static bool
join (struct ummgr_profile *p, const struct ummgr_options *options)
{
  static const char *const words[] = UMMGR_SCHEDULINGS;
  struct ummgr_figures *d = &p->device[0];
  int n = p->device_count;
  const char *scheduling = strcmp (options->scheduling, "auto") != 0 ? options->scheduling
			   : words[strcmp (options->placement, "coda") == 0];
  if (n > 1 && p->peer_rate[0][1] <= 0)
    {
      ummgr_error ("UMMGR_PLACEMENT: %s is not possible: the devices of profile %s have no "
		   "links to each other (give it a [peer] section, or take coda-4gpu)",
		   options->placement, p->name);
      return false;
    }
  d->gpus = n;
  d->gpus_rate = p->peer_rate[0][1];
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (words[i], scheduling) == 0)
      d->scheduling = (enum ummgr_scheduling) i;
  d->sm_count *= n;
  d->memory_bytes *= n;
  p->device_count = 1;
  note (p, "%d GPUs as one device, memory laid %s, teams by %s", n, options->placement,
	scheduling);
  return true;
}

/* Access counters are off unless OPTIONS say otherwise.  */
static bool
set_counters (struct ummgr_profile *p, const struct ummgr_options *options)
{
  for (int i = 0; i < p->device_count; i++)
    if (!options->access_counters)
      p->device[i].access_counter_threshold = 0;
    else if (!p->device[i].access_counter_threshold)
      {
	ummgr_error ("UMMGR_ACCESS_COUNTERS: device %d of profile %s has none", i, p->name);
	return false;
      }
  return true;
}

bool
ummgr_profile_adjust (struct ummgr_profile *p, const struct ummgr_options *options)
{
  p->scaling[0] = '\0';
  if ((options->gpus && !replicate (p, options->gpus)) || !set_counters (p, options))
    return false;
  uint64_t most[UMMGR_PROFILE_DEVICES];
  for (int i = 0; i < p->device_count; i++)
    most[i] = p->device[i].memory_bytes;
  if (options->scale > 1)
    scale (p, options->scale, options->device_mem);
  if (options->device_mem && !set_memory (p, options->device_mem, most))
    return false;
  if (ummgr_options_joined (options) && !join (p, options))
    return false;
  return ummgr_profile_check (p, p->name);
}
