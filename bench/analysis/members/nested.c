/* Gas on an unstructured mesh: C, pointers to structs in structs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

struct mesh
{
  int cells, faces;
  double *volume, *area;
  int *left, *right;		/* Of each face.  */
};

struct state
{
  double *rho, *energy, *flux;
};

struct sim
{
  struct mesh *mesh;
  struct state *state;
  double dt;
};

static double *
filled (int n, double value)
{
  double *p = malloc (n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = value + i % 5;
  return p;
}

static void
face_flux (struct sim *s)
{
  int nf = s->mesh->faces, nc = s->mesh->cells;
#pragma omp target teams distribute parallel for map(to: s[0:1], s->mesh[0:1], s->state[0:1]) \
  map(to: s->mesh->left[0:nf], s->mesh->right[0:nf], s->mesh->area[0:nf], s->state->rho[0:nc]) \
  map(from: s->state->flux[0:nf])
  for (int f = 0; f < nf; f++)
    s->state->flux[f] = s->mesh->area[f] * (s->state->rho[s->mesh->left[f]]
					    - s->state->rho[s->mesh->right[f]]);
}

/* Each cell has the faces F and F + 1.  */
static void
cell_update (struct sim *s)
{
  int nf = s->mesh->faces, nc = s->mesh->cells;
  double dt = s->dt;
#pragma omp target teams distribute parallel for map(to: s[0:1], s->mesh[0:1], s->state[0:1]) \
  map(to: s->state->flux[0:nf], s->mesh->volume[0:nc]) map(tofrom: s->state->rho[0:nc])
  for (int c = 0; c < nc; c++)
    s->state->rho[c] += dt * (s->state->flux[c] - s->state->flux[c + 1]) / s->mesh->volume[c];
}

/* The same with the structs in locals.  */
static void
heating (struct sim *s)
{
  struct state *state = s->state;
  const struct mesh *mesh = s->mesh;
  int nc = mesh->cells;
  double dt = s->dt;
#pragma omp target teams distribute parallel for map(to: state[0:1], mesh[0:1], state->rho[0:nc], mesh->volume[0:nc]) \
  map(tofrom: state->energy[0:nc])
  for (int c = 0; c < nc; c++)
    state->energy[c] += dt * state->rho[c] * mesh->volume[c];
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 5000;
  struct mesh *mesh = malloc (sizeof *mesh);
  struct state *state = malloc (sizeof *state);
  struct sim *s = malloc (sizeof *s);
  *mesh = (struct mesh) { n, n + 1, filled (n, 1), filled (n + 1, 2),
			  malloc ((n + 1) * sizeof (int)), malloc ((n + 1) * sizeof (int)) };
  *state = (struct state) { filled (n, 1), filled (n, 10), filled (n + 1, 0) };
  *s = (struct sim) { mesh, state, 0.001 };
  for (int f = 0; f <= n; f++)
    {
      mesh->left[f] = f == 0 ? 0 : f - 1;
      mesh->right[f] = f == n ? n - 1 : f;
    }
  for (int step = 0; step < 5; step++)
    {
      face_flux (s);
      cell_update (s);
      heating (s);
    }
  printf ("%.12g %.12g\n", state->rho[n / 3], state->energy[n / 3]);
  return 0;
}
