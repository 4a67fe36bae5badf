/* Files that are loaded, as they are on disk.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "base/self.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

const void *
ummgr_self_map (const char *name, size_t *size_p)
{
  struct stat st;
  void *image = MAP_FAILED;
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    fd = open (ummgr_self_file (), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  if (fstat (fd, &st) == 0 && st.st_size > 0)
    image = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  if (image == MAP_FAILED)
    return NULL;
  *size_p = st.st_size;
  return image;
}
