/* hydro's domain, and the geometry of its elements.
   SPDX-License-Identifier: GPL-3.0-or-later

   What host and device share, and functions without state that both use.  */

#pragma once

#include "common.h"

#include <math.h>

#define CORNERS 8
#define GAMMA 1.4		/* Of the gas.  */
#define LIMITS 202	/* With these, the size of LULESH's domain: 3736.  */

/* The arrays that live as long as the domain: type, name, elements.  */
#define ARRAYS(X)                                                             \
  X (double, m_x, nodes)                                                      \
  X (double, m_y, nodes)                                                      \
  X (double, m_z, nodes)                                                      \
  X (double, m_xd, nodes)                                                     \
  X (double, m_yd, nodes)                                                     \
  X (double, m_zd, nodes)                                                     \
  X (double, m_xdd, nodes)                                                    \
  X (double, m_ydd, nodes)                                                    \
  X (double, m_zdd, nodes)                                                    \
  X (double, m_fx, nodes)                                                     \
  X (double, m_fy, nodes)                                                     \
  X (double, m_fz, nodes)                                                     \
  X (double, m_nodalMass, nodes)                                              \
  X (int, m_symmX, face)                                                      \
  X (int, m_symmY, face)                                                      \
  X (int, m_symmZ, face)                                                      \
  X (int, m_nodelist, CORNERS * elems)                                        \
  X (int, m_lxim, elems)                                                      \
  X (int, m_lxip, elems)                                                      \
  X (int, m_letam, elems)                                                     \
  X (int, m_letap, elems)                                                     \
  X (int, m_lzetam, elems)                                                    \
  X (int, m_lzetap, elems)                                                    \
  X (double, m_e, elems)                                                      \
  X (double, m_p, elems)                                                      \
  X (double, m_q, elems)                                                      \
  X (double, m_ql, elems)                                                     \
  X (double, m_qq, elems)                                                     \
  X (double, m_v, elems)                                                      \
  X (double, m_volo, elems)                                                   \
  X (double, m_vnew, elems)                                                   \
  X (double, m_delv, elems)                                                   \
  X (double, m_vdov, elems)                                                   \
  X (double, m_arealg, elems)                                                 \
  X (double, m_ss, elems)                                                     \
  X (double, m_elemMass, elems)                                               \
  X (double, m_fx_elem, CORNERS * elems)                                      \
  X (double, m_fy_elem, CORNERS * elems)                                      \
  X (double, m_fz_elem, CORNERS * elems)

/* Those that live twice a step.  */
struct strains
{
  double *dxx, *dyy, *dzz;
};

struct gradients
{
  double *delv_xi, *delv_eta, *delv_zeta, *delx_xi, *delx_eta, *delx_zeta;
};

struct domain
{
#define MEMBER(TYPE, NAME, COUNT) TYPE *NAME;
  ARRAYS (MEMBER)
#undef MEMBER
  double *m_dxx, *m_dyy, *m_dzz;
  double *m_delv_xi, *m_delv_eta, *m_delv_zeta;
  double *m_delx_xi, *m_delx_eta, *m_delx_zeta;

  double m_time, m_deltatime, m_dtcourant, m_dthydro;
  double m_hgcoef, m_qlc, m_qqc, m_dvovmax, m_courant, m_growth;
  double m_emin, m_refdens, m_stoptime;
  int m_cycle, m_side, m_numElem, m_numNode;
  /* The longest step allowed from a time on, by increasing time.  */
  double m_limit_time[LIMITS];
  double m_limit_step[LIMITS];
};

/* --- geometry ----------------------------------------------------------------

   Corners of an element are numbered around its lower face, then its upper.  */

#define INLINE static inline __attribute__ ((always_inline))

struct hex
{
  double x[CORNERS], y[CORNERS], z[CORNERS];
};

#pragma omp declare target
INLINE double
along_xi (int corner)
{
  return (corner + 1) >> 1 & 1 ? 1 : -1;
}

INLINE double
along_eta (int corner)
{
  return corner >> 1 & 1 ? 1 : -1;
}

INLINE double
along_zeta (int corner)
{
  return corner >> 2 ? 1 : -1;
}

INLINE struct hex
hex_load (const double *x, const double *y, const double *z,
	  const int *nodelist, long e)
{
  struct hex h;
  for (int c = 0; c < CORNERS; c++)
    {
      int node = nodelist[e * CORNERS + c];
      h.x[c] = x[node];
      h.y[c] = y[node];
      h.z[c] = z[node];
    }
  return h;
}

