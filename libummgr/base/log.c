/* Messages to standard error.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "base/log.h"
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

void
ummgr_log_print (enum ummgr_log_level level, const char *format, ...)
{
  char line[1024];
  int n = snprintf (line, sizeof line, "ummgr: %s",
		    level == UMMGR_LOG_ERROR ? "error: "
		    : level == UMMGR_LOG_WARN ? "warning: " : "");
  va_list ap;
  va_start (ap, format);
  int m = vsnprintf (line + n, sizeof line - n - 1, format, ap);
  va_end (ap);
  n = m < 0 ? n : n + m;
  if (n > (int) sizeof line - 2)
    n = sizeof line - 2;
  /* Names in it come from files.  */
  ummgr_utf8_make_printable (line, n);
  line[n++] = '\n';
  /* A message that can't be written has nowhere else to go.  */
  struct ummgr_quiet quiet;
  ummgr_quiet_begin (&quiet);
  ssize_t ignored = write (STDERR_FILENO, line, n);
  (void) ignored;
  ummgr_quiet_end (&quiet);
}
