/* Firstprivate data that is not copied before waiting changes under the
   region: the copies, their alignment, and what is left alone.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "gomp/abi.h"
#include "gomp/hooks/defer.h"

#include <stdint.h>
#include <string.h>

int
main (void)
{
  char a = 1, c[5] = "abcd";
  double b = 2.5;
  int mapped = 3;
  void *addresses[5] = { &a, &b, &mapped, c, NULL };
  size_t sizes[5] = { 1, 8, 4, 5, 8 };
  unsigned short kinds[5] = {
    UMMGR_MAP_FIRSTPRIVATE, 3 << 8 | UMMGR_MAP_FIRSTPRIVATE, UMMGR_MAP_TO,
    6 << 8 | UMMGR_MAP_FIRSTPRIVATE, UMMGR_MAP_FIRSTPRIVATE };
  struct ummgr_clauses clauses = { 5, addresses, sizes, kinds };
  struct ummgr_private copy;
  CHECK (ummgr_private_copy (&copy, &clauses));
  a = 9;
  b = 9;
  memcpy (c, "wxyz", 5);
  CHECK (copy.hostaddrs != addresses && addresses[0] == &a);
  CHECK_EQ (*(char *) copy.hostaddrs[0], 1);
  CHECK (*(double *) copy.hostaddrs[1] == 2.5);
  CHECK_EQ ((uintptr_t) copy.hostaddrs[1] % 8, 0);
  CHECK (copy.hostaddrs[2] == &mapped && !copy.hostaddrs[4]);
  CHECK (strcmp (copy.hostaddrs[3], "abcd") == 0);
  CHECK_EQ ((uintptr_t) copy.hostaddrs[3] % 64, 0);
  ummgr_private_free (&copy);
  clauses.count = 0;
  CHECK (ummgr_private_copy (&copy, &clauses) && copy.hostaddrs == addresses);
  ummgr_private_free (&copy);
  return 0;
}
