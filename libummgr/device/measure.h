/* What a device is asked for by who measures it (calibrate/).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For a process that has no libgomp to make the device's context.  One thread.  Errors of
   the driver are logged here.  */

#pragma once

#include "device/device.h"

struct ummgr_measure_ops
{
  /* Make a context, so that the slots of device.h work; let it go, with all that these
     slots made in it.  */
  enum ummgr_status (*open) (struct ummgr_device *device);
  void (*close) (struct ummgr_device *device);

  /* The kernel NAME of TEXT, a module of PTX, until close.  */
  enum ummgr_status (*kernel) (struct ummgr_device *device, const char *text,
			       const char *name, void **kernel_p);

  /* Run it with ARGUMENT as its only parameter, in TEAMS teams of WARPS warps, and wait
     for it.  */
  enum ummgr_status (*launch) (struct ummgr_device *device, void *kernel,
			       uintptr_t argument, unsigned teams, unsigned warps);

  /* The seconds from the one, after all that was asked for before it, to the other,
     which waits for all that was asked for since: by the device's own clock, which on
     the simulated driver is the modelled one.  */
  enum ummgr_status (*begin) (struct ummgr_device *device);
  enum ummgr_status (*end) (struct ummgr_device *device, double *seconds_p);

  /* Copy SIZE bytes in and as many out, at once; does not wait.  HOST_FROM and HOST_TO
     are pinned.  */
  enum ummgr_status (*copy_both) (struct ummgr_device *device, uintptr_t to,
				  const void *host_from, void *host_to,
				  uintptr_t from, size_t size);

  /* Let DEVICE and OTHER, which is open too, reach each other's memory;
     UMMGR_ERR_UNSUPPORTED, silently, where they can't.  */
  enum ummgr_status (*peer) (struct ummgr_device *device, struct ummgr_device *other);

  /* From OTHER's memory to DEVICE's; does not wait.  */
  enum ummgr_status (*copy_peer) (struct ummgr_device *device, uintptr_t to,
				  struct ummgr_device *other, uintptr_t from,
				  size_t size);

  /* How many devices there are, and the driver's version in words.  */
  enum ummgr_status (*driver) (int *devices_p, char *version, size_t size);
};
