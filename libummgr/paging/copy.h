/* Copying an instance's arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What ARRAY_P points to points to another instance's BYTES: let it point to the like
   of them.  NULL stays NULL; else NULL and false without memory.  */
static inline bool
ummgr_paging_copied (void *array_p, size_t bytes)
{
  void *old, *new;
  memcpy (&old, array_p, sizeof old);
  new = old ? malloc (bytes) : NULL;
  if (new)
    memcpy (new, old, bytes);
  memcpy (array_p, &new, sizeof new);
  return new || !old;
}
