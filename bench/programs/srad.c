/* srad: speckle-reducing anisotropic diffusion of an image.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Yu and Acton, "Speckle reducing anisotropic diffusion" (2002).  With
   dN, dS, dW, dE the differences of a pixel I to its neighbours (those at the
   border mirror themselves), each iteration computes

     q^2   = (G^2 / 2 - L^2 / 16) / (1 + L / 4)^2,
	     G^2 = (dN^2 + dS^2 + dW^2 + dE^2) / I^2, L = (dN+dS+dW+dE) / I
     q0^2  = variance / mean^2 of a region without features
     c     = 1 / (1 + (q^2 - q0^2) / (q0^2 (1 + q0^2))), clipped to [0, 1]
     I'    = I + lambda / 4 * (cN dN + cS dS + cW dW + cE dE)

   with cN = cW = c of the pixel, cS of the one below, cE of the one to the
   right.  Four target regions for each: mean, variance, coefficients,
   update.  Checked against the same on the host with a relative tolerance of
   1e-3: the image is in float, a GPU may contract a * b + c, and clipping of
   c can amplify the last bits.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-3
#define LAMBDA 0.5f
#define REGION 128	/* Side of the region without features.  */

struct image
{
  long rows, cols;
  float *pixel, *coefficient, *north, *south, *west, *east;
};

/* Sum of (pixel - SHIFT)^POWER over the region without features.  One sum for
   each region: GCC 12 reduces two doubles at once with a 16-byte
   compare-and-swap, which nvptx doesn't have.  */
static double
region_sum (const float *pixel, long height, long width, long cols,
	    double shift, bool squared)
{
  double sum = 0;
#pragma omp target teams distribute parallel for collapse(2)                 \
  reduction(+: sum) map(tofrom: sum)
  for (long r = 0; r < height; r++)
    for (long c = 0; c < width; c++)
      {
	double p = pixel[r * cols + c] - shift;
	sum += squared ? p * p : p;
      }
  return sum;
}

/* Variance over squared mean of the top left corner.  */
static double
speckle_scale (const float *pixel, long rows, long cols)
{
  long height = rows < REGION ? rows : REGION;
  long width = cols < REGION ? cols : REGION;
  double count = (double) height * width;
  double mean = region_sum (pixel, height, width, cols, 0, false) / count;
  double squares = region_sum (pixel, height, width, cols, mean, true);
  return squares / count / (mean * mean);
}

static void
coefficients (const float *pixel, float *coefficient, float *north,
	      float *south, float *west, float *east, long rows, long cols,
	      float q0)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      {
	long i = r * cols + c;
	float p = pixel[i];
	float dn = pixel[r > 0 ? i - cols : i] - p;
	float ds = pixel[r < rows - 1 ? i + cols : i] - p;
	float dw = pixel[c > 0 ? i - 1 : i] - p;
	float de = pixel[c < cols - 1 ? i + 1 : i] - p;
	float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (p * p);
	float l = (dn + ds + dw + de) / p;
	float low = 1 + 0.25f * l;
	float q = (0.5f * g2 - 0.0625f * l * l) / (low * low);
	float k = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
	north[i] = dn;
	south[i] = ds;
	west[i] = dw;
	east[i] = de;
	coefficient[i] = k < 0 ? 0 : k > 1 ? 1 : k;
      }
}

static void
update (float *pixel, const float *coefficient, const float *north,
	const float *south, const float *west, const float *east, long rows,
	long cols)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      {
	long i = r * cols + c;
	float here = coefficient[i];
	float below = coefficient[r < rows - 1 ? i + cols : i];
	float right = coefficient[c < cols - 1 ? i + 1 : i];
	float divergence = here * north[i] + below * south[i] + here * west[i]
			   + right * east[i];
	pixel[i] += 0.25f * LAMBDA * divergence;
      }
}

static void
diffuse (const struct image *image, uint64_t iterations, bool unified)
{
  const long rows = image->rows, cols = image->cols, n = rows * cols;
  float *pixel = image->pixel, *coefficient = image->coefficient;
  float *north = image->north, *south = image->south;
  float *west = image->west, *east = image->east;
#pragma omp target data if(!unified) map(tofrom: pixel[0:n])                 \
  map(alloc: coefficient[0:n], north[0:n], south[0:n], west[0:n], east[0:n])
  for (uint64_t k = 0; k < iterations; k++)
    {
      float q0 = speckle_scale (pixel, rows, cols);
      coefficients (pixel, coefficient, north, south, west, east, rows, cols,
		    q0);
      update (pixel, coefficient, north, south, west, east, rows, cols);
    }
}

/* The host's side: differences are recomputed, not stored, in double.  */

static double
host_scale (const double *pixel, long rows, long cols)
{
  double sum = 0, squares = 0, count = 0;
  for (long r = 0; r < rows && r < REGION; r++)
    for (long c = 0; c < cols && c < REGION; c++)
      {
	sum += pixel[r * cols + c];
	squares += pixel[r * cols + c] * pixel[r * cols + c];
	count++;
      }
  double mean = sum / count;
  return (squares / count - mean * mean) / (mean * mean);
}

