/* Finding and loading the CUDA driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing: a driver that was loaded stays loaded, as libgomp's plugin
   keeps it too.  Makes no driver call.  */

#include "config.h"
#include "device/cuda.h"
#include "device/cuda-open.h"
#include "device/sim.h"
#include "base/log.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER_SONAME "libcuda.so.1"

/* The directory of the library this code is linked into, with its '/'.  */
static bool
own_directory (char *buf, size_t size)
{
  Dl_info info;
  if (!dladdr ((void *) own_directory, &info) || !info.dli_fname)
    return false;
  const char *slash = strrchr (info.dli_fname, '/');
  if (!slash || (size_t) (slash - info.dli_fname) + 2 > size)
    return false;
  snprintf (buf, size, "%.*s", (int) (slash - info.dli_fname + 1),
	    info.dli_fname);
  return true;
}

/* Is a real GPU likely?  Asking the driver itself would load it, and then
   the simulated one could not take its place.  */
static bool
real_gpu_visible (void)
{
  return access ("/dev/nvidiactl", F_OK) == 0
    || access ("/proc/driver/nvidia/version", F_OK) == 0
    || access ("/dev/dxg", F_OK) == 0;
}

static bool
load_simulated (void)
{
  char dir[3072], path[4096];
  if (own_directory (dir, sizeof dir))
    {
      /* Beside the shim, and beside libummgr.so.  */
      static const char *const places[] = { "sim/", "ummgr/sim/" };
      for (size_t i = 0; i < 2; i++)
	{
	  snprintf (path, sizeof path, "%s%s" DRIVER_SONAME, dir, places[i]);
	  if (dlopen (path, RTLD_LAZY | RTLD_LOCAL))
	    return true;
	}
    }
  return dlopen (UMMGR_PKGLIBDIR "/sim/" DRIVER_SONAME,
		 RTLD_LAZY | RTLD_LOCAL) != NULL;
}

void
ummgr_cuda_choose (const char *gpu)
{
  /* Whatever is there already is what the plugin gets.  */
  if (dlopen (DRIVER_SONAME, RTLD_LAZY | RTLD_NOLOAD))
    return;
  /* The simulator stands in for a GPU only where someone asked: a program
     that is merely linked with libummgr shall not become a simulation on a
     machine without a GPU.  */
  const char *asked = getenv ("UMMGR_GPU");
  bool simulate = strcmp (gpu, "sim") == 0
    || (asked && strcmp (asked, "auto") == 0 && !real_gpu_visible ());
  if (!simulate)
    return;
  if (load_simulated ())
    ummgr_info ("cuda: using the simulated driver");
  else
    ummgr_error ("cuda: the simulated driver was not found beside libummgr: "
		 "%s", dlerror ());
}

bool
ummgr_cuda_resolve (const char *gpu, struct ummgr_cuda_driver *driver,
		    const struct ummgr_device_ops **more_p)
{
  ummgr_cuda_choose (gpu);
  void *handle = dlopen (DRIVER_SONAME, RTLD_LAZY | RTLD_LOCAL);
  if (!handle)
    {
      ummgr_debug ("cuda: %s", dlerror ());
      return false;
    }
#define CALL(NAME, ARGS, OPTIONAL)                                            \
  *(void **) &driver->NAME = dlsym (handle, #NAME);                           \
  if (!driver->NAME && !OPTIONAL)                                             \
    {                                                                         \
      ummgr_warn ("cuda: the driver has no %s; it is too old for ummgr",      \
		  #NAME);                                                     \
      return false;                                                           \
    }
  UMMGR_CUDA_CALLS (CALL)
#undef CALL
  *more_p = ummgr_device_simulated (handle);
  return true;
}
