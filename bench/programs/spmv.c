/* spmv: a sparse matrix by a vector, as jagged diagonals.
   SPDX-License-Identifier: GPL-3.0-or-later

   Rows are sorted by their number of elements, longest first; the k-th
   elements of all rows that have as many lie side by side and make the k-th
   diagonal.  A thread has a row and walks from diagonal to diagonal, its
   neighbours beside it.  Half of a row's elements are near the diagonal of the
   matrix, the others anywhere.  Repetitions compute the same again.  Checked
   against the host, row by row in double, to a relative 1e-5: all terms are
   positive.  */

#include "kernels.h"

#define TOLERANCE 1e-5
#define NEAR 256	/* Columns, around the diagonal.  */

struct sparse
{
  long rows, elements, longest;
  float *value;			/* [elements], as are the columns.  */
  int *column;
  int *diagonal;		/* [longest]: where each begins.  */
  int *length, *row;		/* [rows], of the sorted ones.  */
  float *x, *y;			/* [rows] */
};

static void
multiply (const float *value, const int *column, const int *diagonal,
	  const int *length, const int *row, const float *x, float *y,
	  long rows)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < rows; i++)
    {
      float sum = 0;
      for (long k = 0; k < length[i]; k++)
	{
	  long at = diagonal[k] + i;
	  sum += value[at] * x[column[at]];
	}
      y[row[i]] = sum;
    }
}

static void
run (const struct bench_common *common, const struct sparse *s)
{
  long rows = s->rows, elements = s->elements, longest = s->longest;
  float *value = s->value, *x = s->x, *y = s->y;
  int *column = s->column, *diagonal = s->diagonal, *length = s->length;
  int *row = s->row;
#pragma omp target data if(!common->unified)                                  \
  map(to: value[0:elements], column[0:elements], diagonal[0:longest],         \
      length[0:rows], row[0:rows], x[0:rows]) map(tofrom: y[0:rows])
  for (uint64_t k = 0; k < common->iterations; k++)
    multiply (value, column, diagonal, length, row, x, y, rows);
}

static bool
check (const struct sparse *s, uint64_t iterations)
{
  for (long i = 0; i < s->rows && iterations; i++)
    {
      double sum = 0;
      for (long k = 0; k < s->length[i]; k++)
	{
	  long at = s->diagonal[k] + i;
	  sum += (double) s->value[at] * s->x[s->column[at]];
	}
      if (!bench_near ("row", s->row[i], s->y[s->row[i]], sum, TOLERANCE, 0))
	return false;
    }
  return true;
}

/* Lengths between 1 and LONGEST, each as often as any other, given to rows in
   random order.  */
static void
rows_make (struct sparse *s, uint64_t *state)
{
  for (long i = 0; i < s->rows; i++)
    {
      s->length[i] = s->longest - i * s->longest / s->rows;
      s->row[i] = i;
    }
  for (long i = s->rows - 1; i > 0; i--)
    {
      long j = bench_below (state, i + 1), swap = s->row[i];
      s->row[i] = s->row[j];
      s->row[j] = swap;
    }
}

static void
elements_make (struct sparse *s, uint64_t *state)
{
  long at = 0;
  for (long k = 0; k < s->longest; k++)
    {
      s->diagonal[k] = at;
      for (long i = 0; i < s->rows && s->length[i] > k; i++, at++)
	{
	  long near = s->row[i] + (long) bench_below (state, NEAR) - NEAR / 2;
	  bool close = k % 2 == 0 && near >= 0 && near < s->rows;
	  s->column[at] = close ? near : (long) bench_below (state, s->rows);
	  s->value[at] = bench_uniform (state);
	}
    }
}

static long
elements_of (long rows, long longest)
{
  long sum = 0;
  for (long i = 0; i < rows; i++)
    sum += longest - i * longest / rows;
  return sum;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 10,
				 .seed = 1 };
  uint64_t longest = 32;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "longest", BENCH_NUMBER, &longest, "elements of a row" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Multiply a sparse matrix by a vector.");
  if (longest < 1 || longest > 1 << 12)
    bench_fatal ("--longest must be between 1 and %d", 1 << 12);
  struct sparse s = { .longest = longest };
  /* Eight bytes for each element, and a row has LONGEST / 2 or so.  */
  if (common.size > 8 * longest)
    s.rows = (common.size - 8 * longest) / (16 + 4 * (longest + 1));
  if (s.rows < (long) longest || s.rows > 1 << 24)
    bench_fatal ("--size=%llu makes %ld rows; they must be between %llu "
		 "(--longest) and %d", (unsigned long long) common.size, s.rows,
		 (unsigned long long) longest, 1 << 24);
  s.elements = elements_of (s.rows, longest);
  if (s.elements > INT32_MAX)
    bench_fatal ("%ld elements are too many", s.elements);
  uint64_t footprint = 8 * s.elements + 4 * longest + 16 * s.rows;
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  uint64_t state = common.seed;
  s.value = bench_alloc (unified, s.elements * sizeof *s.value);
  s.column = bench_alloc (unified, s.elements * sizeof *s.column);
  s.diagonal = bench_alloc (unified, longest * sizeof *s.diagonal);
  s.length = bench_alloc (unified, s.rows * sizeof *s.length);
  s.row = bench_alloc (unified, s.rows * sizeof *s.row);
  s.x = bench_floats (unified, s.rows, &state);
  s.y = bench_alloc (unified, s.rows * sizeof *s.y);
  memset (s.y, 0, s.rows * sizeof *s.y);
  rows_make (&s, &state);
  elements_make (&s, &state);
  double start = omp_get_wtime ();
  run (&common, &s);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || check (&s, common.iterations);
  uint64_t sum = bench_checksum (s.y, s.rows * sizeof *s.y);
  void *const arrays[] = { s.value, s.column, s.diagonal, s.length, s.row, s.x,
			   s.y };
  for (int k = 0; k < 7; k++)
    bench_free (unified, arrays[k]);
  return bench_report (&common, footprint, seconds, correct, "rows", s.rows,
		       sum);
}
