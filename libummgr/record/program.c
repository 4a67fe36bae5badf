/* The program object: part of every instrumented program or shared library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Defines what generated code calls (ummgr-trace-abi.h), for host and device.  Host
   versions, which the simulated driver runs too, go through a table to
   libummgr; device versions write to a buffer in the device's memory that the
   host fetches after each launch.  The buffer comes from omp_target_alloc: all
   that libgomp offers is memory of the device, so it is copied, not shared.

   Everything here is hidden.  Each program and shared library has a copy of its
   own, as it has an offload image of its own: a symbol that another module could
   take over would lead the host to one copy of a variable and the device to
   another.

   Owns the module's switch and, on each device, a buffer.  It keeps no record
   of accesses and doesn't look at them: that is the recorder's.  Compiled once
   at build time with offloading and linked as it is, so it knows nothing of
   <config.h> and needs no library but libgomp.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one thing that is not of this module: it must not be hidden with all
   else.  */
struct ummgr_trace_program;
struct ummgr_trace_runtime;
extern const struct ummgr_trace_runtime *
ummgr_trace_attach (const struct ummgr_trace_program *program)
  __attribute__ ((weak, visibility ("default")));
extern void ummgr_trace_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held)
  __attribute__ ((weak, visibility ("default")));

#pragma GCC visibility push(hidden)

#include "ummgr-trace-abi.h"

/* Folded by each compiler, the host's and the accelerator's, when it knows
   which it is; omp_is_initial_device stays a call in GCC 12.  2 is
   acc_device_host.  A test of the device's half on the host replaces it.  */
#ifndef UMMGR_TRACE_ON_HOST
#define UMMGR_TRACE_ON_HOST __builtin_acc_on_device (2)
#endif

/* Half of what the GPU writes: an access, or the head of a loop's REFS
   references (struct ummgr_trace_ref), which follow it.  */
struct report
{
  uint64_t address;
  uint32_t how;
  uint32_t team, thread;
  uint32_t refs;		/* 0: an access.  */
};

#define WORDS(TYPE) (sizeof (TYPE) / sizeof (uint64_t))
#define REPORT_WORDS WORDS (struct report)
#define REF_WORDS WORDS (struct ummgr_trace_ref)

/* How much of a long range one access can name.  */
#define CHUNK (UINT64_C (1) << 23)

/* What the runtime is told, with arguments and their names: by host and device,
   and by the host alone.  */
#define TOLD_BY_BOTH(CALL)                                                    \
  CALL (access, (struct ummgr_trace_thread *t, uint64_t address,              \
                 uint32_t how), (t, address, how))                            \
  CALL (range, (struct ummgr_trace_thread *t, uint64_t address,               \
                uint64_t size, uint32_t kind), (t, address, size, kind))      \
  CALL (loop, (struct ummgr_trace_thread *t,                                  \
               const struct ummgr_trace_ref *refs, uint32_t n), (t, refs, n)) \
  CALL (nest, (struct ummgr_trace_thread *t,                                  \
               const struct ummgr_trace_nest_ref *refs, uint32_t n),          \
        (t, refs, n))
#define TOLD_BY_HOST(CALL)                                                    \
  CALL (allocated, (void *ptr, uint64_t size,                                 \
                    const struct ummgr_trace_site *site), (ptr, size, site))  \
  CALL (resized, (void *old, void *ptr, uint64_t size,                        \
                  const struct ummgr_trace_site *site), (old, ptr, size, site)) \
  CALL (freed, (void *ptr), (ptr))                                            \
  CALL (named, (void *ptr, const struct ummgr_trace_site *site), (ptr, site)) \
  CALL (construct, (const struct ummgr_trace_site *site), (site))             \
  CALL (statics, (const struct ummgr_trace_static *list, uint64_t count),     \
        (list, count))                                                        \
  CALL (places, (uint32_t unit, const struct ummgr_trace_place *list,         \
                 uint64_t count), (unit, list, count))

/* The host's half, by names of its own.  Code for the device mentions it until
   the check above is folded; functions that are only mentioned leave no trace
   there, while a variable would be missed when the image is linked.  */
struct ummgr_trace_thread *to_host_enter (void)
  __asm__ ("__ummgr_trace_host_enter");
#define CALL(NAME, ARGS, VALUES)                                              \
  void to_host_##NAME ARGS __asm__ ("__ummgr_trace_host_" #NAME);
TOLD_BY_BOTH (CALL)
#undef CALL
void to_host_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held)
  __asm__ ("__ummgr_trace_host_decided");

/* --- host and device -------------------------------------------------------- */

