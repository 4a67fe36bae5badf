/* Hints that depend on data, corrected at run time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is known of the last STATES pairs of a region and the objects that it
   was launched with, each in one of WAYS places: a new one replaces the oldest of
   those.  Reads the arrays in samples only; hints/data.h says what
   is made of them.  */

#include "config.h"
#include "hints/data.h"

#include "flow/flow.h"
#include "base/log.h"
#include "policy/reasons.h"
#include "ummgr-table.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 256, WAYS = 8, TEXT = 80 };

/* Launches that are looked ahead.  */
enum { MORE = 256 };

/* What is all there but for its last page.  */
static const double ALL = 0.999;

/* References of one argument that are sampled.  */
enum { REFS_MAX = 64 };

/* A region that samples many references takes a part of the iterations of each,
   so that it takes little more time than one with few: some 50 us.  */
enum { WORK_MAX = 2 * UMMGR_DATA_SAMPLE, LEAST = 32 };

struct data_arg
{
  unsigned sampled;		/* References of which LASTING knows.  */
  bool complete;		/* And all their conditions could be told.  */
  struct ummgr_hint now, lasting;	/* By samples.  */
  uint64_t when;		/* The launch that NOW is of; 0: none.  */
  struct ummgr_data_growth growth;
  double expected;		/* By it.  */
  const char *reason;		/* And this is why.  */
  double told;			/* The density that was logged last; or -1.  */
};

struct ummgr_data_state
{
  const struct ummgr_table_region *region;	/* NULL: free.  */
  uint64_t objects;		/* Hash of what it was launched with.  */
  uint64_t life;		/* Number of the pair; others had the place.  */
  uint64_t launches;
  double expected;		/* Launches in all, by the flow graph.  */
  struct data_arg *args;
};

static struct ummgr_data_state states[STATES];
static uint64_t lives;
static struct ummgr_reasons reasons;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
ummgr_data_growth_add (struct ummgr_data_growth *g, double before,
		       double after, double extent)
{
  double came = after > before ? after - before : 0;
  /* Where something has left in between, nothing can be said of growth.  */
  if (before < g->share)
    g->launches = 0;
  double factor = g->launches && g->came > 0 ? came / g->came : 0;
  g->slows = g->launches && g->factor > 0 ? fmin (1, factor / g->factor) : 1;
  g->factor = factor;
  g->came = came;
  g->share = after;
  g->extent = fmax (after, extent);
  g->launches++;
}

double
ummgr_data_growth_expect (const struct ummgr_data_growth *g, double launches)
{
  double share = g->share, came = g->came;
  double factor = g->launches > 1 ? g->factor : g->spread;
  double more = fmax (g->launches, fmin (launches, MORE) - g->launches);
  for (unsigned i = 0; i < more && came > 0 && share < g->extent; i++)
    {
      factor *= g->slows;
      came *= factor;
      share += came;
    }
  share = fmin (share, fmin (g->extent, 1));
  return g->share < ALL ? (share - g->share) / (1 - g->share) : 1;
}

