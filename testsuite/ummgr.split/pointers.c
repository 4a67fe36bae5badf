/* Pointers that regions find in memory: what these lead to is on all GPUs, or the region goes to
   none but its own.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { spread-pieces flat 3 } { spread-pieces unused 3 } { spread-pieces mapped 3 } */
/* { spread-pieces domain 3 } { spread-pieces pair 3 } { spread-pieces box 3 } */
/* { spread-whole one {a pointer to memory that other GPUs don't have} } */
/* { spread-whole later {it may run beside others (nowait)} } */
/* { spread-whole changed {it follows pointers that it finds in memory} } */
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

#pragma omp declare target
static int own[4] = { 3, 1, 4, 1 };
#pragma omp end declare target

/* Where the device has that: memory of that GPU's alone.  */
static int *
own_address (void)
{
  int *address;
#pragma omp target map(from: address)
  address = own;
  return address;
}

/* Its address is in what is managed.  */
static void
plain (struct domain *dom)
{
  int *out = device_alloc (N * sizeof *out), *back = malloc (N * sizeof *back);
  struct domain *far = device_alloc (1000 * sizeof *far);
  struct domain first = { own_address (), 4, NULL };
  CHECK (back);
  device_put (far, &first, sizeof first);
  first.next = far;
  device_put (dom, &first, sizeof first);
#pragma omp target teams distribute parallel for is_device_ptr(dom, out)
  for (int i = 0; i < N; i++)
    out[i] = dom->next->data[i % 4];
  device_get (back, out, N * sizeof *back);
  for (int i = 0; i < N; i++)
    CHECK_EQ (back[i], own[i % 4]);
  omp_target_free (out, omp_get_default_device ());
  omp_target_free (far, omp_get_default_device ());
  free (back);
}

/* The same, and it is seen where.  */
static void
one (struct domain *dom)
{
  int *out = device_alloc (N * sizeof *out), *back = malloc (N * sizeof *back);
  struct domain first = { own_address (), 4, NULL };
  CHECK (back);
  device_put (dom, &first, sizeof first);
#pragma omp target teams distribute parallel for is_device_ptr(dom, out)
  for (int i = 0; i < N; i++)
    out[i] = dom->data[i % 4];
  device_get (back, out, N * sizeof *back);
  for (int i = 0; i < N; i++)
    CHECK_EQ (back[i], own[i % 4]);
  omp_target_free (out, omp_get_default_device ());
  free (back);
}

/* All through one struct, changed by the host in between.  */
static void
domain (struct domain *dom)
{
  int *a = device_alloc (N * sizeof *a), *b = device_alloc (N * sizeof *b);
  int *back = malloc (N * sizeof *back);
  CHECK (back);
  for (int k = 0; k < 3; k++)
    {
      const struct domain now = { k % 2 ? b : a, N, NULL };
      device_put (dom, &now, sizeof now);
#pragma omp target teams distribute parallel for is_device_ptr(dom)
      for (int i = 0; i < N; i++)
	dom->data[i] = i * (k + 1);
    }
  for (int k = 0; k < 2; k++)
    {
      device_get (back, k ? b : a, N * sizeof *back);
      for (int i = 0; i < N; i++)
	CHECK_EQ (back[i], i * (k ? 2 : 3));
    }
  omp_target_free (a, omp_get_default_device ());
  omp_target_free (b, omp_get_default_device ());
  free (back);
}

/* Pointers in a struct by value, some of them null.  */
static void
pair (struct domain *dom)
{
  struct { int *x, *y; } p = { device_alloc (N * sizeof (int)), NULL };
  struct domain now = { device_alloc (N * sizeof (int)), N, NULL };
  int *back = malloc (N * sizeof *back);
  CHECK (back);
  device_put (dom, &now, sizeof now);
#pragma omp target teams distribute parallel for firstprivate(p) is_device_ptr(dom)
  for (int i = 0; i < N; i++)
    {
      int *y = p.y ? p.y : dom->data;
      p.x[i] = i;
      y[i] = -i;
    }
  device_get (back, p.x, N * sizeof *back);
  for (int i = 0; i < N; i++)
    CHECK_EQ (back[i], i);
  device_get (back, now.data, N * sizeof *back);
  for (int i = 0; i < N; i++)
    CHECK_EQ (back[i], -i);
  omp_target_free (p.x, omp_get_default_device ());
  omp_target_free (now.data, omp_get_default_device ());
  free (back);
}

/* A pointer that is attached, at first for the launch alone.  */
static void
box (int *x)
{
  struct domain box = { x, N, NULL };
  for (int i = 0; i < N; i++)
    x[i] = 0;
  for (int k = 0; k < 3; k++)
    {
      if (k == 1)
	{
#pragma omp target enter data map(to: box) map(to: box.data[0:N])
	}
#pragma omp target teams distribute parallel for map(to: box) map(tofrom: box.data[1:N-1])
      for (int i = 1; i < N; i++)
	box.data[i] += i;
      CHECK (box.data == x);
    }
#pragma omp target exit data map(from: box.data[0:N]) map(release: box)
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], 3 * i);
  CHECK (box.data == x && box.n == N);
}

/* The same in a task, which may begin when the construct has long ended.  */
static void
later (int *x)
{
  struct domain box = { x, N, NULL };
  memset (x, 0, N * sizeof *x);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int k = 0; k < 4; k++)
      {
#pragma omp target teams distribute parallel for map(to: box) map(tofrom: box.data[0:N]) \
    nowait depend(inout: x[0])
	for (int i = 0; i < N; i++)
	  box.data[i] += i;
      }
#pragma omp taskwait
  }
  CHECK (box.data == x);
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], 4 * i);
}

/* A pointer that the region itself assigns to.  */
static void
changed (struct domain *dom)
{
  int *a = device_alloc (N * sizeof *a), *back = malloc (N * sizeof *back);
  struct domain now = { a, N, dom };
  int n = omp_get_num_devices () + N;
  CHECK (back);
  device_put (dom, &now, sizeof now);
#pragma omp target teams distribute parallel for is_device_ptr(dom)
  for (int i = 0; i < N; i++)
    {
      if (i == n)
	dom->data = NULL;
      dom->data[i] = i;
    }
  device_get (back, a, N * sizeof *back);
  for (int i = 0; i < N; i++)
    CHECK_EQ (back[i], i);
  omp_target_free (a, omp_get_default_device ());
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
  struct node *mine = malloc (N * sizeof *mine);
  CHECK (host && mine);
  flat (points, host);
  box (host);
  domain (dom);
  pair (dom);
  unused (nodes);
  mapped (mine);
  list (nodes);
  plain (dom);
  one (dom);
  changed (dom);
  later (host);
  free (mine);
  omp_target_free (points, device);
  omp_target_free (nodes, device);
  omp_target_free (dom, device);
  free (host);
  return 0;
}
