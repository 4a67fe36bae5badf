/* The least time that a run takes: the linear program, and GLPK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the program while it is built and solved.  In it a second is such that a byte takes
   one over the link in, and a byte is such that all chunks have MANY.  */

#include "config.h"
#include "replay/bound.h"

#ifdef HAVE_GLPK

#include "base/grow.h"

#include <glpk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MANY 1000.

enum { LEVELS = 32 };
/* Of what goes over the link: a way, or both.  */
enum direction { IN, OUT, BOTH, DIRECTIONS };

struct entry
{
  int row, column;
  double value;
};

/* COLUMN goes over the link within windows A to B, and takes SECONDS for each byte.  */
struct job
{
  uint32_t a, b;
  int column;
  enum direction direction;
  double seconds;
};

struct program
{
  const struct ummgr_bound *bound;
  double byte, second;		/* The program's units, in bytes and seconds.  */
  glp_prob *lp;
  struct entry *entry;
  size_t entries, entry_room;
  struct job *job;
  size_t jobs, job_room;
  int *row_of;			/* By direction, level and place: a row, or 0.  */
  size_t places;		/* Of a level.  */
  bool failed;			/* For want of memory.  */
};

/* A sum of columns; 0 is none.  */
struct sum
{
  int plus[2], minus;
};

static struct sum
sum_of (int column)
{
  return (struct sum) { { column, 0 }, 0 };
}

static bool
is_none (const struct sum *s)
{
  return !s->plus[0] && !s->plus[1];
}

/* What of a chunk is on the device, and what there is changed.  */
struct state
{
  struct sum there, dirty;
};

/* --- rows and columns ------------------------------------------------------------ */

static int
column_new (struct program *p, double most)
{
  int column = glp_add_cols (p->lp, 1);
  glp_set_col_bnds (p->lp, column, most > 0 ? GLP_DB : GLP_FX, 0, most > 0 ? most : 0);
  return column;
}

static void
put (struct program *p, int row, int column, double value)
{
  if (!column || value == 0 || p->failed)
    return;
  if (!UMMGR_GROW (p->entry, p->entry_room, p->entries + 1))
    {
      p->failed = true;
      return;
    }
  p->entry[p->entries++] = (struct entry) { row, column, value };
}

static void
put_sum (struct program *p, int row, const struct sum *s, double by)
{
  put (p, row, s->plus[0], by);
  put (p, row, s->plus[1], by);
  put (p, row, s->minus, -by);
}

static int
row_new (struct program *p, int type, double side)
{
  int row = glp_add_rows (p->lp, 1);
  glp_set_row_bnds (p->lp, row, type, side, side);
  return row;
}

static int
at_least (struct program *p, double side)
{
  return row_new (p, GLP_LO, side);
}

static int
at_most (struct program *p, double side)
{
  return row_new (p, GLP_UP, side);
}

/* Each window has its time for a column, a row for the memory behind it, and two for its
   time.  Behind the last is the row for the memory before the first.  */
static int
time_of (uint32_t window)
{
  return 1 + window;
}

static int
memory_of (uint32_t window)
{
  return 1 + 3 * window;
}

static int
least_of (uint32_t window)
{
  return 2 + 3 * window;
}

static int
remote_of (uint32_t window)
{
  return 3 + 3 * window;
}

static double
seconds_per_byte (const struct program *p, double rate)
{
  return p->byte / rate / p->second;
}

static void
job_new (struct program *p, uint32_t a, uint32_t b, int column, double seconds, enum direction direction)
{
  if (!UMMGR_GROW (p->job, p->job_room, p->jobs + 1))
    p->failed = true;
  else
    p->job[p->jobs++] = (struct job) { a, b, column, direction, seconds };
}

/* It is copied one way, and so both.  */
static void
copied (struct program *p, uint32_t a, uint32_t b, int column, double rate, enum direction direction)
{
  const double both = p->bound->machine.both_rate;
  job_new (p, a, b, column, seconds_per_byte (p, rate), direction);
  if (both > 0)
    job_new (p, a, b, column, seconds_per_byte (p, both), BOTH);
}

