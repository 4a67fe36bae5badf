/* In the shape of a mini finite-element code: C++, a matrix in rows and vectors as structs,
   conjugate gradients.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename Scalar, typename Local> struct Vector
{
  Local local_size;
  Scalar *coefs;
};

template <typename Scalar, typename Local> struct CSRMatrix
{
  Local num_rows, num_nonzeros;
  Local *row_offsets, *packed_cols;
  Scalar *packed_coefs;
};

typedef Vector<double, int> VectorType;
typedef CSRMatrix<double, int> MatrixType;

static VectorType
vector_new (int n, double value)
{
  VectorType v = { n, new double[n] };
  for (int i = 0; i < n; i++)
    v.coefs[i] = value;
  return v;
}

/* Bilinear elements on a square of NX by NX nodes, 9 coefficients a row.  */
static MatrixType
matrix_new (int nx)
{
  MatrixType A;
  int n = nx * nx, k = 0;
  A.num_rows = n;
  A.row_offsets = new int[n + 1];
  A.packed_cols = new int[9 * n];
  A.packed_coefs = new double[9 * n];
  for (int row = 0; row < n; row++)
    {
      A.row_offsets[row] = k;
      for (int i = row / nx - 1; i <= row / nx + 1; i++)
	for (int j = row % nx - 1; j <= row % nx + 1; j++)
	  if (i >= 0 && i < nx && j >= 0 && j < nx)
	    {
	      A.packed_cols[k] = i * nx + j;
	      A.packed_coefs[k++] = i * nx + j == row ? 8.0 / 3 + 0.01 : -1.0 / 3;
	    }
    }
  A.row_offsets[n] = k;
  A.num_nonzeros = k;
  return A;
}

template <typename MatrixT, typename VectorT> static void
matvec (MatrixT &A, VectorT &x, VectorT &y)
{
  int n = A.num_rows, nnz = A.num_nonzeros;
#pragma omp target teams distribute parallel for map(to: A.row_offsets[0:n + 1], A.packed_cols[0:nnz]) \
  map(to: A.packed_coefs[0:nnz], x.coefs[0:n]) map(from: y.coefs[0:n])
  for (int row = 0; row < n; row++)
    {
      double sum = 0;
      for (int i = A.row_offsets[row]; i < A.row_offsets[row + 1]; i++)
	sum += A.packed_coefs[i] * x.coefs[A.packed_cols[i]];
      y.coefs[row] = sum;
    }
}

template <typename VectorT> static void
waxpby (double alpha, const VectorT &x, double beta, const VectorT &y, VectorT &w)
{
  int n = x.local_size;
#pragma omp target teams distribute parallel for map(to: x.coefs[0:n], y.coefs[0:n]) map(from: w.coefs[0:n])
  for (int i = 0; i < n; i++)
    w.coefs[i] = alpha * x.coefs[i] + beta * y.coefs[i];
}

template <typename VectorT> static void
daxpby (double alpha, const VectorT &x, double beta, VectorT &y)
{
  int n = x.local_size;
  const double *xcoefs = x.coefs;
  double *ycoefs = y.coefs;
#pragma omp target teams distribute parallel for map(to: xcoefs[0:n]) map(tofrom: ycoefs[0:n])
  for (int i = 0; i < n; i++)
    ycoefs[i] = alpha * xcoefs[i] + beta * ycoefs[i];
}

template <typename VectorT> static double
dot (const VectorT &x, const VectorT &y)
{
  double result = 0;
  int n = x.local_size;
#pragma omp target teams distribute parallel for map(tofrom: result) reduction(+: result) \
  map(to: x.coefs[0:n], y.coefs[0:n])
  for (int i = 0; i < n; i++)
    result += x.coefs[i] * y.coefs[i];
  return result;
}

int
main (int argc, char **argv)
{
  int nx = argc > 1 ? std::atoi (argv[1]) : 60;
  MatrixType A = matrix_new (nx);
  VectorType b = vector_new (nx * nx, 1), x = vector_new (nx * nx, 0), r = vector_new (nx * nx, 0);
  VectorType p = vector_new (nx * nx, 0), Ap = vector_new (nx * nx, 0);
  matvec (A, x, Ap);
  waxpby (1, b, -1, Ap, r);
  waxpby (1, r, 0, x, p);
  double rtrans = dot (r, r);
  for (int k = 0; k < 5; k++)
    {
      matvec (A, p, Ap);
      double alpha = rtrans / dot (Ap, p);
      daxpby (alpha, p, 1, x);
      daxpby (-alpha, Ap, 1, r);
      double old = rtrans;
      rtrans = dot (r, r);
      waxpby (1, r, rtrans / old, p, p);
    }
  std::printf ("%.12g %.12g\n", std::sqrt (rtrans), x.coefs[nx * nx / 2]);
}
