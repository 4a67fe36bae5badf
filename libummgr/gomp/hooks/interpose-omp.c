/* omp_target_* and the registration of offload images, interposed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Only those entry points that would do something else with data of ours, or hand the
   program a device address, of which a trace is told: copies, presence and new associations
   are right as libgomp makes them.
   Owns no state.  */

#include "config.h"
#include "gomp/abi.h"
#include "gomp/hooks/interpose.h"
#include "gomp/real.h"
#include "base/process.h"
#include "check/check.h"
#include "memory/manager.h"
#include "memory/mapping.h"
#include "memory/regions.h"
#include "memory/unified.h"
#include "record/record.h"

#include <dlfcn.h>
#include <errno.h>

UMMGR_INTERPOSED void *omp_target_alloc (size_t, int);
UMMGR_INTERPOSED void omp_target_free (void *, int);
UMMGR_INTERPOSED int omp_target_associate_ptr (const void *, const void *, size_t, size_t, int);
UMMGR_INTERPOSED int omp_target_disassociate_ptr (const void *, int);
UMMGR_INTERPOSED void *omp_get_mapped_ptr (const void *, int);
UMMGR_INTERPOSED void GOMP_offload_register_ver (unsigned, const void *, int,
						 const void *);
UMMGR_INTERPOSED void GOMP_offload_unregister_ver (unsigned, const void *, int,
						   const void *);

void *
omp_target_alloc (size_t size, int device)
{
  /* Not the default device: -1 is the host here, from GCC 13 on.  */
  struct ummgr_manager *manager
    = device >= 0 && size >= ummgr_process.options.min_size
      && !ummgr_record_quiet () ? ummgr_manager_for (device) : NULL;
  if (manager && !ummgr_manager_passive (manager) && manager->executor.paged)
    {
      void *ptr = ummgr_unified_alloc (manager, size, true,
				       __builtin_return_address (0), 0);
      if (ptr)
	return ptr;
    }
  ummgr_record_handed (device);
  ummgr_check_own (true);
  void *own = ummgr_real (omp_target_alloc) (size, device);
  ummgr_check_own (false);
  return own;
}

void
omp_target_free (void *ptr, int device)
{
  if (ptr && ummgr_unified_any () && ummgr_unified_free (ptr, true))
    return;
  ummgr_real (omp_target_free) (ptr, device);
}

int
omp_target_associate_ptr (const void *host, const void *address, size_t size, size_t offset,
			  int device)
{
  ummgr_record_handed (device);
  int status = ummgr_real (omp_target_associate_ptr) (host, address, size, offset, device);
  if (status == 0)
    ummgr_check_mapped (host, (uintptr_t) address + offset, size, device,
			UMMGR_CHECK_FRESH | UMMGR_CHECK_COPIED, NULL);
  return status;
}

int
omp_target_disassociate_ptr (const void *ptr, int device)
{
  struct ummgr_manager *manager = ummgr_manager_existing (device);
  if (manager && ummgr_is_active ())
    {
      pthread_mutex_lock (&manager->lock);
      bool ours = ummgr_mapping_owns (manager, ptr)
	|| ummgr_unified_owns (ptr);
      pthread_mutex_unlock (&manager->lock);
      /* A mapping is no association (OpenMP 5.2, 18.8.9).  */
      if (ours)
	return EINVAL;
    }
  int status = ummgr_real (omp_target_disassociate_ptr) (ptr, device);
  if (status == 0)
    ummgr_check_unmapped (ptr, device);
  return status;
}

/* Is CALLER in libgomp?  GCC 14's asks by this name, too, when it launches a region, and hands
   the answer to nobody.  */
static bool
is_in_libgomp (const void *caller)
{
  static const void *known;	/* Atomic.  Such a caller: others are asked the loader about.  */
  Dl_info its, libgomps;
  if (caller == __atomic_load_n (&known, __ATOMIC_RELAXED))
    return true;
  if (!ummgr_real (omp_get_mapped_ptr) || !dladdr (caller, &its)
      || !dladdr ((const void *) ummgr_real (omp_get_mapped_ptr), &libgomps)
      || its.dli_fbase != libgomps.dli_fbase)
    return false;
  __atomic_store_n (&known, caller, __ATOMIC_RELAXED);
  return true;
}

void *
omp_get_mapped_ptr (const void *ptr, int device)
{
  if (is_in_libgomp (__builtin_return_address (0)))
    return ummgr_real (omp_get_mapped_ptr) (ptr, device);
  struct ummgr_manager *manager = ummgr_manager_existing (device);
  ummgr_record_handed (device);
  if (manager && ummgr_is_active ())
    {
      pthread_mutex_lock (&manager->lock);
      ummgr_mapping_pin (manager, ptr);
      pthread_mutex_unlock (&manager->lock);
    }
  /* libgomp has it from GCC 13 on.  */
  return ummgr_real (omp_get_mapped_ptr)
    ? ummgr_real (omp_get_mapped_ptr) (ptr, device) : NULL;
}

void
GOMP_offload_register_ver (unsigned version, const void *host_table,
			   int target_type, const void *target_data)
{
  if (target_type == UMMGR_OFFLOAD_TYPE_NVPTX)
    ummgr_regions_register (version, host_table, target_data);
  ummgr_real (GOMP_offload_register_ver) (version, host_table, target_type,
					  target_data);
}

void
GOMP_offload_unregister_ver (unsigned version, const void *host_table,
			     int target_type, const void *target_data)
{
  if (target_type == UMMGR_OFFLOAD_TYPE_NVPTX)
    ummgr_regions_unregister (host_table);
  ummgr_real (GOMP_offload_unregister_ver) (version, host_table, target_type,
					    target_data);
}
