/* Descriptors of ours that stay open while the program runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  Any two files differ in device or inode, userfaultfds too
   (since Linux 5.12; they can't be used here before 5.13).  */

#include "config.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A process' table of descriptors, which each fork copies, is as long as its
   greatest number.  */
#define HIGHEST 4096
#define ROOM 64			/* For all of ours.  */

/* Where ours begin: beyond what programs close by counting, if there are so
   many numbers.  */
static int
lowest (void)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > HIGHEST)
    return HIGHEST - ROOM;
  return limit.rlim_cur > 2 * ROOM ? limit.rlim_cur - ROOM : 0;
}

struct ummgr_descriptor
ummgr_descriptor_own (int fd)
{
  struct ummgr_descriptor own = UMMGR_DESCRIPTOR_NONE;
  struct stat st;
  int saved = errno;
  if (fd >= 0)
    {
      own.number = fcntl (fd, F_DUPFD_CLOEXEC, lowest ());
      if (own.number >= 0)
	close (fd);
      else
	own.number = fd;	/* All numbers up there are taken.  */
      if (fstat (own.number, &st) == 0)
	{
	  own.device = st.st_dev;
	  own.inode = st.st_ino;
	}
    }
  errno = saved;
  return own;
}

int
ummgr_descriptor_use (struct ummgr_descriptor *own)
{
  int fd = __atomic_load_n (&own->number, __ATOMIC_RELAXED);
  struct stat st;
  int saved = errno;
  if (fd >= 0
      && (fstat (fd, &st) != 0 || st.st_dev != own->device
	  || st.st_ino != own->inode))
    {
      fd = -1;
      __atomic_store_n (&own->number, -1, __ATOMIC_RELAXED);
    }
  errno = saved;
  return fd;
}

int
ummgr_descriptor_close (struct ummgr_descriptor *own)
{
  int fd = ummgr_descriptor_use (own);
  __atomic_store_n (&own->number, -1, __ATOMIC_RELAXED);
  return fd >= 0 && close (fd) != 0 ? errno : 0;
}
