/* The objects made of PTX, kept from run to run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   $XDG_CACHE_HOME/ummgr/kernels, or ~/.cache/ummgr/kernels, has one object a module, by
   the hash of its text and of all that its code depends on.  The directory must be the
   user's, and writable by nobody else: what is in it is run.  What an installation
   brought along ($pkglibdir/kernels) is looked at first.  */

#include "config.h"
#include "simcuda/ptx/engine.h"
#include "simcuda/ptx/ptx.h"
#include "simcuda/ptx/translator.h"
#include "base/log.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if HAVE_XXHASH
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

/* What the directory may hold; the oldest go first.  */
#define MOST_BYTES ((off_t) 256 << 20)

static const char abi_text[] =
#include "simcuda/ptx/abi-text.h"
  ;

extern char **environ;

/* With room for a name behind it in PATH_MAX bytes.  */
static char directory[PATH_MAX - 512];

/* --- names ---------------------------------------------------------------- */

static bool
usable (const char *path)
{
  struct stat st;
  if (mkdir (path, 0700) != 0 && errno != EEXIST)
    {
      ummgr_warn ("simcuda: %s: %s; set XDG_CACHE_HOME to a directory for translated "
		  "kernels", path, strerror (errno));
      return false;
    }
  if (lstat (path, &st) != 0 || !S_ISDIR (st.st_mode) || st.st_uid != geteuid ()
      || (st.st_mode & 022))
    {
      ummgr_warn ("simcuda: %s is not a directory that only its user can write to; "
		  "translated kernels are run from there, so it is not used", path);
      return false;
    }
  return true;
}

/* Find or make the directory; false after one message.  */
static bool
find_directory (void)
{
  static int state;		/* 0 not tried, 1 there, -1 not.  */
  if (state)
    return state > 0;
  state = -1;
  const char *base = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  char path[sizeof directory - 32];
  bool common = true;		/* For other programs, too.  */
  int n;
  if (base && *base == '/')
    n = snprintf (path, sizeof path, "%s", base);
  else if (home && *home == '/')
    n = snprintf (path, sizeof path, "%s/.cache", home);
  else
    {
      n = snprintf (path, sizeof path, "/tmp/ummgr-%u", (unsigned) geteuid ());
      common = false;
    }
  if (n >= (int) sizeof path)
    return false;
  if (common)
    mkdir (path, 0700);
  else if (!usable (path))
    return false;
  snprintf (directory, sizeof directory, "%s/ummgr", path);
  if (!usable (directory))
    return false;
  strcat (directory, "/kernels");
  if (!usable (directory))
    return false;
  state = 1;
  return true;
}

/* Is there a program called NAME?  */
static bool
on_path (const char *name)
{
  const char *path = getenv ("PATH");
  char file[PATH_MAX];
  if (strchr (name, '/'))
    return access (name, X_OK) == 0;
  for (const char *p = path ? path : "/usr/bin:/bin", *end; *p; p = end + (*end == ':'))
    {
      end = strchrnul (p, ':');
      int n = snprintf (file, sizeof file, "%.*s/%s", (int) (end - p), p, name);
      if (n < (int) sizeof file && access (file, X_OK) == 0)
	return true;
    }
  return false;
}

/* The user's, or one that is there: a distribution may have the one that ummgr was built with and no other, under
   its versioned name.  Asked for each text, looked for once.  */
static const char *
compiler (void)
{
  static const char *const some[] = { "gcc", UMMGR_KERNEL_CC, "cc" };
  static const char *_Atomic found;
  const char *cc = getenv ("UMMGR_KERNEL_CC");
  if (cc && *cc)
    return cc;
  for (size_t i = 0; i < sizeof some / sizeof *some && !found; i++)
    if (on_path (some[i]))
      found = some[i];
  return found ? found : some[0];
}

/* -m options for what GCC's PTX takes for granted and x86-64 has as an extension.  */
static const char *
fma_option (void)
{
#if defined __x86_64__
  return __builtin_cpu_supports ("fma") && __builtin_cpu_supports ("avx2")
	 ? "-mavx2" : "";
#else
  return "";
#endif
}

static bool
split_fma (void)
{
  const char *v = getenv ("UMMGR_KERNEL_FMA");
  return v && strcmp (v, "split") == 0;
}

/* The name of TEXT's object, without a directory.  */
static void
object_name (const struct ptx_text *text, bool watched, char name[64])
{
#if HAVE_XXHASH
  char about[512];
  snprintf (about, sizeof about, "%u %s %s %d %d", PTX_TRANSLATOR, compiler (), fma_option (),
	    watched, split_fma ());
  XXH128_hash_t h = XXH3_128bits_withSeed (text->text, text->size,
					   XXH3_64bits (about, strlen (about)));
  snprintf (name, 64, "%016llx%016llx.so", (unsigned long long) h.high64,
	    (unsigned long long) h.low64);
#else
  (void) text;
  (void) watched;
  *name = 0;
#endif
}

