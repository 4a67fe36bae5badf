/* hydro's kernels, one target region each.
   SPDX-License-Identifier: GPL-3.0-or-later

   DOM is the domain where the kernel's side has it, and is never mapped here;
   OFFLOAD is false for the host's own steps.  The addresses of temporaries are
   in the argument T, or, where those are NULL, in the domain.  */

#pragma once

#include "hydro.h"

/* Forces on the corners of each element.  */
static void
stress (const struct domain *dom, long elems, double hgcoef, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom)
  for (long e = 0; e < elems; e++)
    {
      struct hex area, force;
      struct hex h = hex_load (dom->m_x, dom->m_y, dom->m_z, dom->m_nodelist, e);
      struct hex v = hex_load (dom->m_xd, dom->m_yd, dom->m_zd,
			       dom->m_nodelist, e);
      double volume = hex_volume (&h, &area);
      double pressure = dom->m_p[e] + dom->m_q[e];
      double damping = 0.01 * hgcoef * dom->m_ss[e] * dom->m_elemMass[e]
		       / cbrt (volume);
      double shape[4][CORNERS];
      for (int c = 0; c < CORNERS; c++)
	{
	  double xi = along_xi (c), eta = along_eta (c), zeta = along_zeta (c);
	  force.x[c] = pressure * area.x[c];
	  force.y[c] = pressure * area.y[c];
	  force.z[c] = pressure * area.z[c];
	  shape[0][c] = xi * eta;
	  shape[1][c] = eta * zeta;
	  shape[2][c] = zeta * xi;
	  shape[3][c] = xi * eta * zeta;
	}
      for (int mode = 0; mode < 4; mode++)
	hourglass_add (&v, &force, shape[mode], damping);
      for (int c = 0; c < CORNERS; c++)
	{
	  dom->m_fx_elem[e * CORNERS + c] = force.x[c];
	  dom->m_fy_elem[e * CORNERS + c] = force.y[c];
	  dom->m_fz_elem[e * CORNERS + c] = force.z[c];
	}
    }
}

/* Forces on each node, from the elements around it.  */
static void
gather (const struct domain *dom, long side, bool offload)
{
#pragma omp target teams distribute parallel for collapse(3)                  \
  if(target: offload) firstprivate(dom)
  for (long k = 0; k <= side; k++)
    for (long j = 0; j <= side; j++)
      for (long i = 0; i <= side; i++)
	{
	  double fx = 0, fy = 0, fz = 0;
	  for (int c = 0; c < CORNERS; c++)
	    {
	      /* The element whose corner C is this node.  */
	      long ei = i - (along_xi (c) > 0), ej = j - (along_eta (c) > 0);
	      long ek = k - (along_zeta (c) > 0);
	      if (ei < 0 || ej < 0 || ek < 0 || ei == side || ej == side
		  || ek == side)
		continue;
	      long at = ((ek * side + ej) * side + ei) * CORNERS + c;
	      fx += dom->m_fx_elem[at];
	      fy += dom->m_fy_elem[at];
	      fz += dom->m_fz_elem[at];
	    }
	  long node = (k * (side + 1) + j) * (side + 1) + i;
	  dom->m_fx[node] = fx;
	  dom->m_fy[node] = fy;
	  dom->m_fz[node] = fz;
	}
}

static void
accelerate (const struct domain *dom, long nodes, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom)
  for (long n = 0; n < nodes; n++)
    {
      dom->m_xdd[n] = dom->m_fx[n] / dom->m_nodalMass[n];
      dom->m_ydd[n] = dom->m_fy[n] / dom->m_nodalMass[n];
      dom->m_zdd[n] = dom->m_fz[n] / dom->m_nodalMass[n];
    }
}

/* Nothing moves through a plane of symmetry.  */
static void
boundary (const struct domain *dom, long face, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom)
  for (long i = 0; i < face; i++)
    {
      dom->m_xdd[dom->m_symmX[i]] = 0;
      dom->m_ydd[dom->m_symmY[i]] = 0;
      dom->m_zdd[dom->m_symmZ[i]] = 0;
    }
}

static void
move (const struct domain *dom, long nodes, double dt, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom)
  for (long n = 0; n < nodes; n++)
    {
      dom->m_xd[n] += dom->m_xdd[n] * dt;
      dom->m_yd[n] += dom->m_ydd[n] * dt;
      dom->m_zd[n] += dom->m_zdd[n] * dt;
      dom->m_x[n] += dom->m_xd[n] * dt;
      dom->m_y[n] += dom->m_yd[n] * dt;
      dom->m_z[n] += dom->m_zd[n] * dt;
    }
}

/* New volume, and the rates of strain along the axes.  */
static void
kinematics (const struct domain *dom, struct strains t, long elems,
	    bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom, t)
  for (long e = 0; e < elems; e++)
    {
      struct hex area;
      struct hex h = hex_load (dom->m_x, dom->m_y, dom->m_z, dom->m_nodelist, e);
      struct hex v = hex_load (dom->m_xd, dom->m_yd, dom->m_zd,
			       dom->m_nodelist, e);
      double volume = hex_volume (&h, &area);
      double xx = 0, yy = 0, zz = 0;
      for (int c = 0; c < CORNERS; c++)
	{
	  xx += area.x[c] * v.x[c];
	  yy += area.y[c] * v.y[c];
	  zz += area.z[c] * v.z[c];
	}
      double *dxx = t.dxx ? t.dxx : dom->m_dxx;
      double *dyy = t.dyy ? t.dyy : dom->m_dyy;
      double *dzz = t.dzz ? t.dzz : dom->m_dzz;
      dxx[e] = xx / volume;
      dyy[e] = yy / volume;
      dzz[e] = zz / volume;
      dom->m_vnew[e] = volume / dom->m_volo[e];
      dom->m_delv[e] = dom->m_vnew[e] - dom->m_v[e];
      dom->m_arealg[e] = cbrt (volume);
    }
}

