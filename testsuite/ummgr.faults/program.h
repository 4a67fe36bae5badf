/* What the programs of this directory say at their end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdio.h>
#include <stdlib.h>

/* An exit status of its own: libgomp's errors end with 1.  */
#define EXPECT(COND)                                                          \
  do                                                                          \
    {                                                                         \
      if (!(COND))                                                            \
	{                                                                     \
	  printf ("wrong: %s:%d: %s\n", __FILE__, __LINE__, #COND);           \
	  fflush (stdout);                                                    \
	  exit (3);                                                           \
	}                                                                     \
    }                                                                         \
  while (0)

static int
right (void)
{
  puts ("right");
  return 0;
}
