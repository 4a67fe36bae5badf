/* Access maps: the row length of a matrix, from what was accessed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   C forgets the shape of a matrix at malloc.  But where a program works on
   columns, blocks or diagonals, the places where a row's accesses begin and end
   (its edges) lie one row apart, or one row and a column.  So: count for each
   row length how many edges have a like edge below, below left or below right,
   more than chance would give.  A contiguous part has two edges and says
   nothing; noise has many that don't line up.  No state.  */

#include "config.h"
#include "diagnose/map.h"

#define SHORTEST 4u		/* Row, in cells.  */
#define HITS 3u			/* Four edges in a line: fewer may be chance. */
#define VECTORS_WHOLE 96u	/* Work bounds: few candidates are divisors ... */
#define VECTORS_ANY 16u		/* ... and many are not.  */

/* Edges of one kind of one fact in one phase.  */
struct edges
{
  uint32_t count, cells;
  uint16_t at[UMMGR_TRACE_CELLS_MAX];
  bool is[UMMGR_TRACE_CELLS_MAX];
};

struct search
{
  double score[UMMGR_TRACE_CELLS_MAX + 1]; /* By row length.  */
  double edges;			/* Of all vectors that took part.  */
  uint32_t vectors;
  bool whole;
};

/* How many of E's edges have another STEP further on, staying in a row's
   columns: from column LEFT to before RIGHT.  */
static uint32_t
lined_up (const struct edges *e, uint32_t row, uint32_t step, uint32_t left,
	  uint32_t right)
{
  uint32_t hits = 0;
  for (uint32_t i = 0; i < e->count; i++)
    {
      uint32_t at = e->at[i], column = at % row;
      if (at + step >= e->cells)
	break;
      hits += column >= left && column < right && e->is[at + step];
    }
  return hits;
}

static double
coherence (const struct edges *e, uint32_t row, bool whole)
{
  uint32_t best = lined_up (e, row, row, 0, row);
  if (whole)
    {
      uint32_t right = lined_up (e, row, row + 1, 0, row - 1);
      uint32_t left = lined_up (e, row, row - 1, 1, row);
      best = right > best ? right : best;
      best = left > best ? left : best;
    }
  double part = whole ? 0.5 : 0.7;
  if (best < HITS || best < part * e->count)
    return 0;
  double chance = (double) e->count / e->cells;
  return best - chance * e->count;
}

static void
add_edges (struct search *s, const struct edges *e)
{
  if (e->count <= HITS)
    return;
  s->edges += e->count;
  s->vectors++;
  for (uint32_t row = SHORTEST; row <= e->cells / 2; row++)
    if (!s->whole || e->cells % row == 0)
      s->score[row] += coherence (e, row, s->whole);
}

/* The cells of one fact, as they are drawn.  A run of one cell has one edge;
   others begin and end.  */
static void
add_fact (struct search *s, const struct ummgr_map_picture *p, unsigned fact)
{
  struct edges begins = { .cells = p->shape.count };
  struct edges ends = { .cells = p->shape.count };
  for (uint32_t i = 0; i < p->shape.count; i++)
    {
      bool set = p->cells[i].part[fact] != 0;
      bool before = i > 0 && p->cells[i - 1].part[fact] != 0;
      struct edges *e = set && !before ? &begins
	: !set && before && !begins.is[i - 1] ? &ends : NULL;
      if (e)
	{
	  e->is[i] = true;
	  e->at[e->count++] = i;
	}
    }
  add_edges (s, &begins);
  add_edges (s, &ends);
}

uint32_t
ummgr_map_period (const struct ummgr_map_shape *shape,
		  const struct ummgr_phase_facts *const *facts, size_t count,
		  bool whole)
{
  struct search s = { .whole = whole };
  struct ummgr_map_picture picture;
  for (size_t i = 0; i < count; i++)
    {
      if (s.vectors >= (whole ? VECTORS_WHOLE : VECTORS_ANY))
	break;
      if (i > 0 && ummgr_map_same (facts[i], facts[i - 1]))
	continue;
      ummgr_map_draw (&picture, shape, facts[i]);
      for (unsigned fact = 0; fact < UMMGR_MAP_FACTS; fact++)
	add_fact (&s, &picture, fact);
    }
  double best = 0;
  for (uint32_t row = SHORTEST; row <= shape->count / 2; row++)
    best = s.score[row] > best ? s.score[row] : best;
  if (best <= 0 || best < 0.4 * s.edges)
    return 0;
  /* Twice the row lines up nearly as well: the shortest is the row.  */
  uint32_t row = SHORTEST;
  while (s.score[row] < 0.9 * best)
    row++;
  return row;
}
