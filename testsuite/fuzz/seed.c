/* Pieces that corpus.sh needs and no tool prints.
   SPDX-License-Identifier: GPL-3.0-or-later

     seed raw TRACE    the bytes of the trace's first blocks, unpacked, one after
		       the other: what harnesses take for a trace's bytes
     seed topology     a small machine, as hwloc's XML  */

#include "config.h"
#include "check.h"
#include "trace/block.h"
#include "trace/bytes.h"

#include <hwloc.h>
#include <string.h>

static void
raw (const char *path)
{
  enum { MOST = 1 << 20 };
  unsigned char *bytes = malloc (MOST), *block = malloc (UMMGR_TRACE_BLOCK_MAX);
  FILE *in = fopen (path, "rb");
  struct ummgr_trace_codec codec;
  CHECK (bytes && block && in && ummgr_trace_codec_init (&codec, false));
  size_t size = fread (bytes, 1, MOST, in);
  for (size_t at = UMMGR_TRACE_HEADER_SIZE;
       at + UMMGR_TRACE_BLOCK_HEADER_SIZE < size;)
    {
      uint32_t stored = ummgr_trace_get_u32 (bytes + at + 8);
      uint32_t unpacked = ummgr_trace_get_u32 (bytes + at + 12);
      at += UMMGR_TRACE_BLOCK_HEADER_SIZE;
      CHECK (!ummgr_trace_block_unpack (&codec, bytes + at, stored, block,
					unpacked));
      fwrite (block, 1, unpacked, stdout);
      at += stored;
    }
}

static void
topology (void)
{
  hwloc_topology_t t;
  char *xml;
  int size;
  CHECK (hwloc_topology_init (&t) == 0
	 && hwloc_topology_set_synthetic (t, "pack:1 numa:1 core:1 pu:2") == 0
	 && hwloc_topology_load (t) == 0
	 && hwloc_topology_export_xmlbuffer (t, &xml, &size, 0) == 0);
  fputs (xml, stdout);
  hwloc_free_xmlbuffer (t, xml);
  hwloc_topology_destroy (t);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "raw") == 0)
    raw (argv[2]);
  else if (argc == 2 && strcmp (argv[1], "topology") == 0)
    topology ();
  else
    return 1;
  return 0;
}
