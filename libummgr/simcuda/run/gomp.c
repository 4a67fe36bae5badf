/* What the simulated driver itself calls of libgomp, and a thread's control
   variables.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of functions.  libgomp offers no call that only sets the thread
   limit: that of a teams construct does, with one team.  */

#include "config.h"
#include "simcuda/run/gomp.h"

#include <dlfcn.h>
#include <limits.h>

struct sim_gomp sim_gomp;

void
sim_gomp_find (void)
{
  static bool looked;
  struct sim_gomp *g = &sim_gomp;
  if (looked)
    return;
  looked = true;
  g->get_max_threads = dlsym (RTLD_DEFAULT, "omp_get_max_threads");
  g->set_num_threads = dlsym (RTLD_DEFAULT, "omp_set_num_threads");
  g->get_dynamic = dlsym (RTLD_DEFAULT, "omp_get_dynamic");
  g->set_dynamic = dlsym (RTLD_DEFAULT, "omp_set_dynamic");
  g->get_levels = dlsym (RTLD_DEFAULT, "omp_get_max_active_levels");
  g->set_levels = dlsym (RTLD_DEFAULT, "omp_set_max_active_levels");
  g->get_thread_limit = dlsym (RTLD_DEFAULT, "omp_get_thread_limit");
  g->teams4 = dlsym (RTLD_DEFAULT, "GOMP_teams4");
  g->teams_old = dlsym (RTLD_DEFAULT, "GOMP_teams");
  g->get_device = dlsym (RTLD_DEFAULT, "omp_get_default_device");
  g->set_device = dlsym (RTLD_DEFAULT, "omp_set_default_device");
  g->get_schedule = dlsym (RTLD_DEFAULT, "omp_get_schedule");
  g->set_schedule = dlsym (RTLD_DEFAULT, "omp_set_schedule");
  g->get_thread_num = dlsym (RTLD_DEFAULT, "omp_get_thread_num");
  g->get_num_threads = dlsym (RTLD_DEFAULT, "omp_get_num_threads");
  g->get_num_procs = dlsym (RTLD_DEFAULT, "omp_get_num_procs");
  g->get_level = dlsym (RTLD_DEFAULT, "omp_get_level");
  g->in_parallel = dlsym (RTLD_DEFAULT, "omp_in_parallel");
  g->parallel = dlsym (RTLD_DEFAULT, "GOMP_parallel");
  g->barrier = dlsym (RTLD_DEFAULT, "GOMP_barrier");
  g->controls = g->get_max_threads && g->set_num_threads && g->get_dynamic
		&& g->set_dynamic && g->get_levels && g->set_levels
		&& g->get_thread_limit && (g->teams4 || g->teams_old)
		&& g->get_device && g->set_device && g->get_schedule
		&& g->set_schedule;
  g->teams = g->controls && g->get_thread_num && g->get_num_threads
	     && g->get_num_procs && g->get_level && g->in_parallel
	     && g->parallel && g->barrier;
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
