/* What rlm, glm, rdm and otm share: before a region, its objects get the
   device in the order of their rank.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   SC'19 sections 3.2 to 3.4 have the same four steps for each object: is it
   on the device; is there room; collect what ranks below it; and commit that
   only if it makes enough room.  The policies differ in the rank.  */

#pragma once

#include "policy/policy.h"
#include "policy/rank-tree.h"
#include "policy/reasons.h"
#include "policy/reuse-said.h"

#include <sys/queue.h>

/* A distance that is not known: beyond all that are, but the object may be
   used again, unlike at INFINITY.  */
#define UMMGR_DISTANCE_UNKNOWN 1e300

/* The driver's fault granularity.  */
#define UMMGR_FAULT_SIZE ((int64_t) 64 << 10)

enum ummgr_rank_source
{
  UMMGR_SOURCE_NONE,
  UMMGR_SOURCE_STATIC,		/* The compiler's.  */
  UMMGR_SOURCE_LEARNED,		/* Seen in this run, and proved right.  */
  UMMGR_SOURCE_GUESSED,		/* Seen, and not proved yet.  */
  UMMGR_SOURCES
};

/* What is known of one object, for as long as it is there.  */
struct ummgr_ranked_object
{
  struct ummgr_rank_node node;	/* In the tree of what may leave.  First.  */
  struct ummgr_object_view *view;
  LIST_ENTRY (ummgr_ranked_object) all, unsettled;
  bool listed, unsettling;	/* In the tree, on the list.  */
  size_t lo, hi;		/* What it has of the device,  */
  size_t to_lo, to_hi;		/* and what it is to have.  */
  size_t most_lo, most_hi;	/* All that regions wanted of it.  */
  size_t lost_lo, lost_hi;	/* What one made it give up for another,  */
  bool moves_back;		/* and one wanted back.  */
  bool used;			/* By a region.  */
  bool sent;			/* Its data came by explicit transfer.  */
  bool came;			/* Or as it was mapped, and is still there.  */
  bool written;			/* By a region, as far as is known.  */
  bool dead;			/* Nobody reads what the last one has left there.  */
  bool leaving;			/* Among the victims of this region.  */
  uint64_t round;		/* The last region that used it,  */
  size_t item;			/* and its number among that one's items.  */
  double remote;		/* Bytes it was used over the link as it was better
				   so.  */
  double missed;		/* Bytes used over the link for want of another range
				   than it has.  */
  double weight;		/* Of a use: bytes over the link for each of its
				   range, where it is used from the host.  */
  double kept;			/* How probable it is that it stays there till
				   its next use: the host may want it.  */
  uint64_t loop;		/* The innermost in which it was used last,  */
  double loop_turns, loop_uses;	/* what that had left when it was used there first, and how often it was so far.  */
  uint64_t turn_loop;		/* In whose turn it was used last,  */
  double turn_left, turn_sum;	/* how many that had left then, and the weights of its uses in it;  */
  double turn_before;		/* and of those in the turn before.  0: not known.  */
  uint64_t since, uses;		/* When it moved last, or was used first, and
				   how many regions used it from then on.  */
  uint64_t count, first, last;	/* How many did in all, and which.  */
  double global;		/* GL; -1: not known.  */
  uint32_t seen;		/* Its number in what was learned.  */
  struct ummgr_said_promise promise[UMMGR_SOURCES];
  enum ummgr_rank_source source;
  /* The last ones: a loop's regions say the same again in each round.  */
  struct ummgr_ranked_reason
  {
    int kind;
    double own, other, tie, cost;	/* The figures in it.  */
    uint64_t other_id;
    const char *text;
  } reasons[4];
  unsigned next_reason;		/* The one to be forgotten.  */
  const char *told;		/* The last one in a plan.  */
};

struct ummgr_ranked;

struct ummgr_ranked_item;

