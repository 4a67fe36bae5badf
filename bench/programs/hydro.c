/* hydro: Lagrangian hydrodynamics of a point explosion in a corner.
   SPDX-License-Identifier: GPL-3.0-or-later

   A proxy in the shape of LULESH 2.0 (Lawrence Livermore National Laboratory), whose names the domain's members have,
   with physics of its own: an ideal gas in a cube of hexahedra, positions and velocities at the nodes, all else in the
   elements, three planes of symmetry.  Each step: forces from pressure and
   viscosity by the faces' area vectors, with hourglass damping; acceleration,
   velocity, position; strains and new volume; a monotonic viscosity from the
   gradients of velocity; energy and pressure; the next step's length.

   With --unified, all is in managed memory, and one `struct domain' of about
   3.7 kB is what host and device share: kernels find their arrays through it.
   Twice a step the host allocates temporaries, leaves their addresses in the
   domain for the kernels, and frees them again: nine pointers, or 18 words,
   that the host writes and the device reads in every step.  Variants:

     naive   as described
     advise  the same, but CUDA is told that the domain is read mostly
     split   two domains, one for each side; the temporaries' addresses are
	     arguments of the kernels

   Without --unified the arrays are mapped, and the device has a domain of its
   own of necessity: always `split'.

   Checked against the same steps on the host, to a relative 1e-7 (double, but a
   GPU may contract a * b + c, and a shock amplifies), and by the symmetry of
   the three axes.  */

#include "hydro-kernels.h"

#include <dlfcn.h>

#define TOLERANCE 1e-7
#define SIDE 1.125
#define EXPLOSION 0.25		/* Energy.  */

enum place { ON_HOST, MAPPED, MANAGED };

struct run
{
  struct domain *cpu, *gpu;	/* One, or with SPLIT two.  */
  struct domain *device_domain;	/* Where kernels find GPU.  */
  enum place place;
  bool split;
};

/* --- memory ------------------------------------------------------------------ */

static void *__attribute__ ((malloc))
temporary (enum place place, size_t size)
{
  if (place != MAPPED)
    return bench_alloc (place == MANAGED, size);
  void *p = omp_target_alloc (size, omp_get_default_device ());
  if (!p)
    bench_fatal ("no device memory for %zu bytes", size);
  return p;
}

static void
temporary_free (enum place place, void *p)
{
  if (place != MAPPED)
    bench_free (place == MANAGED, p);
  else
    omp_target_free (p, omp_get_default_device ());
}

/* The naive host leaves the addresses in the domain, and so do the two below;
   else they are returned, for the kernels.  */
static struct strains
strains_make (const struct run *run)
{
  size_t size = run->cpu->m_numElem * sizeof (double);
  struct domain *dom = run->cpu;
  dom->m_dxx = temporary (run->place, size);
  dom->m_dyy = temporary (run->place, size);
  dom->m_dzz = temporary (run->place, size);
  struct strains t = { NULL, NULL, NULL };
  if (run->split)
    {
      t.dxx = dom->m_dxx;
      t.dyy = dom->m_dyy;
      t.dzz = dom->m_dzz;
    }
  return t;
}

static void
strains_free (const struct run *run)
{
  struct domain *dom = run->cpu;
  temporary_free (run->place, dom->m_dxx);
  temporary_free (run->place, dom->m_dyy);
  temporary_free (run->place, dom->m_dzz);
  dom->m_dxx = dom->m_dyy = dom->m_dzz = NULL;
}

static struct gradients
gradients_make (const struct run *run)
{
  size_t size = run->cpu->m_numElem * sizeof (double);
  struct domain *dom = run->cpu;
  dom->m_delv_xi = temporary (run->place, size);
  dom->m_delv_eta = temporary (run->place, size);
  dom->m_delv_zeta = temporary (run->place, size);
  dom->m_delx_xi = temporary (run->place, size);
  dom->m_delx_eta = temporary (run->place, size);
  dom->m_delx_zeta = temporary (run->place, size);
  struct gradients t = { NULL, NULL, NULL, NULL, NULL, NULL };
  if (run->split)
    {
      t.delv_xi = dom->m_delv_xi;
      t.delv_eta = dom->m_delv_eta;
      t.delv_zeta = dom->m_delv_zeta;
      t.delx_xi = dom->m_delx_xi;
      t.delx_eta = dom->m_delx_eta;
      t.delx_zeta = dom->m_delx_zeta;
    }
  return t;
}

