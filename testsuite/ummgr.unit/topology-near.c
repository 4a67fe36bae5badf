/* A thread bound to processors far from its GPU, or to none that it may use; one that is
   bound, or memory that is moved, where nothing is known; GPUs that are mixed up because the
   driver counts them otherwise than the bus; simulated ones that are all at one node.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "apart.h"
#include "device/cuda.h"
#include "topology/near.h"

#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define XML UMMGR_TEST_PROFILES "/../../../testsuite/ummgr.topology/"

/* The driver counts from the bus's other end, and has one GPU more.  */
static CUresult
get_pci (char *id, int size, CUdevice device)
{
  static const char *const ids[] = { "0000:11:00.0", "0000:10:00.0", "0000:AB:00.0" };
  if (device < 0 || device > 2)
    return CUDA_ERROR_INVALID_DEVICE;
  CHECK (snprintf (id, (size_t) size, "%s", ids[device]) < size);
  return CUDA_SUCCESS;
}

static CUresult
get_peer (int *out, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice other)
{
  CHECK (device != other);
  *out = attribute == CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED || device + other == 3;
  return CUDA_SUCCESS;
}

static CUresult
get_attribute (int *out, int attribute, CUdevice device)
{
  (void) attribute;
  (void) device;
  *out = 0;
  return CUDA_SUCCESS;
}

static int
policy (void)
{
  int mode = -1;
  return syscall (SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) == 0 ? mode : -1;
}

/* It is this test's machine that hwloc was told of: XML's nodes have a processor each, 0
   and 1.  */
static void
check_binding (int device, int cpu)
{
  cpu_set_t before, after;
  CHECK (sched_getaffinity (0, sizeof before, &before) == 0);
  bool bound = ummgr_near_bind_thread (device);
  CHECK (sched_getaffinity (0, sizeof after, &after) == 0);
  CHECK_EQ (bound, cpu >= 0 && CPU_ISSET (cpu, &before));
  if (bound)
    CHECK (CPU_COUNT (&after) == 1 && CPU_ISSET (cpu, &after));
  else
    CHECK (CPU_EQUAL (&before, &after));
}

static void
check_memory (int device, bool known)
{
  int before = policy ();
  bool begun = ummgr_near_memory_begin (device);
  /* The node may not be here; a container may forbid it.  */
  CHECK (!begun || (known && policy () == MPOL_PREFERRED));
  CHECK (begun || policy () == before);
  ummgr_near_memory_end (begun);
  CHECK_EQ (policy (), before);
}

/* In a thread of its own, for a binding stays.  */
static void *
check_device (void *number)
{
  static const int cpus[] = { 1, 0, -1 };
  int device = *(const int *) number, cpu = device >= 0 && device < 3 ? cpus[device] : -1;
  check_memory (device, cpu >= 0);
  check_binding (device, cpu);
  /* The other's processor is out of reach then.  */
  if (cpu >= 0 && ummgr_near_bind_thread (device))
    check_binding (1 - device, -1);
  return number;
}

/* A device is simulated, and linked to another.  */
static const char *
get_profile (void)
{
  return "simulated";
}

static bool
get_figures (struct ummgr_device *device, struct ummgr_figures *out)
{
  *out = (struct ummgr_figures) { .h2d_rate = 1e9, .d2h_rate = 2e9 };
  return device->number >= 0 && device->number < 2;
}

static bool
get_link (struct ummgr_device *device, struct ummgr_device *other,
	  struct ummgr_device_link *out)
{
  CHECK (device->number != other->number);
  *out = (struct ummgr_device_link) { .rate = 5e9 + device->number };
  return true;
}

static void
check_simulated_devices (void)
{
  static const struct ummgr_cuda_driver driver = { .cuDeviceGetPCIBusId = get_pci };
  static const struct ummgr_device_ops ops = {
    .name = "sim", .profile = get_profile, .figures = get_figures, .link = get_link
  };
  ummgr_cuda_use (&driver, &ops);
  check_binding (0, -1);
  CHECK (!ummgr_near_memory_begin (0));
  struct ummgr_topology_link link = ummgr_near_link (1, 0);
  CHECK (link.way == UMMGR_WAY_LINK && link.rate == 5e9 + 1 && !link.estimate);
  CHECK_EQ (ummgr_near_link (2, 0).way, UMMGR_WAY_UNKNOWN);
}

static void
check_links (void)
{
  CHECK_EQ (ummgr_near_link (0, 0).way, UMMGR_WAY_SELF);
  CHECK_EQ (ummgr_near_link (0, 1).way, UMMGR_WAY_SYSTEM);
  CHECK (ummgr_near_link (0, 1).rate > 13e9 && ummgr_near_link (0, 1).estimate);
  CHECK_EQ (ummgr_near_link (1, 2).way, UMMGR_WAY_NVLINK);
  CHECK (ummgr_near_link (1, 2).rate == 0);
  CHECK_EQ (ummgr_near_link (0, 2).way, UMMGR_WAY_UNKNOWN);
  CHECK_EQ (ummgr_near_link (0, 3).way, UMMGR_WAY_UNKNOWN);
  CHECK_EQ (ummgr_near_link (-1, 0).way, UMMGR_WAY_UNKNOWN);
}

