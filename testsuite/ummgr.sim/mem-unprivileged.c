/* Without the privilege to serve faults of system calls: one warning, no
   EFAULT, right data; faults of launches still count.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/mem.h"

#include <grp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (5 << 20)
#define NOBODY 65534

static void
unprivileged (void)
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
  /* userfaultfd may be refused altogether, by seccomp for instance.  */
  if (sim_trap_gpu () && !sim_mem_kernel_faults ())
    {
      CHECK (c.gpu_faults > 0);
      CHECK_EQ (c.h2d_bytes, SIZE);
      CHECK_EQ (c.cpu_faults, 0);
      CHECK (managed >= SIZE);
    }
  _exit (0);
}

int
main (void)
{
  char text[4096];
  int fd[2], status;
  CHECK (pipe (fd) == 0);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fd[1], 2);
      unprivileged ();
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
  /* One warning, and only one.  */
  char *first = strstr (text, "warning");
  if (first)
    CHECK (strstr (text, "not counted") && !strstr (first + 1, "warning"));
  return 0;
}
