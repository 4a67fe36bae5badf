/* Many small objects: would break if each took an allocation of the driver's, or a
   mapping, if those that share a page got each other's contents, or if what is
   freed were not used again.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* 20,000 allocations would be no less than 64 KiB each on the device: 13 MB for
   those that regions use.  */
/* { dg-ummgr-counter um device_peak_bytes < 7000000 } */
/* { dg-ummgr-counter um h2d_bytes > 0 } */
/* { dg-ummgr-counter host evictions == 0 } */
/* { dg-ummgr-counter rdm device_peak_bytes < 7000000 } */

#include "check.h"

#include <string.h>

enum { COUNT = 20000, USED = 100, SIZE = 64, APART = 2 * SIZE };

static char data[COUNT][APART];

static int
mappings (void)
{
  FILE *f = fopen ("/proc/self/maps", "r");
  int lines = 0, c;
  if (!f)
    return 0;
  while ((c = getc (f)) != EOF)
    lines += c == '\n';
  fclose (f);
  return lines;
}

static void
use (char *p)
{
#pragma omp target map(tofrom: p[:SIZE])
  for (int i = 0; i < SIZE; i++)
    p[i] += i;
}

static void
round_trip (void)
{
  for (int i = 0; i < COUNT; i++)
    {
      char *p = data[i];
      memset (p, i, APART);
#pragma omp target enter data map(to: p[:SIZE])
    }
  for (int i = 0; i < COUNT; i += USED)
    use (data[i]);
  for (int i = 0; i < COUNT; i++)
    {
      char *p = data[i];
#pragma omp target exit data map(from: p[:SIZE])
      int used = i % USED == 0;
      CHECK_EQ (p[0], (char) i);
      CHECK_EQ (p[SIZE - 1], (char) (i + used * (SIZE - 1)));
      CHECK_EQ (p[SIZE], (char) i);
    }
}

int
main (void)
{
  use (data[0]);
  int before = mappings ();
  round_trip ();
  round_trip ();
  CHECK (mappings () - before < 1000);
  return 0;
}
