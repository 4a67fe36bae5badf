/* A slow reference of SC'19's schemes RLM, GLM and RDM, from the paper's text alone: Li and
   Chapman, "Compiler Assisted Hybrid Implicit and Explicit GPU Memory Management under
   Unified Address Space", sections 3.2 to 3.4.
   SPDX-License-Identifier: GPL-3.0-or-later

   It follows the steps as they are printed, in an array that it searches each time.
   Where the text leaves a choice a `reading' makes it: what comes out under every reading
   is what the paper says, and one of them is what else there may be.  Four things the text
   leaves open are settled here as libummgr has them:

   - What a region doesn't use has a regional locality of 0 there (Equation 1's), so that
     rlm has it leave first.
   - A predicted next reuse time that has passed without a use predicts nothing any more:
     such an object is needed later than all of which a time is known, and sooner than
     those that are never used again (ranked.c).  So is one that no region has used yet,
     which may be on the device, since maps take what is free (ranked.c): its global
     locality is below all.
   - Partial mapping has no steps of its own in the text.  The object that doesn't fit as a
     whole gets what is free and what those below it have, so that its priority does follow
     those that are left, "immediately", and the rest of it is on the host.  (By the letter
     of step 4 what is below stays where it is; then the object at hand is not the one
     that follows, and nothing is said of it.)  What has a part and ranks below it loses it;
     an equal or a higher one keeps it, as "the" object that is partially mapped.
   - Parts are of whole blocks.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SC19_MOST 8
#define SC19_UNKNOWN 1e300	/* Later than any time, and sooner than never.  */

enum sc19_scheme { SC19_RLM, SC19_GLM, SC19_RDM };

struct sc19_object
{
  size_t size;			/* 0: not mapped.  */
  size_t has;			/* Bytes in GPU memory: its first ones.  */
  double gl;			/* Equation 1.  */
  bool used;			/* By the region at hand, with  */
  double rl;			/* this regional locality, else 0.  */
  double next;			/* RDM: the predicted next reuse time.  */
  bool decided;			/* Its turn has come.  */
};

struct sc19
{
  enum sc19_scheme scheme;
  bool partial;			/* Mapping, in blocks of  */
  size_t unit;
  size_t room;			/* GPU memory.  */
  double trc;			/* Target regions encountered so far.  */
  unsigned refused, replaced;	/* How often step 4 ended so.  */
  struct sc19_object o[SC19_MOST];
};

/* What the text leaves open.  */
struct sc19_reading
{
  int turn[SC19_MOST];		/* Of objects of one priority: whose turn comes first,  */
  int leave[SC19_MOST];		/* and which is the candidate first.  */
  enum { SC19_NEVER, SC19_LATER, SC19_ALWAYS } equals; /* May an equal be replaced?  LATER: if
				   its turn is still to come.  */
};

/* Is A's priority higher than B's?  1: yes, -1: lower, 0: the text doesn't say.  */
static inline int
sc19_prior (const struct sc19 *s, int a, int b)
{
  const struct sc19_object *x = &s->o[a], *y = &s->o[b];
  if (s->scheme == SC19_RLM)
    return (x->rl > y->rl) - (x->rl < y->rl);
  if (s->scheme == SC19_RDM && x->next != y->next)
    return x->next < y->next ? 1 : -1;
  return (x->gl > y->gl) - (x->gl < y->gl);
}

static inline size_t
sc19_free (const struct sc19 *s)
{
  size_t taken = 0;
  for (int i = 0; i < SC19_MOST; i++)
    taken += s->o[i].has;
  return taken < s->room ? s->room - taken : 0;
}

/* May CURRENT have C replaced, or its part?  */
static inline bool
sc19_qualifies (const struct sc19 *s, const struct sc19_reading *how, int current, int c)
{
  int prior = sc19_prior (s, current, c);
  return prior > 0
    || (prior == 0 && (how->equals == SC19_ALWAYS
		       || (how->equals == SC19_LATER && s->o[c].used && !s->o[c].decided)));
}

/* Step 3: of what is in GPU memory and not LISTED, whose priority is lowest; -1: none that
   may be replaced by CURRENT.  */
