/* What is near the driver's devices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns this machine's topology, made once and never freed; its lock is held while hwloc
   reads it, and nothing of ours is called under it but device slots.  */

#include "config.h"
#include "topology/near.h"
#include "base/log.h"

#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool made;
static struct ummgr_topology *topology;	/* NULL: nothing is known.  */

/* Of the driver's device NUMBER; false: there is none.  */
static bool
find_pci (int number, char id[16])
{
  struct ummgr_device *device = ummgr_device_of (number);
  struct ummgr_figures unused = { .sm_count = 0 };
  *id = 0;
  if (device->ops->pci)
    return device->ops->pci (device, id, 16);
  return device->ops->figures && device->ops->figures (device, &unused);
}

static void
take_links (struct ummgr_topology *t)
{
  for (unsigned to = 0; to < t->gpus; to++)
    {
      struct ummgr_device *device = ummgr_device_of ((int) to);
      struct ummgr_figures figures = { .sm_count = 0 };
      if (device->ops->figures && device->ops->figures (device, &figures))
	ummgr_topology_figures (t, to, &figures, device->ops->profile);
      for (unsigned from = 0; from < t->gpus && device->ops->link; from++)
	{
	  struct ummgr_device_link link;
	  if (from != to
	      && device->ops->link (device, ummgr_device_of ((int) from), &link))
	    ummgr_topology_peer (t, to, from, &link);
	}
    }
  ummgr_topology_derive (t);
}

/* hwloc takes any file that a variable names, and may end the process at a bad one.  */
static bool
is_told_of_another (void)
{
  const char *file = getenv ("HWLOC_XMLFILE"), *here = getenv ("HWLOC_THISSYSTEM");
  return file && *file && !(here && atoi (here));
}

static void
make (void)
{
  char pci[UMMGR_TOPOLOGY_GPUS][16];
  unsigned count = 0;
  while (count < UMMGR_TOPOLOGY_GPUS && find_pci ((int) count, pci[count]))
    count++;
  struct ummgr_topology *t = count ? calloc (1, sizeof *t) : NULL;
  if (!t)
    return;
  if (!is_told_of_another () && ummgr_topology_load (t) != UMMGR_OK)
    ummgr_debug ("topology: hwloc tells nothing: where devices are isn't known");
  if (ummgr_device_ops ()->profile)
    ummgr_topology_simulate (t, count);
  else
    ummgr_topology_match (t, (const char (*)[16]) pci, count);
  take_links (t);
  topology = t;
}

/* That of the driver's devices; NULL: unknown, or there is no driver yet.  */
static const struct ummgr_topology *
find_topology (void)
{
  if (!ummgr_device_ops ()->name)
    return NULL;
  pthread_mutex_lock (&lock);
  if (!made)
    make ();
  made = true;
  pthread_mutex_unlock (&lock);
  return topology;
}

static bool
several_nodes (void)
{
  FILE *file = fopen ("/sys/devices/system/node/has_cpu", "re");
  const char *named = getenv ("HWLOC_XMLFILE");
  char text[16] = "";
  if (file && !fgets (text, sizeof text, file))
    *text = 0;
  if (file)
    fclose (file);
  return strpbrk (text, "-,") || (named && *named);
}

/* Where there is one node all is near.  The system says so sooner than hwloc, but not so soon
   that it could be asked each time.  */
static bool
has_nodes (void)
{
  static int known = -1;	/* Atomic; all who find out find the same.  */
  int has = __atomic_load_n (&known, __ATOMIC_RELAXED);
  if (has < 0)
    {
      has = several_nodes ();
      __atomic_store_n (&known, has, __ATOMIC_RELAXED);
    }
  return has;
}

bool
ummgr_near_applies (const struct ummgr_topology *t)
{
  return t->here && t->nodes > 1;
}

/* What is at the node near DEVICE; NULL: that isn't known, or doesn't matter.  */
static const struct ummgr_topology_gpu *
find_gpu (int device)
{
  const struct ummgr_topology *t = NULL;
  if (!ummgr_device_ops ()->profile && has_nodes ())
    t = find_topology ();
  return t && device >= 0 && (unsigned) device < t->gpus && ummgr_near_applies (t)
	 && t->gpu[device].node >= 0 ? &t->gpu[device] : NULL;
}

bool
ummgr_near_bind_thread (int device)
{
  const struct ummgr_topology_gpu *gpu = find_gpu (device);
  cpu_set_t allowed, near;
  if (!gpu || sched_getaffinity (0, sizeof allowed, &allowed) != 0)
    return false;
  CPU_AND (&near, &allowed, &gpu->cpus);
  if (CPU_COUNT (&near) == 0 || sched_setaffinity (0, sizeof near, &near) != 0)
    return false;
  ummgr_debug ("topology: a thread that launches for device %d runs on CPUs %s", device,
	       ummgr_topology_cpus (&near).text);
  return true;
}

bool
ummgr_near_memory_begin (int device)
{
  enum { WORD = 8 * sizeof (unsigned long) };
  const struct ummgr_topology_gpu *gpu = find_gpu (device);
  unsigned long mask[1024 / WORD] = { 0 };
  int mode = -1;
  int node = gpu ? topology->node[gpu->node].number : -1;
  if (node < 0 || node >= 1024
      || syscall (SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) != 0 || mode != MPOL_DEFAULT)
    return false;
  mask[node / WORD] = 1ul << node % WORD;
  if (syscall (SYS_set_mempolicy, MPOL_PREFERRED, mask, 1024 + 1) != 0)
    return false;
  ummgr_debug ("topology: host memory for device %d is of node %d, if it has any", device,
	       node);
  return true;
}

void
ummgr_near_memory_end (bool begun)
{
  if (begun)
    syscall (SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0);
}

struct ummgr_topology_link
ummgr_near_link (int to, int from)
{
  const struct ummgr_topology *t = find_topology ();
  if (!t || to < 0 || from < 0 || (unsigned) to >= t->gpus || (unsigned) from >= t->gpus)
    return (struct ummgr_topology_link) { .way = UMMGR_WAY_UNKNOWN };
  return t->link[to][from];
}
