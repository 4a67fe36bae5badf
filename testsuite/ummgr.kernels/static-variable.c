/* Variables of one file, which code for the GPU has as names of its own text: host and
   device must mean the same memory.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#pragma omp declare target
static struct
{
  long first, second, sum;
} numbers;
static int factor = 3;
static long table[4] = { 1, 2, 3, 4 };
/* libgomp's own texts have this name, too.  */
static int device_num = 5;
#pragma omp end declare target

int
main (void)
{
  long seen = 0;
  numbers.first = 20;
  numbers.second = 22;
  factor = device_num = 2;
#pragma omp target update to (numbers, factor)
#pragma omp target map (from: seen)
  {
    numbers.sum = (numbers.first + numbers.second) * factor;
    seen = table[3] + device_num;
    table[1] = 7;
  }
#pragma omp target update from (numbers, table)
  printf ("%ld %ld %ld\n", numbers.sum, seen, table[1]);
  return 0;
}
