/* State of the simulated driver as a whole.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>

enum sim_state
{
  SIM_COLD,	/* Before cuInit.  */
  SIM_READY,
  SIM_FORKED	/* In the child of a fork.  */
};

enum sim_state sim_driver_state (void);

/* A forked child exits.  libgomp's exit handler then gives back what is not
   the child's, and would turn a failure into the exit status of a program
   that did nothing wrong; so these calls succeed, unlike the real driver's. */
bool sim_child_exits (void);

/* The driver interface that is simulated: CUDA 13.0, the first whose
   programs may expect every entry point here, and the last whose driver (R580)
   knows the Pascal and Volta GPUs among the profiles.  */
#define SIM_DRIVER_VERSION 13000
