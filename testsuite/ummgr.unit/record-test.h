/* A recorder in a child process, driven as instrumented code drives it, and
   its trace read back.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "random.h"
#include "base/log.h"
#include "device/cuda.h"
#include "record/record.h"
#include "record/shadow-map.h"
#include "ummgr-trace-abi.h"
#include "trace/read.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct ummgr_trace_runtime *rt;
static char test_trace[64];

/* The simulated driver's word on who runs a thread.  */
static __thread struct ummgr_device_place test_place = { -1, 0, 0 };

static inline const struct ummgr_device_place *
test_get_place (void)
{
  return &test_place;
}

static inline const char *
test_profile (void)
{
  return "test";
}

static inline bool
test_figures (struct ummgr_device *device, struct ummgr_figures *out)
{
  *out = (struct ummgr_figures) {
    .h2d_rate = 1e10, .d2h_rate = 2e10, .link_latency = 1e-6,
    .gpu_fault_cost = 8e-6, .fault_batch = 4, .cpu_fault_cost = 3e-6,
    .fault_granularity = 65536
  };
  return device->number == 0;
}

static inline uint64_t
test_random (void)
{
  static uint64_t state = 88172645463325252u;
  return random64 (&state) >> 11;
}

/* Begin, with one simulated device whose accesses are seen.  */
static inline void
test_begin (uint64_t sample, const char *grain, const char *phase)
{
  static const struct ummgr_trace_program program
    = { .abi = UMMGR_TRACE_ABI, .size = sizeof program };
  static const struct ummgr_cuda_driver driver;
  static const struct ummgr_device_ops device
    = { .profile = test_profile, .place = test_get_place,
	.figures = test_figures };
  snprintf (test_trace, sizeof test_trace, "record-test-%d.ummt",
	    (int) getpid ());
  struct ummgr_options options
    = { .gpu = "sim", .profile = "test", .policy = "explicit",
	.trace = test_trace, .phase = phase, .fidelity = "touch",
	.grain = grain, .block = 4096, .sample = sample, .filter = true };
  ummgr_log_init ();
  ummgr_record_start (&options);
  rt = ummgr_trace_attach (&program);
  CHECK (rt);
  ummgr_cuda_use (&driver, &device);
  ummgr_record_devices (1);
  ummgr_record_device (0);
}

/* From now on this thread is on the GPU's side, or no longer.  */
static inline struct ummgr_trace_thread *
test_enter (bool gpu)
{
  test_place.device = gpu ? 0 : -1;
  return rt->enter ();
}

/* Run TEST in a process of its own: the recorder begins once in each.  */
static inline void
test_run (void (*test) (void))
{
  fflush (NULL);
  pid_t child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      test ();
      if (*test_trace)
	unlink (test_trace);
      fflush (NULL);
      _exit (0);
    }
  int status;
  CHECK (waitpid (child, &status, 0) == child);
  CHECK_EQ (status, 0);
}

/* Finish, and hand each record to TAKE.  */
static inline void
test_read (void (*take) (const struct ummgr_trace_record *, void *), void *data)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record record;
  ummgr_record_finish ();
  CHECK_EQ (ummgr_trace_reader_open (ummgr_record_path (), &reader), 0);
  do
    {
      CHECK_EQ (ummgr_trace_reader_next (reader, &record), 0);
      take (&record, data);
    }
  while (record.kind != UMMGR_TRACE_END);
  ummgr_trace_reader_close (reader);
}

/* The state of the word at ADDRESS.  */
static inline uint8_t
test_state (const void *address)
{
  uint64_t a = (uintptr_t) address;
  const uint8_t *chunk = ummgr_shadow_chunk (a);
  return chunk ? chunk[a >> 2 & (UMMGR_SHADOW_CHUNK_WORDS - 1)] : 0;
}

/* What an access makes of a word: the definitions of shadow.h, word for word. */
static inline uint8_t
test_model (uint8_t s, bool gpu, unsigned kind)
{
  if (kind & 1)
    {
      bool gpus = s & UMMGR_SHADOW_LAST_GPU;
      s |= gpu ? (gpus ? UMMGR_SHADOW_G_G : UMMGR_SHADOW_C_G)
	: (gpus ? UMMGR_SHADOW_G_C : UMMGR_SHADOW_C_C);
      if (!gpus)
	s &= ~UMMGR_SHADOW_UNREAD;
    }
  if (kind & 2)
    {
      bool was_read = s & (UMMGR_SHADOW_C_C | UMMGR_SHADOW_C_G);
      s |= gpu ? UMMGR_SHADOW_GPU_WROTE | UMMGR_SHADOW_LAST_GPU
	: UMMGR_SHADOW_CPU_WROTE | (was_read ? 0 : UMMGR_SHADOW_UNREAD);
      if (!gpu)
	s &= ~UMMGR_SHADOW_LAST_GPU;
    }
  return s;
}
