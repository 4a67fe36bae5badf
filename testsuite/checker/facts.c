/* The checker's facts: a span's words against one record of the trace.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns no state.  Counts every word again for each question.  */

#include "checker.h"

#include <inttypes.h>
#include <string.h>

static void
differ_at (const struct span *s, const struct ummgr_trace_facts *f,
	   const char *what, uint64_t index, uint64_t theirs, uint64_t mine)
{
  differ ("%s +%" PRIu64 " on %" PRId32 " phase %" PRIu32 ": %s %" PRIu64
	  ": %" PRIu64 ", should be %" PRIu64, s->name, s->offset, s->device,
	  f->phase, what, index, theirs, mine);
}

static void
compare_states (const struct span *s, const struct ummgr_trace_facts *f)
{
  uint64_t mine[256] = { 0 }, theirs[256] = { 0 };
  uint64_t first = s->address / 4, end = word_end (s->address, s->size);
  for (uint64_t n = first; n < end; n++)
    mine[word_state (word_at (n))]++;
  for (uint32_t i = 0; i < f->state_count; i++)
    theirs[f->states[i].state] += f->states[i].words;
  for (unsigned state = 0; state < 256; state++)
    if (mine[state] != theirs[state])
      differ_at (s, f, "words in state", state, theirs[state], mine[state]);
  if (f->words != end - first)
    differ_at (s, f, "words from", 0, f->words, end - first);
}

/* By the part of words that the GPU accessed.  */
static void
compare_blocks (const struct span *s, const struct ummgr_trace_facts *f,
		uint64_t block)
{
  uint64_t mine[11] = { 0 };
  uint64_t first = s->address / 4, end = word_end (s->address, s->size);
  for (uint64_t at = first; at < end; at += block / 4)
    {
      uint64_t words = 0, gpu = 0;
      for (uint64_t n = at; n < end && n < at + block / 4; n++)
	{
	  const struct word *w = word_at (n);
	  words++;
	  gpu += w->gpu_wrote || w->c_g || w->g_g;
	}
      unsigned tenth = 0;
      while (tenth * words < gpu * 10)
	tenth++;
      mine[tenth]++;
    }
  for (unsigned i = 0; i < 11; i++)
    if (mine[i] != f->blocks[i])
      differ_at (s, f, "blocks of density", i, f->blocks[i], mine[i]);
}

/* The cell that begins with word AT of the span.  */
static void
compare_cell (const struct span *s, const struct ummgr_trace_facts *f,
	      const struct ummgr_trace_cells *cell, uint64_t at)
{
  uint64_t first = s->address / 4 + at, end = word_end (s->address, s->size);
  uint64_t words = 0, with[6] = { 0 };
  unsigned state = 0;
  for (uint64_t n = first; n < end && n < first + f->cell_words; n++)
    {
      unsigned one = word_state (word_at (n));
      state |= one;
      words++;
      for (unsigned i = 0; i < 6; i++)
	with[i] += one >> (i + 1) & 1;
    }
  if (state != cell->state)
    differ_at (s, f, "state of the cell at word", at, cell->state, state);
  for (unsigned i = 0; i < 6 && words; i++)
    {
      uint64_t part = (with[i] * 255 + words - 1) / words;
      if (part != cell->part[i])
	differ_at (s, f, "part of the cell at word", at, cell->part[i], part);
    }
}

static void
compare_picture (const struct span *s, const struct ummgr_trace_facts *f)
{
  uint64_t at = 0, all = word_end (s->address, s->size) - s->address / 4;
  uint64_t cells = 0;
  for (uint32_t i = 0; i < f->run_count; i++)
    for (uint32_t k = 0; k < f->runs[i].length; k++)
      {
	if (at < all)
	  compare_cell (s, f, &f->runs[i], at);
	at += f->cell_words;
	cells++;
      }
  if (at < all || cells != f->cells)
    differ_at (s, f, "words in the picture from", 0, at, all);
}

void
facts_compare (const struct span *s, const struct ummgr_trace_facts *f,
	       uint64_t block)
{
  uint64_t end = word_end (s->address, s->size);
  compared++;
  compare_states (s, f);
  compare_blocks (s, f, block);
  compare_picture (s, f);
  for (uint64_t n = s->address / 4; n < end; n++)
    word_next_phase (word_at (n), s->unified);
}
