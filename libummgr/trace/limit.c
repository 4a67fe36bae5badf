/* What reading a trace may take.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing: each reader has its own limit.  */

#include "config.h"
#include "trace/limit.h"

#include "base/log.h"
#include "base/options.h"

#include <string.h>

enum ummgr_status
ummgr_trace_limit_init (struct ummgr_trace_limit *limit, const char *path)
{
  static const char *const ours[] = { "read-steps", "read-memory", NULL };
  struct ummgr_options options;
  enum ummgr_status status
      = ummgr_options_some_from_environment (&options, ours);
  *limit = (struct ummgr_trace_limit) {
    .path = path, .steps = options.read_steps, .memory = options.read_memory
  };
  return status;
}

bool
ummgr_trace_limit_exceed (struct ummgr_trace_limit *limit, const char *name)
{
  if (limit->exceeded)
    return false;
  limit->exceeded = true;
  const struct ummgr_option *option = ummgr_option_table;
  while (strcmp (option->name, name) != 0)
    option++;
  char variable[64];
  ummgr_option_variable (option, variable, sizeof variable);
  ummgr_error ("trace: %s: reading it takes more than %s=%s allows (%s); a "
	       "larger value lets it be read, if it is what you take it for",
	       limit->path, variable, ummgr_option_text (option),
	       option->help);
  return false;
}