static void
comes (struct program *p, uint32_t a, uint32_t b, int column)
{
  copied (p, a, b, column, p->bound->machine.in_rate, IN);
}

static void
goes (struct program *p, uint32_t a, uint32_t b, int column)
{
  copied (p, a, b, column, p->bound->machine.out_rate, OUT);
}

/* --- chunks ---------------------------------------------------------------------- */

/* Chunk C goes from event A, or the beginning, to B: with *S it is in that state behind A,
   and then before B.  */
static void
pass_time (struct program *p, const struct ummgr_bound_chunk *c,
	   const struct ummgr_bound_event *a, const struct ummgr_bound_event *b,
	   struct state *s)
{
  const double bytes = c->bytes / p->byte;
  /* What the host has done is done early in its window.  */
  const uint32_t first = a ? a->window + !a->host : 0, end = b->window;
  const bool at_once = a && !a->host;
  if (at_once && !is_none (&s->there))
    put_sum (p, memory_of (a->window), &s->there, 1);
  if (first == end)
    return;
  int row, stays = is_none (&s->there) ? 0 : column_new (p, bytes);
  int in = b->needed && !(b->host && b->written) ? column_new (p, bytes) : 0;
  int out = is_none (&s->dirty) ? 0 : column_new (p, bytes);
  if (in)
    comes (p, first, end - 1, in);
  if (out)
    goes (p, first, end - 1, out);
  if (stays)
    {
      row = at_most (p, 0);
      put (p, row, stays, 1);
      put_sum (p, row, &s->there, -1);
    }
  if (stays && in)
    {
      row = at_most (p, bytes);
      put (p, row, stays, 1);
      put (p, row, in, 1);
    }
  if (out)
    {
      row = at_least (p, 0);
      put (p, row, stays, 1);
      put (p, row, out, 1);
      put_sum (p, row, &s->dirty, -1);
      row = at_most (p, 0);
      put (p, row, out, 1);
      put_sum (p, row, &s->dirty, -1);
    }
  for (uint32_t w = first; w < end; w++)
    put (p, memory_of (w), stays, 1);
  put (p, memory_of (end - 1), in, 1);
  s->there = (struct sum) { { stays, in }, 0 };
  s->dirty.minus = out;
}

/* Launch E uses REMOTE of a chunk over the link.  */
static void
use_remotely (struct program *p, const struct ummgr_bound_event *e, int remote)
{
  const struct ummgr_bound_machine *m = &p->bound->machine;
  double link = e->price * seconds_per_byte (p, m->remote_rate);
  put (p, least_of (e->window), remote, e->price * seconds_per_byte (p, m->memory_rate));
  put (p, remote_of (e->window), remote, -link / m->ways);
  if (!m->apart && !e->written)
    job_new (p, e->window, e->window, remote, link, IN);
}

/* Chunk C, in state *S, has its content at hand, in launch E: the rest comes, IN, or is used
   where it is.  */
static void
need (struct program *p, const struct ummgr_bound_chunk *c, const struct state *s, int remote,
      int in, int out)
{
  const double bytes = c->bytes / p->byte;
  int row = at_least (p, bytes);
  put_sum (p, row, &s->there, 1);
  put (p, row, in, 1);
  put (p, row, remote, 1);
  if (is_none (&s->dirty))
    return;
  row = at_most (p, bytes);
  put_sum (p, row, &s->dirty, 1);
  put (p, row, remote, 1);
  put (p, row, out, -1);
}

/* Of a chunk in a launch.  */
struct use
{
  int remote, in, out, there, dirty;
  int later;			/* Comes when it was written over the link.  */
};

