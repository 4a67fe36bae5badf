/* Writing without the signals that would end the program because a file of ours
   is too long or its reader has left.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Between begin and end the calling thread's writes fail with EFBIG or EPIPE
   instead, and the thread is not cancelled, as it may hold a lock of ours.  Keeps
   errno.  May nest; any thread.  */

#pragma once

#include <signal.h>

struct ummgr_quiet
{
  sigset_t mask, pending;	/* Before.  */
  int cancel;
};

void ummgr_quiet_begin (struct ummgr_quiet *quiet);
void ummgr_quiet_end (const struct ummgr_quiet *quiet);
