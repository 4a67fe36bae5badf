/* Sections of members in C.  members.exp says what the comments mean.  */

#include <stdlib.h>

enum { N = 4096, B = 4 };

struct S { int n; double *x, *y; };
struct L { double *a; struct S *in; };
static struct S block[B];

int
main (void)
{
  struct S s = { N, malloc (N * 8), malloc (N * 8) };
  struct S *ps = malloc (sizeof *ps);
  struct L *l = malloc (sizeof *l);
  *ps = (struct S) { N, malloc (N * 8), malloc (N * 8) };
  *l = (struct L) { malloc (N * 8), ps };

#pragma omp target teams distribute parallel for map(to: s.x[0:N]) map(tofrom: s.y[0:N])
  for (int i = 0; i < N; i++)
    s.y[i] += s.x[i];
/* { tables {structs\.c:20:9 in main\n[^\n]*5 arguments\n} } */
/* { tables {trip count 4096, exact\n} } */
/* { tables {s\.x: to, section, double \*, 32768 bytes, elements of 8, [^\n]*\n +data: allocated by malloc at [^\n]*structs\.c:14 in main for s\.x\n +read, exact\n +locality 4096; bytes per iteration 8\n +density 1 [^\n]*\n +footprint \[0, 32768\)\n} } */

#pragma omp target teams distribute parallel for map(to: ps[0:1]) map(to: ps->x[0:N]) map(tofrom: ps->y[0:N])
  for (int i = 0; i < ps->n / 2; i++)
    ps->y[i] += ps->x[i];
/* { tables {trip count ps->n/2, exact\n} } */

#pragma omp target teams distribute parallel for map(to: l[0:1], l->in[0:1]) map(from: l->in->x[0:N])
  for (int i = 0; i < N / 2; i++)
    l->in->x[i] = i;
/* { tables {l->in->x: from, section, double \*, 32768 bytes, elements of 8, [^\n]*\n(?: +data: [^\n]*\n)* +written, exact\n +locality 2048; bytes per iteration 8\n +density 0\.5 [^\n]*\n +footprint \[0, 16384\)\n} } */

  for (int b = 0; b < B; b++)
    {
      block[b] = (struct S) { N, malloc (N * 8), malloc (N * 8) };
#pragma omp target teams distribute parallel for map(to: block[b].x[0:N]) map(from: block[b].y[0:N])
      for (int i = 0; i < N; i += 2)
	block[b].y[i] = block[b].x[i + 1];
    }
/* { tables {block\.y: from, section, double \*, 32768 bytes, elements of 8, [^\n]*\n(?: +data: [^\n]*\n)* +written, exact\n +locality 2048; bytes per iteration 8\n +line 42: writes 8 bytes at 0; stride 16, 2048 times \(shared\); exact\n} } */
/* { tables {block: [^\n]*\n(?: +data: [^\n]*\n)* +read, exact\n[^\n]*\n +line 42: reads 8 bytes at 24\*b \+ 8; 2048 times \(shared\); exact\n} } */

/* What was mapped before: the region has the struct only.  */
#pragma omp target enter data map(to: ps[0:1])
#pragma omp target enter data map(to: ps->x[0:N], ps->y[0:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    ps->y[i] = ps->x[i];
/* { tables {behind the pointer ps->x, at 8 of 0 ps: read\n +line 52: reads 8 bytes at 0; stride 8, 4096 times \(shared\); exact\n} } */
  return s.y[5] > 1;
}
