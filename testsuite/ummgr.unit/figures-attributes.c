/* Figures of a GPU that come from its driver's attributes and from what the system
   shows of its link, against those of all shipped profiles, whose machines the
   simulated driver describes by the same attributes: one that is further off than said
   here, or says that it is from elsewhere than it is; what is not told, and is then no
   estimate; a link that idles, or is not there.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "device/attributes.h"
#include "simcuda/sim.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The machine's link, as its profile's sources have it, and how far off its rates may
   be: those of papers' simulators are the ideal ones.  */
static const struct machine
{
  const char *profile, *speed, *lanes;	/* SPEED NULL: NVLink.  */
  double copies, remote;
} machines[] = {
  { "coda-4gpu", "8.0 GT/s PCIe\n", "16\n", 0.20, 0.35 },
  { "fermi-hpe", "8.0 GT/s PCIe\n", "16\n", 0.20, 0.35 },
  { "h200-pcie5", "32.0 GT/s PCIe\n", "16\n", 0.06, 0.20 },
  { "p100-nvlink1", NULL, NULL, 0.06, 0.20 },
  { "rtx3090-pcie3", "8 GT/s\n", "16\n", 0.06, 0.20 },
  { "v100-nvlink2", NULL, NULL, 0.08, 0.20 }
};

static bool nvlink;
static int hidden;		/* The attribute that the driver doesn't tell.  */
static char pci[64], port[80], function[96];

static CUresult
attribute (int *out, CUdevice_attribute which, CUdevice device)
{
  if (which == hidden)
    return CUDA_ERROR_INVALID_VALUE;
  if (which != CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED)
    return cuDeviceGetAttribute (out, which, device);
  *out = nvlink;
  return CUDA_SUCCESS;
}

static const struct ummgr_cuda_driver driver = {
  .cuDeviceGetAttribute = attribute, .cuDeviceGetName = cuDeviceGetName,
  .cuDeviceTotalMem_v2 = cuDeviceTotalMem_v2,
  .cuDeviceGetPCIBusId = cuDeviceGetPCIBusId
};

/* A GPU that is a part of another says so in the second version alone.  */
static unsigned char uuid_byte;

