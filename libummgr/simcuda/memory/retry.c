/* Instructions that need pages of several blocks at once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what each thread faulted on last.  A host instruction that stands for a
   kernel's, a copy of a string say, faults on one page, is tried again, faults
   on the next.  Where the device has room for fewer blocks, each page would
   evict what the thread got before, for ever.

   A thread whose last RECENT faults were on at most FEW pages has not gone on,
   or goes round in so little memory that it makes no difference: those pages'
   blocks are kept for it.  If nothing else can leave, the page that it faults
   on is used where it is.  Nothing here sees registers, which would tell more:
   they are in no event, only in signals.  */

#include "config.h"
#include "simcuda/memory/mem.h"

enum
{
  THREADS = 1024,		/* Two in one slot take it from each other.  */
  RECENT = 16,
  FEW = 4			/* Two operands, each of them in two pages.  */
};

struct thread
{
  int tid;
  unsigned next;		/* Faults so far: where the next one goes.  */
  uint64_t address[RECENT];
};

static struct thread threads[THREADS];
static uint32_t kept[FEW];
static unsigned kept_count;

static void
note (struct thread *t, int tid, uint64_t address)
{
  if (t->tid != tid)
    *t = (struct thread) { .tid = tid };
  t->address[t->next++ % RECENT] = address;
}

/* The different pages among T's last faults into PAGES: how many, or FEW + 1
   if there are more than FEW, or T has not faulted often yet.  */
static unsigned
different (const struct thread *t, uint64_t *pages)
{
  unsigned count = 0;
  if (t->next < RECENT)
    return FEW + 1;
  for (unsigned i = 0; i < RECENT; i++)
    {
      unsigned k = 0;
      while (k < count && pages[k] != t->address[i])
	k++;
      if (k == FEW)
	return FEW + 1;
      if (k == count)
	pages[count++] = t->address[i];
    }
  return count;
}

void
sim_retry_begin (int tid, uintptr_t address)
{
  uint64_t pages[FEW], page = address & -SIM_PAGE;
  struct thread *t = &threads[(unsigned) tid % THREADS];
  note (t, tid, page);
  unsigned count = different (t, pages);
  for (unsigned i = 0; count <= FEW && i < count; i++)
    if (pages[i] != page)
      kept[kept_count++]
	= sim_offset (pages[i]) >> sim_machine.uvm->block_shift;
}

void
sim_retry_end (void)
{
  kept_count = 0;
}

bool
sim_retry_keeps (uint32_t unit)
{
  for (unsigned i = 0; i < kept_count; i++)
    if (kept[i] == unit)
      return true;
  return false;
}
