/* Messages to standard error.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "base/log.h"
#include "base/color.h"
#include "base/progress.h"
#include "base/quiet.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Written once by ummgr_log_init, before other threads exist or, at worst,
   with the value it already has; a racing reader sees one or the other.  */
enum ummgr_log_level ummgr_log_level = UMMGR_LOG_WARN;

void
ummgr_log_init (void)
{
  static const char *const names[] = { "error", "warn", "info", "debug" };
  const char *value = getenv ("UMMGR_LOG");
  ummgr_color_init ();
  if (!value || !*value)
    return;
  for (int i = 0; i < 4; i++)
    if (strcmp (value, names[i]) == 0)
      {
	ummgr_log_level = i;
	return;
      }
  ummgr_error ("UMMGR_LOG: unknown level '%s' (known: error, warn, info, "
	       "debug)", value);
}

/* What stands before a message of LEVEL, to LINE; how long it is.  */
static int
begin_line (char *line, size_t size, enum ummgr_log_level level)
{
  bool colors = level <= UMMGR_LOG_WARN && ummgr_color_wanted (STDERR_FILENO);
  return snprintf (line, size, "ummgr: %s%s%s",
		   ummgr_color (colors, level == UMMGR_LOG_ERROR ? UMMGR_COLOR_ERROR : UMMGR_COLOR_WARNING),
		   level == UMMGR_LOG_ERROR ? "error: " : level == UMMGR_LOG_WARN ? "warning: " : "",
		   ummgr_color (colors, UMMGR_COLOR_NONE));
}

void
ummgr_log_print (enum ummgr_log_level level, const char *format, ...)
{
  char line[1024];
  int head = begin_line (line, sizeof line, level), n = head;
  va_list ap;
  va_start (ap, format);
  int m = vsnprintf (line + n, sizeof line - n - 1, format, ap);
  va_end (ap);
  n = m < 0 ? n : n + m;
  if (n > (int) sizeof line - 2)
    n = sizeof line - 2;
  /* Names in it come from files.  */
  ummgr_utf8_make_printable (line + head, n - head);
  line[n++] = '\n';
  /* A message that can't be written has nowhere else to go.  */
  struct ummgr_quiet quiet;
  ummgr_quiet_begin (&quiet);
  ummgr_progress_wipe ();
  ssize_t ignored = write (STDERR_FILENO, line, n);
  (void) ignored;
  ummgr_quiet_end (&quiet);
}
