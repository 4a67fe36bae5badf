/* A child of fork that uses the parent's GPU, hangs on a lock that the parent
   held, or can't exit; and a driver thread that takes the program's signals.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_LOG=error" } */

#include "driver-test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static _Atomic int running, stop;

static void
spin (void *data)
{
  running = 1;
  while (!stop)
    usleep (1000);
}

static const char ptx[] = ".version 6.3\n.target sm_75\n"
			  ".visible .entry spin (.param .u64 %in) { ret; }\n";
OFFLOAD_FUNCTIONS functions[] = { spin };
static const struct test_function function_names[] = { { "spin", { 0 } } };
static const struct test_ptx texts[] = { { ptx, sizeof ptx } };
extern const struct test_description description;
const struct test_description description = { texts, 1, NULL, 0,
					      function_names, 1 };

static CUcontext context;
static CUdeviceptr p;

static int
status_of (pid_t child)
{
  int status;
  CHECK (waitpid (child, &status, 0) == child);
  CHECK (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static void
child (void)
{
  int n;
  CUdeviceptr q;
  alarm (20);
  GIVES (NOT_INITIALIZED, cuInit (0));
  GIVES (NOT_INITIALIZED, cuDeviceGetCount (&n));
  GIVES (NOT_INITIALIZED, cuCtxSynchronize ());
  GIVES (NOT_INITIALIZED, cuMemAlloc_v2 (&q, 64));
  GIVES (NOT_INITIALIZED, cuMemFree_v2 (p));
  GIVES (NOT_INITIALIZED, cuCtxDestroy_v2 (context));
}

/* As libgomp's handler: called when the program, or its child, exits.  */
static void
at_exit (void)
{
  CUresult r = cuCtxDestroy_v2 (context);
  if (r != CUDA_SUCCESS)
    _exit (77);
}

static pthread_t handled_in;
static volatile sig_atomic_t handled;

static void
handler (int signal)
{
  handled_in = pthread_self ();
  handled = 1;
}

int
main (void)
{
  CUfunction function;
  OK (cuInit (0));
  atexit (at_exit);
  context = start (0);
  OK (cuMemAlloc_v2 (&p, 64));
  CUmodule module = load (ptx, sizeof ptx);
  OK (cuModuleGetFunction (&function, module, "spin"));
  OK (launch (function, 1, NULL, NULL));
  while (!running)
    usleep (1000);

  pid_t pid = fork ();
  if (pid == 0)
    {
      child ();
      exit (5);
    }
  CHECK_EQ (status_of (pid), 5);
  pid = fork ();
  if (pid == 0)
    {
      child ();
      _exit (6);
    }
  CHECK_EQ (status_of (pid), 6);

  /* Blocked in this thread, so nobody may take it.  */
  sigset_t set;
  signal (SIGUSR1, handler);
  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  kill (getpid (), SIGUSR1);
  usleep (20000);
  CHECK (!handled);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  CHECK (handled && pthread_equal (handled_in, pthread_self ()));

  stop = 1;
  OK (cuCtxSynchronize ());
  /* Exit while a region runs: it neither hangs nor crashes.  */
  stop = running = 0;
  OK (launch (function, 1, NULL, NULL));
  while (!running)
    usleep (1000);
  return 0;
}
