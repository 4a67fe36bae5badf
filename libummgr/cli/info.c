/* `ummgr info`: what was found, what was not, and what that costs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Nothing missing is an error: the command tells and exits 0.  */

#include "config.h"
#include "cli/info.h"
#include "cli/options.h"
#include "base/human.h"
#include "base/log.h"
#include "base/output.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


struct parts
{
  struct ummgr_info_part part[16];
  size_t count;
  struct ummgr_cli_paths paths;
  int gcc;			/* The major version of the compiler that `ummgr cc' calls.  */
  char package[4][64];		/* Names that depend on it.  */
};

static struct ummgr_info_part *
add (struct parts *parts, const char *key, const char *title,
     const char *cost, const char *package)
{
  struct ummgr_info_part *part = &parts->part[parts->count++];
  part->key = key;
  part->title = title;
  part->cost = cost;
  part->package = package;
  return part;
}

static void
add_gpu (struct parts *parts)
{
  struct ummgr_info_part *part
    = add (parts, "gpu", "GPU", "programs run on the simulated GPU, and their "
	   "GPU times are modelled", "nvidia-driver");
  struct ummgr_cli_gpu gpu;
  ummgr_cli_probe_gpu (&gpu);
  part->found = gpu.devices > 0;
  if (part->found)
    snprintf (part->detail, sizeof part->detail, "%d x %s, %s, driver "
	      "for CUDA %d.%d", gpu.devices, gpu.name, ummgr_human_bytes (gpu.memory).text,
	      gpu.driver_version / 1000, gpu.driver_version % 1000 / 10);
  part = add (parts, "simulator", "simulated GPU",
	      "without a real GPU no region is offloaded", NULL);
  part->found = ummgr_info_simulator (&parts->paths, part->detail,
				      sizeof part->detail);
}

/* What COMMAND prints, on one line.  */
static bool
ask (char *const command[], char *buf, size_t size)
{
  bool good = ummgr_cli_capture (command, buf, size) == 0 && *buf;
  ummgr_cli_first_line (buf);
  return good && *buf;
}

static const char *
compiler (void)
{
  const char *set = getenv ("UMMGR_CC");
  static char first[PATH_MAX];
  snprintf (first, sizeof first, "%s", set && *set ? set : UMMGR_CC);
  first[strcspn (first, " \t")] = 0;
  return first;
}

/* Its major version; where it doesn't say, that of the GCC that this was built with.  */
static int
compiler_version (void)
{
  char text[64];
  char *const command[] = { (char *) compiler (), (char *) "-dumpversion", NULL };
  return ask (command, text, sizeof text) && atoi (text) > 0 ? atoi (text) : __GNUC__;
}

static void
add_compiler (struct parts *parts)
{
  char *cc = (char *) compiler (), text[PATH_MAX];
  char *const version[] = { cc, (char *) "--version", NULL };
  char *const mkoffload[] = { cc,
    (char *) "-print-prog-name=accel/nvptx-none/mkoffload", NULL };
  struct ummgr_info_part *part
    = add (parts, "gcc", "GCC", "`ummgr cc' can't compile", "gcc");
  part->found = ask (version, part->detail, sizeof part->detail);
  part = add (parts, "offload", "offload compiler",
	      "programs are compiled for the host alone", parts->package[0]);
  part->found = ask (mkoffload, text, sizeof text)
    && access (text, X_OK) == 0;
  if (part->found)
    snprintf (part->detail, sizeof part->detail, "nvptx-none");
  part = add (parts, "plugin", "compiler plugin",
	      "programs are compiled without tables: regions have no source "
	      "lines, and policies that need locality can't work",
	      parts->package[1]);
  part->found = *parts->paths.plugin != 0;
  snprintf (part->detail, sizeof part->detail, "%s", parts->paths.plugin);
}

/* The file gcc would link NAME from, with symbolic links followed.  */
static bool
find_library (const char *name, char out[PATH_MAX])
{
  char option[128], found[PATH_MAX];
  snprintf (option, sizeof option, "-print-file-name=%s", name);
  char *const command[] = { (char *) compiler (), option, NULL };
  return ask (command, found, sizeof found) && *found == '/'
    && realpath (found, out);
}

