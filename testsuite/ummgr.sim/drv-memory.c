/* Misuse of memory that a real driver rejects and this one takes: unknown
   pointers, double frees, double registration, advice on what is not managed;
   and address ranges that are not the allocation's.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_DEVICE_MEM=256M" } */

#include "driver-test.h"

#include <sys/mman.h>

static void
check_range (CUdeviceptr inside, CUdeviceptr base, size_t size)
{
  CUdeviceptr b = 1;
  size_t s = 1;
  OK (cuMemGetAddressRange_v2 (&b, &s, inside));
  CHECK (b == base && s == size);
  OK (cuMemGetAddressRange_v2 (NULL, &s, inside));
  OK (cuMemGetAddressRange_v2 (&b, NULL, inside));
}

static void
plain (void)
{
  CUdeviceptr p, q;
  size_t unused, total, pitch;
  OK (cuMemGetInfo_v2 (&unused, &total));
  CHECK_EQ (total, 256 << 20);
  GIVES (INVALID_VALUE, cuMemAlloc_v2 (NULL, 64));
  GIVES (INVALID_VALUE, cuMemAlloc_v2 (&p, 0));
  GIVES (OUT_OF_MEMORY, cuMemAlloc_v2 (&p, 1u << 30));
  GIVES (OUT_OF_MEMORY, cuMemAlloc_v2 (&p, SIZE_MAX / 2));
  OK (cuMemAlloc_v2 (&p, 1000));
  CHECK_EQ (p % 256, 0);
  check_range (p, p, 1000);
  check_range (p + 999, p, 1000);
  GIVES (NOT_FOUND, cuMemGetAddressRange_v2 (&q, NULL, p + 1000));
  GIVES (NOT_FOUND, cuMemGetAddressRange_v2 (&q, NULL, (CUdeviceptr) &p));
  GIVES (NOT_FOUND, cuMemGetAddressRange_v2 (&q, NULL, 0));
  GIVES (INVALID_VALUE, cuMemFree_v2 (p + 8));
  GIVES (INVALID_VALUE, cuMemFree_v2 ((CUdeviceptr) &p));
  GIVES (INVALID_VALUE, cuMemFreeHost ((void *) p));
  OK (cuMemFree_v2 (p));
  GIVES (INVALID_VALUE, cuMemFree_v2 (p));
  OK (cuMemFree_v2 (0));
  OK (cuMemAllocPitch_v2 (&p, &pitch, 100, 7, 4));
  CHECK (pitch >= 100 && pitch % 16 == 0);
  check_range (p, p, 7 * pitch);
  OK (cuMemFree_v2 (p));
  GIVES (INVALID_VALUE, cuMemAllocPitch_v2 (&p, &pitch, 100, 7, 3));
}

static void
host (void)
{
  void *p;
  CUdeviceptr d;
  unsigned flags;
  static char own[4096];
  OK (cuMemHostAlloc (&p, 5000, CU_MEMHOSTALLOC_PORTABLE));
  memset (p, 1, 5000);
  OK (cuMemHostGetDevicePointer_v2 (&d, (char *) p + 10, 0));
  CHECK_EQ (d, (CUdeviceptr) p + 10);
  GIVES (INVALID_VALUE, cuMemHostGetDevicePointer_v2 (&d, p, 1));
  GIVES (INVALID_VALUE, cuMemHostGetDevicePointer_v2 (&d, own, 0));
  OK (cuMemHostGetFlags (&flags, p));
  CHECK (flags & CU_MEMHOSTALLOC_PORTABLE);
  check_range ((CUdeviceptr) p + 1, (CUdeviceptr) p, 5000);
  GIVES (INVALID_VALUE, cuMemFree_v2 ((CUdeviceptr) p));
  OK (cuMemFreeHost (p));
  GIVES (INVALID_VALUE, cuMemFreeHost (p));
  GIVES (INVALID_VALUE, cuMemFreeHost (own));
  GIVES (INVALID_VALUE, cuMemHostAlloc (&p, 0, 0));
  GIVES (INVALID_VALUE, cuMemHostAlloc (&p, 64, 0x100));
  OK (cuMemAllocHost_v2 (&p, 64));
  OK (cuMemFreeHost (p));
}

