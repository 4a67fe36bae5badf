/* What the simulated driver itself calls of libgomp, and a thread's control
   variables.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of functions.  libgomp offers no call that only sets the thread
   limit: that of a teams construct does, with one team.  */

#include "config.h"
#include "simcuda/run/gomp.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>

struct sim_gomp sim_gomp;

void
sim_gomp_find (void)
{
  static bool looked;
  struct sim_gomp *g = &sim_gomp;
  if (looked)
    return;
  looked = true;
  bool all = true, any = false;
#define FIND(RETURN, NAME, SYMBOL, ARGS)                                      \
  g->NAME = dlsym (RTLD_DEFAULT, #SYMBOL);                                    \
  all &= g->NAME != NULL;                                                     \
  any |= g->NAME != NULL;
  SIM_GOMP_LIMITS (FIND)
  all = any;			/* One of them is enough.  */
  SIM_GOMP_CONTROLS (FIND)
  g->controls = all;
  SIM_GOMP_TEAMS (FIND)
  g->teams = all;
#undef FIND
}

void
sim_gomp_set_thread_limit (int limit)
{
  /* libgomp takes what an int can't hold for "none".  */
  unsigned value = limit == INT_MAX ? UINT_MAX : (unsigned) limit;
  if (sim_gomp.teams4)
    sim_gomp.teams4 (1, 1, value, true);
  else
    sim_gomp.teams_old (1, value);
}

void
sim_gomp_controls_get (struct sim_gomp_controls *out)
{
  out->threads = sim_gomp.get_max_threads ();
  out->dynamic = sim_gomp.get_dynamic ();
  out->levels = sim_gomp.get_levels ();
  out->thread_limit = sim_gomp.get_thread_limit ();
  out->device = sim_gomp.get_device ();
  sim_gomp.get_schedule (&out->schedule, &out->chunk);
}

void
sim_gomp_controls_restore (const struct sim_gomp_controls *c)
{
  struct sim_gomp_controls now;
  sim_gomp_controls_get (&now);
  if (now.threads != c->threads)
    sim_gomp.set_num_threads (c->threads);
  if (now.dynamic != c->dynamic)
    sim_gomp.set_dynamic (c->dynamic);
  if (now.levels != c->levels)
    sim_gomp.set_levels (c->levels);
  if (now.thread_limit != c->thread_limit)
    sim_gomp_set_thread_limit (c->thread_limit);
  if (now.device != c->device)
    sim_gomp.set_device (c->device);
  if (now.schedule != c->schedule || now.chunk != c->chunk)
    sim_gomp.set_schedule (c->schedule, c->chunk);
}
