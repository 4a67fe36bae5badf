/* A copy or fill that runs past its allocation, takes a device address for a
   host one, or misplaces rows.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_GPUS=2" } */

#include "driver-test.h"

enum { N = 4096 };
static unsigned char in[N], out[N];

static void
clear (void)
{
  for (int i = 0; i < N; i++)
    in[i] = i * 7;
  memset (out, 0, N);
}

static void
straight (CUdeviceptr p, CUdeviceptr q)
{
  clear ();
  OK (cuMemcpyHtoD_v2 (p, in, N));
  OK (cuMemcpyDtoD_v2 (q, p, N));
  OK (cuMemcpyDtoH_v2 (out, q, N));
  CHECK (memcmp (in, out, N) == 0);
  clear ();
  OK (cuMemcpy (q, (CUdeviceptr) in, 100));
  OK (cuMemcpy ((CUdeviceptr) out, q, 100));
  CHECK (memcmp (in, out, 100) == 0);
  clear ();
  OK (cuMemcpyHtoDAsync_v2 (p, in, N, NULL));
  OK (cuMemcpyDtoDAsync_v2 (q + 8, p + 16, 64, NULL));
  OK (cuMemcpyDtoHAsync_v2 (out, q + 8, 64, NULL));
  OK (cuStreamSynchronize (NULL));
  CHECK (memcmp (in + 16, out, 64) == 0);
}

static void
misuse (CUdeviceptr p, CUdeviceptr q)
{
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 (p, in, N + 1));
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 (p + 1, in, N));
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 ((CUdeviceptr) out, in, 8));
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 (p, (void *) q, 8));
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 (p, NULL, 8));
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 (0, in, 8));
  GIVES (INVALID_VALUE, cuMemcpyDtoH_v2 (out, p + N - 1, 2));
  GIVES (INVALID_VALUE, cuMemcpyDtoH_v2 ((void *) q, p, 8));
  GIVES (INVALID_VALUE, cuMemcpyDtoD_v2 (p, (CUdeviceptr) in, 8));
  GIVES (INVALID_VALUE, cuMemcpyDtoD_v2 (p, q, SIZE_MAX));
  GIVES (INVALID_HANDLE, cuMemcpyHtoDAsync_v2 (p, in, 8, (CUstream) in));
  OK (cuMemcpyHtoD_v2 (0, NULL, 0));
  OK (cuMemcpyDtoD_v2 (1, 2, 0));
}

static void
fills (CUdeviceptr p)
{
  OK (cuMemsetD8_v2 (p, 0xab, N));
  OK (cuMemsetD16_v2 (p + 2, 0x1234, 1));
  OK (cuMemsetD32_v2 (p + 8, 0xdeadbeef, 2));
  OK (cuMemcpyDtoH_v2 (out, p, N));
  CHECK_EQ (out[0], 0xab);
  CHECK_EQ (out[2], 0x34);
  CHECK_EQ (out[4], 0xab);
  CHECK_EQ (out[15], 0xde);
  CHECK_EQ (out[16], 0xab);
  OK (cuMemsetD32Async (p, 0, N / 4, NULL));
  OK (cuMemcpyDtoH_v2 (out, p, N));
  CHECK_EQ (out[8], 0);
  GIVES (INVALID_VALUE, cuMemsetD8_v2 (p, 0, N + 1));
  GIVES (INVALID_VALUE, cuMemsetD32_v2 (p + 1, 0, 1));
  GIVES (INVALID_VALUE, cuMemsetD32_v2 (p, 0, SIZE_MAX / 2));
  GIVES (INVALID_VALUE, cuMemsetD8_v2 ((CUdeviceptr) in, 0, 1));
}

static void
boxes (CUdeviceptr p)
{
  clear ();
  OK (cuMemsetD8_v2 (p, 0, N));
  CUDA_MEMCPY2D r = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = in,
		      .srcXInBytes = 3, .srcY = 1, .srcPitch = 50,
		      .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = p,
		      .dstXInBytes = 1, .dstY = 2, .dstPitch = 20,
		      .WidthInBytes = 10, .Height = 4 };
  OK (cuMemcpy2D_v2 (&r));
  OK (cuMemcpyDtoH_v2 (out, p, N));
  for (int y = 0; y < 4; y++)
    CHECK (memcmp (out + (y + 2) * 20 + 1, in + (y + 1) * 50 + 3, 10) == 0);
  CHECK_EQ (out[2 * 20 + 11], 0);
  r.WidthInBytes = 30;
  GIVES (INVALID_VALUE, cuMemcpy2D_v2 (&r));
  r.WidthInBytes = 10;
  r.Height = 1000;
  GIVES (INVALID_VALUE, cuMemcpy2D_v2 (&r));
  r.srcMemoryType = 9;
  GIVES (INVALID_VALUE, cuMemcpy2D_v2 (&r));
  GIVES (INVALID_VALUE, cuMemcpy2D_v2 (NULL));

  CUDA_MEMCPY3D b = { .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = p,
		      .srcPitch = 16, .srcHeight = 8, .srcZ = 1, .srcY = 2,
		      .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = out,
		      .dstPitch = 4, .dstHeight = 2,
		      .WidthInBytes = 4, .Height = 2, .Depth = 3 };
  OK (cuMemcpyHtoD_v2 (p, in, N));
  OK (cuMemcpy3D_v2 (&b));
  for (int z = 0; z < 3; z++)
    for (int y = 0; y < 2; y++)
      CHECK (memcmp (out + z * 8 + y * 4, in + (z + 1) * 128 + (y + 2) * 16, 4)
	     == 0);
  b.reserved0 = &b;
  GIVES (INVALID_VALUE, cuMemcpy3D_v2 (&b));
}

/* What a stream has not got to yet is taken in, if it is not pinned.  */
static void
staging (CUdeviceptr p)
{
  CUstream stream;
  void *pinned;
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuMemAllocHost_v2 (&pinned, N));
  clear ();
  memcpy (pinned, in, N);
  OK (cuMemcpyHtoDAsync_v2 (p, pinned, N, stream));
  OK (cuMemcpyDtoHAsync_v2 (out, p, N, stream));
  CHECK (memcmp (in, out, N) == 0);
  OK (cuStreamDestroy_v2 (stream));
  OK (cuMemFreeHost (pinned));
}

int
main (void)
{
  CUcontext a = start (0), b = start (1);
  CUdeviceptr p, q, far;
  OK (cuMemAlloc_v2 (&far, N));
  OK (cuCtxSetCurrent (a));
  OK (cuMemAlloc_v2 (&p, N));
  OK (cuMemAllocManaged (&q, N, CU_MEM_ATTACH_GLOBAL));
  straight (p, q);
  OK (cuMemFree_v2 (q));
  OK (cuMemAlloc_v2 (&q, N));
  straight (p, q);
  straight (p, far);
  misuse (p, q);
  fills (p);
  boxes (p);
  staging (p);
  clear ();
  OK (cuMemcpyHtoD_v2 (p, in, N));
  OK (cuMemcpyPeer (far, b, p, a, N));
  OK (cuMemcpyPeerAsync (q, a, far, b, N, NULL));
  OK (cuMemcpyDtoH_v2 (out, q, N));
  CHECK (memcmp (in, out, N) == 0);
  GIVES (INVALID_CONTEXT, cuMemcpyPeer (far, b, p, NULL, N));
  GIVES (INVALID_VALUE, cuMemcpyPeer (far, b, p, a, N + 1));
  return 0;
}
