/* Compressing the blocks of a trace: the only place that knows zstd.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Not for several threads at once on one struct.  Prints nothing.  */

#pragma once

#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>

/* A block's header and frame at most: raw bytes, and what zstd adds to those
   it can't compress.  */
#define UMMGR_TRACE_STORED_MAX (UMMGR_TRACE_BLOCK_MAX + (1u << 16))

struct ummgr_trace_codec
{
  void *context;
  bool compress;
};

/* Whether this build has libzstd; without it the rest fails.  */
bool ummgr_trace_can_compress (void);

/* False: no memory, or no libzstd.  ummgr_trace_codec_fini frees.  */
bool ummgr_trace_codec_init (struct ummgr_trace_codec *codec, bool compress);
void ummgr_trace_codec_fini (struct ummgr_trace_codec *codec);

/* Make the block numbered SEQUENCE of RAW_SIZE bytes (1 to
   UMMGR_TRACE_BLOCK_MAX) at TO, which has room for UMMGR_TRACE_STORED_MAX.
   The bytes written, header included; 0 if zstd fails.  */
size_t ummgr_trace_block_pack (struct ummgr_trace_codec *codec,
			       uint32_t sequence, const void *raw,
			       size_t raw_size, unsigned char *to);

/* Undo the frame (no header).  NULL, or what is wrong with it.  */
const char *ummgr_trace_block_unpack (struct ummgr_trace_codec *codec,
				      const void *frame, size_t frame_size,
				      void *raw, size_t raw_size);
