/* HWLOC_XMLFILE: a machine's topology from a file that anyone may have written.
   What fails in hwloc itself must not reach the command.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "cli/info.h"

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  static struct ummgr_info_map map;
  setenv ("HWLOC_XMLFILE", fuzz_file (bytes, size), 1);
  /* This machine's takes long.  */
  setenv ("HWLOC_COMPONENTS", "xml,stop", 1);
  map.known = ummgr_info_load_topology (&map.topology, false) == UMMGR_OK;
  ummgr_topology_derive (&map.topology);
  FILE *out = fopen ("/dev/null", "w");
  if (!out)
    return;
  ummgr_info_map_svg (out, &map);
  fclose (out);
}
