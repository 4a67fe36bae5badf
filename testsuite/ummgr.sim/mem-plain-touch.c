/* Host code that touches device memory gets one clear message and SIGSEGV,
   with protection keys and without; kernels and the driver get through.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/keys.h"
#include "simcuda/memory/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sim_alloc *a;

static void *
team_thread (void *unused)
{
  *(volatile char *) (a->base + 5) = 9;
  return unused;
}

static void
work (void)
{
  pthread_t thread;
  char c = 0;
  machine_start (NULL, NULL, NULL);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, 1000, false, &a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_set (a->base, 3, 1, 1000), CUDA_SUCCESS);
  sim_mem_launch_begin (0, NULL, 0);
  CHECK (*(volatile char *) a->base == 3);
  CHECK (pthread_create (&thread, NULL, team_thread, NULL) == 0);
  pthread_join (thread, NULL);
  sim_mem_launch_end (0);
  CHECK_EQ (sim_mem_copy ((uintptr_t) &c, a->base + 5, 1), CUDA_SUCCESS);
  CHECK_EQ (c, 9);
  int fd = open ("/dev/zero", O_RDONLY);
  CHECK (read (fd, (void *) a->base, 10) < 0 && errno == EFAULT);
}

/* Run TOUCH in a child; return what it wrote to stderr.  */
static const char *
message (void (*touch) (void), int expected_signal)
{
  static char text[4096];
  int fd[2], status;
  CHECK (pipe (fd) == 0);
  pid_t pid = fork ();
  if (pid == 0)
    {
      dup2 (fd[1], 2);
      work ();
      touch ();
      _exit (0);
    }
  close (fd[1]);
  size_t n = 0;
  ssize_t got;
  while ((got = read (fd[0], text + n, sizeof text - 1 - n)) > 0)
    n += got;
  text[n] = '\0';
  close (fd[0]);
  CHECK (waitpid (pid, &status, 0) == pid);
  if (expected_signal ? !WIFSIGNALED (status)
			  || WTERMSIG (status) != expected_signal
		      : status != 0)
    {
      fprintf (stderr, "status %x: %s\n", status, text);
      abort ();
    }
  return text;
}

static void
host_touch (void)
{
  *(volatile char *) (a->base + 16) = 1;
}

static void
freed_touch (void)
{
  volatile char *p = (char *) a->base;
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  p[16] = 1;
}

/* Guards are for kernels alone, and for those who ask.  */
static void
guard_touch (void)
{
  struct sim_alloc *g;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, 4 * 4096, false, &g), CUDA_SUCCESS);
  uintptr_t page = (g->base + 4095) & -(uintptr_t) 4096;
  CHECK (!sim_mem_guard (page, 4096, true));
  setenv ("UMMGR_SIM_GUARD", "1", 1);
  if (!sim_mem_guard (page + 4096, 4096, true))
    {
      fprintf (stderr, "no guards\n");
      raise (SIGSEGV);
    }
  sim_mem_launch_begin (0, NULL, 0);
  *(volatile char *) (page + 4095) = 1;
  *(volatile char *) (page + 8192) = 1;
  CHECK (sim_mem_guard (page + 4096, 4096, false));
  *(volatile char *) (page + 5000) = 1;
  CHECK (sim_mem_guard (page + 4096, 4096, true));
  *(volatile char *) (page + 5000) = 1;
}

static void
own_handler (int sig)
{
  (void) sig;
  _exit (0);
}

static void
handled_touch (void)
{
  signal (SIGSEGV, own_handler);
  host_touch ();
}

static void
foreign_fault (void)
{
  *(volatile char *) 16 = 1;
}

static void
freed_managed (void)
{
  struct sim_alloc *m;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, 1000, false, &m),
	    CUDA_SUCCESS);
  char *p = (char *) m->base;
  p[0] = 1;
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
  *(volatile char *) p = 1;
}

static void
check_messages (void)
{
  const char *text = message (host_touch, SIGSEGV);
  CHECK (strstr (text, "host code touched device memory at 0x"));
  CHECK (strstr (text, "16 bytes into an allocation of 1000 bytes on device 0"));
  CHECK (strstr (text, "copy it first"));
  CHECK (!strstr (strstr (text, "touched") + 1, "touched"));
  text = message (freed_touch, SIGSEGV);
  CHECK (strstr (text, "freed already"));
  message (handled_touch, 0);
  text = message (guard_touch, SIGSEGV);
  CHECK (strstr (text, "a kernel touched a guard at 0x") || (!sim_keys_possible () && strstr (text, "no guards"))
	 || (getenv ("UMMGR_SIM_NO_PKEYS") && strstr (text, "no guards")));
  text = message (foreign_fault, SIGSEGV);
  CHECK (!strstr (text, "device memory"));
  text = message (freed_managed, SIGSEGV);
  if (!strstr (text, "not counted"))	/* Nothing traps: no message.  */
    CHECK (strstr (text, "freed already"));
}

int
main (void)
{
  check_messages ();
  setenv ("UMMGR_SIM_NO_PKEYS", "1", 1);
  check_messages ();
  return 0;
}
