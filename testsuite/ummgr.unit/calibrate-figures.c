/* What is measured of the simulated machine of each shipped profile, by a driver that
   tells its attributes alone, against the profile: a figure that is further off than 2 %,
   that is not measured, or that is what was told before; what is measured beside figures;
   links to other devices.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "calibrate/calibrate.h"
#include "device/cuda.h"
#include "simcuda/sim.h"
#include "check.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int parts;		/* That were begun.  */

static void
tell (const char *what)
{
  CHECK (*what);
  parts++;
}

static void
near (double got, double wanted, const char *what)
{
  if (fabs (got - wanted) <= 0.02 * wanted)
    return;
  fprintf (stderr, "%s: %s is %g, not %g\n", sim_profile.name, what, got, wanted);
  abort ();
}

#define MEASURED(KEY)                                                         \
  near (c.measured[UMMGR_FIGURE_##KEY].value, p->KEY, #KEY);                  \
  near (c.figures.KEY, p->KEY, #KEY " taken");                                \
  CHECK (c.measured[UMMGR_FIGURE_##KEY].spread >= 0                           \
	 && c.measured[UMMGR_FIGURE_##KEY].spread < 0.01)
#define BESIDE(KEY, VALUE) near (c.beside[UMMGR_BESIDE_##KEY].value, VALUE, #KEY)

static void
check_faults (const struct ummgr_calibration *all)
{
  const struct ummgr_calibration c = *all;
  const struct ummgr_figures *p = &sim_profile.device[0];
  MEASURED (fault_granularity);
  /* Else nobody can tell one from the other: the driver takes what is there at once, as
     far as is known.  */
  if (p->fault_batch > 1)
    {
      MEASURED (gpu_fault_cost);
      MEASURED (gpu_block_cost);
      MEASURED (host_page_cost);
    }
  /* Else what the CPU does to a page is not seen.  */
  if (sim_mem_kernel_faults ())
    {
      MEASURED (cpu_fault_cost);
    }
}

static void
check_peers (const struct ummgr_calibration *c)
{
  CHECK_EQ (c->devices, sim_profile.device_count);
  for (int i = 0; i < c->devices; i++)
    for (int j = 0; j < c->devices; j++)
      if (i != j)
	{
	  double latency = sim_profile.peer_latency[i][j];
	  near (c->peer[i][j].value, sim_profile.peer_rate[i][j], "peer rate");
	  near (c->peer_latency[i][j].value,
		latency > 0 ? latency : sim_profile.device[i].link_latency, "peer latency");
	}
      else
	CHECK (c->peer[i][j].value == 0);
}

static void
check_machine (const char *profile)
{
  static const struct ummgr_cuda_driver driver = {
#define CALL(NAME, ARGS, OPTIONAL) .NAME = NAME,
    UMMGR_CUDA_CALLS (CALL)
#undef CALL
  };
  static struct ummgr_calibration c;
  const struct ummgr_figures *p = &sim_profile.device[0];
  setenv ("UMMGR_KERNELS", "ptx", 1);
  setenv ("UMMGR_FIDELITY", "access", 1);
  setenv ("UMMGR_PROFILE", profile, 1);
  ummgr_cuda_use (&driver, NULL);
  CHECK_EQ (ummgr_calibrate (&c, tell), UMMGR_OK);
  MEASURED (h2d_rate);
  MEASURED (d2h_rate);
  MEASURED (both_rate);
  MEASURED (link_latency);
  MEASURED (launch_cost);
  MEASURED (memory_rate);
  MEASURED (remote_rate);
  MEASURED (memory_latency);
  MEASURED (remote_latency);
  MEASURED (pageable_h2d_rate);
  MEASURED (pageable_d2h_rate);
  /* By this machine's clock: there is no modelled one without the simulated driver's slots.  */
  CHECK (c.measured[UMMGR_FIGURE_staging_rate].value > 0);
  BESIDE (prefetch_h2d_rate, p->h2d_rate);
  BESIDE (prefetch_d2h_rate, p->d2h_rate);
  check_faults (&c);
  check_peers (&c);
  CHECK (c.told.launch_cost != p->launch_cost && c.told.h2d_rate != p->h2d_rate);
  CHECK_EQ (c.figures.sm_count, p->sm_count);
  CHECK_EQ (parts, c.devices > 1 ? 6 : 5);
  CHECK (strstr (c.driver, "CUDA "));
}

int
main (void)
{
  DIR *dir = opendir (UMMGR_TEST_PROFILES);
  CHECK (dir);
  for (struct dirent *e; (e = readdir (dir));)
    {
      char *end = strstr (e->d_name, ".conf"), *name = e->d_name;
      if (!end)
	continue;
      *end = 0;
      pid_t child = fork ();
      if (child == 0)
	{
	  check_machine (name);
	  _exit (0);
	}
      int status;
      waitpid (child, &status, 0);
      CHECK_EQ (status, 0);
    }
  closedir (dir);
  return 0;
}