/* Add the face A, B, C, D (counterclockwise from outside): a quarter of its
   area vector to each corner of AREA.  Returns its part of the volume.  */
INLINE double
face_add (const struct hex *h, struct hex *area, int a, int b, int c, int d)
{
  double ux = h->x[c] - h->x[a], vx = h->x[d] - h->x[b];
  double uy = h->y[c] - h->y[a], vy = h->y[d] - h->y[b];
  double uz = h->z[c] - h->z[a], vz = h->z[d] - h->z[b];
  double ax = 0.125 * (uy * vz - uz * vy);
  double ay = 0.125 * (uz * vx - ux * vz);
  double az = 0.125 * (ux * vy - uy * vx);
  area->x[a] += ax, area->x[b] += ax, area->x[c] += ax, area->x[d] += ax;
  area->y[a] += ay, area->y[b] += ay, area->y[c] += ay, area->y[d] += ay;
  area->z[a] += az, area->z[b] += az, area->z[c] += az, area->z[d] += az;
  return (ax * (h->x[a] + h->x[b] + h->x[c] + h->x[d])
	  + ay * (h->y[a] + h->y[b] + h->y[c] + h->y[d])
	  + az * (h->z[a] + h->z[b] + h->z[c] + h->z[d])) / 3;
}

/* Volume of H; AREA gets what each corner has of the faces.  */
INLINE double
hex_volume (const struct hex *h, struct hex *area)
{
  for (int c = 0; c < CORNERS; c++)
    area->x[c] = area->y[c] = area->z[c] = 0;
  return face_add (h, area, 0, 3, 2, 1) + face_add (h, area, 4, 5, 6, 7)
	 + face_add (h, area, 0, 1, 5, 4) + face_add (h, area, 2, 3, 7, 6)
	 + face_add (h, area, 1, 2, 6, 5) + face_add (h, area, 3, 0, 4, 7);
}

/* Force of hourglass mode SHAPE on the corners.  */
INLINE void
hourglass_add (const struct hex *velocity, struct hex *force,
	       const double *shape, double coefficient)
{
  double x = 0, y = 0, z = 0;
  for (int c = 0; c < CORNERS; c++)
    {
      x += shape[c] * velocity->x[c];
      y += shape[c] * velocity->y[c];
      z += shape[c] * velocity->z[c];
    }
  for (int c = 0; c < CORNERS; c++)
    {
      force->x[c] -= coefficient * shape[c] * x;
      force->y[c] -= coefficient * shape[c] * y;
      force->z[c] -= coefficient * shape[c] * z;
    }
}

/* The part of the difference of V across the element along D, a vector between
   the middles of two opposite faces, in units of D.  */
INLINE double
difference (const struct hex *v, double (*along) (int), double dx, double dy,
	    double dz)
{
  double sum = 0;
  for (int c = 0; c < CORNERS; c++)
    sum += along (c) * (v->x[c] * dx + v->y[c] * dy + v->z[c] * dz);
  return sum / (4 * sqrt (dx * dx + dy * dy + dz * dz));
}

INLINE void
gradient (const struct hex *h, const struct hex *v, double (*along) (int),
	  double *delv, double *delx)
{
  double dx = 0, dy = 0, dz = 0;
  for (int c = 0; c < CORNERS; c++)
    {
      dx += along (c) * h->x[c] / 4;
      dy += along (c) * h->y[c] / 4;
      dz += along (c) * h->z[c] / 4;
    }
  *delv = difference (v, along, dx, dy, dz);
  *delx = sqrt (dx * dx + dy * dy + dz * dz);
}

/* How smooth the compression DELV / DELX of element E is: 1 as at its two
   neighbours, 0 unlike them.  */
INLINE double
smoothness (const double *delv, const double *delx, long e, long minus,
	    long plus)
{
  double here = delv[e] / delx[e];
  double left = delv[minus] / delx[minus] / here;
  double right = delv[plus] / delx[plus] / here;
  double least = fmin (0.5 * (left + right), 2 * fmin (left, right));
  return fmax (0, fmin (1, least));
}

INLINE void
viscosity_add (const double *delv, const double *delx, long e, long minus,
	       long plus, double *linear, double *quadratic)
{
  if (delv[e] >= 0)
    return;
  double phi = smoothness (delv, delx, e, minus, plus);
  *linear -= delv[e] * (1 - phi);
  *quadratic += delv[e] * delv[e] * (1 - phi * phi);
}
#pragma omp end declare target
