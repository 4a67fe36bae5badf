/* A map of memory that isn't all there ends the program; the message names another
   page than the first that is missing, or there is none.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "fake-gomp.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 13 };

static size_t page;

/* The child: all of P is copied, to or from the host's copy.  */
static void
copy (char *p, bool in)
{
  struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_CORE, &none);
  struct ummgr_manager *m = fake_start ("host", PAGES * page);
  /* Neither the first page's beginning nor the last one's end.  */
  size_t size = (PAGES - 1) * page;
  struct ummgr_object *o = fake_object (m, p + page / 2, size);
  CHECK (o->copy.host);
  CHECK_EQ (in ? ummgr_storage_copy_in (o, 0, size)
	    : ummgr_storage_copy_out (o, 0, size), UMMGR_OK);
  fake_drop (o);
  ummgr_manager_free (m);
}

/* What the child says of P, of which HOLE pages from the FIRST are missing.  */
static void
hole (int first, int count, bool in)
{
  char *p = mmap (NULL, PAGES * page, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char said[1024] = "", want[64];
  int fds[2], status;
  CHECK (p != MAP_FAILED && pipe (fds) == 0);
  CHECK (!count || munmap (p + first * page, count * page) == 0);
  pid_t pid = fork ();
  CHECK (pid >= 0);
  if (!pid)
    {
      dup2 (fds[1], STDERR_FILENO);
      copy (p, in);
      _exit (0);
    }
  close (fds[1]);
  CHECK (waitpid (pid, &status, 0) == pid);
  CHECK (read (fds[0], said, sizeof said - 1) >= 0);
  close (fds[0]);
  if (count)
    {
      snprintf (want, sizeof want, "there is no memory at %p ",
		(void *) (p + first * page));
      CHECK (WIFSIGNALED (status) && strstr (said, want));
    }
  else
    CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0 && !*said);
  munmap (p, PAGES * page);
}

int
main (void)
{
  page = sysconf (_SC_PAGESIZE);
  hole (0, 0, true);
  hole (0, 0, false);
  for (int first = 0; first < PAGES; first++)
    {
      hole (first, 1, first % 2);
      hole (first, PAGES - first, true);
    }
  hole (2, 4, true);
  return 0;
}
