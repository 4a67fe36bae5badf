/* Memory that the program asks of the device itself: allocation, copies, an
   association of its own, and addresses handed to regions.  A NULL or a failed
   copy is an answer that the program sees.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

#include <omp.h>
#include <string.h>

enum { N = 1 << 14, BYTES = N * sizeof (int) };

static int a[N], b[N];

static void
said (const char *call)
{
  printf ("error: %s failed\n", call);
  fflush (stdout);
  exit (1);
}

int
main (void)
{
  int device = omp_get_default_device (), host = omp_get_initial_device ();
  int *p = omp_target_alloc (BYTES, device);
  if (!p)
    said ("omp_target_alloc");
  for (int i = 0; i < N; i++)
    a[i] = i;
  if (omp_target_memcpy (p, a, BYTES, 0, 0, device, host))
    said ("omp_target_memcpy");
#pragma omp target is_device_ptr (p)
  for (int i = 0; i < N; i++)
    p[i] *= 3;
  if (omp_target_memcpy (b, p, BYTES, 0, 0, host, device))
    said ("omp_target_memcpy");
  for (int i = 0; i < N; i++)
    EXPECT (b[i] == 3 * i);
#pragma omp target data map (tofrom: a)
  {
    int *q;
#pragma omp target data use_device_addr (a)
    q = a;
#pragma omp target is_device_ptr (p, q)
    for (int i = 0; i < N; i++)
      q[i] += p[i];
  }
  for (int i = 0; i < N; i++)
    EXPECT (a[i] == 4 * i);
  omp_target_free (p, device);
  return right ();
}