static uint64_t
mix (uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

/* The state of REGION with the objects of ARGS; NULL without memory.  */
static struct ummgr_data_state *
state_get (const struct ummgr_table_region *region,
	   const struct ummgr_hint_extent *extents,
	   const struct ummgr_data_input *args)
{
  uint64_t hash = (uintptr_t) region;
  for (unsigned i = 0; i < region->arg_count; i++)
    hash = mix (hash, args[i].object + (extents[i].size << 1));
  struct ummgr_data_state *s = NULL;
  for (unsigned way = 0; way < WAYS; way++)
    {
      struct ummgr_data_state *at = &states[(hash + way) % STATES];
      if (at->region == region && at->objects == hash)
	return at;
      if (!s || at->life < s->life)
	s = at;
    }
  struct data_arg *made = calloc (region->arg_count + 1, sizeof *made);
  if (!made)
    return NULL;
  free (s->args);
  for (unsigned i = 0; i < region->arg_count; i++)
    made[i].told = -1;
  *s = (struct ummgr_data_state) { .region = region, .objects = hash,
				   .life = ++lives, .args = made };
  s->expected = ummgr_flow_frequency (region);
  if (isnan (s->expected))
    s->expected = 0;
  return s;
}

/* Sample argument I at the launch numbered LAUNCH.  What is no longer readable
   leaves what was known before.  */
static void
arg_sample (struct data_arg *arg, const struct ummgr_table_region *region,
	    unsigned i, const struct ummgr_code_inputs *inputs,
	    struct ummgr_hint_extent extent,
	    const struct ummgr_code_memory *memory, uint64_t transient,
	    unsigned sample, uint64_t launch)
{
  const struct ummgr_table_arg *table = &region->args[i];
  struct ummgr_data_ref refs[REFS_MAX];
  uint64_t sampled = 0, iterations = 0;
  unsigned known = 0;
  bool complete = true;
  double scatter = 0;
  char text[TEXT];
  if (table->use.ref_count > REFS_MAX)
    return;
  for (unsigned j = 0; j < table->use.ref_count; j++)
    {
      ummgr_data_sample (&table->use.refs[j], inputs, memory, transient,
			 extent, sample, &refs[j]);
      /* What was not found may be rare: of many accesses that is much.  */
      if (refs[j].known && refs[j].each
	  && refs[j].accesses[UMMGR_DATA_NOW] == 0)
	ummgr_data_sample (&table->use.refs[j], inputs, memory, transient,
			   extent, UMMGR_DATA_SAMPLE, &refs[j]);
      known += refs[j].known;
      scatter = fmax (scatter, refs[j].scatter);
      complete &= refs[j].known ? refs[j].complete
		  : !table->use.refs[j].sample.step_count;
      if (refs[j].known && refs[j].sampled > sampled)
	{
	  sampled = refs[j].sampled;
	  iterations = refs[j].iterations;
	}
    }
  if (!known || known < arg->sampled || (arg->complete && !complete))
    return;
  arg->sampled = known;
  arg->complete = complete;
  arg->when = complete ? launch : 0;
  ummgr_hints_with_data (table, inputs, extent, refs, UMMGR_DATA_NOW,
			 UMMGR_DATA_PAGES, &arg->now);
  arg->now.scatter = scatter;
  ummgr_hints_with_data (table, inputs, extent, refs, UMMGR_DATA_LASTING,
			 UMMGR_DATA_PAGES, &arg->lasting);
  snprintf (text, sizeof text, "sampled %llu of %llu iterations",
	    (unsigned long long) sampled, (unsigned long long) iterations);
  arg->now.reason = arg->lasting.reason
    = ummgr_reasons_keep (&reasons, text, "sampled some of its iterations");
}

/* How many references of argument I have a sample.  */
static unsigned
samples_of (const struct ummgr_table_region *region, unsigned i)
{
  unsigned count = 0;
  for (unsigned j = 0; j < region->args[i].use.ref_count; j++)
    count += region->args[i].use.refs[j].sample.step_count > 0;
  return count;
}

/* Sample what can be of a launch of S's region.  */
static void
sample (struct ummgr_data_state *s, const struct ummgr_code_inputs *inputs,
	const struct ummgr_hint_extent *extents,
	const struct ummgr_data_input *args)
{
  const struct ummgr_table_region *region = s->region;
  struct ummgr_code_memory memory[64];
  uint64_t transient = 0;
  unsigned refs = 0;
  if (region->arg_count > 64)
    return;
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      memory[i] = args[i].memory;
      if (args[i].transient || (region->args[i].use.flags & UMMGR_USE_WRITE))
	transient |= (uint64_t) 1 << i;
      refs += samples_of (region, i);
    }
  unsigned each = refs * UMMGR_DATA_SAMPLE > WORK_MAX ? WORK_MAX / refs
		  : UMMGR_DATA_SAMPLE;
  for (unsigned i = 0; i < region->arg_count; i++)
    if (extents[i].size && samples_of (region, i))
      arg_sample (&s->args[i], region, i, inputs, extents[i], memory, transient,
		  each < LEAST ? LEAST : each, s->launches);
}

