/* A function as a Markov chain of the blocks that matter.
   SPDX-License-Identifier: GPL-3.0-or-later

   Probabilities are GCC's.  At -O0 it makes none, so its predictors are run
   here and their traces removed.  Where the number of a loop's iterations is a
   constant n, its exit is taken once in so many times, whatever was guessed.

   A loop that tests before its first iteration would be skipped as often as it
   is left.  It is taken to be entered: surely, where the number is a constant,
   and by assumption where it is guessed; the number of iterations that was
   expected stays the same.

   Blocks without events are taken out one by one: whoever led to one leads to
   where it led, a loop on itself divides by what leaves it.  That changes no
   probability.  The order is a postorder, in which hardly any edges are
   added.  */

#include "flow/flow.h"
#include "cfganal.h"
#include "predict.h"

/* A chain that is larger or takes more steps is not worth its table.  */
#define BLOCKS_MAX 2000
#define STEPS_MAX 20000000

/* What a function had for a profile while the guessed one is in its place.
   Blocks and edges that are not in it were made since.  */
struct saved_profile
{
  hash_map<edge, profile_probability> edges;
  auto_vec<profile_count> blocks;	/* By index.  */
  profile_count count_max;
  bool absent;				/* It had none: nothing else is set
					   where it had.  */
};

static void
profile_save (function *fun, saved_profile *saved)
{
  basic_block block;
  edge e;
  edge_iterator ei;
  saved->count_max = fun->cfg->count_max;
  for (int i = 0; i < last_basic_block_for_fn (fun); i++)
    saved->blocks.safe_push (profile_count::uninitialized ());
  FOR_ALL_BB_FN (block, fun)
    {
      saved->blocks[block->index] = block->count;
      FOR_EACH_EDGE (e, ei, block->succs)
	saved->edges.put (e, e->probability);
    }
}

static void
profile_restore (function *fun, saved_profile *saved)
{
  basic_block block;
  edge e;
  edge_iterator ei;
  FOR_ALL_BB_FN (block, fun)
    {
      bool old = (unsigned) block->index < saved->blocks.length ();
      block->count = old ? saved->blocks[block->index]
		     : profile_count::uninitialized ();
      FOR_EACH_EDGE (e, ei, block->succs)
	if (profile_probability *known = saved->edges.get (e))
	  e->probability = *known;
    }
  fun->cfg->count_max = saved->count_max;
  profile_status_for_fn (fun) = PROFILE_ABSENT;
}

/* Run GCC's predictors, which do nothing at -O0.  They give a loop without end
   a way out for as long as they run, and a preheader to the loop that it was
   the preheader of: FUN may have more blocks afterwards.  */
static void
profile_guess (void)
{
  int level = optimize, wanted = flag_guess_branch_prob;
  optimize = MAX (level, 1);
  flag_guess_branch_prob = 1;
  tree_estimate_probability (false);
  optimize = level;
  flag_guess_branch_prob = wanted;
}

/* Exits of loops whose probability is known.  */
typedef hash_map<edge, double> exit_map;

struct entered_loop
{
  int preheader, header, body;	/* Blocks; the body's first.  */
  bool exact;
};

struct exit_info
{
  exit_map known;		/* Probability of the exit.  */
  hash_set<edge> exact;		/* Nothing else ends the loop.  */
  auto_vec<entered_loop> entered;
};

/* How often the block at EXIT of LOOP stays in it; false where not known.
   GUESS allows GCC's guess.  */
