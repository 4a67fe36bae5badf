/* `ummgr replay --policy=best' of an ummgr without a solver: it fails at once, and says what is
   missing, rather than to print that nothing is possible.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "replay/bound.h"
#include "replay/policies.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char log_path[] = "replay-no-solver.log";

/* In place of the library's.  */

bool
ummgr_bound_available (void)
{
  return false;
}

enum ummgr_status
ummgr_bound_solve (const struct ummgr_bound *bound, double most, double *seconds_p)
{
  (void) bound;
  (void) most;
  (void) seconds_p;
  abort ();
}

int
main (void)
{
  struct ummgr_replay_run run = { .policy = "best", .evict = "lru" };
  struct ummgr_page_options options = { .device = -1 };
  char text[4096] = "";
  CHECK (freopen (log_path, "w", stderr));
  int status = ummgr_replay_policies ("no-such.ummt", &options, &run, 1, NULL);
  fflush (stderr);
  FILE *file = fopen (log_path, "r");
  CHECK (file && fread (text, 1, sizeof text - 1, file) > 0);
  fclose (file);
  unlink (log_path);
  CHECK_EQ (status, UMMGR_ERR_INVALID);
  CHECK (strstr (text, "--policy=best: this ummgr was built without GLPK"));
  CHECK (strchr (text, '\n') == strrchr (text, '\n'));
  return 0;
}
