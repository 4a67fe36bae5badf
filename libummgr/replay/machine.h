/* A simulated GPU with unified memory, driven by a trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One GPU of an instance of uvm/, which is what the simulated driver pages by, too,
   with accesses from a trace in place of traps.  Launches that were recorded in a GPU's
   order, with what their warps do, run as in a live run (gpu/): the same counters come
   out of one with the same settings.  Those of other launches do so as far as the trace
   has all accesses: those that a TLB of 256 entries serves are not in it, so that a page
   that is evicted while it is in use may be missed; and faults come one by one, in the
   order that was recorded.

   Not thread-safe; no globals.  */

#pragma once

#include "base/counters.h"
#include "paging/paging.h"
#include "replay/replay.h"
#include "device/device.h"

struct ummgr_replay_machine_state;

/* DEVICE's figures are copied; block_bytes and fault_granularity as the simulated
   driver takes them.  NULL without memory.  */
struct ummgr_replay_machine_state *
ummgr_machine_create (const struct ummgr_figures *device,
		      const struct ummgr_paging_ops *paging);
void ummgr_machine_destroy (struct ummgr_replay_machine_state *machine);

/* Bytes of memory that it takes for a unit, and for an object, at most.  */
size_t
ummgr_machine_unit_bytes (const struct ummgr_replay_machine_state *machine);
size_t ummgr_machine_object_bytes (void);

/* As the calls of a sink.  */
bool ummgr_machine_grow (struct ummgr_replay_machine_state *machine,
			 uint32_t units);
/* Once for each object, in the order of units, and before their events.  */
bool ummgr_machine_object (struct ummgr_replay_machine_state *machine,
			   const struct ummgr_page_object *object);
void ummgr_machine_events (struct ummgr_replay_machine_state *machine,
			   const struct ummgr_page_event *events, size_t count);
void ummgr_machine_region (struct ummgr_replay_machine_state *machine,
			   const struct ummgr_page_region *region);

/* What takes advice and prefetches; unit N is at address N * 4096.  */
struct ummgr_device *
ummgr_machine_device (struct ummgr_replay_machine_state *machine);

/* What is on the GPU besides the machine's objects takes BYTES of it from now on.  */
void ummgr_machine_taken (struct ummgr_replay_machine_state *machine,
			  uint64_t bytes);

/* The launch that ends next went so on such a device.  */
void ummgr_machine_ran (struct ummgr_replay_machine_state *machine,
			const struct ummgr_trace_ran *ran);

/* What the GPU does in the launch under way is not in events, but in STEPS.  */
void ummgr_machine_told (struct ummgr_replay_machine_state *machine);
/* And so it, or a part of it, goes, and finds AREAS.  False without memory.  */
bool ummgr_machine_steps (struct ummgr_replay_machine_state *machine,
			  struct ummgr_gpu_steps *steps, const struct ummgr_areas *areas);

/* FETCHED hears of each page whose sectors such a launch has of local memory, or over the
   link, since the last-level cache doesn't.  */
void ummgr_machine_fetches (struct ummgr_replay_machine_state *machine,
			    void (*fetched) (void *data, uint32_t unit, unsigned sectors),
			    void *data);

/* libgomp copied BYTES, in or out; it used the link COUNT times.  */
void ummgr_machine_copied (struct ummgr_replay_machine_state *machine,
			   uint64_t bytes, bool in);
void ummgr_machine_copies (struct ummgr_replay_machine_state *machine,
			   uint64_t count);

/* model_seconds: by uvm/clock.c's formula.  local_bytes: each page that a
   launch uses, once.  */
struct ummgr_counters
ummgr_machine_counters (const struct ummgr_replay_machine_state *machine);