static bool
exit_turns (class loop *loop, edge exit, bool guess, double *turns)
{
  class tree_niter_desc desc;
  if (exit->flags & (EDGE_EH | EDGE_ABNORMAL))
    return false;
  if (number_of_iterations_exit (loop, exit, &desc, false)
      && desc.niter && TREE_CODE (desc.niter) == INTEGER_CST
      && desc.may_be_zero && integer_zerop (desc.may_be_zero)
      && tree_fits_uhwi_p (desc.niter))
    {
      *turns = (double) tree_to_uhwi (desc.niter);
      return true;
    }
  /* A loop of one turn tests for equality, which is no bound to GCC.  */
  tree tried = loop_niter_by_eval (loop, exit);
  if (tree_fits_uhwi_p (tried))
    {
      *turns = (double) tree_to_uhwi (tried);
      return true;
    }
  if (!guess || !exit->probability.initialized_p ())
    return false;
  double leave = ummgr_edge_probability (exit);
  *turns = leave > 0 ? (1 - leave) / leave : 0;
  /* One turn would be a certainty that nobody has.  */
  return *turns > 1;
}

/* Take EXIT of LOOP for what ends it.  */
static void
loop_exit_note (class loop *loop, edge exit, const flow_chain *chain,
		bool single, exit_info *info)
{
  /* A test at the head, before any event: the first one is passed.  */
  bool ahead = exit->src == loop->header && EDGE_COUNT (exit->src->succs) == 2
	       && !chain->kept[exit->src->index];
  double turns;
  bool known = exit_turns (loop, exit, false, &turns);
  if (!known && !(ahead && exit_turns (loop, exit, true, &turns)))
    return;
  ahead &= turns >= 1;
  info->known.put (exit, 1 / (ahead ? turns : turns + 1));
  if (known && single)
    info->exact.add (exit);
  if (ahead)
    {
      edge other = EDGE_SUCC (exit->src, EDGE_SUCC (exit->src, 0) == exit);
      info->entered.safe_push ({ loop_preheader_edge (loop)->src->index,
				 loop->header->index, other->dest->index,
				 known && single });
    }
}

static void
loop_exits_find (class loop *loop, const flow_chain *chain, exit_info *info)
{
  auto_vec<edge> exits;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, body[i]->succs)
	if (!flow_bb_inside_loop_p (loop, e->dest))
	  exits.safe_push (e);
    }
  free (body);
  for (unsigned i = 0; i < exits.length (); i++)
    loop_exit_note (loop, exits[i], chain, exits.length () == 1, info);
}

static void
loops_find (function *fun, const flow_chain *chain, exit_info *info)
{
  if (number_of_loops (fun) <= 1)
    return;
  for (unsigned i = 1; i < number_of_loops (fun); i++)
    if (class loop *loop = get_loop (fun, i))
      loop_exits_find (loop, chain, info);
}

/* GCC's probability of E among its block's edges, not normalised.  */
static double
edge_guess (edge e, bool normal, bool known)
{
  if (known)
    return ummgr_edge_probability (e);
  /* Nobody said anything: exceptions are rare, ways out are alike.  */
  return normal && e->flags & (EDGE_EH | EDGE_ABNORMAL) ? 0 : 1;
}

/* The ways out of BLOCK.  */
static void
block_edges_fill (basic_block block, exit_info *info, vec<flow_edge> *out)
{
  edge e;
  edge_iterator ei;
  double sum = 0, fixed = 0;
  bool normal = false, known = true, exact = false;
  FOR_EACH_EDGE (e, ei, block->succs)
    {
      normal |= !(e->flags & (EDGE_EH | EDGE_ABNORMAL));
      known &= e->probability.initialized_p ();
    }
  FOR_EACH_EDGE (e, ei, block->succs)
    if (double *p = info->known.get (e))
      {
	fixed += *p;
	exact |= info->exact.contains (e);
      }
    else
      sum += edge_guess (e, normal, known);
  exact = EDGE_COUNT (block->succs) == 1
	  || (exact && EDGE_COUNT (block->succs) == 2);
  if (fixed > 1 || (sum <= 0 && fixed < 1))
    known = normal = false;
  bool even = !known && !normal;
  FOR_EACH_EDGE (e, ei, block->succs)
    {
      double *exit = info->known.get (e);
      double p = even ? 1.0 / EDGE_COUNT (block->succs)
		 : exit ? *exit
		 : edge_guess (e, normal, known) / sum * (1 - fixed);
      int to = e->dest->index == EXIT_BLOCK ? FLOW_RETURN : e->dest->index;
      if (p > 0)
	out->safe_push ({ to, p, exact && !even });
    }
  /* exit, abort, or a tail without end.  */
  if (out->is_empty ())
    out->safe_push ({ FLOW_LOST, 1, true });
}

