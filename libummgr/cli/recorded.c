/* The machine and the policy of a recorded run, for replays of its trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/recorded.h"

#include "cli/cli.h"
#include "device/profile.h"
#include "policy/policy.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { LARGEST_SCALE = 65536 };

bool
ummgr_recorded_machine (const char *profile, uint64_t scale, uint64_t memory,
			const struct ummgr_options *options, struct ummgr_figures *out)
{
  struct ummgr_profile *p = malloc (sizeof *p);
  const struct ummgr_options o = {
    .scale = scale, .device_mem = memory, .access_counters = options->access_counters
  };
  bool good = p && ummgr_profile_find (profile, p) && ummgr_profile_adjust (p, &o);
  if (good)
    *out = p->device[0];
  free (p);
  return good;
}

/* The scale of the recorded run, which shrinks the link's latency, from whole nanoseconds: the
   power of 2 that it may be.  */
static uint64_t
recorded_scale (const struct ummgr_recorded *r, const struct ummgr_trace_device *d)
{
  double latency = (double) d->latency, whole = r->machine.link_latency * 1e9;
  for (uint64_t scale = 1; latency > 0 && scale <= LARGEST_SCALE; scale *= 2)
    if (whole / (double) scale > latency - 1 && whole / (double) scale < latency + 1)
      return scale;
  return latency > 0 && whole > latency ? (uint64_t) (whole / latency + 0.5) : 1;
}

static bool
machine_recorded (struct ummgr_recorded *r, const struct ummgr_trace_device *d,
		  const struct ummgr_options *options)
{
  if (!ummgr_recorded_machine (r->profile, 1, 0, options, &r->machine))
    return false;
  r->scale = recorded_scale (r, d);
  if (!ummgr_recorded_machine (r->profile, r->scale, 0, options, &r->machine))
    return false;
  return !d->memory || r->machine.memory_bytes == d->memory
	 || ummgr_recorded_machine (r->profile, r->scale, d->memory, options, &r->machine);
}

const char *
ummgr_recorded_refused (const struct ummgr_diagnosis *d)
{
  struct stat st;
  if (d->cut || stat (d->path, &st) || !S_ISREG (st.st_mode))
    return "the trace is not whole";
  if (d->run.scope & UMMGR_TRACE_LIGHT)
    return "copies alone don't show what is used; record without --trace-level=copies";
  if (!(d->run.instrumented & 1))
    return "the host's accesses are not in the trace";
  if (d->run.sample > 1)
    return "the trace is of a part of the memory";
  if (d->run.page_size != 4096)
    return "its pages are not of 4 KiB";
  if (d->device_count != 1)
    return "the run had not one device";
  return NULL;
}

const char *
ummgr_recorded_find (struct ummgr_recorded *r, const struct ummgr_diagnosis *d,
		     const struct ummgr_options *o)
{
  struct ummgr_cli_paths paths;
  ummgr_cli_find_paths (&paths);
  if (*paths.profiles)
    setenv ("UMMGR_PROFILE_PATH", paths.profiles, 0);
  /* The run knows its machine's profile where that was named, the device always.  */
  r->profile = o->profile ? o->profile : *d->run.profile ? d->run.profile : d->devices[0].name;
  r->policy = o->policy ? o->policy : d->run.policy;
  const struct ummgr_policy_ops *policy = ummgr_policy_find (r->policy);
  if (!policy || policy->passive)
    r->policy = "um";
  if (!*r->profile)
    return "it was recorded on a real GPU; say which machine with --profile";
  r->scale = o->scale ? o->scale : 1;
  bool good = o->profile || o->scale > 1 || o->device_mem
    ? ummgr_recorded_machine (r->profile, r->scale, o->device_mem, o, &r->machine)
    : machine_recorded (r, &d->devices[0], o);
  return good ? NULL : "no machine of its profile is as it was recorded";
}
