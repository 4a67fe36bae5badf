/* Objects on a device in the order in which they may leave it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing: the tree is in its nodes.  */

#include "config.h"
#include "policy/rank-tree.h"

#include <stddef.h>

static uint64_t
sum_of (const struct ummgr_rank_node *node)
{
  return node ? node->sum : 0;
}

static void
update (struct ummgr_rank_node *node)
{
  node->sum = node->bytes + sum_of (node->worse) + sum_of (node->better);
}

/* Of the address and rank: no state to share, and good enough for balance.  */
static uint32_t
random_height (const struct ummgr_rank_node *node)
{
  uint64_t x = (uintptr_t) node ^ node->rank.recency << 20;
  x *= UINT64_C (0x9e3779b97f4a7c15);
  x ^= x >> 29;
  x *= UINT64_C (0xbf58476d1ce4e5b9);
  return x >> 32;
}

/* Divide TREE into what is worse than RANK and the rest.  */
static void
split (struct ummgr_rank_node *tree, const struct ummgr_rank *rank,
       struct ummgr_rank_node **worse, struct ummgr_rank_node **rest)
{
  if (!tree)
    {
      *worse = *rest = NULL;
      return;
    }
  if (ummgr_rank_worse (&tree->rank, rank))
    {
      *worse = tree;
      split (tree->better, rank, &tree->better, rest);
    }
  else
    {
      *rest = tree;
      split (tree->worse, rank, worse, &tree->worse);
    }
  update (tree);
}

/* All of WORSE is worse than all of BETTER.  */
static struct ummgr_rank_node *
merge (struct ummgr_rank_node *worse, struct ummgr_rank_node *better)
{
  if (!worse || !better)
    return worse ? worse : better;
  if (worse->height > better->height)
    {
      worse->better = merge (worse->better, better);
      update (worse);
      return worse;
    }
  better->worse = merge (worse, better->worse);
  update (better);
  return better;
}

void
ummgr_rank_insert (struct ummgr_rank_node **tree, struct ummgr_rank_node *node)
{
  node->height = random_height (node);
  while (*tree && (*tree)->height >= node->height)
    {
      (*tree)->sum += node->bytes;
      tree = ummgr_rank_worse (&node->rank, &(*tree)->rank)
	? &(*tree)->worse : &(*tree)->better;
    }
  split (*tree, &node->rank, &node->worse, &node->better);
  update (node);
  *tree = node;
}

void
ummgr_rank_remove (struct ummgr_rank_node **tree, struct ummgr_rank_node *node)
{
  while (*tree != node)
    {
      (*tree)->sum -= node->bytes;
      tree = ummgr_rank_worse (&node->rank, &(*tree)->rank)
	? &(*tree)->worse : &(*tree)->better;
    }
  *tree = merge (node->worse, node->better);
  node->worse = node->better = NULL;
}

uint64_t
ummgr_rank_sum (const struct ummgr_rank_node *tree,
		const struct ummgr_rank *rank)
{
  uint64_t sum = 0;
  while (tree)
    if (ummgr_rank_worse (&tree->rank, rank))
      {
	sum += tree->bytes + sum_of (tree->worse);
	tree = tree->better;
      }
    else
      tree = tree->worse;
  return sum;
}

struct ummgr_rank_node *
ummgr_rank_worst (struct ummgr_rank_node *tree)
{
  while (tree && tree->worse)
    tree = tree->worse;
  return tree;
}

struct ummgr_rank_node *
ummgr_rank_best (struct ummgr_rank_node *tree)
{
  while (tree && tree->better)
    tree = tree->better;
  return tree;
}

struct ummgr_rank_node *
ummgr_rank_above (struct ummgr_rank_node *tree, const struct ummgr_rank *rank)
{
  struct ummgr_rank_node *found = NULL;
  while (tree)
    if (ummgr_rank_worse (&tree->rank, rank))
      tree = tree->better;
    else
      {
	found = tree;
	tree = tree->worse;
      }
  return found;
}
