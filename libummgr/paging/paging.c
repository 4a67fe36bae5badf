/* The replacement policies by name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but the constant list: a new policy is one file beside this
   one, and one line in it.  */

#include "config.h"
#include "paging/paging.h"

#include <string.h>

extern const struct ummgr_paging_ops ummgr_paging_lru;

const struct ummgr_paging_ops *const ummgr_paging_all[]
  = { &ummgr_paging_lru, NULL };

const struct ummgr_paging_ops *
ummgr_paging_find (const char *name)
{
  for (const struct ummgr_paging_ops *const *p = ummgr_paging_all; *p; p++)
    if (strcmp ((*p)->name, name) == 0)
      return *p;
  return NULL;
}
