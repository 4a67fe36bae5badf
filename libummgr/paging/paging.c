/* The replacement policies by name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but the constant list: a new policy is one file beside this
   one, one line in paging.def, and its test.  */

#include "config.h"
#include "paging/params.h"

#include <stdlib.h>
#include <string.h>

const struct ummgr_paging_ops *const ummgr_paging_all[] = {
#define UMMGR_PAGING(NAME) &ummgr_paging_##NAME,
#include "paging/paging.def"
  NULL
};

const struct ummgr_paging_ops *
ummgr_paging_find (const char *name)
{
  for (const struct ummgr_paging_ops *const *p = ummgr_paging_all; *p; p++)
    if (strcmp ((*p)->name, name) == 0)
      return *p;
  return NULL;
}

struct ummgr_paging *
ummgr_paging_copy (const struct ummgr_paging_ops *ops,
		   const struct ummgr_paging *p)
{
  struct ummgr_paging *c = ops->own ? malloc (ops->size) : NULL;
  if (!c)
    return NULL;
  memcpy (c, p, ops->size);
  if (ops->own (c))
    return c;
  ops->destroy (c);
  return NULL;
}

/* Elements are of 4 bytes or 8: one pass over a page is some 1000 accesses.  */
enum { PASS = 1024 };

void
ummgr_paging_use_fill (struct ummgr_paging_use *use,
		       const struct ummgr_hint *hint, double pages)
{
  /* Threads side by side, each on pages of its own, go through all of it at
     once, not from one end to the other.  */
  bool apart = hint->stride >= 4 * PASS || hint->stride <= -4 * PASS;
  use->sweeps = hint->locality > 0 ? hint->locality / pages / PASS : 0;
  use->density = hint->density;
  use->next_use = ummgr_hint_next_use (hint);
  use->down = hint->stride < 0;
  use->random = hint->estimated || apart;
  use->read = hint->read;
  use->write = hint->write;
}
