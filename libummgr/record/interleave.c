/* Launches in a GPU's order: from reports to the trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the order (gpu-order/order.h) of the launch under way, the filters of the
   multiprocessors, and the objects met lately.  All of it belongs to the thread
   that runs the launch: the simulator runs one at a time, and in this way all of
   its threads in one.  */

#include "config.h"
#include "record/interleave.h"

#include "base/grow.h"
#include "gpu-order/order.h"
#include "gpu-order/stall.h"

#include "base/log.h"
#include "paging/paging.h"
#include "uvm/uvm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  /* A filter: 128 entries as HPE's TLBs have (Table I), in sets, chosen by a
     hash; each set with LRU.  */
  SETS = 8,
  WAYS = 16,
  KNOWN = 64,			/* Objects.  */
  SMS = 15			/* As HPE's machine, if the driver won't say.  */
};

#define MEMORY (UINT64_C (512) << 20)

struct entry
{
  uint64_t object;		/* 0: empty.  */
  uint64_t offset;		/* Of the page (or sector) in it.  */
  unsigned kinds;
};

struct known
{
  uint64_t lo, hi;		/* Addresses.  */
  uint64_t object, offset;	/* Of LO; 0: none.  */
  uint64_t size;		/* Of the object.  */
};

/* An access that waits, and when it is made.  */
struct late
{
  struct ummgr_trace_access access;
  double when;
};

bool ummgr_record_interleave_on;

static struct
{
  struct ummgr_order *order;
  struct ummgr_order_options options;
  struct ummgr_order_clock clock;
  struct ummgr_stall *stall;	/* Or NULL.  */
  struct late *late;		/* In order; [FIRST_LATE, LATE_COUNT) wait.  */
  size_t first_late, late_count, late_room;
  struct entry (*filters)[SETS][WAYS]; /* One a multiprocessor.  */
  struct known known[KNOWN];
  uint64_t epoch;		/* Of what FILTERS and KNOWN say.  */
  uint64_t launch;		/* That the reports are of.  */
  struct ummgr_trace_stream *stream;
  bool waits;			/* There are reports.  */
} state;

/* --- telling ------------------------------------------------------------- */

static void
forget (void)
{
  memset (state.filters, 0, state.options.sms * sizeof *state.filters);
  memset (state.known, 0, sizeof state.known);
}

/* Objects that are used often come to stand first.  */
static const struct known *
find_known (uint64_t address)
{
  for (unsigned i = 0; i < KNOWN; i++)
    if (address - state.known[i].lo < state.known[i].hi - state.known[i].lo)
      {
	if (!i)
	  return &state.known[0];
	struct known k = state.known[i];
	state.known[i] = state.known[i - 1];
	state.known[i - 1] = k;
	return &state.known[i - 1];
      }
  struct known *known = &state.known[KNOWN - 1];
  pthread_mutex_lock (&ummgr_record.lock);
  struct ummgr_record_span *span = ummgr_record_find (address);
  if (span)
    {
      ummgr_record_announce (span->object);
      *known = (struct known) {
	span->lo, span->hi, span->object->id, span->offset,
	span->object->host.hi - span->object->host.lo
      };
    }
  else
    {
      struct ummgr_record_span *next = ummgr_record_next (address);
      uint64_t end = (address & -(uint64_t) ummgr_record.grain)
		     + ummgr_record.grain;
      *known = (struct known) {
	.lo = address, .hi = next && next->lo < end ? next->lo : end
      };
    }
  pthread_mutex_unlock (&ummgr_record.lock);
  return known;
}

/* Does multiprocessor SM know the page at OFFSET of OBJECT, for KIND?  It does
   afterwards.  */
static bool
filter (unsigned sm, uint64_t object, uint64_t offset, unsigned kind)
{
  uint64_t hash = ((offset >> ummgr_record.grain_shift) + (object << 40))
		  * 0x9e3779b97f4a7c15ull;
  struct entry *set = state.filters[sm][hash >> 61];
  unsigned i = 0;
  while (i < WAYS - 1 && (set[i].object != object || set[i].offset != offset))
    i++;
  struct entry entry = set[i];
  bool there = entry.object == object && entry.offset == offset;
  if (!there)
    entry = (struct entry) { object, offset, 0 };
  bool hit = there && (kind & ~entry.kinds) == 0;
  entry.kinds |= kind;
  memmove (set + 1, set, i * sizeof *set);
  set[0] = entry;
  return hit;
}

