/* What the simulated driver itself calls of libgomp, and a thread's control
   variables.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>

/* Functions of the program's libgomp; NULL where it has none such.  Constant
   after sim_gomp_find.  */
struct sim_gomp
{
  bool controls;		/* All that sim_gomp_controls_* need.  */
  bool teams;			/* All that crew.c needs.  */
  int (*get_max_threads) (void);
  void (*set_num_threads) (int);
  int (*get_dynamic) (void);
  void (*set_dynamic) (int);
  int (*get_levels) (void);
  void (*set_levels) (int);
  int (*get_thread_limit) (void);
  bool (*teams4) (unsigned, unsigned, unsigned, bool);
  void (*teams_old) (unsigned, unsigned);
  int (*get_device) (void);
  void (*set_device) (int);
  void (*get_schedule) (int *, int *);
  void (*set_schedule) (int, int);
  int (*get_thread_num) (void);
  int (*get_num_threads) (void);
  int (*get_num_procs) (void);
  int (*get_level) (void);
  int (*in_parallel) (void);
  void (*parallel) (void (*) (void *), void *, unsigned, unsigned);
  void (*barrier) (void);
};
extern struct sim_gomp sim_gomp;

/* Once libgomp is there.  Under the lock of launches.  */
void sim_gomp_find (void);

/* The internal control variables a region may set for its own duration: a
   GPU starts every launch with fresh ones, and the launch thread is used
   again.  */
struct sim_gomp_controls
{
  int threads, dynamic, levels, thread_limit, device;
  int schedule, chunk;
};

/* The calling thread's.  */
void sim_gomp_controls_get (struct sim_gomp_controls *out);
void sim_gomp_controls_restore (const struct sim_gomp_controls *controls);
void sim_gomp_set_thread_limit (int limit);
