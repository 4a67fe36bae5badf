/* What a GPU is and costs, as its driver and the system tell it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "device/cuda.h"

/* Replace what OUT, which holds estimates, says of DRIVER's DEVICE by what is known.
   PCI is where the system shows its PCI devices.  False without a driver.  */
bool ummgr_attributes_figures (const struct ummgr_cuda_driver *driver,
			       CUdevice device, const char *pci,
			       struct ummgr_figures *out);

/* Where the system has DEVICE on the PCI bus, as it spells it.  False: not told.  */
bool ummgr_attributes_pci (const struct ummgr_cuda_driver *driver, CUdevice device,
			   char *id, size_t size);

/* DEVICE's UUID, as 32 digits.  False: not told.  */
bool ummgr_attributes_identity (const struct ummgr_cuda_driver *driver, CUdevice device,
				char *id, size_t size);

/* What DRIVER says of the way from OTHER to DEVICE.  False: nothing.  */
bool ummgr_attributes_link (const struct ummgr_cuda_driver *driver, CUdevice device,
			    CUdevice other, struct ummgr_device_link *out);
