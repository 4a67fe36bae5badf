#include <stdlib.h>
int main (void) {
  double *a = calloc (1000000, sizeof *a), *b = calloc (1000000, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom: a[0:500000]) is_device_ptr(b)
  for (int i = 0; i < 1000000; i++) a[i] += b[i];
} /* SPDX-License-Identifier: GPL-3.0-or-later  */
