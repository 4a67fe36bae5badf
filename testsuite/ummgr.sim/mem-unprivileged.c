/* Without the privilege to serve faults of system calls, or without
   userfaultfd at all: one warning, no EFAULT, right data; with the first,
   faults of launches still count.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target no_tsan } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (5 << 20)
#define NOBODY 65534

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

static void
unprivileged (bool forbidden)
{
  struct sim_alloc *a;
  struct ummgr_counters c;
  uint64_t plain, managed;
  /* The profile may lie where nobody can read it; the fault mechanism starts
     with the first managed allocation.  */
  machine_start (NULL, NULL, NULL);
  if (geteuid () == 0)
    CHECK (setgroups (0, NULL) == 0 && setgid (NOBODY) == 0
	   && setuid (NOBODY) == 0);
  if (forbidden)
    forbid_userfaultfd ();
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &a),
	    CUDA_SUCCESS);
  char *p = (char *) a->base;
  memset (p, 1, SIZE);
  for (int round = 0; round < 3; round++)
    {
      sim_mem_launch_begin (0, NULL, 0);
      for (int i = 0; i < SIZE; i += 64)
	p[i]++;
      sim_mem_launch_end (0);
      int fd[2];
      CHECK (pipe (fd) == 0);
      CHECK_EQ (write (fd[1], p + SIZE - 4096, 4096), 4096);
      CHECK_EQ (read (fd[0], p + 4096, 4096), 4096);
      close (fd[0]);
      close (fd[1]);
      for (int i = 0; i < SIZE; i++)
	CHECK_EQ (p[i], 1 + (i % 64 == 0) * (round + 1));
    }
  CHECK (sim_mem_device_counters (0, &c));
  CHECK (sim_mem_resident (0, &plain, &managed));
  CHECK (sim_mem_check ());
  /* Advice that can't be followed does no harm; it is said once more.  */
  CHECK_EQ (sim_mem_advise (a->base, SIZE, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
	    CUDA_SUCCESS);
  if (forbidden)
    CHECK (!sim_trap_gpu () && c.gpu_faults == 0);
  /* It may be refused here without our doing.  */
  if (sim_trap_gpu () && !sim_mem_kernel_faults ())
    {
      CHECK (c.gpu_faults > 0);
      CHECK_EQ (c.h2d_bytes, SIZE);
      CHECK_EQ (c.cpu_faults, 0);
      CHECK (managed >= SIZE);
    }
  _exit (0);
}

static void
run (bool forbidden)
{
  char text[4096];
  int fd[2], status;
  CHECK (pipe (fd) == 0);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fd[1], 2);
      unprivileged (forbidden);
    }
  close (fd[1]);
  size_t n = 0;
  ssize_t got;
  while ((got = read (fd[0], text + n, sizeof text - 1 - n)) > 0)
    n += got;
  text[n] = '\0';
  CHECK (waitpid (pid, &status, 0) == pid);
  if (status)
    {
      fprintf (stderr, "status %x: %s\n", status, text);
      abort ();
    }
  /* One warning, and only one, beside that of the advice.  */
  char *advice = strstr (text, "warning: simcuda: read-mostly"), *first;
  CHECK (!forbidden || advice);
  if (advice)
    memset (advice, ' ', strlen ("warning"));
  first = strstr (text, "warning");
  if (first)
    CHECK (strstr (text, "not counted") && !strstr (first + 1, "warning"));
}

int
main (void)
{
  run (false);
  run (true);
  return 0;
}
