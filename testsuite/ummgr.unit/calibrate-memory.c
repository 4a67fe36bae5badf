/* What calibrating takes of a device's memory, as its driver is asked for it: more than a
   quarter of what is free, or than 256 MiB, as managed memory; more than that as plain;
   both at once so that they don't fit; memory, kernels or contexts that stay; a figure
   that depends on how much there is.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "calibrate/calibrate.h"
#include "device/cuda.h"
#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((uint64_t) 1 << 20)

enum { PLAIN, MANAGED, PINNED, KINDS };
static uint64_t now[KINDS], most[KINDS], most_on_device;
static uint64_t free_bytes;	/* As the driver says while nothing is allocated.  */
static struct { uintptr_t address; uint64_t size; int kind; } live[64];
static int contexts, modules;

static CUresult
note (CUresult r, uintptr_t address, size_t size, int kind)
{
  if (r != CUDA_SUCCESS)
    return r;
  int i = 0;
  while (live[i].size)
    i++;
  live[i].address = address;
  live[i].size = size;
  live[i].kind = kind;
  now[kind] += size;
  if (now[kind] > most[kind])
    most[kind] = now[kind];
  if (now[PLAIN] + now[MANAGED] > most_on_device)
    most_on_device = now[PLAIN] + now[MANAGED];
  return r;
}

static void
forget (uintptr_t address)
{
  for (int i = 0; i < 64; i++)
    if (live[i].size && live[i].address == address)
      {
	now[live[i].kind] -= live[i].size;
	live[i].size = 0;
	return;
      }
  CHECK (!"freed, but not allocated");
}

static CUresult
alloc (CUdeviceptr *out, size_t size)
{
  CUresult r = cuMemAlloc_v2 (out, size);
  return note (r, *out, size, PLAIN);
}

static CUresult
alloc_managed (CUdeviceptr *out, size_t size, unsigned flags)
{
  CUresult r = cuMemAllocManaged (out, size, flags);
  return note (r, *out, size, MANAGED);
}

static CUresult
alloc_pinned (void **out, size_t size, unsigned flags)
{
  CUresult r = cuMemHostAlloc (out, size, flags);
  return note (r, (uintptr_t) *out, size, PINNED);
}

static CUresult
release (CUdeviceptr address)
{
  forget (address);
  return cuMemFree_v2 (address);
}

static CUresult
release_pinned (void *host)
{
  forget ((uintptr_t) host);
  return cuMemFreeHost (host);
}

static CUresult
info (size_t *free_p, size_t *total_p)
{
  CUresult r = cuMemGetInfo_v2 (free_p, total_p);
  *free_p = free_bytes - now[PLAIN] - now[MANAGED];
  return r;
}

static CUresult
retain (CUcontext *out, CUdevice device)
{
  contexts++;
  return cuDevicePrimaryCtxRetain (out, device);
}

static CUresult
let_go (CUdevice device)
{
  contexts--;
  return cuDevicePrimaryCtxRelease_v2 (device);
}

static CUresult
load (CUmodule *out, const void *text)
{
  modules++;
  return cuModuleLoadData (out, text);
}

static CUresult
unload (CUmodule module)
{
  modules--;
  return cuModuleUnload (module);
}

static void
tell (const char *what)
{
  (void) what;
}

static bool
near (double a, double b)
{
  return fabs (a - b) <= 1e-3 * b;
}

/* With FREE bytes free; FINE: that is enough.  */
static void
try (uint64_t free, bool fine)
{
  pid_t child = fork ();
  if (child == 0)
    {
      struct ummgr_cuda_driver driver = {
#define CALL(NAME, ARGS, OPTIONAL) .NAME = NAME,
	UMMGR_CUDA_CALLS (CALL)
#undef CALL
      };
      driver.cuMemAlloc_v2 = alloc;
      driver.cuMemAllocManaged = alloc_managed;
      driver.cuMemHostAlloc = alloc_pinned;
      driver.cuMemFree_v2 = release;
      driver.cuMemFreeHost = release_pinned;
      driver.cuMemGetInfo_v2 = info;
      driver.cuDevicePrimaryCtxRetain = retain;
      driver.cuDevicePrimaryCtxRelease_v2 = let_go;
      driver.cuModuleLoadData = load;
      driver.cuModuleUnload = unload;
      free_bytes = free;
      ummgr_cuda_use (&driver, NULL);
      struct ummgr_calibration c;
      CHECK_EQ (ummgr_calibrate (&c, tell), fine ? UMMGR_OK : UMMGR_ERR_DEVMEM);
      CHECK (most[MANAGED] <= free / 4 && most[MANAGED] <= 256 * MIB);
      CHECK (most[PLAIN] <= free / 4 + MIB && most[PLAIN] <= 257 * MIB);
      CHECK (most_on_device <= free / 4 + MIB);
      CHECK_EQ (now[PLAIN] + now[MANAGED] + now[PINNED], 0);
      CHECK_EQ (contexts, 0);
      CHECK_EQ (modules, 0);
      if (fine)
	{
	  CHECK (most[MANAGED] > 0);
	  CHECK (near (c.figures.h2d_rate, 44.7e9));
	  CHECK (near (c.figures.gpu_fault_cost, 37e-6));
	  CHECK (near (c.figures.remote_rate, 40e9));
	}
      _exit (0);
    }
  int status;
  waitpid (child, &status, 0);
  CHECK_EQ (status, 0);
}

int
main (void)
{
  setenv ("UMMGR_KERNELS", "ptx", 1);
  setenv ("UMMGR_FIDELITY", "access", 1);
  setenv ("UMMGR_PROFILE", "v100-nvlink2", 1);
  try (16128 * MIB, true);
  try (1000 * MIB, true);
  try (101 * MIB, true);
  try (80 * MIB, true);
  try (71 * MIB, false);
  try (1 * MIB, false);
  return 0;
}
