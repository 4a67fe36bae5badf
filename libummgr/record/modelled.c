/* Reports of a launch that the device models by them: it tells of them in a GPU's order
   (`model' in device/device.h), and then they are recorded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  */

#include "config.h"
#include "record/thread.h"

enum { FEW = 16 };		/* References of a loop.  */

void
ummgr_record_modelled_nest (struct ummgr_record_thread *t,
			    const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  if (t->busy)
    return;
  t->busy = true;
  ummgr_record.report (refs, n);
  t->busy = false;
}

void
ummgr_record_modelled_access (struct ummgr_record_thread *t, uint64_t address, uint32_t how)
{
  struct ummgr_trace_nest_ref ref
    = { .address = address, .count = { 1, 1 }, .how = how };
  ummgr_record_modelled_nest (t, &ref, 1);
}

/* References beyond the first few come after them, as if of another loop.  */
void
ummgr_record_modelled_loop (struct ummgr_record_thread *t,
			    const struct ummgr_trace_ref *refs, uint32_t n)
{
  struct ummgr_trace_nest_ref nest[FEW];
  for (uint32_t i = 0; i < n;)
    {
      uint32_t k = 0;
      for (; k < FEW && i < n; k++, i++)
	nest[k] = (struct ummgr_trace_nest_ref) {
	  .address = refs[i].address, .stride = { 0, refs[i].stride },
	  .count = { 1, refs[i].count }, .how = refs[i].how, .inner = 1
	};
      ummgr_record_modelled_nest (t, nest, k);
    }
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
