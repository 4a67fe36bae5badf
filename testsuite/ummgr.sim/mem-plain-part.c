/* Without protection keys a copy opens the part of device memory that it needs, and
   no other copy or launch closes that too early or leaves anything open: what is
   accessible in the middle of a copy, which a fault on its source stops at.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096, BETWEEN = 16 << 20 };

static struct sim_alloc *near, *far;
static char *source;
static void (*amid) (void);
static bool stopped;

static bool
is_open (const struct sim_alloc *a)
{
  int fd[2];
  CHECK (pipe (fd) == 0);
  bool ok = write (fd[1], (void *) a->base, 1) == 1;
  CHECK (ok || errno == EFAULT);
  close (fd[0]);
  close (fd[1]);
  return ok;
}

static void
check_open (bool is_near, bool is_far)
{
  CHECK_EQ (is_open (near), is_near);
  CHECK_EQ (is_open (far), is_far);
}

static void
on_fault (int sig)
{
  stopped = true;
  CHECK (mprotect (source, SIZE, PROT_READ | PROT_WRITE) == 0);
  amid ();
}

/* Copy to NEAR, and call FUNCTION meanwhile.  */
static void
copy (void (*function) (void))
{
  amid = function;
  stopped = false;
  memset (source, 5, SIZE);
  CHECK (mprotect (source, SIZE, PROT_NONE) == 0);
  CHECK_EQ (sim_mem_copy (near->base, (uintptr_t) source, SIZE), CUDA_SUCCESS);
  CHECK (stopped);
  check_open (false, false);
}

static void
nothing (void)
{
  check_open (true, false);
}

static void
elsewhere (void)
{
  CHECK_EQ (sim_mem_set (far->base, 7, 1, SIZE), CUDA_SUCCESS);
  check_open (true, false);
}

static void
same_place (void)
{
  CHECK_EQ (sim_mem_set (near->base, 7, 1, SIZE), CUDA_SUCCESS);
  check_open (true, false);
}

static void
launch (void)
{
  sim_mem_launch_begin (0, NULL, 0);
  check_open (true, true);
  sim_mem_launch_end (0);
  check_open (true, false);
}

static void
end (void)
{
  check_open (true, true);
  sim_mem_launch_end (0);
  CHECK (is_open (near));
}

int
main (void)
{
  struct sim_alloc *between;
  char c = 0;
  setenv ("UMMGR_SIM_NO_PKEYS", "1", 1);
  machine_start (NULL, NULL, NULL);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, SIZE, false, &near), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, BETWEEN, false, &between),
	    CUDA_SUCCESS);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, SIZE, false, &far), CUDA_SUCCESS);
  CHECK (labs ((long) (far->base - near->base)) >= BETWEEN);
  source = mmap (NULL, SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };
  CHECK (sigaction (SIGSEGV, &action, NULL) == 0);
  check_open (false, false);
  copy (nothing);
  copy (elsewhere);
  copy (same_place);
  copy (launch);
  sim_mem_launch_begin (0, NULL, 0);
  copy (end);
  /* From one part to another.  */
  CHECK_EQ (sim_mem_set (near->base, 3, 1, SIZE), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_copy (far->base, near->base, SIZE), CUDA_SUCCESS);
  check_open (false, false);
  CHECK_EQ (sim_mem_copy ((uintptr_t) &c, far->base + SIZE - 1, 1),
	    CUDA_SUCCESS);
  CHECK_EQ (c, 3);
  check_open (false, false);
  return 0;
}