/* GCC 12 doesn't know the `begin' that GCC 16 wants here.  */
#if __GNUC__ >= 16
# pragma GCC diagnostic ignored "-Wdeprecated-openmp"
#endif
#pragma omp declare target

int __ummgr_trace_on;

/* The device's, all of whose threads have the same mask.  Code for the device has its address from
   BUFFER: the simulated driver takes what a kernel names for used by each launch.  */
static struct ummgr_trace_thread device_thread;

static struct buffer
{
  uint64_t *words;
  uint64_t capacity;		/* Words.  */
  uint64_t head;		/* Words asked for; may exceed CAPACITY.  */
  uint64_t end;			/* Where the reports end if it does.  */
  uint64_t lost;		/* Reports that did not fit.  */
  struct ummgr_trace_thread *thread;
} buffer;

/* Room for COUNT words, or NULL.  */
static inline uint64_t *
buffer_reserve (uint64_t count)
{
  uint64_t start = __atomic_fetch_add (&buffer.head, count, __ATOMIC_RELAXED);
  if (start + count <= buffer.capacity)
    return buffer.words + start;
  /* Only one can straddle the end.  */
  if (start < buffer.capacity)
    buffer.end = start;
  __atomic_fetch_add (&buffer.lost, 1, __ATOMIC_RELAXED);
  return NULL;
}

static inline struct report *
report_begin (uint64_t address, uint32_t how, uint32_t refs)
{
  struct report *report
    = (struct report *) buffer_reserve (REPORT_WORDS + refs * REF_WORDS);
  if (report)
    *report = (struct report) { address, how, omp_get_team_num (),
				omp_get_thread_num (), refs };
  return report;
}

/* In the accelerator's link all code is in one unit: a copy of these at each
   access would swell the kernels.  */
#define OUT_OF_LINE __attribute__ ((noinline))

struct ummgr_trace_thread *
__ummgr_trace_enter (void)
{
  return UMMGR_TRACE_ON_HOST ? to_host_enter () : buffer.thread;
}

OUT_OF_LINE void
__ummgr_trace_access (struct ummgr_trace_thread *t, uint64_t address,
		      uint32_t how)
{
  if (UMMGR_TRACE_ON_HOST)
    to_host_access (t, address, how);
  else
    report_begin (address, how, 0);
}

OUT_OF_LINE void
__ummgr_trace_loop (struct ummgr_trace_thread *t,
		    const struct ummgr_trace_ref *refs, uint32_t n)
{
  if (UMMGR_TRACE_ON_HOST)
    to_host_loop (t, refs, n);
  else if (n)
    {
      struct report *report = report_begin (0, 0, n);
      struct ummgr_trace_ref *to = (struct ummgr_trace_ref *) (report + 1);
      for (uint32_t i = 0; report && i < n; i++)
	to[i] = refs[i];
    }
}

/* As loops: in each turn of the outer one the inner ones, and between them one
   of a single turn for what is accessed there.  */
OUT_OF_LINE void
__ummgr_trace_nest (struct ummgr_trace_thread *t,
		    const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  if (UMMGR_TRACE_ON_HOST)
    {
      to_host_nest (t, refs, n);
      return;
    }
  uint64_t turns = 0;
  for (uint32_t i = 0; i < n; i++)
    turns = refs[i].count[0] > turns ? refs[i].count[0] : turns;
  for (uint64_t turn = 0; turn < turns; turn++)
    for (uint32_t i = 0, end; i < n; i = end)
      {
	uint32_t live = 0;
	for (end = i; end < n && refs[end].inner == refs[i].inner; end++)
	  live += turn < refs[end].count[0];
	struct report *report = live ? report_begin (0, 0, live) : NULL;
	struct ummgr_trace_ref *to = (struct ummgr_trace_ref *) (report + 1);
	for (uint32_t k = i; report && k < end; k++)
	  if (turn < refs[k].count[0])
	    *to++ = (struct ummgr_trace_ref) {
	      refs[k].address + turn * refs[k].stride[0], refs[k].stride[1],
	      refs[k].count[1], refs[k].how, 0
	    };
      }
}

OUT_OF_LINE void
__ummgr_trace_range (struct ummgr_trace_thread *t, uint64_t address,
		     uint64_t size, uint32_t kind)
{
  if (UMMGR_TRACE_ON_HOST)
    to_host_range (t, address, size, kind);
  else
    {
      uint64_t whole = size / CHUNK, rest = size % CHUNK;
      struct ummgr_trace_ref ref
	= { address, CHUNK, whole, UMMGR_TRACE_HOW (CHUNK, kind), 0 };
      if (whole)
	__ummgr_trace_loop (t, &ref, 1);
      if (rest)
	report_begin (address + whole * CHUNK, UMMGR_TRACE_HOW (rest, kind), 0);
    }
}

