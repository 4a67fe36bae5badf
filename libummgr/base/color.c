/* Colours on a terminal.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the choice.  */

#include "config.h"
#include "base/color.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum { AUTO, ALWAYS, NEVER } choice;

static const char *const names[] = { [AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never" };

static bool
choose (const char *when)
{
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (when, names[i]) == 0)
      {
	choice = i;
	return true;
      }
  return false;
}

void
ummgr_color_choose (const char *when)
{
  choose (when);
}

void
ummgr_color_init (void)
{
  const char *when = getenv ("UMMGR_COLOR");
  if (when && *when && !choose (when))
    ummgr_error ("UMMGR_COLOR: unknown value '%s' (known: auto always never)", when);
}

static bool
is_set (const char *name)
{
  const char *value = getenv (name);
  return value && *value;
}

bool
ummgr_terminal (int fd)
{
  const char *term = getenv ("TERM");
  return term && *term && strcmp (term, "dumb") != 0 && isatty (fd);
}

bool
ummgr_color_wanted (int fd)
{
  if (choice != AUTO)
    return choice == ALWAYS;
  return !is_set ("NO_COLOR") && ummgr_terminal (fd);
}

const char *
ummgr_color (bool wanted, enum ummgr_color_use use)
{
  /* ECMA-48's SGR, the basic colours alone: they follow the terminal's own scheme.  */
  static const char *const sequences[] = {
    [UMMGR_COLOR_NONE] = "\033[0m", [UMMGR_COLOR_HEAD] = "\033[1m",
    [UMMGR_COLOR_ERROR] = "\033[1;31m", [UMMGR_COLOR_WARNING] = "\033[1;35m",
    [UMMGR_COLOR_GAIN] = "\033[1;32m"
  };
  return wanted ? sequences[use] : "";
}

void
ummgr_color_put (FILE *out, enum ummgr_color_use use)
{
  int fd = fileno (out);
  /* A stream in memory is for somebody who counts columns.  */
  fputs (ummgr_color (fd >= 0 && ummgr_color_wanted (fd), use), out);
}
