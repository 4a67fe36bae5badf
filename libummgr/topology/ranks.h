/* Processes of one MPI program on one node, and the GPUs that are each one's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All of them come to the same answer without asking each other: it follows from what the
   launcher has told each, and from what all of them see of the machine.  No state.  */

#pragma once

#include "topology/topology.h"

/* One of COUNT on this node, from 0 on; 0: it isn't known how many there are.  SEAT is its
   number in the order of what ranks are bound to; the same without a binding.  */
struct ummgr_rank
{
  unsigned number, count, seat;
};

/* What the launcher's variables say of this process.  UMMGR_ERR_UNSUPPORTED, silently: it
   was started by none that is known; UMMGR_ERR_INVALID after a warning.  */
enum ummgr_status ummgr_rank_find (struct ummgr_rank *out);

/* Seat RANK, which is bound to NODE of NODES (index of those with processors).  Launchers
   bind ranks to nodes in blocks, 0 0 1 1, or in turn, 0 1 0 1, and a rank knows of its own
   node only; but whichever it is, no two ranks have the same seat, and each has one of its
   node's.  */
void ummgr_rank_sit (struct ummgr_rank *rank, unsigned nodes, unsigned node);

/* The node that ranks are bound to apart from each other, and this one to that: index and
   number of T's nodes, each of which has as many GPUs as any other.  False: it isn't so, or
   not known; LAUNCHER is the process that started it.  */
bool ummgr_rank_node (const struct ummgr_topology *t, int launcher, unsigned *nodes_p,
		      unsigned *node_p);

/* So many GPUs, neighbours in ummgr_rank_order's order, from the FIRST on.  */
struct ummgr_rank_share
{
  unsigned first, count;
};

/* RANK's of GPUS (at least 1).  Every GPU is somebody's if there are as many ranks; of two
   GPUs one has at most one rank more, and of two ranks one has at most one GPU more.  */
struct ummgr_rank_share ummgr_rank_share (const struct ummgr_rank *rank, unsigned gpus);

/* Where `ummgr run' names the GPUs of a rank's share to its program: "2,3".  */
#define UMMGR_RANK_GPUS "UMMGR_RANK_GPUS"

/* Is DEVICE of this process's share, for what would use any?  True where nobody shares, or
   the variable makes no sense.  */
bool ummgr_rank_has (unsigned device);

/* The numbers of T's GPUs, those of a NUMA node side by side, so that ranks that are bound
   in order find theirs nearby.  */
void ummgr_rank_order (const struct ummgr_topology *t, unsigned *order);
