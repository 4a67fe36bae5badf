/* In the shape of LULESH: C++, a domain with its fields behind accessors, node lists of eight
   nodes an element, kernels that get the domain or pointers to its fields.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef double Real_t;
typedef int Index_t;

class Domain
{
public:
  explicit Domain (Index_t edge);
  Real_t &x (Index_t i) { return m_x[i]; }
  Real_t &xd (Index_t i) { return m_xd[i]; }
  Real_t &fx (Index_t i) { return m_fx[i]; }
  Index_t *nodelist (Index_t k) { return &m_nodelist[8 * k]; }
  Index_t numElem () const { return m_numElem; }
  Index_t numNode () const { return m_numNode; }

  Index_t m_numElem, m_numNode;
  std::vector<Real_t> m_x, m_xd, m_fx;
  std::vector<Index_t> m_nodelist;
  Real_t *m_nodalMass;
  Real_t *m_e, *m_p, *m_q, *m_v, *m_delv;
};

Domain::Domain (Index_t edge)
{
  Index_t nodes = edge + 1;
  m_numElem = edge * edge * edge;
  m_numNode = nodes * nodes * nodes;
  m_x.resize (m_numNode);
  m_xd.resize (m_numNode);
  m_fx.resize (m_numNode);
  m_nodelist.resize (8 * m_numElem);
  m_nodalMass = new Real_t[m_numNode];
  m_e = new Real_t[m_numElem];
  m_p = new Real_t[m_numElem];
  m_q = new Real_t[m_numElem];
  m_v = new Real_t[m_numElem];
  m_delv = new Real_t[m_numElem];
  for (Index_t i = 0; i < m_numNode; i++)
    {
      m_x[i] = i % nodes * 1.125 / edge;
      m_nodalMass[i] = 1;
    }
  for (Index_t k = 0; k < m_numElem; k++)
    {
      Index_t corner = k % edge + nodes * (k / edge % edge + nodes * (k / edge / edge));
      for (int c = 0; c < 8; c++)
	nodelist (k)[c] = corner + c % 2 + nodes * (c / 2 % 2 + nodes * (c / 4));
      m_e[k] = k == 0 ? 3.948746e+7 : 0;
      m_p[k] = m_q[k] = m_delv[k] = 0;
      m_v[k] = 1;
    }
}

/* What the elements do to their nodes.  */
static void
CalcForceForNodes (Domain &domain)
{
  Index_t numElem = domain.numElem (), numNode = domain.numNode ();
  const Index_t *nodelist = domain.nodelist (0);
  Real_t *fx = &domain.fx (0);
#pragma omp target teams distribute parallel for map(from: fx[0:numNode])
  for (Index_t i = 0; i < numNode; i++)
    fx[i] = 0;
#pragma omp target teams distribute parallel for \
  map(to: domain.m_p[0:numElem], domain.m_q[0:numElem], nodelist[0:8 * numElem]) map(tofrom: fx[0:numNode])
  for (Index_t k = 0; k < numElem; k++)
    {
      Real_t sig = -domain.m_p[k] - domain.m_q[k];
      for (int c = 0; c < 8; c++)
	{
#pragma omp atomic
	  fx[nodelist[8 * k + c]] += sig * (c % 2 ? 1 : -1);
	}
    }
}

static void
CalcPositionForNodes (Domain &domain, Real_t dt)
{
  Index_t numNode = domain.numNode ();
  Real_t *x = domain.m_x.data (), *xd = domain.m_xd.data ();
  const Real_t *fx = domain.m_fx.data ();
#pragma omp target teams distribute parallel for map(tofrom: x[0:numNode], xd[0:numNode]) \
  map(to: fx[0:numNode], domain.m_nodalMass[0:numNode])
  for (Index_t i = 0; i < numNode; i++)
    {
      xd[i] += dt * fx[i] / domain.m_nodalMass[i];
      x[i] += dt * xd[i];
    }
}

/* From the positions of their nodes, how much elements grow.  */
static void
CalcKinematicsForElems (Domain &domain)
{
  Index_t numElem = domain.m_numElem, numNode = domain.m_numNode;
  const Index_t *nodelist = domain.nodelist (0);
  const Real_t *xd = &domain.xd (0);
#pragma omp target teams distribute parallel for map(to: nodelist[0:8 * numElem], xd[0:numNode]) \
  map(from: domain.m_delv[0:numElem])
  for (Index_t k = 0; k < numElem; k++)
    {
      Real_t local[8], sum = 0;
      for (int c = 0; c < 8; c++)
	local[c] = xd[nodelist[8 * k + c]];
      for (int c = 0; c < 8; c++)
	sum += local[c] * (c % 2 ? 1 : -1);
      domain.m_delv[k] = 0.25 * sum;
    }
}

static void
EvalEOSForElems (Domain &domain, Real_t dt)
{
  Index_t numElem = domain.numElem ();
#pragma omp target teams distribute parallel for map(to: domain.m_delv[0:numElem]) \
  map(tofrom: domain.m_v[0:numElem], domain.m_e[0:numElem], domain.m_q[0:numElem]) map(from: domain.m_p[0:numElem])
  for (Index_t k = 0; k < numElem; k++)
    {
      domain.m_v[k] += dt * domain.m_delv[k];
      domain.m_e[k] -= dt * domain.m_q[k] * domain.m_delv[k];
      Real_t p = 2.0 / 3 * domain.m_e[k] / domain.m_v[k];
      domain.m_p[k] = std::fabs (p) < 1e-7 ? 0 : p;
      domain.m_q[k] = domain.m_delv[k] > 0 ? 0 : -0.5 * domain.m_delv[k];
    }
}

int
main (int argc, char **argv)
{
  Domain domain (argc > 1 ? std::atoi (argv[1]) : 12);
  Real_t dt = 1e-9;
  for (int cycle = 0; cycle < 4; cycle++)
    {
      EvalEOSForElems (domain, dt);
      CalcForceForNodes (domain);
      CalcPositionForNodes (domain, dt);
      CalcKinematicsForElems (domain);
    }
  std::printf ("%.12g %.12g\n", domain.m_e[0], domain.x (1));
}
