/* Source lines of code: another line or file than the compiler's, one for what has none, or a
   crash on what is no code.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-g -gdwarf-5" } */

#include "config.h"
#include "check.h"
#include "base/lines.h"

#include <stdio.h>
#include <string.h>

#ifndef HERE
#define HERE __FILE__
#endif

static __attribute__ ((noinline)) uintptr_t
here (void)
{
  __asm__ volatile ("" : : : "memory");	/* Each call is one.  */
  return (uintptr_t) __builtin_return_address (0);
}

/* In a section of its own, as cold code is.  */
static __attribute__ ((noinline, section (".text.elsewhere"))) unsigned
elsewhere (uintptr_t *at)
{
  unsigned line = __LINE__; *at = here ();
  __asm__ volatile ("" : : : "memory");
  return line;
}

static void
check_line (uintptr_t at, unsigned want)
{
  char file[4096] = "";
  unsigned line = 0;
  CHECK (ummgr_line_of (at - 1, file, sizeof file, &line));
  CHECK_EQ (line, want);
  const char *slash = strrchr (file, '/'), *mine = strrchr (HERE, '/');
  CHECK (strcmp (slash ? slash + 1 : file, mine ? mine + 1 : HERE) == 0);
}

int
main (void)
{
  char file[64];
  unsigned line;
  uintptr_t at;
  at = here (); check_line (at, __LINE__);
  unsigned want = elsewhere (&at);
  check_line (at, want);
  for (int i = 0; i < 2; i++)
    {
      at = here (); check_line (at, __LINE__);
    }
  CHECK (!ummgr_line_of (0, file, sizeof file, &line));
  CHECK (!ummgr_line_of ((uintptr_t) &line, file, sizeof file, &line));
  CHECK (!ummgr_line_of (UINTPTR_MAX, file, sizeof file, &line));
  return 0;
}
