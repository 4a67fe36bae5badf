/* Colours on a terminal.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   By default where the output is a terminal that can (TERM is set, and not dumb), unless the
   variable NO_COLOR is set and not empty (no-color.org).  The user's choice, --color or UMMGR_COLOR,
   comes before both.  Any thread, but the choice is made before others exist.  */

#pragma once

#include <stdbool.h>
#include <stdio.h>

enum ummgr_color_use
{
  UMMGR_COLOR_NONE,
  UMMGR_COLOR_HEAD,		/* Of columns and parts.  */
  UMMGR_COLOR_ERROR,
  UMMGR_COLOR_WARNING,
  UMMGR_COLOR_GAIN		/* What a change brings.  */
};

/* "auto", "always" or "never".  */
void ummgr_color_choose (const char *when);

/* The choice of UMMGR_COLOR, if it is one.  */
void ummgr_color_init (void);

/* Is descriptor FD a terminal that takes control sequences: to move, to wipe, to colour?  */
bool ummgr_terminal (int fd);

/* Does what is written to descriptor FD take colours?  */
bool ummgr_color_wanted (int fd);

/* What turns USE on; NONE turns all off.  "" where WANTED is false.  */
const char *ummgr_color (bool wanted, enum ummgr_color_use use);

/* From here on USE, where OUT takes colours; NONE ends it.  */
void ummgr_color_put (FILE *out, enum ummgr_color_use use);
