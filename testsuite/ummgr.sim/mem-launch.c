/* What a launch is charged: the allocations its argument block reaches, once
   each, and modelled time by the formula of uvm/clock.c; counters by allocation.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define MIB (UINT64_C (1) << 20)

static struct ummgr_counters
counters (void)
{
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  return c;
}

static struct ummgr_counters
counters_of (const struct sim_alloc *a)
{
  struct ummgr_counters c;
  CHECK (sim_mem_range_counters ((char *) a->base + a->size - 1, &c));
  return c;
}

static struct sim_alloc *
take (enum sim_mem_kind kind, uint64_t size)
{
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (kind, 0, size, false, &a), CUDA_SUCCESS);
  return a;
}

/* What libgomp puts into one allocation are several objects: a launch is taken to
   use those it has pointers to.  */
static void
parts (void)
{
  struct sim_alloc *plain = take (SIM_MEM_PLAIN, MIB);
  uintptr_t all[3] = { plain->base, plain->base + MIB / 4, plain->base + MIB / 2 };
  uintptr_t first[2] = { plain->base, plain->base }, last[1] = { all[2] };
  struct ummgr_counters c[4];
  sim_mem_launch_begin (0, all, sizeof all);
  sim_mem_launch_end (0);
  c[0] = counters ();
  sim_mem_launch_begin (0, first, sizeof first);
  sim_mem_launch_end (0);
  c[1] = counters ();
  sim_mem_launch_begin (0, last, sizeof last);
  sim_mem_launch_end (0);
  c[2] = counters ();
  CHECK_EQ (c[1].local_bytes - c[0].local_bytes, MIB / 4);
  CHECK_EQ (c[2].local_bytes - c[1].local_bytes, MIB / 2);
  CHECK_EQ (counters_of (plain).local_bytes, MIB + MIB / 4 + MIB / 2);
  /* What comes to be there afterwards has parts of its own.  */
  uintptr_t base = plain->base;
  CHECK_EQ (sim_mem_free (plain), CUDA_SUCCESS);
  plain = take (SIM_MEM_PLAIN, MIB);
  CHECK_EQ (plain->base, base);
  sim_mem_launch_begin (0, first, sizeof first);
  sim_mem_launch_end (0);
  c[3] = counters ();
  CHECK_EQ (c[3].local_bytes - c[2].local_bytes, MIB);
  CHECK_EQ (sim_mem_free (plain), CUDA_SUCCESS);
}

static void
reachable (void)
{
  static char program[5000];
  struct sim_alloc *plain = take (SIM_MEM_PLAIN, MIB);
  struct sim_alloc *managed = take (SIM_MEM_MANAGED, 4 * MIB);
  struct sim_alloc *other = take (SIM_MEM_PLAIN, MIB), *registered;
  struct sim_alloc *block = take (SIM_MEM_PLAIN, 6 * sizeof (void *));
  CHECK_EQ (sim_mem_register (program, sizeof program, &registered),
	    CUDA_SUCCESS);
  CHECK_EQ (sim_mem_prefetch (managed->base, MIB, 0), CUDA_SUCCESS);
  uintptr_t words[6] = { plain->base + 100, managed->base, 12345,
			 (uintptr_t) program + 4, plain->base, 0 };
  CHECK_EQ (sim_mem_copy (block->base, (uintptr_t) words, sizeof words),
	    CUDA_SUCCESS);

  struct ummgr_counters b = counters ();
  CHECK_EQ (b.h2d_bytes, sizeof words);
  sim_mem_launch_begin (0, (void *) block->base, sizeof words);
  *(volatile char *) managed->base;
  sim_mem_launch_end (0);
  struct ummgr_counters c = counters ();
  CHECK_EQ (c.local_bytes - b.local_bytes, 2 * MIB);
  CHECK_EQ (c.remote_bytes - b.remote_bytes, sizeof program);
  CHECK_EQ (c.launches - b.launches, 1);
  CHECK_EQ (counters_of (plain).local_bytes, MIB);
  CHECK_EQ (counters_of (managed).local_bytes, MIB);
  CHECK_EQ (counters_of (registered).remote_bytes, sizeof program);
  CHECK_EQ (counters_of (other).launches, 0);
  CHECK_EQ (counters_of (block).h2d_bytes, sizeof words);
  const struct ummgr_figures *f = &sim_profile.device[0];
  machine_near (c.model_seconds - b.model_seconds,
	f->launch_cost
	  + fmax (2 * MIB / f->memory_rate, sizeof program / f->remote_rate));
  CHECK_EQ (sim_mem_free (registered), CUDA_SUCCESS);
  CHECK (!sim_mem_find ((uintptr_t) program));
  CHECK_EQ (sim_mem_free (managed), CUDA_SUCCESS);
}