static inline int
sc19_candidate (const struct sc19 *s, const struct sc19_reading *how, int current,
		const bool *listed)
{
  int found = -1;
  for (int i = 0; i < SC19_MOST; i++)
    {
      if (i == current || listed[i] || s->o[i].has == 0
	  || !sc19_qualifies (s, how, current, i))
	continue;
      int lower = found < 0 ? 1 : sc19_prior (s, found, i);
      if (lower > 0 || (lower == 0 && how->leave[i] < how->leave[found]))
	found = i;
    }
  return found;
}

/* The list of step 3: candidates until they and what is free make up WANTED, or there are no
   more.  Returns what they do make up.  */
static inline size_t
sc19_list (const struct sc19 *s, const struct sc19_reading *how, int current, size_t wanted,
	   bool *listed)
{
  size_t released = sc19_free (s) + s->o[current].has;
  int i;
  while (released < wanted && (i = sc19_candidate (s, how, current, listed)) >= 0)
    {
      listed[i] = true;
      released += s->o[i].has;
    }
  return released;
}

static inline void
sc19_replace (struct sc19 *s, const bool *listed, int current, size_t has)
{
  for (int i = 0; i < SC19_MOST; i++)
    if (listed[i])
      {
	s->o[i].has = 0;
	s->replaced++;
      }
  s->o[current].has = has;
}

/* Partial mapping of what stays in CPU memory else.  */
static inline void
sc19_part (struct sc19 *s, const struct sc19_reading *how, int current)
{
  struct sc19_object *o = &s->o[current];
  for (int i = 0; i < SC19_MOST; i++)
    if (i != current && s->o[i].has && s->o[i].has < s->o[i].size)
      {
	if (!sc19_qualifies (s, how, current, i))
	  return;
	s->o[i].has = 0;
      }
  bool all[SC19_MOST] = { false }, listed[SC19_MOST] = { false };
  size_t size = sc19_list (s, how, current, o->size, all) / s->unit * s->unit;
  if (size <= o->has)
    return;
  sc19_list (s, how, current, size, listed);
  sc19_replace (s, listed, current, size);
}

/* Steps 1 to 4.  */
static inline void
sc19_decide (struct sc19 *s, const struct sc19_reading *how, int current)
{
  struct sc19_object *o = &s->o[current];
  bool listed[SC19_MOST] = { false };
  if (o->has == o->size)
    return;
  if (sc19_list (s, how, current, o->size, listed) >= o->size)
    sc19_replace (s, listed, current, o->size);
  else
    {
      s->refused++;
      if (s->partial)
	sc19_part (s, how, current);
    }
}

/* Has A its turn before B?  As sc19_prior; but of RDM's objects with one distance the text
   doesn't say it.  */
static inline int
sc19_earlier (const struct sc19 *s, int a, int b)
{
  if (s->scheme == SC19_RDM)
    return (s->o[a].next < s->o[b].next) - (s->o[a].next > s->o[b].next);
  return sc19_prior (s, a, b);
}

/* Whose turn is next; -1: nobody's.  */
static inline int
sc19_turn (const struct sc19 *s, const struct sc19_reading *how)
{
  int found = -1;
  for (int i = 0; i < SC19_MOST; i++)
    {
      if (!s->o[i].used || s->o[i].decided)
	continue;
      int earlier = found < 0 ? 1 : sc19_earlier (s, i, found);
      if (earlier > 0 || (earlier == 0 && how->turn[i] < how->turn[found]))
	found = i;
    }
  return found;
}

/* A region begins that uses those of S->o that are `used', each with its DISTANCE.  */
static inline void
sc19_launch (struct sc19 *s, const struct sc19_reading *how, const double *distance)
{
  s->trc++;
  for (int i = 0; i < SC19_MOST; i++)
    {
      struct sc19_object *o = &s->o[i];
      if (o->used)
	o->next = s->trc + distance[i];
      else if (o->next <= s->trc)
	o->next = SC19_UNKNOWN;
      if (!o->used)
	o->rl = 0;
      o->decided = false;
    }
  for (int i; (i = sc19_turn (s, how)) >= 0; s->o[i].decided = true)
    sc19_decide (s, how, i);
}
