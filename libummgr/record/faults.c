/* What the pages of objects did, launch by launch, where the driver counts it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Of accesses it knows nothing, and costs a question to the driver at each construct, so it
   is done in every trace without them.  Owns the list of objects and copies
   in managed memory.  Everything here with the recorder's lock held; the driver's is taken
   within, and it calls nothing here: nobody asked it for accesses.  */

#include "config.h"
#include "record/recorder.h"

enum { MANY = 1024 };		/* Objects; of more nothing is said.  */

static struct ummgr_record_span *list;
static unsigned count;
static struct ummgr_record_paging all; /* Of all devices, when they were last asked.  */
static const struct ummgr_record_site *behind; /* What the host came from.  */

static bool
ask (const struct ummgr_record_span *span, struct ummgr_record_paging *out)
{
  struct ummgr_device *d = ummgr_device_of (span->device < 0 ? 0 : span->device);
  struct ummgr_counters c;
  if (!d->ops->range_counters || !d->ops->range_counters (d, span->lo, &c))
    return false;
  *out = (struct ummgr_record_paging) {
    c.gpu_faults, c.cpu_faults, c.h2d_bytes, c.d2h_bytes, c.evictions
  };
  return true;
}

void
ummgr_record_pages_come (struct ummgr_record_span *span)
{
  struct ummgr_device *d = ummgr_device_of (span->device < 0 ? 0 : span->device);
  uintptr_t base;
  size_t size;
  /* Where several share an allocation nobody knows whose page it is.  */
  if (span->pages_link || count >= MANY || ummgr_record.shadowed || !d->ops->range
      || !d->ops->range (d, span->lo, &base, &size) || base != span->lo
      || size > 2 * (span->hi - span->lo) || !ask (span, &span->pages))
    return;
  span->pages_next = list;
  span->pages_link = &list;
  if (list)
    list->pages_link = &span->pages_next;
  list = span;
  count++;
}

/* What SPAN's pages did since is LAUNCH's.  */
static void
tell (struct ummgr_record_span *span, uint64_t launch, int device)
{
  const struct ummgr_record_site *at = launch ? ummgr_record_context.construct : behind;
  const struct ummgr_record_paging then = span->pages;
  struct ummgr_record_paging *now = &span->pages;
  if (!ask (span, now)
      || (now->gpu_faults == then.gpu_faults && now->cpu_faults == then.cpu_faults
	  && now->in == then.in && now->out == then.out
	  && now->evictions == then.evictions))
    return;
  ummgr_record_announce (span->object);
  struct ummgr_trace_record record = {
    .kind = UMMGR_TRACE_FAULTS,
    .u.faults = {
      .launch = launch, .object = span->object->id,
      .device = device >= 0 ? device : span->device < 0 ? 0 : span->device,
      .gpu_faults = now->gpu_faults - then.gpu_faults,
      .cpu_faults = now->cpu_faults - then.cpu_faults, .in = now->in - then.in,
      .out = now->out - then.out, .evictions = now->evictions - then.evictions,
      .file = at ? at->file : NULL, .line = at ? at->line : 0
    }
  };
  ummgr_record_write (&record);
}

void
ummgr_record_pages_go (struct ummgr_record_span *span)
{
  if (!span->pages_link)
    return;
  tell (span, ummgr_record_context.launch, -1);
  *span->pages_link = span->pages_next;
  if (span->pages_next)
    span->pages_next->pages_link = span->pages_link;
  span->pages_link = NULL;
  count--;
}

/* Has nothing happened on any device?  */
static bool
is_quiet (void)
{
  struct ummgr_record_paging now = { 0, 0, 0, 0, 0 };
  for (int i = 0; i < UMMGR_DEVICES_MAX && list; i++)
    {
      struct ummgr_device *d = ummgr_device_of (i);
      struct ummgr_counters c;
      if (!d->ops->counters || !d->ops->counters (d, &c))
	break;
      now.gpu_faults += c.gpu_faults;
      now.cpu_faults += c.cpu_faults;
      now.in += c.h2d_bytes;
      now.out += c.d2h_bytes;
      now.evictions += c.evictions;
    }
  bool same = now.gpu_faults == all.gpu_faults && now.cpu_faults == all.cpu_faults
    && now.in == all.in && now.out == all.out && now.evictions == all.evictions;
  all = now;
  return !list || same;
}

void
ummgr_record_pages_count (uint64_t launch, int device)
{
  if (list && !is_quiet ())
    for (struct ummgr_record_span *span = list; span; span = span->pages_next)
      tell (span, launch, device);
  behind = ummgr_record_context.construct;
}
