/* Loops around loops: a matrix product, a transposition, blocks, a triangle, a
   collapsed nest around a short loop, an array of the stack behind a pointer:
   would break if a hoisted nest reported other accesses than it makes, or in
   another order than that of its words.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-options "-fopenmp -foffload=disable" } */
/* { log-lines {^R .* 8 } 177 } */
/* { log-lines {^W .* 8 } 72 } */
/* { log-lines {^R .* 4 } 201 } */
/* { log-lines {^W .* 4 } 163 } */
/* { log-lines {^M } -O0 0 -O2 11 } */
/* { log-lines {^[RWU] .* 2 1$} -O0 113 -O2 0 } */

#define N 4

/* N * N times: N reads of each factor, one of the sum, one write.  */
__attribute__ ((noipa)) static void
product (double *c, const double *a, const double *b, long n)
{
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	double sum = c[i * n + j];
	for (long k = 0; k < n; k++)
	  sum += a[i * n + k] * b[k * n + j];
	c[i * n + j] = sum;
      }
}

/* A write and a read for each; again, backwards.  */
__attribute__ ((noipa)) static void
transpose (double *restrict to, const double *restrict from, long rows,
	   long cols)
{
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < cols; j++)
      to[j * rows + i] = from[i * cols + j];
  for (long i = rows - 1; i >= 0; i--)
    for (long j = 0; j < cols; j += 2)
      to[i * cols + j] += from[j * rows + i];
}

/* The inner loop's count varies.  */
__attribute__ ((noipa)) static int
triangle (const int *p, int n)
{
  int t = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      t += p[i * n + j];
  return t;
}

__attribute__ ((noipa)) static void
collapsed (int *c, const int *a, const int *b, long n)
{
#pragma omp parallel for collapse(2) num_threads(1)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	int sum = c[i * n + j];
	for (long k = 0; k < 3; k++)
	  sum += a[i * 3 + k] * b[k * n + j];
	c[i * n + j] = sum;
      }
}

/* Two inner loops, of which the second reads what the first writes.  */
__attribute__ ((noipa)) static int
two (int *p, int rows, int cols)
{
  int t = 0;
  for (int i = 0; i < rows; i++)
    {
      for (int j = 0; j < cols; j++)
	p[i * cols + j] = i + j;
      for (int j = 0; j < cols; j++)
	t += p[i * cols + j];
    }
  return t;
}

/* Nobody else sees the rows.  */
__attribute__ ((noipa)) static short
rows (short first, int n)
{
  short rows[2][16];
  for (int i = 0; i < 16; i++)
    rows[0][i] = first;
  for (int r = 0; r < n; r++)
    {
      const short *above = rows[r & 1];
      short *here = rows[~r & 1];
      for (int i = 0; i < 16; i++)
	here[i] = above[15 - i] + 1;
    }
  return rows[n & 1][3];
}

int
main (void)
{
  static double a[16], b[16], c[16];
  static int p[64], q[64], r[64];
  for (int i = 0; i < 16; i++)
    a[i] = i, b[i] = 2;
  product (c, a, b, N);
  if (c[5] != 2 * (4 + 5 + 6 + 7))
    return 1;
  transpose (b, a, 4, 4);
  for (int i = 0; i < 64; i++)
    p[i] = 1, q[i] = 2;
  if (triangle (p, 5) != 15)
    return 2;
  collapsed (r, p, q, 5);
  if (r[7] != 6)
    return 3;
  if (two (r, 2, 5) != 25)
    return 4;
  return rows (2, 3) != 5;
}
