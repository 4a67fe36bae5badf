/* hwloc's topology as plain data.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   hwloc comes by dlopen, for a user's program shall not need it; the types of what is
   called are its header's.  Of the header's inline functions none may be used here: they
   call others by name.  No state.  */

#include "config.h"
#include "topology/topology.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_HWLOC

# include <dlfcn.h>
# include <hwloc.h>
# include <hwloc/distances.h>

# define NVIDIA 0x10de
# define DISPLAY 3		/* PCI's class, 3D controllers among them.  */

# define CALLS(CALL)							      \
  CALL (get_api_version) CALL (topology_init) CALL (topology_destroy)	      \
  CALL (topology_set_io_types_filter) CALL (topology_load)		      \
  CALL (topology_is_thissystem) CALL (get_type_depth)			      \
  CALL (get_nbobjs_by_depth) CALL (get_obj_by_depth) CALL (bitmap_next)	      \
  CALL (bitmap_isincluded) CALL (bitmap_iszero)
/* Since 2.1.  */
# if HWLOC_API_VERSION >= 0x00020100
#  define NEWER(CALL)							      \
  CALL (topology_set_components) CALL (distances_get_by_name)		      \
  CALL (distances_release)
# else
#  define NEWER(CALL)
# endif

struct calls
{
# define CALL(NAME) __typeof__ (hwloc_##NAME) *NAME;
  CALLS (CALL)
  NEWER (CALL)
# undef CALL
};

struct loading
{
  struct calls calls;
  hwloc_topology_t topology;
  struct ummgr_topology *out;
  hwloc_obj_t gpu[UMMGR_TOPOLOGY_GPUS], node[UMMGR_TOPOLOGY_NODES];
};

