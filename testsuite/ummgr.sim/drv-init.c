/* A driver that answers before cuInit, that lacks an entry point libgomp's
   plugin resolves, or whose devices are not the profile's.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_GPUS=2" } */

#include "driver-test.h"
#include "device/sim-api.h"

#include <dlfcn.h>
#include <strings.h>

static void
before (void)
{
  int n;
  CUcontext context;
  CUdevice device;
  CUdeviceptr p;
  const char *text;
  GIVES (NOT_INITIALIZED, cuDeviceGetCount (&n));
  GIVES (NOT_INITIALIZED, cuDeviceGet (&device, 0));
  GIVES (NOT_INITIALIZED, cuCtxCreate_v2 (&context, 0, 0));
  GIVES (NOT_INITIALIZED, cuCtxGetCurrent (&context));
  GIVES (NOT_INITIALIZED, cuCtxSynchronize ());
  GIVES (NOT_INITIALIZED, cuMemAlloc_v2 (&p, 64));
  GIVES (NOT_INITIALIZED, cuStreamQuery (NULL));
  OK (cuDriverGetVersion (&n));
  CHECK (n >= 12000);
  GIVES (INVALID_VALUE, cuDriverGetVersion (NULL));
  OK (cuGetErrorString (CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK (strcmp (text, "out of memory") == 0);
  OK (cuGetErrorName (CUDA_ERROR_NOT_FOUND, &text));
  CHECK (strcmp (text, "CUDA_ERROR_NOT_FOUND") == 0);
  OK (cuGetErrorName (214, &text));
  CHECK (strcmp (text, "CUDA_ERROR_ECC_UNCORRECTABLE") == 0);
  OK (cuGetErrorString (702, &text));
  CHECK (strcmp (text, "the launch timed out and was terminated") == 0);
  GIVES (INVALID_VALUE, cuGetErrorName (12345, &text));
  CHECK (text == NULL);
  GIVES (INVALID_VALUE, cuInit (1));
  OK (cuInit (0));
  OK (cuInit (0));
}

static void
entry_points (void)
{
  static const char *const names[] = {
#define CUDA_ENTRY(NAME, PARAMETERS) #NAME,
#include "device/cuda-entry.def"
#undef CUDA_ENTRY
  };
  void *self = dlopen ("libcuda.so.1", RTLD_NOW);
  CHECK (self);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!dlsym (self, names[i]))
      {
	fprintf (stderr, "%s is not exported\n", names[i]);
	abort ();
      }
  CHECK (dlsym (self, "ummgr_sim_api"));
  CHECK (!dlsym (self, "sim_mem_alloc"));
  CHECK (!dlsym (self, "ummgr_log_print"));

  void *p;
  int status;
  OK (cuGetProcAddress_v2 ("cuMemAlloc", &p, 12000, 0, &status));
  CHECK (p == (void *) cuMemAlloc_v2 && status == 0);
  OK (cuGetProcAddress_v2 ("cuMemAdvise", &p, 12020, 0, NULL));
  CHECK (p == (void *) cuMemAdvise_v2);
  OK (cuGetProcAddress_v2 ("cuMemAdvise", &p, 12000, 0, NULL));
  CHECK (p == (void *) cuMemAdvise);
  GIVES (NOT_FOUND, cuGetProcAddress_v2 ("cuNothing", &p, 12000, 0, NULL));
  OK (cuGetProcAddress_v2 ("cuNothing", &p, 12000, 0, &status));
  CHECK_EQ (status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

static int
attribute (int which, int device)
{
  int value = -1;
  OK (cuDeviceGetAttribute (&value, which, device));
  return value;
}

static void
devices (void)
{
  int n, value;
  CUdevice device;
  char text[64];
  size_t bytes;
  CUuuid a, b;
  OK (cuDeviceGetCount (&n));
  CHECK_EQ (n, 2);
  OK (cuDeviceGet (&device, 1));
  CHECK_EQ (device, 1);
  GIVES (INVALID_DEVICE, cuDeviceGet (&device, 2));
  GIVES (INVALID_DEVICE, cuDeviceGet (&device, -1));
  GIVES (INVALID_VALUE, cuDeviceGet (NULL, 0));
  OK (cuDeviceGetName (text, sizeof text, 0));
  CHECK (strstr (text, "V100"));
  OK (cuDeviceGetName (text, 3, 0));
  CHECK_EQ (strlen (text), 2);
  OK (cuDeviceTotalMem_v2 (&bytes, 0));
  CHECK (bytes > (size_t) 1 << 30);
  GIVES (INVALID_DEVICE, cuDeviceTotalMem_v2 (&bytes, 7));
  OK (cuDeviceGetUuid (&a, 0));
  OK (cuDeviceGetUuid_v2 (&b, 1));
  CHECK (memcmp (&a, &b, sizeof a) != 0);
  for (int d = 0; d < 2; d++)
    {
      OK (cuDeviceGetPCIBusId (text, sizeof text, d));
      OK (cuDeviceGetByPCIBusId (&device, text));
      CHECK_EQ (device, d);
    }
  GIVES (INVALID_VALUE, cuDeviceGetByPCIBusId (&device, "nonsense"));
  GIVES (INVALID_DEVICE, cuDeviceGetByPCIBusId (&device, "0000:FE:00.0"));
  CHECK_EQ (attribute (CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), 32);
  CHECK_EQ (attribute (CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0), 80);
  CHECK_EQ (attribute (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1), 1);
  CHECK_EQ (attribute (CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0), 7);
  GIVES (INVALID_VALUE, cuDeviceGetAttribute (&value, 0, 0));
  GIVES (INVALID_VALUE, cuDeviceGetAttribute (&value, 9999, 0));
  GIVES (INVALID_DEVICE,
	 cuDeviceGetAttribute (&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 9));
}

static void
sim_api (void)
{
  const struct ummgr_device_ops *api = &ummgr_sim_api ()->ops;
  struct ummgr_device last = { api, 1 }, none = { api, 2 };
  CHECK (strcmp (api->profile (), "v100-nvlink2") == 0);
  CHECK (api->scaling () && api->fidelity ());
  struct ummgr_counters c;
  CHECK (api->counters (&last, &c));
  CHECK (!api->counters (&none, &c));
  /* The soft stacks of libgomp's plugin take none of the capacity.  */
  start (0);
  size_t before_free, after_free, total;
  CUdeviceptr p;
  OK (cuMemGetInfo_v2 (&before_free, &total));
  api->scratch_alloc (true);
  OK (cuMemAlloc_v2 (&p, 64 << 20));
  api->scratch_alloc (false);
  OK (cuMemGetInfo_v2 (&after_free, &total));
  CHECK_EQ (before_free, after_free);
  OK (cuMemFree_v2 (p));
}

int
main (void)
{
  before ();
  entry_points ();
  devices ();
  sim_api ();
  return 0;
}
