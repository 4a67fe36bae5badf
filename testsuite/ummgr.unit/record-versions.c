/* Would break: a program that was instrumented before the ABI's last version and that is
   refused, or given functions that it refuses; one of a version to come that is taken.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "record-test.h"

int
main (void)
{
  static struct ummgr_trace_program program = { .size = sizeof program };
  test_begin (1, "page", "none");
  for (uint32_t abi = UMMGR_TRACE_ABI_OLDEST; abi <= UMMGR_TRACE_ABI; abi++)
    {
      program.abi = abi;
      const struct ummgr_trace_runtime *found = ummgr_trace_attach (&program);
      CHECK (found && found->abi == abi && found->size >= sizeof *found);
      CHECK (found->enter == rt->enter && found->nest == rt->nest);
    }
  program.abi = UMMGR_TRACE_ABI + 1;
  CHECK (!ummgr_trace_attach (&program));
  program.abi = UMMGR_TRACE_ABI_OLDEST - 1;
  CHECK (!ummgr_trace_attach (&program));
  ummgr_record_finish ();
  unlink (test_trace);
  return 0;
}
