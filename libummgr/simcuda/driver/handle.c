/* The live handles of the simulated driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the set of live handles, keyed by address; who makes a handle owns
   its memory.  */

#include "config.h"
#include "simcuda/driver/driver.h"

#include <search.h>
#include <string.h>

pthread_mutex_t sim_driver_lock = PTHREAD_MUTEX_INITIALIZER;

static void *live;

static int
compare (const void *a, const void *b)
{
  return a < b ? -1 : a > b;
}

bool
sim_handle_add (struct sim_handle *handle, enum sim_handle_kind kind)
{
  handle->kind = kind;
  return tsearch (handle, &live, compare) != NULL;
}

void
sim_handle_remove (struct sim_handle *handle)
{
  tdelete (handle, &live, compare);
}

void *
sim_handle_get (const void *handle, enum sim_handle_kind kind)
{
  void **found = handle ? tfind (handle, &live, compare) : NULL;
  if (!found || ((struct sim_handle *) *found)->kind != kind)
    return NULL;
  return *found;
}

CUresult
sim_handle_check (CUresult entered, const void *handle,
		  enum sim_handle_kind kind, void *out_p)
{
  if (entered != CUDA_SUCCESS)
    return entered;
  pthread_mutex_lock (&sim_driver_lock);
  void *found = sim_handle_get (handle, kind);
  pthread_mutex_unlock (&sim_driver_lock);
  memcpy (out_p, &found, sizeof found);
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
