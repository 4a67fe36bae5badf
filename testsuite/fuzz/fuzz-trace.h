/* Traces for the harnesses that read them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A trace's blocks are compressed and have checksums, behind which no mutation
   would ever get.  An input that is no trace file is therefore taken for the raw
   bytes of one block (trace/code.h), and gets what makes it a whole file.  */

#pragma once

#include "fuzz.h"
#include "trace/block.h"
#include "trace/code.h"

enum { FUZZ_RAW_MOST = 1 << 16 };

/* As many records of the SIZE BYTES as make sense, and an end that counts them,
   in RAW; its size.  */
static inline size_t
fuzz_trace_raw (const unsigned char *bytes, size_t size, unsigned char *raw)
{
  static struct ummgr_trace_decoder decoder;
  struct ummgr_trace_record record;
  uint64_t records = 0;
  memset (&decoder, 0, sizeof decoder);
  ummgr_trace_decode_begin (&decoder, bytes, size);
  const unsigned char *good = bytes;
  while (ummgr_trace_decode (&decoder, &record) > 0
	 && record.kind != UMMGR_TRACE_END)
    {
      records++;
      good = decoder.in.at;
    }
  memcpy (raw, bytes, good - bytes);
  record = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_END };
  return ummgr_trace_encode_record (&record, records + decoder.unknown, 0,
				    raw + (good - bytes)) - raw;
}

/* A trace file of BYTES; its name.  */
static inline const char *
fuzz_trace (const unsigned char *bytes, size_t size)
{
  static unsigned char raw[FUZZ_RAW_MOST + UMMGR_TRACE_RECORD_ROOM];
  static unsigned char file[UMMGR_TRACE_HEADER_SIZE + UMMGR_TRACE_STORED_MAX];
  static struct ummgr_trace_codec codec;
  if (size >= 8 && memcmp (bytes, UMMGR_TRACE_MAGIC, 8) == 0)
    return fuzz_file (bytes, size);
  if (!codec.context)
    CHECK (ummgr_trace_codec_init (&codec, true));
  size = fuzz_trace_raw (bytes, size < FUZZ_RAW_MOST ? size : FUZZ_RAW_MOST,
			 raw);
  memcpy (file, UMMGR_TRACE_MAGIC, 8);
  ummgr_trace_put_u32 (file + 8, UMMGR_TRACE_VERSION);
  ummgr_trace_put_u32 (file + 12, UMMGR_TRACE_HEADER_SIZE);
  size = ummgr_trace_block_pack (&codec, 0, raw, size,
				 file + UMMGR_TRACE_HEADER_SIZE);
  CHECK (size);
  return fuzz_file (file, UMMGR_TRACE_HEADER_SIZE + size);
}