/* COUNT of them, over nodes of which the middle one has no processors.  */
static void
check_simulated (unsigned count)
{
  static struct ummgr_topology t;
  unsigned at[3] = { 0 };
  memset (&t, 0, sizeof t);
  memset (t.gpu, 1, sizeof t.gpu);
  memset (t.link, 1, sizeof t.link);
  t.nodes = 3;
  CPU_SET (0, &t.node[0].cpus);
  CPU_SET (1, &t.node[2].cpus);
  ummgr_topology_simulate (&t, count);
  CHECK_EQ (t.gpus, count);
  for (unsigned i = 0; i < count; i++)
    {
      CHECK (t.gpu[i].simulated && (i == 0 || t.gpu[i].node >= t.gpu[i - 1].node));
      CHECK (CPU_EQUAL (&t.gpu[i].cpus, &t.node[t.gpu[i].node].cpus));
      at[t.gpu[i].node]++;
      CHECK (!*t.gpu[i].pci && !*t.gpu[i].name);
      for (unsigned j = 0; j < count; j++)
	CHECK (t.link[i][j].rate == 0
	       && t.link[i][j].way == (i == j ? UMMGR_WAY_SELF
				       : t.gpu[i].node == t.gpu[j].node ? UMMGR_WAY_NODE
				       : UMMGR_WAY_SYSTEM));
    }
  CHECK (at[1] == 0 && at[0] >= at[2] && at[0] - at[2] <= 1);
}

/* A GPU that hwloc doesn't know, on a machine of NODES.  */
static void
check_unknown (unsigned nodes, int node)
{
  static const char pci[1][16] = { "0000:99:00.0" };
  static struct ummgr_topology t;
  memset (&t, 0, sizeof t);
  t.nodes = nodes;
  t.gpu[0].simulated = true;
  CPU_SET (0, &t.node[0].cpus);
  ummgr_topology_match (&t, pci, 1);
  CHECK (t.gpus == 1 && !t.gpu[0].simulated && t.gpu[0].node == node && strcmp (t.gpu[0].pci, pci[0]) == 0);
  CHECK_EQ (CPU_COUNT (&t.gpu[0].cpus), node == 0);
  CHECK_EQ (t.link[0][0].way, UMMGR_WAY_SELF);
}

static void
check_text (void)
{
  cpu_set_t cpus;
  CPU_ZERO (&cpus);
  CHECK (strcmp (ummgr_topology_cpus (&cpus).text, "") == 0);
  CPU_SET (3, &cpus);
  CHECK (strcmp (ummgr_topology_cpus (&cpus).text, "3") == 0);
  for (int i = 5; i < CPU_SETSIZE; i++)
    CPU_SET (i, &cpus);
  CHECK (strcmp (ummgr_topology_cpus (&cpus).text, "3,5-1023") == 0);
  CPU_ZERO (&cpus);
  for (int i = 0; i < CPU_SETSIZE; i += 2)
    CPU_SET (i, &cpus);
  struct ummgr_topology_text text = ummgr_topology_cpus (&cpus);
  CHECK (strncmp (text.text, "0,2,4,", 6) == 0
	 && strcmp (text.text + strlen (text.text) - 10, ",1020,1022") == 0);
}

static const struct ummgr_cuda_driver driver = {
  .cuDeviceGetPCIBusId = get_pci, .cuDeviceGetP2PAttribute = get_peer,
  .cuDeviceGetAttribute = get_attribute
};

/* hwloc was told of a machine, and not that it is this one: what it would say is not even
   asked.  */
static void
check_elsewhere (void)
{
  unsetenv ("HWLOC_THISSYSTEM");
  ummgr_cuda_use (&driver, NULL);
  check_binding (0, -1);
  CHECK (!ummgr_near_memory_begin (0));
  CHECK_EQ (ummgr_near_link (0, 1).way, UMMGR_WAY_UNKNOWN);
  CHECK_EQ (ummgr_near_link (1, 2).way, UMMGR_WAY_NVLINK);
}

int
main (void)
{
  static struct ummgr_topology hwloc;
  check_text ();
  check_unknown (0, -1);
  check_unknown (1, 0);
  check_unknown (2, -1);
  for (unsigned n = 1; n <= 7; n++)
    check_simulated (n);
  setenv ("HWLOC_XMLFILE", XML "two-nodes.xml", 1);
  setenv ("HWLOC_THISSYSTEM", "1", 1);
  bool there = ummgr_topology_load (&hwloc) == UMMGR_OK;
  /* No driver yet.  */
  CHECK (!ummgr_near_bind_thread (0));
  CHECK_EQ (ummgr_near_link (0, 0).way, UMMGR_WAY_UNKNOWN);
  void (*const nowhere[]) (void) = { check_simulated_devices, check_elsewhere };
  run_apart (nowhere, 2);
  ummgr_cuda_use (&driver, NULL);
  if (!there)
    {
      CHECK (!ummgr_near_bind_thread (0));
      return 0;
    }
  for (int i = -1; i <= 3; i++)
    {
      pthread_t thread;
      CHECK (pthread_create (&thread, NULL, check_device, &i) == 0
	     && pthread_join (thread, NULL) == 0);
    }
  check_links ();
  return 0;
}
