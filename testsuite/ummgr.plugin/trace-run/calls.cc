// Versions of functions that are hard to call: results and arguments in memory
// and by reference, exceptions, virtual functions, operators new and delete.
// Would break if the traced version got other arguments than the plain one.  SPDX-License-Identifier: GPL-3.0-or-later
/* { log-lines {^A .* 32 array } 1 } */
/* { log-lines {^A .* o .*v:8:24;tag:32:4;} 1 } */
/* { log-lines {^F } 2 } */

#include <stdexcept>

struct base
{
  virtual ~base () {}
  virtual int at (int i) = 0;
};

struct counted : base
{
  double v[3];
  int tag;
  counted (int t) : v { 1, 2, 3 }, tag (t) {}
  __attribute__ ((noinline)) int at (int i) override
  {
    if (i > 2)
      throw std::out_of_range ("index");
    return v[i] * tag;
  }
};

struct copied
{
  int v;
  explicit copied (int x) : v (x) {}
  copied (const copied &o) : v (o.v + 1) {}
  ~copied () { v = -1; }
};

__attribute__ ((noinline)) static copied
pass (copied c, int by)
{
  c.v += by;
  return c;
}

struct large { long v[8]; };

__attribute__ ((noinline)) static large
twice (large l)
{
  for (long &x : l.v)
    x *= 2;
  return l;
}

int
main ()
{
  counted *o = new counted (2);
  base *b = o;
  int t = 0, caught = 0;
  try
    {
      for (int i = 0; i < 5; i++)
	t += b->at (i);
    }
  catch (const std::out_of_range &)
    {
      caught = 1;
    }
  copied c = pass (copied (1), 5);
  large l = { { 1, 2, 3, 4, 5, 6, 7, 8 } };
  l = twice (twice (l));
  int *array = new int[8] ();
  array[3] = l.v[7];
  bool right = t == 12 && caught && c.v >= 6 && array[3] == 32;
  delete[] array;
  delete b;
  return !right;
}
