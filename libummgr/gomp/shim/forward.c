/* Plugin entry points that the shim only passes on.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each is a jump through a slot, so that arguments and result, whatever they
   are in this version of GCC, stay where the caller put them.  Owns the
   slots; gomp/shim/load.c fills them.  */

#include "config.h"
#include "gomp/shim/shim.h"

enum slot
{
#define ENTRY(NAME) SLOT_##NAME,
  UMMGR_SHIM_FORWARDED (ENTRY)
#undef ENTRY
  SLOT_COUNT
};

/* Without the real plugin every answer is 0: no capability, no device.  */
static long
absent (void)
{
  return 0;
}

/* -1 tells libgomp (GCC 14) to copy row by row: not supported.  */
static long
unsupported (void)
{
  return -1;
}

void *ummgr_shim_slots[SLOT_COUNT] = {
  [0 ... SLOT_memcpy2d - 1] = (void *) absent,
  [SLOT_memcpy2d ... SLOT_memcpy3d] = (void *) unsupported
};

#if defined __x86_64__
# define FORWARD(NAME)                                                        \
  __attribute__ ((naked, visibility ("default"))) void                        \
  GOMP_OFFLOAD_##NAME (void);                                                 \
  void GOMP_OFFLOAD_##NAME (void)                                             \
  {                                                                           \
    __asm__ ("jmp *ummgr_shim_slots+%c0(%%rip)"                               \
	     : : "i" (SLOT_##NAME * sizeof (void *)));                        \
  }
#elif defined __aarch64__
/* The procedure call standard leaves x16 to such veneers.  */
# define FORWARD(NAME)                                                        \
  __attribute__ ((naked, visibility ("default"))) void                        \
  GOMP_OFFLOAD_##NAME (void);                                                 \
  void GOMP_OFFLOAD_##NAME (void)                                             \
  {                                                                           \
    __asm__ ("adrp x16, ummgr_shim_slots\n\t"                                 \
	     "add x16, x16, :lo12:ummgr_shim_slots\n\t"                       \
	     "ldr x16, [x16, #%c0]\n\t"                                       \
	     "br x16" : : "i" (SLOT_##NAME * sizeof (void *)));               \
  }
#else
# error "no veneer for this processor: add one to shim-forward.c"
#endif

UMMGR_SHIM_FORWARDED (FORWARD)
