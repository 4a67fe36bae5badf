/* A slow reference of SC'19's schemes RLM, GLM and RDM, from the paper's text alone: Li and
   Chapman, "Compiler Assisted Hybrid Implicit and Explicit GPU Memory Management under
   Unified Address Space", sections 3.2 to 3.4.
   SPDX-License-Identifier: GPL-3.0-or-later

   It follows the steps as they are printed, with an array, and searches it each time.
   Where the text leaves a choice, a `reading' makes it; what comes out under every
   reading is what the paper says.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SC19_MOST 8

enum sc19_scheme { SC19_RLM, SC19_GLM, SC19_RDM };

struct sc19_object
{
  size_t size;			/* 0: not mapped.  */
  size_t has;			/* Bytes in GPU memory: its first ones.  */
  double gl;			/* Equation 1.  */
  bool used;			/* By the region at hand, with  */
  double rl;			/* this regional locality, else 0.  */
  double next;			/* RDM: the predicted next reuse time.  */
};

struct sc19
{
  enum sc19_scheme scheme;
  size_t room;			/* GPU memory.  */
  double trc;			/* Target regions encountered so far.  */
  struct sc19_object o[SC19_MOST];
};

/* What the text leaves open.  */
struct sc19_reading
{
  int turn[SC19_MOST];		/* Of objects of one priority: whose turn comes first,  */
  int leave[SC19_MOST];		/* and which is the candidate first.  */
  bool equals;			/* May one be replaced by its equal?  */
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

/* Step 3: of what is in GPU memory and not LISTED, whose priority is lowest; -1: none that
   may be replaced by CURRENT.  */
static inline int
sc19_candidate (const struct sc19 *s, const struct sc19_reading *how, int current,
		const bool *listed)
{
  int found = -1;
  for (int i = 0; i < SC19_MOST; i++)
    {
      if (i == current || listed[i] || s->o[i].has == 0)
	continue;
      int prior = sc19_prior (s, current, i);
      if (prior < 0 || (prior == 0 && !how->equals))
	continue;
      int lower = found < 0 ? 1 : sc19_prior (s, found, i);
      if (lower > 0 || (lower == 0 && how->leave[i] < how->leave[found]))
	found = i;
    }
  return found;
}

/* Steps 1 to 4.  */
static inline void
sc19_decide (struct sc19 *s, const struct sc19_reading *how, int current)
{
  struct sc19_object *o = &s->o[current];
  bool listed[SC19_MOST] = { false };
  size_t released = sc19_free (s) + o->has;
  if (o->has == o->size)
    return;
  while (released < o->size)
    {
      int i = sc19_candidate (s, how, current, listed);
      if (i < 0)
	return;
      listed[i] = true;
      released += s->o[i].has;
    }
  for (int i = 0; i < SC19_MOST; i++)
    if (listed[i])
      s->o[i].has = 0;
  o->has = o->size;
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
sc19_turn (const struct sc19 *s, const struct sc19_reading *how, const bool *done)
{
  int found = -1;
  for (int i = 0; i < SC19_MOST; i++)
    {
      if (!s->o[i].used || done[i])
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
  bool done[SC19_MOST] = { false };
  s->trc++;
  for (int i = 0; i < SC19_MOST; i++)
    if (s->o[i].used)
      s->o[i].next = s->trc + distance[i];
    else
      s->o[i].rl = 0;
  for (int i; (i = sc19_turn (s, how, done)) >= 0; done[i] = true)
    sc19_decide (s, how, i);
}