/* Correct HINT by what is known of argument I of S at its present launch.  */
static void
correct (const struct ummgr_data_state *s, unsigned i, struct ummgr_hint *hint)
{
  const struct data_arg *arg = &s->args[i];
  double guessed = hint->density;
  bool fresh = arg->when == s->launches;
  if (arg->sampled)
    {
      const struct ummgr_hint *by = fresh ? &arg->now : &arg->lasting;
      hint->locality = arg->lasting.locality;
      hint->density = by->density;
      hint->density_most = by->density_most;
      hint->density_sc19 = by->density_sc19;
      hint->reason = by->reason;
      hint->scatter = by->scatter;
      hint->remote = by->remote;
      hint->remote_most = by->remote_most;
      hint->corrected = true;
    }
  if (arg->growth.launches && !fresh)
    {
      hint->density = hint->density_most = arg->expected;
      hint->reason = arg->reason;
      hint->scatter = hint->remote = 0;
      hint->corrected = true;
    }
  if (hint->corrected)
    hint->density_static = guessed;
  hint->estimated |= hint->corrected;
}

/* Say what is believed of argument I where that has changed by much.  */
static void
tell (const struct ummgr_table_region *region, unsigned i, struct data_arg *arg,
      const struct ummgr_hint *hint)
{
  if (!hint->corrected || fabs (hint->density - arg->told) < 0.05)
    return;
  arg->told = hint->density;
  ummgr_info ("hints: %s:%u: %s: density %.3g instead of the compiler's %.3g: "
	      "%s", region->file, region->line, region->args[i].name,
	      hint->density, hint->density_static, hint->reason);
}

void
ummgr_data_hints (const struct ummgr_table_region *region,
		  const struct ummgr_code_inputs *inputs,
		  const struct ummgr_hint_extent *extents,
		  const struct ummgr_data_input *args, struct ummgr_hint *hints,
		  struct ummgr_data_launch *launch)
{
  pthread_mutex_lock (&lock);
  struct ummgr_data_state *s = state_get (region, extents, args);
  *launch = (struct ummgr_data_launch) { s, s ? s->life : 0 };
  if (s)
    {
      s->launches++;
      if ((s->launches & (s->launches - 1)) == 0)
	sample (s, inputs, extents, args);
      for (unsigned i = 0; i < region->arg_count; i++)
	if (hints[i].known && (s->args[i].sampled || s->args[i].growth.launches))
	  {
	    correct (s, i, &hints[i]);
	    tell (region, i, &s->args[i], &hints[i]);
	  }
    }
  pthread_mutex_unlock (&lock);
}

bool
ummgr_data_wants (const struct ummgr_data_launch *launch, unsigned arg)
{
  /* A region never changes what it has in a table; the state may.  */
  const struct ummgr_data_state *s = launch->state;
  pthread_mutex_lock (&lock);
  bool wants = s && s->life == launch->life && samples_of (s->region, arg);
  pthread_mutex_unlock (&lock);
  return wants;
}

void
ummgr_data_came (const struct ummgr_data_launch *launch, unsigned arg,
		 double before, double after, double extent)
{
  struct ummgr_data_state *s = launch->state;
  pthread_mutex_lock (&lock);
  if (s && s->life == launch->life)
    {
      struct data_arg *a = &s->args[arg];
      char text[TEXT];
      a->growth.spread = a->now.scatter;
      ummgr_data_growth_add (&a->growth, before, after, extent);
      a->expected = ummgr_data_growth_expect (&a->growth, s->expected);
      snprintf (text, sizeof text, "%.0f%% of it came by demand so far",
		100 * a->growth.share);
      a->reason = ummgr_reasons_keep (&reasons, text,
				      "by what came on demand so far");
    }
  pthread_mutex_unlock (&lock);
}
