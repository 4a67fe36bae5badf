/* Data constructs that are begun while the process ends: would break if libgomp were
   called while it closes its devices, if its exit waited for what it is called from, or if
   anybody were kept out for ever.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "gomp/real.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int entered, left, open_again, may_leave;

static void
wait_for (const int *flag)
{
  while (!__atomic_load_n (flag, __ATOMIC_ACQUIRE))
    usleep (100);
}

static void
set (int *flag)
{
  __atomic_store_n (flag, 1, __ATOMIC_RELEASE);
}

/* libgomp's.  Device 0 waits inside, 1 finds the devices closed, 2 ends the program.  */
static void
data (int device, size_t mapnum, void **hostaddrs, size_t *sizes, unsigned short *kinds)
{
  if (device == 0)
    {
      set (&entered);
      wait_for (&may_leave);
      usleep (5000);
      set (&left);
    }
  else if (device == 1)
    CHECK (__atomic_load_n (&open_again, __ATOMIC_ACQUIRE));
  else
    ummgr_real_closing ();
}

static void *
begin (void *device)
{
  ummgr_real_data ((int) (intptr_t) device, 0, NULL, NULL, NULL);
  return NULL;
}

int
main (void)
{
  static const struct ummgr_real_calls calls = { .GOMP_target_data_ext = data };
  pthread_t first, second;
  ummgr_real_use (&calls);
  CHECK (pthread_create (&first, NULL, begin, (void *) 0) == 0);
  wait_for (&entered);
  set (&may_leave);
  ummgr_real_closing ();
  CHECK (left);
  CHECK (pthread_create (&second, NULL, begin, (void *) 1) == 0);
  usleep (20000);
  set (&open_again);
  ummgr_real_closed ();
  pthread_join (first, NULL);
  pthread_join (second, NULL);
  /* It doesn't wait for itself; nor is anybody kept out for ever whom nobody lets in.  */
  begin ((void *) 2);
  begin ((void *) 1);
  return 0;
}
