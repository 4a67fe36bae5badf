/* Between libummgr and the shim in front of libgomp's nvptx plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libummgr opens the shim before libgomp looks for the plugin, and finds
   ummgr_shim_api in it.  The shim works without libummgr too (see
   gomp/shim/alone.c).  Everything may be called from any thread.  */

#pragma once

#include "base/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMMGR_SHIM_API_VERSION 9

struct ummgr_options;

/* What libummgr wants to hear.  Called under libgomp's lock of the device, but where
   it says otherwise: none of these may wait for a lock that is held around a libgomp
   call.  */
struct ummgr_shim_client
{
  /* libgomp's exit handler is next, no lock is held; it closes the last device.  */
  void (*exiting) (void);
  void (*closed) (void);
  /* libgomp is about to close device ORDINAL; its context still works.  Must it stay until the
     process ends?  */
  bool (*device_closing) (int ordinal);
  /* Is what the calling thread does the recorder's own business?  It is not counted,
     and takes nothing of --device-mem.  */
  bool (*own) (void);
  /* Device ORDINAL has the image of DATA: what its COUNT functions and variables are at, from
     PAIRS[I][0] to PAIRS[I][1].  */
  void (*loaded) (int ordinal, const void *data, const uintptr_t (*pairs)[2], size_t count);
  /* libgomp has copied SIZE bytes to ADDRESS, IN, or from there.  */
  void (*copied) (int ordinal, uint64_t address, size_t size, bool in);

  /* libgomp asked for SIZE bytes, which device ORDINAL doesn't have.  */
  void (*refused) (int ordinal, uint64_t size);

  /* Of libgomp's own doing, for the trace; called only while *TRACING.  SIZE
     bytes are about to be copied to ADDRESS, or were copied from there; a block
     is about to be freed; a kernel is about to run with the table of its
     arguments at TABLE, and has run, while all that it used is still there.  Of the
     last two no lock is held: they may call libgomp.  */
  const bool *tracing;
  void (*copying_in) (int ordinal, uint64_t address, const void *host,
		      size_t size);
  void (*copied_out) (int ordinal, uint64_t address, const void *host,
		      size_t size);
  void (*freeing) (int ordinal, uint64_t address, size_t size);
  void (*launching) (int ordinal, uint64_t table);
  void (*launched) (int ordinal);

  /* For the checker, only while *CHECKING: libgomp's blocks then have bytes around them, are
     filled, and are kept for a while when they were freed (gomp/shim/guard.c).  A block is there, was
     freed, may be another's; SIZE bytes are about to be copied in, were copied out, or will be
     within the device.  */
  const bool *checking;
  void (*block_allocated) (int ordinal, uint64_t address, size_t size, size_t before, size_t after);
  void (*block_freed) (int ordinal, uint64_t address);
  void (*block_gone) (int ordinal, uint64_t address);
  void (*check_in) (int ordinal, uint64_t address, const void *host, size_t size);
  void (*check_out) (int ordinal, uint64_t address, const void *host, size_t size);
  void (*check_within) (int ordinal, uint64_t to, uint64_t from, size_t size);
};

struct ummgr_shim_api
{
  uint32_t version;

  /* libummgr is here: the shim applies no policy, writes no statistics, and
     goes by these OPTIONS.  Before libgomp's first call.  */
  void (*set_client) (const struct ummgr_shim_client *client,
		      const struct ummgr_options *options);

  /* Devices that the real plugin has; -1 if libgomp did not ask yet, and so
     does not use this shim, or uses an interface that it only passes on.  */
  int (*num_devices) (void);

  /* CUDA context of device ORDINAL once libgomp has initialised it, else
     NULL.  */
  void *(*context) (int ordinal);

  /* Bytes that libgomp has copied, and launches.  */
  void (*counters) (int ordinal, struct ummgr_counters *out);

  /* Bytes of device memory that libgomp has allocated and not freed.  */
  uint64_t (*allocated) (int ordinal);

  /* How often libgomp has copied, in or out.  */
  uint64_t (*copies) (int ordinal);

  /* What libgomp allocates next, in the calling thread, is ADDRESS of device ORDINAL, which stays
     whose it is; ADDRESS 0: nothing any more.  Has it that already?  */
  void (*lend) (int ordinal, uint64_t address);
  bool (*lent) (int ordinal, uint64_t address);
};

/* The only symbol of the shim beside the plugin interface.  */
extern const struct ummgr_shim_api ummgr_shim_api;
