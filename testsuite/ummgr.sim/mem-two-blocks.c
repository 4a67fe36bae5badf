/* One instruction may need pages of several blocks while the device has room for
   fewer: then each fault evicted what the last one had brought, for ever.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target no_tsan } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 2 << 20, BLOCKS = 8, STRADDLE = 4 };

static volatile int stop;

static void *
busy (void *unused)
{
  while (!stop)
    sched_yield ();
  return unused;
}

/* Copy 8 bytes in one instruction.  */
static void
move (char *to, const char *from)
{
#ifdef __x86_64__
  __asm__ volatile ("movsq" : "+D" (to), "+S" (from) : : "memory");
#else
  memcpy (to, from, 8);
#endif
}

/* From the edge of blocks 1 and 2 to that of 5 and 6; then as many bytes as a
   program would in one instruction.  */
static void
kernel (char *p)
{
  move (p + 6 * BLOCK - STRADDLE, p + 2 * BLOCK - STRADDLE);
  char *to = p + 3 * BLOCK, *from = p;
  size_t count = 3 << 16;
#ifdef __x86_64__
  __asm__ volatile ("rep movsb" : "+D" (to), "+S" (from), "+c" (count)
		    : : "memory");
#else
  memcpy (to, from, count);
#endif
}

/* BESIDE: a host thread runs, so that events serve the faults, not signals.  */
static int
child (const char *memory, const char *evict, bool beside)
{
  machine_start_evict (NULL, memory, NULL, evict);
  if (beside && !sim_mem_kernel_faults ())
    return 0;
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, BLOCKS * BLOCK, false, &a),
	    CUDA_SUCCESS);
  char *p = (char *) a->base;
  for (int i = 0; i < BLOCKS; i++)
    memset (p + i * BLOCK, i, BLOCK);
  memset (p + 2 * BLOCK - STRADDLE, 42, 8);
  pthread_t thread;
  if (beside)
    CHECK (pthread_create (&thread, NULL, busy, NULL) == 0);
  sim_mem_launch_begin (0, NULL, 0);
  CHECK_EQ (sim_trap_get (), beside ? SIM_TRAP_EVENT : SIM_TRAP_SIGNAL);
  kernel (p);
  sim_mem_launch_end (0);
  stop = 1;
  if (beside)
    pthread_join (thread, NULL);
  CHECK (memcmp (p + 2 * BLOCK - STRADDLE, p + 6 * BLOCK - STRADDLE, 8) == 0);
  CHECK (memcmp (p + 3 * BLOCK, p, 3 << 16) == 0);
  CHECK (p[6 * BLOCK - 5] == 5 && p[6 * BLOCK - 4] == 42);
  CHECK (p[6 * BLOCK + 3] == 42 && p[6 * BLOCK + 4] == 6);
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  CHECK (c.gpu_faults >= 4 + 2 * 3 && c.gpu_faults < 100);
  CHECK (sim_mem_check ());
  return 0;
}

int
main (void)
{
  /* Room for one block, two, three.  */
  static const char *const memory[] = { "3M", "5M", "7M" };
  static const char *const evict[] = {
#define UMMGR_PAGING(NAME) #NAME,
#define UMMGR_PAGING_VARIANT(NAME, WORD)
#include "paging/paging.def"
  };
  for (int m = 0; m < 3; m++)
    for (size_t e = 0; e < sizeof evict / sizeof *evict; e++)
      for (int beside = 0; beside < 2; beside++)
	{
	  int status;
	  pid_t pid = fork ();
	  CHECK (pid >= 0);
	  if (pid == 0)
	    _exit (child (memory[m], evict[e], beside));
	  CHECK (waitpid (pid, &status, 0) == pid);
	  if (status)
	    fprintf (stderr, "%s, %s, beside %d\n", memory[m], evict[e],
		     beside);
	  CHECK_EQ (status, 0);
	}
  return 0;
}
