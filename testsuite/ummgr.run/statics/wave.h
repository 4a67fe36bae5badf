/* Between the two units of wave.c.  SPDX-License-Identifier: GPL-3.0-or-later  */
enum { N = 40000 };

void other (double *sum);
