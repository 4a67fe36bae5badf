/* The CUDA driver's calls of who measures its devices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the contexts that it opens, of which each stays current while the calling thread
   uses it, and what is in them.  Times are those of events: on the simulated driver they
   are modelled.  */

#include "config.h"
#include "device/cuda-measure.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

enum { MODULES = 4, EVENTS = 2, STREAMS = 2 };

struct opened
{
  CUcontext context;
  CUmodule module[MODULES];
  int modules;
  CUevent event[EVENTS];	/* Of begin and end.  */
  CUstream stream[STREAMS];	/* In and out.  */
};

static struct ummgr_cuda_driver driver;
static struct opened opened[UMMGR_DEVICES_MAX];

static struct opened *
of (const struct ummgr_device *device)
{
  return &opened[device->number];
}

static enum ummgr_status
status_of (CUresult r, const char *call)
{
  const char *text = NULL;
  if (r == CUDA_SUCCESS)
    return UMMGR_OK;
  if (driver.cuGetErrorString)
    driver.cuGetErrorString (r, &text);
  ummgr_error ("cuda: %s failed: %s (%d)", call, text ? text : "unknown", r);
  return UMMGR_ERR_DRIVER;
}

#define CALL(NAME, ...) status_of (driver.NAME (__VA_ARGS__), #NAME)

/* Run CALL (NAME, ...) with DEVICE's context current.  */
#define CALL_IN(DEVICE, NAME, ...)                                            \
  ({                                                                          \
    CUcontext left;                                                           \
    enum ummgr_status entered = CALL (cuCtxPushCurrent_v2, of (DEVICE)->context); \
    if (!entered)                                                             \
      {                                                                       \
	entered = CALL (NAME, __VA_ARGS__);                                   \
	driver.cuCtxPopCurrent_v2 (&left);                                    \
      }                                                                       \
    entered;                                                                  \
  })

/* --- contexts --------------------------------------------------------------- */

static void
close_device (struct ummgr_device *device)
{
  struct opened *o = of (device);
  CUcontext left;
  if (!o->context || driver.cuCtxPushCurrent_v2 (o->context) != CUDA_SUCCESS)
    return;
  for (int i = 0; i < o->modules; i++)
    driver.cuModuleUnload (o->module[i]);
  for (int i = 0; i < EVENTS; i++)
    if (o->event[i])
      driver.cuEventDestroy_v2 (o->event[i]);
  for (int i = 0; i < STREAMS; i++)
    if (o->stream[i])
      driver.cuStreamDestroy_v2 (o->stream[i]);
  driver.cuCtxPopCurrent_v2 (&left);
  ummgr_cuda_attach (device->number, NULL);
  driver.cuDevicePrimaryCtxRelease_v2 (device->number);
  memset (o, 0, sizeof *o);
}

static enum ummgr_status
open_device (struct ummgr_device *device)
{
  struct opened *o = of (device);
  enum ummgr_status status
    = CALL (cuDevicePrimaryCtxRetain, &o->context, device->number);
  if (status)
    return status;
  for (int i = 0; i < EVENTS && !status; i++)
    status = CALL_IN (device, cuEventCreate, &o->event[i], 0);
  for (int i = 0; i < STREAMS && !status; i++)
    status = CALL_IN (device, cuStreamCreate, &o->stream[i], 0);
  if (status)
    close_device (device);
  else
    ummgr_cuda_attach (device->number, o->context);
  return status;
}

/* --- kernels ---------------------------------------------------------------- */

static enum ummgr_status
kernel (struct ummgr_device *device, const char *text, const char *name,
	void **kernel_p)
{
  struct opened *o = of (device);
  CUfunction function;
  if (o->modules == MODULES)
    return UMMGR_ERR_LIMIT;
  enum ummgr_status status
    = CALL_IN (device, cuModuleLoadData, &o->module[o->modules], text);
  if (status)
    return status;
  CUmodule module = o->module[o->modules++];
  status = CALL_IN (device, cuModuleGetFunction, &function, module, name);
  if (!status)
    *kernel_p = function;
  return status;
}

