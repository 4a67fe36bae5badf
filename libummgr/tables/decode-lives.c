/* Decoding what follows launches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Part of tables/decode.c.  */

#include "config.h"
#include "tables/decode-internal.h"

void
ummgr_table_lives_fill (struct filling *f)
{
  const struct view *view = f->view;
  bool known = view->lives.count == view->args.count;
  for (uint32_t i = 0; i < view->args.count; i++)
    {
      struct ummgr_live_record r = { 0 };
      if (known)
	record_get (&r, sizeof r, &view->lives, i);
      /* Neither is a NaN.  */
      if (!(r.next >= 0 && r.next <= 1))
	f->bad = true;
      f->unit->args[i].live = (struct ummgr_table_live) {
	.flags = r.flags,
	.why = string_get (f, r.why),
	.next = r.next
      };
    }
}
