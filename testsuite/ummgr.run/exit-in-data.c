/* Exit while another thread begins a data construct: libgomp, which has found the device
   open, allocates the mapping; when it comes to fill it, its exit handler has closed the
   device, there is none, and it crashes.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 1000 };

extern void *__libc_malloc (size_t size);

static int a[N];
static int allocating;
static __thread int beginning;

/* libgomp's is this, too, and it stays in it until all is closed.  */
void *
malloc (size_t size)
{
  Dl_info info;
  if (beginning && dladdr (__builtin_return_address (0), &info) && strstr (info.dli_fname, "libgomp.so"))
    {
      beginning = 0;
      __atomic_store_n (&allocating, 1, __ATOMIC_RELEASE);
      usleep (100000);
    }
  return __libc_malloc (size);
}

static void *
begin (void *unused)
{
  beginning = 1;
#pragma omp target data map(tofrom: a)
  {
    beginning = 0;
  }
  return NULL;
}

/* After libgomp's own handler.  */
__attribute__ ((destructor)) static void
linger (void)
{
  usleep (200000);
}

int
main (void)
{
  pthread_t thread;
#pragma omp target enter data map(to: a)
  CHECK (pthread_create (&thread, NULL, begin, NULL) == 0);
  while (!__atomic_load_n (&allocating, __ATOMIC_ACQUIRE))
    usleep (1000);
  if (!getenv ("UMMGR_POLICY"))
    _exit (0);
  exit (0);
}
