/* What launches overwrite, and what follows them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds, for each thread, which call it is in.  */

#include "config.h"
#include "hints/live.h"

#include "hints/cover.h"
#include "ummgr-table.h"

/* Elements of an object, beyond which 32-bit arithmetic on the way there might
   have wrapped.  */
static const uint64_t elements_max = 1 << 28;

/* Does REF, of which the compiler is certain, write [0, SIZE) of what is
   mapped, and nothing else?  */
static bool
ref_fills (const struct ummgr_table_ref *ref,
	   const struct ummgr_code_inputs *inputs,
	   struct ummgr_hint_extent extent)
{
  struct ummgr_box box = { .run = ref->element_size };
  if (!ref->element_size || extent.size / ref->element_size > elements_max
      || !ummgr_code_evaluate (ref->base, inputs, &box.base))
    return false;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      int64_t stride = 0, count;
      if ((ref->dims[i].stride
	   && !ummgr_code_evaluate (ref->dims[i].stride, inputs, &stride))
	  || !ummgr_code_evaluate (ref->dims[i].count, inputs, &count)
	  || count <= 0 || (uint64_t) count > elements_max
	  || stride > (int64_t) extent.size || stride < -(int64_t) extent.size
	  || !ummgr_box_add (&box, stride, count))
	return false;
    }
  ummgr_box_end (&box);
  return box.dims == 0 && box.base == -(int64_t) extent.offset
    && box.run == extent.size;
}

bool
ummgr_live_overwritten (const struct ummgr_table_arg *arg,
			const struct ummgr_code_inputs *inputs,
			struct ummgr_hint_extent extent)
{
  const uint32_t all = UMMGR_USE_ANALYSED | UMMGR_USE_READ | UMMGR_USE_WRITE
    | UMMGR_USE_UNKNOWN;
  const uint32_t fills = UMMGR_REF_WRITE | UMMGR_REF_AFFINE | UMMGR_REF_EXACT
    | UMMGR_REF_CERTAIN;
  if ((arg->use.flags & all) != (UMMGR_USE_ANALYSED | UMMGR_USE_WRITE)
      || !extent.size)
    return false;
  for (unsigned i = 0; i < arg->use.ref_count; i++)
    {
      const struct ummgr_table_ref *ref = &arg->use.refs[i];
      if ((ref->flags & fills) == fills && ref_fills (ref, inputs, extent))
	return true;
    }
  return false;
}

static __thread uint64_t call_now;

__attribute__ ((visibility ("default"))) void
__ummgr_called (unsigned long long id)
{
  call_now = id;
}

uint64_t
ummgr_live_call (void)
{
  return call_now;
}

const struct ummgr_table_live *
ummgr_live_of (const struct ummgr_table_arg *arg)
{
  for (unsigned i = 0; i < arg->call_live_count; i++)
    if (arg->call_lives[i].call == call_now)
      return &arg->call_lives[i].live;
  return &arg->live;
}

void
ummgr_live_fill (const struct ummgr_table_arg *arg, struct ummgr_hint *out)
{
  const struct ummgr_table_live *live = ummgr_live_of (arg);
  out->host_known = live->flags & UMMGR_LIVE_ANALYSED;
  out->host_reads = !out->host_known || live->flags & UMMGR_LIVE_MAY_READ;
  out->host_writes = !out->host_known || live->flags & UMMGR_LIVE_MAY_WRITE;
  out->host_silent = out->host_reads && !(out->host_known && live->flags & UMMGR_LIVE_TOLD);
  out->own = out->host_known && live->flags & UMMGR_LIVE_OWN;
  out->dead = out->host_known && live->flags & UMMGR_LIVE_DEAD;
  out->host_next = !out->host_known ? 0
    : live->flags & UMMGR_LIVE_NEXT ? 1 : live->next;
}

void
ummgr_live_merge (struct ummgr_hint *to, const struct ummgr_hint *from)
{
  to->host_known &= from->host_known;
  to->host_reads |= from->host_reads;
  to->host_writes |= from->host_writes;
  to->host_silent |= from->host_silent;
  to->dead &= from->dead;
  to->own &= from->own;
  if (to->host_next > from->host_next)
    to->host_next = from->host_next;
}
