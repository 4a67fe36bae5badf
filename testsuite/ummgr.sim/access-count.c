/* Bytes under access fidelity, by hand: a sector is fetched once while it stays
   in the cache, what is written goes back once, each on its side of the link.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <math.h>
#include <string.h>

#define KIB UINT64_C (1024)
#define MIB (KIB * KIB)
#define CACHE (6 * MIB)		/* The V100's.  */

enum { READ = 1, WRITE = 2, ATOMIC = 4 };

static uint64_t local, remote, sent, far; /* Of the launch that ended last.  */
static struct ummgr_counters before;

/* Seconds for so many bytes read and written over the link.  */
static double
over_link (const struct ummgr_figures *f, double read, double written)
{
  double both = (read + written) / f->remote_rate * (f->h2d_rate + f->d2h_rate) / (2 * f->both_rate);
  return fmax (both, fmax (read, written) / f->remote_rate);
}

static void
begin (void)
{
  CHECK (sim_mem_device_counters (0, &before));
  sim_mem_launch_begin (0, NULL, 0);
}

static void
end (void)
{
  struct ummgr_counters c;
  sim_mem_launch_end (0);
  CHECK (sim_mem_device_counters (0, &c));
  local = c.local_bytes - before.local_bytes;
  remote = c.remote_bytes - before.remote_bytes;
  far = c.far_bytes - before.far_bytes;
  sent = c.sent_bytes - before.sent_bytes;
  /* By whose memory they are in, they add up.  */
  struct ummgr_between between;
  CHECK (sim_access_between (0, &between));
  CHECK_EQ (between.used[0], c.local_bytes);
  CHECK_EQ (between.used[1], c.far_bytes);
  CHECK_EQ (between.host, c.remote_bytes - c.far_bytes);
  const struct ummgr_figures *f = &sim_profile.device[0];
  double seconds = c.model_seconds - before.model_seconds;
  if (c.gpu_faults == before.gpu_faults && c.d2d_bytes == before.d2d_bytes)
    CHECK (fabs (seconds - f->launch_cost
		 - fmax (local / f->memory_rate, over_link (f, (double) (remote - sent), (double) sent)))
	   < 1e-12);
}

static void
one (uintptr_t address, int64_t stride, uint64_t count, uint32_t size,
     unsigned kind, uint64_t local_wanted, uint64_t remote_wanted)
{
  begin ();
  sim_mem_access (address, stride, count, size, kind);
  end ();
  CHECK_EQ (local, local_wanted);
  CHECK_EQ (remote, remote_wanted);
  CHECK_EQ (far, 0);
}

static struct sim_alloc *
take (enum sim_mem_kind kind, uint64_t size)
{
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (kind, 0, size, false, &a), CUDA_SUCCESS);
  return a;
}

