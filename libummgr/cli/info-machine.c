/* `ummgr info`: the simulated driver and the machine's topology, asked in child processes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state: each is loaded, asked, and let go.  */

#include "config.h"
#include "cli/info.h"
#include "base/log.h"
#include "device/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MAX = 15, SIMULATOR_MAX = PATH_MAX };	/* For, and of, an answer.  */

static void
ask_simulator (const void *file, void *buf)
{
  ummgr_device_ask_simulated (file, buf, SIMULATOR_MAX);
}

bool
ummgr_info_simulator (const struct ummgr_cli_paths *paths, char *buf,
		      size_t size)
{
  char file[PATH_MAX], answer[SIMULATOR_MAX];
  int status;
  *buf = 0;
  if (!*paths->sim || !ummgr_cli_join (file, paths->sim, "libcuda.so.1"))
    return false;
  if (*paths->profiles)
    setenv ("UMMGR_PROFILE_PATH", paths->profiles, 0);
  ummgr_cli_ask_apart (ask_simulator, file, answer, sizeof answer, SECONDS_MAX,
		       &status);
  bool failed = *answer == '!';
  snprintf (buf, size, "%s", answer + failed);
  return *answer && !failed;
}

/* --- the topology ------------------------------------------------------------- */

struct asked
{
  enum ummgr_status status;
  struct ummgr_topology topology;
};

static void
ask_topology (const void *unused, void *answer)
{
  struct asked *asked = answer;
  (void) unused;
  asked->status = ummgr_topology_load (&asked->topology);
}

/* What is wrong with FILE (NULL: with this machine), into WHY; empty: nothing.  */
struct reason { char text[PATH_MAX + 128]; };

static enum ummgr_status
try_topology (const char *file, struct asked *asked, struct reason *why)
{
  int ended;
  *why->text = 0;
  if (file && access (file, R_OK) != 0)
    snprintf (why->text, sizeof why->text, "can't read '%s': %s", file, strerror (errno));
  else if (!ummgr_cli_ask_apart (ask_topology, NULL, asked, sizeof *asked, SECONDS_MAX,
				 &ended))
    snprintf (why->text, sizeof why->text, "hwloc fails at '%s' (%s)",
	      file ? file : "this machine",
	      WIFSIGNALED (ended) ? strsignal (WTERMSIG (ended)) : "no answer");
  else if (asked->status == UMMGR_ERR_INVALID)
    snprintf (why->text, sizeof why->text, "'%s' is no topology that hwloc can read",
	      file ? file : "this machine");
  return *why->text ? UMMGR_ERR_INVALID : asked->status;
}

const char *
ummgr_info_topology_file (void)
{
  const char *file = getenv ("HWLOC_XMLFILE");
  return file && *file ? file : NULL;
}

enum ummgr_status
ummgr_info_load_topology (struct ummgr_topology *out, bool strictly)
{
  const char *file = ummgr_info_topology_file ();
  struct asked *asked = malloc (sizeof *asked);
  struct reason why;
  if (!asked)
    return UMMGR_ERR_NOMEM;
  enum ummgr_status status = try_topology (file, asked, &why);
  if (file && *why.text && strictly)
    ummgr_error ("info: HWLOC_XMLFILE: %s; lstopo FILE.xml writes one, and without the "
		 "variable this machine's topology is shown", why.text);
  else if (file && *why.text)
    {
      ummgr_warn ("info: HWLOC_XMLFILE: %s; this machine's topology is shown", why.text);
      unsetenv ("HWLOC_XMLFILE");
      status = try_topology (NULL, asked, &why);
    }
  else if (*why.text && strictly)
    ummgr_warn ("info: %s: where GPUs are isn't known", why.text);
  if (status == UMMGR_OK)
    *out = asked->topology;
  free (asked);
  return status;
}

bool
ummgr_info_topology (char *buf, size_t size)
{
  struct ummgr_topology *t = malloc (sizeof *t);
  bool good = t && ummgr_info_load_topology (t, false) == UMMGR_OK;
  if (good)
    snprintf (buf, size, "hwloc %s: %u package(s), %u core(s), %u NUMA node(s), %u NVIDIA "
	      "GPU(s) on PCI", t->version, t->packages, t->cores, t->nodes, t->gpus);
  free (t);
  return good;
}
