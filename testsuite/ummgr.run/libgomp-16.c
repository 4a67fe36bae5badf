/* What libgomp asks its plugin for since GCC 16 gets through the shim: without
   memset there is no device.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-fno-builtin-omp_is_initial_device" } */
/* { dg-ummgr-without-gcc "11 12 13 14 15" "has no omp_target_memset" } */
/* { dg-ummgr-counter all launches >= 1 } */

#include "check.h"

#include <omp.h>
#include <stddef.h>

enum { N = 1000 };

int
main (void)
{
  int device = omp_get_default_device (), on_host = 1;
  unsigned char back[N] = { 0 };
  CHECK (omp_get_num_devices () > 0);
  void *p = omp_target_alloc (N, device);
  CHECK (p && omp_target_memset (p, 3, N, device) == p);
  CHECK (omp_target_memcpy (back, p, N, 0, 0, omp_get_initial_device (), device) == 0);
  for (int i = 0; i < N; i++)
    CHECK (back[i] == 3);
  CHECK (omp_target_is_accessible (p, N, device));
  omp_target_free (p, device);
  CHECK (omp_get_uid_from_device (device));

  int *managed = omp_alloc (sizeof *managed, ompx_gnu_managed_mem_alloc);
  CHECK (managed);
  *managed = 5;
#pragma omp target is_device_ptr(managed) map(from: on_host)
  {
    on_host = omp_is_initial_device ();
    ++*managed;
  }
  CHECK (*managed == 6 && !on_host);
  omp_free (managed, ompx_gnu_managed_mem_alloc);

  omp_alloctrait_t pinned[] = { { omp_atk_pinned, omp_atv_true } };
  omp_allocator_handle_t allocator = omp_init_allocator (omp_default_mem_space, 1, pinned);
  char *host = omp_alloc (N, allocator);
  CHECK (host);
  host[N - 1] = 1;
  omp_free (host, allocator);
  omp_destroy_allocator (allocator);

  omp_interop_t interop = omp_interop_none;
#pragma omp interop init(targetsync: interop) device(device)
  CHECK (interop != omp_interop_none && omp_get_interop_str (interop, omp_ipr_fr_name, NULL));
#pragma omp interop destroy(interop)
}
