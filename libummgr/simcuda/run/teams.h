/* A launch as the region's host version sees it: its team, and calls of
   libgomp that must answer as on a GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "device/sim-api.h"

#include <stdbool.h>

/* A call that bind.c redirects.  REAL is what the program would have called;
   set before the first redirection, and then constant: who comes by the redirection
   sees it.  */
struct sim_wrapper
{
  const char *name;
  void *wrapper;
  void *real;
};
#define SIM_REAL(WRAPPER) __atomic_load_n (&(WRAPPER).real, __ATOMIC_RELAXED)
extern struct sim_wrapper sim_wrappers[];	/* Ends with a NULL name.  */
extern struct sim_wrapper sim_nested_wrappers[]; /* nested.c's, likewise.  */

/* Run FUNCTION (ARGUMENTS) in the calling launch thread as GRID teams of at most
   THREADS threads each.  DEVICE_NUMBER is OpenMP's number of the device, DEVICE
   the driver's.  TOLD: it is modelled by its reports (told.h).  */
struct sim_function;
void sim_teams_run (struct sim_function *function, void *arguments,
		    unsigned grid, unsigned threads, int device_number,
		    int device, bool told);

/* Run FUNCTION (DATA) in THREADS threads of libgomp's, on the GPU's side.  In a
   launch.  */
void sim_teams_parallel (void (*function) (void *), void *data,
			 unsigned threads);

/* How many teams the launch has, as far as it has said; 1 until it does.  */
unsigned sim_teams_count (void);

/* Does the calling thread run a region?  Its name.  */
bool sim_teams_on_gpu (void);
const char *sim_teams_region (void);

/* If so, begin one within, which has teams of its own; true: until end.  */
bool sim_teams_inner_begin (void);
void sim_teams_inner_end (void);

/* Where the calling thread is: as place in device/device.h.  */
extern __thread struct ummgr_device_place sim_teams_here;
const struct ummgr_device_place *sim_teams_place (void);
