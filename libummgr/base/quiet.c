/* Writing without the signals that would end the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "base/quiet.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static const int held[] = { SIGXFSZ, SIGPIPE };

void
ummgr_quiet_begin (struct ummgr_quiet *quiet)
{
  int saved = errno;
  sigset_t set;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &quiet->cancel);
  sigemptyset (&set);
  for (int i = 0; i < 2; i++)
    sigaddset (&set, held[i]);
  sigpending (&quiet->pending);
  pthread_sigmask (SIG_BLOCK, &set, &quiet->mask);
  errno = saved;
}

/* A failed write has sent its signal to the thread by now: it is taken, unless
   one was pending before, which is the program's.  */
void
ummgr_quiet_end (const struct ummgr_quiet *quiet)
{
  static const struct timespec now = { 0, 0 };
  int saved = errno;
  for (int i = 0; i < 2; i++)
    if (!sigismember (&quiet->pending, held[i]))
      {
	sigset_t one;
	sigemptyset (&one);
	sigaddset (&one, held[i]);
	while (sigtimedwait (&one, NULL, &now) < 0 && errno == EINTR)
	  ;
      }
  pthread_sigmask (SIG_SETMASK, &quiet->mask, NULL);
  pthread_setcancelstate (quiet->cancel, NULL);
  errno = saved;
}
