/* The best possible of a run: more than a placement takes that a slow search finds, which would
   make good policies look as if they broke the laws; or far less; copies that can't be
   avoided left out, dead ones asked for; a run cut in two that takes more than the whole.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target glpk } */

#include "check.h"
#include "replay/bound.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CHUNKS = 4, WINDOWS = 6, STATES = 3, ALL = 81, CASES = 400 };

static struct ummgr_bound_machine machine
  = { .memory_rate = 1000, .in_rate = 10, .out_rate = 5, .remote_rate = 8, .launch_cost = 0.5, .ways = 1 };

static double
solved (const struct ummgr_bound *b)
{
  double seconds = -1;
  CHECK (!ummgr_bound_solve (b, 60, &seconds));
  return seconds;
}

/* --- by hand -------------------------------------------------------------------------- */

#define LAUNCH(LEAST, ROOM) { .launch = true, .least = LEAST, .room = ROOM }
#define HOST(ROOM) { .room = ROOM }
#define COUNT(A) (sizeof (A) / sizeof *(A))

/* Of windows and chunks in a row.  */
#define CHECK_SOLVED(WINDOWS, CHUNKS, ROOM, SECONDS)			\
  do									\
    {									\
      struct ummgr_bound b						\
	= { .machine = machine, .window = WINDOWS, .windows = COUNT (WINDOWS), \
	    .room = ROOM, .chunk = CHUNKS, .chunks = COUNT (CHUNKS) };	\
      double s = solved (&b);						\
      if (!(fabs (s - (SECONDS)) < 1e-6))				\
	fprintf (stderr, "line %d: %.9g s\n", __LINE__, s);		\
      CHECK (fabs (s - (SECONDS)) < 1e-6);				\
    }									\
  while (0)

/* Of a launch that takes a second with all on the device: 1 - R / 1000 = 0.5 + R / 8.  */
static const double saved = 0.5 / 0.126 / 1000;

/* 100 bytes that the host has written come in 10 seconds, on the way or before; read where
   they are, each of them once in the launch, they take 12.5, and a tenth of them 1.25.  */
static void
test_comes (void)
{
  const struct ummgr_bound_window w[] = { HOST (100), LAUNCH (2, 100) };
  struct ummgr_bound_event e[]
    = { { .window = 0, .host = true, .written = true },
	{ .window = 1, .needed = true, .dead = true, .price = 1 } };
  const struct ummgr_bound_chunk c[] = { { .bytes = 100, .event = e, .events = 2 } };
  /* What comes and what is used over the link share it: the launch's begin is lost.  */
  CHECK_SOLVED (w, c, 100, 10);
  e[1].price = 0.1;
  /* Without the local memory's part in the time, at 1000 bytes a second.  */
  CHECK_SOLVED (w, c, 100, 2 - 100 * 0.1 / 1000);
  /* It is overwritten: nothing comes.  R over the link: 2 - R / 1000 = 0.5 + R / 8.  */
  e[1].price = 1;
  e[1].needed = false;
  e[1].written = true;
  CHECK_SOLVED (w, c, 100, 2 - 3 * saved);
}

/* Results, 100 bytes, go in 20 seconds where the host reads them; beside a launch, too.  */
static void
test_goes (void)
{
  const struct ummgr_bound_window w[] = { LAUNCH (2, 100), LAUNCH (15, 100), HOST (100) };
  struct ummgr_bound_event e[]
    = { { .window = 0, .written = true, .price = 1 },
	{ .window = 2, .host = true, .needed = true, .dead = true } };
  const struct ummgr_bound_chunk c[] = { { .bytes = 100, .event = e, .events = 2 } };
  /* R is written over the link, and the rest goes beside both launches:
     0.5 + R / 8 + 15 = (100 - R) / 5.  */
  CHECK_SOLVED (w, c, 100, 20 - 4.5 / 0.325 / 5);
  /* The host overwrites them.  */
  e[1].needed = false;
  e[0].dead = true;
  CHECK_SOLVED (w, c, 100, 17 - 3 * saved);
}