/* Bytes of [0, SIZE) in blocks, of BLOCK bytes, the first of which begins BASE bytes before, that have a place of the
   COUNT in TOUCHED.  */
static uint64_t
in_blocks (uintptr_t base, uint64_t size, uint64_t block, const uint64_t *touched, int count)
{
  uint64_t bytes = 0;
  for (uintptr_t at = 0; at < size; at++)
    {
      uintptr_t first = (at + base) / block * block, end = first + block;
      bool any = false;
      for (int i = 0; i < count; i++)
	any |= touched[i] + base >= first && touched[i] + base < end;
      uint64_t next = end - base < size ? end - base : size;
      bytes += any ? next - at : 0;
      at = next - 1;
    }
  return bytes;
}

/* Of what is on the device, and larger than a block, a launch is taken to use the blocks that it touches, and so it is
   with each launch; what is copied beside it doesn't count.  */
static void
blocks (void)
{
  enum { BLOCKS = 5, MOST = 6 };
  const uint64_t block = sim_profile.device[0].block_bytes, size = BLOCKS * block - MIB / 4;
  struct sim_alloc *managed = take (SIM_MEM_MANAGED, size), *small = take (SIM_MEM_PLAIN, 3 * 512);
  struct sim_alloc *plain = take (SIM_MEM_PLAIN, size);
  static char host[4096];
  CHECK_EQ (sim_mem_prefetch (managed->base, size, 0), CUDA_SUCCESS);
  for (int turn = 0; turn < 300; turn++)
    {
      struct sim_alloc *a = turn % 2 ? plain : managed;
      uintptr_t words[2] = { a->base, small->base };
      /* Blocks of plain memory are those of the device's memory.  */
      uintptr_t base = turn % 2 ? a->base - sim_plain_base (0) : 0;
      uint64_t touched[MOST], copied = random () % (size - sizeof host);
      int count = random () % (MOST + 1);
      struct ummgr_counters before = counters ();
      sim_mem_launch_begin (0, words, sizeof words);
      for (int i = 0; i < count; i++)
	{
	  touched[i] = random () % size;
	  if (random () % 2)
	    *(volatile char *) (a->base + touched[i]) = 1;
	  else
	    *(volatile char *) (a->base + touched[i]);
	}
      /* What was touched first stays so.  */
      bool beside = turn % 4 == 1;
      if (beside)
	CHECK_EQ (sim_mem_copy (a->base + copied, (uintptr_t) host, sizeof host), CUDA_SUCCESS);
      sim_mem_launch_end (0);
      struct ummgr_counters after = counters ();
      uint64_t expected = sim_trap_gpu () ? in_blocks (base, size, block, touched, count) : size;
      CHECK_EQ (after.local_bytes - before.local_bytes, expected + small->size);
      CHECK_EQ (after.gpu_faults, before.gpu_faults);
      CHECK_EQ (after.remote_bytes, before.remote_bytes);
      /* And nothing of it is closed, or kept, behind the launch.  */
      CHECK_EQ (sim_mem_copy ((uintptr_t) host, a->base + copied, sizeof host), CUDA_SUCCESS);
    }
  CHECK_EQ (sim_mem_free (managed), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (plain), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (small), CUDA_SUCCESS);
}

/* Of the stacks, to which a word may lead that means nothing, a launch is taken to use nothing.  */
static void
stacks (void)
{
  struct sim_alloc *plain = take (SIM_MEM_PLAIN, MIB), *all = take (SIM_MEM_PLAIN, 64 * MIB);
  uintptr_t words[3] = { all->base + 12345, plain->base, all->base };
  struct ummgr_counters before = counters ();
  sim_mem_launch_begin (0, words, sizeof words);
  sim_mem_launch_stacks (all->base);
  sim_mem_launch_end (0);
  struct ummgr_counters after = counters ();
  CHECK_EQ (after.local_bytes - before.local_bytes, MIB);
  CHECK_EQ (counters_of (all).launches, 0);
  /* Memory of the driver's that isn't there.  */
  sim_mem_launch_begin (0, words, sizeof words);
  sim_mem_launch_stacks (0);
  sim_mem_launch_end (0);
  CHECK_EQ (counters_of (all).launches, 1);
  CHECK_EQ (sim_mem_free (plain), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (all), CUDA_SUCCESS);
}

/* Host memory that is freed is no more.  */
static void
given_back (void)
{
  struct sim_alloc *host = take (SIM_MEM_HOST, MIB + 5);
  char *p = (char *) host->base;
  memset (p, 1, MIB + 5);
  CHECK_EQ (sim_mem_free (host), CUDA_SUCCESS);
  for (size_t i = 0; i <= MIB; i += 4096)
    CHECK (msync (p + i, 4096, MS_ASYNC) < 0 && errno == ENOMEM);
}

