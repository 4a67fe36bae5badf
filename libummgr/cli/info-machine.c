/* `ummgr info`: the simulated driver and the machine's topology.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state: each is loaded, asked, and let go.  */

#include "config.h"
#include "cli/info.h"
#include "base/log.h"
#include "device/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_HWLOC
# include <hwloc.h>
#endif

enum { SECONDS_MAX = 15 };	/* For an answer.  */

/* Let ASK answer in a child process, so that what crashes or hangs there is not
   this one: a driver, a library that reads a file.  ASK writes to BUF, after a '!'
   where it failed.  Returns waitpid's status, or -1; BUF is empty where there is no
   answer.  */
static int
ask_apart (void (*ask) (const char *file, char *buf, size_t size),
	   const char *file, char *buf, size_t size)
{
  int fds[2], status = -1;
  *buf = 0;
  if (pipe (fds) != 0)
    return -1;
  pid_t child = fork ();
  if (child == 0)
    {
      alarm (SECONDS_MAX);
      ask (file, buf, size);
      _exit (write (fds[1], buf, strlen (buf)) < 0);
    }
  close (fds[1]);
  ssize_t n = child > 0 ? read (fds[0], buf, size - 1) : 0;
  buf[n > 0 ? n : 0] = 0;
  close (fds[0]);
  if (child > 0)
    waitpid (child, &status, 0);
  return status;
}

/* Did it answer, and not that it failed?  BUF is without the mark then.  */
static bool
answered (char *buf)
{
  if (*buf != '!')
    return *buf != 0;
  memmove (buf, buf + 1, strlen (buf));
  return false;
}

bool
ummgr_info_simulator (const struct ummgr_cli_paths *paths, char *buf,
		      size_t size)
{
  char file[PATH_MAX];
  *buf = 0;
  if (!*paths->sim || !ummgr_cli_join (file, paths->sim, "libcuda.so.1"))
    return false;
  if (*paths->profiles)
    setenv ("UMMGR_PROFILE_PATH", paths->profiles, 0);
  ask_apart (ummgr_device_ask_simulated, file, buf, size);
  return answered (buf);
}

#ifdef HAVE_HWLOC
static bool
load_topology (hwloc_topology_t *topology)
{
  if (hwloc_topology_init (topology) != 0)
    return false;
  hwloc_topology_set_io_types_filter (*topology,
				      HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  if (hwloc_topology_load (*topology) == 0)
    return true;
  hwloc_topology_destroy (*topology);
  return false;
}

/* hwloc reads another machine's topology from a file that a variable names, and
   says nothing where it can't.  */
static bool
load_named_topology (hwloc_topology_t *topology, const char *file)
{
  bool named = file && *file;
  bool there = named && access (file, R_OK) == 0;
  int cause = errno;
  if (named && !there)
    ummgr_warn ("info: HWLOC_XMLFILE: can't read '%s': %s; this machine's "
		"topology is shown", file, strerror (cause));
  bool good = load_topology (topology);
  if (good || !there)
    return good;
  ummgr_warn ("info: HWLOC_XMLFILE: '%s' is no topology that hwloc can read; this "
	      "machine's is shown", file);
  unsetenv ("HWLOC_XMLFILE");
  return load_topology (topology);
}

/* Of the machine, or of the one that FILE tells of.  */
static void
ask_topology (const char *file, char *buf, size_t size)
{
  hwloc_topology_t topology;
  if (load_named_topology (&topology, file))
    {
      int gpus = 0;
      for (hwloc_obj_t pci = hwloc_get_next_pcidev (topology, NULL); pci;
	   pci = hwloc_get_next_pcidev (topology, pci))
	/* 0x03: display controllers, 3D controllers among them.  */
	gpus += pci->attr->pcidev.class_id >> 8 == 3
	  && pci->attr->pcidev.vendor_id == 0x10de;
      snprintf (buf, size, "hwloc %s: %d package(s), %d core(s), %d NUMA "
		"node(s), %d NVIDIA GPU(s) on PCI", HWLOC_VERSION,
		hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_PACKAGE),
		hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_CORE),
		hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_NUMANODE), gpus);
      hwloc_topology_destroy (topology);
    }
}

bool
ummgr_info_topology (char *buf, size_t size)
{
  const char *file = getenv ("HWLOC_XMLFILE");
  int status = ask_apart (ask_topology, file, buf, size);
  if (!*buf && file && *file)
    {
      ummgr_warn ("info: HWLOC_XMLFILE: hwloc fails at '%s' (%s); this machine's "
		  "topology is shown", file,
		  WIFSIGNALED (status) ? strsignal (WTERMSIG (status)) : "no answer");
      unsetenv ("HWLOC_XMLFILE");
      ask_apart (ask_topology, NULL, buf, size);
    }
  return answered (buf);
}
#else
bool
ummgr_info_topology (char *buf, size_t size)
{
  return false;
}
#endif
