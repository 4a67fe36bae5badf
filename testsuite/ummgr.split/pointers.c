/* Pointers that regions find in memory: what these lead to is on all GPUs, or the region goes to
   none but its own.  */
/* { spread-pieces flat 3 } { spread-pieces unused 3 } { spread-pieces mapped 3 } */
/* { spread-whole plain {it follows pointers that it finds in memory} } */
/* { spread-whole list {it follows pointers that it finds in memory} } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10007 };

struct point { int x, y; };
struct node { struct node *next; int value; };
struct domain { int *data; long n; struct domain *next; };

static void *
device_alloc (size_t size)
{
  void *p = omp_target_alloc (size, omp_get_default_device ());
  CHECK (p);
  return p;
}

static void
device_put (void *to, const void *from, size_t size)
{
  CHECK_EQ (omp_target_memcpy (to, from, size, 0, 0, omp_get_default_device (),
			       omp_get_initial_device ()), 0);
}

static void
device_get (void *to, const void *from, size_t size)
{
  CHECK_EQ (omp_target_memcpy (to, from, size, 0, 0, omp_get_initial_device (),
			       omp_get_default_device ()), 0);
}

/* Nothing to follow.  */
static void
flat (struct point *p, int *host)
{
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < N; i++)
    p[i] = (struct point) { i, -i };
  device_get (host, p, N * sizeof *host);
  for (int i = 0; i < N; i++)
    CHECK_EQ (host[i], i % 2 ? -(i / 2) : i / 2);
}

/* There are pointers, and nobody follows them.  */
static void
unused (struct node *p)
{
  static struct node back[N];
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < N; i++)
    {
      p[i].next = i + 1 < N ? &p[i + 1] : NULL;
      p[i].value = i;
    }
  device_get (back, p, sizeof back);
  for (int i = 0; i < N; i++)
    CHECK (back[i].value == i && back[i].next == (i + 1 < N ? p + i + 1 : NULL));
}

static void
mapped (struct node *p)
{
  for (int i = 0; i < N; i++)
    p[i] = (struct node) { NULL, i };
#pragma omp target teams distribute parallel for map(tofrom: p[0:N])
  for (int i = 0; i < N; i++)
    {
      p[i].next = &p[i];
      p[i].value += 2 * i;
    }
  for (int i = 0; i < N; i++)
    CHECK (p[i].value == 3 * i && p[i].next);
}

/* Memory that is one GPU's, since it is too small to be managed; only its address is in
   what is managed.  */
static void
plain (struct domain *dom)
{
  int small[4] = { 3, 1, 4, 1 }, *own = device_alloc (sizeof small);
  int *out = device_alloc (N * sizeof *out), *back = malloc (N * sizeof *back);
  struct domain *far = device_alloc (1000 * sizeof *far);
  struct domain first = { own, 4, NULL };
  CHECK (back);
  device_put (own, small, sizeof small);
  device_put (far, &first, sizeof first);
  first.next = far;
  device_put (dom, &first, sizeof first);
#pragma omp target teams distribute parallel for is_device_ptr(dom, out)
  for (int i = 0; i < N; i++)
    out[i] = dom->next->data[i % 4];
  device_get (back, out, N * sizeof *back);
  for (int i = 0; i < N; i++)
    CHECK_EQ (back[i], small[i % 4]);
  omp_target_free (own, omp_get_default_device ());
  omp_target_free (out, omp_get_default_device ());
  omp_target_free (far, omp_get_default_device ());
  free (back);
}

static void
list (struct node *p)
{
  int *back = malloc (N * sizeof *back), *out = device_alloc (N * sizeof *out);
  CHECK (back);
#pragma omp target teams distribute parallel for is_device_ptr(p, out)
  for (int i = 0; i < N; i++)
    {
      const struct node *n = p + i;
      for (int k = 0; k < i % 5 && n->next; k++)
	n = n->next;
      out[i] = n->value;
    }
  device_get (back, out, N * sizeof *back);
  for (int i = 0; i < N; i++)
    CHECK_EQ (back[i], i + i % 5 < N ? i + i % 5 : N - 1);
  omp_target_free (out, omp_get_default_device ());
  free (back);
}

int
main (void)
{
  int device = omp_get_default_device ();
  int *host = malloc (2 * N * sizeof *host);
  struct point *points = device_alloc (N * sizeof *points);
  struct node *nodes = device_alloc (N * sizeof *nodes);
  struct domain *dom = device_alloc (1000 * sizeof *dom);
  struct node *own = malloc (N * sizeof *own);
  CHECK (host && own);
  flat (points, host);
  unused (nodes);
  list (nodes);
  mapped (own);
  free (own);
  plain (dom);
  omp_target_free (points, device);
  omp_target_free (nodes, device);
  omp_target_free (dom, device);
  free (host);
  return 0;
}
