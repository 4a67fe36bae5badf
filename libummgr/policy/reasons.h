/* Reasons as text, each kept once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stddef.h>
#include <stdint.h>

struct ummgr_reasons
{
  char **texts;			/* By hash; NULL: free.  */
  size_t count, slots;
};

/* TEXT as a string that lives until the end; FALLBACK, a literal, where there
   are too many or there is no memory.  */
const char *ummgr_reasons_keep (struct ummgr_reasons *reasons,
				const char *text, const char *fallback);
void ummgr_reasons_free (struct ummgr_reasons *reasons);
