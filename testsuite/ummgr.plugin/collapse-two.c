/* collapse and simd: would break if the depth were taken from one of the
   loops that GCC makes of the construct.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

float m[64][32];

void
f (float s)
{
#pragma omp target teams distribute parallel for simd collapse(2) map(tofrom: m)
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 32; j++)
      m[i][j] *= s;
#pragma omp target parallel for
  for (int i = 0; i < 64; i++)
    m[i][0] = s;
}

/* { dg-final { scan-ummgr-dump-times {constructs target,teams,.*,simd collapse 2 } 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {constructs target,parallel,for collapse 1 } 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {name m map tofrom class array element 4 size 8192 } 2 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {type "float\[64\]\[32\]" declared collapse-two\.c:5} 2 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {collapse 3} ummgr-regions } } */
