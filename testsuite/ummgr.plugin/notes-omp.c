/* Notes of -fopt-info-omp: would break if the plugin's passes did not join
   GCC's group `omp', though GCC reads the option before it loads them, or if a
   note had the wrong kind, place or figures.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-fopt-info-omp-all" } */

void
f (float *a, const float *b, const int *index, int *unused, int n, long m)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n * m], index[0:n], unused[0:n])
  for (int i = 0; i < n; i++)
    {
      for (long j = 0; j < m; j++)
	a[i] += b[i * m + j];
      a[index[i]] = 0;
    }
}

/* { dg-final { scan-ummgr-output-times {notes-omp.c:10:9: optimized: region f._omp_fn.0 in f: target teams distribute parallel for, n iterations$} 1 } } */
/* { dg-final { scan-ummgr-output-times {notes-omp.c:10:9: optimized: b: read, 4\*m bytes an iteration, affine$} 1 } } */
/* { dg-final { scan-ummgr-output-times {notes-omp.c:10:9: optimized: index: read, 4 bytes an iteration, affine$} 1 } } */
/* { dg-final { scan-ummgr-output-times {notes-omp.c:10:9: optimized: a: read and written, about .*, data-dependent$} 1 } } */
/* { dg-final { scan-ummgr-output-times {notes-omp.c:10:9: optimized: unused: not used$} 1 } } */
/* { dg-final { scan-ummgr-output-times {notes-omp.c:15:\d+: missed: a\[\.\.\.\]: index loaded from memory \(index\[\.\.\.\]\)$} 1 } } */
/* { dg-final { scan-ummgr-output-times {notes-omp.c:15:\d+: note: index: reads 4 bytes at 0; stride 4, n times \(shared\); frequency 1, exact$} 1 } } */
/* { dg-final { scan-ummgr-output-not {optimized: [nm]: } } } */
/* The dump has them, too.  */
/* { dg-final { scan-ummgr-notes {optimized: index: read, 4 bytes an iteration, affine$} ummgr-tables } } */
