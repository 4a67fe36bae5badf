/* A region that is not found runs unmanaged, one that is found although its
   image is gone gets another's name: images of every known version.  Numbers that
   depend on addresses differ from run to run.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "gomp/abi.h"
#include "memory/regions.h"

#include <string.h>

static char code[64];

static void
check (unsigned version, const void *target_data)
{
  void *functions[2] = { code + 16, code + 32 };
  void *table[4] = { functions, functions + 2, NULL, NULL };
  CHECK (!ummgr_regions_find (code + 16));
  ummgr_regions_register (version, table, target_data);
  struct ummgr_region *r = ummgr_regions_find (code + 16);
  CHECK (r && strcmp (r->name, "main._omp_fn.0") == 0);
  r = ummgr_regions_find (code + 32);
  CHECK (r && strcmp (r->name, "f._omp_fn.1") == 0);
  CHECK (!ummgr_regions_find (code + 48));
  /* A second time changes nothing.  */
  ummgr_regions_register (version, table, target_data);
  CHECK (ummgr_regions_find (code + 32) == r);
  /* The second asks first.  */
  uint64_t number = ummgr_region_number (r);
  CHECK_EQ (ummgr_region_number (ummgr_regions_find (code + 16)), number + 1);
  CHECK_EQ (ummgr_region_number (r), number);
  ummgr_regions_unregister (table);
  CHECK (!ummgr_regions_find (code + 16) && !ummgr_regions_find (code + 32));
  /* Who still holds it may read it.  */
  CHECK (strcmp (r->name, "f._omp_fn.1") == 0);
}

int
main (void)
{
  static const struct ummgr_nvptx_function kernels[]
    = { { "main$_omp_fn$0", { 0 } }, { "f$_omp_fn$1", { 0 } } };
  struct ummgr_nvptx_data data = { .functions = kernels, .function_count = 2 };
  struct { const void *requires_mask; struct ummgr_nvptx_data data; } later
    = { NULL, data };
  check (1u << 16 | 1, &data);
  check (2u << 16 | 1, &later);
  check (3u << 16 | 1, &later);
  void *functions[1] = { code };
  void *table[4] = { functions, functions + 1, NULL, NULL };
  ummgr_regions_register (9u << 16, table, &later);
  CHECK (!ummgr_regions_find (code));
  return 0;
}