static void
registration (void)
{
  static char own[3 * 4096];
  CUdeviceptr d;
  OK (cuMemHostRegister_v2 (own + 100, 5000, 0));
  GIVES (HOST_MEMORY_ALREADY_REGISTERED,
	 cuMemHostRegister_v2 (own + 100, 5000, 0));
  GIVES (HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2 (own, 200, 0));
  GIVES (HOST_MEMORY_ALREADY_REGISTERED,
	 cuMemHostRegister_v2 (own, sizeof own, 0));
  GIVES (HOST_MEMORY_ALREADY_REGISTERED,
	 cuMemHostRegister_v2 (own + 5099, 10, 0));
  OK (cuMemHostGetDevicePointer_v2 (&d, own + 200, 0));
  CHECK_EQ (d, (CUdeviceptr) own + 200);
  check_range ((CUdeviceptr) own + 101, (CUdeviceptr) own + 100, 5000);
  /* A copy is of registered memory, or of other.  */
  OK (cuMemAlloc_v2 (&d, sizeof own));
  OK (cuMemcpyHtoD_v2 (d, own + 100, 5000));
  OK (cuMemcpyHtoD_v2 (d, own + 2000, 3100));
  OK (cuMemcpyDtoH_v2 (own, d, 100));
  OK (cuMemcpyDtoH_v2 (own + 5100, d, 1000));
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 (d, own + 2000, 3101));
  GIVES (INVALID_VALUE, cuMemcpyHtoD_v2 (d, own + 99, 10));
  GIVES (INVALID_VALUE, cuMemcpyDtoHAsync_v2 (own, d, sizeof own, NULL));
  OK (cuMemFree_v2 (d));
  GIVES (HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister (own));
  GIVES (HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister (own + 101));
  GIVES (INVALID_VALUE, cuMemFreeHost (own + 100));
  OK (cuMemHostUnregister (own + 100));
  GIVES (HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister (own + 100));
  GIVES (INVALID_VALUE, cuMemHostUnregister (NULL));
  GIVES (INVALID_VALUE, cuMemHostRegister_v2 (NULL, 64, 0));
  GIVES (INVALID_VALUE, cuMemHostRegister_v2 (own, 0, 0));
  GIVES (INVALID_VALUE, cuMemHostRegister_v2 (own, 64, 0x100));
  /* Memory that is not there.  */
  char *gone = mmap (NULL, 8192, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap (gone + 4096, 4096);
  GIVES (INVALID_VALUE, cuMemHostRegister_v2 (gone, 8192, 0));
  OK (cuMemHostRegister_v2 (gone, 4096, 0));
  OK (cuMemHostUnregister (gone));
  /* The driver's own memory.  */
  OK (cuMemAllocManaged (&d, 4096, CU_MEM_ATTACH_GLOBAL));
  CHECK (cuMemHostRegister_v2 ((void *) d, 4096, 0) != CUDA_SUCCESS);
  OK (cuMemFree_v2 (d));
}

