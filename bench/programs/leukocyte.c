/* leukocyte: find white blood cells in a picture and follow their outlines.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Ray and Acton, "Motion gradient vector flow" (2004), and the detection
   that goes before it.  Region 1 computes for each pixel, over circles around
   it, how steadily the picture gets darker across the circle: the largest of

     mean^2 / (variance + EVEN)

   of the gradient across it, at --points places of each of --radii circles.
   Region 2 takes the largest score in a square around each pixel, and region 3
   the best pixel of each tile as a cell.  The host, which has the picture too,
   cuts out the strength of edges around it; region 4 spreads these for --steps
   steps,

     u' = u + 1/8 sum over 8 neighbours of H (d) d - PULL e (u - e),

   with d the difference to the neighbour, e the edge and H the Heaviside
   function, ramped.  A thread has a pixel or a cell, whose outline it holds
   itself.  An iteration is a frame to follow; cells drift.  Checked against the
   host in double: scores to 1e-3, maxima and cells exactly, the last frame's
   outlines to 1e-3.  */

#include "kernels.h"

#define TOLERANCE 1e-3
#define TILE 16		/* Pixels of the side of a cell's patch.  */
#define PATCH (TILE * TILE)
#define MOST_POINTS 32
#define MOST_RADII 8
#define REACH 2		/* Of the square in region 2.  */
#define EVEN 0.01f
#define PULL 0.2f
#define RAMP 0.001f

struct circles
{
  long points, radii;
  int dy[MOST_RADII * MOST_POINTS], dx[MOST_RADII * MOST_POINTS];
  float sine[MOST_POINTS], cosine[MOST_POINTS];
};

struct picture
{
  long rows, cols, cells, margin, steps;
  float *grad_y, *grad_x, *score, *most;	/* [rows][cols] */
  float *edge, *outline;			/* [cells][PATCH] */
  int *best;					/* [cells]: pixels.  */
  float *strength;		/* [rows][cols]: of edges; the host's.  */
};

static void
find_scores (const float *grad_y, const float *grad_x, float *score,
	     const struct circles *circles, long rows, long cols, long margin)
{
  long points = circles->points, radii = circles->radii;
#pragma omp target teams distribute parallel for collapse(2)                  \
  map(to: circles[0:1])
  for (long r = margin; r < rows - margin; r++)
    for (long c = margin; c < cols - margin; c++)
      {
	float best = 0, sample[MOST_POINTS];
	for (long k = 0; k < radii; k++)
	  {
	    float sum = 0, squares = 0;
	    for (long p = 0; p < points; p++)
	      {
		long at = (r + circles->dy[k * points + p]) * cols + c
			  + circles->dx[k * points + p];
		sample[p] = grad_y[at] * circles->sine[p]
			    + grad_x[at] * circles->cosine[p];
		sum += sample[p];
	      }
	    float mean = sum / points;
	    for (long p = 0; p < points; p++)
	      squares += (sample[p] - mean) * (sample[p] - mean);
	    float found = mean * mean / (squares / points + EVEN);
	    best = found > best ? found : best;
	  }
	score[r * cols + c] = best;
      }
}

static void
find_most (const float *score, float *most, long rows, long cols, long margin)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long r = margin; r < rows - margin; r++)
    for (long c = margin; c < cols - margin; c++)
      {
	float best = 0;
	for (long i = r - REACH; i <= r + REACH; i++)
	  for (long j = c - REACH; j <= c + REACH; j++)
	    best = score[i * cols + j] > best ? score[i * cols + j] : best;
	most[r * cols + c] = best;
      }
}

/* The first of the best pixels of each tile.  */
static void
pick (const float *score, const float *most, int *best, long cells, long cols)
{
  long across = cols / TILE;
#pragma omp target teams distribute parallel for
  for (long cell = 0; cell < cells; cell++)
    {
      long corner = cell / across * TILE * cols + cell % across * TILE;
      long found = corner;
      for (long i = 0; i < PATCH; i++)
	{
	  long at = corner + i / TILE * cols + i % TILE;
	  if (score[at] == most[at] && score[at] > score[found])
	    found = at;
	}
      best[cell] = found;
    }
}

