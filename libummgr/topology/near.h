/* What is near the driver's devices: for threads that launch for one, and memory that one
   reads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Once the driver is open; any thread.  hwloc is asked at the first call for which it
   matters, which on a large machine takes some tenths of a second.  Simulated devices are
   nowhere, and neither are those of a machine that hwloc was told of (HWLOC_XMLFILE) and
   that isn't this one: for them nothing is done.  */

#pragma once

#include "topology/topology.h"

/* Have the calling thread, one of the library's own, run on the processors near DEVICE, of
   those that it may run on, from now on.  False: it runs where it did.  */
bool ummgr_near_bind_thread (int device);

/* The calling thread's memory that is first used until END is preferably of the node near
   DEVICE, unless the user (numactl) has said otherwise; returns what END needs.  */
bool ummgr_near_memory_begin (int device);
void ummgr_near_memory_end (bool begun);

/* The way of copies from device FROM to device TO.  */
struct ummgr_topology_link ummgr_near_link (int to, int from);

/* Is T of this machine, and does it have several nodes?  Of them all its processors.  */
bool ummgr_near_applies (const struct ummgr_topology *t);
