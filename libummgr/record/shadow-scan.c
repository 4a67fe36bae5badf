/* Scanning shadow memory: counts, densities, a picture.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Works in segments, which end where a cell of the picture or a block of the
   density does: in each, equal states are counted eight and more at a time,
   and its sums go to the cell and the block.  Pages of shadow that nothing
   ever marked are not read at all: reading would give each of them a page
   table entry, which for 10 GB of which little is used costs more than the
   rest.

   Owns the descriptor of the kernel's page map.  */

#include "config.h"
#include "record/shadow-scan.h"

#include "base/descriptor.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum
{
  PAGE = 4096,			/* Only of this size are pages skipped.  */
  PAGES = 256,			/* In a chunk.  */
  WORTH = 16			/* Pages from which asking pays.  */
};

#define EACH(BYTE) ((BYTE) * 0x0101010101010101ull)

/* Which pages of one chunk were ever written.  */
struct page_map
{
  const uint8_t *chunk;		/* NULL: none.  */
  uint64_t pages[PAGES];
};

struct cell
{
  uint64_t words, with[6];
  uint8_t state;
};

struct scan
{
  struct ummgr_shadow_facts *facts;
  struct page_map map;
  uint64_t end;			/* Word.  */
  bool unified, alone;
  uint64_t histogram[256];
  /* The segment: its states, and how many words of each.  */
  uint64_t count[256];
  uint8_t list[256];
  unsigned listed;
  struct cell cell;
  uint64_t block_words, block_gpu;
};

/* Was the page of the shadow that holds STATE ever written?  LEFT states from
   there on are to be looked at, not all of them in this chunk.  */
static bool
page_used (struct page_map *map, const uint8_t *state, size_t left)
{
  static struct ummgr_descriptor pagemap = UMMGR_DESCRIPTOR_NONE;
  const uint8_t *chunk = (const uint8_t *)
    ((uintptr_t) state & -(uintptr_t) PAGE);
  if (map->chunk && (size_t) (state - map->chunk) < (size_t) PAGES * PAGE)
    return map->pages[(state - map->chunk) / PAGE] >> 62 != 0;
  if (left < WORTH * PAGE)
    return true;
  int fd = ummgr_descriptor_use (&pagemap);
  if (fd < 0 && sysconf (_SC_PAGESIZE) == PAGE)
    {
      pagemap = ummgr_descriptor_own (open ("/proc/self/pagemap",
					    O_RDONLY | O_CLOEXEC));
      fd = pagemap.number;
    }
  size_t bytes = (left + PAGE - 1) / PAGE * sizeof *map->pages;
  if (bytes > sizeof map->pages)
    bytes = sizeof map->pages;
  memset (map->pages, 0xff, sizeof map->pages);
  map->chunk = chunk;
  if (fd < 0
      || pread (fd, map->pages, bytes, (uintptr_t) chunk / PAGE
		* sizeof *map->pages) != (ssize_t) bytes)
    memset (map->pages, 0xff, sizeof map->pages);
  return map->pages[0] >> 62 != 0;
}

/* States up to the end of the page, at most COUNT.  */
static size_t
in_page (const uint8_t *state, size_t count)
{
  size_t left = PAGE - (uintptr_t) state % PAGE;
  return count < left ? count : left;
}

static bool
has_news (const uint8_t *p, size_t count)
{
  uint64_t all = 0;
  for (; count && ((uintptr_t) p & 7); count--)
    all |= __atomic_load_n (p++, __ATOMIC_RELAXED);
  for (; count >= 8; count -= 8, p += 8)
    all |= ummgr_shadow_eight (p);
  for (; count; count--)
    all |= __atomic_load_n (p++, __ATOMIC_RELAXED);
  return all & EACH ((uint64_t) (uint8_t) ~UMMGR_SHADOW_LASTING);
}

/* Is there anything but lasting bits in the range?  */
static bool
any_news (struct page_map *map, uint64_t word, uint64_t end, uint64_t mask)
{
  struct ummgr_shadow_piece piece;
  for (; ummgr_shadow_piece (word, end, mask, &piece);
       word = piece.word + piece.count)
    for (size_t n; piece.count; piece.count -= n, piece.word += n)
      {
	n = in_page (piece.states, piece.count);
	if (page_used (map, piece.states, end - piece.word)
	    && has_news (piece.states, n))
	  return true;
	piece.states += n;
      }
  return false;
}

static void
add (struct scan *scan, uint8_t state, uint64_t words)
{
  if (!scan->count[state])
    scan->list[scan->listed++] = state;
  scan->count[state] += words;
}

/* TIMES groups of eight equal states EIGHT.  */
static void
add_eights (struct scan *scan, uint64_t eight, uint64_t times)
{
  if (!times)
    return;
  if (eight == EACH (eight & 0xff))
    {
      add (scan, eight & 0xff, 8 * times);
      return;
    }
  for (int i = 0; i < 8; i++)
    add (scan, eight >> 8 * i & 0xff, times);
}

/* What stays of states.  */
static uint64_t
lasting (uint64_t states, bool unified)
{
  states &= EACH ((uint64_t) UMMGR_SHADOW_LASTING);
  return unified ? states & ~((states & EACH (1)) << 7) : states;
}

