/* What the tests of translated PTX share: text that grows, and one kernel that is
   loaded, run and read back through the driver.
   SPDX-License-Identifier: GPL-3.0-or-later

   With UMMGR_PTXAS ptxas, named there, has to take the text too, or it is no PTX.  With
   "text FILE" a test only writes it.  */

#pragma once

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "ummgr.sim/driver-test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct text
{
  char *p;
  size_t size, room;
};

static void __attribute__ ((format (printf, 2, 3)))
put (struct text *t, const char *format, ...)
{
  va_list args;
  for (;;)
    {
      va_start (args, format);
      size_t n = vsnprintf (t->p ? t->p + t->size : NULL, t->room - t->size, format, args);
      va_end (args);
      if (n < t->room - t->size)
	{
	  t->size += n;
	  return;
	}
      t->room = 2 * (t->room + n + 1);
      t->p = realloc (t->p, t->room);
      CHECK (t->p);
    }
}

static inline void
put_preamble (struct text *t)
{
  put (t, ".version 7.1\n.target sm_80\n.address_size 64\n");
}

/* Run NAME of the module TEXT as THREADS warps on the SIZE bytes at BUFFER.  */
static inline CUresult
run_kernel (CUmodule module, const char *name, unsigned threads, void *buffer, size_t size)
{
  CUfunction f;
  CUdeviceptr p;
  OK (cuModuleGetFunction (&f, module, name));
  OK (cuMemAlloc_v2 (&p, size));
  OK (cuMemcpyHtoD_v2 (p, buffer, size));
  void *block[] = { (void *) p, NULL, NULL };
  size_t block_size = sizeof block;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, block,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &block_size, CU_LAUNCH_PARAM_END };
  CUresult r = cuLaunchKernel (f, 1, 1, 1, 32, threads, 1, 0, NULL, NULL, extra);
  if (r == CUDA_SUCCESS)
    r = cuCtxSynchronize ();
  if (r == CUDA_SUCCESS)
    OK (cuMemcpyDtoH_v2 (buffer, p, size));
  OK (cuMemFree_v2 (p));
  return r;
}

/* The test's: its module, and what it checks with it.  */
static void make_text (struct text *t);
static void test (CUmodule module);

static void
write_text (const struct text *t, const char *path)
{
  FILE *out = fopen (path, "w");
  CHECK (out && fwrite (t->p, 1, t->size, out) == t->size && fclose (out) == 0);
}

static void
ask_ptxas (const struct text *t, const char *ptxas)
{
  char path[64], command[4096];
  int fd = memfd_create ("ptx", 0);
  CHECK (fd >= 0);
  snprintf (path, sizeof path, "/proc/%d/fd/%d", (int) getpid (), fd);
  write_text (t, path);
  int n = snprintf (command, sizeof command, "%s -arch=sm_80 -O0 -o /dev/null %s", ptxas, path);
  CHECK (n < (int) sizeof command);
  CHECK_EQ (system (command), 0);
  close (fd);
}

int
main (int argc, char **argv)
{
  struct text t = { 0 };
  make_text (&t);
  if (argc == 3 && strcmp (argv[1], "text") == 0)
    {
      write_text (&t, argv[2]);
      free (t.p);
      return 0;
    }
  const char *ptxas = getenv ("UMMGR_PTXAS");
  if (ptxas)
    ask_ptxas (&t, ptxas);
  start (0);
  CUmodule module = load (t.p, t.size + 1);
  test (module);
  OK (cuModuleUnload (module));
  free (t.p);
  return 0;
}
