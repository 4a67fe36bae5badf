/* What GCC's offload code, libgomp and its plugins agree on.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Values are those of include/gomp-constants.h and libgomp/libgomp-plugin.h,
   GCC 12.2; GCC 11, 13 and 14 have the same ones and more.  */

#pragma once

/* The low byte of a 16-bit map kind; the high byte is log2 of the
   alignment.  */
enum
{
  UMMGR_MAP_ALLOC = 0x00,
  UMMGR_MAP_TO = 0x01,
  UMMGR_MAP_FROM = 0x02,
  UMMGR_MAP_TOFROM = 0x03,
  UMMGR_MAP_POINTER = 0x04,
  UMMGR_MAP_TO_PSET = 0x05,
  UMMGR_MAP_DELETE = 0x07,
  UMMGR_MAP_IF_PRESENT = 0x0b,
  UMMGR_MAP_FIRSTPRIVATE = 0x0c,
  UMMGR_MAP_FIRSTPRIVATE_INT = 0x0d,
  UMMGR_MAP_USE_DEVICE_PTR = 0x0e,
  UMMGR_MAP_ZERO_LEN_ARRAY_SECTION = 0x0f,
  UMMGR_MAP_USE_DEVICE_PTR_IF_PRESENT = 0x10,
  UMMGR_MAP_ALWAYS_TO = 0x11,
  UMMGR_MAP_ALWAYS_FROM = 0x12,
  UMMGR_MAP_ALWAYS_TOFROM = 0x13,
  UMMGR_MAP_RELEASE = 0x17,
  UMMGR_MAP_STRUCT = 0x1c,
  UMMGR_MAP_ALWAYS_POINTER = 0x1d,
  UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION = 0x1e,
  UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION = 0x1f,
  UMMGR_MAP_ATTACH = 0x50,
  UMMGR_MAP_DETACH = 0x51,
  UMMGR_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION = 0x52,
  UMMGR_MAP_STRUCT_UNORD = 0x5c		/* GCC 14 and later.  */
};

#define UMMGR_MAP_KIND_MASK 0xff
#define UMMGR_MAP_SPECIAL_BITS 0x7c
/* GCC 12 and later: made by OpenMP's implicit rules.  */
#define UMMGR_MAP_IMPLICIT 0x60

#define UMMGR_DEVICE_ICV (-1)
#define UMMGR_DEVICE_HOST (-2)

#define UMMGR_TARGET_FLAG_NOWAIT 1u
#define UMMGR_TARGET_FLAG_EXIT_DATA 2u
#define UMMGR_TASK_FLAG_DEPEND 8u

#define UMMGR_OFFLOAD_TYPE_NVPTX 5
#define UMMGR_OFFLOAD_CAP_OPENMP 4u

/* GOMP_VERSION of the libgomp that an image was built for: 1 in GCC 11 and
   12, 2 in 13, 3 in 14.  From 2 on the target data begins with a mask of
   `requires' clauses, which libgomp strips.  */
#define UMMGR_VERSION_LIB(PACK) (((PACK) >> 16) & 0xffff)
#define UMMGR_GOMP_VERSION_KNOWN 3
/* include/gomp-constants.h, GCC 13.  */
#define UMMGR_REQUIRES_REVERSE_OFFLOAD 0x80u

/* libgomp/plugin/plugin-nvptx.c, GCC 11 to 14 (what follows differs).  */
struct ummgr_nvptx_function
{
  const char *name;
  unsigned short dim[3];
};

struct ummgr_nvptx_data
{
  const void *ptx_objects;
  unsigned ptx_count;
  const char *const *variable_names;
  unsigned variable_count;
  const struct ummgr_nvptx_function *functions;
  unsigned function_count;
};
