/* What the programs call.  SPDX-License-Identifier: GPL-3.0-or-later  */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void scale (double *a, int n, double by);
void shift (double *a, int n, double by);
#ifdef __cplusplus
}
#endif