static CUresult
uuid_1 (CUuuid *out, CUdevice device)
{
  memset (out, 0x11, sizeof *out);
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult
uuid_2 (CUuuid *out, CUdevice device)
{
  memset (out, 0, sizeof *out);
  out->bytes[14] = (char) uuid_byte;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static void
identity (void)
{
  char id[40];
  struct ummgr_cuda_driver d = { 0 };
  CHECK (!ummgr_attributes_identity (&d, 0, id, sizeof id));
  d.cuDeviceGetUuid = uuid_1;
  CHECK (ummgr_attributes_identity (&d, 0, id, sizeof id));
  CHECK (strcmp (id, "11111111111111111111111111111111") == 0);
  CHECK (!ummgr_attributes_identity (&d, 1, id, sizeof id));
  CHECK (!ummgr_attributes_identity (&d, 0, id, 32));
  d.cuDeviceGetUuid_v2 = uuid_2;
  CHECK (!ummgr_attributes_identity (&d, 0, id, sizeof id));
  uuid_byte = 0xfe;
  CHECK (ummgr_attributes_identity (&d, 0, id, sizeof id));
  CHECK (strcmp (id, "0000000000000000000000000000fe00") == 0);
}

static void
put (const char *dir, const char *name, const char *text)
{
  char path[160];
  snprintf (path, sizeof path, "%s/%s", dir, name);
  FILE *file = fopen (path, "w");
  CHECK (file && fputs (text, file) >= 0 && fclose (file) == 0);
}

/* A device below a port, as the system shows it by a link; the port's speed is not
   read.  */
static void
make_link (const char *speed, const char *lanes)
{
  strcpy (pci, "/tmp/ummgr-figures-XXXXXX");
  CHECK (mkdtemp (pci));
  snprintf (port, sizeof port, "%s/port", pci);
  snprintf (function, sizeof function, "%s/gpu", port);
  CHECK (mkdir (port, 0700) == 0 && mkdir (function, 0700) == 0);
  char name[96], id[32];
  CHECK_EQ (cuDeviceGetPCIBusId (id, sizeof id, 0), CUDA_SUCCESS);
  snprintf (name, sizeof name, "%s/%s", pci, id);
  CHECK (symlink ("port/gpu", name) == 0);
  put (function, "current_link_speed", speed);
  put (function, "current_link_width", lanes);
}

static void
remove_link (void)
{
  char command[128];
  snprintf (command, sizeof command, "rm -r %s", pci);
  CHECK_EQ (system (command), 0);
}

static struct ummgr_figures
ask (void)
{
  struct ummgr_figures f = UMMGR_FIGURES_UNTOLD;
  CHECK (ummgr_attributes_figures (&driver, 0, pci, &f));
  return f;
}

static void
near (double got, double wanted, double error, const char *what)
{
  if (fabs (got - wanted) <= error * wanted)
    return;
  fprintf (stderr, "%s: %s is %g, its profile has %g\n", sim_profile.name, what,
	   got, wanted);
  abort ();
}
#define NEAR(KEY, ERROR) near (f.KEY, p->KEY, ERROR, #KEY)
#define FROM(KEY, SOURCE)                                                     \
  CHECK_EQ (f.source[UMMGR_FIGURE_##KEY], UMMGR_FIGURE_##SOURCE)

/* What no attribute says.  */
static void
check_estimates (struct ummgr_figures f)
{
  static const struct ummgr_figures untold = UMMGR_FIGURES_UNTOLD;
#define SAME(KEY) CHECK (f.KEY == untold.KEY); FROM (KEY, ESTIMATE);
  SAME (link_latency) SAME (launch_cost) SAME (gpu_fault_cost)
  SAME (cpu_fault_cost) SAME (fault_batch) SAME (fault_granularity)
  SAME (block_bytes) SAME (prefetch_threshold)
}

static void
check_machine (const struct machine *m)
{
  const struct ummgr_figures *p = &sim_profile.device[0];
  struct ummgr_figures f = ask ();
  CHECK (strcmp (f.name, p->name) == 0);
  FROM (name, ATTRIBUTE);
  NEAR (memory_bytes, 0);
  FROM (memory_bytes, ATTRIBUTE);
  NEAR (memory_rate, 0.01);
  FROM (memory_rate, ATTRIBUTE);
  NEAR (cache_bytes, 0);
  FROM (cache_bytes, ATTRIBUTE);
  NEAR (sm_count, 0);
  FROM (sm_count, ATTRIBUTE);
  NEAR (max_threads_per_sm, 0);
  FROM (max_threads_per_sm, ATTRIBUTE);
  NEAR (compute_major, 0);
  FROM (compute_major, ATTRIBUTE);
  NEAR (compute_minor, 0);
  FROM (compute_minor, ATTRIBUTE);
  NEAR (h2d_rate, m->copies);
  NEAR (d2h_rate, m->copies);
  NEAR (remote_rate, m->remote);
  CHECK_EQ (f.source[UMMGR_FIGURE_h2d_rate],
	    nvlink ? UMMGR_FIGURE_ESTIMATE : UMMGR_FIGURE_ATTRIBUTE);
  CHECK_EQ (f.source[UMMGR_FIGURE_d2h_rate], f.source[UMMGR_FIGURE_h2d_rate]);
  FROM (remote_rate, ESTIMATE);
  check_estimates (f);
#define PROFILED(KEY, TYPE)                                                   \
  CHECK_EQ (p->source[UMMGR_FIGURE_##KEY], UMMGR_FIGURE_PROFILE);
#define FIGURE PROFILED
#include "device/figures.def"
}

/* One that is not told is an estimate, and the others are not.  */
static void
check_missing (void)
{
  static const struct ummgr_figures untold = UMMGR_FIGURES_UNTOLD;
  struct ummgr_figures f;
#define HIDE(ATTRIBUTE, KEY)                                                  \
  hidden = CU_DEVICE_ATTRIBUTE_##ATTRIBUTE;                                   \
  f = ask ();                                                                 \
  FROM (KEY, ESTIMATE);                                                       \
  CHECK (f.KEY == untold.KEY);
  HIDE (MEMORY_CLOCK_RATE, memory_rate)
  FROM (cache_bytes, ATTRIBUTE);
  HIDE (GLOBAL_MEMORY_BUS_WIDTH, memory_rate)
  HIDE (L2_CACHE_SIZE, cache_bytes)
  FROM (memory_rate, ATTRIBUTE);
  HIDE (MULTIPROCESSOR_COUNT, sm_count)
  FROM (max_threads_per_sm, ATTRIBUTE);
  HIDE (MAX_THREADS_PER_MULTIPROCESSOR, max_threads_per_sm)
  FROM (sm_count, ATTRIBUTE);
  HIDE (COMPUTE_CAPABILITY_MAJOR, compute_major)
  FROM (compute_minor, ESTIMATE);
  hidden = 0;
  static const struct ummgr_cuda_driver none, old
    = { .cuDeviceGetAttribute = attribute };
  f = untold;
  CHECK (!ummgr_attributes_figures (&none, 0, pci, &f));
  CHECK (ummgr_attributes_figures (&old, 0, pci, &f));
  FROM (name, ESTIMATE);
  FROM (memory_bytes, ESTIMATE);
  FROM (sm_count, ATTRIBUTE);
  FROM (h2d_rate, ESTIMATE);
}

static double
h2d (const char *file, const char *text)
{
  if (file)
    put (function, file, text);
  return ask ().h2d_rate;
}

/* The link of an idle GPU, at each of PCIe's rates, and none.  */
static void
check_link (void)
{
  const struct ummgr_figures *p = &sim_profile.device[0];
  struct ummgr_figures f = ask ();
  double busy = f.h2d_rate;
  near (h2d ("current_link_width", "8\n"), busy / 2, 1e-9, "half the lanes");
  put (function, "current_link_width", "16\n");
  near (h2d ("current_link_speed", "2.5 GT/s PCIe\n"), 0.83 * 4e9, 1e-9, "2.5 GT/s");
  near (h2d ("max_link_speed", "32.0 GT/s PCIe\n"), 0.83 * 4e9, 1e-9, "no port");
  put (port, "max_link_speed", "16.0 GT/s PCIe\n");
  near (h2d (NULL, NULL), 0.83 * 16e9 * 16 / 8 * 128 / 130, 1e-9, "port");
  put (port, "max_link_speed", "64.0 GT/s PCIe\n");
  near (h2d (NULL, NULL), busy, 1e-9, "GPU");
  near (h2d ("max_link_speed", "64.0 GT/s PCIe\n"), 0.83 * 121e9, 1e-9, "64 GT/s");
  near (h2d ("max_link_speed", "5 GT/s\n"), 0.83 * 8e9, 1e-9, "5 GT/s");
  put (function, "max_link_speed", "Unknown\n");
  near (h2d ("current_link_speed", "Unknown\n"), 25e9, 0, "unknown");
  f = ask ();
  FROM (h2d_rate, ESTIMATE);
  NEAR (sm_count, 0);
  nvlink = true;
  near (h2d (NULL, NULL), 0.83 * 450e9, 1e-9, "NVLink-C2C");
  hidden = CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
  near (h2d (NULL, NULL), 25e9, 0, "NVLink of nobody knows what");
}

static void
run_machine (const struct machine *m)
{
  CHECK (setenv ("UMMGR_PROFILE", m->profile, 1) == 0);
  CHECK_EQ (cuInit (0), CUDA_SUCCESS);
  nvlink = !m->speed;
  make_link (m->speed ? m->speed : "8.0 GT/s PCIe\n", m->lanes ? m->lanes : "16\n");
  check_machine (m);
  check_missing ();
  if (strcmp (m->profile, "h200-pcie5") == 0)
    check_link ();
  remove_link ();
}

/* As many as are shipped: a new one needs its line above.  */
static void
check_all (void)
{
  DIR *dir = opendir (UMMGR_TEST_PROFILES);
  CHECK (dir);
  size_t count = 0;
  for (struct dirent *e; (e = readdir (dir));)
    count += strstr (e->d_name, ".conf") != NULL;
  closedir (dir);
  CHECK_EQ (count, sizeof machines / sizeof *machines);
}

int
main (void)
{
  identity ();
  check_all ();
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    {
      pid_t pid = fork ();
      if (pid == 0)
	{
	  run_machine (&machines[i]);
	  exit (0);
	}
      int status;
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK_EQ (status, 0);
    }
  return 0;
}