/* What launch E, which began in state *S, leaves of C on the device.  */
static void
leave (struct program *p, const struct ummgr_bound_chunk *c, const struct ummgr_bound_event *e,
       const struct state *s, const struct use *u)
{
  const double bytes = c->bytes / p->byte;
  int row = at_least (p, 0);
  put (p, row, u->there, 1);
  put (p, row, u->dirty, -1);
  if (!e->written)
    {
      row = at_least (p, 0);
      put (p, row, u->dirty, 1);
      put (p, row, u->out, 1);
      put_sum (p, row, &s->dirty, -1);
      return;
    }
  row = at_least (p, bytes);
  put (p, row, u->dirty, 1);
  put (p, row, u->out, 1);
  put (p, row, u->remote, 1);
  row = at_most (p, bytes);
  put (p, row, u->there, 1);
  put (p, row, u->remote, 1);
  put (p, row, u->later, -1);
  row = at_most (p, 0);
  put (p, row, u->there, 1);
  put (p, row, u->dirty, -1);
  put (p, row, u->out, -1);
  put (p, row, u->later, -1);
}

static int
column_if (struct program *p, bool is, double most)
{
  return is ? column_new (p, most) : 0;
}

static void
device_event (struct program *p, const struct ummgr_bound_chunk *c,
	      const struct ummgr_bound_event *e, struct state *s)
{
  const double bytes = c->bytes / p->byte;
  const bool keeps = !is_none (&s->dirty) && e->needed, changes = e->written && !e->dead;
  const struct use u = {
    .remote = column_new (p, bytes), .in = column_if (p, e->needed, bytes),
    .out = column_if (p, keeps || changes, bytes), .there = column_if (p, !e->dead, bytes),
    .dirty = column_if (p, (keeps && !e->dead) || changes, bytes),
    .later = column_if (p, changes, bytes)
  };
  use_remotely (p, e, u.remote);
  if (u.in)
    {
      comes (p, e->window, e->window, u.in);
      need (p, c, s, u.remote, u.in, u.out);
    }
  if (u.later)
    comes (p, e->window, e->window, u.later);
  if (u.out)
    goes (p, e->window, e->window, u.out);
  if (u.in && u.there)
    {
      int row = at_most (p, 0);
      put (p, row, u.there, 1);
      put (p, row, u.in, -1);
      put (p, row, u.later, -1);
      put_sum (p, row, &s->there, -1);
    }
  if (u.dirty)
    leave (p, c, e, s, &u);
  *s = (struct state) { sum_of (u.there), sum_of (u.dirty) };
}

static void
host_event (struct program *p, const struct ummgr_bound_chunk *c,
	    const struct ummgr_bound_event *e, struct state *s)
{
  const double bytes = c->bytes / p->byte;
  int row, there = e->dead || e->written || is_none (&s->there) ? 0 : column_new (p, bytes);
  if (there)
    {
      row = at_most (p, 0);
      put (p, row, there, 1);
      put_sum (p, row, &s->there, -1);
    }
  if (e->needed && !is_none (&s->dirty))
    {
      int out = column_new (p, bytes);
      goes (p, e->window, e->window, out);
      row = at_least (p, 0);
      put (p, row, out, 1);
      put_sum (p, row, &s->dirty, -1);
    }
  *s = (struct state) { sum_of (there), sum_of (0) };
}

static void
add_chunk (struct program *p, const struct ummgr_bound_chunk *c)
{
  struct state s = { sum_of (0), sum_of (0) };
  if (c->begun && c->events)
    {
      const double bytes = c->bytes / p->byte;
      int there = column_new (p, bytes), dirty = column_new (p, bytes), row = at_most (p, 0);
      put (p, row, dirty, 1);
      put (p, row, there, -1);
      put (p, memory_of (p->bound->windows), there, 1);
      s = (struct state) { sum_of (there), sum_of (dirty) };
      pass_time (p, c, NULL, &c->event[0], &s);
    }
  for (size_t i = 0; i < c->events; i++)
    {
      if (i)
	pass_time (p, c, &c->event[i - 1], &c->event[i], &s);
      (c->event[i].host ? host_event : device_event) (p, c, &c->event[i], &s);
    }
}