/* Two arrays in turns, with memory for one: half of what is used stays, as with MIN.  */
static void
test_turns (void)
{
  struct ummgr_bound_window w[9] = { HOST (100) };
  struct ummgr_bound_event e[2][5];
  struct ummgr_bound_chunk c[2];
  for (int i = 1; i < 9; i++)
    w[i] = (struct ummgr_bound_window) LAUNCH (1, 100);
  for (int k = 0; k < 2; k++)
    {
      e[k][0] = (struct ummgr_bound_event) { .window = 0, .host = true, .written = true };
      for (int i = 0; i < 4; i++)
	e[k][1 + i] = (struct ummgr_bound_event) {
	  .window = 1 + 2 * i + k, .needed = true, .dead = i == 3, .price = 10
	};
      c[k] = (struct ummgr_bound_chunk) { .bytes = 100, .event = e[k], .events = 5 };
    }
  /* One of them comes once and stays for all but its last use; the other comes each of four
     times.  */
  CHECK_SOLVED (w, c, 100, 50);
  /* And where they all fit, 20 seconds and the six launches that none of this is beside, which
     take SAVED less as local memory need not bring all.  */
  for (int i = 0; i < 9; i++)
    w[i].room = 200;
  CHECK_SOLVED (w, c, 200, 20 + 6 * (1 - saved));
}

/* What comes while another launch runs has to find room there.  */
static void
test_ahead (void)
{
  struct ummgr_bound_window w[] = { HOST (50), LAUNCH (30, 50), LAUNCH (1, 50) };
  const struct ummgr_bound_event e[]
    = { { .window = 0, .host = true, .written = true },
	{ .window = 2, .needed = true, .dead = true, .price = 10 } };
  const struct ummgr_bound_chunk c[] = { { .bytes = 100, .event = e, .events = 2 } };
  CHECK_SOLVED (w, c, 50, 30 + 5);
  w[1].room = 100;
  CHECK_SOLVED (w, c, 50, 30 + 1 - saved);
}

/* As much goes as comes, beside the launches: in 20 seconds; where both ways together carry 8 bytes a second, after the
   first launch, in which 5 bytes go, 195 are left.  Hardly anything is used over the link at that price.  */
static void
test_both (void)
{
  const struct ummgr_bound_window w[] = { LAUNCH (1, 200), HOST (200), LAUNCH (1, 200), HOST (200) };
  const struct ummgr_bound_event out[]
    = { { .window = 0, .written = true, .price = 1e6 },
	{ .window = 3, .host = true, .needed = true, .dead = true } },
    in[] = { { .window = 1, .host = true, .written = true },
	     { .window = 2, .needed = true, .dead = true, .price = 1e6 } };
  const struct ummgr_bound_chunk c[] = { { .bytes = 100, .event = out, .events = 2 },
					 { .bytes = 100, .event = in, .events = 2 } };
  struct ummgr_bound b = { .machine = machine, .window = w, .windows = 4, .room = 200, .chunk = c, .chunks = 2 };
  CHECK (fabs (solved (&b) - 20) < 0.01);
  b.machine.both_rate = 8;
  CHECK (fabs (solved (&b) - (1 + 195. / 8)) < 0.01);
}

/* --- against a search ------------------------------------------------------------------- 

   Of one page a chunk: what each can be after a window, and what of the link that takes.  */

enum { AWAY, CLEAN, CHANGED };

struct step
{
  int to;
  double in, out, remote, shared, saved;	/* Seconds.  */
};

struct steps
{
  struct step step[32];
  int count;
};

static void
add (struct steps *s, struct step step)
{
  CHECK (s->count < 32);
  s->step[s->count++] = step;
}

/* Behind STEP: what is there may go, or be dropped, or stay.  */
static void
add_after (struct steps *s, struct step step, double bytes, bool dead)
{
  const double out = bytes / machine.out_rate;
  add (s, step);
  if (step.to == CLEAN || (step.to == CHANGED && dead))
    add (s, (struct step) { AWAY, step.in, step.out, step.remote, step.shared, step.saved });
  if (step.to == CHANGED)
    {
      add (s, (struct step) { CLEAN, step.in, step.out + out, step.remote, step.shared, step.saved });
      add (s, (struct step) { AWAY, step.in, step.out + out, step.remote, step.shared, step.saved });
    }
  if (step.to == AWAY)
    add (s, (struct step) { CLEAN, step.in + bytes / machine.in_rate, step.out, step.remote,
			    step.shared, step.saved });
}

