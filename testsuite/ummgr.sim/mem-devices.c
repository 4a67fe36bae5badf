/* Two and four devices: what goes from one to another is counted once, over
   the link where peers are enabled, through the host where they are not.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (UINT64_C (1) << 20)

static struct ummgr_counters
counters (int d)
{
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (d, &c));
  CHECK (sim_mem_check ());
  return c;
}

static struct sim_alloc *
take (enum sim_mem_kind kind, int d)
{
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (kind, d, MIB, false, &a), CUDA_SUCCESS);
  return a;
}

/* Plain memory from device to device; the bytes arrive.  */
static void
copies (int from, int to, bool peers)
{
  static char in[MIB], out[MIB];
  struct ummgr_counters f = counters (from), t = counters (to);
  struct sim_alloc *a = take (SIM_MEM_PLAIN, from);
  struct sim_alloc *b = take (SIM_MEM_PLAIN, to);
  memset (in, 40 + from, sizeof in);
  CHECK_EQ (sim_mem_copy (a->base, (uintptr_t) in, MIB), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_copy (b->base, a->base, MIB), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_copy ((uintptr_t) out, b->base, MIB), CUDA_SUCCESS);
  CHECK (memcmp (in, out, MIB) == 0);
  struct ummgr_counters f2 = counters (from), t2 = counters (to);
  CHECK_EQ (f2.h2d_bytes - f.h2d_bytes, MIB);
  CHECK_EQ (f2.d2h_bytes - f.d2h_bytes, peers ? 0 : MIB);
  CHECK_EQ (t2.d2d_bytes - t.d2d_bytes, peers ? MIB : 0);
  CHECK_EQ (t2.h2d_bytes - t.h2d_bytes, peers ? 0 : MIB);
  CHECK_EQ (t2.d2h_bytes - t.d2h_bytes, MIB);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (b), CUDA_SUCCESS);
}

/* Managed memory follows the launches around the devices.  */
static void
wander (int n)
{
  struct sim_alloc *m = take (SIM_MEM_MANAGED, 0);
  volatile int *p = (volatile int *) m->base;
  for (int d = 0; d < n; d++)
    {
      struct ummgr_counters before = counters (d);
      sim_mem_launch_begin (d, NULL, 0);
      for (size_t i = 0; i < MIB / sizeof *p; i += 1024)
	p[i]++;
      sim_mem_launch_end (d);
      struct ummgr_counters after = counters (d);
      CHECK (after.gpu_faults > before.gpu_faults);
      CHECK_EQ (after.launches - before.launches, 1);
      uint64_t plain, managed;
      for (int e = 0; e < n; e++)
	{
	  CHECK (sim_mem_resident (e, &plain, &managed));
	  CHECK_EQ (managed, e == d ? MIB : 0);
	}
    }
  for (size_t i = 0; i < MIB / sizeof *p; i += 1024)
    CHECK_EQ (p[i], n);
  CHECK_EQ (counters (n - 1).d2h_bytes > 0, 1);
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
}

/* A launch is charged with what its own device has of the blocks that it touches.  */
static void
charged (int n)
{
  struct sim_alloc *m;
  struct ummgr_counters before[2];
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, 8 * MIB, false, &m), CUDA_SUCCESS);
  uintptr_t words[1] = { m->base };
  CHECK_EQ (sim_mem_prefetch (m->base, MIB, 0), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_prefetch (m->base + 4 * MIB, 3 * MIB, n - 1), CUDA_SUCCESS);
  for (int i = 0; i < 2; i++)
    {
      int d = i ? n - 1 : 0;
      before[i] = counters (d);
      sim_mem_launch_begin (d, words, sizeof words);
      *(volatile char *) (m->base + (i ? 5 * MIB : 0));
      *(volatile char *) (m->base + (i ? 6 * MIB : 0));
      sim_mem_launch_end (d);
      CHECK_EQ (counters (d).local_bytes - before[i].local_bytes,
		i ? 3 * MIB : MIB);
    }
  CHECK_EQ (counters (0).local_bytes - before[0].local_bytes, MIB);
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
}

/* A launch may touch its own plain memory, and peers' when enabled.  */
static void
peer_touch (void)
{
  struct sim_alloc *a = take (SIM_MEM_PLAIN, 0), *b = take (SIM_MEM_PLAIN, 1);
  sim_mem_peer (0, 1, true);
  sim_mem_launch_begin (0, NULL, 0);
  *(volatile int *) a->base = 1;
  *(volatile int *) b->base = 2;
  CHECK (sim_mem_on_gpu ());
  sim_mem_launch_end (0);
  CHECK (!sim_mem_on_gpu ());
  int got;
  CHECK_EQ (sim_mem_copy ((uintptr_t) &got, b->base, sizeof got),
	    CUDA_SUCCESS);
  CHECK_EQ (got, 2);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (b), CUDA_SUCCESS);
}

static void
run (const char *gpus)
{
  machine_start (NULL, "64M", gpus);
  int n = sim_profile.device_count;
  CHECK_EQ (n, atoi (gpus));
  copies (0, n - 1, false);
  wander (n);
  sim_mem_peer (0, n - 1, true);
  copies (0, n - 1, true);
  wander (n);
  charged (n);
  peer_touch ();
  for (int d = 0; d < n; d++)
    CHECK (sim_model_now (d) > 0);
  CHECK (sim_model_now (n) == 0);
}

int
main (void)
{
  static const char *const counts[] = { "2", "4" };
  for (int i = 0; i < 2; i++)
    {
      int status;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  run (counts[i]);
	  _exit (0);
	}
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK_EQ (status, 0);
    }
  return 0;
}
