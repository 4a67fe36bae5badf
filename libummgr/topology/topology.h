/* Where GPUs are in the machine: NUMA nodes, and what lies between any two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   hwloc tells, and is loaded when it is first asked: who links this library needs none.
   What is not told stays unknown, and nobody is kept from going on without it.  */

#pragma once

#include "base/status.h"
#include "device/device.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

enum { UMMGR_TOPOLOGY_NODES = 64, UMMGR_TOPOLOGY_GPUS = UMMGR_DEVICES_MAX };

/* What the shortest way between two GPUs, or from the host to one, is made of; but for
   the first three the farther the greater.  nvidia-smi's names: ways.def.  */
enum ummgr_topology_way
{
#define WAY(NAME, SHORT, TEXT) UMMGR_WAY_##NAME,
#include "topology/ways.def"
#undef WAY
  UMMGR_WAYS
};

struct ummgr_topology_link
{
  enum ummgr_topology_way way;
  double rate;			/* Bytes a second of a bulk copy; 0: unknown.  */
  bool estimate;		/* It follows from what the link can carry.  */
};

struct ummgr_topology_node
{
  int number;			/* As the system counts them.  */
  int package;			/* The same; -1: it is in none, or in several.  */
  uint64_t memory;
  cpu_set_t cpus;		/* None: it is memory alone.  */
};

struct ummgr_topology_gpu
{
  char pci[16];			/* "0000:3b:00.0"; empty: it is on no bus.  */
  char name[64];
  bool simulated;
  int node;			/* Index of the one nearby; -1: unknown.  */
  cpu_set_t cpus;		/* Nearby; none: unknown.  */
  struct ummgr_topology_link in, out; /* From the host, to it.  */
};

struct ummgr_topology
{
  char version[16];		/* hwloc's.  */
  bool here;			/* It is this machine's.  */
  unsigned packages, cores, nodes, gpus;
  struct ummgr_topology_node node[UMMGR_TOPOLOGY_NODES];
  struct ummgr_topology_gpu gpu[UMMGR_TOPOLOGY_GPUS];
  struct ummgr_topology_link link[UMMGR_TOPOLOGY_GPUS][UMMGR_TOPOLOGY_GPUS];
};

/* What hwloc finds, NVIDIA's GPUs on PCI among it, in the order of their addresses.
   UMMGR_ERR_UNSUPPORTED, silently, where there is no hwloc, now or when ummgr was built;
   UMMGR_ERR_INVALID, silently, where it fails.  */
enum ummgr_status ummgr_topology_load (struct ummgr_topology *out);

/* Its GPUs are COUNT simulated ones, which are at the nodes in order.  */
void ummgr_topology_simulate (struct ummgr_topology *t, unsigned count);

/* Its GPUs are the driver's COUNT, in its order, PCI[I] where the system has the I-th; one
   that hwloc doesn't know is anywhere, if there is more than one node.  */
void ummgr_topology_match (struct ummgr_topology *t, const char (*pci)[16],
			   unsigned count);

/* GPU NUMBER costs what FIGURES say; TOLD: as a profile has them, not as follows from the
   link.  */
void ummgr_topology_figures (struct ummgr_topology *t, unsigned number,
			     const struct ummgr_figures *figures, bool told);

/* GPU TO reaches GPU FROM as the device says; ignored if that is nothing.  */
void ummgr_topology_peer (struct ummgr_topology *t, unsigned to, unsigned from,
			  const struct ummgr_device_link *link);

/* Rates that nobody told, but that follow from those of links.  */
void ummgr_topology_derive (struct ummgr_topology *t);

/* "0-3,8", of as many as a set can have.  */
struct ummgr_topology_text { char text[4096]; };
struct ummgr_topology_text ummgr_topology_cpus (const cpu_set_t *cpus);

/* "NVL", "NVLink": for the reader.  */
const char *ummgr_topology_short (enum ummgr_topology_way way);
const char *ummgr_topology_long (enum ummgr_topology_way way);