OUT_OF_LINE void
__ummgr_trace_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held)
{
  if (UMMGR_TRACE_ON_HOST)
    to_host_decided (region, place, line, held);
}

#pragma omp end declare target

/* --- host: to libummgr ------------------------------------------------------ */

static struct ummgr_trace_thread *
idle_enter (void)
{
  static struct ummgr_trace_thread nobody;
  return &nobody;
}

#define CALL(NAME, ARGS, VALUES) static void idle_##NAME ARGS {}
TOLD_BY_BOTH (CALL)
TOLD_BY_HOST (CALL)
#undef CALL

static const struct ummgr_trace_runtime idle = {
#define CALL(NAME, ARGS, VALUES) .NAME = idle_##NAME,
  TOLD_BY_BOTH (CALL)
  TOLD_BY_HOST (CALL)
#undef CALL
  .abi = UMMGR_TRACE_ABI, .size = sizeof idle, .enter = idle_enter
};

/* Written once, before main or in dlopen.  No variable of the device: the
   simulated driver exchanges their contents around a launch, and this one must
   hold during it.  */
static const struct ummgr_trace_runtime *runtime = &idle;

struct ummgr_trace_thread *host_enter (void)
  __asm__ ("__ummgr_trace_host_enter");

struct ummgr_trace_thread *
host_enter (void)
{
  return runtime->enter ();
}

#define CALL(NAME, ARGS, VALUES)                                              \
  void host_##NAME ARGS __asm__ ("__ummgr_trace_host_" #NAME);                \
  void host_##NAME ARGS { runtime->NAME VALUES; }
TOLD_BY_BOTH (CALL)
#undef CALL
#define CALL(NAME, ARGS, VALUES)                                              \
  void __ummgr_trace_##NAME ARGS { runtime->NAME VALUES; }
TOLD_BY_HOST (CALL)
#undef CALL

/* Not by the table: it is counted where nothing is traced, too.  */
void host_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held)
  __asm__ ("__ummgr_trace_host_decided");

void
host_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held)
{
  if (ummgr_trace_decided)
    ummgr_trace_decided (region, place, line, held);
}

/* --- host: the buffers of GPUs ---------------------------------------------- */

/* Guards BUFFER's host copy, which goes to and comes from the device, and what
   is below.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Of each device, where its buffer is.  */
static uint64_t **device_words;
static int device_count;
static uint64_t capacity;

/* $UMMGR_TRACE_BUFFER, in words.  */
static uint64_t
wanted_capacity (void)
{
  static const char units[] = "KkMmGg";
  uint64_t size = UINT64_C (64) << 20;
  const char *text = getenv ("UMMGR_TRACE_BUFFER");
  if (text && *text)
    {
      char *end;
      uint64_t n = strtoull (text, &end, 10);
      const char *unit = *end ? strchr (units, *end) : NULL;
      unsigned shift = unit ? 10 * ((unit - units) / 2 + 1) : 0;
      bool whole = !*end || (unit && !end[1]);
      if (whole && *text != '-' && n && n <= UINT64_C (1) << (40 - shift))
	size = n << shift;
      else
	fprintf (stderr, "ummgr: warning: UMMGR_TRACE_BUFFER: bad value '%s': "
		 "expected a size up to 1024G, such as 64M, which is used\n",
		 text);
    }
  return size / sizeof (uint64_t);
}

/* A place in device_words for DEVICE.  */
static bool
make_room (int device)
{
  if (device < device_count)
    return true;
  uint64_t **grown = realloc (device_words, (device + 1) * sizeof *grown);
  if (!grown)
    return false;
  memset (grown + device_count, 0,
	  (device + 1 - device_count) * sizeof *grown);
  device_words = grown;
  device_count = device + 1;
  return true;
}

/* Give DEVICE an empty buffer.  LOCK is held.  */
static bool
give_buffer (int device)
{
  if (!capacity)
    capacity = wanted_capacity ();
  if (device < 0 || !make_room (device))
    return false;
  if (!device_words[device])
    device_words[device]
      = omp_target_alloc (capacity * sizeof (uint64_t), device);
  if (!device_words[device])
    {
      fprintf (stderr, "ummgr: warning: trace: no %llu bytes on device %d for "
	       "its accesses: regions there are not traced; a smaller "
	       "UMMGR_TRACE_BUFFER may help\n", (unsigned long long)
	       (capacity * sizeof (uint64_t)), device);
      return false;
    }
  buffer = (struct buffer) { device_words[device], capacity, 0, capacity, 0, NULL };
  /* A mask is the run's, not the thread's.  */
  device_thread.mask = runtime->enter ()->mask;
#pragma omp target update to (device_thread) device (device)
  return true;
}

