/* Entry points: copies of rectangles and boxes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Done row by row, as on the default stream.  CUDA arrays do not exist
   here.  */

#include "config.h"
#include "simcuda/driver/driver.h"

/* One side of a copy.  */
struct side
{
  CUmemorytype type;
  uintptr_t address;
  size_t x, y, z, pitch, height;
};

struct box
{
  size_t width, height, depth;
};

/* Is everything that BOX touches of SIDE inside memory of its kind?  */
static CUresult
check_side (const struct side *s, const struct box *b)
{
  size_t last, plane;
  if (s->type != CU_MEMORYTYPE_HOST && s->type != CU_MEMORYTYPE_DEVICE
      && s->type != CU_MEMORYTYPE_UNIFIED)
    return s->type == CU_MEMORYTYPE_ARRAY ? CUDA_ERROR_NOT_SUPPORTED
					  : CUDA_ERROR_INVALID_VALUE;
  if (!s->address || s->pitch < s->x + b->width
      || __builtin_mul_overflow (s->pitch, s->height, &plane)
      || __builtin_mul_overflow (plane, s->z + b->depth - 1, &last))
    return CUDA_ERROR_INVALID_VALUE;
  last += (s->y + b->height - 1) * s->pitch + s->x + b->width;
  struct sim_alloc *alloc = sim_mem_find (s->address);
  if (!alloc)
    return s->type == CU_MEMORYTYPE_DEVICE ? CUDA_ERROR_INVALID_VALUE
					   : CUDA_SUCCESS;
  if (s->type == CU_MEMORYTYPE_HOST && alloc->kind == SIM_MEM_PLAIN)
    return CUDA_ERROR_INVALID_VALUE;
  if (s->type == CU_MEMORYTYPE_HOST && alloc->kind == SIM_MEM_REGISTERED)
    return CUDA_SUCCESS;
  return last <= alloc->base + alloc->size - s->address
	 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static uintptr_t
row (const struct side *s, size_t y, size_t z)
{
  return s->address + ((s->z + z) * s->height + s->y + y) * s->pitch + s->x;
}

static CUresult
copy_box (struct side *dst, struct side *src, const struct box *b)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS || !b->width || !b->height || !b->depth)
    return r;
  /* A pitch of 0 means rows without gaps.  */
  if (!dst->pitch)
    dst->pitch = dst->x + b->width;
  if (!src->pitch)
    src->pitch = src->x + b->width;
  if (!dst->height)
    dst->height = dst->y + b->height;
  if (!src->height)
    src->height = src->y + b->height;
  r = check_side (dst, b);
  if (r == CUDA_SUCCESS)
    r = check_side (src, b);
  if (r == CUDA_SUCCESS)
    r = sim_engine_wait_stream (&context->null_stream);
  for (size_t z = 0; z < b->depth && r == CUDA_SUCCESS; z++)
    for (size_t y = 0; y < b->height && r == CUDA_SUCCESS; y++)
      r = sim_mem_copy_by (context->device, row (dst, y, z), row (src, y, z), b->width);
  sim_engine_did (context);
  return r;
}

static uintptr_t
address_of (CUmemorytype type, const void *host, CUdeviceptr device)
{
  return type == CU_MEMORYTYPE_HOST ? (uintptr_t) host : device;
}

CUresult
cuMemcpy2D_v2 (const CUDA_MEMCPY2D *c)
{
  CUresult r = sim_given (sim_enter (), c);
  if (r != CUDA_SUCCESS)
    return r;
  struct side dst = { c->dstMemoryType,
		      address_of (c->dstMemoryType, c->dstHost, c->dstDevice),
		      c->dstXInBytes, c->dstY, 0, c->dstPitch, 0 };
  struct side src = { c->srcMemoryType,
		      address_of (c->srcMemoryType, c->srcHost, c->srcDevice),
		      c->srcXInBytes, c->srcY, 0, c->srcPitch, 0 };
  return copy_box (&dst, &src, &(struct box) { c->WidthInBytes, c->Height, 1 });
}

SIM_ALIAS (cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2);

CUresult
cuMemcpy3D_v2 (const CUDA_MEMCPY3D *c)
{
  CUresult r = sim_given (sim_enter (), c && !c->reserved0 && !c->reserved1
					&& !c->srcLOD && !c->dstLOD);
  if (r != CUDA_SUCCESS)
    return r;
  struct side dst = { c->dstMemoryType,
		      address_of (c->dstMemoryType, c->dstHost, c->dstDevice),
		      c->dstXInBytes, c->dstY, c->dstZ, c->dstPitch,
		      c->dstHeight };
  struct side src = { c->srcMemoryType,
		      address_of (c->srcMemoryType, c->srcHost, c->srcDevice),
		      c->srcXInBytes, c->srcY, c->srcZ, c->srcPitch,
		      c->srcHeight };
  return copy_box (&dst, &src,
		   &(struct box) { c->WidthInBytes, c->Height, c->Depth });
}
