/* One thing, timed several times; and memory to do it with.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "calibrate/trial.h"
#include "base/human.h"
#include "base/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the median, between quartiles: more is worth a warning.  */
#define MUCH 0.2

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static enum ummgr_status
time_once (struct bench *b, const struct trial *t, int run, double *seconds_p)
{
  const double began = t->host ? ummgr_device_now (b->device) : 0;
  enum ummgr_status status = t->host ? UMMGR_OK : b->ops->begin (b->device);
  int times = t->times ? t->times : 1;
  for (int i = 0; i < times && !status; i++)
    status = t->once (b, t, run);
  if (!status && !t->host)
    status = b->ops->end (b->device, seconds_p);
  if (t->host)
    *seconds_p = ummgr_device_now (b->device) - began;
  *seconds_p /= times;
  return status;
}

enum ummgr_status
trial_run (struct bench *b, const struct trial *t, struct ummgr_measurement *out)
{
  double seconds[MOST_RUNS];
  enum ummgr_status status = UMMGR_OK;
  /* The first wakes who sleeps, and does not count.  */
  for (int i = 0; i <= t->runs && !status; i++)
    {
      double first = 0, again = 0;
      status = t->before ? t->before (b, t, i) : UMMGR_OK;
      if (!status)
	status = time_once (b, t, i, &first);
      if (!status && t->again)
	status = time_once (b, t, i, &again);
      seconds[i ? i - 1 : 0] = first - again;
    }
  if (status)
    return status;
  qsort (seconds, t->runs, sizeof *seconds, compare);
  double low = seconds[t->runs / 4], high = seconds[t->runs - 1 - t->runs / 4];
  out->value = seconds[t->runs / 2];
  out->spread = out->value > 0 ? (high - low) / out->value : 0;
  if (out->spread > MUCH)
    ummgr_warn ("calibrate: %s: half of the %d runs took from %s to %s; does something "
		"else use the GPU or the link? Measure again when it is idle", t->what,
		t->runs, ummgr_human_seconds (low).text, ummgr_human_seconds (high).text);
  return UMMGR_OK;
}

bool
trial_take (struct ummgr_measurement *out, const char *key, double value, double spread)
{
  if (value > 0 && isfinite (value))
    *out = (struct ummgr_measurement) { value, spread };
  else
    ummgr_warn ("calibrate: %s can't be measured here: it made no difference in time", key);
  return out->value > 0;
}

static enum ummgr_status
clear (struct bench *b, const struct memory *m)
{
  if (m->kind != UMMGR_DEVICE_PLAIN)
    {
      memset ((void *) m->host, 0, m->size);
      return UMMGR_OK;
    }
  void *zeros = calloc (1, m->size);
  if (!zeros)
    return UMMGR_ERR_NOMEM;
  enum ummgr_status status
    = b->device->ops->copy_in (b->device, m->address, zeros, m->size);
  free (zeros);
  return status;
}

enum ummgr_status
memory_get (struct bench *b, enum ummgr_device_memory kind, uint64_t size,
	    struct memory *out)
{
  static const char *const names[] = { "device", "managed", "pinned host" };
  struct memory m = { .kind = kind, .size = size };
  enum ummgr_status status
    = b->device->ops->alloc (b->device, kind, size, &m.host, &m.address);
  if (status == UMMGR_ERR_DEVMEM)
    ummgr_error ("calibrate: no %s of %s memory to be had; end what else uses it",
		 ummgr_human_bytes (size).text, names[kind]);
  if (status)
    return status;
  status = clear (b, &m);
  if (status)
    memory_free (b, &m);
  else
    *out = m;
  return status;
}

void
memory_free (struct bench *b, struct memory *m)
{
  if (m->size)
    b->device->ops->free (b->device, m->kind, m->host, m->address);
  m->size = 0;
}

enum ummgr_status
bench_touch (struct bench *b, const struct trial *t, int run)
{
  (void) t;
  (void) run;
  return b->ops->launch (b->device, b->touch, b->arguments->address, 1, 1);
}

enum ummgr_status
bench_arguments (struct bench *b, const void *arguments, size_t size)
{
  return b->device->ops->copy_in (b->device, b->arguments->address, arguments, size);
}