/* Write the accesses that are made by now.  */
static void
write_made (double now)
{
  size_t first = state.first_late;
  while (first < state.late_count && state.late[first].when <= now)
    ummgr_trace_stream_write (state.stream, &state.late[first++].access, 1);
  state.first_late = first;
  if (first == state.late_count)
    state.first_late = state.late_count = 0;
}

/* ACCESS is made at WHEN, after those that are made then, too.  */
static void
write_late (const struct ummgr_trace_access *access, double when)
{
  if (!UMMGR_GROW (state.late, state.late_room, state.late_count + 1))
    {
      ummgr_trace_stream_write (state.stream, access, 1);
      return;
    }
  /* Nearly always the last.  */
  size_t at = state.late_count++;
  for (; at > state.first_late && state.late[at - 1].when > when; at--)
    state.late[at] = state.late[at - 1];
  state.late[at] = (struct late) { *access, when };
}

/* With --stall, of the access to [ADDRESS, END), which K knows and is in one page:
   is it a fault, and when is it made?  The clock goes on.  */
static bool
faults (const struct known *k, uint64_t address, uint64_t end, double *when)
{
  uint64_t offset = k->offset + (address - k->lo);
  *when = 0;
  if (!state.stall)
    return false;
  bool fault = ummgr_stall_touch (state.stall, k->object, address - offset,
				  k->size, offset, end - address, when);
  write_made (state.clock.now);
  return fault;
}

static void
touch (void *data, const struct ummgr_order_touch *t)
{
  (void) data;
  const uint64_t grain = ummgr_record.grain;
  for (uint64_t address = t->lo; address < t->hi;)
    {
      const struct known *k = find_known (address);
      if (!k->object)
	{
	  address = k->hi;
	  continue;
	}
      uint64_t at = k->offset + (address - k->lo), offset = at & -grain;
      uint64_t left = k->size - offset, next = address + grain - (at - offset);
      struct ummgr_trace_access access = {
	.object = k->object, .offset = offset, .count = 1,
	.launch = state.launch, .size = (uint32_t) (left < grain ? left : grain),
	.team = t->team, .thread = t->thread, .access = (uint8_t) t->kind
      };
      if (next > k->hi)
	next = k->hi;
      bool hit = ummgr_record.filter
		 && filter (t->sm, k->object, offset, t->kind);
      double when;
      if (!faults (k, address, next < t->hi ? next : t->hi, &when) && hit)
	;
      else if (when > state.clock.now)
	write_late (&access, when);
      else
	ummgr_trace_stream_write (state.stream, &access, 1);
      address = next;
    }
}

/* The launch's reports are all there.  In its thread.  */
static void
end_launch (void)
{
  static uint64_t relieved;
  if (!state.waits)
    return;
  state.waits = false;
  ummgr_order_end (state.order);
  write_made (INFINITY);
  if (state.stall)
    {
      struct ummgr_stall_counts c = ummgr_stall_counts (state.stall);
      ummgr_info ("trace: --stall: after launch %llu, %llu faults and %llu "
		  "evictions", (unsigned long long) state.launch,
		  (unsigned long long) c.faults,
		  (unsigned long long) c.evictions);
    }
  if (ummgr_order_relieved (state.order) != relieved)
    ummgr_warn_once ("trace: the reports of %u teams need more than %llu MiB: "
		     "some teams go with fewer others than --interleave says",
		     state.options.teams, (unsigned long long) MEMORY >> 20);
  relieved = ummgr_order_relieved (state.order);
}

/* --- reports ------------------------------------------------------------- */

/* T reports for the launch under way.  */
/* A launch begins: what libgomp has on the device is there.  */
static void
stall_taken (void)
{
  struct ummgr_device *device = ummgr_device_of (0);
  if (state.stall && device->ops->taken)
    ummgr_stall_taken (state.stall, device->ops->taken (device));
}

static void
come_in (struct ummgr_record_thread *t)
{
  uint64_t launch = t->place->device < UMMGR_DEVICES_MAX
    ? __atomic_load_n (&ummgr_record.launch[t->place->device],
		       __ATOMIC_RELAXED) : 0;
  uint64_t epoch = __atomic_load_n (&ummgr_record.epoch, __ATOMIC_ACQUIRE);
  if (launch != state.launch)
    end_launch ();
  if (launch != state.launch || epoch != state.epoch)
    forget ();
  state.epoch = epoch;
  state.launch = launch;
  state.stream = t->stream;
  if (!state.waits)
    stall_taken ();
  state.waits = true;
}

