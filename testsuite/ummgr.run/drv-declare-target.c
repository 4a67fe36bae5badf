/* Host and device copies of a `declare target' variable that are one and the
   same, or a write to the device's that is lost.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-without-gcc "11" "has no omp_get_device_num" } */
/* { dg-ummgr-env "UMMGR_GPUS=2" } */

#include "check.h"

#include <omp.h>
#include <string.h>
#include <unistd.h>

#pragma omp declare target
static int counter, values[20];
static double numbers[3] = { 1, 2, 3 };
static int *pointer = &counter;
static const char *word = "hello";
static const int constant[2] = { 5, 6 };

static void
add (int n)
{
  values[7] += n;
}
#pragma omp end declare target

static int linked[100];
#pragma omp declare target link(linked)

static void
initial (void)
{
  double seen = 0;
  int length = 0, c = 0;
  /* The device has the values of the image, not these.  */
  numbers[0] = 77;
  counter = 1000;
#pragma omp target map(from: seen, length, c)
  {
    seen = numbers[0];
    numbers[1] = 55;
    counter += 3;
    *pointer += 4;
    c = constant[1];
    length = strlen (word);
  }
  CHECK (seen == 1 && length == 5 && c == 6);
  CHECK (numbers[0] == 77 && numbers[1] == 2 && counter == 1000);
#pragma omp target update from(numbers, counter)
  CHECK (numbers[0] == 1 && numbers[1] == 55 && counter == 7);
}

/* One variable by two names.  */
static void
mapped (void)
{
  values[5] = 8;
  values[7] = 2;
  int seen = 0;
#pragma omp target map(always, tofrom: values) map(from: seen)
  {
    add (10);
    values[5] = 3;
    seen = values[7];
  }
  CHECK (values[5] == 3 && values[7] == 12 && seen == 12);
}

static void
links (void)
{
  for (int i = 0; i < 100; i++)
    linked[i] = i;
#pragma omp target data map(tofrom: linked)
  {
#pragma omp target
    for (int i = 0; i < 100; i++)
      linked[i] *= 2;
    CHECK_EQ (linked[50], 50);
#pragma omp target
    linked[50]++;
  }
  CHECK (linked[50] == 101 && linked[99] == 198);
#pragma omp target map(tofrom: linked)
  linked[1] = 9;
  CHECK_EQ (linked[1], 9);
}

static void
devices (void)
{
  int n = omp_get_num_devices ();
  CHECK_EQ (n, 2);
  for (int d = 0; d < n; d++)
    {
      int number = -1;
#pragma omp target device(d) map(from: number)
      {
	number = omp_get_device_num ();
	values[0] = 100 + number;
      }
      CHECK_EQ (number, d);
    }
  for (int d = 0; d < n; d++)
    {
#pragma omp target update from(values) device(d)
      CHECK_EQ (values[0], 100 + d);
    }
}

/* A copy of the host's variable while a launch on another device uses it.  */
static void
concurrent (void)
{
  int got = 0, sink = 0;
  /* Every region maps something: libgomp 12 makes the device's context current
     for that, and does not for a launch alone.  */
#pragma omp target device(0) map(tofrom: sink)
  sink += values[1] = 5;
  values[1] = 42;
  for (int round = 0; round < 5; round++)
    {
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num () == 0)
	{
#pragma omp target device(0) map(tofrom: sink)
	  for (volatile int i = 0; i < 20000000; i++)
	    sink ^= i;
	}
      else
	{
	  usleep (3000 * round);
#pragma omp target update to(values) device(1)
	}
#pragma omp target device(1) map(from: got)
      got = values[1];
      CHECK_EQ (got, 42);
    }
#pragma omp target device(0) map(from: got)
  got = values[1];
  CHECK_EQ (got, 5);
  CHECK_EQ (values[1], 42);
}

int
main (void)
{
  initial ();
  mapped ();
  links ();
  devices ();
  concurrent ();
  return 0;
}
