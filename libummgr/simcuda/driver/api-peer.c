/* Entry points: access between devices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the count of contexts that enabled each pair of devices.  */

#include "config.h"
#include "simcuda/driver/driver.h"

/* Contexts of device [i] with access to device [j].  Guarded by
   sim_driver_lock.  */
static unsigned enabled[SIM_MAX_DEVICES][SIM_MAX_DEVICES];

static bool
linked (int device, int peer)
{
  return device != peer && sim_profile.peer_rate[device][peer] > 0;
}

CUresult
cuDeviceCanAccessPeer (int *out, CUdevice device, CUdevice peer)
{
  CUresult r = sim_enter_device (device);
  if (r == CUDA_SUCCESS)
    r = sim_given (sim_enter_device (peer), out);
  if (r == CUDA_SUCCESS)
    *out = linked (device, peer);
  return r;
}

CUresult
cuDeviceGetP2PAttribute (int *out, CUdevice_P2PAttribute attribute,
			 CUdevice device, CUdevice peer)
{
  CUresult r = sim_enter_device (device);
  if (r == CUDA_SUCCESS)
    r = sim_enter_device (peer);
  if (r != CUDA_SUCCESS)
    return r;
  if (device == peer)
    return CUDA_ERROR_INVALID_DEVICE;
  if (!out || attribute < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK
      || attribute > CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED)
    return CUDA_ERROR_INVALID_VALUE;
  *out = (attribute == CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED
	  || attribute == CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED)
	 && linked (device, peer);
  return CUDA_SUCCESS;
}

/* The two contexts of a call; they must differ.  */
static CUresult
enter_peer (CUcontext handle, struct sim_context **own_p,
	    struct sim_context **peer_p)
{
  CUresult r = sim_enter_context (own_p);
  if (r == CUDA_SUCCESS)
    r = sim_context_check (handle, peer_p);
  if (r == CUDA_SUCCESS && *own_p == *peer_p)
    r = CUDA_ERROR_INVALID_CONTEXT;
  return r;
}

CUresult
cuCtxEnablePeerAccess (CUcontext handle, unsigned flags)
{
  struct sim_context *own, *peer;
  CUresult r = enter_peer (handle, &own, &peer);
  if (r != CUDA_SUCCESS)
    return r;
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (!linked (own->device, peer->device))
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  uint32_t bit = 1u << peer->device;
  bool first = false;
  pthread_mutex_lock (&sim_driver_lock);
  if (own->peers & bit)
    r = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  else
    {
      own->peers |= bit;
      first = enabled[own->device][peer->device]++ == 0;
    }
  pthread_mutex_unlock (&sim_driver_lock);
  if (first)
    sim_mem_peer (own->device, peer->device, true);
  return r;
}

/* OWN gives up access to device PEER; false if it had none.  */
static bool
disable (struct sim_context *own, int peer)
{
  uint32_t bit = 1u << peer;
  pthread_mutex_lock (&sim_driver_lock);
  bool had = own->peers & bit;
  bool last = had && --enabled[own->device][peer] == 0;
  own->peers &= ~bit;
  pthread_mutex_unlock (&sim_driver_lock);
  if (last)
    sim_mem_peer (own->device, peer, false);
  return had;
}

CUresult
cuCtxDisablePeerAccess (CUcontext handle)
{
  struct sim_context *own, *peer;
  CUresult r = enter_peer (handle, &own, &peer);
  if (r != CUDA_SUCCESS)
    return r;
  return disable (own, peer->device) ? CUDA_SUCCESS
				     : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

void
sim_peer_close (struct sim_context *context)
{
  for (int peer = 0; peer < sim_profile.device_count; peer++)
    disable (context, peer);
}