static void
check (bool kept)
{
  if (!kept)
    ummgr_warn_once ("trace: no memory for the reports of a launch; the trace "
		     "lacks some of its accesses (use a smaller "
		     "--interleave)");
}

void
ummgr_record_interleave_access (struct ummgr_record_thread *t, uint64_t address,
			   uint32_t how)
{
  const struct ummgr_device_place *place = t->place;
  if (t->busy)
    return;
  t->busy = true;
  come_in (t);
  check (ummgr_order_access (state.order, place->team, place->thread,
			     place->step, address, how));
  t->busy = false;
}

void
ummgr_record_interleave_nest (struct ummgr_record_thread *t,
			 const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  const struct ummgr_device_place *place = t->place;
  if (t->busy)
    return;
  t->busy = true;
  come_in (t);
  check (ummgr_order_nest (state.order, place->team, place->thread,
			   place->step, refs, n));
  t->busy = false;
}

void
ummgr_record_interleave_loop (struct ummgr_record_thread *t,
			 const struct ummgr_trace_ref *refs, uint32_t n)
{
  enum { MANY = 16 };
  struct ummgr_trace_nest_ref few[MANY], *nest = few;
  if (!n)
    return;
  if (n > MANY && !(nest = malloc (n * sizeof *nest)))
    {
      check (false);
      return;
    }
  for (uint32_t i = 0; i < n; i++)
    nest[i] = (struct ummgr_trace_nest_ref) {
      .address = refs[i].address, .stride = { 0, refs[i].stride },
      .count = { 1, refs[i].count }, .how = refs[i].how, .inner = 1
    };
  ummgr_record_interleave_nest (t, nest, n);
  if (nest != few)
    free (nest);
}

/* As a thread would copy it: word by word.  */
void
ummgr_record_interleave_range (struct ummgr_record_thread *t, uint64_t address,
			  uint64_t size, unsigned kind)
{
  uint32_t element = ((address | size) & 7) == 0 ? 8 : 1;
  struct ummgr_trace_ref ref
    = { address, element, size / element, UMMGR_TRACE_HOW (element, kind), 0 };
  ummgr_record_interleave_loop (t, &ref, 1);
}

/* --- beginning ----------------------------------------------------------- */

static const char *
refuse (bool reports)
{
  return !ummgr_record.options.trace && !ummgr_record.options.report
    ? "there is no trace (name a file with --trace)"
    : !ummgr_device_ops ()->set_order
    ? "this is no simulated device: a GPU has an order of its own"
    : !reports ? "the program does not report its accesses (run it with "
		  "--kernels=ptx, or build it with ummgr cc -ftrace)"
    : NULL;
}

/* With --stall: the machine of the first device.  */
static bool
start_stall (const struct ummgr_figures *device)
{
  const char *evict = ummgr_record.options.evict;
  struct uvm_config machine = uvm_configure (device, 1);
  machine.paging = ummgr_paging_find (evict ? evict : "lru");
  machine.device[0].memory_bytes
    = ummgr_record.options.stall / device->block_bytes * device->block_bytes;
  if (machine.paging)
    state.stall = ummgr_stall_create (&machine, &state.clock);
  if (state.stall)
    state.options.clock = &state.clock;
  return state.stall;
}

void
ummgr_record_interleave_start (bool reports)
{
  uint64_t teams = ummgr_record.options.interleave;
  if (!teams || state.order)
    return;
  const char *why = refuse (reports);
  if (why)
    {
      ummgr_warn ("trace: --interleave has no effect: %s", why);
      return;
    }
  struct ummgr_figures device = ummgr_device_figures (ummgr_device_of (0));
  unsigned sms = device.sm_count ? (unsigned) device.sm_count : SMS;
  state.options = (struct ummgr_order_options) {
    .teams = (unsigned) teams, .sms = sms < teams ? sms : (unsigned) teams,
    .gap = ummgr_record.grain, .mask = ummgr_record.mask, .memory = MEMORY,
    .touch = touch
  };
  if (ummgr_record.options.stall
      && (ummgr_record.grain != 4096 || !start_stall (&device)))
    ummgr_warn ("trace: --stall has no effect: it needs the pages of a trace "
		"(not --grain=sector)");
  state.order = ummgr_order_create (&state.options);
  state.filters = calloc (state.options.sms, sizeof *state.filters);
  if (state.order && state.filters
      && ummgr_device_ops ()->set_order (end_launch,
					 ummgr_record.options.team_threads))
    ummgr_record_interleave_on = true;
  else
    ummgr_warn ("trace: --interleave has no effect: no memory for it, or the "
		"simulated driver refuses");
}