/* What flows from a neighbour that is D higher.  */
#pragma omp declare target
static inline float
spread (float d)
{
  return d <= -RAMP ? 0 : d >= RAMP ? d : d * (0.5f + d * (0.5f / RAMP));
}
#pragma omp end declare target

/* One step from U to V in a patch; at its rim neighbours are the nearest that
   are there.  */
#pragma omp declare target
static inline void
patch_step (const float *edge, const float *u, float *v)
{
  for (int y = 0; y < TILE; y++)
    for (int x = 0; x < TILE; x++)
      {
	int above = (y > 0 ? y - 1 : y) * TILE, here = y * TILE;
	int below = (y < TILE - 1 ? y + 1 : y) * TILE;
	int left = x > 0 ? x - 1 : x, right = x < TILE - 1 ? x + 1 : x;
	float at = u[here + x], e = edge[here + x];
	float flow = spread (u[above + left] - at) + spread (u[above + x] - at)
		     + spread (u[above + right] - at)
		     + spread (u[here + left] - at)
		     + spread (u[here + right] - at)
		     + spread (u[below + left] - at)
		     + spread (u[below + x] - at)
		     + spread (u[below + right] - at);
	v[here + x] = at + 0.125f * flow - PULL * e * (at - e);
      }
}
#pragma omp end declare target

static void
follow (const float *edge, float *outline, long cells, long steps)
{
#pragma omp target teams distribute parallel for
  for (long cell = 0; cell < cells; cell++)
    {
      float u[PATCH], v[PATCH];
      for (int i = 0; i < PATCH; i++)
	u[i] = edge[cell * PATCH + i];
      for (long k = 0; k < steps; k += 2)
	{
	  patch_step (edge + cell * PATCH, u, v);
	  patch_step (edge + cell * PATCH, v, u);
	}
      for (int i = 0; i < PATCH; i++)
	outline[cell * PATCH + i] = u[i];
    }
}

/* The strength of edges around each cell, AWAY rows from where it was found.  */
static void
cut_patches (const struct picture *p, uint64_t away)
{
  for (long cell = 0; cell < p->cells; cell++)
    for (long i = 0; i < PATCH; i++)
      {
	long r = p->best[cell] / p->cols - TILE / 2 + i / TILE
		 + (long) (away % TILE);
	long c = p->best[cell] % p->cols - TILE / 2 + i % TILE;
	r = r < 0 ? 0 : r < p->rows ? r : p->rows - 1;
	c = c < 0 ? 0 : c < p->cols ? c : p->cols - 1;
	p->edge[cell * PATCH + i] = p->strength[r * p->cols + c];
      }
}

static void
run (const struct bench_common *common, const struct picture *p,
     const struct circles *circles, double *seconds)
{
  long n = p->rows * p->cols, cells = p->cells, size = cells * PATCH;
  float *grad_y = p->grad_y, *grad_x = p->grad_x, *score = p->score;
  float *most = p->most, *edge = p->edge, *outline = p->outline;
  int *best = p->best;
  BENCH_MAPPED (size);
  double start = omp_get_wtime ();
#pragma omp target data if(!common->unified) map(to: grad_y[0:n], grad_x[0:n])\
  map(tofrom: score[0:n], most[0:n]) map(from: best[0:cells])
  {
    find_scores (grad_y, grad_x, score, circles, p->rows, p->cols, p->margin);
    find_most (score, most, p->rows, p->cols, p->margin);
    pick (score, most, best, cells, p->cols);
  }
  *seconds = omp_get_wtime () - start;
#pragma omp target data if(!common->unified) map(alloc: edge[0:size])         \
  map(tofrom: outline[0:size])
  for (uint64_t k = 0; k < common->iterations; k++)
    {
      cut_patches (p, k);
      start = omp_get_wtime ();
#pragma omp target update if(!common->unified) to(edge[0:size])
      follow (edge, outline, cells, p->steps);
      *seconds += omp_get_wtime () - start;
    }
}

