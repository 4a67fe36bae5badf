/* Is there a real GPU?
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A child process loads the driver and tells what it found through a pipe:
   a driver that crashes, prints or hangs on to devices does no harm here.
   The simulated driver is not taken for a real one.  */

#include "config.h"
#include "cli/cli.h"
#include "device/sim.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
ask_driver (struct ummgr_cli_gpu *out)
{
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
  struct ummgr_cli_gpu found = { 0 };
  int fds[2];
  memset (out, 0, sizeof *out);
  if (pipe (fds) != 0)
    return;
  pid_t child = fork ();
  if (child == 0)
    {
      alarm (60);		/* A driver that hangs is none.  */
      ask_driver (&found);
      _exit (write (fds[1], &found, sizeof found) != sizeof found);
    }
  close (fds[1]);
  ssize_t n;
  do
    n = read (fds[0], &found, sizeof found);
  while (n < 0 && errno == EINTR);
  close (fds[0]);
  if (child > 0)
    while (waitpid (child, NULL, 0) < 0 && errno == EINTR)
      ;
  if (n == sizeof found)
    {
      found.name[sizeof found.name - 1] = 0;
      *out = found;
    }
}