static void
rates (const struct domain *dom, struct strains t, long elems, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom, t)
  for (long e = 0; e < elems; e++)
    {
      const double *dxx = t.dxx ? t.dxx : dom->m_dxx;
      const double *dyy = t.dyy ? t.dyy : dom->m_dyy;
      const double *dzz = t.dzz ? t.dzz : dom->m_dzz;
      dom->m_vdov[e] = dxx[e] + dyy[e] + dzz[e];
    }
}

/* Differences of velocity and position across each element.  */
static void
gradients (const struct domain *dom, struct gradients t, long elems,
	   bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom, t)
  for (long e = 0; e < elems; e++)
    {
      struct hex h = hex_load (dom->m_x, dom->m_y, dom->m_z, dom->m_nodelist, e);
      struct hex v = hex_load (dom->m_xd, dom->m_yd, dom->m_zd,
			       dom->m_nodelist, e);
      double *delv_xi = t.delv_xi ? t.delv_xi : dom->m_delv_xi;
      double *delv_eta = t.delv_eta ? t.delv_eta : dom->m_delv_eta;
      double *delv_zeta = t.delv_zeta ? t.delv_zeta : dom->m_delv_zeta;
      double *delx_xi = t.delx_xi ? t.delx_xi : dom->m_delx_xi;
      double *delx_eta = t.delx_eta ? t.delx_eta : dom->m_delx_eta;
      double *delx_zeta = t.delx_zeta ? t.delx_zeta : dom->m_delx_zeta;
      double delv, delx;
      gradient (&h, &v, along_xi, &delv, &delx);
      delv_xi[e] = delv;
      delx_xi[e] = delx;
      gradient (&h, &v, along_eta, &delv, &delx);
      delv_eta[e] = delv;
      delx_eta[e] = delx;
      gradient (&h, &v, along_zeta, &delv, &delx);
      delv_zeta[e] = delv;
      delx_zeta[e] = delx;
    }
}

/* Linear and quadratic viscosity, where the gas is compressed.  */
static void
viscosity (const struct domain *dom, struct gradients t, long elems, double qlc,
	   double qqc, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom, t)
  for (long e = 0; e < elems; e++)
    {
      const double *delv_xi = t.delv_xi ? t.delv_xi : dom->m_delv_xi;
      const double *delv_eta = t.delv_eta ? t.delv_eta : dom->m_delv_eta;
      const double *delv_zeta = t.delv_zeta ? t.delv_zeta : dom->m_delv_zeta;
      const double *delx_xi = t.delx_xi ? t.delx_xi : dom->m_delx_xi;
      const double *delx_eta = t.delx_eta ? t.delx_eta : dom->m_delx_eta;
      const double *delx_zeta = t.delx_zeta ? t.delx_zeta : dom->m_delx_zeta;
      double linear = 0, quadratic = 0;
      viscosity_add (delv_xi, delx_xi, e, dom->m_lxim[e], dom->m_lxip[e],
		     &linear, &quadratic);
      viscosity_add (delv_eta, delx_eta, e, dom->m_letam[e], dom->m_letap[e],
		     &linear, &quadratic);
      viscosity_add (delv_zeta, delx_zeta, e, dom->m_lzetam[e],
		     dom->m_lzetap[e], &linear, &quadratic);
      double density = dom->m_elemMass[e]
		       / (dom->m_vnew[e] * dom->m_volo[e]);
      bool compressed = dom->m_vdov[e] < 0;
      dom->m_ql[e] = compressed ? qlc * density * linear : 0;
      dom->m_qq[e] = compressed ? qqc * density * quadratic : 0;
    }
}

/* Energy, pressure and speed of sound at the new volume.  */
static void
equation_of_state (const struct domain *dom, long elems, double emin,
		   bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom)
  for (long e = 0; e < elems; e++)
    {
      double mass = dom->m_elemMass[e];
      double growth = dom->m_delv[e] * dom->m_volo[e] / mass;
      double density = mass / (dom->m_vnew[e] * dom->m_volo[e]);
      double q = dom->m_ql[e] * dom->m_ss[e] + dom->m_qq[e];
      double old = dom->m_e[e], p = dom->m_p[e];
      double guess = fmax (emin, old - (p + q) * growth);
      double middle = 0.5 * (p + (GAMMA - 1) * density * guess);
      double energy = fmax (emin, old - (middle + q) * growth);
      p = (GAMMA - 1) * density * energy;
      dom->m_e[e] = energy;
      dom->m_p[e] = p;
      dom->m_q[e] = q;
      dom->m_ss[e] = sqrt (GAMMA * p / density);
      dom->m_v[e] = dom->m_vnew[e];
    }
}

/* Longest step in which sound does not cross an element.  */
static double
courant (const struct domain *dom, long elems, bool offload)
{
  double least = 1e20;
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom) reduction(min: least) map(tofrom: least)
  for (long e = 0; e < elems; e++)
    {
      double length = dom->m_arealg[e];
      double speed = dom->m_ss[e] + 2 * fabs (dom->m_vdov[e]) * length;
      least = fmin (least, length / speed);
    }
  return least;
}

/* Greatest rate at which a volume changes.  */
static double
fastest_change (const struct domain *dom, long elems, bool offload)
{
  double most = 1e-20;
#pragma omp target teams distribute parallel for if(target: offload)          \
  firstprivate(dom) reduction(max: most) map(tofrom: most)
  for (long e = 0; e < elems; e++)
    most = fmax (most, fabs (dom->m_vdov[e]));
  return most;
}
