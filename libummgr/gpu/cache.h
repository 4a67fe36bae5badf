/* A model of a GPU's last-level cache: which sectors go to memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Lines of 128 bytes, each of 4 sectors of 32 bytes; a miss fetches sectors, not
   lines (NVIDIA, developer forum "Pascal L1 cache": L1 and L2 of Maxwell, Pascal
   and Volta; CUDA C++ Best Practices Guide, "Coalesced Access": 32-byte
   transactions).  Write-back, with write-allocate and lazy fetch on read: a
   write fetches nothing but notes the bytes written, and only a read of a sector
   that is not wholly written fetches it (Khairy et al., arXiv:1810.07269, from
   microbenchmarks of Volta).  Not documented by NVIDIA, hence estimates: 16
   ways, least recently used within a set, and which set a line belongs to:

     q = line / sets
     set = (line mod sets + high32 (low64 (q * 0x9e3779b97f4a7c15)) * sets
				/ 2^32) mod sets

   so that any contiguous range up to the cache's size but one way fits, and
   powers of two as strides do not collide.  LINE is an address over 128 where
   the address is the machine's own (simcuda/memory/access.c, key), not the process's: results
   do not vary with address space randomisation.

   Each set has a lock, taken for moments and never while anything else is
   locked or can fault; so any thread and any signal handler may call in.  */

#pragma once

#include "gpu/gpu.h"

#define UMMGR_GPU_LINE 128u
#define UMMGR_GPU_LINE_SHIFT 7

/* Whose line it is: an address of the caller's, of 56 bits, in bit 0 whether the memory is on
   the other side of a link, in bit 1 whether another GPU of the same device is there, and above
   the address which of those.  */
typedef uintptr_t ummgr_gpu_cache_owner;
#define UMMGR_GPU_CACHE_REMOTE ((ummgr_gpu_cache_owner) 1)
#define UMMGR_GPU_CACHE_PEER ((ummgr_gpu_cache_owner) 2)
#define UMMGR_GPU_CACHE_HOME_SHIFT 56

enum
{
  UMMGR_GPU_CACHE_READ = 1,
  UMMGR_GPU_CACHE_WRITE = 2
};

struct ummgr_gpu_cache;

/* What of SECTOR is PLACE's: bytes [*LO_P, *HI_P) of that line of the last-level cache.  A
   trace may say what crosses one: then up to its end.  */
static inline uint64_t
ummgr_gpu_line_of (const struct ummgr_gpu_place *place, uint64_t sector, unsigned *lo_p,
		   unsigned *hi_p)
{
  uint64_t begin = sector * UMMGR_GPU_SECTOR, end = begin + UMMGR_GPU_SECTOR;
  begin = begin < place->base ? place->base : begin;
  end = end > place->end ? place->end : end;
  *lo_p = (begin + place->key) % UMMGR_GPU_LINE;
  *hi_p = *lo_p + (end - begin) < UMMGR_GPU_LINE ? *lo_p + (end - begin) : UMMGR_GPU_LINE;
  return (begin + place->key) / UMMGR_GPU_LINE;
}

/* SECTORS of OWNER's are written back to memory.  */
typedef void ummgr_gpu_cache_back (void *data, ummgr_gpu_cache_owner owner, unsigned sectors);

/* A cache of BYTES, rounded down to whole sets; NULL without memory.  BACK
   is called with a set's lock held.  */
struct ummgr_gpu_cache *ummgr_gpu_cache_create (uint64_t bytes, ummgr_gpu_cache_back *back,
						void *data);
void ummgr_gpu_cache_destroy (struct ummgr_gpu_cache *c);

/* Use the bytes [LO, HI) of LINE (0 <= LO < HI <= 128) as HOW says, a read
   before a write.  Returns how many sectors were fetched; -1, with nothing
   done, if *EPOCH_P is no longer EPOCH: a line that ummgr_gpu_cache_drop was to find
   must not come in behind it.  */
int ummgr_gpu_cache_touch (struct ummgr_gpu_cache *c, uint64_t line, unsigned lo,
			   unsigned hi, unsigned how, ummgr_gpu_cache_owner owner,
			   const uint64_t *epoch_p, uint64_t epoch);

/* Would that fetch nothing, and write nothing back?  Nobody else uses the cache meanwhile.  */
bool ummgr_gpu_cache_holds (struct ummgr_gpu_cache *c, uint64_t line, unsigned lo, unsigned hi,
			    unsigned how);

/* Forget the lines FIRST to LAST, dirty ones too: their bytes went elsewhere
   with the memory they are of.  The caller has changed the epoch.  */
void ummgr_gpu_cache_drop (struct ummgr_gpu_cache *c, uint64_t first, uint64_t last);

/* Dirty sectors of the host's memory.  */
uint64_t ummgr_gpu_cache_left (struct ummgr_gpu_cache *c);

/* A launch ends: what is dirty is written back and stays, clean; what is remote
   leaves.  Nobody else uses the cache meanwhile.  */
void ummgr_gpu_cache_settle (struct ummgr_gpu_cache *c);
