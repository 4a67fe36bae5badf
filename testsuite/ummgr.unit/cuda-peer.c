/* A copy between devices that asks for peer access again and again, or never; that is
   given up because there is none, counts for the sender, or is not over on return.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "device/cuda.h"

#include <string.h>

/* The driver: contexts are numbers, 0 none.  */
static char contexts[4];
static CUcontext current;
static CUresult access_result, copy_result;
static unsigned enabled[4][4], copies, waits;

static int
number_of (CUcontext context)
{
  return (char *) context - contexts;
}

static CUresult
push (CUcontext context)
{
  CHECK (!current);
  current = context;
  return CUDA_SUCCESS;
}

static CUresult
pop (CUcontext *context)
{
  *context = current;
  current = NULL;
  return CUDA_SUCCESS;
}

static CUresult
enable (CUcontext peer, unsigned flags)
{
  CHECK_EQ (flags, 0);
  enabled[number_of (current)][number_of (peer)]++;
  return access_result;
}

static CUresult
copy (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
      size_t size)
{
  CHECK (current == dst_context && src_context);
  memcpy ((void *) dst, (void *) src, size);
  copies++;
  return copy_result;
}

static CUresult
synchronize (void)
{
  CHECK (current);
  CHECK (++waits <= copies);
  return CUDA_SUCCESS;
}

static struct ummgr_cuda_driver driver = {
  .cuCtxPushCurrent_v2 = push, .cuCtxPopCurrent_v2 = pop, .cuMemcpyPeer = copy,
  .cuCtxEnablePeerAccess = enable, .cuCtxSynchronize = synchronize
};

static enum ummgr_status
between (int to, int from)
{
  char a[8] = "ABCDEFG", b[8] = "";
  struct ummgr_device *device = ummgr_device_of (to);
  enum ummgr_status status = device->ops->copy_peer (device, (uintptr_t) b,
						     ummgr_device_of (from),
						     (uintptr_t) a, sizeof a);
  CHECK (status != UMMGR_OK || memcmp (a, b, sizeof a) == 0);
  return status;
}

static uint64_t
counted (int device)
{
  struct ummgr_counters c;
  CHECK (!ummgr_device_of (device)->ops->counters (ummgr_device_of (device), &c));
  CHECK_EQ (c.h2d_bytes + c.d2h_bytes, 0);
  return c.d2d_bytes;
}

int
main (void)
{
  ummgr_cuda_use (&driver, NULL);
  CHECK_EQ (between (0, 1), UMMGR_ERR_NODEV);
  for (int i = 0; i < 3; i++)
    ummgr_cuda_attach (i, &contexts[i]);
  CHECK_EQ (between (0, 1), UMMGR_OK);
  CHECK_EQ (between (0, 1), UMMGR_OK);
  CHECK_EQ (between (1, 0), UMMGR_OK);
  CHECK_EQ (enabled[0][1], 1);
  CHECK_EQ (enabled[1][0], 1);
  CHECK_EQ (counted (0), 16);
  CHECK_EQ (counted (1), 8);
  CHECK_EQ (copies, 3);
  CHECK_EQ (waits, 3);

  /* Within one there is nothing to enable, and nothing between devices.  */
  CHECK_EQ (between (1, 1), UMMGR_OK);
  CHECK_EQ (enabled[1][1], 0);
  CHECK_EQ (counted (1), 8);

  /* By way of the host.  */
  access_result = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  CHECK_EQ (between (2, 0), UMMGR_OK);
  CHECK_EQ (enabled[2][0] + enabled[0][2], 2);

  /* Another context of device 1 has no access yet, nor is it accessed.  */
  ummgr_cuda_attach (1, NULL);
  CHECK_EQ (between (0, 1), UMMGR_ERR_NODEV);
  ummgr_cuda_attach (1, &contexts[3]);
  access_result = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  CHECK_EQ (between (0, 1), UMMGR_OK);
  CHECK_EQ (enabled[0][3], 1);
  CHECK_EQ (enabled[3][0], 1);
  CHECK_EQ (enabled[0][2], 1);

  copy_result = CUDA_ERROR_INVALID_VALUE;
  CHECK_EQ (between (2, 0), UMMGR_ERR_DRIVER);
  CHECK_EQ (counted (2), 8);
  driver.cuMemcpyPeer = NULL;
  ummgr_cuda_use (&driver, NULL);
  CHECK_EQ (between (2, 0), UMMGR_ERR_UNSUPPORTED);
  return 0;
}
