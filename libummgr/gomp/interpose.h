/* Common to the interposed entry points.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_GOMP_INTERPOSE_H
#define UMMGR_GOMP_INTERPOSE_H

#define UMMGR_INTERPOSED __attribute__ ((visibility ("default")))

#endif
