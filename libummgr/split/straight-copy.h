/* A piece's copies, between straight-run.c, which says when they are made, and straight-copy.c, which makes them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "split/straight.h"

/* Where the device has byte 0 of S's object N for piece I, were it all there.  */
uintptr_t ummgr_straight_origin (const struct ummgr_straight *s, uint64_t i, size_t n);

/* Copy the share of a struct ummgr_straight_worker, which is DATA, of its copies; returns NULL when that is over.  Ends
   the program where a copy fails.  */
void *ummgr_straight_copy (void *data);

/* The same of all workers of C, on a simulated device, from TIME on; returns when they are done.  */
double ummgr_straight_copy_modelled (const struct ummgr_straight_copies *c, double time);
