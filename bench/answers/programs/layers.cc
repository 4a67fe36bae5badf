// A network of layers, each with a std::vector of weights, which are copied in for each input.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

enum { N = 20000, LAYERS = 3, INPUTS = 10 };

struct layer
{
  std::vector<double> weights;

  explicit layer (int which) : weights (N)
  {
    for (int i = 0; i < N; i++)
      weights[i] = ((i + which) % 9) / 8.0;
  }

  void
  apply (double *values)
  {
    double *w = weights.data ();
#pragma omp target teams distribute parallel for map(to: w[0:N]) map(tofrom: values[0:N]) // HERE
    for (int i = 0; i < N; i++)
      values[i] = w[i] * values[i] + 1;
  }
};

static double
forward (std::vector<layer> &network, std::vector<double> &values)
{
  double *v = values.data (), sum = 0;
  for (layer &l : network)
    {
      l.apply (v);
      for (int i = 0; i < N; i++)
	sum += v[i]++;
    }
  return sum;
}

int
main ()
{
  std::vector<layer> network;
  for (int l = 0; l < LAYERS; l++)
    network.emplace_back (l);
  std::vector<double> values (N);
  double sum = 0;
#ifdef MENDED
  for (layer &l : network)
    {
      double *w = l.weights.data ();
#pragma omp target enter data map(to: w[0:N])
    }
#endif
  for (int k = 0; k < INPUTS; k++) // LOOP
    {
      for (int i = 0; i < N; i++)
	values[i] = (i * k) % 7;
      sum += forward (network, values);
    }
#ifdef MENDED
  for (layer &l : network)
    {
      double *w = l.weights.data ();
#pragma omp target exit data map(release: w[0:N])
    }
#endif
  std::printf ("%.15g\n", sum);
}
