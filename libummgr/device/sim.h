/* The simulated driver, as far as it isn't a driver like another.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "device/device.h"

/* The slots that it fills, if DRIVER (of dlopen) is the simulated one; else NULL.  */
const struct ummgr_device_ops *ummgr_device_simulated (void *driver);

/* What the simulated driver FILE says of itself, in words; after a '!' why it does
   not work.  Loads it: for a process that does nothing else.  */
void ummgr_device_ask_simulated (const char *file, char *buf, size_t size);

/* Load it, so that it is the driver that cuda-open.c finds; false after a message.  */
bool ummgr_device_load_simulated (const char *file);
