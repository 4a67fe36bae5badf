/* System calls into and out of managed memory that a device holds: they would
   fail with EFAULT if only user-mode accesses were served.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIZE (3 << 20)

static char *p;

static void
to_device (void)
{
  CHECK_EQ (sim_mem_prefetch ((uintptr_t) p, SIZE, 0), CUDA_SUCCESS);
}

static void
check_faults (const char *what)
{
  static uint64_t before;
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  if (c.cpu_faults == before)
    {
      fprintf (stderr, "%s: no fault was counted\n", what);
      abort ();
    }
  before = c.cpu_faults;
  CHECK (sim_mem_check ());
}

static void *
write_to_socket (void *fd)
{
  char data[8192];
  memset (data, 5, sizeof data);
  CHECK (send (*(int *) fd, data, sizeof data, 0) == sizeof data);
  return NULL;
}

int
main (void)
{
  struct sim_alloc *a;
  machine_start (NULL, NULL, NULL);
  if (!sim_mem_kernel_faults ())
    {
      fprintf (stderr, "not privileged: nothing to test\n");
      return 0;
    }
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &a),
	    CUDA_SUCCESS);
  p = (char *) a->base;
  memset (p, 1, SIZE);

  int fd[2];
  CHECK (pipe (fd) == 0);
  to_device ();
  CHECK_EQ (write (fd[1], p + 100, 8192), 8192);
  check_faults ("write");

  to_device ();
  memset (p + (1 << 20), 0, 1);
  to_device ();
  CHECK_EQ (read (fd[0], p + (1 << 20), 8192), 8192);
  check_faults ("read");
  CHECK (p[1 << 20] == 1 && p[(1 << 20) + 8191] == 1);

  int pair[2];
  pthread_t thread;
  CHECK (socketpair (AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  to_device ();
  CHECK (pthread_create (&thread, NULL, write_to_socket, &pair[0]) == 0);
  CHECK_EQ (recv (pair[1], p + (2 << 20), 8192, MSG_WAITALL), 8192);
  check_faults ("recv");
  CHECK (p[2 << 20] == 5 && p[(2 << 20) + 8191] == 5);
  pthread_join (thread, NULL);

  /* The same beside a launch: another host thread is running, so events
     must serve it.  */
  to_device ();
  sim_mem_launch_begin (0, NULL, 0);
  p[0] = 7;
  sim_mem_launch_end (0);
  CHECK_EQ (write (fd[1], p, 10), 10);
  check_faults ("write after a launch");
  char c;
  CHECK (read (fd[0], &c, 1) == 1 && c == 7);
  return 0;
}
