/* Which instructions wait for a block's loads, worked out by hand: a load that is taken for
   one that needs another's value makes a launch slow, and one that does not wait for its
   address goes out before that is known.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "simcuda/ptx/ptx.h"

#include <stdio.h>
#include <string.h>

/* A `w' for each instruction that waits, `-' for others, by block.  */
static void
waits (const char *body, const char *expected)
{
  char text[2048], got[64] = "";
  bool wait[64];
  snprintf (text, sizeof text,
	    ".version 6.0\n.target sm_35\n.address_size 64\n"
	    ".visible .entry k (.param .u64 %%in)\n{\n.reg .u64 %%a;\n.reg .u64 %%b;\n"
	    ".reg .u64 %%c;\n.reg .u64 %%d;\n.reg .u32 %%x;\n.reg .u32 %%y;\n.reg .u32 %%z;\n"
	    ".reg .pred %%p;\n%s}\n", body);
  struct ptx_module *m = ptx_parse (text, strlen (text));
  CHECK (m);
  if (m->error[0])
    fprintf (stderr, "%s\n", m->error);
  CHECK (!m->error[0]);
  struct ptx_function *f = m->functions;
  CHECK (f->insns < 60);
  ptx_waits (f, wait);
  for (int b = 0; b < f->blocks; b++)
    {
      for (int i = f->block[b].first; i < f->block[b].end; i++)
	strcat (got, wait[i] ? "w" : "-");
      if (f->block[b].end > f->block[b].first)
	strcat (got, " ");
    }
  if (strcmp (got, expected))
    fprintf (stderr, "%s\n%s, not %s\n", body, got, expected);
  CHECK (strcmp (got, expected) == 0);
  ptx_free (m);
}

int
main (void)
{
  /* Two loads and what is made of them: the store waits.  Behind it nothing is under way.  */
  waits ("ld.u32 %x, [%a];\nadd.u32 %x, %x, 1;\nld.u32 %y, [%b];\nadd.u32 %z, %x, %y;\n"
	 "st.u32 [%c], %z;\nld.u32 %x, [%d];\n", "----w-w ");
  /* An address that a load brings, by way of others.  */
  waits ("ld.u64 %b, [%a];\nadd.u64 %c, %b, 8;\nadd.u64 %d, %c, %c;\nld.u32 %x, [%d];\n",
	 "---ww ");
  /* Its register has another value by then.  */
  waits ("ld.u64 %b, [%a];\nmov.u64 %b, %c;\nld.u32 %x, [%b];\n", "---w ");
  /* What has come once is there.  */
  waits ("ld.u64 %b, [%a];\nld.u32 %x, [%b];\nld.u32 %y, [%b];\nld.u32 %z, [%b+4];\n",
	 "-w--w ");
  /* The value is stored; the address is stored to; a store of what is there.  */
  waits ("ld.u32 %x, [%a];\nst.u32 [%c], %x;\n", "-w- ");
  waits ("ld.u64 %b, [%a];\nst.u32 [%b], %y;\n", "-w- ");
  waits ("ld.u32 %x, [%a];\nst.u32 [%c], %y;\nld.u32 %z, [%b];\n", "---w ");
  /* A load that may not happen; atomics; barriers.  */
  waits ("ld.u32 %x, [%a];\nsetp.eq.u32 %p, %x, 0;\n@ %p ld.u32 %y, [%b];\n", "--ww ");
  waits ("atom.add.u32 %x, [%a], 1;\natom.add.u32 %y, [%b], %x;\n", "-ww ");
  waits ("ld.u32 %x, [%a];\nbar.sync 0;\nld.u32 %y, [%b];\n", "-w-w ");
  /* A block ends, and with it what is followed; blocks without loads don't wait.  */
  waits ("ld.u32 %x, [%a];\n@ %p bra $L1;\nld.u32 %y, [%b];\n$L1:\nst.u32 [%c], %z;\n",
	 "-w - -- ");
  return 0;
}