static double
host_score (const struct picture *p, const struct circles *circles, long at)
{
  double best = 0;
  for (long k = 0; k < circles->radii; k++)
    {
      double sum = 0, squares = 0;
      for (long q = 0; q < circles->points; q++)
	{
	  long i = k * circles->points + q;
	  long there = at + circles->dy[i] * p->cols + circles->dx[i];
	  double g = (double) p->grad_y[there] * circles->sine[q]
		     + (double) p->grad_x[there] * circles->cosine[q];
	  sum += g;
	  squares += g * g;
	}
      double mean = sum / circles->points;
      double variance = squares / circles->points - mean * mean;
      best = fmax (best, mean * mean / (variance + EVEN));
    }
  return best;
}

static bool
check_scores (const struct picture *p, const struct circles *circles)
{
  for (long r = p->margin; r < p->rows - p->margin; r++)
    for (long c = p->margin; c < p->cols - p->margin; c++)
      {
	long at = r * p->cols + c;
	double expected = host_score (p, circles, at), most = 0;
	if (!bench_near ("score of pixel", at, p->score[at], expected,
			 TOLERANCE, TOLERANCE))
	  return false;
	for (long i = -REACH; i <= REACH; i++)
	  for (long j = -REACH; j <= REACH; j++)
	    most = fmax (most, p->score[at + i * p->cols + j]);
	if (!bench_near ("maximum around pixel", at, p->most[at], most, 0, 0))
	  return false;
      }
  return true;
}

static bool
check_cells (const struct picture *p)
{
  for (long cell = 0; cell < p->cells; cell++)
    {
      long top = cell / (p->cols / TILE) * TILE;
      long left = cell % (p->cols / TILE) * TILE;
      long best = top * p->cols + left;
      for (long r = top; r < top + TILE; r++)
	for (long at = r * p->cols + left; at < r * p->cols + left + TILE; at++)
	  if (p->score[at] > p->score[best] && p->score[at] == p->most[at])
	    best = at;
      if (p->best[cell] != best)
	{
	  bench_message ("wrong result: cell %ld is at pixel %d, not %ld", cell,
			 p->best[cell], best);
	  return false;
	}
    }
  return true;
}

static double
host_spread (double d)
{
  double share = fmin (fmax (0.5 + 0.5 * d / RAMP, 0), 1);
  return share * d;
}

static void
host_step (const float *edge, const double *u, double *v)
{
  for (int i = 0; i < PATCH; i++)
    {
      double flow = 0;
      for (int dy = -1; dy <= 1; dy++)
	for (int dx = -1; dx <= 1; dx++)
	  {
	    int y = i / TILE + dy, x = i % TILE + dx;
	    y = y < 0 ? 0 : y < TILE ? y : TILE - 1;
	    x = x < 0 ? 0 : x < TILE ? x : TILE - 1;
	    flow += host_spread (u[y * TILE + x] - u[i]);
	  }
      v[i] = u[i] + flow / 8 - PULL * edge[i] * (u[i] - edge[i]);
    }
}

static bool
check_outlines (const struct picture *p)
{
  double u[PATCH], v[PATCH];
  for (long cell = 0; cell < p->cells; cell++)
    {
      const float *edge = p->edge + cell * PATCH;
      for (int i = 0; i < PATCH; i++)
	u[i] = edge[i];
      for (long k = 0; k < p->steps; k += 2)
	{
	  host_step (edge, u, v);
	  host_step (edge, v, u);
	}
      if (!bench_close ("outline, point", cell * PATCH,
			p->outline + cell * PATCH, u, PATCH, 0, TOLERANCE))
	return false;
    }
  return true;
}

static void
circles_make (struct circles *circles)
{
  for (long p = 0; p < circles->points; p++)
    {
      double angle = 2 * acos (-1) * p / circles->points;
      circles->sine[p] = sin (angle);
      circles->cosine[p] = cos (angle);
      for (long k = 0; k < circles->radii; k++)
	{
	  double radius = 3 + k;
	  circles->dy[k * circles->points + p] = lround (radius * sin (angle));
	  circles->dx[k * circles->points + p] = lround (radius * cos (angle));
	}
    }
}

