/* A trace file that is being written: its descriptor and its blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the descriptor, the block being filled and the compressor.  The first
   error is logged here, and no other.  Knows nothing of records.  */

#include "config.h"
#include "trace/file.h"

#include "base/log.h"
#include "base/quiet.h"
#include "trace/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Zero, or errno.  */
static int
write_all (int fd, const unsigned char *bytes, size_t size)
{
  struct ummgr_quiet quiet;
  int error = 0;
  ummgr_quiet_begin (&quiet);
  while (size && !error)
    {
      ssize_t n = write (fd, bytes, size);
      if (n > 0)
	{
	  bytes += n;
	  size -= n;
	}
      else if (n == 0)
	error = ENOSPC;
      else if (errno != EINTR)
	error = errno;
    }
  ummgr_quiet_end (&quiet);
  return error;
}

static void
fail (struct ummgr_trace_file *file, const char *why)
{
  file->status = UMMGR_ERR_IO;
  ummgr_error ("trace: %s: cannot write at byte %llu: %s; the rest of the run "
	       "is not traced, what is there can be read", file->path,
	       (unsigned long long) file->offset, why);
  /* A pipe can't be cut: its reader reports the torn block.  */
  int fd = ummgr_descriptor_use (&file->out);
  if (fd >= 0 && ftruncate (fd, file->offset) != 0)
    ummgr_debug ("trace: %s: cannot cut the torn block: %s", file->path,
		 strerror (errno));
}

static void
append (struct ummgr_trace_file *file, const unsigned char *bytes, size_t size)
{
  int fd = ummgr_descriptor_use (&file->out);
  int error = fd >= 0 ? write_all (fd, bytes, size) : 0;
  if (fd < 0)
    fail (file, UMMGR_DESCRIPTOR_LOST);
  else if (error)
    fail (file, strerror (error));
  else
    file->offset += size;
}

static enum ummgr_status
prepare (struct ummgr_trace_file *file, const char *path)
{
  file->path = strdup (path);
  file->raw = malloc (UMMGR_TRACE_BLOCK_MAX);
  file->stored = malloc (UMMGR_TRACE_STORED_MAX);
  if (file->path && file->raw && file->stored
      && ummgr_trace_codec_init (&file->codec, true))
    return UMMGR_OK;
  ummgr_error ("trace: no memory to write %s", path);
  return UMMGR_ERR_NOMEM;
}

enum ummgr_status
ummgr_trace_file_open (struct ummgr_trace_file *file, const char *path)
{
  *file = (struct ummgr_trace_file) {
    .out = UMMGR_DESCRIPTOR_NONE, .owner = getpid ()
  };
  file->codec.compress = true;
  enum ummgr_status status;
  if (!ummgr_trace_can_compress ())
    {
      ummgr_error ("trace: cannot write %s: this ummgr was built without "
		   "libzstd; install libzstd-dev and configure again", path);
      return UMMGR_ERR_UNSUPPORTED;
    }
  status = prepare (file, path);
  if (status)
    goto free_buffers;
  file->out = ummgr_descriptor_own (open (path, O_WRONLY | O_CREAT | O_TRUNC
						| O_CLOEXEC, 0666));
  if (file->out.number < 0)
    {
      ummgr_error ("trace: cannot create %s: %s", path, strerror (errno));
      status = UMMGR_ERR_IO;
      goto free_buffers;
    }
  unsigned char header[UMMGR_TRACE_HEADER_SIZE];
  memcpy (header, UMMGR_TRACE_MAGIC, 8);
  ummgr_trace_put_u32 (header + 8, UMMGR_TRACE_VERSION);
  ummgr_trace_put_u32 (header + 12, UMMGR_TRACE_HEADER_SIZE);
  append (file, header, sizeof header);
  status = file->status;
  if (!status)
    return UMMGR_OK;
free_buffers:
  ummgr_trace_file_close (file);
  return status;
}

unsigned char *
ummgr_trace_file_room (struct ummgr_trace_file *file, size_t size)
{
  if (file->used + size > UMMGR_TRACE_BLOCK_MAX)
    ummgr_trace_file_flush (file);
  return file->raw + file->used;
}

void
ummgr_trace_file_flush (struct ummgr_trace_file *file)
{
  size_t used = file->used;
  file->used = 0;
  if (!used || file->status || file->finished)
    return;
  size_t size = ummgr_trace_block_pack (&file->codec, file->sequence,
					file->raw, used, file->stored);
  if (!size)
    {
      fail (file, "zstd failed");
      return;
    }
  append (file, file->stored, size);
  file->sequence++;
}

void
ummgr_trace_file_finish (struct ummgr_trace_file *file)
{
  /* Some file systems report a full disk only now.  */
  int error = ummgr_descriptor_close (&file->out);
  file->finished = true;
  if (error && !file->status && file->owner == getpid ())
    {
      file->status = UMMGR_ERR_IO;
      ummgr_error ("trace: %s: cannot close: %s", file->path,
		   strerror (error));
    }
}

void
ummgr_trace_file_close (struct ummgr_trace_file *file)
{
  ummgr_trace_file_finish (file);
  ummgr_trace_codec_fini (&file->codec);
  free (file->stored);
  free (file->raw);
  free (file->path);
}
