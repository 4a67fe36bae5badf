/* Which blocks of plain memory a launch touches that doesn't tell its accesses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is known of each block (of the driver's size of managed blocks, so that plain and managed memory are
   counted alike) of each device's span while a launch is in force.  A block that is watched can't be accessed
   (mprotect); the SEGV of the first access opens it.  Copies don't count, and don't fault either: a thread that
   copies may have all signals blocked.  As with managed memory, a system call that a kernel makes on its data may
   fail where the same access of its own would not.

   Worked example, blocks of 2 MiB: a launch may reach 8 MiB of plain memory at the beginning of the span, so
   blocks 0 to 3 are watched.  It reads a word of block 2: a SEGV, and the block is touched and open.  A copy beside
   it writes to block 0, which is spared.  The launch has used 2 MiB.  */

#include "config.h"
#include "simcuda/memory/mem.h"

#include <string.h>
#include <sys/mman.h>

/* While there are more copies under way, nothing more is watched.  */
enum { COPIES = 64 };

enum state
{
  IDLE,				/* As if nobody watched.  */
  WATCHED,			/* Not touched yet.  */
  TOUCHED,
  SPARED			/* A copy uses it: not known.  */
};

static struct span
{
  uintptr_t base;
  size_t blocks;
  unsigned char *state;		/* Of each block; NULL: nothing was watched yet.  Changes atomically.  */
  size_t first, after;		/* Those that aren't idle are within.  */
} spans[SIM_MAX_DEVICES];

/* Copies under way.  */
static struct { uintptr_t lo, hi; } copies[COPIES];
static unsigned untold;		/* More than that.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t
block_of (const struct span *s, uintptr_t address)
{
  return (address - s->base) >> sim_machine.uvm->block_shift;
}

/* Let blocks [I, J) of S be accessed, or not.  */
static bool
allow (const struct span *s, size_t i, size_t j, bool access)
{
  return mprotect ((void *) (s->base + (i << sim_machine.uvm->block_shift)), (j - i) << sim_machine.uvm->block_shift,
		   access ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

static bool
turn (struct span *s, size_t i, enum state from, enum state to)
{
  unsigned char was = from;
  return __atomic_compare_exchange_n (&s->state[i], &was, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Open block I, which has been TURNed from WATCHED.  If that can't be, which a limit on mappings may be the
   reason for, open all, and take all for touched.  */
static void
open_block (struct span *s, size_t i)
{
  if (allow (s, i, i + 1, true))
    return;
  for (size_t k = s->first; k < s->after; k++)
    turn (s, k, WATCHED, TOUCHED);
  allow (s, s->first, s->after, true);
}

/* The span of ADDRESS; NULL: it isn't plain memory.  */
static struct span *
span_of (uintptr_t address)
{
  int d = sim_plain_device (address);
  return d < 0 ? NULL : &spans[d];
}

static bool
prepare (struct span *s)
{
  if (s->state)
    return true;
  s->base = sim_plain_base (s - spans);
  s->blocks = sim_plain_size (s - spans) >> sim_machine.uvm->block_shift;
  unsigned char *p = mmap (NULL, s->blocks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  s->state = p == MAP_FAILED ? NULL : p;
  s->first = s->blocks;
  return s->state;
}

/* What copies under way use of idle blocks [I, AFTER) of S isn't watched.  */
static void
spare_copied (struct span *s, size_t i, size_t after)
{
  for (int c = 0; c < COPIES; c++)
    if (copies[c].lo < copies[c].hi && span_of (copies[c].lo) == s)
      {
	size_t k = block_of (s, copies[c].lo), last = block_of (s, copies[c].hi - 1);
	for (k = k > i ? k : i; k <= last && k < after; k++)
	  turn (s, k, IDLE, SPARED);
      }
}

void
sim_watch (uintptr_t lo, uintptr_t hi)
{
  struct span *s = span_of (lo);
  pthread_mutex_lock (&lock);
  if (s && prepare (s) && !untold && block_of (s, hi - 1) < s->blocks)
    {
      size_t i = block_of (s, lo), after = block_of (s, hi - 1) + 1;
      s->first = i < s->first ? i : s->first;
      s->after = after > s->after ? after : s->after;
      spare_copied (s, i, after);
      while (i < after)
	{
	  size_t begin = i;
	  while (i < after && s->state[i] == IDLE)
	    s->state[i++] = WATCHED;
	  if (i > begin && !allow (s, begin, i, false))
	    for (size_t k = begin; k < i; k++)
	      s->state[k] = TOUCHED;
	  i += i < after && i == begin;
	}
    }
  pthread_mutex_unlock (&lock);
}

bool
sim_watch_touch (uintptr_t address)
{
  struct span *s = span_of (address);
  size_t i = s && s->state ? block_of (s, address) : SIZE_MAX;
  if (i == SIZE_MAX || i >= s->blocks)
    return false;
  if (turn (s, i, WATCHED, TOUCHED))
    open_block (s, i);
  return __atomic_load_n (&s->state[i], __ATOMIC_ACQUIRE) != IDLE;
}

uint64_t
sim_watch_touched (uintptr_t lo, uintptr_t hi)
{
  const struct span *s = span_of (lo);
  if (!s || !s->state || block_of (s, hi - 1) >= s->blocks)
    return hi - lo;
  uint64_t bytes = 0;
  for (size_t i = block_of (s, lo); i <= block_of (s, hi - 1); i++)
    {
      uintptr_t begin = s->base + (i << sim_machine.uvm->block_shift), end = begin + sim_machine.uvm->block_bytes;
      if (s->state[i] == TOUCHED)
	bytes += (end < hi ? end : hi) - (begin > lo ? begin : lo);
    }
  return bytes;
}

void
sim_watch_end (void)
{
  pthread_mutex_lock (&lock);
  for (struct span *s = spans; s < spans + sim_machine.devices; s++)
    if (s->state)
      {
	for (size_t i = s->first; i < s->after;)
	  {
	    /* One call for neighbours, of which some are open; before they count as idle, or a fault there were an error.  */
	    size_t begin = i;
	    bool closed = false;
	    for (; i < s->after && s->state[i] != IDLE; i++)
	      closed |= s->state[i] == WATCHED;
	    if (closed)
	      allow (s, begin, i, true);
	    memset (s->state + begin, IDLE, i - begin);
	    i += i == begin;
	  }
	s->first = s->blocks;
	s->after = 0;
      }
  pthread_mutex_unlock (&lock);
}

int
sim_watch_copy (uintptr_t address, size_t size)
{
  struct span *s = size ? span_of (address) : NULL;
  if (!s)
    return -1;
  int k = 0;
  pthread_mutex_lock (&lock);
  while (k < COPIES && copies[k].lo < copies[k].hi)
    k++;
  if (k < COPIES)
    {
      copies[k].lo = address;
      copies[k].hi = address + size;
    }
  else
    untold++;
  if (s->state && s->first < s->after)
    for (size_t i = block_of (s, address); i <= block_of (s, address + size - 1) && i < s->blocks; i++)
      if (turn (s, i, WATCHED, SPARED))
	open_block (s, i);
  pthread_mutex_unlock (&lock);
  return k;
}

void
sim_watch_copied (int copy)
{
  if (copy < 0)
    return;
  pthread_mutex_lock (&lock);
  if (copy < COPIES)
    copies[copy].lo = copies[copy].hi = 0;
  else
    untold--;
  pthread_mutex_unlock (&lock);
}