static void
add_launch (struct steps *s, const struct ummgr_bound_event *e, double bytes, int from)
{
  const double in = bytes / machine.in_rate, out = bytes / machine.out_rate;
  const double remote = e->price * bytes / machine.remote_rate;
  const bool comes = from == AWAY && e->needed;
  /* On the device.  */
  add_after (s, (struct step) { .to = e->written ? CHANGED : from == AWAY ? CLEAN : from,
				.in = comes ? in : 0 }, bytes, e->dead);
  /* Over the link: it is where the host has it.  */
  add_after (s, (struct step) {
		   .to = e->written || from == AWAY ? AWAY : CLEAN,
		   .out = from == CHANGED && e->needed ? out : 0, .remote = remote,
		   .shared = e->written ? 0 : remote, .saved = e->price * bytes / machine.memory_rate
		 }, bytes, e->dead);
}

static void
add_host (struct steps *s, const struct ummgr_bound_event *e, double bytes, int from)
{
  add_after (s, (struct step) { .to = e->written || from == AWAY ? AWAY : CLEAN,
				.out = from == CHANGED && e->needed ? bytes / machine.out_rate : 0 },
	     bytes, e->dead);
}

static struct steps
steps_of (const struct ummgr_bound_chunk *c, uint32_t window, int from)
{
  struct steps s = { .count = 0 };
  for (size_t i = 0; i < c->events; i++)
    if (c->event[i].window == window)
      {
	(c->event[i].host ? add_host : add_launch) (&s, &c->event[i], c->bytes, from);
	return s;
      }
  add_after (&s, (struct step) { .to = from }, c->bytes, false);
  return s;
}

/* What state number STATE has of chunk K.  */
static int
part_of (int state, size_t k)
{
  while (k--)
    state /= STATES;
  return state % STATES;
}

struct search
{
  const struct ummgr_bound *b;
  uint32_t window;
  struct steps of[CHUNKS];
  double *after;		/* By state: the least.  */
};

static void
choose (const struct search *s, size_t k, int state, int power, double held, struct step sum,
	double before)
{
  const struct ummgr_bound_window *w = &s->b->window[s->window];
  if (held > w->room + 1e-9)
    return;
  if (k == s->b->chunks)
    {
      double t = fmax (sum.in + sum.shared, sum.out);
      t = fmax (t, (sum.in * machine.in_rate + sum.out * machine.out_rate) / machine.both_rate);
      if (w->launch)
	t = fmax (t, fmax (w->least - sum.saved, machine.launch_cost + sum.remote / machine.ways));
      s->after[state] = fmin (s->after[state], before + t);
      return;
    }
  for (int i = 0; i < s->of[k].count; i++)
    {
      const struct step *x = &s->of[k].step[i];
      choose (s, k + 1, state + x->to * power, power * STATES,
	      held + (x->to != AWAY ? s->b->chunk[k].bytes : 0),
	      (struct step) { 0, sum.in + x->in, sum.out + x->out, sum.remote + x->remote,
			      sum.shared + x->shared, sum.saved + x->saved }, before);
    }
}

/* Of all placements of whole chunks, window by window.  */
static double
searched (const struct ummgr_bound *b)
{
  double before[ALL], after[ALL], least = INFINITY;
  for (int i = 0; i < ALL; i++)
    before[i] = i ? INFINITY : 0;
  for (uint32_t w = 0; w < b->windows; w++)
    {
      struct search s = { .b = b, .window = w, .after = after };
      for (int i = 0; i < ALL; i++)
	after[i] = INFINITY;
      for (int i = 0; i < ALL; i++)
	if (!isinf (before[i]))
	  {
	    for (size_t k = 0; k < b->chunks; k++)
	      s.of[k] = steps_of (&b->chunk[k], w, part_of (i, k));
	    choose (&s, 0, 0, 1, 0, (struct step) { .to = 0 }, before[i]);
	  }
      memcpy (before, after, sizeof before);
    }
  for (int i = 0; i < ALL; i++)
    least = fmin (least, before[i]);
  return least;
}

