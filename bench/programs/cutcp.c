/* cutcp: electrostatic potential of atoms on a lattice, cut off.
   SPDX-License-Identifier: GPL-3.0-or-later

   At each point of a lattice, over the atoms nearer than the cutoff c,

     V = sum q (1 - r^2 / c^2)^2 / r

   Atoms are in cubic bins whose side is c, --fill in each, so a point needs
   those of 27 bins.  Bins of the lattice's border are empty.  A launch has a
   layer of bins; a thread has a plane of SIDE by SIDE points in one of them,
   and reads each atom once for all.  --fill bounds the work.  Repetitions
   compute the same again.  Checked against the host in double at sampled
   points: to 1e-4 of the sum of the terms' magnitudes.  */

#include "kernels.h"

#define TOLERANCE 1e-4
#define SIDE 4		/* Points of a bin's side.  */
#define CHECKED 4096	/* Points, at most.  */
#define LEAST 1e-3f	/* Square of the least distance that counts.  */

/* Lengths are in bins.  */
struct atom
{
  float x, y, z, charge;
};

/* Layer Z of COLS by ROWS bins, border apart.  */
static void
layer (const struct atom *atoms, float *potential, long z, long rows, long cols,
       long fill)
{
  const float step = 1.0f / SIDE;
#pragma omp target teams distribute parallel for collapse(3)
  for (long y = 0; y < rows; y++)
    for (long x = 0; x < cols; x++)
      for (long plane = 0; plane < SIDE; plane++)
	{
	  float sum[SIDE][SIDE] = { { 0 } };
	  for (long bin = 0; bin < 27; bin++)
	    {
	      long at = ((z + bin / 9) * (rows + 2) + y + bin / 3 % 3)
			* (cols + 2) + x + bin % 3;
	      for (long k = at * fill; k < (at + 1) * fill; k++)
		{
		  float charge = atoms[k].charge;
		  float dx = x - atoms[k].x, dy = y - atoms[k].y;
		  float dz = z + plane * step - atoms[k].z;
		  for (int i = 0; i < SIDE; i++)
		    for (int j = 0; j < SIDE; j++)
		      {
			float px = dx + j * step, py = dy + i * step;
			float r2 = px * px + py * py + dz * dz + LEAST;
			float s = 1 - r2;
			sum[i][j] += r2 < 1 ? charge * s * s / sqrtf (r2) : 0;
		      }
		}
	    }
	  long first = (((z * rows + y) * cols + x) * SIDE + plane)
		       * SIDE * SIDE;
	  for (int i = 0; i < SIDE; i++)
	    for (int j = 0; j < SIDE; j++)
	      potential[first + i * SIDE + j] = sum[i][j];
	}
}

static void
run (const struct bench_common *common, const struct atom *atoms,
     float *potential, long layers, long rows, long cols, long fill)
{
  long count = (layers + 2) * (rows + 2) * (cols + 2) * fill;
  long points = layers * rows * cols * SIDE * SIDE * SIDE;
#pragma omp target data if(!common->unified) map(to: atoms[0:count])          \
  map(tofrom: potential[0:points])
  for (uint64_t k = 0; k < common->iterations; k++)
    for (long z = 0; z < layers; z++)
      layer (atoms, potential, z, rows, cols, fill);
}

/* Point POINT: the expected potential in *SUM, and the sum of magnitudes.  */
static double
host_point (const struct atom *atoms, long point, long rows, long cols,
	    long fill, double *sum)
{
  double magnitudes = 0;
  long bin = point / (SIDE * SIDE * SIDE), at = point % (SIDE * SIDE * SIDE);
  long z = bin / cols / rows, y = bin / cols % rows, x = bin % cols;
  double pz = z + at / SIDE / SIDE / (double) SIDE;
  double py = y + at / SIDE % SIDE / (double) SIDE;
  double px = x + at % SIDE / (double) SIDE;
  *sum = 0;
  for (long near = 0; near < 27; near++)
    {
      long from = ((z + near / 9) * (rows + 2) + y + near / 3 % 3) * (cols + 2)
		  + x + near % 3;
      for (long k = from * fill; k < (from + 1) * fill; k++)
	{
	  double dx = px - atoms[k].x, dy = py - atoms[k].y;
	  double dz = pz - atoms[k].z;
	  double r2 = dx * dx + dy * dy + dz * dz + LEAST;
	  double term = r2 < 1 ? (1 - r2) * (1 - r2) / sqrt (r2) : 0;
	  *sum += atoms[k].charge * term;
	  magnitudes += fabs (atoms[k].charge * term);
	}
    }
  return magnitudes;
}

