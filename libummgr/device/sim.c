/* The simulated driver: the only file outside it that knows its interface.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "device/sim.h"
#include "device/sim-api.h"
#include "base/log.h"

#include <dlfcn.h>
#include <stdio.h>

static const struct ummgr_sim_api *
find (void *driver)
{
  const struct ummgr_sim_api *(*get) (void)
    = (const struct ummgr_sim_api *(*) (void)) (intptr_t)
      dlsym (driver, "ummgr_sim_api");
  return get ? get () : NULL;
}

const struct ummgr_device_ops *
ummgr_device_simulated (void *driver)
{
  const struct ummgr_sim_api *api = find (driver);
  return api ? &api->ops : NULL;
}

bool
ummgr_device_load_simulated (const char *file)
{
  if (dlopen (file, RTLD_LAZY | RTLD_LOCAL))
    return true;
  ummgr_error ("cuda: the simulated driver can't be loaded: %s", dlerror ());
  return false;
}

void
ummgr_device_ask_simulated (const char *file, char *buf, size_t size)
{
  void *driver = dlopen (file, RTLD_NOW);
  if (!driver)
    {
      snprintf (buf, size, "!%s", dlerror ());
      return;
    }
  int (*init) (unsigned)
    = (int (*) (unsigned)) (intptr_t) dlsym (driver, "cuInit");
  int (*count) (int *)
    = (int (*) (int *)) (intptr_t) dlsym (driver, "cuDeviceGetCount");
  int error = init ? init (0) : -1, devices = 0;
  const struct ummgr_sim_api *api = error == 0 ? find (driver) : NULL;
  if (!api)
    {
      snprintf (buf, size, "!cuInit of %s failed (%d)", file, error);
      return;
    }
  if (count)
    count (&devices);
  const char *scaling = api->ops.scaling ();
  snprintf (buf, size, "profile %s, %d device%s%s%s; %s", api->ops.profile (),
	    devices, devices == 1 ? "" : "s", *scaling ? ", " : "", scaling,
	    api->kernel_faults ()
	    ? "system calls may touch managed memory"
	    : "system calls on managed memory may fail (userfaultfd can't "
	      "serve the kernel's own accesses here)");
}
