/* Advice by example, and the attributes that report it: preferred location
   keeps pages, accessed-by maps them, read-mostly copies them until a write.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>

#define BLOCK (2 << 20)
#define GRANULE (64 << 10)

static struct sim_alloc *a;

static struct ummgr_counters
counters (void)
{
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  CHECK (sim_mem_check ());
  return c;
}

static int
attribute (int which)
{
  int value = 99;
  CHECK_EQ (sim_mem_range_attribute (&value, sizeof value, which, a->base,
				     BLOCK), CUDA_SUCCESS);
  return value;
}

static void
advise (int advice, int device)
{
  CHECK_EQ (sim_mem_advise (a->base, BLOCK, advice, device), CUDA_SUCCESS);
}

static int
gpu_read (size_t offset)
{
  sim_mem_launch_begin (0, NULL, 0);
  int value = *(volatile char *) (a->base + offset);
  sim_mem_launch_end (0);
  return value;
}

static void
gpu_write (size_t offset, char value)
{
  sim_mem_launch_begin (0, NULL, 0);
  *(volatile char *) (a->base + offset) = value;
  sim_mem_launch_end (0);
}

static void
preferred_host (void)
{
  memset ((void *) a->base, 1, BLOCK);
  advise (CU_MEM_ADVISE_SET_PREFERRED_LOCATION, SIM_HOST);
  CHECK_EQ (attribute (CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), SIM_HOST);
  struct ummgr_counters b = counters ();
  CHECK_EQ (gpu_read (0), 1);
  CHECK_EQ (gpu_read (10), 1);
  struct ummgr_counters c = counters ();
  CHECK_EQ (c.remote_bytes - b.remote_bytes, 2 * GRANULE);
  CHECK_EQ (c.h2d_bytes, b.h2d_bytes);
  /* The mapping stays: the second launch finds it.  */
  CHECK_EQ (c.gpu_faults - b.gpu_faults, 1);
  advise (CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, 0);
  CHECK_EQ (attribute (CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION),
	    SIM_NOWHERE);
}

static void
accessed_by (void)
{
  advise (CU_MEM_ADVISE_SET_ACCESSED_BY, 0);
  CHECK_EQ (attribute (CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), 0);
  struct ummgr_counters b = counters ();
  CHECK_EQ (gpu_read (GRANULE), 1);
  struct ummgr_counters c = counters ();
  CHECK_EQ (c.gpu_faults, b.gpu_faults);
  CHECK_EQ (c.remote_bytes - b.remote_bytes, GRANULE);
  advise (CU_MEM_ADVISE_UNSET_ACCESSED_BY, 0);
  CHECK_EQ (attribute (CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), SIM_NOWHERE);
}

static void
read_mostly (void)
{
  advise (CU_MEM_ADVISE_SET_READ_MOSTLY, 0);
  if (!attribute (CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY))
    return;			/* The kernel cannot write-protect.  */
  struct ummgr_counters b = counters ();
  CHECK_EQ (gpu_read (0), 1);
  CHECK_EQ (*(volatile char *) a->base, 1);
  CHECK_EQ (gpu_read (100), 1);
  struct ummgr_counters c = counters ();
  CHECK_EQ (c.gpu_faults - b.gpu_faults, 1);
  CHECK_EQ (c.h2d_bytes - b.h2d_bytes, GRANULE);
  CHECK_EQ (c.cpu_faults, b.cpu_faults);

  gpu_write (3, 33);		/* The CPU's copy goes.  */
  b = counters ();
  CHECK_EQ (b.gpu_faults - c.gpu_faults, 1);
  CHECK_EQ (b.h2d_bytes, c.h2d_bytes);
  CHECK_EQ (*(volatile char *) (a->base + 3), 33);
  c = counters ();
  CHECK_EQ (c.cpu_faults - b.cpu_faults, 1);
  CHECK_EQ (c.d2h_bytes - b.d2h_bytes, GRANULE);

  *(volatile char *) (a->base + 3) = 44; /* The device's copy goes.  */
  b = counters ();
  CHECK_EQ (b.cpu_faults - c.cpu_faults, 1);
  CHECK_EQ (gpu_read (3), 44);

  /* Prefetch makes a copy too; unsetting leaves one.  */
  CHECK_EQ (sim_mem_prefetch (a->base, BLOCK, 0), CUDA_SUCCESS);
  CHECK_EQ (attribute (CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 0);
  struct sim_block *k = sim_block_at (a->base);
  CHECK_EQ (uvm_mask_count (&k->of->by[0].resident), 512);
  CHECK_EQ (uvm_mask_count (&k->of->by[1].resident), 512);
  advise (CU_MEM_ADVISE_UNSET_READ_MOSTLY, 0);
  CHECK_EQ (uvm_mask_count (&k->of->by[0].resident), 512);
  CHECK_EQ (uvm_mask_count (&k->of->by[1].resident), 0);
  *(volatile char *) (a->base + 3) = 55;
  CHECK_EQ (gpu_read (3), 55);
}

int
main (void)
{
  int many[3] = { 9, 9, 9 };
  machine_start (NULL, NULL, NULL);
  if (!sim_mem_kernel_faults ())
    {
      fprintf (stderr, "not privileged: nothing to test\n");
      return 0;
    }
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, BLOCK, false, &a),
	    CUDA_SUCCESS);
  preferred_host ();
  accessed_by ();
  read_mostly ();

  advise (CU_MEM_ADVISE_SET_ACCESSED_BY, SIM_HOST);
  advise (CU_MEM_ADVISE_SET_ACCESSED_BY, 0);
  CHECK_EQ (sim_mem_range_attribute (many, sizeof many,
				     CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
				     a->base, BLOCK), CUDA_SUCCESS);
  CHECK (many[0] == SIM_HOST && many[1] == 0 && many[2] == SIM_NOWHERE);
  CHECK_EQ (sim_mem_advise (a->base, BLOCK, 77, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ (sim_mem_advise (a->base, BLOCK, CU_MEM_ADVISE_SET_ACCESSED_BY, 40),
	    CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQ (sim_mem_range_attribute (many, 3, 1, a->base, BLOCK),
	    CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ (sim_mem_range_attribute (many, 4, 55, a->base, BLOCK),
	    CUDA_ERROR_INVALID_VALUE);
  return 0;
}