/* --- windows ---------------------------------------------------------------------- */

/* More than any window takes in the best of placements.  */
static double
longest (const struct ummgr_bound *b)
{
  double all = 0;
  for (uint32_t i = 0; i < b->windows; i++)
    all += b->window[i].least;
  for (size_t i = 0; i < b->chunks; i++)
    all += b->chunk[i].events * b->chunk[i].bytes
	   * (1 / b->machine.in_rate + 1 / b->machine.out_rate);
  return all;
}

static void
add_windows (struct program *p)
{
  const struct ummgr_bound *b = p->bound;
  double most = longest (b) / p->second;
  for (uint32_t i = 0; i < b->windows; i++)
    {
      const struct ummgr_bound_window *w = &b->window[i];
      const double cost = w->launch ? b->machine.launch_cost : 0;
      int time = column_new (p, most);
      glp_set_obj_coef (p->lp, time, 1);
      at_most (p, w->room / p->byte);
      put (p, at_least (p, w->least / p->second), time, 1);
      put (p, at_least (p, cost / p->second), time, 1);
    }
  at_most (p, b->room / p->byte);
}

/* --- the link ---------------------------------------------------------------------

   What has to go within some windows goes in their time.  Not of all intervals of windows,
   but of those of 1, 2, 4 ... that begin at multiples of half as many.  */

static uint32_t
step_of (unsigned level)
{
  return level ? 1u << (level - 1) : 1;
}

static int *
row_at (struct program *p, enum direction direction, unsigned level, uint32_t place)
{
  return &p->row_of[((size_t) direction * LEVELS + level) * p->places + place];
}

/* Places of LEVEL whose windows have all of job J: from *FIRST_P on.  */
static unsigned
places_of (const struct job *j, unsigned level, uint32_t *first_p)
{
  uint32_t step = step_of (level), last = j->a / step;
  uint64_t size = UINT64_C (1) << level;
  uint64_t least = j->b + 1 > size ? j->b + 1 - size : 0;
  *first_p = (least + step - 1) / step;
  return *first_p <= last ? last - *first_p + 1 : 0;
}

static int
link_row (struct program *p, unsigned level, uint32_t place)
{
  uint64_t from = (uint64_t) place * step_of (level), to = from + (UINT64_C (1) << level);
  int row = at_most (p, 0);
  for (uint64_t w = from; w < to && w < p->bound->windows; w++)
    put (p, row, time_of (w), -1);
  return row;
}

static void
add_link (struct program *p)
{
  unsigned levels = 1;
  uint32_t first;
  while (levels < LEVELS && (UINT64_C (1) << (levels - 1)) < p->bound->windows)
    levels++;
  p->places = p->bound->windows;
  p->row_of = calloc (DIRECTIONS * LEVELS * p->places, sizeof *p->row_of);
  if (!p->row_of)
    {
      p->failed = true;
      return;
    }
  /* Rows that say more than those of parts of their windows do; and one of all.  */
  for (size_t i = 0; i < p->jobs; i++)
    for (unsigned level = 0; level < levels; level++)
      if (places_of (&p->job[i], level, &first) || level == levels - 1)
	{
	  int *row = row_at (p, p->job[i].direction, level, first);
	  *row = *row ? *row : link_row (p, level, first);
	  break;
	}
  for (enum direction d = IN; d < DIRECTIONS; d++)
    if (!*row_at (p, d, levels - 1, 0))
      *row_at (p, d, levels - 1, 0) = link_row (p, levels - 1, 0);
  for (size_t i = 0; i < p->jobs; i++)
    for (unsigned level = 0; level < levels; level++)
      for (unsigned n = places_of (&p->job[i], level, &first); n > 0; n--)
	{
	  int row = *row_at (p, p->job[i].direction, level, first + n - 1);
	  if (row)
	    put (p, row, p->job[i].column, p->job[i].seconds);
	}
}