static void
managed (void)
{
  CUdeviceptr p, q;
  int value;
  const CUmemLocation host_place = { CU_MEM_LOCATION_TYPE_HOST, 0 };
  const CUmemLocation device_place = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
  const CUmemLocation no_place = { CU_MEM_LOCATION_TYPE_DEVICE, 40 };
  GIVES (INVALID_VALUE, cuMemAllocManaged (&p, 4096, 0));
  GIVES (INVALID_VALUE, cuMemAllocManaged (&p, 4096, 3));
  GIVES (INVALID_VALUE, cuMemAllocManaged (&p, 0, CU_MEM_ATTACH_GLOBAL));
  OK (cuMemAllocManaged (&p, 1 << 20, CU_MEM_ATTACH_GLOBAL));
  OK (cuMemAlloc_v2 (&q, 1 << 20));
  check_range (p + 4096, p, 1 << 20);
  *(int *) p = 5;
  OK (cuMemPrefetchAsync (p, 1 << 20, 0, NULL));
  OK (cuMemPrefetchAsync (p, 4096, CU_DEVICE_CPU, NULL));
  OK (cuMemPrefetchAsync_v2 (p, 4096, device_place, 0, NULL));
  OK (cuMemPrefetchAsync_v2 (p, 4096, host_place, 0, NULL));
  OK (cuCtxSynchronize ());
  CHECK_EQ (*(int *) p, 5);
  GIVES (INVALID_VALUE, cuMemPrefetchAsync (p, (1 << 20) + 1, 0, NULL));
  GIVES (INVALID_VALUE, cuMemPrefetchAsync (p, 0, 0, NULL));
  GIVES (INVALID_VALUE, cuMemPrefetchAsync (q, 4096, 0, NULL));
  GIVES (INVALID_VALUE, cuMemPrefetchAsync ((CUdeviceptr) &p, 8, 0, NULL));
  GIVES (INVALID_DEVICE, cuMemPrefetchAsync (p, 4096, 9, NULL));
  GIVES (INVALID_DEVICE, cuMemPrefetchAsync_v2 (p, 4096, no_place, 0, NULL));
  GIVES (INVALID_VALUE,
	 cuMemPrefetchAsync_v2 (p, 4096, device_place, 1, NULL));
  /* Nothing of it is of use; of a page that it has a part of all is.  */
  CUdeviceptr both[] = { p + 4096, p + 65536 };
  size_t sizes[] = { 8192, 100 };
  ((int *) p)[1024] = ((int *) p)[16384] = 7;
  OK (cuMemDiscardBatchAsync (both, sizes, 2, 0, CU_STREAM_PER_THREAD));
  OK (cuCtxSynchronize ());
  CHECK (((int *) p)[1024] != 7 && ((int *) p)[16384] == 7 && *(int *) p == 5);
  ((int *) p)[1024] = 8;
  OK (cuMemPrefetchAsync (p, 1 << 20, 0, NULL));
  OK (cuCtxSynchronize ());
  CHECK_EQ (((int *) p)[1024], 8);
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (both, sizes, 2, 1, CU_STREAM_PER_THREAD));
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (both, sizes, 0, 0, CU_STREAM_PER_THREAD));
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (NULL, sizes, 2, 0, CU_STREAM_PER_THREAD));
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (both, NULL, 2, 0, CU_STREAM_PER_THREAD));
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (both, sizes, 2, 0, NULL));
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (both, sizes, 2, 0, CU_STREAM_LEGACY));
  both[1] = q;
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (both, sizes, 2, 0, CU_STREAM_PER_THREAD));
  sizes[0] = 1 << 20;
  GIVES (INVALID_VALUE, cuMemDiscardBatchAsync (both, sizes, 1, 0, CU_STREAM_PER_THREAD));
  OK (cuMemAdvise (p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 77));
  OK (cuMemAdvise (p, 4096, CU_MEM_ADVISE_UNSET_READ_MOSTLY, 0));
  OK (cuMemAdvise (p, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
		   CU_DEVICE_CPU));
  OK (cuMemAdvise_v2 (p, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, device_place));
  GIVES (INVALID_DEVICE,
	 cuMemAdvise (p, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 9));
  GIVES (INVALID_VALUE, cuMemAdvise (p, 4096, 77, 0));
  GIVES (INVALID_VALUE,
	 cuMemAdvise (q, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  GIVES (INVALID_VALUE,
	 cuMemAdvise (p, 2 << 20, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  OK (cuMemRangeGetAttribute (&value, sizeof value,
			      CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p,
			      4096));
  CHECK_EQ (value, CU_DEVICE_CPU);
  GIVES (INVALID_VALUE,
	 cuMemRangeGetAttribute (&value, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
				 p, 4096));
  GIVES (INVALID_VALUE,
	 cuMemRangeGetAttribute (&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
				 q, 4096));
  GIVES (INVALID_VALUE, cuMemRangeGetAttribute (&value, 4, 55, p, 4096));
  OK (cuMemFree_v2 (p));
  GIVES (INVALID_VALUE, cuMemPrefetchAsync (p, 4096, 0, NULL));
  OK (cuMemFree_v2 (q));
}

static void
pointers (void)
{
  CUdeviceptr plain_p, managed_p, start_p;
  CUcontext context, own;
  unsigned type;
  int ordinal, local = 0;
  void *host_p;
  OK (cuCtxGetCurrent (&own));
  OK (cuMemAlloc_v2 (&plain_p, 64));
  OK (cuMemAllocManaged (&managed_p, 64, CU_MEM_ATTACH_GLOBAL));
  OK (cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
			     plain_p + 4));
  CHECK_EQ (type, CU_MEMORYTYPE_DEVICE);
  OK (cuPointerGetAttribute (&context, CU_POINTER_ATTRIBUTE_CONTEXT,
			     plain_p));
  CHECK (context == own);
  OK (cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_IS_MANAGED,
			     managed_p));
  CHECK_EQ (type, 1);
  OK (cuPointerGetAttribute (&start_p, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
			     managed_p + 9));
  CHECK_EQ (start_p, managed_p);
  GIVES (INVALID_VALUE,
	 cuPointerGetAttribute (&host_p, CU_POINTER_ATTRIBUTE_HOST_POINTER,
				plain_p));
  GIVES (INVALID_VALUE,
	 cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				(CUdeviceptr) &local));
  GIVES (INVALID_VALUE, cuPointerGetAttribute (&type, 0, plain_p));
  CUpointer_attribute which[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
  void *data[] = { &type, &ordinal };
  OK (cuPointerGetAttributes (2, which, data, (CUdeviceptr) &local));
  CHECK (type == 0 && ordinal == CU_DEVICE_INVALID);
  OK (cuPointerGetAttributes (2, which, data, managed_p));
  CHECK (type == CU_MEMORYTYPE_DEVICE && ordinal == 0);
  GIVES (INVALID_VALUE, cuPointerGetAttributes (0, which, data, managed_p));
  OK (cuMemFree_v2 (plain_p));
  OK (cuMemFree_v2 (managed_p));
}

int
main (void)
{
  CUdeviceptr p;
  OK (cuInit (0));
  GIVES (INVALID_CONTEXT, cuMemAlloc_v2 (&p, 64));
  GIVES (INVALID_CONTEXT, cuMemFree_v2 (64));
  start (0);
  plain ();
  host ();
  registration ();
  managed ();
  pointers ();
  return 0;
}
