/* Next use and global locality of objects at run time, on SC'19's Fig. 3: would
   break if the flow of the program, the users of an object by declaration, or
   the hints of a launch did not come together.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "rdm" } */
/* { dg-ummgr-env "UMMGR_LOG=debug" } */
/* { dg-ummgr-output rdm {:25: o, object .* next use in 2 regions, global locality 640,} } */
/* { dg-ummgr-output rdm {:30: n, object .* next use in 2.31 regions, global locality 1920,} } */
/* { dg-ummgr-output rdm {:33: f, object .* likely in 1 regions} } */
/* { dg-ummgr-output rdm {:30: n, object .* likely in 2 regions} } */
/* { dg-ummgr-output rdm {:33: f, object .* next use in 1.31 regions, global locality 5760,} } */

#define N 64
double v[N], n[N], f[N], o[N];

int
main (void)
{
  for (int j = 0; j < N; j++)
    v[j] = n[j] = 1;
  for (int i = 0; i < 10; i++)
    {
      /* Each launch is a line that the scans above name.  */

#pragma omp target teams distribute parallel for
      for (int j = 0; j < N; j++)
	o[j] = v[j];
      for (int k = 0; k < 3; k++)
	{
#pragma omp target teams distribute parallel for
	  for (int j = 0; j < N; j++)
	    f[j] += v[j] * n[j];
#pragma omp target teams distribute parallel for
	  for (int j = 0; j < N; j++)
	    v[j] += o[j] + f[j];
	}
    }
  return f[0] == v[0];
}
