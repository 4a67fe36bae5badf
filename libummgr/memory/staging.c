/* Copies by way of registered memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "memory/staging.h"

#include "device/device.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Such copies are so many times as fast as the driver's, or it makes them.  */
#define GAINS 1.05
/* And of so many bytes at least: threads have to begin.  */
#define LEAST (4 * UMMGR_STAGING_BIT)

static unsigned
threads_most (const struct ummgr_device *device)
{
  const char *given = getenv ("UMMGR_STAGING_THREADS");
  cpu_set_t set;
  if (given || device->ops->set_time)
    return given ? (unsigned) atoi (given) % (UMMGR_STAGING_THREADS + 1) : UMMGR_STAGING_THREADS;
  if (sched_getaffinity (0, sizeof set, &set) != 0)
    return 0;
  unsigned share = (unsigned) CPU_COUNT (&set) / UMMGR_STAGING_COPIES;
  return share < UMMGR_STAGING_THREADS ? share : UMMGR_STAGING_THREADS;
}

double
ummgr_staging_rate (const struct ummgr_figures *f, unsigned threads, bool out)
{
  return threads ? fmin (threads * f->staging_rate, out ? f->d2h_rate : f->h2d_rate) : ummgr_figures_pageable (f, !out);
}

unsigned
ummgr_staging_threads (const struct ummgr_device *device, const struct ummgr_figures *f, bool out)
{
  unsigned most = device->ops->copy_beside ? threads_most (device) : 0;
  return most && ummgr_staging_rate (f, most, out) > GAINS * ummgr_staging_rate (f, 0, out) ? most : 0;
}

uintptr_t
ummgr_staging_take (struct ummgr_manager *manager)
{
  return ummgr_manager_staging (manager, (size_t) 2 * UMMGR_STAGING_COPIES * UMMGR_STAGING_THREADS * UMMGR_STAGING_BIT);
}

/* What WORKER has in staging memory goes home.  */
static void
unload (const struct ummgr_staging_lane *lane, struct ummgr_staging_worker *worker)
{
  if (worker->size)
    ummgr_device_stage (lane->device, (void *) worker->home, (const void *) worker->half[!worker->turn], worker->size,
			lane->rate);
  worker->size = 0;
}

enum ummgr_status
ummgr_staging_bit (const struct ummgr_staging_lane *lane, struct ummgr_staging_worker *worker, uintptr_t there,
		   uintptr_t home, size_t size)
{
  const struct ummgr_device_ops *ops = lane->device->ops;
  uintptr_t half = worker->half[worker->turn];
  if (!lane->out)
    ummgr_device_stage (lane->device, (void *) half, (const void *) home, size, lane->rate);
  /* What it asked for before is over: it has the other half, and what that brought, again.  */
  enum ummgr_status status = ops->copied (lane->device, lane->out, lane->lane);
  if (!status)
    status = ops->copy_beside (lane->device, lane->out ? half : there, lane->out ? there : half, size, lane->out, false,
			       lane->lane);
  if (status)
    return status;
  unload (lane, worker);
  worker->turn = !worker->turn;
  if (lane->out)
    {
      worker->home = home;
      worker->size = size;
    }
  return UMMGR_OK;
}

enum ummgr_status
ummgr_staging_flush (const struct ummgr_staging_lane *lane, struct ummgr_staging_worker *worker)
{
  enum ummgr_status status = lane->device->ops->copied (lane->device, lane->out, lane->lane);
  if (!status)
    unload (lane, worker);
  return status;
}

/* RUN each of COUNT parts, SIZE bytes from one to the next, all but the first in threads of their own.  */
static void
run_at_once (void *(*run) (void *), void *parts, size_t size, unsigned count)
{
  pthread_t thread[UMMGR_STAGING_THREADS];
  bool has_thread[UMMGR_STAGING_THREADS] = { false };
  for (unsigned n = 1; n < count; n++)
    has_thread[n] = pthread_create (&thread[n], NULL, run, (char *) parts + n * size) == 0;
  for (unsigned n = 0; n < count; n++)
    if (!has_thread[n])
      run ((char *) parts + n * size);
  for (unsigned n = 1; n < count; n++)
    if (has_thread[n])
      pthread_join (thread[n], NULL);
}

/* --- whole copies ------------------------------------------------------------ */

/* A thread's part of one.  */
struct part
{
  struct ummgr_staging_lane lane;
  struct ummgr_staging_worker worker;
  uintptr_t there, home;	/* Its first bit,  */
  size_t size, step;		/* what is left from there on, and from one to the next.  */
  enum ummgr_status status;
};

/* The next bit of P, if there is one.  */
static bool
part_next (struct part *p)
{
  if (!p->size || p->status)
    return false;
  size_t bit = p->size < UMMGR_STAGING_BIT ? p->size : UMMGR_STAGING_BIT;
  p->status = ummgr_staging_bit (&p->lane, &p->worker, p->there, p->home, bit);
  p->there += p->step;
  p->home += p->step;
  p->size -= p->size < p->step ? p->size : p->step;
  return true;
}