static void
faults (void)
{
  const struct ummgr_figures *f = &sim_profile.device[0];
  struct sim_alloc *m = take (SIM_MEM_MANAGED, 2 * MIB);
  char *p = (char *) m->base;
  memset (p, 1, 2 * MIB);
  struct ummgr_counters b = counters ();
  sim_mem_launch_begin (0, NULL, 0);
  for (size_t i = 0; i < 2 * MIB; i += 4096)
    p[i]++;
  sim_mem_launch_end (0);
  struct ummgr_counters c = counters ();
  /* Granules 0, 1, 2, 4, 8 and 16 fault; the tree brings the rest.  */
  CHECK_EQ (c.gpu_faults - b.gpu_faults, 6);
  CHECK_EQ (c.h2d_bytes - b.h2d_bytes, 2 * MIB);
  machine_near (c.model_seconds - b.model_seconds,
	f->launch_cost
	  + (6 + ummgr_figures_stream (f) - 1) / ummgr_figures_stream (f)
	      * (f->gpu_fault_cost + f->gpu_block_cost)
	  + 2 * MIB / 4096 * f->host_page_cost
	  + 2 * MIB / f->h2d_rate);
  /* Resident now: a second launch costs its launch.  */
  sim_mem_launch_begin (0, NULL, 0);
  for (size_t i = 0; i < 2 * MIB; i += 4096)
    p[i]++;
  sim_mem_launch_end (0);
  b = counters ();
  CHECK_EQ (b.gpu_faults, c.gpu_faults);
  machine_near (b.model_seconds - c.model_seconds, f->launch_cost);
  CHECK (p[4096] == 3);
  c = counters ();
  CHECK_EQ (c.cpu_faults - b.cpu_faults, 1);
  CHECK_EQ (c.d2h_bytes - b.d2h_bytes, 65536);
  machine_near (c.model_seconds - b.model_seconds,
	f->cpu_fault_cost + 65536 / f->d2h_rate);
  CHECK_EQ (counters_of (m).gpu_faults, 6);
  CHECK_EQ (counters_of (m).cpu_faults, 1);
  CHECK (sim_mem_check ());
}

static void
copies (void)
{
  const struct ummgr_figures *f = &sim_profile.device[0];
  static char host[MIB];
  struct sim_alloc *a = take (SIM_MEM_PLAIN, MIB);
  double t = sim_mem_time ();
  CHECK_EQ (sim_mem_copy (a->base, (uintptr_t) host, MIB), CUDA_SUCCESS);
  machine_near (sim_mem_time () - t, f->link_latency + MIB / f->h2d_rate);
  t = sim_mem_time ();
  CHECK_EQ (sim_mem_copy ((uintptr_t) host, a->base, MIB), CUDA_SUCCESS);
  machine_near (sim_mem_time () - t, f->link_latency + MIB / f->d2h_rate);
  t = sim_mem_time ();
  CHECK_EQ (sim_mem_set (a->base, 7, 4, MIB / 4), CUDA_SUCCESS);
  machine_near (sim_mem_time () - t, MIB / f->memory_rate);
  CHECK_EQ (sim_mem_set (a->base, 7, 3, 1), CUDA_ERROR_INVALID_VALUE);
  /* Every element, and none beside them.  */
  for (int width = 1; width <= 4; width *= 2)
    {
      const unsigned value = 0x04030201;
      CHECK_EQ (sim_mem_set (a->base, 0, 1, MIB), CUDA_SUCCESS);
      CHECK_EQ (sim_mem_set (a->base + 8, value, width, 5), CUDA_SUCCESS);
      CHECK_EQ (sim_mem_copy ((uintptr_t) host, a->base, MIB), CUDA_SUCCESS);
      for (int i = 0; i < 40; i++)
	CHECK_EQ (host[i], i >= 8 && i < 8 + 5 * width ? 1 + (i - 8) % width : 0);
    }

  /* Overlapping registrations are refused.  */
  struct sim_alloc *r, *s;
  CHECK_EQ (sim_mem_register (host, 100, &r), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_register (host + 99, 100, &s),
	    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK_EQ (sim_mem_register (host + 100, 100, &s), CUDA_SUCCESS);
  CHECK (sim_mem_find ((uintptr_t) host + 100) == s);
  CHECK (sim_mem_find ((uintptr_t) host + 99) == r);
  CHECK (!sim_mem_find ((uintptr_t) host + 200));
}

int
main (void)
{
  machine_start (NULL, NULL, NULL);
  if (!sim_mem_kernel_faults ())
    {
      fprintf (stderr, "not privileged: nothing to test\n");
      return 0;
    }
  parts ();
  reachable ();
  blocks ();
  stacks ();
  given_back ();
  faults ();
  copies ();
  return 0;
}
