/* smithwaterman: local alignment of two sequences.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Smith and Waterman, "Identification of common molecular subsequences"
   (1981), with a linear gap penalty: H[i][j] is the best score of an alignment
   that ends at a[j] and b[i], P[i][j] the step that led there.  One launch for
   each anti-diagonal, whose cells are independent.

   The naive variant keeps H and P row by row and has the host clear them,
   though only the zeros of the boundary are read, and a diagonal touches one
   word in N.  The remedied one keeps diagonal after diagonal, rotated by 45
   degrees, so that a launch works on contiguous words, and sets the boundary as
   it goes.  --marks makes each launch a phase of a trace.  All is in whole
   numbers: checked cell by cell on the host, exactly.  */

#include "common.h"

#define MATCH 5
#define MISMATCH (-3)
#define GAP 4

enum step { NONE, UP, LEFT, DIAGONAL };

struct problem
{
  long n, m;			/* Lengths of A and B.  */
  char *a, *b;
  int *H, *P;			/* (m + 1) x (n + 1), as the variant has it.  */
  int64_t *best;		/* [m + 1]: of each row, score and column.  */
  bool mapped, remedied, marks;
};

/* Rows of diagonal D, that is of the cells with i + j = D.  */
static long
first_row (long d, long n)
{
  return d > n ? d - n : 0;
}

static long
last_row (long d, long m)
{
  return d < m ? d : m;
}

#pragma omp declare target
/* The best cell of a row in one number, so that a launch that compares reads
   all that it touches.  */
static inline int64_t
best_make (int score, long column)
{
  return (int64_t) score << 32 | column;
}

static inline int
best_score (int64_t best)
{
  return best >> 32;
}

/* What the cell becomes, from its neighbours' scores.  */
static inline int
cell (int above, int left, int corner, bool same, int *step)
{
  int best = 0;
  *step = NONE;
  int diagonal = corner + (same ? MATCH : MISMATCH);
  if (diagonal > best)
    {
      best = diagonal;
      *step = DIAGONAL;
    }
  if (above - GAP > best)
    {
      best = above - GAP;
      *step = UP;
    }
  if (left - GAP > best)
    {
      best = left - GAP;
      *step = LEFT;
    }
  return best;
}
#pragma omp end declare target

static void
diagonal_naive (const char *a, const char *b, int *H, int *P,
		int64_t *best, long n, long d, long low, long high)
{
  long width = n + 1;
#pragma omp target teams distribute parallel for
  for (long i = low; i <= high; i++)
    {
      long j = d - i, at = i * width + j;
      int step;
      int score = cell (H[at - width], H[at - 1], H[at - width - 1],
			a[j - 1] == b[i - 1], &step);
      H[at] = score;
      P[at] = step;
      if (score > best_score (best[i]))
	best[i] = best_make (score, j);
    }
}

/* Row 0 of diagonal D is at HERE, if it had one; of the two before at ONE and
   TWO.  The boundary is part of it.  */
static void
diagonal_rotated (const char *a, const char *b, int *H, int *P,
		  int64_t *best, long d, long low, long high,
		  long here, long one, long two)
{
#pragma omp target teams distribute parallel for
  for (long i = low; i <= high; i++)
    {
      long j = d - i;
      int step = NONE, score = 0;
      if (i > 0 && j > 0)
	score = cell (H[one + i - 1], H[one + i], H[two + i - 1],
		      a[j - 1] == b[i - 1], &step);
      H[here + i] = score;
      P[here + i] = step;
      if (score > best_score (best[i]))
	best[i] = best_make (score, j);
    }
}

static void
fill_naive (const struct problem *p)
{
  char name[48];
  for (long d = 2; d <= p->n + p->m; d++)
    {
      long low = first_row (d, p->n), high = last_row (d, p->m);
      /* Without the boundary.  */
      low += low == 0;
      high -= high == d;
      diagonal_naive (p->a, p->b, p->H, p->P, p->best, p->n, d, low, high);
      snprintf (name, sizeof name, "after diagonal %ld", d);
      bench_mark (p->marks, name);
    }
}

