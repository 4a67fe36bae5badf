/* A device address that is not where the data is (any more): use_device_ptr,
   use_device_addr, is_device_ptr, omp_target_alloc and the program's own
   associations.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };

static int array[N];

static void
use (void)
{
  int *a = malloc (N * sizeof *a);
  CHECK (a);
  for (int i = 0; i < N; i++)
    a[i] = array[i] = i;
#pragma omp target data map(tofrom: a[:N], array)
  {
#pragma omp target data use_device_ptr(a) use_device_addr(array)
    {
      int *d = a, *e = &array[0];
#pragma omp target is_device_ptr(d, e)
      for (int i = 0; i < N; i++)
	d[i] += e[i];
    }
  }
  for (int i = 0; i < N; i++)
    CHECK_EQ (a[i], 2 * i);
  /* In one construct: mapped, then translated.  */
  int *b = a;
#pragma omp target data map(tofrom: b[:N]) use_device_ptr(b)
#pragma omp target is_device_ptr(b)
  for (int i = 0; i < N; i++)
    b[i]++;
  CHECK_EQ (a[N - 1], 2 * (N - 1) + 1);
  free (a);
}

static void
own (void)
{
  int device = omp_get_default_device (), host = omp_get_initial_device ();
  int *h = malloc (N * sizeof *h);
  int *d = omp_target_alloc (N * sizeof *d, device);
  CHECK (h && d);
  for (int i = 0; i < N; i++)
    h[i] = i;
  CHECK (!omp_target_memcpy (d, h, N * sizeof *d, 0, 0, device, host));
#pragma omp target is_device_ptr(d)
  for (int i = 0; i < N; i++)
    d[i] *= 3;
  CHECK (!omp_target_memcpy (h, d, 10 * sizeof *d, 0, 10 * sizeof *d, host,
			     device));
  CHECK_EQ (h[0], 30);
  CHECK_EQ (h[10], 10);
  /* Associated: present, and never copied.  */
  CHECK (!omp_target_associate_ptr (h, d, N * sizeof *h, 0, device));
  CHECK (omp_target_is_present (h, device));
#pragma omp target map(tofrom: h[:N])
  for (int i = 0; i < N; i++)
    h[i]++;
  CHECK_EQ (h[10], 10);
#pragma omp target update from(h[10:1])
  CHECK_EQ (h[10], 31);
  CHECK (!omp_target_disassociate_ptr (h, device));
  CHECK (!omp_target_is_present (h, device));
  omp_target_free (d, device);
  free (h);
}

/* A mapping is not the program's to undo as an association.  */
static void
mapped (void)
{
  int device = omp_get_default_device ();
#pragma omp target enter data map(to: array)
  CHECK_EQ (omp_target_disassociate_ptr (array, device), EINVAL);
  CHECK (omp_target_is_present (array, device));
#pragma omp target exit data map(delete: array)
}

int
main (void)
{
  use ();
  own ();
  mapped ();
  return 0;
}