/* The GCC that LIBGOMP came with, by a symbol that was new in each.  */
static const char *
libgomp_version (const char *file)
{
  static const struct { const char *symbol, *gcc; } news[] = {
    { "GOMP_target_map_indirect_ptr", "GCC 14 or later" },
    { "omp_target_memcpy_async", "GCC 13" },
    { "GOMP_teams4", "GCC 12" },
    { "GOMP_alloc", "GCC 11" }
  };
  void *library = dlopen (file, RTLD_LAZY | RTLD_LOCAL);
  for (size_t i = 0; library && i < sizeof news / sizeof *news; i++)
    if (dlsym (library, news[i].symbol))
      return news[i].gcc;
  return library ? "older than GCC 11: not supported" : "can't be loaded";
}

static void
add_libgomp (struct parts *parts)
{
  char file[PATH_MAX];
  struct ummgr_info_part *part
    = add (parts, "libgomp", "libgomp", "no OpenMP program runs", "libgomp1");
  part->found = find_library ("libgomp.so.1", file);
  if (part->found)
    snprintf (part->detail, sizeof part->detail, "%s (%s)", file,
	      libgomp_version (file));
  part = add (parts, "nvptx_plugin", "libgomp's nvptx plugin",
	      "regions run on the host, and there is nothing to manage",
	      "libgomp-plugin-nvptx1");
  const char *set = getenv ("UMMGR_NVPTX_PLUGIN");
  part->found = set && *set ? realpath (set, file) != NULL
    : find_library ("libgomp-plugin-nvptx.so.1", file)
      || realpath (UMMGR_NVPTX_PLUGIN, file) != NULL;
  snprintf (part->detail, sizeof part->detail, "%s", part->found ? file
	    : set && *set ? set : "");
}

static void
add_own (struct parts *parts)
{
  struct ummgr_info_part *part
    = add (parts, "library", "libummgr", "`ummgr run' can't work", NULL);
  part->found = *parts->paths.library != 0;
  snprintf (part->detail, sizeof part->detail, "%s", parts->paths.library);
  part = add (parts, "shim", "shim for libgomp",
	      "programs can't be managed by the environment alone, and "
	      "libgomp's own allocations are not seen", NULL);
  part->found = *parts->paths.shim != 0;
  snprintf (part->detail, sizeof part->detail, "%s", parts->paths.shim);
}

static void
add_rest (struct parts *parts)
{
  static const char *const names[]
    = { "libcupti.so.13", "libcupti.so.12", "libcupti.so",
	"/usr/local/cuda/extras/CUPTI/lib64/libcupti.so" };
  struct ummgr_info_part *part
    = add (parts, "topology", "topology", "devices are numbered, but where "
	   "they are in the machine is not known", UMMGR_INFO_HWLOC);
  part->found = ummgr_info_topology (part->detail, sizeof part->detail);
  part = add (parts, "cupti", "CUPTI", "runs on a real GPU have no counts of "
	      "faults and migrations", "nvidia-cuda-toolkit");
  for (size_t i = 0; i < sizeof names / sizeof *names && !part->found; i++)
    {
      void *library = dlopen (names[i], RTLD_LAZY | RTLD_LOCAL);
      part->found = library != NULL;
      snprintf (part->detail, sizeof part->detail, "%s", library
		? names[i] : "");
    }
}

static void
print_text (const struct parts *parts)
{
  puts ("ummgr " PACKAGE_VERSION);
  for (size_t i = 0; i < parts->count; i++)
    {
      const struct ummgr_info_part *p = &parts->part[i];
      printf ("%-22s  %s%s%s\n", p->title, p->found ? "" : "not found",
	      p->found || !*p->detail ? "" : ": ", p->detail);
      if (p->found)
	continue;
      printf ("%-22s    cost: %s\n", "", p->cost);
      if (p->package)
	printf ("%-22s    Debian package: %s\n", "", p->package);
    }
}

static void
print_json (const struct parts *parts)
{
  json_t *out = json_object ();
  json_object_set_new (out, "ummgr", json_string (PACKAGE_VERSION));
  for (size_t i = 0; i < parts->count; i++)
    {
      const struct ummgr_info_part *p = &parts->part[i];
      json_t *part = json_object ();
      json_object_set_new (part, "found", json_boolean (p->found));
      json_object_set_new (part, "detail", json_string (p->detail));
      if (!p->found)
	{
	  json_object_set_new (part, "cost", json_string (p->cost));
	  json_object_set_new (part, "package", p->package
			       ? json_string (p->package) : json_null ());
	}
      json_object_set_new (out, p->key, part);
    }
  json_dumpf (out, stdout, JSON_INDENT (1));
  putchar ('\n');
  json_decref (out);
}

/* --- options ------------------------------------------------------------------ */

struct wanted
{
  bool json;
  const char *topology;		/* A file, NO_FILE, or NULL: not asked for.  */
  struct ummgr_options gpus;	/* Which.  */
};

