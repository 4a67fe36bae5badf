/* A wave on a string: C++, vectors in a class template and its base, through locals.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>
#include <cstdlib>
#include <vector>

template <class T> class Field
{
protected:
  std::vector<T> now, before, after;
  int size () const { return (int) now.size (); }

public:
  explicit Field (int n) : now (n), before (n), after (n) {}
};

template <class T> class String : public Field<T>
{
  T *tension;
  std::vector<int> fixed;

public:
  explicit String (int n);
  ~String () { delete[] tension; }
  void step (T c);
  void hold ();
  T energy () const;
  T operator[] (int i) const { return this->now[i]; }
};

template <class T> String<T>::String (int n) : Field<T> (n), tension (new T[n])
{
  for (int i = 0; i < n; i++)
    {
      this->now[i] = this->before[i] = i % 20 < 10 ? i % 20 : 20 - i % 20;
      tension[i] = 1 + (i % 4) * T (0.1);
      if (i % 50 == 0)
	fixed.push_back (i);
    }
}

template <class T> void
String<T>::step (T c)
{
  T *u = this->now.data (), *old = this->before.data (), *next = this->after.data ();
  int n = this->size ();
#pragma omp target teams distribute parallel for map(to: u[0:n], old[0:n], tension[0:n]) map(tofrom: next[0:n])
  for (int i = 1; i < n - 1; i++)
    next[i] = 2 * u[i] - old[i] + c * tension[i] * (u[i + 1] - 2 * u[i] + u[i - 1]);
  this->before.swap (this->now);
  this->now.swap (this->after);
}

template <class T> void
String<T>::hold ()
{
  T *u = &this->now[0];
  const int *at = fixed.data ();
  int n = this->size (), count = (int) fixed.size ();
#pragma omp target teams distribute parallel for map(tofrom: u[0:n]) map(to: at[0:count])
  for (int i = 0; i < count; i++)
    u[at[i]] = 0;
}

template <class T> T
String<T>::energy () const
{
  const T *u = this->now.data (), *old = this->before.data ();
  int n = this->size ();
  T sum = 0;
#pragma omp target teams distribute parallel for map(to: u[0:n], old[0:n]) map(tofrom: sum) reduction(+: sum)
  for (int i = 0; i < n; i++)
    sum += (u[i] - old[i]) * (u[i] - old[i]);
  return sum;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? std::atoi (argv[1]) : 6000;
  String<double> string (n);
  for (int s = 0; s < 6; s++)
    {
      string.step (0.1);
      string.hold ();
    }
  std::printf ("%.12g %.12g\n", string.energy (), string[n / 2 + 1]);
}
