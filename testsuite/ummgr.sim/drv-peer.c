/* Peer access that is enabled twice, between devices without a link, or that
   outlives its context.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=coda-4gpu" } */

#include "driver-test.h"

int
main (void)
{
  int n, can;
  OK (cuInit (0));
  OK (cuDeviceGetCount (&n));
  CHECK_EQ (n, 4);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      {
	OK (cuDeviceCanAccessPeer (&can, i, j));
	CHECK_EQ (can, i != j);
      }
  GIVES (INVALID_DEVICE, cuDeviceCanAccessPeer (&can, 0, 4));
  GIVES (INVALID_VALUE, cuDeviceCanAccessPeer (NULL, 0, 1));
  OK (cuDeviceGetP2PAttribute (&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED,
			       0, 1));
  CHECK_EQ (can, 1);
  GIVES (INVALID_DEVICE,
	 cuDeviceGetP2PAttribute (&can,
				  CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 1,
				  1));

  CUcontext b = start (1), a = start (0);
  GIVES (PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess (b));
  GIVES (INVALID_VALUE, cuCtxEnablePeerAccess (b, 1));
  GIVES (INVALID_CONTEXT, cuCtxEnablePeerAccess (NULL, 0));
  GIVES (INVALID_CONTEXT, cuCtxEnablePeerAccess (a, 0));
  GIVES (INVALID_CONTEXT, cuCtxEnablePeerAccess ((CUcontext) &n, 0));
  OK (cuCtxEnablePeerAccess (b, 0));
  GIVES (PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess (b, 0));
  OK (cuCtxDisablePeerAccess (b));
  GIVES (PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess (b));

  /* Of the same device: nothing to enable.  */
  CUcontext second = start (0);
  GIVES (PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess (a, 0));
  OK (cuCtxEnablePeerAccess (b, 0));
  OK (cuCtxDestroy_v2 (second));
  OK (cuCtxSetCurrent (a));
  GIVES (PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess (b));
  OK (cuCtxEnablePeerAccess (b, 0));
  OK (cuCtxDestroy_v2 (b));
  GIVES (INVALID_CONTEXT, cuCtxDisablePeerAccess (b));
  return 0;
}
