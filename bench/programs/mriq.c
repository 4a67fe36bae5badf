/* mriq: the matrix Q of non-Cartesian MRI reconstruction.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Stone et al., "Accelerating advanced MRI reconstructions on GPUs"
   (2008): for each voxel x and samples k of k-space with |phi|^2,

     Q(x) = sum over k of |phi(k)|^2 exp (2 pi i k . x)

   A thread has a voxel.  Samples are taken some at a time, as many as fit a
   GPU's constant memory, with a launch for each lot, which sweeps all voxels
   and adds to their sums.  --samples bounds the work, --lot the samples of a
   launch.  Repetitions add the same again.  Checked on the host in double at
   sampled voxels: each to 1e-4 of the sum of all |phi|^2, in float.  */

#include "kernels.h"

#define TOLERANCE 1e-4
#define TWO_PI 6.2831853071795864769f
#define CHECKED 4096	/* Voxels, at most.  */

struct space
{
  float *x, *y, *z, *re, *im;		/* Of voxels; Q is re + i im.  */
  float *kx, *ky, *kz, *power;		/* Of samples.  */
  float *phi_re, *phi_im;
};

static void
magnitudes (const float *phi_re, const float *phi_im, float *power, long samples)
{
#pragma omp target teams distribute parallel for
  for (long k = 0; k < samples; k++)
    power[k] = phi_re[k] * phi_re[k] + phi_im[k] * phi_im[k];
}

static void
add_lot (const float *x, const float *y, const float *z, float *re, float *im,
	 const float *kx, const float *ky, const float *kz, const float *power,
	 long voxels, long from, long to)
{
#pragma omp target teams distribute parallel for
  for (long v = 0; v < voxels; v++)
    {
      float at_x = x[v], at_y = y[v], at_z = z[v];
      float sum_re = re[v], sum_im = im[v];
      for (long k = from; k < to; k++)
	{
	  float angle = TWO_PI * (kx[k] * at_x + ky[k] * at_y + kz[k] * at_z);
	  sum_re += power[k] * cosf (angle);
	  sum_im += power[k] * sinf (angle);
	}
      re[v] = sum_re;
      im[v] = sum_im;
    }
}

static void
run (const struct bench_common *common, const struct space *s, long voxels,
     long samples, long lot)
{
  float *x = s->x, *y = s->y, *z = s->z, *re = s->re, *im = s->im;
  float *kx = s->kx, *ky = s->ky, *kz = s->kz, *power = s->power;
  float *phi_re = s->phi_re, *phi_im = s->phi_im;
#pragma omp target data if(!common->unified)                                  \
  map(to: x[0:voxels], y[0:voxels], z[0:voxels], kx[0:samples],               \
      ky[0:samples], kz[0:samples], phi_re[0:samples], phi_im[0:samples])     \
  map(alloc: power[0:samples]) map(tofrom: re[0:voxels], im[0:voxels])
  {
    magnitudes (phi_re, phi_im, power, samples);
    for (uint64_t i = 0; i < common->iterations; i++)
      for (long from = 0; from < samples; from += lot)
	add_lot (x, y, z, re, im, kx, ky, kz, power, voxels, from,
		 from + lot < samples ? from + lot : samples);
  }
}

static bool
check (const struct space *s, long voxels, long samples, uint64_t iterations)
{
  double total = 0;
  for (long k = 0; k < samples; k++)
    total += (double) s->phi_re[k] * s->phi_re[k]
	     + (double) s->phi_im[k] * s->phi_im[k];
  long stride = (voxels + CHECKED - 1) / CHECKED;
  for (long v = 0; v < voxels; v += stride)
    {
      double re = 0, im = 0;
      for (long k = 0; k < samples; k++)
	{
	  double p = (double) s->phi_re[k] * s->phi_re[k]
		     + (double) s->phi_im[k] * s->phi_im[k];
	  double angle = 2 * acos (-1)
			 * ((double) s->kx[k] * s->x[v]
			    + (double) s->ky[k] * s->y[v]
			    + (double) s->kz[k] * s->z[v]);
	  re += iterations * p * cos (angle);
	  im += iterations * p * sin (angle);
	}
      double most = TOLERANCE * total * iterations;
      if (!bench_near ("real part", v, s->re[v], re, 0, most)
	  || !bench_near ("imaginary part", v, s->im[v], im, 0, most))
	return false;
    }
  return true;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 1, .seed = 1 };
  uint64_t samples = 32, lot = 8;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "samples", BENCH_NUMBER, &samples, "of k-space" },
    { "lot", BENCH_NUMBER, &lot, "samples of a launch" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Compute the matrix Q of an MRI scan.");
  if (samples < 1 || lot < 1 || samples > 1 << 20 || lot > 1 << 20)
    bench_fatal ("--samples and --lot must be between 1 and %d", 1 << 20);
  uint64_t fixed = 6 * sizeof (float) * samples;
  long voxels = common.size > fixed
		? (common.size - fixed) / (5 * sizeof (float)) : 0;
  if (voxels < 1)
    bench_fatal ("--size=%llu is too small for the samples",
		 (unsigned long long) common.size);
  uint64_t footprint = fixed + 5 * sizeof (float) * (uint64_t) voxels;
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  struct space s;
  float **const arrays[] = { &s.x, &s.y, &s.z, &s.re, &s.im, &s.kx, &s.ky,
			     &s.kz, &s.power, &s.phi_re, &s.phi_im };
  uint64_t state = common.seed;
  for (int k = 0; k < 11; k++)
    *arrays[k] = bench_floats (unified, k < 5 ? voxels : (long) samples,
			       &state);
  memset (s.re, 0, voxels * sizeof *s.re);
  memset (s.im, 0, voxels * sizeof *s.im);
  double start = omp_get_wtime ();
  run (&common, &s, voxels, samples, lot);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check
		 || check (&s, voxels, samples, common.iterations);
  uint64_t sum = bench_checksum (s.re, voxels * sizeof *s.re) * 31
		 + bench_checksum (s.im, voxels * sizeof *s.im);
  for (int k = 0; k < 11; k++)
    bench_free (unified, *arrays[k]);
  return bench_report (&common, footprint, seconds, correct, "voxels", voxels,
		       sum);
}
