/* What came of each form of loops, over its launches.
   SPDX-License-Identifier: GPL-3.0-or-later

   Told by random-use-check.c, which compares.  A line for each form on standard output:
   "form NUMBER exact", or "estimated" with what and why, or "wrong".  A form that launches
   nothing is wrong, too.  Owns what is known of the form at hand.  */

#include "random-use-check.h"
#include "random-use-program.h"

#include <stdio.h>
#include <string.h>

static unsigned number;		/* 0: none yet.  */
static bool wrong;
static char doubt[200];

void
form_wrong (void)
{
  wrong = true;
}

void
form_doubt (const char *what, const char *why)
{
  if (!*doubt)
    snprintf (doubt, sizeof doubt, "%s: %s", what, why && *why ? why : "for no reason");
}

bool
form_open (void)
{
  return number;
}

void
form_end (void)
{
  if (number)
    printf ("form %u %s%s%s\n", number, wrong ? "wrong" : *doubt ? "estimated" : "exact",
	    *doubt ? " " : "", doubt);
  number = 0;
  wrong = false;
  *doubt = '\0';
}

void
use_form (unsigned new_number)
{
  form_end ();
  use_program (new_number, 0, 0);
  number = new_number;
}