static bool
check (const struct atom *atoms, const float *potential, long layers, long rows,
       long cols, long fill)
{
  long points = layers * rows * cols * SIDE * SIDE * SIDE;
  long stride = (points / CHECKED + 1) | 1;
  for (long point = 0; point < points; point += stride)
    {
      double sum;
      double most = host_point (atoms, point, rows, cols, fill, &sum);
      if (!bench_near ("point", point, potential[point], sum, 0,
		       TOLERANCE * (most + 1)))
	return false;
    }
  return true;
}

/* Bin (X, Y, Z), border included, is of the space from X - 1 to X.  */
static void
atoms_make (struct atom *atoms, long layers, long rows, long cols, long fill,
	    uint64_t state)
{
  long k = 0;
  for (long z = -1; z <= layers; z++)
    for (long y = -1; y <= rows; y++)
      for (long x = -1; x <= cols; x++)
	{
	  bool border = x < 0 || y < 0 || z < 0 || x == cols || y == rows
			|| z == layers;
	  for (long i = 0; i < fill; i++, k++)
	    {
	      atoms[k].x = x + bench_uniform (&state);
	      atoms[k].y = y + bench_uniform (&state);
	      atoms[k].z = z + bench_uniform (&state);
	      atoms[k].charge = border ? 0 : 2 * bench_uniform (&state) - 1;
	    }
	}
}

static uint64_t
bytes_of (long layers, long rows, long cols, long fill)
{
  return sizeof (struct atom) * (layers + 2) * (rows + 2) * (cols + 2) * fill
	 + sizeof (float) * layers * rows * cols * SIDE * SIDE * SIDE;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 1, .seed = 1 };
  uint64_t cols = 32, rows = 32, fill = 2;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "cols", BENCH_NUMBER, &cols, "of bins" },
    { "rows", BENCH_NUMBER, &rows, "of bins" },
    { "fill", BENCH_NUMBER, &fill, "atoms of a bin" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Sum up potentials on a lattice.");
  if (cols < 1 || rows < 1 || fill < 1 || cols > 1 << 10 || rows > 1 << 10
      || fill > 64)
    bench_fatal ("--cols and --rows must be between 1 and %d, --fill and 64",
		 1 << 10);
  long layers = 0;
  while (bytes_of (layers + 1, rows, cols, fill) <= common.size)
    layers++;
  if (layers < 1)
    bench_fatal ("--size=%llu is too small for a layer of bins",
		 (unsigned long long) common.size);
  uint64_t footprint = bytes_of (layers, rows, cols, fill);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  long points = layers * rows * cols * SIDE * SIDE * SIDE;
  struct atom *atoms = bench_alloc (unified, (layers + 2) * (rows + 2)
					     * (cols + 2) * fill
					     * sizeof *atoms);
  float *potential = bench_alloc (unified, points * sizeof *potential);
  atoms_make (atoms, layers, rows, cols, fill, common.seed);
  memset (potential, 0, points * sizeof *potential);
  double start = omp_get_wtime ();
  run (&common, atoms, potential, layers, rows, cols, fill);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || !common.iterations
		 || check (atoms, potential, layers, rows, cols, fill);
  uint64_t sum = bench_checksum (potential, points * sizeof *potential);
  bench_free (unified, atoms);
  bench_free (unified, potential);
  return bench_report (&common, footprint, seconds, correct, "layers", layers,
		       sum);
}
