/* What a function of make.c's calls: functions of its own, so that what is proved of them is so of it.  Included once
   for each, with F (NAME) for the name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;
int flag = 2;
u32 *shared;

#endif

static u32
F (k_read) (const u32 *x, int n)
{
  u32 s = 0;
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: s) reduction(+: s)
  for (int i = 0; i < n; i++)
    s += x[i] * (2 * i + 1);
  return s;
}

static __attribute__ ((noinline)) void
F (k_add) (const u32 *x, u32 *y, int n)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: y[:n])
  for (int i = 0; i < n; i++)
    y[i] += x[i] ^ i;
}

static __attribute__ ((noinline)) void
F (k_change) (u32 *x, int n, u32 k)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:n])
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 5 + k;
}

static void
F (k_set) (u32 *x, int n, u32 k)
{
#pragma omp target teams distribute parallel for map(from: x[:n])
  for (int i = 0; i < n; i++)
    x[i] = i * k;
}

static __attribute__ ((noinline)) void
F (k_part) (u32 *x, int lo, int count, u32 k)
{
#pragma omp target teams distribute parallel for map(tofrom: x[lo:count])
  for (int i = lo; i < lo + count; i++)
    x[i] += k;
}

static __attribute__ ((noinline)) u32
F (k_spoil) (u32 *x, int n, u32 k)
{
  u32 s = 0;
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: s) reduction(+: s)
  for (int i = 0; i < n; i++)
    {
      x[i] += k;
      s += x[i];
    }
  return s;
}

static __attribute__ ((noinline)) void
F (k_maybe) (u32 *x, int n, u32 k, int offload)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:n]) if(target: offload)
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 7 + k;
}

static __attribute__ ((noinline)) void
F (h_change) (u32 *x, int n, u32 k)
{
  for (int i = 0; i < n; i += 3)
    x[i] ^= k;
}

/* As if in another unit.  */
__attribute__ ((noipa)) void
F (h_unseen) (u32 *x, int n, u32 k)
{
  for (int i = 1; i < n; i += 2)
    x[i] -= k;
}

static __attribute__ ((noinline)) u32
F (h_sum) (const u32 *x, int n)
{
  u32 s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

/* Two arrays, which may be one, or parts of it.  */
static __attribute__ ((noinline)) void
F (h_mix) (u32 *x, const u32 *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] += y[i] + (y[n - 1 - i] >> 3);
}

static __attribute__ ((noinline)) u32
F (h_both) (u32 *x, u32 *y, int n, u32 k)
{
  F (h_mix) (x, y, n / 2);
  if (k > 30)
    y[k] = x[n - 1];
  return F (h_sum) (y, n);
}

/* Regions read Y, and the host writes to X in between.  */
static __attribute__ ((noinline)) u32
F (k_turns) (u32 *x, const u32 *y, int n, u32 k)
{
  u32 s = 0;
  for (u32 t = 0; t < 3; t++)
    {
#pragma omp target teams distribute parallel for map(to: y[:n]) map(tofrom: s) reduction(+: s)
      for (int i = 0; i < n; i++)
	s += y[i] * (k + t);
      for (int i = 0; i < n; i += 2)
	x[i] += t + k;
    }
  return s;
}

static void
F (h_fill) (u32 *x, int n, u32 k)
{
  for (int i = 0; i < n; i++)
    x[i] = i * 3 + k;
}

static __attribute__ ((noinline)) u32 *
F (h_make) (int n)
{
  u32 *x = malloc ((n + 100) * sizeof *x);
  if (x)
    x[0] = 1;
  return x;
}
