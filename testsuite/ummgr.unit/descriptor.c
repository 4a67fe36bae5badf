/* If a descriptor of ours weren't told from the program's file that got its
   number, we would write into that file or close it; if ours lay low, programs
   that close by counting would hit them.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int
open_null (void)
{
  int fd = open ("/dev/null", O_RDWR);
  CHECK (fd >= 0);
  return fd;
}

/* It moves up and goes on meaning the same file, until another file takes its
   place.  */
static void
test_life (void)
{
  int low = open_null ();
  struct ummgr_descriptor own = ummgr_descriptor_own (low);
  CHECK (own.number > 63 && own.number != low);
  CHECK (fcntl (low, F_GETFD) < 0);
  CHECK_EQ (fcntl (own.number, F_GETFD), FD_CLOEXEC);
  CHECK_EQ (ummgr_descriptor_use (&own), own.number);

  int number = own.number, theirs = open ("/", O_RDONLY);
  CHECK (dup2 (theirs, number) == number);
  errno = EDOM;
  CHECK_EQ (ummgr_descriptor_use (&own), -1);
  CHECK_EQ (errno, EDOM);
  CHECK_EQ (ummgr_descriptor_close (&own), 0);
  CHECK (fcntl (number, F_GETFD) >= 0);
  close (number);
  close (theirs);
}

/* Closed by the program; never had; closed by us.  */
static void
test_ends (void)
{
  struct ummgr_descriptor own = ummgr_descriptor_own (open_null ());
  close (own.number);
  CHECK_EQ (ummgr_descriptor_use (&own), -1);

  errno = EDOM;
  own = ummgr_descriptor_own (-1);
  CHECK_EQ (errno, EDOM);
  CHECK_EQ (own.number, -1);
  CHECK_EQ (ummgr_descriptor_use (&own), -1);

  own = ummgr_descriptor_own (open_null ());
  int number = own.number;
  CHECK_EQ (ummgr_descriptor_close (&own), 0);
  CHECK (fcntl (number, F_GETFD) < 0);
  CHECK_EQ (ummgr_descriptor_use (&own), -1);
}

/* A limit that leaves no high numbers.  */
static void
test_limit (void)
{
  struct rlimit limit;
  CHECK (getrlimit (RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = 20;
  CHECK (setrlimit (RLIMIT_NOFILE, &limit) == 0);
  struct ummgr_descriptor own = ummgr_descriptor_own (open_null ());
  CHECK (own.number >= 0);
  CHECK_EQ (ummgr_descriptor_use (&own), own.number);
  CHECK_EQ (ummgr_descriptor_close (&own), 0);
}

int
main (void)
{
  test_life ();
  test_ends ();
  test_limit ();
  return 0;
}