static void
gradients_free (const struct run *run)
{
  struct domain *dom = run->cpu;
  temporary_free (run->place, dom->m_delv_xi);
  temporary_free (run->place, dom->m_delv_eta);
  temporary_free (run->place, dom->m_delv_zeta);
  temporary_free (run->place, dom->m_delx_xi);
  temporary_free (run->place, dom->m_delx_eta);
  temporary_free (run->place, dom->m_delx_zeta);
  dom->m_delv_xi = dom->m_delv_eta = dom->m_delv_zeta = NULL;
  dom->m_delx_xi = dom->m_delx_eta = dom->m_delx_zeta = NULL;
}

/* --- set-up -------------------------------------------------------------------- */

static void
nodes_make (struct domain *dom)
{
  long side = dom->m_side, width = side + 1;
  for (long k = 0, n = 0; k < width; k++)
    for (long j = 0; j < width; j++)
      for (long i = 0; i < width; i++, n++)
	{
	  dom->m_x[n] = SIDE * i / side;
	  dom->m_y[n] = SIDE * j / side;
	  dom->m_z[n] = SIDE * k / side;
	  dom->m_xd[n] = dom->m_yd[n] = dom->m_zd[n] = 0;
	  dom->m_nodalMass[n] = 0;
	}
  for (long a = 0, f = 0; a < width; a++)
    for (long b = 0; b < width; b++, f++)
      {
	dom->m_symmX[f] = (a * width + b) * width;
	dom->m_symmY[f] = a * width * width + b;
	dom->m_symmZ[f] = a * width + b;
      }
}

static void
elements_make (struct domain *dom)
{
  long side = dom->m_side, width = side + 1;
  double volume = SIDE / side * (SIDE / side) * (SIDE / side);
  for (long k = 0, e = 0; k < side; k++)
    for (long j = 0; j < side; j++)
      for (long i = 0; i < side; i++, e++)
	{
	  for (int c = 0; c < CORNERS; c++)
	    {
	      long node = ((k + (along_zeta (c) > 0)) * width + j
			   + (along_eta (c) > 0)) * width + i
			  + (along_xi (c) > 0);
	      dom->m_nodelist[e * CORNERS + c] = node;
	      dom->m_nodalMass[node] += dom->m_refdens * volume / CORNERS;
	    }
	  /* At a face of the cube an element is its own neighbour.  */
	  dom->m_lxim[e] = i > 0 ? e - 1 : e;
	  dom->m_lxip[e] = i < side - 1 ? e + 1 : e;
	  dom->m_letam[e] = j > 0 ? e - side : e;
	  dom->m_letap[e] = j < side - 1 ? e + side : e;
	  dom->m_lzetam[e] = k > 0 ? e - side * side : e;
	  dom->m_lzetap[e] = k < side - 1 ? e + side * side : e;
	  dom->m_volo[e] = volume;
	  dom->m_v[e] = 1;
	  dom->m_elemMass[e] = dom->m_refdens * volume;
	  dom->m_e[e] = e ? dom->m_emin : EXPLOSION / dom->m_elemMass[0];
	  dom->m_p[e] = (GAMMA - 1) * dom->m_refdens * dom->m_e[e];
	  dom->m_q[e] = 0;
	  dom->m_ss[e] = sqrt (GAMMA * (GAMMA - 1) * dom->m_e[e]);
	}
}

