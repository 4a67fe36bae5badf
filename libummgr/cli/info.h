/* Inside `ummgr info`.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "cli/cli.h"
#include "topology/topology.h"

#include <stdio.h>

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

/* The packages that bring hwloc, where there is none.  */
#ifdef HAVE_HWLOC
# define UMMGR_INFO_HWLOC "libhwloc15"
#else
# define UMMGR_INFO_HWLOC "libhwloc15 and libhwloc-dev, then build ummgr again"
#endif

/* What the simulated driver says of itself, asked in a child process.
   False if it could not be asked.  */
bool ummgr_info_simulator (const struct ummgr_cli_paths *paths, char *buf,
			   size_t size);

/* Sockets, NUMA nodes and GPUs; false where there is no hwloc, or it fails.  */
bool ummgr_info_topology (char *buf, size_t size);

/* The file of another machine's topology that a variable names; NULL: none.  */
const char *ummgr_info_topology_file (void);

/* That topology, or this machine's.  Of a file that is bad this machine's, after a warning;
   but STRICTLY one error.  UMMGR_ERR_UNSUPPORTED, silently: there is no hwloc.  */
enum ummgr_status ummgr_info_load_topology (struct ummgr_topology *out, bool strictly);

/* T's GPUs are those of the driver at hand, in its order; false without memory
   (info-topology.c).  */
bool ummgr_info_real_gpus (struct ummgr_topology *t);

/* What `ummgr info --topology' shows.  */
struct ummgr_info_map
{
  struct ummgr_topology topology;
  bool known;			/* hwloc was there.  */
  const char *profile;		/* Of simulated GPUs; else NULL.  */
};

/* With OPTIONS' GPUs; false after a message (info-topology.c).  */
bool ummgr_info_map (struct ummgr_info_map *out, const struct ummgr_options *options,
		     const struct ummgr_cli_paths *paths);
/* As text and JSON on standard output; as SVG.  */
void ummgr_info_map_text (const struct ummgr_info_map *map);
bool ummgr_info_map_json (const struct ummgr_info_map *map);
void ummgr_info_map_svg (FILE *out, const void *map);