/* --- solving ---------------------------------------------------------------------- */

static void
load (struct program *p)
{
  size_t n = p->entries;
  int *row = malloc ((n + 1) * sizeof *row), *column = malloc ((n + 1) * sizeof *column);
  double *value = malloc ((n + 1) * sizeof *value);
  p->failed |= !row || !column || !value || n > INT32_MAX;
  for (size_t i = 0; i < n && !p->failed; i++)
    {
      row[i + 1] = p->entry[i].row;
      column[i + 1] = p->entry[i].column;
      value[i + 1] = p->entry[i].value;
    }
  if (!p->failed)
    glp_load_matrix (p->lp, n, row, column, value);
  free (row);
  free (column);
  free (value);
}

/* What the rows' duals prove, whether the solver came to its end or not, and however it
   rounded: with multipliers that are 0 or of the sign that a row allows, the sum of all
   rows and what each column then adds at least.  */
static double
proven (const struct program *p)
{
  int rows = glp_get_num_rows (p->lp), columns = glp_get_num_cols (p->lp);
  double sum = 0, *cost = calloc (columns + 1, sizeof *cost);
  double *dual = calloc (rows + 1, sizeof *dual);
  if (!cost || !dual)
    {
      free (cost);
      free (dual);
      return 0;
    }
  for (int i = 1; i <= rows; i++)
    {
      bool lower = glp_get_row_type (p->lp, i) == GLP_LO;
      double y = glp_get_row_dual (p->lp, i);
      dual[i] = lower ? fmax (y, 0) : fmin (y, 0);
      sum += dual[i] * (lower ? glp_get_row_lb (p->lp, i) : glp_get_row_ub (p->lp, i));
    }
  for (int j = 1; j <= columns; j++)
    cost[j] = glp_get_obj_coef (p->lp, j);
  for (size_t i = 0; i < p->entries; i++)
    cost[p->entry[i].column] -= dual[p->entry[i].row] * p->entry[i].value;
  for (int j = 1; j <= columns; j++)
    sum += fmin (cost[j] * glp_get_col_ub (p->lp, j), 0);
  free (cost);
  free (dual);
  return sum;
}

static enum ummgr_status
solve (struct program *p, double most, double *seconds_p)
{
  glp_smcp how;
  load (p);
  if (p->failed)
    return UMMGR_ERR_NOMEM;
  glp_init_smcp (&how);
  how.msg_lev = GLP_MSG_OFF;
  how.meth = GLP_DUAL;
  how.tm_lim = most * 1000;
  int status = glp_simplex (p->lp, &how);
  if (status && status != GLP_ETMLIM)
    return UMMGR_ERR_INVALID;
  *seconds_p = fmax (proven (p), 0) * p->second;
  return UMMGR_OK;
}

bool
ummgr_bound_available (void)
{
  return true;
}

enum ummgr_status
ummgr_bound_solve (const struct ummgr_bound *bound, double most, double *seconds_p)
{
  struct program p = { .bound = bound };
  double bytes = 0;
  for (size_t i = 0; i < bound->chunks; i++)
    bytes += bound->chunk[i].bytes;
  p.byte = bytes > 0 ? bytes / MANY : 1;
  p.second = p.byte / bound->machine.in_rate;
  p.lp = glp_create_prob ();
  add_windows (&p);
  for (size_t i = 0; i < bound->chunks; i++)
    add_chunk (&p, &bound->chunk[i]);
  add_link (&p);
  enum ummgr_status status = solve (&p, most, seconds_p);
  glp_delete_prob (p.lp);
  free (p.entry);
  free (p.job);
  free (p.row_of);
  return status;
}

#else

bool
ummgr_bound_available (void)
{
  return false;
}

enum ummgr_status
ummgr_bound_solve (const struct ummgr_bound *bound, double most, double *seconds_p)
{
  (void) bound;
  (void) most;
  (void) seconds_p;
  return UMMGR_ERR_UNSUPPORTED;
}

#endif