static enum ummgr_status
launch (struct ummgr_device *device, void *kernel, uintptr_t argument,
	unsigned teams, unsigned warps)
{
  size_t size = sizeof argument;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &argument,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  enum ummgr_status status
    = CALL_IN (device, cuLaunchKernel, kernel, teams, 1, 1, 32, warps, 1, 0,
	       NULL, NULL, extra);
  return status ? status : CALL_IN (device, cuCtxSynchronize);
}

/* --- time, copies ----------------------------------------------------------- */

static enum ummgr_status
begin (struct ummgr_device *device)
{
  return CALL_IN (device, cuEventRecord, of (device)->event[0], NULL);
}

static enum ummgr_status
end (struct ummgr_device *device, double *seconds_p)
{
  struct opened *o = of (device);
  float milliseconds;
  /* The default stream's, it comes after what is in the other streams.  */
  enum ummgr_status status = CALL_IN (device, cuEventRecord, o->event[1], NULL);
  if (!status)
    status = CALL_IN (device, cuEventSynchronize, o->event[1]);
  if (!status)
    status = CALL_IN (device, cuEventElapsedTime, &milliseconds, o->event[0],
		      o->event[1]);
  if (!status)
    *seconds_p = milliseconds / 1e3;
  return status;
}

static enum ummgr_status
copy_both (struct ummgr_device *device, uintptr_t to, const void *host_from,
	   void *host_to, uintptr_t from, size_t size)
{
  struct opened *o = of (device);
  enum ummgr_status status = CALL_IN (device, cuMemcpyHtoDAsync_v2, to,
				      host_from, size, o->stream[0]);
  return status ? status : CALL_IN (device, cuMemcpyDtoHAsync_v2, host_to, from,
				    size, o->stream[1]);
}

/* --- other devices ---------------------------------------------------------- */

static enum ummgr_status
enable (struct ummgr_device *device, struct ummgr_device *other)
{
  CUcontext left;
  enum ummgr_status status = CALL (cuCtxPushCurrent_v2, of (device)->context);
  if (status)
    return status;
  CUresult r = driver.cuCtxEnablePeerAccess (of (other)->context, 0);
  driver.cuCtxPopCurrent_v2 (&left);
  if (r == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
    return UMMGR_ERR_UNSUPPORTED;
  return r == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
    ? UMMGR_OK : status_of (r, "cuCtxEnablePeerAccess");
}

static enum ummgr_status
peer (struct ummgr_device *device, struct ummgr_device *other)
{
  enum ummgr_status status = enable (device, other);
  return status ? status : enable (other, device);
}

static enum ummgr_status
copy_peer (struct ummgr_device *device, uintptr_t to, struct ummgr_device *other,
	   uintptr_t from, size_t size)
{
  return CALL_IN (device, cuMemcpyPeerAsync, to, of (device)->context, from,
		  of (other)->context, size, NULL);
}

/* The version of NVIDIA's module; empty where it isn't there.  */
static void
module_version (char version[32])
{
  FILE *file = fopen ("/sys/module/nvidia/version", "re");
  *version = 0;
  if (!file)
    return;
  if (fscanf (file, "%31s", version) != 1)
    *version = 0;
  fclose (file);
}

static enum ummgr_status
tell_driver (int *devices_p, char *version, size_t size)
{
  int cuda = 0;
  char module[32];
  enum ummgr_status status = CALL (cuInit, 0);
  if (!status)
    status = CALL (cuDeviceGetCount, devices_p);
  if (!status)
    status = CALL (cuDriverGetVersion, &cuda);
  module_version (module);
  snprintf (version, size, "%s%sCUDA %d.%d", module, *module ? ", " : "",
	    cuda / 1000, cuda % 1000 / 10);
  return status;
}

const struct ummgr_measure_ops *
ummgr_cuda_measure (const struct ummgr_cuda_driver *found)
{
  static const struct ummgr_measure_ops ops = {
    .open = open_device,
    .close = close_device,
    .kernel = kernel,
    .launch = launch,
    .begin = begin,
    .end = end,
    .copy_both = copy_both,
    .peer = peer,
    .copy_peer = copy_peer,
    .driver = tell_driver
  };
#define CALL_NEEDED(NAME, ARGS, OPTIONAL)                                     \
  if (!found->NAME)                                                           \
    return NULL;
  UMMGR_CUDA_MEASURE_CALLS (CALL_NEEDED)
  driver = *found;
  return &ops;
}
