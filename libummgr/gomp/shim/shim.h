/* Inside the shim.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "gomp/shim-api.h"
#include "base/options.h"

#include <stdbool.h>
#include <stddef.h>

/* What is only passed on: the shim need not know its arguments, which differ
   between GCC 11 and 16.  In the order of the jump slots.  GCC 14 is the first to
   ask for the last two; 16's libgomp wants memset and openacc_async_dev2dev, or has no
   device, and asks for those between, too.  */
#define UMMGR_SHIM_FORWARDED(ENTRY)                                           \
  ENTRY (get_name)                                                            \
  ENTRY (get_caps)                                                            \
  ENTRY (get_type)                                                            \
  ENTRY (openacc_exec)                                                        \
  ENTRY (openacc_create_thread_data)                                          \
  ENTRY (openacc_destroy_thread_data)                                         \
  ENTRY (openacc_async_construct)                                             \
  ENTRY (openacc_async_destruct)                                              \
  ENTRY (openacc_async_test)                                                  \
  ENTRY (openacc_async_synchronize)                                           \
  ENTRY (openacc_async_serialize)                                             \
  ENTRY (openacc_async_queue_callback)                                        \
  ENTRY (openacc_async_exec)                                                  \
  ENTRY (openacc_async_dev2host)                                              \
  ENTRY (openacc_async_host2dev)                                              \
  ENTRY (openacc_cuda_get_current_device)                                     \
  ENTRY (openacc_cuda_get_current_context)                                    \
  ENTRY (openacc_cuda_get_stream)                                             \
  ENTRY (openacc_cuda_set_stream)                                             \
  ENTRY (openacc_get_property)                                                \
  ENTRY (openacc_async_dev2dev)                                               \
  ENTRY (memset)                                                              \
  ENTRY (get_uid)                                                             \
  ENTRY (managed_alloc)                                                       \
  ENTRY (managed_free)                                                        \
  ENTRY (is_accessible_ptr)                                                   \
  ENTRY (page_locked_host_alloc)                                              \
  ENTRY (page_locked_host_free)                                               \
  ENTRY (interop)                                                             \
  ENTRY (get_interop_int)                                                     \
  ENTRY (get_interop_ptr)                                                     \
  ENTRY (get_interop_str)                                                     \
  ENTRY (get_interop_type_desc)                                               \
  ENTRY (memcpy2d)                                                            \
  ENTRY (memcpy3d)

/* What the shim takes a look at; the same in GCC 11 to 16, but for
   get_num_devices, which had no argument before 13, and for load_image, which
   has the first four in 11.  */
#define UMMGR_SHIM_WRAPPED(ENTRY)                                             \
  ENTRY (unsigned, version, (void))                                           \
  ENTRY (int, get_num_devices, (unsigned requires_mask))                      \
  ENTRY (bool, init_device, (int ordinal))                                    \
  ENTRY (bool, fini_device, (int ordinal))                                    \
  ENTRY (int, load_image,                                                     \
	 (int ordinal, unsigned version, const void *data, void *targets,     \
	  void *reverse, void *indirect))                                     \
  ENTRY (bool, unload_image,                                                  \
	 (int ordinal, unsigned version, const void *data))                   \
  ENTRY (void *, alloc, (int ordinal, size_t size))                           \
  ENTRY (bool, free, (int ordinal, void *address))                            \
  ENTRY (bool, dev2host,                                                      \
	 (int ordinal, void *dst, const void *src, size_t size))              \
  ENTRY (bool, host2dev,                                                      \
	 (int ordinal, void *dst, const void *src, size_t size))              \
  ENTRY (bool, dev2dev,                                                       \
	 (int ordinal, void *dst, const void *src, size_t size))              \
  ENTRY (void, run,                                                           \
	 (int ordinal, void *function, void *variables, void **arguments))

struct ummgr_shim_plugin
{
#define ENTRY(RETURN, NAME, ARGS) RETURN (*NAME) ARGS;
  UMMGR_SHIM_WRAPPED (ENTRY)
#undef ENTRY
};

/* The real plugin's; filled before libgomp's first call returns.  */
extern struct ummgr_shim_plugin ummgr_shim_plugin;
extern void *ummgr_shim_slots[];

/* Find the real plugin and fill the tables.  False after one message.  */
bool ummgr_shim_load (const struct ummgr_options *options);

/* The interface version of the libgomp in the process, by what it exports:
   without the real plugin the shim must answer with it, or libgomp
   complains.  */
unsigned ummgr_shim_libgomp_version (void);

/* Blocks while the checker is on: gomp/shim/guard.c.  The second is false for what is no such
   block, and *SIZE_P is what libgomp asked for.  */
struct ummgr_shim_client;
void *ummgr_shim_guard_alloc (const struct ummgr_shim_client *client, int ordinal, size_t size);
bool ummgr_shim_guard_free (const struct ummgr_shim_client *client, int ordinal,
			    const void *address, size_t *size_p);

/* The part that works without libummgr: gomp/shim/alone.c.  */
void ummgr_shim_alone_start (const struct ummgr_options *options,
			     int devices);
/* NULL: the real plugin shall allocate.  */
void *ummgr_shim_alone_alloc (int ordinal, size_t size);
/* ADDRESS is about to be freed.  */
void ummgr_shim_alone_forget (void *address);
void ummgr_shim_alone_run (int ordinal, void *function, void *variables);
void ummgr_shim_alone_ran (int ordinal);

/* Counters of ORDINAL, for gomp/shim/alone.c.  */
void ummgr_shim_counters (int ordinal, struct ummgr_counters *out);
