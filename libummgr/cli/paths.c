/* Where the command finds the other parts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Beside the executable: stage/lib in a build tree, ../lib or the like
   installed (also where the whole was moved); then where it was configured to
   be.  */

#include "config.h"
#include "cli/cli.h"
#include "base/self.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY "libummgr.so"
#define SHIM "ummgr/libgomp-plugin-nvptx.so.1"
#define SIM "ummgr/sim"
#define TRACE_OBJECT "ummgr-trace.o"

bool
ummgr_cli_join (char out[PATH_MAX], const char *directory, const char *name)
{
  int n = snprintf (out, PATH_MAX, "%s/%s", directory, name);
  if (n > 0 && n < PATH_MAX && access (out, F_OK) == 0)
    return true;
  *out = 0;
  return false;
}

/* The directory of this executable.  */
static bool
own_directory (char out[PATH_MAX])
{
  if (!realpath (ummgr_self_file (), out))
    return false;
  char *slash = strrchr (out, '/');
  if (!slash)
    return false;
  *slash = 0;
  return true;
}

static bool
take_libdir (struct ummgr_cli_paths *paths, const char *base,
	     const char *relative)
{
  char directory[PATH_MAX], library[PATH_MAX];
  if (!ummgr_cli_join (directory, base, relative)
      || !ummgr_cli_join (library, directory, LIBRARY)
      || !realpath (directory, paths->libdir))
    return false;
  ummgr_cli_join (paths->library, paths->libdir, LIBRARY);
  ummgr_cli_join (paths->shim, paths->libdir, SHIM);
  ummgr_cli_join (paths->sim, paths->libdir, SIM);
  return true;
}

/* From the directory of the programs to that of the libraries, which may be
   lib64 or lib/x86_64-linux-gnu: also where the installed tree was moved.  */
static const char *
relative_libdir (void)
{
  static const char bindir[] = UMMGR_BINDIR, libdir[] = UMMGR_LIBDIR;
  static char buf[sizeof "../" + sizeof libdir];
  size_t n = strlen (bindir);
  while (n && bindir[n - 1] != '/')
    n--;
  if (strncmp (bindir, libdir, n) != 0)
    return "../lib";
  snprintf (buf, sizeof buf, "../%s", libdir + n);
  return buf;
}

/* In a build tree plugins/gcc-N is that of another GCC's plugin.  */
static void
find_plugin_of_tree (struct ummgr_cli_paths *paths, int version)
{
  char name[128];
  bool own = version == __GNUC__;
  snprintf (name, sizeof name, own ? "../gcc-plugin/.libs/ummgr.so"
	    : "../plugins/gcc-%d/gcc-plugin/.libs/ummgr.so", version);
  ummgr_cli_join (paths->plugin, paths->tree, name);
  snprintf (name, sizeof name, own ? TRACE_OBJECT
	    : "../plugins/gcc-%d/libummgr/" TRACE_OBJECT, version);
  ummgr_cli_join (paths->trace_object, paths->tree, name);
}

bool
ummgr_cli_find_plugin (struct ummgr_cli_paths *paths, int version)
{
  char name[64];
  *paths->plugin = *paths->trace_object = 0;
  if (*paths->tree)
    find_plugin_of_tree (paths, version);
  else if (*paths->libdir)
    {
      snprintf (name, sizeof name, "ummgr/gcc-%d/ummgr.so", version);
      if (!ummgr_cli_join (paths->plugin, paths->libdir, name) && version == __GNUC__)
	ummgr_cli_join (paths->plugin, UMMGR_PLUGIN_DIR, "ummgr.so");
      snprintf (name, sizeof name, "ummgr/gcc-%d/" TRACE_OBJECT, version);
      ummgr_cli_join (paths->trace_object, paths->libdir, name);
    }
  return *paths->plugin;
}

void
ummgr_cli_find_paths (struct ummgr_cli_paths *paths)
{
  char here[PATH_MAX];
  memset (paths, 0, sizeof *paths);
  bool known = own_directory (here);
  if (known && take_libdir (paths, here, "stage/lib"))
    {
      snprintf (paths->tree, sizeof paths->tree, "%s", here);
      ummgr_cli_find_plugin (paths, __GNUC__);
      ummgr_cli_join (paths->profiles, here, "stage/share/ummgr/profiles");
      ummgr_cli_join (paths->manuals, here, "stage/share/man/man1");
      return;
    }
  if (known && (take_libdir (paths, here, relative_libdir ())
		|| take_libdir (paths, here, "../lib")))
    {
      ummgr_cli_join (paths->profiles, here, "../share/ummgr/profiles");
      ummgr_cli_join (paths->manuals, here, "../share/man/man1");
    }
  else if (!take_libdir (paths, UMMGR_LIBDIR, "."))
    return;
  ummgr_cli_find_plugin (paths, __GNUC__);
}

int
ummgr_cli_find_program (const char *name, char out[PATH_MAX])
{
  struct stat st;
  if (strchr (name, '/'))
    {
      snprintf (out, PATH_MAX, "%s", name);
      if (stat (out, &st) != 0)
	return errno;
      return S_ISREG (st.st_mode) && access (out, X_OK) == 0 ? 0 : EACCES;
    }
  const char *path = getenv ("PATH");
  int error = ENOENT;
  for (const char *p = path ? path : "/usr/bin:/bin"; p; )
    {
      size_t n = strcspn (p, ":");
      int m = snprintf (out, PATH_MAX, "%.*s/%s", n ? (int) n : 1,
			n ? p : ".", name);
      if (m < PATH_MAX && stat (out, &st) == 0 && S_ISREG (st.st_mode))
	{
	  if (access (out, X_OK) == 0)
	    return 0;
	  error = EACCES;
	}
      p = p[n] ? p + n + 1 : NULL;
    }
  return error;
}

int
ummgr_cli_capture (char *const argv[], char *buf, size_t size)
{
  int fds[2];
  *buf = 0;
  if (pipe2 (fds, O_CLOEXEC) != 0)
    return -1;
  pid_t child = fork ();
  if (child == 0)
    {
      int null = open ("/dev/null", O_RDWR);
      dup2 (null, 0);
      dup2 (fds[1], 1);
      dup2 (null, 2);
      execvp (argv[0], argv);
      _exit (127);
    }
  close (fds[1]);
  size_t used = 0;
  for (;;)
    {
      /* Read on when BUF is full: the child must not block.  */
      char rest[512];
      bool full = used + 1 >= size;
      ssize_t n = read (fds[0], full ? rest : buf + used,
			full ? sizeof rest : size - 1 - used);
      if (n < 0 && errno == EINTR)
	continue;
      if (n <= 0)
	break;
      used += full ? 0 : n;
    }
  buf[used] = 0;
  close (fds[0]);
  int status;
  if (child < 0 || waitpid (child, &status, 0) != child || !WIFEXITED (status))
    return -1;
  return WEXITSTATUS (status);
}

void
ummgr_cli_first_line (char *text)
{
  text[strcspn (text, "\n")] = 0;
}
