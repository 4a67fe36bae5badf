/* `ummgr info --topology': which GPUs there are, and where.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/info.h"
#include "base/log.h"
#include "device/cuda.h"
#include "device/measure.h"
#include "device/profile.h"

#include <stdlib.h>
#include <string.h>

/* What a driver's GPUs say.  */
struct told
{
  unsigned count;
  char pci[UMMGR_TOPOLOGY_GPUS][16];
  struct ummgr_figures figures[UMMGR_TOPOLOGY_GPUS];
  struct ummgr_device_link link[UMMGR_TOPOLOGY_GPUS][UMMGR_TOPOLOGY_GPUS];
};

static void
ask_links (struct told *told, unsigned to)
{
  struct ummgr_device *device = ummgr_device_of ((int) to);
  for (unsigned from = 0; from < told->count && device->ops->link; from++)
    if (from != to)
      device->ops->link (device, ummgr_device_of ((int) from), &told->link[to][from]);
}

/* In a child process.  */
static void
ask_driver (const void *unused, void *answer)
{
  struct told *told = answer;
  int count = 0;
  char version[64];
  (void) unused;
  if (!ummgr_cuda_open ("cuda") || !ummgr_device_ops ()->measure
      || ummgr_device_ops ()->measure->driver (&count, version, sizeof version))
    return;
  told->count = count < UMMGR_TOPOLOGY_GPUS ? (unsigned) count : UMMGR_TOPOLOGY_GPUS;
  for (unsigned i = 0; i < told->count; i++)
    {
      struct ummgr_device *device = ummgr_device_of ((int) i);
      if (device->ops->figures)
	device->ops->figures (device, &told->figures[i]);
      if (device->ops->pci)
	device->ops->pci (device, told->pci[i], sizeof told->pci[i]);
      ask_links (told, i);
    }
}

bool
ummgr_info_real_gpus (struct ummgr_topology *t)
{
  int status;
  struct told *told = malloc (sizeof *told);
  if (!told)
    return false;
  ummgr_cli_ask_apart (ask_driver, NULL, told, sizeof *told, 60, &status);
  ummgr_topology_match (t, (const char (*)[16]) told->pci, told->count);
  for (unsigned i = 0; i < t->gpus; i++)
    {
      ummgr_topology_figures (t, i, &told->figures[i], false);
      for (unsigned j = 0; j < t->gpus; j++)
	if (i != j)
	  ummgr_topology_peer (t, i, j, &told->link[i][j]);
    }
  free (told);
  return true;
}

static bool
take_simulated (struct ummgr_info_map *map, const struct ummgr_options *options,
		const struct ummgr_cli_paths *paths)
{
  struct ummgr_topology *t = &map->topology;
  struct ummgr_profile *p = calloc (1, sizeof *p);
  if (*paths->profiles)
    setenv ("UMMGR_PROFILE_PATH", paths->profiles, 0);
  bool good = p && ummgr_profile_find (options->profile, p)
    && ummgr_profile_adjust (p, options);
  map->profile = options->profile;
  if (good)
    ummgr_topology_simulate (t, (unsigned) p->device_count);
  for (unsigned i = 0; good && i < t->gpus; i++)
    {
      ummgr_topology_figures (t, i, &p->device[i], true);
      for (unsigned j = 0; j < t->gpus; j++)
	if (i != j)
	  ummgr_topology_peer (t, i, j, &(struct ummgr_device_link) {
				 .rate = p->peer_rate[i][j] });
    }
  free (p);
  return good;
}

/* As `ummgr run' chooses; but another machine's topology has GPUs of its own, or none.  */
static bool
is_simulated (const struct ummgr_options *options)
{
  struct ummgr_cli_gpu gpu;
  if (strcmp (options->gpu, "sim") == 0)
    return true;
  if (ummgr_info_topology_file () || strcmp (options->gpu, "cuda") == 0)
    return false;
  ummgr_cli_probe_gpu (&gpu);
  return gpu.devices == 0;
}

bool
ummgr_info_map (struct ummgr_info_map *out, const struct ummgr_options *options,
		const struct ummgr_cli_paths *paths)
{
  struct ummgr_topology *t = &out->topology;
  memset (out, 0, sizeof *out);
  enum ummgr_status status = ummgr_info_load_topology (t, true);
  if (status && ummgr_info_topology_file ())
    {
      if (status == UMMGR_ERR_UNSUPPORTED)
	ummgr_error ("info: HWLOC_XMLFILE: there is no hwloc to read '%s' (Debian: "
		     UMMGR_INFO_HWLOC ")",
		     ummgr_info_topology_file ());
      return false;
    }
  out->known = status == UMMGR_OK;
  bool good = is_simulated (options) ? take_simulated (out, options, paths)
    : ummgr_info_topology_file () || ummgr_info_real_gpus (t);
  ummgr_topology_derive (t);
  return good;
}