/* What came with the installation: kernels/ beside the directory of this library.  */
static const char *
installed (void)
{
  static char path[PATH_MAX - 512];
  static bool looked;
  Dl_info info;
  if (!looked && dladdr (abi_text, &info) && info.dli_fname)
    {
      const char *slash = strrchr (info.dli_fname, '/');
      int n = slash ? slash - info.dli_fname : 0;
      if (snprintf (path, sizeof path, "%.*s/../kernels", n, info.dli_fname)
	  >= (int) sizeof path)
	*path = 0;
    }
  looked = true;
  return path;
}

/* One text's object.  */
struct object
{
  const struct ptx_text *text;
  char path[PATH_MAX];		/* Where it is, or is to be.  */
  /* While it is made: by whom, and under what name of its own.  */
  pid_t pid;
  char made[PATH_MAX];
};

/* Find TEXT's; false: it must be made.  */
static bool
find_object (struct object *o, const struct ptx_text *text, bool watched)
{
  char name[64];
  o->text = text;
  object_name (text, watched, name);
  snprintf (o->path, sizeof o->path, "%s/%s", installed (), name);
  if (access (o->path, R_OK) == 0)
    return true;
  snprintf (o->path, sizeof o->path, "%s/%s", directory, name);
  return access (o->path, R_OK) == 0;
}

/* What else there is while O is made.  */
static void
beside (const char *made, const char *suffix, char path[PATH_MAX])
{
  snprintf (path, PATH_MAX, "%.*s%s", PATH_MAX - 40, made, suffix);
}

/* --- compiling ------------------------------------------------------------ */

/* The program's environment without what is meant for the program.  */
static char **
clean_environment (void)
{
  size_t n = 0, k = 0;
  while (environ[n])
    n++;
  char **clean = calloc (n + 1, sizeof *clean);
  for (size_t i = 0; clean && i < n; i++)
    if (strncmp (environ[i], "LD_", 3) != 0 && strncmp (environ[i], "UMMGR_", 6) != 0)
      clean[k++] = environ[i];
  return clean;
}

/* Write TEXT's C to PATH; false after one message.  */
static bool
translate (const struct ptx_text *text, bool watched, const char *path)
{
  struct ptx_module *module = ptx_parse (text->text, text->size);
  if (!module || *module->error)
    {
      ummgr_warn ("simcuda: PTX that can't be read: %s; its kernels run as their host "
		  "versions", module ? module->error : "no memory");
      ptx_free (module);
      return false;
    }
  FILE *out = fopen (path, "w");
  if (out)
    {
      fprintf (out, "#define PTX_MODULE 1\n%s%s%s\n", watched ? "#define PTX_WATCH 1\n" : "",
	       split_fma () ? "#define PTX_SPLIT_FMA 1\n" : "", abi_text);
      ptx_emit (module, out);
    }
  bool ok = out && !ferror (out);
  if (out && fclose (out) != 0)
    ok = false;
  if (!ok)
    ummgr_warn ("simcuda: %s: %s", path, strerror (errno));
  ptx_free (module);
  return ok;
}

/* Start the compiler; its process, or 0 after one message.  */
static pid_t
start (const char *source, const char *object)
{
  char log[PATH_MAX];
  beside (object, ".log", log);
  const char *argv[24] = { compiler (), "-O2", "-w", "-std=gnu11", "-fPIC", "-shared",
    "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off", "-fno-math-errno",
    "-fno-trapping-math", "-fvisibility=default", "-fno-stack-protector", "-fexceptions",
    "-U_FORTIFY_SOURCE", "-o", object, source };
  int n = 18;
  if (*fma_option ())
    {
      argv[n++] = fma_option ();
      argv[n++] = "-mfma";
    }
  argv[n++] = "-lm";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2 (&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init (&attributes);
  sigset_t none;
  sigemptyset (&none);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK);
  char **env = clean_environment ();
  pid_t pid = 0;
  int error = posix_spawnp (&pid, argv[0], &actions, &attributes, (char *const *) argv,
			    env ? env : environ);
  free (env);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  if (error)
    {
      ummgr_warn ("simcuda: %s: %s; kernels need a C compiler (UMMGR_KERNEL_CC), and run "
		  "as their host versions without", argv[0], strerror (error));
      return 0;
    }
  return pid;
}

static bool
finish (struct object *o)
{
  char path[PATH_MAX];
  int status = 0;
  pid_t got;
  do
    got = waitpid (o->pid, &status, 0);
  while (got < 0 && errno == EINTR);
  /* A program that ignores SIGCHLD has its children reaped: the object tells.  */
  bool ok = got < 0 ? access (o->made, R_OK) == 0
		    : WIFEXITED (status) && WEXITSTATUS (status) == 0;
  if (ok && rename (o->made, o->path) != 0)
    ok = false;
  beside (o->made, ".log", path);
  if (ok)
    unlink (path);
  else
    {
      ummgr_warn ("simcuda: %s can't compile a translated module: see %s; its kernels run "
		  "as their host versions", compiler (), path);
      unlink (o->made);
    }
  beside (o->made, ".c", path);
  if (ok && !getenv ("UMMGR_KERNEL_KEEP"))
    unlink (path);
  return ok;
}

