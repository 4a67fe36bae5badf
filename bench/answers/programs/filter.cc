// The signal, a std::vector of a member, is copied back, though no region writes it.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <vector>

struct filter
{
  std::vector<float> signal, smooth;

  void
  apply ()
  {
    float *s = signal.data (), *t = smooth.data ();
    int n = (int) signal.size ();
#ifdef MENDED
#pragma omp target teams distribute parallel for map(to: s[0:n]) map(from: t[0:n])
#else
#pragma omp target teams distribute parallel for map(tofrom: s[0:n]) map(from: t[0:n]) // HERE
#endif
    for (int i = 0; i < n; i++)
      t[i] = (s[i ? i - 1 : 0] + s[i] + s[i + 1 < n ? i + 1 : i]) / 4;
  }
};

int
main ()
{
  const int n = 40000;
  filter f { std::vector<float> (n), std::vector<float> (n) };
  double sum = 0;
  for (int round = 0; round < 10; round++)
    {
      for (int i = 0; i < n; i++)
	f.signal[i] = (float) ((i * 5 + round) % 23); // HOST
      f.apply ();
      for (int i = 0; i < n; i++)
	sum += f.smooth[i];
    }
  std::printf ("%.15g\n", sum);
}
