/* Diagnoses made up for tests of pictures: facts from one state for each word.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "diagnose/diagnose.h"
#include "record/shadow.h"

#include <stdlib.h>
#include <string.h>

static inline void
sample_count (struct ummgr_facts *f, uint8_t s, uint64_t words)
{
  f->words += words;
  f->last_gpu += s & UMMGR_SHADOW_LAST_GPU ? words : 0;
  f->cpu_wrote += s & UMMGR_SHADOW_CPU_WROTE ? words : 0;
  f->gpu_wrote += s & UMMGR_SHADOW_GPU_WROTE ? words : 0;
  f->c_c += s & UMMGR_SHADOW_C_C ? words : 0;
  f->c_g += s & UMMGR_SHADOW_C_G ? words : 0;
  f->g_c += s & UMMGR_SHADOW_G_C ? words : 0;
  f->g_g += s & UMMGR_SHADOW_G_G ? words : 0;
  f->accessed += s & (UMMGR_SHADOW_CPU | UMMGR_SHADOW_GPU) ? words : 0;
  f->gpu_accessed += s & UMMGR_SHADOW_GPU ? words : 0;
  f->alternating += ummgr_shadow_alternates (s) ? words : 0;
}

/* The facts of PHASE from STATES of COUNT cells of CELL_WORDS words, all alike
   in a cell.  */
static inline struct ummgr_phase_facts
sample_facts (uint32_t phase, int device, const uint8_t *states,
	      uint32_t count, uint64_t cell_words)
{
  struct ummgr_phase_facts f = { .phase = phase, .device = device,
				 .cells = count, .cell_words = cell_words };
  struct ummgr_trace_cells *runs = calloc (count + 1, sizeof *runs);
  CHECK (runs);
  for (uint32_t i = 0; i < count; i++)
    {
      sample_count (&f.facts, states[i], cell_words);
      f.blocks[states[i] & UMMGR_SHADOW_GPU ? 10 : 0]++;
      if (i == 0 || states[i] != states[i - 1])
	{
	  runs[f.run_count].state = states[i];
	  for (unsigned b = 0; b < 6; b++)
	    runs[f.run_count].part[b] = states[i] & 2u << b ? 255 : 0;
	  f.run_count++;
	}
      runs[f.run_count - 1].length++;
    }
  f.runs = runs;
  return f;
}

static inline struct ummgr_traced_object *
sample_object (uint64_t id, const char *name, uint64_t size,
	       uint32_t element_size, size_t phases)
{
  struct ummgr_traced_object *o = calloc (1, sizeof *o);
  CHECK (o);
  *o = (struct ummgr_traced_object) {
    .id = id, .size = size, .name = name, .file = "src/main.c",
    .line = 10 + id % 100, .flags = UMMGR_TRACE_OBJECT_UNIFIED,
    .element_size = element_size, .layout = "", .merged = 1
  };
  o->facts = calloc (phases + 1, sizeof *o->facts);
  CHECK (o->facts);
  return o;
}

static inline void
sample_add (struct ummgr_traced_object *o, struct ummgr_phase_facts f)
{
  struct ummgr_facts *sum = f.device == UMMGR_TRACE_HOST ? &o->host
    : &o->device;
  uint64_t *to = (uint64_t *) sum, *from = (uint64_t *) &f.facts;
  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += from[i];
  o->facts[o->facts_count++] = f;
}

static inline void
sample_object_free (struct ummgr_traced_object *o)
{
  for (size_t i = 0; i < o->facts_count; i++)
    free ((void *) o->facts[i].runs);
  free (o->facts);
  free (o);
}

/* Smith-Waterman on unified memory, ROWS by COLUMNS ints: the CPU clears the
   matrix; launch K writes an anti-diagonal from the two before, and zeros of
   the first row and column.  */
static inline struct ummgr_traced_object *
sample_smith_waterman (uint64_t id, unsigned rows, unsigned columns)
{
  unsigned count = rows * columns, last = rows + columns - 2;
  uint8_t *state = malloc (count);
  struct ummgr_traced_object *o
    = sample_object (id, "H", count * 4, 4, last + 1);
  CHECK (state);
  memset (state, UMMGR_SHADOW_CPU_WROTE, count);
  sample_add (o, sample_facts (1, UMMGR_TRACE_HOST, state, count, 1));
  for (unsigned k = 2; k <= last; k++)
    {
      memset (state, 0, count);
      for (unsigned r = 1; r < rows; r++)
	{
	  unsigned c = k - r;
	  if (r >= k || c >= columns)
	    continue;
	  unsigned at = r * columns + c;
	  unsigned from[3] = { at - columns, at - 1, at - columns - 1 };
	  state[at] |= UMMGR_SHADOW_GPU_WROTE | UMMGR_SHADOW_LAST_GPU;
	  for (unsigned i = 0; i < 3; i++)
	    state[from[i]] |= from[i] < columns || from[i] % columns == 0
	      ? UMMGR_SHADOW_C_G : UMMGR_SHADOW_G_G;
	}
      sample_add (o, sample_facts (k, UMMGR_TRACE_HOST, state, count, 1));
    }
  free (state);
  return o;
}

/* A struct of WORDS words in fields of two ("m_0" ...): the CPU wrote all in
   phase 1, and two of each 10 fields in the later ones; the GPU reads 45.  */
static inline struct ummgr_traced_object *
sample_domain (uint64_t id, unsigned words, unsigned phases, char **layout)
{
  uint8_t *state = malloc (words);
  size_t size;
  FILE *text = open_memstream (layout, &size);
  struct ummgr_traced_object *o
    = sample_object (id, "domain", words * 4, words * 4, phases);
  CHECK (state && text);
  for (unsigned f = 0; f < words / 2; f++)
    fprintf (text, "%sm_field%u:%u:8", f ? ";" : "", f, f * 8);
  CHECK (fclose (text) == 0);
  o->layout = *layout;
  for (unsigned p = 1; p <= phases; p++)
    {
      for (unsigned i = 0; i < words; i++)
	{
	  bool temporary = i / 2 % 10 >= 8, read = i < words * 9 / 10;
	  state[i] = (p == 1 || temporary ? UMMGR_SHADOW_CPU_WROTE : 0)
	    | (read && i / 2 % 3 != 1 ? UMMGR_SHADOW_C_G : 0)
	    | (i / 2 % 3 == 1 ? UMMGR_SHADOW_C_C : 0);
	}
      sample_add (o, sample_facts (p, UMMGR_TRACE_HOST, state, words, 1));
    }
  free (state);
  return o;
}
