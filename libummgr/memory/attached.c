/* Where pointers lead that libgomp has attached.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns a Judy array of each manager's, from the pointer's address to what it leads to.  */

#include "config.h"
#include "memory/attached.h"

#include <Judy.h>

/* With more than these, in programs that attach pointers on their stack, all are forgotten.  */
enum { KEPT = 65536 };

void
ummgr_attached_note (struct ummgr_manager *manager, uintptr_t slot, uintptr_t target)
{
  if (!target)
    {
      JudyLDel (&manager->attached, slot, PJE0);
      return;
    }
  if (JudyLCount (manager->attached, 0, -1, PJE0) >= KEPT)
    ummgr_attached_clear (manager);
  PPvoid_t value = JudyLIns (&manager->attached, slot, PJE0);
  /* Without memory it is not known.  */
  if (value && value != PPJERR)
    *(uintptr_t *) value = target;
}

uintptr_t
ummgr_attached_to (const struct ummgr_manager *manager, uintptr_t slot)
{
  PPvoid_t value = JudyLGet (manager->attached, slot, PJE0);
  return value && value != PPJERR ? *(uintptr_t *) value : 0;
}

void
ummgr_attached_clear (struct ummgr_manager *manager)
{
  JudyLFreeArray (&manager->attached, PJE0);
}