static void
fill_rotated (const struct problem *p)
{
  char name[48];
  long one = 0, two = 0, end = 0;
  for (long d = 0; d <= p->n + p->m; d++)
    {
      long low = first_row (d, p->n), high = last_row (d, p->m);
      long here = end - low;
      diagonal_rotated (p->a, p->b, p->H, p->P, p->best, d, low, high, here,
			one, two);
      end += high - low + 1;
      two = one;
      one = here;
      snprintf (name, sizeof name, "after diagonal %ld", d);
      bench_mark (p->marks, name);
    }
}

/* Scores of all cells; the host clears what its variant needs cleared.  */
static void
align (const struct problem *p)
{
  long n = p->n, m = p->m, cells = (n + 1) * (m + 1);
  char *a = p->a, *b = p->b;
  int *H = p->H, *P = p->P;
  int64_t *best = p->best;
  BENCH_MAPPED (a);
  BENCH_MAPPED (b);
  if (!p->remedied)
    {
      memset (H, 0, cells * sizeof *H);
      memset (P, 0, cells * sizeof *P);
    }
  memset (best, 0, (m + 1) * sizeof *best);
  bench_mark (p->marks, "launches");
#pragma omp target enter data if(p->mapped) map(alloc: a[0:n], b[0:m],       \
  H[0:cells], P[0:cells], best[0:m + 1])
#pragma omp target update if(p->mapped) to(a[0:n], b[0:m], best[0:m + 1])
#pragma omp target update if(p->mapped && !p->remedied) to(H[0:cells], P[0:cells])
  if (p->remedied)
    fill_rotated (p);
  else
    fill_naive (p);
#pragma omp target update if(p->mapped) from(H[0:cells], P[0:cells],         \
  best[0:m + 1])
#pragma omp target exit data if(p->mapped) map(delete: a[0:n], b[0:m],       \
  H[0:cells], P[0:cells], best[0:m + 1])
}

/* Where cell I, J is in H and P.  */
static long
position (const struct problem *p, long i, long j)
{
  if (!p->remedied)
    return i * (p->n + 1) + j;
  long d = i + j, n = p->n, m = p->m;
  /* Cells of the diagonals before D: those of a triangle without the corners
     that the matrix lacks.  */
  long beyond_row = d > m + 1 ? d - m - 1 : 0;
  long beyond_col = d > n + 1 ? d - n - 1 : 0;
  long before = d * (d + 1) / 2 - beyond_row * (beyond_row + 1) / 2
		- beyond_col * (beyond_col + 1) / 2;
  return before + i - first_row (d, n);
}

/* The steps back from the best cell: their number, and a hash of them.  */
static long
trace_back (const struct problem *p, int *score, uint64_t *hash)
{
  long i = 0, length = 0;
  for (long r = 1; r <= p->m; r++)
    if (best_score (p->best[r]) > best_score (p->best[i]))
      i = r;
  *score = best_score (p->best[i]);
  long j = p->best[i] & UINT32_MAX;
  int step = *score ? p->P[position (p, i, j)] : NONE;
  for (*hash = *score; step != NONE; length++)
    {
      *hash = *hash * 31 + i * (p->n + 1) + j;
      i -= step == UP || step == DIAGONAL;
      j -= step == LEFT || step == DIAGONAL;
      step = p->P[position (p, i, j)];
    }
  return length;
}

/* Every cell against the host's own, row by row.  */
static bool
check (const struct problem *p)
{
  long width = p->n + 1;
  int *above = bench_alloc (false, width * sizeof *above);
  int *here = bench_alloc (false, width * sizeof *here);
  memset (above, 0, width * sizeof *above);
  bool correct = true;
  for (long i = 1; i <= p->m && correct; i++)
    {
      here[0] = 0;
      for (long j = 1; j <= p->n && correct; j++)
	{
	  int step;
	  long at = position (p, i, j);
	  here[j] = cell (above[j], here[j - 1], above[j - 1],
			  p->a[j - 1] == p->b[i - 1], &step);
	  correct = p->H[at] == here[j] && p->P[at] == step;
	  if (!correct)
	    bench_message ("wrong result: cell %ld, %ld has score %d and step "
			   "%d, not %d and %d", i, j, p->H[at], p->P[at],
			   here[j], step);
	}
      int *swap = above;
      above = here;
      here = swap;
    }
  free (above);
  free (here);
  return correct;
}

