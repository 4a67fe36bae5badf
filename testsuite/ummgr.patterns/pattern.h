/* What the programs have in common.
   SPDX-License-Identifier: GPL-3.0-or-later

   They run with libummgr only, so what they take from it may be weak.  */

#pragma once

#include "ummgr.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma weak ummgr_malloc
#pragma weak ummgr_free
#pragma weak ummgr_mark

/* Words of an array: 128 KiB, 32 pages.  */
enum { N = 32768 };

/* Not known to the compiler.  */
static volatile int zero;

static inline int
expect (long got, long wanted)
{
  if (got != wanted)
    printf ("%ld, not %ld\n", got, wanted);
  return got != wanted;
}