/* Probabilities of all blocks' edges; FUN is cfun, with loops.  */
static void
edges_fill (function *fun, flow_chain *chain)
{
  exit_info info;
  loops_find (fun, chain, &info);
  basic_block block;
  FOR_ALL_BB_FN (block, fun)
    if (block->index != EXIT_BLOCK)
      block_edges_fill (block, &info, &chain->out[block->index]);
  for (unsigned i = 0; i < info.entered.length (); i++)
    {
      const entered_loop &l = info.entered[i];
      vec<flow_edge> &out = chain->out[l.preheader];
      for (unsigned j = 0; j < out.length (); j++)
	if (out[j].to == l.header)
	  {
	    out[j].to = l.body;
	    out[j].exact &= l.exact;
	  }
    }
}

/* A chain that is being reduced.  */
struct reduction
{
  flow_chain *chain;
  vec<vec<int> > in;		/* Blocks that lead, or led, to each.  */
  unsigned steps;
};

/* Add a way FROM to TO.  */
static void
edge_add (reduction *r, int from, int to, double p, bool exact)
{
  vec<flow_edge> &out = r->chain->out[from];
  r->steps += out.length () + 1;
  for (unsigned i = 0; i < out.length (); i++)
    if (out[i].to == to)
      {
	out[i].p += p;
	out[i].exact &= exact;
	return;
      }
  out.safe_push ({ to, p, exact });
  if (to >= 0)
    r->in[to].safe_push (from);
}

/* Take the block K out.  */
static void
block_remove (reduction *r, int k)
{
  vec<flow_edge> &gone = r->chain->out[k];
  double leave = 0;
  unsigned ways = 0;
  bool loop_exact = true;
  for (unsigned i = 0; i < gone.length (); i++)
    if (gone[i].to != k)
      {
	leave += gone[i].p;
	ways++;
      }
    else
      loop_exact = gone[i].exact;
  /* Whatever was guessed on the way there, it goes to one place only: a branch
     around something without events, or a loop of it.  */
  bool sure = ways == 1;
  vec<int> from = r->in[k];
  for (unsigned i = 0; i < from.length (); i++)
    {
      vec<flow_edge> &out = r->chain->out[from[i]];
      unsigned at = 0;
      while (at < out.length () && out[at].to != k)
	at++;
      if (from[i] == k || at == out.length ())
	continue;
      flow_edge way = out[at];
      out.unordered_remove (at);
      if (leave <= 0)
	edge_add (r, from[i], FLOW_LOST, way.p, way.exact);
      for (unsigned j = 0; leave > 0 && j < gone.length (); j++)
	if (gone[j].to != k)
	  edge_add (r, from[i], gone[j].to, way.p * gone[j].p / leave,
		    way.exact && (sure || (gone[j].exact && loop_exact)));
    }
  gone.truncate (0);
}

static bool
blocks_remove (function *fun, flow_chain *chain)
{
  reduction r = { chain, vNULL, 0 };
  const unsigned n = chain->out.length ();
  r.in.safe_grow_cleared (n);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < chain->out[i].length (); j++)
      if (chain->out[i][j].to >= 0)
	r.in[chain->out[i][j].to].safe_push (i);
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (fun));
  int count = post_order_compute (order, false, false);
  for (int i = 0; i < count && r.steps < STEPS_MAX; i++)
    if (!chain->kept[order[i]])
      block_remove (&r, order[i]);
  XDELETEVEC (order);
  for (unsigned i = 0; i < n; i++)
    {
      r.in[i].release ();
      /* Whatever was guessed in between, there is one way only.  */
      if (chain->out[i].length () == 1)
	chain->out[i][0].exact = true;
    }
  r.in.release ();
  return r.steps < STEPS_MAX;
}