static void
take_one (struct scan *scan, uint8_t *p)
{
  uint8_t old = __atomic_load_n (p, __ATOMIC_RELAXED);
  while (lasting (old, scan->unified) != old
	 && !__atomic_compare_exchange_n (p, &old,
					  lasting (old, scan->unified), true,
					  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  add (scan, old, 1);
}

/* Count COUNT states and leave what lasts.  */
static void
take (struct scan *scan, uint8_t *p, size_t count)
{
  uint64_t run = 0, times = 0;
  for (; count && ((uintptr_t) p & 7); count--)
    take_one (scan, p++);
  for (; count >= 8; count -= 8, p += 8)
    {
      uint64_t *eight = (uint64_t *) p;
      uint64_t old = __atomic_load_n (eight, __ATOMIC_RELAXED), new;
      while ((new = lasting (old, scan->unified)) != old)
	if (scan->alone)
	  {
	    __atomic_store_n (eight, new, __ATOMIC_RELAXED);
	    break;
	  }
	else if (__atomic_compare_exchange_n (eight, &old, new, true,
					      __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED))
	  break;
      if (old != run)
	{
	  add_eights (scan, run, times);
	  run = old;
	  times = 0;
	}
      times++;
    }
  add_eights (scan, run, times);
  for (; count; count--)
    take_one (scan, p++);
}

/* The segment [WORD, END): count it, and add it to cell and block.  */
static void
take_segment (struct scan *scan, uint64_t word, uint64_t end, uint64_t mask)
{
  struct ummgr_shadow_piece piece;
  for (; ummgr_shadow_piece (word, end, mask, &piece);
       word = piece.word + piece.count)
    for (size_t n, left = piece.count; left; left -= n, piece.states += n)
      {
	n = in_page (piece.states, left);
	if (page_used (&scan->map, piece.states,
		       scan->end - (piece.word + piece.count - left)))
	  take (scan, piece.states, n);
	else
	  add (scan, 0, n);
      }
  for (unsigned i = 0; i < scan->listed; i++)
    {
      uint8_t state = scan->list[i];
      uint64_t n = scan->count[state];
      scan->count[state] = 0;
      scan->histogram[state] += n;
      scan->cell.words += n;
      scan->cell.state |= state;
      for (int bit = 0; bit < 6; bit++)
	if (state >> (bit + 1) & 1)
	  scan->cell.with[bit] += n;
      scan->block_words += n;
      if (state & UMMGR_SHADOW_GPU)
	scan->block_gpu += n;
    }
  scan->listed = 0;
}

static void
end_cell (struct scan *scan)
{
  struct ummgr_shadow_facts *facts = scan->facts;
  const struct cell *cell = &scan->cell;
  struct ummgr_trace_cells run = { .length = 1, .state = cell->state };
  for (int bit = 0; bit < 6; bit++)
    if (cell->with[bit])
      run.part[bit] = (uint8_t) ((cell->with[bit] * 255 + cell->words - 1)
				 / cell->words);
  struct ummgr_trace_cells *last
    = facts->run_count ? &facts->runs[facts->run_count - 1] : NULL;
  if (last && last->state == run.state
      && memcmp (last->part, run.part, sizeof run.part) == 0)
    last->length++;
  else
    facts->runs[facts->run_count++] = run;
  facts->cells++;
  memset (&scan->cell, 0, sizeof scan->cell);
}

static void
end_block (struct scan *scan)
{
  if (scan->block_words)
    scan->facts->blocks[(scan->block_gpu * 10 + scan->block_words - 1)
			/ scan->block_words]++;
  scan->block_words = scan->block_gpu = 0;
}

bool
ummgr_shadow_scan (uint64_t address, uint64_t size,
		   const struct ummgr_shadow_how *how,
		   struct ummgr_shadow_facts *facts)
{
  uint64_t block = how->block, mask = how->mask;
  struct scan scan;
  scan.map.chunk = NULL;
  uint64_t first = address >> 2, end = ummgr_shadow_end_word (address, size);
  if (!size || !any_news (&scan.map, first, end, mask))
    return false;
  memset (&scan, 0, sizeof scan);
  memset (facts, 0, offsetof (struct ummgr_shadow_facts, runs));
  scan.facts = facts;
  scan.end = end;
  scan.unified = how->unified;
  scan.alone = how->alone;
  uint64_t total = end - first, block_words = block >= 4 ? block / 4 : 1;
  facts->cell_words = (total + UMMGR_TRACE_CELLS_MAX - 1)
		      / UMMGR_TRACE_CELLS_MAX;
  uint64_t cell_end = 0, block_end = 0;
  for (uint64_t at = 0, stop; at < total; at = stop)
    {
      if (at == cell_end)
	cell_end += facts->cell_words;
      if (at == block_end)
	block_end += block_words;
      stop = cell_end < block_end ? cell_end : block_end;
      if (stop > total)
	stop = total;
      take_segment (&scan, first + at, first + stop, mask);
      if (stop == cell_end || stop == total)
	end_cell (&scan);
      if (stop == block_end || stop == total)
	end_block (&scan);
    }
  for (int state = 0; state < 256; state++)
    if (scan.histogram[state])
      {
	facts->states[facts->state_count++] = (struct ummgr_trace_state) {
	  .state = (uint8_t) state, .words = scan.histogram[state]
	};
	facts->words += scan.histogram[state];
      }
  return true;
}