static void
part_end (struct part *p)
{
  if (!p->status)
    p->status = ummgr_staging_flush (&p->lane, &p->worker);
}

static void *
part_run (void *part)
{
  while (part_next (part))
    continue;
  part_end (part);
  return NULL;
}

/* Modelled: the parts' bits in their order, each at its thread's time.  */
static void
run_modelled (const struct ummgr_device_ops *ops, struct part *parts, unsigned count)
{
  double end = ops->time ();
  bool any = true;
  for (unsigned n = 0; n < count; n++)
    parts[n].worker.time = end;
  while (any)
    {
      any = false;
      for (unsigned n = 0; n < count; n++)
	{
	  ops->set_time (parts[n].worker.time);
	  any |= part_next (&parts[n]);
	  parts[n].worker.time = ops->time ();
	}
    }
  for (unsigned n = 0; n < count; n++)
    {
      ops->set_time (parts[n].worker.time);
      part_end (&parts[n]);
      end = fmax (end, ops->time ());
    }
  ops->set_time (end);
}

/* The same with COUNT threads, and HALF and what is behind it as staging memory.  */
static enum ummgr_status
copy_staged (struct ummgr_device *device, const struct part *whole, unsigned count, uintptr_t half)
{
  struct part parts[UMMGR_STAGING_THREADS];
  enum ummgr_status status = UMMGR_OK;
  for (unsigned n = 0; n < count; n++, half += 2 * UMMGR_STAGING_BIT)
    {
      size_t first = (size_t) n * UMMGR_STAGING_BIT;
      parts[n] = *whole;
      parts[n].lane.lane = n % UMMGR_DEVICE_LANES;
      parts[n].worker.half[0] = half;
      parts[n].worker.half[1] = half + UMMGR_STAGING_BIT;
      parts[n].there += first;
      parts[n].home += first;
      parts[n].size -= first < whole->size ? first : whole->size;
      parts[n].step = (size_t) count * UMMGR_STAGING_BIT;
    }
  if (device->ops->set_time)
    run_modelled (device->ops, parts, count);
  else
    run_at_once (part_run, parts, sizeof *parts, count);
  for (unsigned n = 0; n < count; n++)
    status = status ? status : parts[n].status;
  return status;
}

enum ummgr_status
ummgr_staging_copy (struct ummgr_manager *manager, uintptr_t there, uintptr_t home, size_t size, bool out)
{
  struct ummgr_device *device = ummgr_device_of (manager->device);
  unsigned count = 0;
  uintptr_t half = 0;
  if (size >= LEAST)
    {
      const struct ummgr_figures f = ummgr_device_figures (device);
      const struct part whole
	= { .lane = { device, out, 0, f.staging_rate }, .there = there, .home = home, .size = size };
      count = ummgr_staging_threads (device, &f, out);
      half = count ? ummgr_staging_take (manager) : 0;
      if (half)
	{
	  enum ummgr_status status = copy_staged (device, &whole, count, half);
	  ummgr_manager_staged (manager);
	  return status;
	}
    }
  return out ? device->ops->copy_out (device, (void *) home, there, size)
    : device->ops->copy_in (device, there, (const void *) home, size);
}

double
ummgr_staging_seconds (struct ummgr_device *device, bool out)
{
  const struct ummgr_figures f = ummgr_device_figures (device);
  return 1 / ummgr_staging_rate (&f, ummgr_staging_threads (device, &f, out), out);
}

/* --- within the host's memory --------------------------------------------------- */

struct slice
{
  void *to;
  const void *from;
  size_t size;
};

static void *
slice_move (void *data)
{
  const struct slice *s = data;
  memcpy (s->to, s->from, s->size);
  return NULL;
}

void
ummgr_staging_move (struct ummgr_device *device, void *to, const void *from, size_t size, bool out)
{
  /* Most copies are small, and a real device's figures take longer to ask for than these.  */
  if (size < LEAST && !device->ops->set_time)
    {
      memcpy (to, from, size);
      return;
    }
  const struct ummgr_figures f = ummgr_device_figures (device);
  struct slice slices[UMMGR_STAGING_THREADS];
  unsigned count = size < LEAST ? 0 : ummgr_staging_threads (device, &f, out);
  if (count < 2 || device->ops->set_time)
    {
      ummgr_device_stage (device, to, from, size, count ? count * f.staging_rate : ummgr_figures_pageable (&f, !out));
      return;
    }
  for (unsigned n = 0; n < count; n++)
    {
      size_t lo = size / count * n, hi = n + 1 == count ? size : size / count * (n + 1);
      slices[n] = (struct slice) { (char *) to + lo, (const char *) from + lo, hi - lo };
    }
  run_at_once (slice_move, slices, sizeof *slices, count);
}
