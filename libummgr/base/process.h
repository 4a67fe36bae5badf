/* What all of the library knows of the process that it is in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   process/lifecycle.c fills it before the program starts; all others read.  */

#pragma once

#include "base/options.h"

#include <stdbool.h>

struct ummgr_shim_api;

struct ummgr_process
{
  struct ummgr_options options;
  const struct ummgr_shim_api *shim; /* NULL: libgomp gets another plugin. */
  /* Cleared in the child of a fork and at the end: everything passes through
     to libgomp then.  Atomic.  */
  bool active;
  /* The program is about to use the first of COUNT devices, 0 or more.  May be
     called again, by any thread.  NULL: nobody waits for that.  */
  void (*devices_met) (int count);
};

extern struct ummgr_process ummgr_process;

/* End this process by SIGNAL, blocked or handled as it may be.  Returns only where
   the process can't be ended so.  */
void ummgr_process_die (int signal);

static inline bool
ummgr_is_active (void)
{
  return __builtin_expect (__atomic_load_n (&ummgr_process.active,
					    __ATOMIC_RELAXED), 1);
}