static void
device_memory (void)
{
  struct sim_alloc *big = take (SIM_MEM_PLAIN, 64 * MIB);
  struct sim_alloc *small = take (SIM_MEM_PLAIN, 5 * MIB);
  uintptr_t b = big->base, s = small->base;
  /* Larger than the cache: every pass costs all of it, either way.  */
  one (b, 4, 16 * MIB, 4, READ, 64 * MIB, 0);
  one (b, 8, 8 * MIB, 8, READ, 64 * MIB, 0);
  one (b + 64 * MIB - 8, -8, 8 * MIB, 8, READ, 64 * MIB - CACHE, 0);
  /* Fits: the second is free, also if it is made of pieces.  */
  one (s, 4, 5 * MIB / 4, 4, READ, 5 * MIB, 0);
  one (s, 4, 5 * MIB / 4, 4, READ, 0, 0);
  begin ();
  for (uint64_t i = 0; i < 5 * MIB; i += 7)
    sim_mem_access (s + i, 0, 3, 7 < 5 * MIB - i ? 7 : 1, READ);
  end ();
  CHECK_EQ (local, 0);
  /* Written, it goes back once, at the end of the launch.  */
  one (s, 4, 5 * MIB / 4, 4, WRITE, 5 * MIB, 0);
  one (s, 4, 5 * MIB / 4, 4, READ, 0, 0);
  one (s, 0, 1000, 4, ATOMIC, 32, 0);

  /* Writing fetches nothing, reading and writing does.  */
  one (b, 4, 16 * MIB, 4, WRITE, 64 * MIB, 0);
  one (b, 4, 16 * MIB, 4, READ | WRITE, 2 * 64 * MIB, 0);
  one (b, 4, 16 * MIB, 4, ATOMIC, 2 * 64 * MIB, 0);

  /* A sector of each line, and of each second one.  */
  one (s, 128, 1000, 4, READ, 32 * 1000, 0);
  one (s + 32, 128, 1000, 4, READ, 32 * 1000, 0);
  one (s + 32 - 2, 128, 1000, 4, READ, 0, 0);
  one (b, 256, 100000, 1, READ, 32 * 100000, 0);
  /* Part of a sector: written back, and fetched when it is read.  */
  one (s + MIB, 128, 1000, 4, WRITE, 32 * 1000, 0);
  one (s + MIB + 4, 128, 1000, 4, READ, 32 * 1000, 0);
  /* Bytes written one by one make a whole sector.  */
  begin ();
  for (int i = 31; i >= 0; i--)
    sim_mem_access (s + 2 * MIB + i, 0, 1, 1, WRITE);
  sim_mem_access (s + 2 * MIB + 5, 1, 20, 1, READ);
  end ();
  CHECK_EQ (local, 32);
  /* Not if one is missing.  */
  begin ();
  for (int i = 31; i >= 1; i--)
    sim_mem_access (s + 3 * MIB + i, 0, 1, 1, WRITE);
  sim_mem_access (s + 3 * MIB + 5, 1, 20, 1, READ);
  end ();
  CHECK_EQ (local, 64);

  /* Freed memory leaves the cache; dirty or not it costs no more.  */
  one (s, 4, 5 * MIB / 4, 4, READ, 5 * MIB - 32 * 1002, 0);
  CHECK_EQ (sim_mem_free (small), CUDA_SUCCESS);
  small = take (SIM_MEM_PLAIN, 5 * MIB);
  CHECK_EQ (small->base, s);
  one (s, 4, 5 * MIB / 4, 4, READ, 5 * MIB, 0);
  struct ummgr_counters c;
  CHECK (sim_mem_range_counters ((void *) s, &c));
  CHECK_EQ (c.local_bytes, 5 * MIB);
  CHECK_EQ (c.launches, 1);
  CHECK_EQ (sim_mem_free (small), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (big), CUDA_SUCCESS);
}

static void
host_memory (void)
{
  struct sim_alloc *a = take (SIM_MEM_HOST, MIB), *r;
  static char program[100000];
  CHECK_EQ (sim_mem_register (program + 1, sizeof program - 1, &r),
	    CUDA_SUCCESS);
  /* It stays in the cache for the launch only.  */
  begin ();
  sim_mem_access (a->base, 4, MIB / 4, 4, READ);
  sim_mem_access (a->base, 4, MIB / 4, 4, READ);
  end ();
  CHECK_EQ (remote, MIB);
  CHECK_EQ (sent, 0);
  CHECK_EQ (local, 0);
  one (a->base, 4, MIB / 4, 4, READ | WRITE, 0, 2 * MIB);
  CHECK_EQ (sent, MIB);
  one (a->base, 128, 64, 4, WRITE, 0, 32 * 64);
  CHECK_EQ (sent, 32 * 64);
  uintptr_t p = (uintptr_t) program + 1;
  uint64_t sectors = (p + sizeof program - 2) / 32 - p / 32 + 1;
  one (p, 1, sizeof program - 1, 1, READ, 0, 32 * sectors);
  /* The program's own memory that is not registered, and what lies before and
     behind a registered part.  */
  int stack = 0;
  one ((uintptr_t) &stack, 0, 1, 4, ATOMIC, 0, 0);
  one (p - 1, sizeof program, 2, 1, READ, 0, 0);
  one (p - 1, 1, 2, 1, READ, 0, 32);
  CHECK_EQ (sim_mem_free (r), CUDA_SUCCESS);
  one (p, 1, 100, 1, READ, 0, 0);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  (void) stack;
}

