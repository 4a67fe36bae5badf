// Virtual calls: would break if the functions that classes of this unit have were not called, if
// those of a closed hierarchy were not all, or those of an open one were.  SPDX-License-Identifier: GPL-3.0-or-later
// { dg-do compile }

double v[64];

struct open
{
  virtual void run () = 0;
  virtual int other () { return 1; }
};

struct open_one : open
{
  void run () override;
};

struct open_two : open
{
  void run () override;
};

void
open_one::run ()
{
#pragma omp target
  v[0] += 1;
}

void
open_two::run ()
{
#pragma omp target
  v[1] += 1;
}

namespace
{
struct closed
{
  virtual void go ()
  {
#pragma omp target
    v[2] += 1;
  }
};

struct closed_one : closed
{
  void go () override
  {
#pragma omp target
    v[3] += 1;
  }
};

struct last final : closed
{
  void go () override { v[5] += 1; }
};
}

void
call_open (open *o)
{
  o->run ();				// line 66
}

void
call_closed (int n)
{
  closed *o = n > 1 ? new closed : n ? (closed *) new closed_one : (closed *) new last;
  o->go ();
}

open *
make (int n)
{
  return n ? (open *) new open_one : (open *) new open_two;
}

// { dg-final { scan-ummgr-dump-times {flow event _Z9call_openP4open \d call _ZN8open_(one|two)3runEv$} 2 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {flow edge _Z9call_openP4open 1 -> \d probability 0\.5 estimated$} 2 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {flow event _Z11call_closedi \d call _ZN12_GLOBAL__N_1\d+closed\w*2goEv$} 2 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {flow edge _Z11call_closedi 1 -> \d probability 0\.333\d* estimated$} 3 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {flow call} 1 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {flow call _Z9call_openP4open \S*:66 virtual not all known$} 1 ummgr-tables } }