static uint64_t seed = 1;

static unsigned
pick (unsigned n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) (seed >> 33) % n;
}

struct random
{
  struct ummgr_bound_window window[WINDOWS];
  struct ummgr_bound_event event[CHUNKS][WINDOWS];
  struct ummgr_bound_chunk chunk[CHUNKS];
  struct ummgr_bound b;
};

static void
random_chunk (struct random *r, int k)
{
  size_t n = 0;
  bool content = false, dead = true;
  struct ummgr_bound_event *e = r->event[k];
  for (uint32_t w = 0; w < WINDOWS; w++)
    {
      if (pick (3) == 0)
	continue;
      bool host = !r->window[w].launch, written = pick (2), fresh = written && pick (2);
      static const double prices[] = { 0.05, 0.5, 1, 4 };
      written |= host && !content;
      e[n] = (struct ummgr_bound_event) {
	.window = w, .host = host, .needed = !fresh && (content || host), .written = written,
	.price = prices[pick (4)]
      };
      content |= host || written;
      n++;
    }
  for (size_t i = n; i-- > 0;)
    {
      e[i].dead = dead;
      dead = !e[i].needed;
    }
  r->chunk[k] = (struct ummgr_bound_chunk) { .bytes = 10, .event = e, .events = n };
}

/* All chunks of a size, so that memory has room for whole ones.  */
static void
random_make (struct random *r)
{
  const double room = 10 * (1 + pick (CHUNKS - 1));
  for (int w = 0; w < WINDOWS; w++)
    {
      bool launch = w && pick (3);
      r->window[w] = (struct ummgr_bound_window) {
	launch, launch ? machine.launch_cost + pick (4) * 0.5 : 0, room
      };
    }
  for (int k = 0; k < CHUNKS; k++)
    random_chunk (r, k);
  r->b = (struct ummgr_bound) { machine, r->window, WINDOWS, room, r->chunk, CHUNKS };
}

/* The windows of B before HALF, and those from there on, each by itself.  */
static double
in_parts (const struct ummgr_bound *b, uint32_t half)
{
  struct ummgr_bound_event event[CHUNKS][WINDOWS];
  struct ummgr_bound_chunk first[CHUNKS], second[CHUNKS];
  struct ummgr_bound one = *b, two = *b;
  for (size_t k = 0; k < b->chunks; k++)
    {
      const struct ummgr_bound_chunk *c = &b->chunk[k];
      size_t n = 0;
      while (n < c->events && c->event[n].window < half)
	n++;
      first[k] = second[k] = *c;
      first[k].events = n;
      second[k].events = c->events - n;
      second[k].begun = n;
      second[k].event = event[k];
      for (size_t i = n; i < c->events; i++)
	{
	  event[k][i - n] = c->event[i];
	  event[k][i - n].window -= half;
	}
    }
  one.windows = half;
  one.chunk = first;
  two.window += half;
  two.windows -= half;
  two.chunk = second;
  return solved (&one) + solved (&two);
}

static void
test_random (void)
{
  double found = 0, bound = 0, cut = 0;
  struct random r;
  for (int i = 0; i < CASES; i++)
    {
      random_make (&r);
      double least = searched (&r.b), s = solved (&r.b);
      CHECK (!isinf (least));
      CHECK (s <= least + 1e-6);
      CHECK (s >= 0.5 * least - 1e-6);
      double parts = in_parts (&r.b, WINDOWS / 2);
      CHECK (parts <= s + 1e-6);
      cut += parts;
      found += least;
      bound += s;
    }
  fprintf (stderr, "placements of whole chunks take %.3f times the bound, and that %.3f times its halves\n",
	   found / bound, bound / cut);
  CHECK (found < 1.1 * bound);
  CHECK (bound < 1.5 * cut);
}

int
main (void)
{
  CHECK (ummgr_bound_available ());
  test_comes ();
  test_goes ();
  test_turns ();
  test_ahead ();
  test_both ();
  machine.both_rate = 12;
  machine.ways = 1.5;
  test_random ();
  return 0;
}
