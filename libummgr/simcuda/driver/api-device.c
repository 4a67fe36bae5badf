/* Entry points: devices and what they are like.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Sizes and rates come from the profile; figures that no program of ours
   depends on are those common to NVIDIA's GPUs since Volta.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "simcuda/driver/init.h"

#include <stdio.h>
#include <string.h>

CUresult
cuDeviceGetCount (int *out)
{
  CUresult r = sim_given (sim_enter (), out);
  if (r == CUDA_SUCCESS)
    *out = sim_profile.device_count;
  return r;
}

CUresult
cuDeviceGet (CUdevice *out, int ordinal)
{
  CUresult r = sim_given (sim_enter (), out);
  if (r == CUDA_SUCCESS)
    r = sim_enter_device (ordinal);
  if (r == CUDA_SUCCESS)
    *out = ordinal;
  return r;
}

CUresult
cuDeviceGetName (char *out, int size, CUdevice device)
{
  CUresult r = sim_given (sim_enter_device (device), out && size > 0);
  if (r == CUDA_SUCCESS)
    snprintf (out, size, "%s", sim_profile.device[device].name);
  return r;
}

CUresult
cuDeviceTotalMem_v2 (size_t *out, CUdevice device)
{
  CUresult r = sim_given (sim_enter_device (device), out);
  if (r == CUDA_SUCCESS)
    *out = sim_profile.device[device].memory_bytes;
  return r;
}

CUresult
cuDeviceComputeCapability (int *major, int *minor, CUdevice device)
{
  CUresult r = sim_given (sim_enter_device (device), major && minor);
  if (r != CUDA_SUCCESS)
    return r;
  *major = sim_profile.device[device].compute_major;
  *minor = sim_profile.device[device].compute_minor;
  return CUDA_SUCCESS;
}

/* Made up, but the same in every run: "ummgr-sim", whose it is if several processes', and the
   ordinal.  As a real GPU's, that is known by it, it is nobody else's, and has none.  */
CUresult
cuDeviceGetUuid_v2 (CUuuid *out, CUdevice device)
{
  CUresult r = sim_given (sim_enter_device (device), out);
  if (r != CUDA_SUCCESS)
    return r;
  uint64_t number = sim_shared_number ();
  memset (out, 0, sizeof *out);
  if (sim_as_cuda () && !number)
    return CUDA_SUCCESS;
  memcpy (out->bytes, "ummgr-sim", 9);
  memcpy (out->bytes + 9, &number, 6);
  out->bytes[15] = device;
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuDeviceGetUuid, cuDeviceGetUuid_v2);

/* --- PCI addresses: 0000:10:00.0 and up --------------------------------- */

#define FIRST_BUS 0x10

CUresult
cuDeviceGetPCIBusId (char *out, int size, CUdevice device)
{
  CUresult r = sim_given (sim_enter_device (device), out && size > 0);
  if (r == CUDA_SUCCESS)
    snprintf (out, size, "0000:%02X:00.0", FIRST_BUS + device);
  return r;
}

CUresult
cuDeviceGetByPCIBusId (CUdevice *out, const char *id)
{
  CUresult r = sim_given (sim_enter (), out && id);
  if (r != CUDA_SUCCESS)
    return r;
  unsigned domain = 0, bus, slot, function = 0;
  if (sscanf (id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4
      && (domain = 0, sscanf (id, "%x:%x.%x", &bus, &slot, &function)) != 3
      && (function = 0, sscanf (id, "%x:%x", &bus, &slot)) != 2)
    return CUDA_ERROR_INVALID_VALUE;
  if (domain || slot || function || bus < FIRST_BUS
      || bus >= FIRST_BUS + (unsigned) sim_profile.device_count)
    return CUDA_ERROR_INVALID_DEVICE;
  *out = bus - FIRST_BUS;
  return CUDA_SUCCESS;
}

/* --- attributes --------------------------------------------------------- */

/* Those that are the same for every device.  What is not listed here or in
   cuDeviceGetAttribute is a feature that is not simulated: 0.  */
static const struct
{
  CUdevice_attribute attribute;
  int value;
} fixed[] = {
  { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024 },
  { CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024 },
  { CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024 },
  { CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64 },
  { CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, INT32_MAX },
  { CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535 },
  { CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535 },
  { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10 },
  { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 96 << 10 },
  { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 96 << 10 },
  { CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 64 << 10 },
  { CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32 },
  { CU_DEVICE_ATTRIBUTE_MAX_PITCH, INT32_MAX },
  { CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536 },
  { CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 877000 },
  { CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1 },
  { CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 2 },
  { CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1 },
  { CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1 },
  { CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1 },
  { CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 1 },
  { CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 1 },
  { CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2 },
  { CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1 },
  { CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1 },
  { CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED, 1 },
  { CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1 },
  { CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1 },
  { CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID, 0 },
};

/* What the profile says of ATTRIBUTE, or -1.  */
static int
profile_attribute (CUdevice_attribute attribute, int device)
{
  const struct ummgr_figures *d = &sim_profile.device[device];
  switch (attribute)
    {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return d->sm_count;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return d->max_threads_per_sm;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
      return d->registers_per_sm ? d->registers_per_sm : 65536;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      return d->max_teams_per_sm ? d->max_teams_per_sm : 32;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
      return d->clock_mhz ? d->clock_mhz * 1000 : 1530000;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return d->compute_major;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return d->compute_minor;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      return d->cache_bytes < INT32_MAX ? d->cache_bytes : INT32_MAX;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      /* Bits, from the rate at the memory clock above, double data rate.  */
      return d->memory_rate * 8 / (2 * 877e6);
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      return FIRST_BUS + device;
    default:
      return -1;
    }
}

/* The highest attribute of CUDA 13.0's <cuda.h>.  */
#define LAST_ATTRIBUTE 147

CUresult
cuDeviceGetAttribute (int *out, CUdevice_attribute attribute, CUdevice device)
{
  CUresult r = sim_given (sim_enter (),
			  out && attribute >= 1
			  && attribute <= LAST_ATTRIBUTE);
  if (r != CUDA_SUCCESS)
    return r;
  r = sim_enter_device (device);
  if (r != CUDA_SUCCESS)
    return r;
  int of_profile = profile_attribute (attribute, device);
  *out = of_profile < 0 ? 0 : of_profile;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (fixed[i].attribute == attribute)
      *out = fixed[i].value;
  return CUDA_SUCCESS;
}
