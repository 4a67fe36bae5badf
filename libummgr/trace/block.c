/* Compressing the blocks of a trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns zstd's contexts; does no input or output.  */

#include "config.h"
#include "trace/block.h"

#include "trace/bytes.h"

#ifdef HAVE_ZSTD

#include <zstd.h>

/* Speed: repeated operations shrink a hundredfold at any level.  */
enum { LEVEL = 1 };

bool
ummgr_trace_can_compress (void)
{
  return true;
}

bool
ummgr_trace_codec_init (struct ummgr_trace_codec *codec, bool compress)
{
  codec->compress = compress;
  if (!compress)
    return (codec->context = ZSTD_createDCtx ()) != NULL;
  ZSTD_CCtx *context = codec->context = ZSTD_createCCtx ();
  if (!context)
    return false;
  ZSTD_CCtx_setParameter (context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
  return true;
}

void
ummgr_trace_codec_fini (struct ummgr_trace_codec *codec)
{
  if (codec->compress)
    ZSTD_freeCCtx (codec->context);
  else
    ZSTD_freeDCtx (codec->context);
}

size_t
ummgr_trace_block_pack (struct ummgr_trace_codec *codec, uint32_t sequence,
			const void *raw, size_t raw_size, unsigned char *to)
{
  const size_t head = UMMGR_TRACE_BLOCK_HEADER_SIZE;
  size_t stored = ZSTD_compress2 (codec->context, to + head,
				  UMMGR_TRACE_STORED_MAX - head, raw, raw_size);
  if (ZSTD_isError (stored))
    return 0;
  ummgr_trace_put_u32 (to, UMMGR_TRACE_BLOCK_MAGIC);
  ummgr_trace_put_u32 (to + 4, sequence);
  ummgr_trace_put_u32 (to + 8, stored);
  ummgr_trace_put_u32 (to + 12, raw_size);
  return head + stored;
}

const char *
ummgr_trace_block_unpack (struct ummgr_trace_codec *codec, const void *frame,
			  size_t frame_size, void *raw, size_t raw_size)
{
  size_t got = ZSTD_decompressDCtx (codec->context, raw, raw_size, frame,
				    frame_size);
  if (ZSTD_isError (got))
    return ZSTD_getErrorName (got);
  return got == raw_size ? NULL : "the block has another size than it says";
}

#else

bool
ummgr_trace_can_compress (void)
{
  return false;
}

bool
ummgr_trace_codec_init (struct ummgr_trace_codec *codec, bool compress)
{
  codec->context = NULL;
  codec->compress = compress;
  return false;
}

void
ummgr_trace_codec_fini (struct ummgr_trace_codec *codec)
{
}

size_t
ummgr_trace_block_pack (struct ummgr_trace_codec *codec, uint32_t sequence,
			const void *raw, size_t raw_size, unsigned char *to)
{
  return 0;
}

const char *
ummgr_trace_block_unpack (struct ummgr_trace_codec *codec, const void *frame,
			  size_t frame_size, void *raw, size_t raw_size)
{
  return "this ummgr was built without libzstd";
}

#endif
