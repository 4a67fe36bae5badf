/* Whether it pays to run regions over several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  */

#include "config.h"
#include "split/past.h"

#include <math.h>

#define TRIES 2

bool
ummgr_past_whole (struct ummgr_past *past, double gain, double pay)
{
  past->patience = fmax (past->patience, TRIES);
  if (!past->whole)
    past->dearest = fmax (past->dearest, pay);
  double limit = (past->whole ? past->patience : TRIES) * past->dearest;
  past->balance = fmin (past->balance + (past->whole ? -gain : gain - pay), 0);
  if (-past->balance > limit)
    {
      past->patience *= past->whole ? 2 : 1;
      past->whole = !past->whole;
      past->balance = 0;
    }
  return past->whole;
}

void
ummgr_past_took (struct ummgr_past_work *work, double iterations, double seconds,
		 double overhead, bool sent, double most)
{
  if (iterations < 1 || (work->sure && sent))
    return;
  work->sure = !sent;
  work->seconds = fmin (fmax (seconds - overhead, 1e-12) / iterations, most);
}
