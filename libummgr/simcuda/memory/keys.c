/* A processor's protection keys.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "simcuda/memory/keys.h"

#include <sys/mman.h>
#include <ucontext.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#ifdef __x86_64__
static unsigned pkru_offset;	/* In an XSAVE area; 0: unknown.  */

uint32_t
sim_keys_read (void)
{
  uint32_t value, high;
  __asm__ volatile (".byte 0x0f, 0x01, 0xee" /* rdpkru */
		    : "=a" (value), "=d" (high)
		    : "c" (0));
  return value;
}

void
sim_keys_write (uint32_t value)
{
  __asm__ volatile (".byte 0x0f, 0x01, 0xef" /* wrpkru */
		    :
		    : "a" (value), "c" (0), "d" (0)
		    : "memory");
}

/* The frame is an XSAVE area in standard format (Intel SDM volume 1, 13.4),
   marked by the kernel at byte 464.  */
uint32_t *
sim_keys_frame (const void *context, bool *init_p)
{
  const ucontext_t *uc = context;
  char *area = (char *) uc->uc_mcontext.fpregs;
  const uint32_t magic = 0x46505853;
  if (!area || !pkru_offset || *(uint32_t *) (area + 464) != magic
      || *(uint32_t *) (area + 464 + 16) < pkru_offset + 4)
    return NULL;
  *init_p = !(*(uint64_t *) (area + 512) >> 9 & 1);
  return (uint32_t *) (area + pkru_offset);
}

void
sim_keys_mark (const void *context)
{
  const ucontext_t *uc = context;
  *(uint64_t *) ((char *) uc->uc_mcontext.fpregs + 512) |= 1 << 9;
}

bool
sim_keys_possible (void)
{
  unsigned a, b, c, d;
  if (!__get_cpuid_count (7, 0, &a, &b, &c, &d) || !(c >> 4 & 1))
    return false;		/* OSPKE: not switched on.  */
  if (!__get_cpuid_count (13, 9, &a, &b, &c, &d) || a < 4)
    return false;
  pkru_offset = b;
  return true;
}
#else
uint32_t
sim_keys_read (void)
{
  return 0;
}

void
sim_keys_write (uint32_t value)
{
  (void) value;
}

uint32_t *
sim_keys_frame (const void *context, bool *init_p)
{
  (void) context;
  *init_p = false;
  return NULL;
}

void
sim_keys_mark (const void *context)
{
  (void) context;
}

bool
sim_keys_possible (void)
{
  return false;
}
#endif

int
sim_keys_new (void)
{
  return pkey_alloc (0, PKEY_DISABLE_ACCESS);
}

bool
sim_keys_lock (void *p, size_t size, int key)
{
  return pkey_mprotect (p, size, PROT_READ | PROT_WRITE, key) == 0;
}
