/* One thing, timed several times.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "calibrate/calibrate.h"
#include "device/measure.h"

#include <stdbool.h>

/* What is measured, and with what.  */
struct bench
{
  struct ummgr_calibration *out;
  void (*progress) (const char *what);
  struct ummgr_device *device;
  const struct ummgr_measure_ops *ops;
  void *empty, *touch, *sweep;	/* Kernels (kernels.h).  */
  struct memory *arguments;	/* Theirs.  */
  int turn;			/* faults.c: how often pages were sent to be touched.  */
};

/* Of the device, or that it reaches.  SIZE 0: none.  */
struct memory
{
  enum ummgr_device_memory kind;
  uint64_t size;
  uintptr_t host, address;
};

/* KEY is VALUE; false, after a warning, if that can't be.  */
bool trial_take (struct ummgr_measurement *out, const char *key, double value,
		 double spread);

/* FIGURE of B's calibration, or what KEY is beside them, was measured.  */
#define TAKE(B, FIGURE, VALUE, SPREAD)                                        \
  do                                                                          \
    if (trial_take (&(B)->out->measured[UMMGR_FIGURE_##FIGURE], #FIGURE,      \
		    VALUE, SPREAD))                                           \
      (B)->out->figures.FIGURE = (VALUE);                                     \
  while (0)
#define TAKE_BESIDE(B, KEY, VALUE, SPREAD)                                    \
  trial_take (&(B)->out->beside[UMMGR_BESIDE_##KEY], #KEY, VALUE, SPREAD)

struct trial
{
  const char *what;
  int runs;			/* That count: numbers 1 and up.  */
  int times;			/* That one run does it; 0: once.  */
  /* Do it again at once, and count what it took more the first time.  */
  bool again;
  enum ummgr_status (*before) (struct bench *b, const struct trial *t, int run);
  enum ummgr_status (*once) (struct bench *b, const struct trial *t, int run);
  bool host;			/* It's the host that does it: by its clock.  */
  /* What those two need of it.  */
  bool mapped;			/* By the CPU, what is touched.  */
  const struct memory *near, *far;
  struct ummgr_device *other;	/* Whose FAR is.  */
  uint64_t size;
};

enum { FEW_RUNS = 7, MOST_RUNS = 64 };

/* The median of all runs, each for one time, and how they spread (calibrate.h); a warning
   where that is much.  */
enum ummgr_status trial_run (struct bench *b, const struct trial *t,
			     struct ummgr_measurement *out);

/* SIZE bytes of zeros.  UMMGR_ERR_DEVMEM after a message.  */
enum ummgr_status memory_get (struct bench *b, enum ummgr_device_memory kind,
			      uint64_t size, struct memory *out);
void memory_free (struct bench *b, struct memory *m);

/* A trial's `once': one thread touches what the arguments say.  */
enum ummgr_status bench_touch (struct bench *b, const struct trial *t, int run);

/* Write the arguments of the next launch.  */
enum ummgr_status bench_arguments (struct bench *b, const void *arguments, size_t size);

/* What may be allocated on the device at once, of plain or of managed memory: a quarter of
   what is free at most, so that no page of managed memory ever has to leave for want of
   room.  UMMGR_ERR_DEVMEM, after a message, where that is too little.  */
enum ummgr_status bench_room (struct bench *b, uint64_t *size_p);

/* copies.c, kernel.c, faults.c: a part of the measurements each.  */
enum ummgr_status measure_copies (struct bench *b);
enum ummgr_status measure_peers (struct bench *b);
enum ummgr_status measure_launches (struct bench *b);
enum ummgr_status measure_reads (struct bench *b);
enum ummgr_status measure_managed (struct bench *b);

static inline uint64_t
smaller (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline uint64_t
larger (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}
