/* Random numbers for tests, the same in every run: xorshift64 with 13, 7, 17 (G. Marsaglia, "Xorshift
   RNGs", Journal of Statistical Software 8(14), 2003).  STATE must not be 0.  The low bits are the
   weaker ones.  Not for threads that share a state.  SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef UMMGR_TEST_RANDOM_H
#define UMMGR_TEST_RANDOM_H

#include <stdint.h>

static inline uint64_t
random64 (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

#endif