static void
managed_memory (void)
{
  const uint64_t size = 4 * MIB;
  struct sim_alloc *a = take (SIM_MEM_MANAGED, size);
  uintptr_t m = a->base;
  memset ((void *) m, 1, size);
  one (m, 8, size / 8, 8, READ, size, 0);
  one (m, 8, size / 8, 8, READ, 0, 0);
  /* What the CPU takes back has left the cache.  */
  CHECK (*(volatile char *) (m + 5000) == 1);
  CHECK_EQ (sim_mem_prefetch (m + 2 * MIB, 2 * MIB, SIM_HOST), CUDA_SUCCESS);
  one (m, 8, size / 8, 8, READ, 64 * KIB + 2 * MIB, 0);
  /* Host-preferred: remote, by sectors.  */
  struct sim_alloc *h = take (SIM_MEM_MANAGED, size);
  CHECK_EQ (sim_mem_advise (h->base, size,
			    CU_MEM_ADVISE_SET_PREFERRED_LOCATION, SIM_HOST),
	    CUDA_SUCCESS);
  memset ((void *) h->base, 1, size);
  one (h->base, 128, size / 128, 4, READ, 0, size / 4);
  one (h->base, 128, size / 128, 4, READ, 0, size / 4);
  CHECK_EQ (sent, 0);
  one (h->base, 4, size / 4, 4, WRITE, 0, size);
  CHECK_EQ (sent, size);
  CHECK (sim_mem_check ());
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (h), CUDA_SUCCESS);

  /* Read-mostly memory: a writer that knows its page finds out that the page
     has a copy since.  */
  a = take (SIM_MEM_MANAGED, 4096);
  CHECK_EQ (sim_mem_advise (a->base, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
	    CUDA_SUCCESS);
  struct ummgr_counters c;
  begin ();
  for (int i = 0; i < 3; i++)
    {
      sim_mem_access (a->base, 0, 1, 4, WRITE);
      CHECK_EQ (sim_mem_prefetch (a->base, 4096, SIM_HOST), CUDA_SUCCESS);
    }
  sim_mem_access (a->base, 0, 1, 4, READ);
  end ();
  CHECK (sim_mem_device_counters (0, &c));
  CHECK_EQ (c.gpu_faults - before.gpu_faults, 3);
  CHECK_EQ (c.d2h_bytes - before.d2h_bytes, 3 * 4096);
  CHECK (sim_mem_check ());
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
}

/* What a peer holds is remote, whether allocated there or preferred.  */
static void
peers (void)
{
  struct sim_alloc *a, *m;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 1, MIB, false, &a), CUDA_SUCCESS);
  sim_mem_peer (0, 1, true);
  begin ();
  sim_mem_access (a->base, 4, MIB / 4, 4, READ);
  sim_mem_access (a->base, 4, MIB / 4, 4, WRITE);
  end ();
  CHECK_EQ (remote, 2 * MIB);
  CHECK_EQ (far, 2 * MIB);
  CHECK_EQ (local, 0);
  struct ummgr_counters c;
  CHECK (sim_mem_range_counters ((void *) a->base, &c));
  CHECK_EQ (c.far_bytes, 2 * MIB);
  m = take (SIM_MEM_MANAGED, MIB);
  CHECK_EQ (sim_mem_advise (m->base, MIB, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
			    1), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_prefetch (m->base, MIB, 1), CUDA_SUCCESS);
  begin ();
  sim_mem_access (m->base, 64, MIB / 64, 1, READ);
  end ();
  CHECK_EQ (remote, MIB / 2);
  CHECK_EQ (far, MIB / 2);
  /* Comes here in the middle of a launch: from then on local.  */
  begin ();
  sim_mem_access (m->base, 4, MIB / 4, 4, WRITE);
  CHECK_EQ (sim_mem_advise (m->base, MIB,
			    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, 0),
	    CUDA_SUCCESS);
  CHECK_EQ (sim_mem_prefetch (m->base, MIB, 0), CUDA_SUCCESS);
  sim_mem_access (m->base, 4, MIB / 4, 4, READ);
  end ();
  CHECK_EQ (remote, 0);		/* What was dirty went along.  */
  CHECK_EQ (local, MIB);
  CHECK (sim_mem_check ());
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
  sim_mem_peer (0, 1, false);
}

static void
no_report (void)
{
  struct sim_alloc *a = take (SIM_MEM_PLAIN, MIB);
  uintptr_t word = a->base;
  CHECK (sim_mem_device_counters (0, &before));
  sim_mem_launch_begin (0, &word, sizeof word);
  end ();
  CHECK_EQ (local, MIB);	/* A region that was not instrumented.  */
  sim_mem_launch_begin (0, &word, sizeof word);
  sim_mem_access (word, 0, 1, 4, READ);
  CHECK (sim_mem_device_counters (0, &before));
  sim_mem_launch_end (0);
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  CHECK_EQ (c.local_bytes, before.local_bytes);
  /* Off again.  */
  CHECK (sim_mem_set_access (false));
  CHECK (strcmp (sim_mem_fidelity (), "touch") == 0);
  CHECK (sim_mem_device_counters (0, &before));
  sim_mem_launch_begin (0, &word, sizeof word);
  sim_mem_access (word, 0, 1, 4, READ);
  end ();
  CHECK_EQ (local, MIB);
}

int
main (void)
{
  machine_start (NULL, NULL, "2");
  CHECK (strcmp (sim_mem_fidelity (), "touch") == 0);
  CHECK (sim_mem_set_access (true));
  CHECK (strcmp (sim_mem_fidelity (), "access") == 0);
  device_memory ();
  host_memory ();
  if (sim_mem_kernel_faults ())
    {
      managed_memory ();
      peers ();
    }
  no_report ();
  return 0;
}
