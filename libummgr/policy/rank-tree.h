/* Objects on a device in the order in which they may leave it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A treap whose nodes are in what they stand for; each knows the bytes below
   it, so that "could this much leave?" is answered without trying.  All
   operations take logarithmic time.  Allocates nothing; no locks.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What decides who leaves first: the greater distance, then the lesser value,
   then the lesser recency, which no two objects share.  */
struct ummgr_rank
{
  double distance;		/* To the next use; INFINITY: there is none. */
  double value;			/* Below 0: not known.  */
  uint64_t recency;
};

struct ummgr_rank_node
{
  struct ummgr_rank rank;
  uint64_t bytes;
  uint64_t sum;			/* Of this and all below.  */
  struct ummgr_rank_node *worse, *better;
  uint32_t height;		/* Random.  */
};

/* Does A leave before B?  */
static inline bool
ummgr_rank_worse (const struct ummgr_rank *a, const struct ummgr_rank *b)
{
  if (a->distance != b->distance)
    return a->distance > b->distance;
  if (a->value != b->value)
    return a->value < b->value;
  return a->recency < b->recency;
}

/* NODE's rank and bytes are set and don't change while it is in a tree.  */
void ummgr_rank_insert (struct ummgr_rank_node **tree,
			struct ummgr_rank_node *node);
void ummgr_rank_remove (struct ummgr_rank_node **tree,
			struct ummgr_rank_node *node);

/* The bytes of all that are worse than RANK.  */
uint64_t ummgr_rank_sum (const struct ummgr_rank_node *tree,
			 const struct ummgr_rank *rank);

/* The worst and the best, and the worst of those that are not worse than
   RANK; NULL for none.  */
struct ummgr_rank_node *ummgr_rank_worst (struct ummgr_rank_node *tree);
struct ummgr_rank_node *ummgr_rank_best (struct ummgr_rank_node *tree);
struct ummgr_rank_node *ummgr_rank_above (struct ummgr_rank_node *tree,
					  const struct ummgr_rank *rank);
