/* Common to the interposed entry points.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <pthread.h>

#define UMMGR_INTERPOSED __attribute__ ((visibility ("default")))

/* A thread that is cancelled in a construct would take our locks along: the
   cancellation waits.  What the first returns goes to the second.  */
static inline int
ummgr_cancel_hold (void)
{
  int before;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &before);
  return before;
}

static inline void
ummgr_cancel_restore (int before)
{
  pthread_setcancelstate (before, NULL);
}
