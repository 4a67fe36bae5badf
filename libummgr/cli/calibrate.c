/* `ummgr calibrate`: measure a GPU, and write a profile of it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "base/log.h"
#include "base/output.h"
#include "base/table.h"
#include "calibrate/calibrate.h"
#include "device/cuda.h"
#include "device/sim.h"

#include <errno.h>
#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct arguments
{
  const char *gpu, *profile;
  bool json, force, quiet;
};

#define ROW(NAME, TYPE, FIELD, HELP, ...)                                     \
  UMMGR_OPTION (NAME, TYPE, struct arguments, FIELD, HELP, __VA_ARGS__)

const struct ummgr_option ummgr_calibrate_rows[] = {
  ROW ("gpu", NAME, gpu,
       "which GPU: the first real one, or the simulated one, whose times are modelled",
       .values = "cuda sim", .fallback = "cuda"),
  ROW ("profile", TEXT, profile, "machine to simulate (default: as of ummgr run)",
       .means = UMMGR_OPTION_PROFILE),
  ROW ("force", FLAG, force, "replace FILE if it is there", .letter = 'f'),
  ROW ("json", FLAG, json, "print the figures as one JSON object"),
  ROW ("quiet", FLAG, quiet, "do not tell what is being measured", .letter = 'q'),
  { .name = NULL }
};

static const char doc[]
  = "Measure what a GPU costs to use, print it, and write it to FILE, a profile that "
    "--profile takes (NAME.conf).\vTakes less than a minute and no more than a quarter "
    "of the GPU's free memory.";

/* --- which GPU ---------------------------------------------------------------- */

static bool
open_simulated (const struct arguments *a, const struct ummgr_cli_paths *paths)
{
  char file[PATH_MAX];
  if (!*paths->sim || !ummgr_cli_join (file, paths->sim, "libcuda.so.1"))
    {
      ummgr_error ("calibrate: --gpu=sim: the simulated driver (ummgr/sim/libcuda.so.1) is "
		   "not installed with this command");
      return false;
    }
  if (*paths->profiles)
    setenv ("UMMGR_PROFILE_PATH", paths->profiles, 0);
  if (a->profile)
    setenv ("UMMGR_PROFILE", a->profile, 1);
  /* There is no host version of what runs on the GPU here.  */
  setenv ("UMMGR_KERNELS", "ptx", 1);
  /* So that it runs on a GPU that is modelled warp by warp, with its faults in batches.  */
  setenv ("UMMGR_FIDELITY", "access", 1);
  return ummgr_device_load_simulated (file) && ummgr_cuda_open ("sim");
}

static bool
open_real (const struct arguments *a)
{
  struct ummgr_cli_gpu gpu;
  if (a->profile)
    ummgr_warn ("calibrate: --profile concerns the simulated GPU only");
  ummgr_cli_probe_gpu (&gpu);
  if (gpu.devices && ummgr_cuda_open ("cuda"))
    return true;
  ummgr_error ("calibrate: no GPU: libcuda.so.1 is missing or finds no device; --gpu=sim "
	       "measures the simulated one");
  return false;
}

/* --- output ------------------------------------------------------------------- */

static const char *
from_of (const struct ummgr_calibration_row *r)
{
  static const char *const sources[] = UMMGR_FIGURE_SOURCES;
  return r->measured ? "measured" : sources[r->source];
}

static void
add_measured (struct ummgr_table *lines, const char *key, const char *text,
	      const struct ummgr_measurement *m)
{
  if (m->value > 0)
    ummgr_table_add (lines, "%s\t%s\tmeasured\t%.1f%%\n", key, text, m->spread * 100);
}

static void
print_text (const struct ummgr_calibration *c, const struct ummgr_calibration_row *rows)
{
  char key[80], text[80];
  struct ummgr_table lines = { .columns = "lrlr" };
  ummgr_table_add (&lines, "figure\tvalue\tfrom\tspread\n");
  for (int i = 0; i < UMMGR_FIGURES; i++)
    {
      const struct ummgr_calibration_row *r = &rows[i];
      if (r->measured)
	add_measured (&lines, r->key, r->text, r->measured);
      else
	ummgr_table_add (&lines, "%s\t%s\t%s\n", r->key, r->text, from_of (r));
    }
  for (int i = 0; i < c->devices; i++)
    for (int j = i + 1; j < c->devices; j++)
      {
	snprintf (key, sizeof key, "peer rate %d %d", i, j);
	snprintf (text, sizeof text, "%.6g GB/s", c->peer[i][j].value / 1e9);
	add_measured (&lines, key, text, &c->peer[i][j]);
      }
  for (int i = 0; i < UMMGR_BESIDES; i++)
    {
      ummgr_calibration_beside (c, i, text);
      add_measured (&lines, ummgr_besides[i].key, text, &c->beside[i]);
    }
  ummgr_table_end (&lines, stdout);
}

