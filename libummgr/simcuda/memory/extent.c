/* Free address space: best fit, lowest address first among equals.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each struct sim_space is its owner's; the caller serialises.  Every call
   is O(log n) in the number of free pieces.  */

#include "config.h"
#include "simcuda/memory/mem.h"

#include <Judy.h>

static bool
insert (struct sim_space *s, uintptr_t base, size_t size)
{
  Word_t *slot;
  JLI (slot, s->by_base, base);
  if (slot == PJERR)
    return false;
  *slot = size;
  JLI (slot, s->by_size, size);
  if (slot == PJERR)
    return false;
  int rc;
  Pvoid_t bases = (Pvoid_t) *slot;
  J1S (rc, bases, base);
  *slot = (Word_t) bases;
  return rc != JERR;
}

static void
erase (struct sim_space *s, uintptr_t base, size_t size)
{
  int rc;
  Word_t *slot;
  JLD (rc, s->by_base, base);
  JLG (slot, s->by_size, size);
  Pvoid_t bases = (Pvoid_t) *slot;
  J1U (rc, bases, base);
  *slot = (Word_t) bases;
  if (!bases)
    JLD (rc, s->by_size, size);
}

bool
sim_space_init (struct sim_space *s, uintptr_t base, size_t size,
		uintptr_t unit)
{
  *s = (struct sim_space) { .unit = unit };
  return insert (s, base, size / unit * unit);
}

uintptr_t
sim_space_take (struct sim_space *s, size_t size)
{
  size = (size + s->unit - 1) / s->unit * s->unit;
  Word_t found = size, *slot;
  JLF (slot, s->by_size, found);
  if (!slot || !size)
    return 0;
  Word_t base = 0;
  int rc;
  J1F (rc, (Pvoid_t) *slot, base);
  if (!rc)
    return 0;
  erase (s, base, found);
  if (found > size)
    insert (s, base + size, found - size);
  return base;
}

void
sim_space_give (struct sim_space *s, uintptr_t base, size_t size)
{
  size = (size + s->unit - 1) / s->unit * s->unit;
  Word_t key = base, *slot;
  JLP (slot, s->by_base, key);
  if (slot && key + *slot == base)
    {
      size_t before = *slot;
      erase (s, key, before);
      base = key;
      size += before;
    }
  key = base + size;
  JLG (slot, s->by_base, key);
  if (slot)
    {
      size_t after = *slot;
      erase (s, key, after);
      size += after;
    }
  insert (s, base, size);
}