/* How a policy ranks.  */
struct ummgr_ranked_kind
{
  double density;		/* From here on transfer is explicit.  */
  bool weighs;			/* And where demand would cost more.  */
  bool by_distance;		/* Rank says something if its distance does;
				   else if its value does.  */
  bool forgets;			/* Outside its regions an object ranks below
				   all, and only its last use counts.  */
  bool keeps;			/* What a region has used stays.  */
  bool copies;			/* What is only read needn't come back.  */
  struct ummgr_rank unused;	/* Of what no region has used yet.  */

  /* Fill distance and value of the rank of OBJECT in the region at hand.  */
  void (*rank) (struct ummgr_ranked *ranked,
		struct ummgr_ranked_object *object,
		const struct ummgr_hint *hint, struct ummgr_rank *rank);

  /* RANK in words; or, with a NAME, what the object of that name has instead,
     to stand after the words of another's rank OWN, which is no better.  */
  void (*describe) (const struct ummgr_ranked *ranked,
		    const struct ummgr_rank *rank, const char *name,
		    const struct ummgr_rank *own, char *buf, size_t size);

  /* What ITEM's object costs otherwise than it is to be, to stand behind that, in BUF; returns a number that tells one
     such text from another.  BUF NULL: the number alone.  NULL: nobody says.  */
  double (*cost) (const struct ummgr_ranked *ranked, const struct ummgr_ranked_item *item, char *buf, size_t size);
};

/* One object of the region at hand.  */
struct ummgr_ranked_item
{
  struct ummgr_ranked_object *object;
  struct ummgr_rank rank;
  bool known;			/* It says something.  */
  bool first;			/* The region's FIRST.  */
  bool written;
  bool fresh;			/* The region overwrites all of it: it comes without a copy.  */
  bool copies;			/* As it is to be.  */
  double other;			/* Of two of equal value the greater comes first.  */
  const char *name;		/* The hint's, or "".  */
  size_t want_lo, want_hi;	/* What the region accesses.  */
  enum ummgr_transfer transfer;
  bool away;			/* It is to stay on the host.  */
  double remote;		/* The share that is then used over the link.  */
  double accesses, link_most;	/* The hint's locality, and remote_most; -1: not known.  */
  size_t sent_lo, sent_hi;	/* What is sent though the rest comes by
				   demand.  */
  const struct ummgr_ranked_object *blocked_by;
  struct ummgr_rank blocked_rank;
};

/* Begins the state of each policy.  */
struct ummgr_ranked
{
  const struct ummgr_ranked_kind *kind;
  int64_t budget;
  int64_t resident;		/* Charged to all objects.  */
  bool waits;			/* What the construct at hand maps is placed by its first
				   regions, not as it is mapped.  */
  int64_t unit;			/* Parts begin and end at multiples of it.  */
  enum ummgr_partial partial;
  char transfer;		/* First letter of the option.  */
  bool discards;		/* What is of no use need not move.  */
  double dear;			/* What a byte used over the link takes, in what one takes that is sent; 0: not known.  */
  bool sends;			/* What is mapped is sent at once, as far as there is
				   room: else it would be copied on the host.  */
  bool plain;			/* What fits as a whole is best in plain memory.  */
  int64_t granule;		/* Managed memory takes whole ones of so many bytes, a power of 2.  */
  double fault_bytes, unit_faults;	/* The configuration's.  */
  bool explain;
  const struct ummgr_region_view *in; /* The region at hand, whose loops use it again; NULL: that doesn't count.  */
  uint64_t clock;		/* Of recency.  */
  uint64_t now;			/* The region's number: SC'19's TRC.  */
  uint64_t round;
  struct ummgr_rank_node *tree;	/* What may leave.  */
  LIST_HEAD (, ummgr_ranked_object) all, unsettled;
  size_t count, capacity;	/* Objects, and room in the two arrays:  */
  struct ummgr_ranked_object **victims, **candidates;
  size_t victim_count;
  struct ummgr_ranked_object *part; /* Partly on the device (paper).  */
  struct ummgr_ranked_item *items;
  size_t item_count, item_capacity;
  size_t tail;			/* Items from here on gave all they had.  */
  int64_t own_left;		/* What the items not decided yet have.  */
  struct ummgr_reasons reasons;
};