static int
device_start (int device, int runs)
{
  pthread_mutex_lock (&lock);
  bool good = runs != UMMGR_TRACE_RUNS_REPORTING || give_buffer (device);
  if (good && runs != UMMGR_TRACE_RUNS_HOST)
    {
#pragma omp target data use_device_addr (device_thread) device (device)
      buffer.thread = &device_thread;
#pragma omp target update to (buffer) device (device)
    }
  pthread_mutex_unlock (&lock);
  if (!good)
    return false;
#pragma omp target update to (__ummgr_trace_on) device (device)
  return true;
}

struct sink
{
  void (*take) (void *, uint64_t, uint32_t, uint32_t, uint32_t);
  void *data;
};

/* The accesses of the N REFS in the order in which the loop makes them.  */
static void
expand_loop (const struct sink *sink, const struct report *report,
	     const struct ummgr_trace_ref *refs, uint32_t n)
{
  uint64_t iterations = 0;
  for (uint32_t j = 0; j < n; j++)
    if (refs[j].count > iterations)
      iterations = refs[j].count;
  for (uint64_t i = 0; i < iterations; i++)
    for (uint32_t j = 0; j < n; j++)
      if (i < refs[j].count)
	sink->take (sink->data, refs[j].address + i * refs[j].stride,
		    refs[j].how, report->team, report->thread);
}

static void
expand (const struct sink *sink, const uint64_t *words, uint64_t count)
{
  for (uint64_t at = 0; at + REPORT_WORDS <= count; )
    {
      const struct report *report = (const struct report *) (words + at);
      at += REPORT_WORDS;
      if (report->refs > (count - at) / REF_WORDS)
	return;
      if (report->refs)
	expand_loop (sink, report, (const struct ummgr_trace_ref *)
		     (words + at), report->refs);
      else
	sink->take (sink->data, report->address, report->how, report->team,
		    report->thread);
      at += report->refs * REF_WORDS;
    }
}

/* Hand the first COUNT words of DEVICE's buffer to SINK; false: they can't be
   fetched.  */
static bool
fetch (int device, uint64_t count, const struct sink *sink)
{
  size_t size = count * sizeof (uint64_t);
  uint64_t *words = size ? malloc (size) : NULL;
  if (!words)
    return size == 0;
  bool good = omp_target_memcpy (words, buffer.words, size, 0, 0,
				 omp_get_initial_device (), device) == 0;
  if (good)
    expand (sink, words, count);
  free (words);
  return good;
}

static uint64_t
device_flush (int device, void (*take) (void *, uint64_t, uint32_t, uint32_t,
					uint32_t), void *data)
{
  struct sink sink = { take, data };
  uint64_t lost = 0;
  pthread_mutex_lock (&lock);
  if (device >= 0 && device < device_count && device_words[device])
    {
#pragma omp target update from (buffer) device (device)
      uint64_t used = buffer.head <= capacity ? buffer.head : buffer.end;
      lost = buffer.lost;
      if (!fetch (device, used, &sink))
	lost += used / REPORT_WORDS;
      buffer.head = buffer.lost = 0;
      buffer.end = capacity;
#pragma omp target update to (buffer) device (device)
    }
  pthread_mutex_unlock (&lock);
  return lost;
}

/* --- host: attaching -------------------------------------------------------- */

static const struct ummgr_trace_program program = {
  .abi = UMMGR_TRACE_ABI, .size = sizeof program,
  .device_start = device_start, .device_flush = device_flush
};

#pragma GCC visibility pop

/* From now on libummgr holds addresses in this module, of functions and of
   places in the source: dlclose must not take it away.  Before glibc 2.34 the
   functions are libdl's, which libgomp brings along.  */
#pragma weak dladdr
#pragma weak dlopen

static void
stay (void)
{
  Dl_info info;
  if (dladdr && dlopen && dladdr (&program, &info) && info.dli_fname)
    dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* As early as a program may: the constructors of instrumented units report
   their variables.  */
__attribute__ ((constructor (101))) static void
attach (void)
{
  const struct ummgr_trace_runtime *found
    = ummgr_trace_attach ? ummgr_trace_attach (&program) : NULL;
  if (!found || found->abi != UMMGR_TRACE_ABI || found->size < sizeof *found)
    return;
  stay ();
  runtime = found;
  __ummgr_trace_on = 1;
}
