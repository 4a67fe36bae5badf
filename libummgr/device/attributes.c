/* What a GPU is and costs, as its driver and the system tell it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nothing is measured: a copy that is long enough to tell its rate would take a part
   of the time that a short program has, and rates of links follow from what they are
   within what the shipped profiles differ by.  No state.  */

#include "config.h"
#include "device/attributes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of what copies get, kernels that read over the link: from 0.64 to 1 there.  */
#define REMOTE 0.8
/* Copies both ways at once, together (ummgr_figures_crossing).  */
#define BOTH 1.6

struct asked
{
  const struct ummgr_cuda_driver *driver;
  CUdevice device;
  struct ummgr_figures *out;
};

/* 0: not told.  */
static int
attribute (const struct asked *a, CUdevice_attribute which)
{
  int value = 0;
  if (a->driver->cuDeviceGetAttribute (&value, which, a->device) != CUDA_SUCCESS)
    return 0;
  return value > 0 ? value : 0;
}

#define FROM(OUT, KEY, VALUE, SOURCE)                                         \
  ((OUT)->KEY = (VALUE), (OUT)->source[UMMGR_FIGURE_##KEY] = (SOURCE))
#define TOLD(OUT, KEY, VALUE) FROM (OUT, KEY, VALUE, UMMGR_FIGURE_ATTRIBUTE)

static void
ask_memory (const struct asked *a)
{
  size_t total = 0;
  if (a->driver->cuDeviceTotalMem_v2
      && a->driver->cuDeviceTotalMem_v2 (&total, a->device) == CUDA_SUCCESS
      && total)
    TOLD (a->out, memory_bytes, total);
  /* In kHz and bits, at double data rate.  */
  double clock = attribute (a, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 1e3;
  double width = attribute (a, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8.;
  if (clock > 0 && width > 0)
    TOLD (a->out, memory_rate, 2 * clock * width);
  int cache = attribute (a, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  if (cache)
    TOLD (a->out, cache_bytes, (uint64_t) cache);
}

static void
ask_processors (const struct asked *a)
{
  struct ummgr_figures *out = a->out;
  int count = attribute (a, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  int threads = attribute (a, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  int major = attribute (a, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  if (count)
    TOLD (out, sm_count, count);
  if (threads)
    TOLD (out, max_threads_per_sm, threads);
  if (major)
    {
      TOLD (out, compute_major, major);
      TOLD (out, compute_minor,
	    attribute (a, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    }
}

/* --- the link to the host ---------------------------------------------------- */

/* The number that the file NAME of the PCI device ID begins with; 0: none.  */
static double
read_number (const char *pci, const char *id, const char *name)
{
  char path[512];
  double value = 0;
  snprintf (path, sizeof path, "%s/%s/%s", pci, id, name);
  FILE *file = fopen (path, "re");
  if (!file)
    return 0;
  if (fscanf (file, "%lf", &value) != 1 || !(value > 0 && value < 1e6))
    value = 0;
  fclose (file);
  return value;
}

static double
least (double a, double b)
{
  return a < b ? a : b;
}

/* Bytes per second each way of the PCIe link of ID; 0: not known.  A GPU that has
   nothing to do lowers the rate, so that what its two ends can do counts, where both
   are seen.  PCI Express Base Specification: gigatransfers of a bit a lane, of which up
   to 5.0 GT/s 8 of 10, then 128 of 130 and from 64 GT/s on 242 of 256 are data.  */
static double
pcie_rate (const char *pci, const char *id)
{
  double lanes = read_number (pci, id, "current_link_width");
  double speed = read_number (pci, id, "current_link_speed");
  double most = least (read_number (pci, id, "max_link_speed"),
		       read_number (pci, id, "../max_link_speed"));
  if (speed && most > speed)
    speed = most;
  double data = speed <= 5 ? 8 / 10. : speed < 64 ? 128 / 130. : 242 / 256.;
  return speed * 1e9 / 8 * data * lanes;
}

bool
ummgr_attributes_pci (const struct ummgr_cuda_driver *driver, CUdevice device, char *id,
		      size_t size)
{
  if (!driver->cuDeviceGetPCIBusId
      || driver->cuDeviceGetPCIBusId (id, (int) size, device) != CUDA_SUCCESS)
    return false;
  for (char *p = id; *p; p++)
    *p = (char) tolower ((unsigned char) *p);
  return *id && !strchr (id, '/');
}

/* A part of a GPU (MIG) has a UUID of its own, which only the second version gives.  All 0: it is none.  */
bool
ummgr_attributes_identity (const struct ummgr_cuda_driver *driver, CUdevice device, char *id, size_t size)
{
  CUuuid uuid = { { 0 } };
  bool any = false;
  CUresult (*get) (CUuuid *, CUdevice)
    = driver->cuDeviceGetUuid_v2 ? driver->cuDeviceGetUuid_v2 : driver->cuDeviceGetUuid;
  if (!get || size <= 2 * sizeof uuid.bytes || get (&uuid, device) != CUDA_SUCCESS)
    return false;
  for (size_t i = 0; i < sizeof uuid.bytes; i++)
    {
      any |= uuid.bytes[i] != 0;
      snprintf (id + 2 * i, 3, "%02x", (unsigned char) uuid.bytes[i]);
    }
  return any;
}

/* Of NVLink to the host, which nobody tells the number of: two of IBM's S822LC and
   AC922 with six GPUs (20 and 25 GB/s; with four there are three), and Grace's.  */
static double
nvlink_rate (int major)
{
  return major == 6 ? 40e9 : major == 7 ? 50e9 : major >= 9 ? 450e9 : 0;
}

static void
ask_link (const struct asked *a, const char *pci)
{
  char id[32];
  struct ummgr_figures *out = a->out;
  enum ummgr_figure_source source = UMMGR_FIGURE_ATTRIBUTE;
  double rate = 0;
  bool nvlink = attribute (a, CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED);
  /* PCIe has none for GPUs.  */
  if (nvlink)
    {
      rate = nvlink_rate (out->compute_major);
      source = UMMGR_FIGURE_ESTIMATE;
    }
  else if (ummgr_attributes_pci (a->driver, a->device, id, sizeof id))
    rate = pcie_rate (pci, id);
  if (rate <= 0)
    return;
  double copies = UMMGR_FIGURES_COPIES * rate;
  FROM (out, h2d_rate, copies, source);
  FROM (out, d2h_rate, copies, source);
  FROM (out, both_rate, BOTH * copies, UMMGR_FIGURE_ESTIMATE);
  FROM (out, remote_rate, REMOTE * copies, UMMGR_FIGURE_ESTIMATE);
  /* There is next to nothing to stage on a GH200: 93 GB/s, 97 if registered (vortex-data/vortex, issue 7815).  */
  FROM (out, pageable_h2d_rate, nvlink ? copies : fmin (copies, out->pageable_h2d_rate), UMMGR_FIGURE_ESTIMATE);
  FROM (out, pageable_d2h_rate, nvlink ? copies : fmin (copies, out->pageable_d2h_rate), UMMGR_FIGURE_ESTIMATE);
}

/* Only NVLink has atomics between GPUs.  */
bool
ummgr_attributes_link (const struct ummgr_cuda_driver *driver, CUdevice device,
		       CUdevice other, struct ummgr_device_link *out)
{
  int direct = 0, atomics = 0;
  if (!driver->cuDeviceGetP2PAttribute
      || driver->cuDeviceGetP2PAttribute (&direct, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED,
					  device, other) != CUDA_SUCCESS
      || driver->cuDeviceGetP2PAttribute (&atomics,
					  CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
					  device, other) != CUDA_SUCCESS)
    return false;
  *out = (struct ummgr_device_link) { .direct = direct, .nvlink = atomics };
  return true;
}

bool
ummgr_attributes_figures (const struct ummgr_cuda_driver *driver,
			  CUdevice device, const char *pci,
			  struct ummgr_figures *out)
{
  const struct asked asked = { driver, device, out };
  if (!driver->cuDeviceGetAttribute)
    return false;
  if (driver->cuDeviceGetName
      && driver->cuDeviceGetName (out->name, sizeof out->name, device)
	 == CUDA_SUCCESS)
    out->source[UMMGR_FIGURE_name] = UMMGR_FIGURE_ATTRIBUTE;
  ask_memory (&asked);
  ask_processors (&asked);
  ask_link (&asked, pci);
  return true;
}
