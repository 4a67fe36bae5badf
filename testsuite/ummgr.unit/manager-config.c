/* A policy is given other figures than the options and the machine have, or none; or
   its end is forgotten: a policy that only remembers what it was given.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "apart.h"
#include "fake-gomp.h"
#include "device/figures.h"
#include "gomp/shim-api.h"
#include "base/log.h"
#include "policy/policies.h"
#include "watch.h"

#include <unistd.h>

#define MIB ((uint64_t) 1 << 20)

static struct ummgr_policy_config given;
static int ended, asked;
static int contexts[2];

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  (void) state;
  given = *config;
  return UMMGR_OK;
}

static void
fini (void *state)
{
  (void) state;
  ended++;
}

static const struct ummgr_policy_ops memory
  = { .name = "memory", .init = init, .fini = fini };

/* In place of the registry.  */
const struct ummgr_policy_ops *
ummgr_policy_find (const char *name)
{
  return strcmp (name, "memory") == 0 ? &memory
	 : strcmp (name, "explicit") == 0 ? &ummgr_policy_explicit : NULL;
}

static int
num_devices (void)
{
  return 2;
}

/* libgomp makes a context when it is first asked for the device.  */
static int
is_present (const void *p, int device)
{
  asked |= 1 << device;
  return fake_is_present (p, device);
}

static void *
context (int device)
{
  return asked >> device & 1 ? &contexts[device] : NULL;
}

static uint64_t
allocated (int device)
{
  (void) device;
  return 0;
}

static bool
figures_of (struct ummgr_device *device, struct ummgr_figures *out)
{
  if (device->number == 0)
    *out = (struct ummgr_figures) {
      .gpu_fault_cost = 20e-6, .fault_batch = 10, .h2d_rate = 1e9,
      .fault_granularity = 4096, .block_bytes = 64 << 10
    };
  return device->number == 0;
}

static const char *
nothing (void)
{
  return "";
}

static void
own_thread (int thread)
{
  (void) thread;
}

static const struct ummgr_device_ops more
  = { .profile = nothing, .scaling = nothing, .fidelity = nothing,
      .own_thread = own_thread, .figures = figures_of };

static void
start (bool simulated)
{
  static const struct ummgr_shim_api shim
    = { .version = UMMGR_SHIM_API_VERSION, .num_devices = num_devices,
	.context = context, .allocated = allocated };
  fake_prepare ();
  ummgr_real_calls.omp_target_is_present = is_present;
  if (simulated)
    fake_simulated (&more);
  ummgr_cuda_attach (0, NULL);
  fake.memory = 100 * MIB;
  fake.memory_left = 90 * MIB;
  ummgr_process.shim = &shim;
  ummgr_process.active = true;
  ummgr_process.options.gpu = "cuda";
  ummgr_process.options.policy = "memory";
  ummgr_process.options.transfer = "implicit";
  ummgr_process.options.copies = "auto";
  ummgr_log_level = UMMGR_LOG_WARN;
}

/* Of a GPU: blocks of 2 MiB, ten faults in 47 us at 25 GB/s; six
   bring a block, whose 512 pages the CPU has had, for 0.33 us each.  */
static void
of_a_gpu (void)
{
  start (false);
  CHECK (strcmp (ummgr_manager_for (0)->executor.policy->name, "memory") == 0);
  CHECK_EQ (given.device, 0);
  CHECK_EQ (given.budget, 85 * MIB);
  CHECK (strcmp (given.transfer, "implicit") == 0);
  CHECK_EQ (given.partial, UMMGR_PARTIAL_POLICY);
  CHECK_EQ (given.unit, 2 * MIB);
  CHECK_EQ (given.fault_bytes, 821500);
  CHECK_EQ (given.unit_faults, 6);
  CHECK (!given.explain && !ummgr_manager_for (0)->explain);
  ummgr_process.options.partial = "on";
  ummgr_log_level = UMMGR_LOG_INFO;
  CHECK (ummgr_manager_for (1)->explain);
  CHECK_EQ (given.device, 1);
  CHECK (given.explain && given.partial == UMMGR_PARTIAL_ON);
}

/* Of a simulated one: its profile's; the other's is not known.  */
static void
simulated (void)
{
  start (true);
  ummgr_process.options.partial = "paper";
  CHECK (ummgr_manager_for (0));
  CHECK_EQ (given.partial, UMMGR_PARTIAL_PAPER);
  CHECK_EQ (given.unit, 64 << 10);
  CHECK_EQ (given.fault_bytes, 2000);
  CHECK_EQ (given.unit_faults, 5);
  CHECK_EQ (contexts[0], 0);
  ummgr_process.options.partial = "off";
  ummgr_process.options.report = "r.html";
  CHECK (ummgr_manager_for (1) && given.explain);
  CHECK_EQ (given.unit, 2 * MIB);
  CHECK_EQ (given.partial, UMMGR_PARTIAL_OFF);
}

/* libgomp had the device before.  */
static void
attached (void)
{
  start (false);
  ummgr_cuda_attach (1, &contexts[1]);
  CHECK (strcmp (ummgr_manager_for (1)->executor.policy->name, "memory") == 0);
  CHECK_EQ (asked, 0);
  /* A policy that isn't there.  */
  ummgr_process.options.policy = "none";
  CHECK (strcmp (ummgr_manager_for (0)->executor.policy->name, "explicit") == 0);
}

static void
end (void)
{
  struct ummgr_policy_config config
    = policy_config (7, "hybrid", UMMGR_PARTIAL_OFF, 0, 0);
  config.explain = true;
  start (false);
  struct ummgr_object_view object = { .size = 1 };
  long before = watch_blocks;
  struct ummgr_manager *m = ummgr_manager_new (1, &memory, &config);
  CHECK (m->budget == 7 && m->explain && m->device == 1 && !m->passive);
  CHECK (ummgr_reasons_keep (&m->names, "name", NULL));
  CHECK (ummgr_plan_add (&m->executor.plan, &object, 0, 0, UMMGR_PLACE_HOST,
			 UMMGR_TRANSFER_NONE, ""));
  ummgr_manager_free (m);
  CHECK_EQ (ended, 1);
  CHECK_EQ (watch_blocks, before);
  /* One that has nothing to begin or end.  */
  ummgr_manager_free (ummgr_manager_new (0, &ummgr_policy_explicit, &config));
  CHECK_EQ (watch_blocks, before);
}

int
main (void)
{
  static void (*const all[]) (void) = { of_a_gpu, simulated, attached, end };
  run_apart (all, sizeof all / sizeof *all);
  return 0;
}