/* EVENT's loop, of those around it the one that is in no other: where its first statement is, the test
   of most, and what can be named there.  */
static void
outermost_loop (flow_event *event, tree function)
{
  class loop *loop = gimple_bb (event->call)->loop_father;
  const gimple *first = NULL;
  event->around = UNKNOWN_LOCATION;
  free (event->names);
  event->names = NULL;
  if (!loop || !loop_outer (loop))
    return;
  while (loop_outer (loop_outer (loop)))
    loop = loop_outer (loop);
  for (gimple_stmt_iterator gsi = gsi_start_bb (loop->header); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      location_t at = LOCATION_LOCUS (gimple_location (gsi_stmt (gsi)));
      if (at > BUILTINS_LOCATION
	  && (!first || LOCATION_LINE (at) < LOCATION_LINE (event->around)))
	{
	  first = gsi_stmt (gsi);
	  event->around = at;
	}
    }
  if (first)
    event->names = ummgr_flow_names (gimple_block (first), function);
}

/* Room for FUN's blocks; false if too many of them have events of F.  */
static bool
chain_begin (function *fun, flow_events *f, flow_chain *chain)
{
  const unsigned n = last_basic_block_for_fn (fun);
  chain->out.safe_grow_cleared (n);
  chain->kept.safe_grow_cleared (n);
  chain->kept[ENTRY_BLOCK] = true;
  unsigned kept = 1;
  for (unsigned i = 0; i < f->events.length (); i++)
    {
      flow_event &event = f->events[i];
      event.block = gimple_bb (event.call)->index;
      outermost_loop (&event, fun->decl);
      kept += !chain->kept[event.block];
      chain->kept[event.block] = true;
    }
  return kept <= BLOCKS_MAX;
}

/* Make FUN cfun, with loops and, if it has none, a guessed profile.  */
static void
function_open (function *fun, saved_profile *saved)
{
  push_cfun (fun);
  /* Numbers of iterations need preheaders: empty blocks, which GCC itself makes
     and removes many times from here on.  Statements may get into another block
     by it.  */
  loop_optimizer_init (LOOPS_NORMAL);
  scev_initialize ();
  saved->absent = profile_status_for_fn (fun) == PROFILE_ABSENT;
  if (saved->absent)
    {
      profile_save (fun, saved);
      profile_guess ();
    }
}

static void
function_close (function *fun, saved_profile *saved)
{
  if (saved->absent)
    profile_restore (fun, saved);
  scev_finalize ();
  loop_optimizer_finalize ();
  pop_cfun ();
}

bool
flow_chain_make (function *fun, flow_events *f, flow_chain *chain)
{
  saved_profile saved;
  chain->out = vNULL;
  chain->kept = vNULL;
  function_open (fun, &saved);
  bool good = chain_begin (fun, f, chain);
  if (good)
    {
      edges_fill (fun, chain);
      flow_choices_make (f, chain);
      good = blocks_remove (fun, chain);
    }
  function_close (fun, &saved);
  return good;
}

void
flow_chain_edges (function *fun, flow_chain *chain)
{
  saved_profile saved;
  chain->out = vNULL;
  chain->kept = vNULL;
  function_open (fun, &saved);
  flow_events none;
  chain_begin (fun, &none, chain);
  edges_fill (fun, chain);
  function_close (fun, &saved);
}

void
flow_chain_free (flow_chain *chain)
{
  for (unsigned i = 0; i < chain->out.length (); i++)
    chain->out[i].release ();
  chain->out.release ();
  chain->kept.release ();
}