static void
scalars_make (struct domain *dom, long side)
{
  dom->m_side = side;
  dom->m_numElem = side * side * side;
  dom->m_numNode = (side + 1) * (side + 1) * (side + 1);
  dom->m_hgcoef = 3;
  dom->m_qlc = 0.5;
  dom->m_qqc = 2;
  dom->m_dvovmax = 0.1;
  dom->m_courant = 0.3;
  dom->m_growth = 1.2;
  dom->m_emin = 1e-6;
  dom->m_refdens = 1;
  dom->m_stoptime = 100;
  dom->m_time = dom->m_cycle = 0;
  double h = SIDE / side;
  double sound = sqrt (GAMMA * (GAMMA - 1) * EXPLOSION
		       / (dom->m_refdens * h * h * h));
  dom->m_deltatime = 0.05 * h / sound;
  dom->m_dtcourant = dom->m_dthydro = 1e20;
  for (int i = 0; i < LIMITS; i++)
    {
      dom->m_limit_time[i] = i * 1e-3;
      dom->m_limit_step[i] = 1e-4 * (i + 1);
    }
  dom->m_dxx = dom->m_dyy = dom->m_dzz = NULL;
  dom->m_delv_xi = dom->m_delv_eta = dom->m_delv_zeta = NULL;
  dom->m_delx_xi = dom->m_delx_eta = dom->m_delx_zeta = NULL;
}

/* Where the device has what is mapped from P.  */
static void *
device_address (void *p)
{
  void *address = NULL;
#pragma omp target data use_device_ptr(p)
  address = p;
  return address;
}

static void *
array_map (char *p, size_t size)
{
#pragma omp target enter data map(to: p[0:size])
  return device_address (p);
}

static void
array_unmap (char *p, size_t size)
{
#pragma omp target exit data map(delete: p[0:size])
}

/* Tell CUDA, real or simulated, that the domain is read mostly; ummgr has no
   call for it.  */
static void
advise (struct domain *dom)
{
  enum { SET_READ_MOSTLY = 1 };
  void *cuda = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  int (*mem_advise) (unsigned long long, size_t, int, int);
  *(void **) &mem_advise = cuda ? dlsym (cuda, "cuMemAdvise") : NULL;
  if (!mem_advise
      || mem_advise ((uintptr_t) dom, sizeof *dom, SET_READ_MOSTLY, 0) != 0)
    bench_message ("--variant=advise: CUDA doesn't take the advice; going on "
		   "without");
  if (cuda)
    dlclose (cuda);
}

static struct run
run_make (long side, enum place place, bool split)
{
  struct run run = { .place = place, .split = split };
  bool managed = place == MANAGED;
  struct domain *dom = bench_alloc (managed && !split, sizeof *dom);
  scalars_make (dom, side);
  size_t elems = dom->m_numElem, nodes = dom->m_numNode;
  size_t face = (side + 1) * (side + 1);
#define ALLOCATE(TYPE, NAME, COUNT)                                           \
  dom->NAME = bench_alloc (managed, (COUNT) * sizeof (TYPE));
  ARRAYS (ALLOCATE)
#undef ALLOCATE
  nodes_make (dom);
  elements_make (dom);
  run.cpu = run.gpu = run.device_domain = dom;
  if (!split)
    return run;

  struct domain *gpu = bench_alloc (managed, sizeof *gpu);
  *gpu = *dom;
  run.gpu = run.device_domain = gpu;
  if (place == MAPPED)
    {
#define MAP(TYPE, NAME, COUNT)                                                \
      gpu->NAME = array_map ((char *) dom->NAME, (COUNT) * sizeof (TYPE));
      ARRAYS (MAP)
#undef MAP
      array_map ((char *) gpu, sizeof *gpu);
      run.device_domain = device_address (gpu);
    }
  return run;
}

/* Bring back what the host wants to see: positions and energies.  */
static void
run_fetch (struct run *run)
{
  if (run->place != MAPPED)
    return;
  struct domain *dom = run->cpu;
  size_t elems = dom->m_numElem, nodes = dom->m_numNode;
  double *x = dom->m_x, *y = dom->m_y, *z = dom->m_z, *e = dom->m_e;
  BENCH_MAPPED (x);
  BENCH_MAPPED (y);
  BENCH_MAPPED (z);
  BENCH_MAPPED (e);
#pragma omp target update from(x[0:nodes], y[0:nodes], z[0:nodes], e[0:elems])
}