static json_t *
figures_json (const struct ummgr_calibration_row *rows)
{
  json_t *all = json_object ();
  for (int i = 0; i < UMMGR_FIGURES; i++)
    {
      const struct ummgr_calibration_row *r = &rows[i];
      json_t *j = json_pack ("{s:o, s:s, s:s}", "value",
			     i == UMMGR_FIGURE_name ? ummgr_json_text (r->text)
			     : json_real (r->number), "text", r->text, "from",
			     from_of (r));
      if (r->measured)
	json_object_set_new (j, "spread", json_real (r->measured->spread));
      if (r->measured && r->source == UMMGR_FIGURE_PROFILE)
	json_object_set_new (j, "deviation", json_real (r->deviation));
      json_object_set_new (all, r->key, j);
    }
  return all;
}

static json_t *
measurement_json (const struct ummgr_measurement *m)
{
  return json_pack ("{s:f, s:f}", "value", m->value, "spread", m->spread);
}

static json_t *
beside_json (const struct ummgr_calibration *c)
{
  json_t *all = json_object ();
  for (int i = 0; i < UMMGR_BESIDES; i++)
    if (c->beside[i].value > 0)
      json_object_set_new (all, ummgr_besides[i].key, measurement_json (&c->beside[i]));
  return all;
}

static json_t *
peers_json (const struct ummgr_calibration *c)
{
  json_t *all = json_array ();
  for (int i = 0; i < c->devices; i++)
    for (int j = i + 1; j < c->devices; j++)
      if (c->peer[i][j].value > 0)
	{
	  json_t *pair = measurement_json (&c->peer[i][j]);
	  json_object_set_new (pair, "devices", json_pack ("[i, i]", i, j));
	  json_array_append_new (all, pair);
	}
  return all;
}

/* The figure that is farthest from what the simulated machine has; null on others.  */
static void
add_worst (json_t *out, const struct ummgr_calibration_row *rows)
{
  int worst = -1;
  for (int i = 0; i < UMMGR_FIGURES; i++)
    if (rows[i].measured && rows[i].source == UMMGR_FIGURE_PROFILE
	&& (worst < 0 || fabs (rows[i].deviation) > fabs (rows[worst].deviation)))
      worst = i;
  json_object_set_new (out, "worst", worst < 0 ? json_null ()
		       : json_string (rows[worst].key));
  json_object_set_new (out, "worst_deviation", worst < 0 ? json_null ()
		       : json_real (rows[worst].deviation));
}

static bool
print_json (const struct ummgr_calibration_profile *p,
	    const struct ummgr_calibration_row *rows)
{
  const struct ummgr_calibration *c = p->calibration;
  json_t *out
    = json_pack ("{s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o}", "name", "calibrate", "date",
		 p->date, "driver", c->driver, "devices", c->devices, "simulated",
		 ummgr_json_text (p->simulated ? p->simulated : ""), "figures",
		 figures_json (rows), "beside", beside_json (c), "peers", peers_json (c));
  if (out)
    add_worst (out, rows);
  return ummgr_json_put (out, 9);
}

/* --- all ---------------------------------------------------------------------- */

/* Will FILE be written?  Measuring takes too long to find out after it.  */
static bool
can_write (const char *file, bool force)
{
  if (access (file, F_OK) == 0 && !force)
    {
      ummgr_error ("calibrate: '%s' is there; --force replaces it", file);
      return false;
    }
  char path[PATH_MAX];
  snprintf (path, sizeof path, "%s", file);
  if (access (access (file, F_OK) == 0 ? file : dirname (path), W_OK) == 0)
    return true;
  ummgr_error ("calibrate: can't write '%s': %s", file, strerror (errno));
  return false;
}

static void
tell_progress (const char *what)
{
  fprintf (stderr, "ummgr: calibrate: %s\n", what);
}

static void
tell_nothing (const char *what)
{
  (void) what;
}

static bool
calibrate (const struct arguments *a, const char *file)
{
  static struct ummgr_calibration c;
  struct ummgr_calibration_row rows[UMMGR_FIGURES];
  char date[16];
  time_t now = time (NULL);
  strftime (date, sizeof date, "%Y-%m-%d", localtime (&now));
  if (ummgr_calibrate (&c, a->quiet ? tell_nothing : tell_progress))
    return false;
  const struct ummgr_device_ops *ops = ummgr_device_ops ();
  const struct ummgr_calibration_profile p
    = { &c, date, ops->profile ? ops->profile () : NULL };
  ummgr_calibration_rows (&c, rows);
  bool good = true;
  if (a->json)
    good = print_json (&p, rows);
  else
    print_text (&c, rows);
  if (file && ummgr_output_write ("calibrate", file, ummgr_calibration_write, &p))
    good = false;
  return good;
}

int
ummgr_cli_calibrate (int argc, char **argv)
{
  struct arguments a = { 0 };
  struct ummgr_cli_files files
    = { .what = "profile", .usage = "[FILE]", .most = 1, .optional = true };
  if (!ummgr_cli_parse (ummgr_calibrate_rows, &a, &files, doc, argc, argv))
    return UMMGR_EXIT_FAILURE;
  const char *file = files.count ? files.name[0] : NULL;
  if (file && !can_write (file, a.force))
    return UMMGR_EXIT_FAILURE;
  struct ummgr_cli_paths paths;
  ummgr_cli_find_paths (&paths);
  bool open = strcmp (a.gpu, "sim") == 0 ? open_simulated (&a, &paths) : open_real (&a);
  return open && calibrate (&a, file) ? 0 : UMMGR_EXIT_FAILURE;
}
