/* Inside `ummgr info`.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "cli/cli.h"

/* One part: what was found, or what its absence costs and which Debian
   package brings it.  */
struct ummgr_info_part
{
  const char *key;		/* In JSON.  */
  const char *title;
  bool found;
  char detail[PATH_MAX + 64];
  const char *cost;
  const char *package;		/* NULL: none does.  */
};

/* What the simulated driver says of itself, asked in a child process.
   False if it could not be asked.  */
bool ummgr_info_simulator (const struct ummgr_cli_paths *paths, char *buf,
			   size_t size);

/* Sockets, NUMA nodes and GPUs; false where hwloc was not there when ummgr
   was built, or fails.  */
bool ummgr_info_topology (char *buf, size_t size);