static bool
begin (struct object *o, bool watched)
{
  char source[PATH_MAX], own[32];
  snprintf (own, sizeof own, ".%d", (int) getpid ());
  beside (o->path, own, o->made);
  beside (o->made, ".c", source);
  if (!translate (o->text, watched, source))
    return false;
  o->pid = start (source, o->made);
  return o->pid > 0;
}

/* --- the size of it ------------------------------------------------------- */

static int
by_age (const struct dirent **a, const struct dirent **b)
{
  struct stat x, y;
  char path[PATH_MAX];
  snprintf (path, sizeof path, "%s/%s", directory, (*a)->d_name);
  if (stat (path, &x) != 0)
    return -1;
  snprintf (path, sizeof path, "%s/%s", directory, (*b)->d_name);
  if (stat (path, &y) != 0)
    return 1;
  return x.st_mtime < y.st_mtime ? -1 : x.st_mtime > y.st_mtime;
}

static int
is_file (const struct dirent *d)
{
  return d->d_name[0] != '.';
}

static void
shrink (void)
{
  struct dirent **entry;
  int n = scandir (directory, &entry, is_file, by_age);
  off_t sum = 0;
  for (int i = n - 1; i >= 0; i--)
    {
      char path[PATH_MAX];
      struct stat st;
      snprintf (path, sizeof path, "%s/%s", directory, entry[i]->d_name);
      if (stat (path, &st) == 0)
	sum += st.st_size;
      if (sum > MOST_BYTES)
	unlink (path);
      free (entry[i]);
    }
  if (n >= 0)
    free (entry);
}

/* --- opening -------------------------------------------------------------- */

/* A copy without a name: opening the same file again would give the same variables.  So
   would opening the name of one that is open, as dlopen goes by names first, and descriptors'
   numbers come again: each copy's path is spelt in a way of its own, a "/." or a "/" for
   each bit of its number.  */
static void *
open_copy (const char *path)
{
  static atomic_uint copies;
  int from = open (path, O_RDONLY | O_CLOEXEC);
  int to = memfd_create ("ummgr-kernels", MFD_CLOEXEC);
  void *handle = NULL;
  struct stat st;
  if (from >= 0 && to >= 0 && fstat (from, &st) == 0)
    {
      char name[128] = "/proc/self/fd", *end = name + strlen (name);
      off_t at = 0;
      ssize_t n = 1;
      while (at < st.st_size && n > 0)
	n = copy_file_range (from, &at, to, NULL, st.st_size - at, 0);
      char buffer[4096];
      while (at < st.st_size && (n = pread (from, buffer, sizeof buffer, at)) > 0
	     && write (to, buffer, n) == n)
	at += n;
      for (unsigned bits = atomic_fetch_add (&copies, 1) + 1; bits; bits >>= 1)
	end = stpcpy (end, bits & 1 ? "/." : "/");
      sprintf (end, "/%d", to);
      if (at == st.st_size)
	handle = dlopen (name, RTLD_NOW | RTLD_LOCAL);
    }
  if (from >= 0)
    close (from);
  if (to >= 0)
    close (to);
  return handle;
}

static void *
open_object (const char *path)
{
  void *here = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  void *handle = here ? open_copy (path) : dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (here)
    dlclose (here);
  if (!handle)
    ummgr_warn ("simcuda: %s: %s", path, dlerror ());
  else
    utimensat (AT_FDCWD, path, NULL, 0);
  return handle;
}

/* Have those of COUNT objects made that are not there, some at a time.  */
static bool
make_objects (struct object *object, const struct ptx_text *text, size_t count, bool watched)
{
  long most = sysconf (_SC_NPROCESSORS_ONLN);
  if (most < 1)
    most = 1;
  struct object **way = calloc (count, sizeof *way);
  if (!way)
    return false;
  size_t begun = 0, finished = 0;
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++)
    {
      if (find_object (&object[i], &text[i], watched))
	continue;
      if (begun - finished >= (size_t) most)
	ok &= finish (way[finished++]);
      if (ok && begin (&object[i], watched))
	way[begun++] = &object[i];
      else
	ok = false;
    }
  while (finished < begun)
    ok &= finish (way[finished++]);
  free (way);
  if (begun)
    shrink ();
  return ok;
}

size_t
ptx_store_open (const struct ptx_text *text, size_t count, bool watched, void **handle)
{
#if !HAVE_XXHASH
  ummgr_warn ("simcuda: --kernels=ptx has no effect: ummgr was built without libxxhash");
  return 0;
#endif
  struct object *object = find_directory () ? calloc (count, sizeof *object) : NULL;
  size_t opened = 0;
  if (object && make_objects (object, text, count, watched))
    while (opened < count && (handle[opened] = open_object (object[opened].path)))
      opened++;
  free (object);
  return opened;
}