static void
run_free (struct run *run)
{
  struct domain *dom = run->cpu;
  if (run->place == MAPPED)
    {
      size_t elems = dom->m_numElem, nodes = dom->m_numNode;
      size_t face = (dom->m_side + 1) * (dom->m_side + 1);
#define UNMAP(TYPE, NAME, COUNT)                                              \
      array_unmap ((char *) dom->NAME, (COUNT) * sizeof (TYPE));
      ARRAYS (UNMAP)
#undef UNMAP
      array_unmap ((char *) run->gpu, sizeof *run->gpu);
    }
#define FREE(TYPE, NAME, COUNT) bench_free (run->place == MANAGED, dom->NAME);
  ARRAYS (FREE)
#undef FREE
  if (run->split)
    bench_free (run->place == MANAGED, run->gpu);
  bench_free (run->place == MANAGED && !run->split, run->cpu);
}

static uint64_t
footprint_of (long side)
{
  size_t elems = side * side * side, face = (side + 1) * (side + 1);
  size_t nodes = face * (side + 1);
  uint64_t sum = sizeof (struct domain) + 6 * elems * sizeof (double);
#define ADD(TYPE, NAME, COUNT) sum += (COUNT) * sizeof (TYPE);
  ARRAYS (ADD)
#undef ADD
  return sum;
}

/* --- steps --------------------------------------------------------------------- */

/* The length of the next step; the host's own words of the domain.  */
static void
time_increment (struct domain *dom)
{
  double step = dom->m_deltatime * dom->m_growth;
  step = fmin (step, dom->m_courant * dom->m_dtcourant);
  step = fmin (step, dom->m_dthydro);
  for (int i = 0; i < LIMITS && dom->m_limit_time[i] <= dom->m_time; i++)
    if (i == LIMITS - 1 || dom->m_limit_time[i + 1] > dom->m_time)
      step = fmin (step, dom->m_limit_step[i]);
  dom->m_deltatime = fmin (step, dom->m_stoptime - dom->m_time);
  dom->m_time += dom->m_deltatime;
  dom->m_cycle++;
}

static void
step (const struct run *run)
{
  struct domain *cpu = run->cpu;
  const struct domain *gpu = run->device_domain;
  long elems = cpu->m_numElem, nodes = cpu->m_numNode, side = cpu->m_side;
  bool offload = run->place != ON_HOST;
  double dt = cpu->m_deltatime;

  stress (gpu, elems, cpu->m_hgcoef, offload);
  gather (gpu, side, offload);
  accelerate (gpu, nodes, offload);
  boundary (gpu, (side + 1) * (side + 1), offload);
  move (gpu, nodes, dt, offload);

  struct strains s = strains_make (run);
  kinematics (gpu, s, elems, offload);
  rates (gpu, s, elems, offload);
  strains_free (run);

  struct gradients g = gradients_make (run);
  gradients (gpu, g, elems, offload);
  viscosity (gpu, g, elems, cpu->m_qlc, cpu->m_qqc, offload);
  gradients_free (run);

  equation_of_state (gpu, elems, cpu->m_emin, offload);
  cpu->m_dtcourant = courant (gpu, elems, offload);
  cpu->m_dthydro = cpu->m_dvovmax / fastest_change (gpu, elems, offload);
  time_increment (cpu);
}

static void
simulate (const struct run *run, uint64_t iterations, bool marks)
{
  char name[48];
  for (uint64_t k = 0; k < iterations; k++)
    {
      step (run);
      snprintf (name, sizeof name, "after step %llu", (unsigned long long) k + 1);
      bench_mark (marks, name);
    }
}

/* --- checks -------------------------------------------------------------------- */

static bool
near (double a, double b, double scale)
{
  return fabs (a - b) <= TOLERANCE * scale;
}

/* What X does along I, Y does along J and Z along K.  */
static bool
check_symmetry (const struct domain *dom)
{
  long width = dom->m_side + 1;
  for (long k = 0; k < width; k++)
    for (long j = 0; j < width; j++)
      for (long i = 0; i < width; i++)
	{
	  double x = dom->m_x[(k * width + j) * width + i];
	  double y = dom->m_y[(k * width + i) * width + j];
	  double z = dom->m_z[(i * width + j) * width + k];
	  if (!near (x, y, SIDE) || !near (x, z, SIDE))
	    {
	      bench_message ("wrong result: not symmetric at %ld, %ld, %ld: "
			     "%.12g, %.12g, %.12g", i, j, k, x, y, z);
	      return false;
	    }
	}
  return true;
}

