/* How far work is: a line on a terminal, and nothing in a pipe, on a dumb terminal, or in a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#define _GNU_SOURCE 1
#include "check.h"
#include "base/log.h"
#include "base/progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char seen[4096];

/* What WORK writes to standard error while that is TO; read at FROM.  */
static void
watch (int to, int from, void (*work) (void))
{
  int saved = dup (STDERR_FILENO);
  dup2 (to, STDERR_FILENO);
  ummgr_progress_enable ();
  work ();
  dup2 (saved, STDERR_FILENO);
  close (saved);
  /* A terminal hands on what it gets when it likes.  */
  CHECK (write (to, "@", 1) == 1);
  size_t n = 0;
  while (!n || seen[n - 1] != '@')
    {
      ssize_t got = read (from, seen + n, sizeof seen - n);
      CHECK (got > 0);
      n += got;
    }
  seen[n - 1] = 0;
}

/* Longer than nothing is shown.  */
static void
wait_a_moment (void)
{
  nanosleep (&(struct timespec) { .tv_nsec = 400000000 }, NULL);
}

static void
half_done (void)
{
  ummgr_progress_show ("some/file", 0, 10);
  wait_a_moment ();
  ummgr_progress_show ("some/file", 5, 10);
  ummgr_progress_end ();
}

static void
interrupted (void)
{
  ummgr_progress_show ("file", 0, 0);
  wait_a_moment ();
  ummgr_progress_show ("file", 5, 0);
  ummgr_warn ("look");
  ummgr_progress_end ();
}

static void
short_work (void)
{
  ummgr_progress_show ("file", 0, 10);
  ummgr_progress_end ();
}

int
main (void)
{
  int pair[2], master = posix_openpt (O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt (master) || unlockpt (master))
    return 0;		/* There are no terminals here.  */
  int slave = open (ptsname (master), O_RDWR | O_NOCTTY);
  CHECK (slave >= 0);
  CHECK (pipe (pair) == 0);
  setenv ("TERM", "xterm", 1);

  watch (slave, master, half_done);
  CHECK (strstr (seen, "\r\033[Ksome/file ##########.......... "));
  CHECK (strstr (seen, " 50%"));
  /* The line has gone at the end.  */
  CHECK (strlen (seen) > 4 && strcmp (seen + strlen (seen) - 4, "\r\033[K") == 0);

  /* A message does not begin in the middle of it.  */
  watch (slave, master, interrupted);
  CHECK (strstr (seen, "\r\033[Kfile ... "));
  CHECK (strstr (seen, " s\r\033[Kummgr: "));
  CHECK (strstr (seen, "look"));

  watch (slave, master, short_work);
  CHECK (strcmp (seen, "") == 0);
  watch (pair[1], pair[0], half_done);
  CHECK (strcmp (seen, "") == 0);
  setenv ("TERM", "dumb", 1);
  watch (slave, master, half_done);
  CHECK (strcmp (seen, "") == 0);
  return 0;
}
