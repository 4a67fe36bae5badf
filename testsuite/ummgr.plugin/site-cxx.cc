// new, members, virtual functions, references and containers are followed.  SPDX-License-Identifier: GPL-3.0-or-later
// { dg-do compile }
// { dg-additional-options "-fplugin-arg-ummgr-unify" }

#include <vector>

#define PRAGMA(x) _Pragma (#x)
#define RUN(p)                                                                \
  PRAGMA (omp target map(tofrom: p[:8]))                                   \
  p[0] += 1;

struct base
{
  virtual double *get () = 0;
  virtual ~base () {}
};

struct derived final : base
{
  double *mine = new double[8];
  double *get () override { return mine; }
  ~derived () { delete[] mine; }
};

static void
by_reference (double *&out)
{
  out = new double[9];
}

void
run (int n)
{
  derived d;
  base &b = d;
  double *use_virtual = b.get ();
  RUN (use_virtual)
  double *use_reference;
  by_reference (use_reference);
  RUN (use_reference)
  std::vector<double> v (n);
  double *use_vector = v.data ();
  RUN (use_vector)
  auto lambda = [=] (double *inside) { RUN (inside) };
  volatile double *unused = new double[10];
  unused[0] = 1;
  lambda (use_reference);
  delete[] unused;
}

// { dg-final { scan-ummgr-dump "argument use_virtual: new.. at line" ummgr-sites } }
// { dg-final { scan-ummgr-dump "argument use_reference: new.. at line" ummgr-sites } }
// { dg-final { scan-ummgr-dump "argument use_vector: .* at line" ummgr-sites } }
// { dg-final { scan-ummgr-dump "argument inside: new.. at line" ummgr-sites } }
// { dg-final { scan-ummgr-dump "site new.. at site-cxx.cc:45 in .* not redirected: it reaches no region" ummgr-sites } }
// { dg-final { scan-ummgr-dump-not "what is not known" ummgr-sites } }
