/* CHECK for tests: assert() would vanish with NDEBUG.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdio.h>
#include <stdlib.h>

#define CHECK(COND)                                                           \
  do                                                                          \
    {                                                                         \
      if (!(COND))                                                            \
	{                                                                     \
	  fprintf (stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__,   \
		   #COND);                                                    \
	  abort ();                                                           \
	}                                                                     \
    }                                                                         \
  while (0)

/* The same for two integers, with their values.  */
#define CHECK_EQ(A, B)                                                        \
  do                                                                          \
    {                                                                         \
      long long check_a = (long long) (A), check_b = (long long) (B);         \
      if (check_a != check_b)                                                 \
	{                                                                     \
	  fprintf (stderr, "%s:%d: CHECK failed: %s == %s: %lld != %lld\n",   \
		   __FILE__, __LINE__, #A, #B, check_a, check_b);             \
	  abort ();                                                           \
	}                                                                     \
    }                                                                         \
  while (0)
