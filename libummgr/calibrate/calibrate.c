/* All measurements, one after another.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "calibrate/kernels.h"
#include "calibrate/trial.h"
#include "base/human.h"
#include "base/log.h"

#include <string.h>

#define MIB (UINT64_C (1) << 20)
/* Free, at least.  */
#define LEAST (72 * MIB)
/* Sizes are multiples of it.  */
#define PART (2 * MIB)
#define MOST (256 * MIB)

enum ummgr_status
bench_room (struct bench *b, uint64_t *size_p)
{
  uint64_t free_bytes, total;
  enum ummgr_status status = b->device->ops->memory (b->device, &free_bytes, &total);
  if (status)
    return status;
  if (free_bytes < LEAST)
    {
      ummgr_error ("calibrate: GPU %d has %s free of %s, and %s are needed; end what uses "
		   "it", b->device->number, ummgr_human_bytes (free_bytes).text,
		   ummgr_human_bytes (total).text, ummgr_human_bytes (LEAST).text);
      return UMMGR_ERR_DEVMEM;
    }
  *size_p = smaller (free_bytes / 4 / PART * PART, MOST);
  return UMMGR_OK;
}

static enum ummgr_status
measure_all (struct bench *b)
{
  struct memory arguments = { .size = 0 };
  const struct { const char *name, *text; void **kernel; } kernels[]
    = { { "empty", ummgr_calibrate_empty, &b->empty },
	{ "touch", ummgr_calibrate_touch, &b->touch },
	{ "sweep", ummgr_calibrate_sweep, &b->sweep } };
  enum ummgr_status status = UMMGR_OK;
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels && !status; i++)
    status = b->ops->kernel (b->device, kernels[i].text, kernels[i].name,
			     kernels[i].kernel);
  if (!status)
    status = memory_get (b, UMMGR_DEVICE_PLAIN, 4096, &arguments);
  b->arguments = &arguments;
  if (!status)
    status = measure_copies (b);
  if (!status)
    status = measure_launches (b);
  if (!status)
    status = measure_reads (b);
  if (!status)
    status = measure_managed (b);
  memory_free (b, &arguments);
  return status ? status : measure_peers (b);
}

enum ummgr_status
ummgr_calibrate (struct ummgr_calibration *out, void (*progress) (const char *what))
{
  memset (out, 0, sizeof *out);
  struct bench b = { .out = out, .progress = progress, .device = ummgr_device_of (0),
		     .ops = ummgr_device_ops ()->measure };
  if (!b.ops)
    {
      ummgr_error ("calibrate: the driver is too old: it has no primary contexts or "
		   "events");
      return UMMGR_ERR_UNSUPPORTED;
    }
  enum ummgr_status status
    = b.ops->driver (&out->devices, out->driver, sizeof out->driver);
  if (status)
    return status;
  if (out->devices > UMMGR_CALIBRATE_DEVICES)
    out->devices = UMMGR_CALIBRATE_DEVICES;
  out->told = out->figures = ummgr_device_figures (b.device);
  /* Off on this machine: a profile says how they are when on.  */
  if (out->figures.access_counter_granularity && !out->figures.access_counter_threshold)
    out->figures.access_counter_threshold
      = ((struct ummgr_figures) UMMGR_FIGURES_UNTOLD).access_counter_threshold;
  status = b.ops->open (b.device);
  if (status)
    return status;
  status = measure_all (&b);
  b.ops->close (b.device);
  return status;
}