#define NO_FILE "-"

#define ROW(NAME, TYPE, FIELD, HELP, ...)                                      \
  UMMGR_OPTION (NAME, TYPE, struct wanted, FIELD, HELP, __VA_ARGS__)

const struct ummgr_option ummgr_info_rows[] = {
  ROW ("json", FLAG, json, "one JSON object", .letter = 'j'),
  ROW ("topology", TEXT, topology,
       "show GPUs, NUMA nodes and what lies between them instead, or write a picture of "
       "them: FILE.svg", .absent = NO_FILE, .means = UMMGR_OPTION_FILE),
  ROW ("gpu", NAME, gpus.gpu, "which GPUs, as for ummgr run", .values = "auto cuda sim"),
  ROW ("gpus", COUNT, gpus.gpus, "so many simulated GPUs"),
  ROW ("profile", TEXT, gpus.profile, "simulated GPUs of this profile",
       .means = UMMGR_OPTION_PROFILE),
  { .name = NULL }
};

/* For what asks later, this process and its children.  Which GPUs are simulated is asked for only
   where they shall be.  */
static bool
set_gpus (const struct ummgr_options *gpus)
{
  char count[32];
  bool simulated = gpus->gpus || gpus->profile;
  const char *gpu = gpus->gpu ? gpus->gpu : simulated ? "sim" : NULL;
  snprintf (count, sizeof count, "%llu", (unsigned long long) gpus->gpus);
  return (!gpu || setenv ("UMMGR_GPU", gpu, 1) == 0)
	 && (!gpus->gpus || setenv ("UMMGR_GPUS", count, 1) == 0)
	 && (!gpus->profile || setenv ("UMMGR_PROFILE", gpus->profile, 1) == 0);
}

static bool
is_picture (const char *file)
{
  const char *suffix = strrchr (file, '.');
  if (strcmp (file, NO_FILE) == 0 || (suffix && strcmp (suffix, ".svg") == 0))
    return true;
  ummgr_error ("--topology: '%s': a picture is written as SVG, and its name ends in .svg; "
	       "rsvg-convert, for one, makes PNG of it", file);
  return false;
}

static int
show_topology (const struct wanted *wanted, const struct ummgr_cli_paths *paths)
{
  static const char *const names[] = { "gpu", "gpus", "profile", NULL };
  struct ummgr_options options;
  const char *picture = strcmp (wanted->topology, NO_FILE) != 0 ? wanted->topology : NULL;
  struct ummgr_info_map *map = malloc (sizeof *map);
  bool good = map && !ummgr_options_some_from_environment (&options, names)
    && ummgr_info_map (map, &options, paths);
  if (good && picture)
    good = !ummgr_output_write ("info", picture, ummgr_info_map_svg, map);
  if (good && wanted->json)
    good = ummgr_info_map_json (map);
  else if (good && !picture)
    ummgr_info_map_text (map);
  free (map);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}

int
ummgr_cli_info (int argc, char **argv)
{
  static struct parts parts;
  struct wanted wanted = { .json = false };
  struct ummgr_cli_files files = { .what = "argument", .usage = "", .optional = true };
  if (!ummgr_cli_parse (ummgr_info_rows, &wanted, &files,
			"Show what was found of GPU, compiler and libraries, and what each "
			"missing part costs.", argc, argv))
    return UMMGR_EXIT_FAILURE;
  if (files.count)
    {
      ummgr_error ("info: unexpected argument '%s'", files.name[0]);
      return UMMGR_EXIT_FAILURE;
    }
  if ((wanted.topology && !is_picture (wanted.topology)) || !set_gpus (&wanted.gpus))
    return UMMGR_EXIT_FAILURE;
  if (wanted.topology)
    {
      ummgr_cli_find_paths (&parts.paths);
      return show_topology (&wanted, &parts.paths);
    }
  parts.gcc = compiler_version ();
  snprintf (parts.package[0], sizeof parts.package[0],
	    "gcc-%d-offload-nvptx", parts.gcc);
  snprintf (parts.package[1], sizeof parts.package[1],
	    "gcc-%d-plugin-dev (then build ummgr again)", parts.gcc);
  ummgr_cli_find_paths (&parts.paths);
  ummgr_cli_find_plugin (&parts.paths, parts.gcc);
  add_gpu (&parts);
  add_compiler (&parts);
  add_libgomp (&parts);
  add_own (&parts);
  add_rest (&parts);
  (wanted.json ? print_json : print_text) (&parts);
  return 0;
}
