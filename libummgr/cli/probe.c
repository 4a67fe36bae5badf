/* Is there a real GPU?
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A child process loads the driver: one that crashes, prints or hangs on to devices does
   no harm here.
   The simulated driver is not taken for a real one.  */

#include "config.h"
#include "cli/cli.h"
#include "device/sim.h"

#include <dlfcn.h>
#include <string.h>

static void
ask_driver (const void *unused, void *answer)
{
  struct ummgr_cli_gpu *out = answer;
  (void) unused;
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  if (!driver || ummgr_device_simulated (driver))
    return;
#define RESOLVE(NAME, ...)                                                    \
  int (*NAME) (__VA_ARGS__)                                                   \
    = (int (*) (__VA_ARGS__)) (intptr_t) dlsym (driver, #NAME)
  RESOLVE (cuInit, unsigned);
  RESOLVE (cuDriverGetVersion, int *);
  RESOLVE (cuDeviceGetCount, int *);
  RESOLVE (cuDeviceGet, int *, int);
  RESOLVE (cuDeviceGetName, char *, int, int);
  RESOLVE (cuDeviceTotalMem_v2, size_t *, int);
#undef RESOLVE
  int count = 0;
  if (!cuInit || !cuDeviceGetCount || !cuDeviceGet || cuInit (0) != 0
      || cuDeviceGetCount (&count) != 0 || count <= 0)
    return;
  if (cuDriverGetVersion)
    cuDriverGetVersion (&out->driver_version);
  for (int i = 0; i < count; i++)
    {
      int device;
      size_t memory = 0;
      if (cuDeviceGet (&device, i) != 0)
	continue;
      if (i == 0 && cuDeviceGetName)
	cuDeviceGetName (out->name, sizeof out->name, device);
      if (cuDeviceTotalMem_v2 && cuDeviceTotalMem_v2 (&memory, device) == 0
	  && (out->memory == 0 || memory < out->memory))
	out->memory = memory;
    }
  out->devices = count;
}

void
ummgr_cli_probe_gpu (struct ummgr_cli_gpu *out)
{
  int status;
  /* A driver that hangs is none.  */
  ummgr_cli_ask_apart (ask_driver, NULL, out, sizeof *out, 60, &status);
  out->name[sizeof out->name - 1] = 0;
}
