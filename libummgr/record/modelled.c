/* Reports of a launch that the device models by them: it tells of them in a GPU's order
   (`model' in device/device.h), and then they are recorded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  */

#include "config.h"
#include "record/thread.h"

#include "base/log.h"

#include <stdlib.h>

enum { FEW = 16 };		/* References of a loop.  */

void
ummgr_record_modelled_nest (struct ummgr_record_thread *t,
			    const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  if (t->busy)
    return;
  t->busy = true;
  ummgr_record.report (refs, n, ummgr_record_work (t));
  t->busy = false;
}

void
ummgr_record_modelled_access (struct ummgr_record_thread *t, uint64_t address, uint32_t how)
{
  struct ummgr_trace_nest_ref ref
    = { .address = address, .count = { 1, 1 },
	.how = how & ~UMMGR_TRACE_HOW (0, UMMGR_TRACE_ORDERS) };
  ummgr_record_modelled_nest (t, &ref, 1);
}

void
ummgr_record_modelled_loop (struct ummgr_record_thread *t,
			    const struct ummgr_trace_ref *refs, uint32_t n)
{
  struct ummgr_trace_nest_ref few[FEW], *nest = few;
  if (n > FEW && !(nest = malloc (n * sizeof *nest)))
    {
      ummgr_warn_once ("trace: no memory for what a loop of %u references accesses", n);
      return;
    }
  for (uint32_t i = 0; i < n; i++)
    nest[i] = (struct ummgr_trace_nest_ref) {
      .address = refs[i].address, .stride = { 0, refs[i].stride },
      .count = { 1, refs[i].count }, .how = refs[i].how, .inner = 1,
      .work = refs[i].work < UINT16_MAX ? refs[i].work : UINT16_MAX
    };
  ummgr_record_modelled_nest (t, nest, n);
  if (nest != few)
    free (nest);
}

/* As a thread would copy it: word by word.  */
void
ummgr_record_modelled_range (struct ummgr_record_thread *t, uint64_t address, uint64_t size,
			     unsigned kind)
{
  uint32_t element = ((address | size) & 7) == 0 ? 8 : 1;
  struct ummgr_trace_ref ref
    = { address, element, size / element, UMMGR_TRACE_HOW (element, kind), 0 };
  ummgr_record_modelled_loop (t, &ref, 1);
}