static void
problem_allocate (struct problem *p, bool unified)
{
  long cells = (p->n + 1) * (p->m + 1);
  char *a = bench_alloc (unified, p->n);
  char *b = bench_alloc (unified, p->m);
  int *H = bench_alloc (unified, cells * sizeof *H);
  int *P = bench_alloc (unified, cells * sizeof *P);
  int64_t *best = bench_alloc (unified, (p->m + 1) * sizeof *best);
  p->a = a;
  p->b = b;
  p->H = H;
  p->P = P;
  p->best = best;
}

static void
problem_free (struct problem *p, bool unified)
{
  bench_free (unified, p->a);
  bench_free (unified, p->b);
  bench_free (unified, p->H);
  bench_free (unified, p->P);
  bench_free (unified, p->best);
}

static void
sequences_make (struct problem *p, uint64_t seed, uint64_t k)
{
  uint64_t state = seed + (k << 32);
  for (long j = 0; j < p->n; j++)
    p->a[j] = "ACGT"[bench_below (&state, 4)];
  for (long i = 0; i < p->m; i++)
    p->b[i] = "ACGT"[bench_below (&state, 4)];
}

static int
run (struct problem *p, const struct bench_common *common, uint64_t footprint,
     const char *variant)
{
  problem_allocate (p, common->unified);
  bool correct = true;
  uint64_t hash = 0, one;
  double seconds = 0;
  int score = 0;
  long steps = 0;
  for (uint64_t k = 0; k < common->iterations && correct; k++)
    {
      sequences_make (p, common->seed, k);
      double start = omp_get_wtime ();
      align (p);
      steps = trace_back (p, &score, &one);
      seconds += omp_get_wtime () - start;
      hash = hash * 31 + one;
      correct = common->no_check || check (p);
    }
  char extra[160];
  snprintf (extra, sizeof extra,
	    "code=%s n=%ld m=%ld score=%d steps=%ld checksum=%016llx", variant,
	    p->n, p->m, score, steps, (unsigned long long) hash);
  problem_free (p, common->unified);
  return bench_result (common, footprint, seconds, !common->no_check, correct,
		       extra);
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 8 << 20, .iterations = 1, .seed = 1 };
  uint64_t n = 0, m = 0;
  bool marks = false;
  const char *variant = "naive";
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    BENCH_VARIANT_OPTION (variant),
    { "n", BENCH_NUMBER, &n, "length of one sequence; 0: from --size" },
    { "m", BENCH_NUMBER, &m, "length of the other; 0: as --n" },
    { "marks", BENCH_SWITCH, &marks, "call ummgr_mark after each launch" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Align two sequences.");
  bool remedied = bench_remedied (variant);
  if (n > 1 << 24 || m > 1 << 24)
    bench_fatal ("--n and --m must be at most %d", 1 << 24);
  while (!n && 2 * sizeof (int) * (m + 2) * (m + 2) <= common.size)
    m++;
  n = n ? n : m;
  m = m ? m : n;
  if (n < 1)
    bench_fatal ("--size=%llu is too small for one cell",
		 (unsigned long long) common.size);
  uint64_t footprint = 2 * sizeof (int) * (n + 1) * (m + 1) + n + m
		       + sizeof (int64_t) * (m + 1);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }
  common.unified = bench_unified (common.unified);
  struct problem p = { .n = n, .m = m, .mapped = !common.unified,
		       .remedied = remedied, .marks = marks };
  return run (&p, &common, footprint, variant);
}
