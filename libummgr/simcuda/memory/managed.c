/* The arena of managed memory: its mappings, and allocating in it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the memory, the arena, the alias, and the free space in the arena.

   The memory is a memfd's, but no descriptor of it is kept: the program might
   close it and get its number for a file of its own.  All goes through the
   alias.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define GIB (UINT64_C (1) << 30)
#define ARENA_MOST (1024 * GIB)
#define ARENA_LEAST (4 * GIB)

static struct sim_space space;

/* Map SIZE bytes of the memory at a multiple of 1 GiB: page tables move a
   whole gigabyte at a time only between such addresses (view.c).  FD is the
   memfd; -1: as the alias is.  */
static void *
map_aligned (size_t size, int fd)
{
  char *p = mmap ((void *) SIM_MANAGED_AT, size + GIB, PROT_NONE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  char *q = (char *) (((uintptr_t) p + GIB - 1) & -GIB);
  /* Of an old size of 0, mremap makes a second mapping.  */
  void *m = fd >= 0 ? mmap (q, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0)
		    : mremap (sim_machine.alias, 0, size,
			      MREMAP_MAYMOVE | MREMAP_FIXED, q);
  if (q > p)
    munmap (p, q - p);
  if (p + GIB > q)
    munmap (q + size, p + GIB - q);
  if (m == MAP_FAILED)
    {
      munmap (q, size);
      return NULL;
    }
  /* A core dump would step through every page of the address space.  Views are
     inherited, the alias, of which one may be made, isn't.  */
  madvise (m, size, MADV_DONTDUMP);
  madvise (m, size, MADV_DOFORK);
  return m;
}

void *
sim_managed_map (void)
{
  return map_aligned (sim_machine.arena_bytes, -1);
}

static bool
map_arena (size_t size, int fd)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_FSIZE, &limit) == 0 && size > limit.rlim_cur)
    return false;		/* ftruncate would raise SIGXFSZ.  */
  sim_machine.arena_bytes = size;
  if (ftruncate (fd, size) != 0)
    return false;
  void *arena = map_aligned (size, fd), *alias = map_aligned (size, fd);
  if (arena && alias)
    {
      sim_machine.arena = (uintptr_t) arena;
      sim_machine.alias = alias;
      madvise (alias, size, MADV_DONTFORK);
      return true;
    }
  if (arena)
    munmap (arena, size);
  if (alias)
    munmap (alias, size);
  return false;
}

/* The size of the arena; 0, logged: there is none.  */
static size_t
make_arena (void)
{
  int fd = memfd_create ("ummgr-managed", MFD_CLOEXEC);
  if (fd < 0)
    {
      ummgr_error ("simcuda: memfd_create: %s", strerror (errno));
      return 0;
    }
  size_t size = ARENA_MOST;
  while (size && !map_arena (size, fd))
    if ((size /= 2) < ARENA_LEAST)
      {
	ummgr_error ("simcuda: no address space for managed memory;"
		     " is there a limit (ulimit -v, ulimit -f)?");
	size = 0;
      }
  close (fd);
  return size;
}

CUresult
sim_managed_init (void)
{
  size_t size = make_arena ();
  if (!size)
    return CUDA_ERROR_OUT_OF_MEMORY;
  return sim_space_init (&space, sim_machine.arena, size,
			 sim_machine.uvm->block_bytes)
	   ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool
sim_managed_populate (uint64_t offset, size_t size)
{
  char *p = sim_machine.alias + offset;
  if (madvise (p, size, MADV_POPULATE_WRITE) == 0)
    return true;
  if (errno != EINVAL)
    return false;
  /* Linux before 5.14.  Others may be writing there.  */
  for (size_t i = 0; i < size; i += SIM_PAGE)
    __atomic_fetch_or (p + i, 0, __ATOMIC_RELAXED);
  return true;
}

/* What the CPU does can't be seen where it doesn't trap: then what no device holds is
   the CPU's from the start.  */
static bool
make_blocks (struct sim_range *r, int home)
{
  struct uvm *u = sim_machine.uvm;
  uint64_t pages = (r->alloc.size + SIM_PAGE - 1) / SIM_PAGE;
  r->managed = uvm_range_add (u, sim_offset (r->alloc.base) >> u->block_shift,
			      pages, home, !sim_trap_cpu ());
  if (!r->managed)
    return false;
  r->block_memory = calloc (r->managed->count, sim_machine.block_stride);
  if (!r->block_memory)
    {
      uvm_range_remove (u, r->managed);
      r->managed = NULL;
      return false;
    }
  for (uint32_t i = 0; i < r->managed->count; i++)
    {
      struct sim_block *b = sim_range_block (r, i);
      b->of = uvm_range_block (u, r->managed, i);
      b->of->user = b;
      b->range = r;
    }
  r->counters = &r->managed->counters;
  return true;
}

CUresult
sim_managed_alloc (struct sim_range *r, int home)
{
  sim_trap_init ();
  uintptr_t base = sim_space_take (&space, r->alloc.size);
  if (!base)
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->alloc.base = base;
  if (!make_blocks (r, home))
    {
      sim_space_give (&space, base, r->alloc.size);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  size_t end = (size_t) (r->managed->first + r->managed->count)
	       << sim_machine.uvm->block_shift;
  if (end > sim_machine.span)
    sim_view_grow ((end + GIB - 1) & -GIB);
  return CUDA_SUCCESS;
}

void
sim_managed_free (struct sim_range *r)
{
  uint32_t count = r->managed->count;
  uvm_range_remove (sim_machine.uvm, r->managed);
  for (uint32_t i = 0; i < count; i++)
    sim_view_forget (sim_range_block (r, i));
  /* Takes the pages out of every view too.  */
  size_t size = (r->alloc.size + SIM_PAGE - 1) & -SIM_PAGE;
  madvise (sim_managed_alias (r->alloc.base), size, MADV_REMOVE);
  free (r->block_memory);
  sim_space_give (&space, r->alloc.base, r->alloc.size);
}
