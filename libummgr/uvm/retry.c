/* Accesses that need pages of several blocks at once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what each thread of the running launch faulted on last.  A host instruction
   that stands for a kernel's, a copy of a string say, faults on one page, is tried
   again, faults on the next.  Where the device has room for fewer blocks, each page
   would evict what the thread got before, for ever.

   A thread whose last RECENT faults were on at most FEW pages has not gone on,
   or goes round in so little memory that it makes no difference: those pages'
   blocks are kept for it.  If nothing else can leave, the page that it faults
   on is used where it is.  Nothing here sees registers, which would tell more:
   they are in no event, only in signals.  */

#include "config.h"
#include "uvm/rules.h"

/* Note that thread T of U's launch faults on PAGE.  */
static void
note (const struct uvm *u, struct uvm_thread *t, int thread, uint64_t page)
{
  if (t->thread != thread || t->launch != u->launches)
    *t = (struct uvm_thread) { .thread = thread, .launch = u->launches };
  t->page[t->next++ % UVM_RECENT] = page;
}

/* The different pages among T's last faults into PAGES: how many, or UVM_FEW + 1
   if there are more than UVM_FEW, or T has not faulted often yet.  */
static unsigned
different (const struct uvm_thread *t, uint64_t *pages)
{
  unsigned count = 0;
  if (t->next < UVM_RECENT)
    return UVM_FEW + 1;
  for (unsigned i = 0; i < UVM_RECENT; i++)
    {
      unsigned k = 0;
      while (k < count && pages[k] != t->page[i])
	k++;
      if (k == UVM_FEW)
	return UVM_FEW + 1;
      if (k == count)
	pages[count++] = t->page[i];
    }
  return count;
}

bool
uvm_access_again (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p,
		  bool write, int thread)
{
  uint64_t pages[UVM_FEW], here = (uint64_t) b->unit * UVM_BLOCK_PAGES + page;
  struct uvm_thread *t = &u->thread[(unsigned) thread % UVM_THREADS];
  uvm_clock_by (u, p);
  uvm_heed (u, p);
  uvm_clock_done (u, p);
  if (uvm_mask_test (&b->by[p].resident, page))
    return uvm_access (u, b, page, p, write);
  note (u, t, thread, here);
  unsigned count = different (t, pages);
  for (unsigned i = 0; count <= UVM_FEW && i < count; i++)
    if (pages[i] != here)
      u->kept[u->kept_count++] = pages[i] / UVM_BLOCK_PAGES;
  bool changed = uvm_access_page (u, b, page, p, write);
  u->kept_count = 0;
  uvm_heed (u, p);
  uvm_clock_done (u, p);
  return changed;
}

bool
uvm_keeps (const struct uvm *u, uint32_t unit)
{
  for (unsigned i = 0; i < u->kept_count; i++)
    if (u->kept[i] == unit)
      return true;
  return false;
}