/* hwloc 2's soname; the other name is for those whose version follows it.  */
static bool
find_calls (struct calls *calls)
{
  void *library = dlopen ("libhwloc.so.15", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    library = dlopen ("libhwloc.so", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return false;
# define CALL(NAME) *(void **) &calls->NAME = dlsym (library, "hwloc_" #NAME);
  NEWER (CALL)
# undef CALL
# define CALL(NAME)							      \
  if (!(*(void **) &calls->NAME = dlsym (library, "hwloc_" #NAME)))	      \
    return false;
  CALLS (CALL)
# undef CALL
  return calls->get_api_version () >> 16 == HWLOC_API_VERSION >> 16;
}

/* What asks drivers of GPUs would make contexts in the program, or print.  */
static void
leave_out (struct loading *l)
{
# if HWLOC_API_VERSION >= 0x00020100
  static const char *const names[] = { "opencl", "cuda", "gl", "rsmi", "levelzero" };
  for (size_t i = 0; l->calls.topology_set_components && i < sizeof names / sizeof *names; i++)
    l->calls.topology_set_components (l->topology,
				      HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, names[i]);
# endif
}

static bool
open_topology (struct loading *l)
{
  if (l->calls.topology_init (&l->topology) != 0)
    return false;
  leave_out (l);
  l->calls.topology_set_io_types_filter (l->topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  if (l->calls.topology_load (l->topology) == 0)
    return true;
  l->calls.topology_destroy (l->topology);
  return false;
}

static unsigned
count_of (const struct loading *l, hwloc_obj_type_t type)
{
  int depth = l->calls.get_type_depth (l->topology, type);
  return depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE
	 ? 0 : l->calls.get_nbobjs_by_depth (l->topology, depth);
}

static hwloc_obj_t
object_of (const struct loading *l, hwloc_obj_type_t type, unsigned i)
{
  return l->calls.get_obj_by_depth (l->topology,
				    l->calls.get_type_depth (l->topology, type), i);
}

static void
take_cpus (const struct loading *l, hwloc_obj_t object, cpu_set_t *cpus)
{
  CPU_ZERO (cpus);
  if (!object->cpuset)
    return;
  /* A set that has no end has this, too.  */
  for (int i = l->calls.bitmap_next (object->cpuset, -1); i >= 0 && i < CPU_SETSIZE;
       i = l->calls.bitmap_next (object->cpuset, i))
    CPU_SET (i, cpus);
}

static void
take_nodes (struct loading *l)
{
  struct ummgr_topology *out = l->out;
  unsigned all = count_of (l, HWLOC_OBJ_NUMANODE);
  for (unsigned i = 0; i < all && out->nodes < UMMGR_TOPOLOGY_NODES; i++)
    {
      hwloc_obj_t object = object_of (l, HWLOC_OBJ_NUMANODE, i), above = object;
      struct ummgr_topology_node *node = &out->node[out->nodes];
      while (above && above->type != HWLOC_OBJ_PACKAGE)
	above = above->parent;
      node->number = (int) object->os_index;
      node->package = above ? (int) above->os_index : -1;
      node->memory = object->attr->numanode.local_memory;
      take_cpus (l, object, &node->cpus);
      l->node[out->nodes++] = object;
    }
}

/* The node that all of ABOVE's processors are in; -1: there is no such one.  */
static int
node_near (const struct loading *l, hwloc_obj_t above)
{
  const struct ummgr_topology *out = l->out;
  if (out->nodes == 1)
    return 0;
  for (unsigned i = 0; i < out->nodes; i++)
    if (l->node[i]->cpuset && !l->calls.bitmap_iszero (above->cpuset)
	&& l->calls.bitmap_isincluded (above->cpuset, l->node[i]->cpuset))
      return (int) i;
  return -1;
}

static bool
is_gpu (hwloc_obj_t device)
{
  return device->attr->pcidev.class_id >> 8 == DISPLAY
	 && device->attr->pcidev.vendor_id == NVIDIA;
}

/* What a device of the system's says of the GPU that it is, or its PCI device.  */
static void
take_name (hwloc_obj_t device, char *name, size_t size)
{
  const char *found = device->name;
  for (hwloc_obj_t os = device->io_first_child; os; os = os->next_sibling)
    for (unsigned i = 0; i < os->infos_count; i++)
      if (strcmp (os->infos[i].name, "GPUModel") == 0)
	found = os->infos[i].value;
  ummgr_utf8_print (name, size, found ? found : "");
}

static struct ummgr_topology_link
link_of (enum ummgr_topology_way way, double gigabytes)
{
  bool known = gigabytes > 0 && gigabytes < 1e6;
  return (struct ummgr_topology_link) { .way = way,
					.rate = known ? UMMGR_FIGURES_COPIES * gigabytes * 1e9 : 0,
					.estimate = known };
}

static void
take_gpu (struct loading *l, hwloc_obj_t device)
{
  struct ummgr_topology *out = l->out;
  struct ummgr_topology_gpu *gpu = &out->gpu[out->gpus];
  const struct hwloc_pcidev_attr_s *pci = &device->attr->pcidev;
  hwloc_obj_t above = device->parent;
  while (above && !above->cpuset)
    above = above->parent;
  snprintf (gpu->pci, sizeof gpu->pci, "%04x:%02x:%02x.%01x", pci->domain & 0xffffu,
	    pci->bus, pci->dev, pci->func & 0xfu);
  take_name (device, gpu->name, sizeof gpu->name);
  gpu->node = above ? node_near (l, above) : -1;
  if (above)
    take_cpus (l, above, &gpu->cpus);
  gpu->in = gpu->out = link_of (UMMGR_WAY_BRIDGE, pci->linkspeed);
  l->gpu[out->gpus++] = device;
}

/* --- ways ------------------------------------------------------------------ */

static bool
is_above (hwloc_obj_t above, hwloc_obj_t object)
{
  while (object && object != above)
    object = object->parent;
  return object != NULL;
}

/* Objects between GPU and ABOVE.  */
static unsigned
steps_to (hwloc_obj_t gpu, hwloc_obj_t above)
{
  unsigned steps = 0;
  for (hwloc_obj_t o = gpu->parent; o && o != above; o = o->parent)
    steps++;
  return steps;
}

/* By what they have in common.  A switch is a bridge upstream and, for each GPU behind it,
   one downstream.  */
static enum ummgr_topology_way
way_between (const struct loading *l, hwloc_obj_t a, hwloc_obj_t b)
{
  hwloc_obj_t common = a;
  while (common && !is_above (common, b))
    common = common->parent;
  if (!common || (common->type != HWLOC_OBJ_BRIDGE && !common->cpuset))
    return UMMGR_WAY_UNKNOWN;	/* As in a file that has a device in another.  */
  if (common->type != HWLOC_OBJ_BRIDGE)
    return node_near (l, common) >= 0 ? UMMGR_WAY_NODE : UMMGR_WAY_SYSTEM;
  if (common->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_HOST)
    return UMMGR_WAY_BRIDGE;
  return steps_to (a, common) < 2 && steps_to (b, common) < 2
	 ? UMMGR_WAY_SWITCH : UMMGR_WAY_SWITCHES;
}

static void
take_ways (struct loading *l)
{
  struct ummgr_topology *out = l->out;
  for (unsigned i = 0; i < out->gpus; i++)
    for (unsigned j = 0; j < out->gpus; j++)
      out->link[i][j].way = i == j ? UMMGR_WAY_SELF
	: way_between (l, l->gpu[i], l->gpu[j]);
}

/* --- NVLink, where hwloc asked NVML, or an XML file has what it said ---------- */

# if HWLOC_API_VERSION >= 0x00020100
/* The GPU that OBJECT is, or is of; -1.  */
static int
gpu_of (const struct loading *l, hwloc_obj_t object)
{
  for (unsigned i = 0; object && i < l->out->gpus; i++)
    if (is_above (l->gpu[i], object))
      return (int) i;
  return -1;
}

/* From the I-th to the J-th of D, in MB a second: directly, and by switches of NVLink.  */
static double
nvlink_between (const struct loading *l, const struct hwloc_distances_s *d, unsigned i,
		unsigned j)
{
  double sum = (double) d->values[i * d->nbobjs + j];
  for (unsigned k = 0; k < d->nbobjs; k++)
    if (d->objs[k] && gpu_of (l, d->objs[k]) < 0 && !d->objs[k]->cpuset)
      {
	double to = (double) d->values[i * d->nbobjs + k];
	double from = (double) d->values[k * d->nbobjs + j];
	sum += to < from ? to : from;
      }
  return sum;
}

static void
take_nvlink (struct loading *l, const struct hwloc_distances_s *d)
{
  struct ummgr_topology *out = l->out;
  for (unsigned i = 0; i < d->nbobjs; i++)
    for (unsigned j = 0; j < d->nbobjs; j++)
      {
	int a = gpu_of (l, d->objs[i]), b = gpu_of (l, d->objs[j]);
	double rate = a != b ? nvlink_between (l, d, i, j) / 1e3 : 0;
	struct ummgr_topology_link *link
	  = a >= 0 && b >= 0 ? &out->link[b][a]
	  : a >= 0 && d->objs[j] && d->objs[j]->cpuset ? &out->gpu[a].out
	  : b >= 0 && d->objs[i] && d->objs[i]->cpuset ? &out->gpu[b].in : NULL;
	if (link && rate > 0)
	  *link = link_of (UMMGR_WAY_NVLINK, rate);
      }
}

static void
ask_nvlink (struct loading *l)
{
  struct hwloc_distances_s *d = NULL;
  unsigned count = 1;
  if (!l->calls.distances_get_by_name || !l->calls.distances_release
      || l->calls.distances_get_by_name (l->topology, "NVLinkBandwidth", &count, &d, 0) != 0
      || count < 1 || !d)
    return;
  take_nvlink (l, d);
  l->calls.distances_release (l->topology, d);
}
# else
static void
ask_nvlink (struct loading *l)
{
  (void) l;
}
# endif

static void
take_all (struct loading *l)
{
  struct ummgr_topology *out = l->out;
  unsigned version = l->calls.get_api_version ();
  /* It has no call for its own, which is a later one mostly.  */
  if (version == HWLOC_API_VERSION)
    snprintf (out->version, sizeof out->version, "%s", HWLOC_VERSION);
  else
    snprintf (out->version, sizeof out->version, "%u.%u.%u", version >> 16,
	      version >> 8 & 0xff, version & 0xff);
  out->here = l->calls.topology_is_thissystem (l->topology) == 1;
  out->packages = count_of (l, HWLOC_OBJ_PACKAGE);
  out->cores = count_of (l, HWLOC_OBJ_CORE);
  take_nodes (l);
  unsigned devices = count_of (l, HWLOC_OBJ_PCI_DEVICE);
  for (unsigned i = 0; i < devices && out->gpus < UMMGR_TOPOLOGY_GPUS; i++)
    {
      hwloc_obj_t device = object_of (l, HWLOC_OBJ_PCI_DEVICE, i);
      if (device && is_gpu (device))
	take_gpu (l, device);
    }
  take_ways (l);
  ask_nvlink (l);
}

enum ummgr_status
ummgr_topology_load (struct ummgr_topology *out)
{
  struct loading *l = calloc (1, sizeof *l);
  memset (out, 0, sizeof *out);
  if (!l)
    return UMMGR_ERR_NOMEM;
  l->out = out;
  enum ummgr_status status = UMMGR_ERR_UNSUPPORTED;
  if (find_calls (&l->calls))
    {
      status = open_topology (l) ? UMMGR_OK : UMMGR_ERR_INVALID;
      if (status == UMMGR_OK)
	{
	  take_all (l);
	  l->calls.topology_destroy (l->topology);
	}
    }
  free (l);
  return status;
}

#else

enum ummgr_status
ummgr_topology_load (struct ummgr_topology *out)
{
  memset (out, 0, sizeof *out);
  return UMMGR_ERR_UNSUPPORTED;
}

#endif
