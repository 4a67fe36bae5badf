/* Finding libgomp's own nvptx plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of its entry points.  The plugin is opened by an absolute
   path, as its soname is the shim's own, and out of the global scope.  */

#include "config.h"
#include "gomp/shim/shim.h"
#include "base/log.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SONAME "libgomp-plugin-nvptx.so.1"

struct ummgr_shim_plugin ummgr_shim_plugin;

/* Is PATH this very library, under whatever name?  */
static bool
is_self (const char *path)
{
  Dl_info info;
  struct stat self, other;
  return dladdr ((void *) is_self, &info) && info.dli_fname
    && stat (info.dli_fname, &self) == 0 && stat (path, &other) == 0
    && self.st_dev == other.st_dev && self.st_ino == other.st_ino;
}

static void *
try_open (const char *path)
{
  struct stat st;
  if (path[0] != '/' || stat (path, &st) != 0 || is_self (path))
    return NULL;
  /* Another copy of the shim would look for the plugin in turn.  */
  void *handle = dlopen (path, RTLD_LAZY | RTLD_LOCAL);
  if (handle && dlsym (handle, "ummgr_shim_api"))
    {
      dlclose (handle);
      return NULL;
    }
  if (!handle)
    ummgr_warn ("shim: %s", dlerror ());
  return handle;
}

/* Beside libgomp itself, then where the system keeps libraries.  */
static void *
search (void)
{
  static const char *const directories[] = {
#if defined __x86_64__
    "/usr/lib/x86_64-linux-gnu",
#elif defined __aarch64__
    "/usr/lib/aarch64-linux-gnu",
#endif
    "/usr/lib64", "/usr/lib", "/usr/local/lib64", "/usr/local/lib", NULL
  };
  char path[PATH_MAX];
  Dl_info info;
  void *libgomp = dlopen ("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void *symbol = libgomp ? dlsym (libgomp, "GOMP_target_ext") : NULL;
  if (symbol && dladdr (symbol, &info) && info.dli_fname)
    {
      const char *slash = strrchr (info.dli_fname, '/');
      if (slash && (size_t) snprintf (path, sizeof path, "%.*s/" SONAME,
				      (int) (slash - info.dli_fname),
				      info.dli_fname) < sizeof path)
	{
	  void *handle = try_open (path);
	  if (handle)
	    return handle;
	}
    }
  for (const char *const *d = directories; *d; d++)
    {
      snprintf (path, sizeof path, "%s/" SONAME, *d);
      void *handle = try_open (path);
      if (handle)
	return handle;
    }
  return NULL;
}

static bool
fill (void *handle)
{
#define ENTRY(RETURN, NAME, ARGS)                                             \
  *(void **) &ummgr_shim_plugin.NAME = dlsym (handle, "GOMP_OFFLOAD_" #NAME); \
  if (!ummgr_shim_plugin.NAME)                                                \
    return false;
  UMMGR_SHIM_WRAPPED (ENTRY)
#undef ENTRY
  static const char *const names[] = {
#define ENTRY(NAME) "GOMP_OFFLOAD_" #NAME,
    UMMGR_SHIM_FORWARDED (ENTRY)
#undef ENTRY
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      void *symbol = dlsym (handle, names[i]);
      if (symbol)
	ummgr_shim_slots[i] = symbol;
    }
  return true;
}

bool
ummgr_shim_load (const struct ummgr_options *options)
{
  void *handle = NULL;
  if (options->nvptx_plugin)
    {
      handle = try_open (options->nvptx_plugin);
      if (!handle)
	ummgr_error ("shim: %s is not libgomp's nvptx plugin; looking "
		     "elsewhere", options->nvptx_plugin);
    }
  if (!handle)
    handle = try_open (UMMGR_NVPTX_PLUGIN);
  if (!handle)
    handle = search ();
  if (!handle)
    {
      ummgr_error ("shim: libgomp's nvptx plugin (" SONAME ") was not found; "
		   "target regions run on the host.  Install it "
		   "(libgomp-plugin-nvptx1), or name it with "
		   "UMMGR_NVPTX_PLUGIN");
      return false;
    }
  if (fill (handle))
    return true;
  ummgr_error ("shim: libgomp's nvptx plugin lacks an entry point: %s; target "
	       "regions run on the host", dlerror ());
  return false;
}

unsigned
ummgr_shim_libgomp_version (void)
{
  void *libgomp = dlopen ("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!libgomp)
    return 1;
  /* New in GCC 13 (libgomp.map).  Nothing that tells 14 apart is known, and
     libgomp's complaint is then one line more, no harm.  */
  return dlsym (libgomp, "omp_get_mapped_ptr") ? 2 : 1;
}
