/* HWLOC_XMLFILE: a machine's topology from a file that anyone may have written.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "cli/info.h"

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  char text[512];
  setenv ("HWLOC_XMLFILE", fuzz_file (bytes, size), 1);
  setenv ("HWLOC_COMPONENTS", "xml,stop", 1);
  ummgr_info_topology (text, sizeof text);
}
