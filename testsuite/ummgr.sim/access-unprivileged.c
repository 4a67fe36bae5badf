/* Where nothing can trap, reports make the faults all the same.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define MIB (1 << 20)
#define SIZE (5 * MIB)

/* As container runtimes do by default.  */
static void
forbid_userfaultfd (void)
{
  struct sock_filter code[]
    = { BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
	BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
	BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
  struct sock_fprog program = { sizeof code / sizeof *code, code };
  CHECK (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

int
main (void)
{
  struct sim_alloc *a, *h;
  struct ummgr_counters b, c;
  machine_start (NULL, "4M", NULL);
  forbid_userfaultfd ();
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &a),
	    CUDA_SUCCESS);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &h),
	    CUDA_SUCCESS);
  if (sim_trap_gpu ())
    return 0;			/* /dev/userfaultfd.  */
  CHECK (sim_mem_set_access (true));
  CHECK_EQ (sim_mem_advise (h->base, SIZE,
			    CU_MEM_ADVISE_SET_PREFERRED_LOCATION, SIM_HOST),
	    CUDA_SUCCESS);
  char *p = (char *) a->base;
  memset (p, 1, SIZE);
  CHECK (sim_mem_device_counters (0, &b));
  sim_mem_launch_begin (0, NULL, 0);
  sim_mem_access (a->base, 1, SIZE, 1, 3);
  for (int i = 0; i < SIZE; i++)
    p[i]++;
  sim_mem_access (h->base, 64, SIZE / 64, 1, 1);
  sim_mem_launch_end (0);
  CHECK (sim_mem_device_counters (0, &c));
  /* Two blocks of 2 MiB and one of 1 MiB, see simcuda/memory/launch.c; then remote memory,
     by granules, once.  */
  CHECK_EQ (c.gpu_faults - b.gpu_faults, 6 + 6 + 5 + SIZE / 65536);
  CHECK_EQ (c.h2d_bytes - b.h2d_bytes, SIZE);
  CHECK_EQ (c.evictions - b.evictions, 1);
  CHECK_EQ (c.d2h_bytes - b.d2h_bytes, 2 * MIB);
  CHECK_EQ (c.remote_bytes - b.remote_bytes, SIZE / 2);
  CHECK (c.local_bytes - b.local_bytes >= 2 * SIZE - 2 * MIB);
  CHECK (sim_mem_check ());
  for (int i = 0; i < SIZE; i++)
    CHECK_EQ (p[i], 2);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (h), CUDA_SUCCESS);
  CHECK (sim_mem_check ());
  return 0;
}
