/* Part of trace.exp: use the shared library that it is linked with.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

int library_work (void);

int
main (void)
{
  printf ("sum %d\n", library_work ());
  return 0;
}