static bool
check (const struct domain *dom, long side, uint64_t iterations)
{
  struct run host = run_make (side, ON_HOST, false);
  simulate (&host, iterations, false);
  const struct domain *own = host.cpu;
  long n = 0, e = 0;
  while (n < own->m_numNode && near (dom->m_x[n], own->m_x[n], SIDE)
	 && near (dom->m_y[n], own->m_y[n], SIDE)
	 && near (dom->m_z[n], own->m_z[n], SIDE))
    n++;
  double scale = EXPLOSION / own->m_elemMass[0];
  while (e < own->m_numElem && near (dom->m_e[e], own->m_e[e], scale))
    e++;
  bool same = n == own->m_numNode && e == own->m_numElem;
  if (n < own->m_numNode)
    bench_message ("wrong result: node %ld is at %.12g, %.12g, %.12g, not "
		   "%.12g, %.12g, %.12g", n, dom->m_x[n], dom->m_y[n],
		   dom->m_z[n], own->m_x[n], own->m_y[n], own->m_z[n]);
  else if (!same)
    bench_message ("wrong result: element %ld has energy %.12g, not %.12g", e,
		   dom->m_e[e], own->m_e[e]);
  run_free (&host);
  return same && check_symmetry (dom);
}

/* Mapped data has two domains anyway.  */
static bool
parse_split (const char *variant, bool managed, bool *advised)
{
  *advised = strcmp (variant, "advise") == 0;
  bool split = strcmp (variant, "split") == 0
	       || strcmp (variant, "remedied") == 0;
  if (!*advised && !split && strcmp (variant, "naive") != 0)
    bench_fatal ("--variant=%s: expected naive, advise, split or remedied (the "
		 "same as split)", variant);
  if (*advised && !managed)
    {
      bench_message ("--variant=advise: advice is for managed data (--unified); "
		     "ignored");
      *advised = false;
    }
  return split || !managed;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 12 << 20, .iterations = 10, .seed = 1 };
  uint64_t wanted = 0;
  bool marks = false, advised;
  const char *variant = "naive";
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "variant", BENCH_TEXT, &variant,
      "naive, advise or split (default: naive; mapped data: split)" },
    { "side", BENCH_NUMBER, &wanted,
      "elements along an edge of the cube; 0: from --size" },
    { "marks", BENCH_SWITCH, &marks, "call ummgr_mark after each step" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Simulate an explosion in a cube of gas.");
  long side = wanted;
  while (!wanted && side < 600 && footprint_of (side + 1) <= common.size)
    side++;
  if (side < 2 || side > 600)
    bench_fatal ("an edge must have between 2 and 600 elements, not %ld (see "
		 "--side and --size)", side);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint_of (side));
      return 0;
    }

  common.unified = bench_unified (common.unified);
  bool split = parse_split (variant, common.unified, &advised);
  double start = omp_get_wtime ();
  struct run run = run_make (side, common.unified ? MANAGED : MAPPED, split);
  if (advised)
    advise (run.gpu);
  bench_mark (marks, "steps");
  simulate (&run, common.iterations, marks);
  run_fetch (&run);
  double seconds = omp_get_wtime () - start;
  const struct domain *dom = run.cpu;
  char extra[160];
  snprintf (extra, sizeof extra,
	    "code=%s side=%ld time=%.6g energy=%.9g checksum=%016llx",
	    split ? "split" : variant, side, dom->m_time, dom->m_e[0],
	    (unsigned long long) bench_checksum (dom->m_x, dom->m_numNode
						 * sizeof (double)));
  bool correct = common.no_check || check (dom, side, common.iterations);
  run_free (&run);
  return bench_result (&common, footprint_of (side), seconds, !common.no_check,
		       correct, extra);
}