/* Neighbours of (R, C) in the order north, south, west, east.  */
static void
host_neighbours (long r, long c, long rows, long cols, long at[4])
{
  at[0] = (r ? r - 1 : r) * cols + c;
  at[1] = (r + 1 < rows ? r + 1 : r) * cols + c;
  at[2] = r * cols + (c ? c - 1 : c);
  at[3] = r * cols + (c + 1 < cols ? c + 1 : c);
}

static double
host_coefficient (const double *pixel, const long at[4], double here,
		  double q0)
{
  double g2 = 0, l = 0;
  for (int k = 0; k < 4; k++)
    {
      double d = (pixel[at[k]] - here) / here;
      g2 += d * d;
      l += d;
    }
  double q = (g2 / 2 - l * l / 16) / ((1 + l / 4) * (1 + l / 4));
  double k = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
  return fmin (fmax (k, 0), 1);
}

static void
host_iteration (double *pixel, double *old, double *coefficient, long rows,
		long cols)
{
  double q0 = host_scale (pixel, rows, cols);
  memcpy (old, pixel, rows * cols * sizeof *old);
#pragma omp parallel for
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      {
	long at[4], i = r * cols + c;
	host_neighbours (r, c, rows, cols, at);
	coefficient[i] = host_coefficient (old, at, old[i], q0);
      }
#pragma omp parallel for
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      {
	long at[4], i = r * cols + c;
	host_neighbours (r, c, rows, cols, at);
	double flow = coefficient[i] * (old[at[0]] - old[i])
		      + coefficient[at[1]] * (old[at[1]] - old[i])
		      + coefficient[i] * (old[at[2]] - old[i])
		      + coefficient[at[3]] * (old[at[3]] - old[i]);
	pixel[i] += LAMBDA / 4.0 * flow;
      }
}

static bool
check (const struct image *image, const float *initial, uint64_t iterations)
{
  long n = image->rows * image->cols;
  double *pixel = bench_alloc (false, n * sizeof *pixel);
  double *old = bench_alloc (false, n * sizeof *old);
  double *coefficient = bench_alloc (false, n * sizeof *coefficient);
  for (long i = 0; i < n; i++)
    pixel[i] = initial[i];
  for (uint64_t k = 0; k < iterations; k++)
    host_iteration (pixel, old, coefficient, image->rows, image->cols);
  long i = 0;
  /* Written so that a NaN ends the loop too.  */
  while (i < n && fabs (image->pixel[i] - pixel[i]) <= TOLERANCE * pixel[i])
    i++;
  if (i < n)
    bench_message ("wrong result: pixel %ld is %.7g, not %.7g", i,
		   image->pixel[i], pixel[i]);
  free (pixel);
  free (old);
  free (coefficient);
  return i == n;
}

/* A bright ellipse on a dark ground under multiplicative noise.  */
static void
generate (struct image *image, float *initial, uint64_t seed)
{
  uint64_t state = seed;
  for (long r = 0; r < image->rows; r++)
    for (long c = 0; c < image->cols; c++)
      {
	double y = 2.0 * r / image->rows - 1, x = 2.0 * c / image->cols - 1;
	double shade = x * x + 2 * y * y < 0.5 ? 0.8 : 0.3;
	double noise = 0.85 + 0.3 * bench_uniform (&state);
	long i = r * image->cols + c;
	initial[i] = image->pixel[i] = exp (shade * noise);
      }
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 5, .seed = 1 };
  uint64_t rows = 0, cols = 1024;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "rows", BENCH_NUMBER, &rows, "of the image; 0: from --size" },
    { "cols", BENCH_NUMBER, &cols, "of the image" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Remove speckle from an image in target regions.");
  if (cols < 1 || cols > 1 << 24 || rows > 1 << 24)
    bench_fatal ("--rows and --cols must be between 1 and %d", 1 << 24);
  struct image image = { .cols = cols };
  image.rows = rows ? rows : common.size / (6 * sizeof (float) * cols);
  if (image.rows < 1)
    bench_fatal ("--size=%llu is too small for a row of %ld columns",
		 (unsigned long long) common.size, image.cols);
  long n = image.rows * image.cols;
  uint64_t footprint = 6 * sizeof (float) * (uint64_t) n;
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float **const arrays[] = { &image.pixel, &image.coefficient, &image.north,
			     &image.south, &image.west, &image.east };
  for (int k = 0; k < 6; k++)
    *arrays[k] = bench_alloc (common.unified, n * sizeof (float));
  float *initial = bench_alloc (false, n * sizeof *initial);
  generate (&image, initial, common.seed);

  double start = omp_get_wtime ();
  diffuse (&image, common.iterations, common.unified);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || check (&image, initial, common.iterations);
  char extra[128];
  snprintf (extra, sizeof extra, "rows=%ld cols=%ld checksum=%016llx",
	    image.rows, image.cols,
	    (unsigned long long) bench_checksum (image.pixel,
						 n * sizeof (float)));
  for (int k = 0; k < 6; k++)
    bench_free (common.unified, *arrays[k]);
  free (initial);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