/* Gradients of a picture with a disc in each tile, and some noise.  */
static void
gradients_make (const struct picture *p, uint64_t state)
{
  for (long r = 0; r < p->rows; r++)
    for (long c = 0; c < p->cols; c++)
      {
	double y = r % TILE - TILE / 2 + 0.5, x = c % TILE - TILE / 2 + 0.5;
	double away = sqrt (y * y + x * x), rim = exp (-(away - 4) * (away - 4));
	long at = r * p->cols + c;
	double dy = rim * y / away + 0.2 * bench_uniform (&state) - 0.1;
	double dx = rim * x / away + 0.2 * bench_uniform (&state) - 0.1;
	p->grad_y[at] = dy;
	p->grad_x[at] = dx;
	p->strength[at] = fmin (sqrt (dy * dy + dx * dx), 1);
      }
}

static int
measure (struct bench_common *common, struct picture *p,
	 const struct circles *circles, uint64_t footprint)
{
  bool unified = common->unified = bench_unified (common->unified);
  float **const arrays[] = { &p->grad_y, &p->grad_x, &p->score, &p->most,
			     &p->edge, &p->outline };
  long n = p->rows * p->cols;
  for (int k = 0; k < 6; k++)
    {
      *arrays[k] = bench_alloc (unified, n * sizeof (float));
      memset (*arrays[k], 0, n * sizeof (float));
    }
  p->best = bench_alloc (unified, p->cells * sizeof *p->best);
  p->strength = bench_alloc (false, n * sizeof *p->strength);
  gradients_make (p, common->seed);
  double seconds = 0;
  run (common, p, circles, &seconds);
  bool correct = common->no_check
		 || (check_scores (p, circles) && check_cells (p)
		     && (!common->iterations || check_outlines (p)));
  uint64_t sum = bench_checksum (p->most, n * sizeof (float)) * 31
		 + bench_checksum (p->outline, n * sizeof (float));
  for (int k = 0; k < 6; k++)
    bench_free (unified, *arrays[k]);
  bench_free (unified, p->best);
  free (p->strength);
  return bench_report (common, footprint, seconds, correct, "cells", p->cells,
		       sum);
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 12 << 20, .iterations = 1, .seed = 1 };
  uint64_t cols = 512, points = 8, radii = 2, steps = 10;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "cols", BENCH_NUMBER, &cols, "of the picture" },
    { "points", BENCH_NUMBER, &points, "of a circle" },
    { "radii", BENCH_NUMBER, &radii, "of circles" },
    { "steps", BENCH_NUMBER, &steps, "of an outline, even" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Find cells and follow their outlines.");
  if (points < 3 || points > MOST_POINTS || radii < 1 || radii > MOST_RADII)
    bench_fatal ("--points must be between 3 and %d, --radii between 1 and %d",
		 MOST_POINTS, MOST_RADII);
  if (cols < 2 * TILE || cols % TILE || cols > 1 << 16 || steps % 2)
    bench_fatal ("--cols must be a multiple of %d, between %d and %d, --steps "
		 "even", TILE, 2 * TILE, 1 << 16);
  struct circles circles = { .points = points, .radii = radii };
  circles_make (&circles);
  struct picture p = { .cols = cols, .steps = steps,
		       .margin = 3 + radii + REACH };
  /* Six numbers for each pixel, one for each tile.  */
  uint64_t row = (6 * PATCH * sizeof (float) + sizeof (int)) * (cols / TILE);
  p.rows = common.size / row * TILE;
  if (p.rows < 2 * TILE || p.rows * p.cols > INT32_MAX)
    bench_fatal ("--size=%llu makes %ld rows; they must be %d at least, and %d "
		 "pixels at most", (unsigned long long) common.size, p.rows,
		 2 * TILE, INT32_MAX);
  p.cells = p.rows / TILE * (p.cols / TILE);
  uint64_t footprint = p.rows / TILE * row;
  if (bench_footprint (&common, footprint))
    return 0;
  return measure (&common, &p, &circles, footprint);
}