/* The slots of policy.h.  */
enum ummgr_status ummgr_ranked_init (struct ummgr_ranked *ranked,
				     const struct ummgr_ranked_kind *kind,
				     const struct ummgr_policy_config *config);
void ummgr_ranked_fini (void *state);
void ummgr_ranked_map (void *state, struct ummgr_object_view *object,
		       struct ummgr_plan *plan);
void ummgr_ranked_begin (void *state, const struct ummgr_region_view *region,
			 struct ummgr_object_view *const *objects,
			 size_t count, struct ummgr_plan *plan);
void ummgr_ranked_unmap (void *state, struct ummgr_object_view *object);
void ummgr_ranked_pressure (void *state, size_t bytes,
			    struct ummgr_plan *plan);
void ummgr_ranked_budget (void *state, uint64_t budget,
			  struct ummgr_plan *plan);

/* What the ranking policies' tables have in common.  */
#define UMMGR_RANKED_OPS						\
  .hints = true,							\
  .on_map = ummgr_ranked_map,						\
  .on_unmap = ummgr_ranked_unmap,					\
  .on_pressure = ummgr_ranked_pressure,					\
  .on_budget = ummgr_ranked_budget

/* Between the parts of it: ranked-transfer.c decides how an item gets there,
   ranked-choose.c what each is to have, ranked-reason.c says why.  */
void ummgr_ranked_choose_transfer (const struct ummgr_ranked *ranked,
				   struct ummgr_ranked_item *item,
				   const struct ummgr_hint *hint);
void ummgr_ranked_choose (struct ummgr_ranked *ranked);
const char *ummgr_ranked_why (struct ummgr_ranked *ranked,
			      const struct ummgr_ranked_item *item);
const char *ummgr_ranked_why_leaves (struct ummgr_ranked *ranked,
				     struct ummgr_ranked_object *victim);

/* As `describe' above, of a value that is accesses in WHERE.  */
void ummgr_ranked_describe_value (const struct ummgr_rank *rank,
				  const char *name, const char *where,
				  char *buf, size_t size);

/* Bytes of the budget that no object has, as plans have come out.  */
int64_t ummgr_ranked_room (struct ummgr_ranked *ranked);

/* OBJECT is neither in the tree nor on the list any more; or on the list.  */
void ummgr_ranked_unlist (struct ummgr_ranked *ranked,
			  struct ummgr_ranked_object *object);
void ummgr_ranked_unsettle (struct ummgr_ranked *ranked,
			    struct ummgr_ranked_object *object);

/* OBJECT's bytes on the device change in this region.  */
static inline void
ummgr_ranked_moved (const struct ummgr_ranked *ranked,
		    struct ummgr_ranked_object *object)
{
  object->since = ranked->now;
  object->uses = 0;
  object->came = false;
}

/* The remembered or new GL of OBJECT; -1: not known.  */
double ummgr_ranked_global (struct ummgr_ranked_object *object,
			    const struct ummgr_hint *hint);
/* As `rank' above, by that.  */
void ummgr_ranked_by_global (struct ummgr_ranked *ranked,
			     struct ummgr_ranked_object *object,
			     const struct ummgr_hint *hint,
			     struct ummgr_rank *rank);

/* Where VIEW's object ends, as managed memory is charged: behind all of its last granule.  */
static inline size_t
ummgr_ranked_managed_end (const struct ummgr_ranked *ranked, const struct ummgr_object_view *view)
{
  return (view->size + ranked->granule - 1) & -ranked->granule;
}

/* The same as it is charged.  */
static inline size_t
ummgr_ranked_end (const struct ummgr_ranked *ranked, const struct ummgr_object_view *view)
{
  return view->plain ? view->size : ummgr_ranked_managed_end (ranked, view);
}

static inline uint64_t
ummgr_ranked_bytes (const struct ummgr_ranked_object *object)
{
  return object->to_hi - object->to_lo;
}
