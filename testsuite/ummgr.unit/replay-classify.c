/* A trace's access pattern is found by other facts than those of its uses: visits
   counted with others' uses in between, pages of another object, a picture that
   lacks some, or HPE's opinion of another memory than it says; or it takes memory
   with the square of the objects.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "replay/classify.h"
#include "replay/evict.h"
#include "trace-test.h"

#include <math.h>
#include <sys/resource.h>

enum { OBJECTS = 3, MOST = 6000, PAGE = 4096, PAGES = 120 };

static const char path[] = "replay-classify.ummt";

/* --- traces: a list of pages, by object ---------------------------------------- */

struct use
{
  uint32_t object, page;
};

static struct use uses[MOST];
static size_t count;

static void
use (uint32_t object, uint32_t page)
{
  CHECK (count < MOST && object < OBJECTS && page < PAGES);
  uses[count++] = (struct use) { object, page };
}

static struct ummgr_trace_writer *
open_trace (struct ummgr_trace_stream **stream_p)
{
  struct ummgr_trace_writer *w;
  CHECK (ummgr_trace_writer_open (path, &test_run, &w) == UMMGR_OK);
  *stream_p = ummgr_trace_stream_open (w);
  CHECK (*stream_p);
  return w;
}

static void
put_object (struct ummgr_trace_writer *w, uint64_t o, uint64_t base,
	    uint64_t size)
{
  struct ummgr_trace_record r = {
    .kind = UMMGR_TRACE_OBJECT,
    .u.object = { .object = o + 1, .name = "x", .file = "f.c", .line = o,
		  .base = base, .size = size }
  };
  ummgr_trace_write (w, &r);
}

static void
put_use (struct ummgr_trace_stream *stream, uint64_t launch, uint64_t o,
	 uint64_t page)
{
  struct ummgr_trace_access a = {
    .object = o + 1, .launch = launch, .count = 1,
    .offset = page * PAGE + 8, .size = 8, .access = UMMGR_TRACE_READ
  };
  ummgr_trace_stream_write (stream, &a, 1);
}

/* MANY objects of three pages, side by side, used in one launch.  */
static void
write_many (uint64_t many)
{
  struct ummgr_trace_stream *stream;
  struct ummgr_trace_writer *w = open_trace (&stream);
  struct ummgr_trace_record r
    = { .kind = UMMGR_TRACE_BEGIN, .u.launch = { 1, 1, 0 } };
  for (uint64_t o = 0; o < many; o++)
    put_object (w, o, 0x7f0000000000 + o * 2 * PAGE, 2 * PAGE + 64);
  ummgr_trace_write (w, &r);
  for (uint64_t o = 0; o < many; o++)
    for (uint64_t page = 0; page < 3; page++)
      put_use (stream, 1, o, page);
  r.kind = UMMGR_TRACE_FINISH;
  ummgr_trace_write (w, &r);
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
}

/* Launches of 500 uses.  */
static void
write_trace (void)
{
  struct ummgr_trace_stream *stream;
  struct ummgr_trace_writer *w = open_trace (&stream);
  for (uint64_t o = 0; o < OBJECTS; o++)
    put_object (w, o, 0x7f0000000000 + (o << 24), PAGES * PAGE);
  for (size_t i = 0; i < count; i++)
    {
      uint64_t launch = 1 + i / 500;
      struct ummgr_trace_record r
	= { .kind = UMMGR_TRACE_BEGIN, .u.launch = { launch, 1, 0 } };
      if (i % 500 == 0)
	ummgr_trace_write (w, &r);
      put_use (stream, launch, uses[i].object, uses[i].page);
      r.kind = UMMGR_TRACE_FINISH;
      if (i % 500 == 499 || i + 1 == count)
	ummgr_trace_write (w, &r);
    }
  ummgr_trace_stream_close (stream);
  CHECK (ummgr_trace_writer_close (w) == UMMGR_OK);
}

static struct ummgr_classified *
classified (void)
{
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_classified *c;
  write_trace ();
  CHECK_EQ (ummgr_classify (path, &options, &c), UMMGR_OK);
  return c;
}

/* --- facts, the slow way -------------------------------------------------------- */

static bool begins[MOST], is_far[MOST];

static bool
same_page (size_t i, size_t k)
{
  return uses[i].object == uses[k].object && uses[i].page == uses[k].page;
}

/* Does use I begin a visit, and a far one?  By those that began since the last
   use of the page.  */
static void
look_back (size_t i, uint64_t footprint)
{
  size_t since = 0, k = i;
  while (k > 0 && !same_page (i, k - 1))
    since += begins[--k];
  begins[i] = k == 0 || since > 0.02 * footprint;
  is_far[i] = k > 0 && since > 0.5 * footprint;
}

static struct ummgr_pattern_facts
slow_facts (int object)
{
  struct ummgr_pattern_facts f = { 0 };
  double squares = 0, life = 0, repeated = 0, far = 0;
  size_t from = MOST, to = 0;
  for (uint32_t o = 0; o < OBJECTS; o++)
    for (uint32_t p = 0; (object < 0 || (int) o == object) && p < PAGES; p++)
      {
	size_t visits = 0, first = MOST, last = 0;
	for (size_t i = 0; i < count; i++)
	  if (uses[i].object == o && uses[i].page == p)
	    {
	      visits += begins[i];
	      far += begins[i] && is_far[i];
	      first = first < i ? first : i;
	      last = i;
	    }
	if (!visits)
	  continue;
	f.pages++;
	f.visits += visits;
	squares += visits * visits;
	repeated += visits > 1;
	life += last - first;
	from = first < from ? first : from;
	to = last > to ? last : to;
      }
  double mean = f.pages ? (double) f.visits / f.pages : 0;
  if (!f.pages)
    return f;
  f.repeated = repeated / f.pages;
  f.far = f.visits > f.pages ? far / (f.visits - f.pages) : 0;
  f.spread = sqrt (fmax (squares / f.pages - mean * mean, 0)) / mean;
  f.life = to > from ? life / f.pages / (to - from) : 0;
  return f;
}

static void
check_pattern (const struct ummgr_pattern_facts *a,
	     const struct ummgr_pattern_facts *b)
{
  CHECK_EQ (a->pages, b->pages);
  CHECK_EQ (a->visits, b->visits);
  CHECK (fabs (a->repeated - b->repeated) < 1e-12
	 && fabs (a->far - b->far) < 1e-12
	 && fabs (a->spread - b->spread) < 1e-6
	 && fabs (a->life - b->life) < 1e-12);
  CHECK (!a->pages == (a->pattern == UMMGR_PATTERN_NONE));
}

static void
check_picture (const struct ummgr_classified *c)
{
  uint64_t sum = 0, launches = 0;
  for (int x = 0; x < UMMGR_PICTURE_COLUMNS; x++)
    {
      launches += c->launches_at[x];
      for (int y = 0; y < UMMGR_PICTURE_ROWS; y++)
	sum += c->picture[y][x];
    }
  CHECK_EQ (sum, count);
  CHECK_EQ (launches, (count + 499) / 500);
  CHECK_EQ (c->totals.launches, launches);
}

/* HPE as the replay has it.  */
static void
check_opinion (const struct ummgr_pattern_facts *f)
{
  struct ummgr_replay_case hpe = { .policy = "hpe", .part = 0.75 };
  struct ummgr_replay_options options
    = { { .device = -1 }, UMMGR_REPLAY_HITS_WALKS };
  struct ummgr_page_totals totals;
  CHECK_EQ (ummgr_replay_evict (path, &options, &hpe, 1, &totals), UMMGR_OK);
  CHECK_EQ (totals.footprint, f->pages);
  CHECK (hpe.was_full && f->category && hpe.category);
  CHECK (strcmp (f->category, hpe.category) == 0);
  CHECK (f->ratio1 == hpe.ratio1 && f->ratio2 == hpe.ratio2);
}

/* Of an object: as if there were no other.  */
static void
check_own_opinion (const struct ummgr_pattern_facts *f, uint32_t object)
{
  static struct use all[MOST];
  size_t all_count = count;
  memcpy (all, uses, sizeof all);
  count = 0;
  for (size_t i = 0; i < all_count; i++)
    if (all[i].object == object)
      uses[count++] = all[i];
  write_trace ();
  check_opinion (f);
  memcpy (uses, all, sizeof all);
  count = all_count;
}

static void
check_all (void)
{
  struct ummgr_classified *c = classified ();
  uint64_t footprint = c->facts.pages;
  for (size_t i = 0; i < count; i++)
    look_back (i, footprint);
  struct ummgr_pattern_facts all = slow_facts (-1);
  check_pattern (&c->facts, &all);
  CHECK (c->object_count <= OBJECTS);
  for (size_t n = 0; n < c->object_count; n++)
    {
      CHECK (strcmp (c->objects[n].name, "x") == 0);
      CHECK_EQ (c->objects[n].size, PAGES * PAGE);
      struct ummgr_pattern_facts own = slow_facts (c->objects[n].line);
      check_pattern (&c->objects[n].facts, &own);
    }
  check_picture (c);
  check_opinion (&c->facts);
  for (size_t n = 0; n < c->object_count; n++)
    if (c->objects[n].facts.pages > PAGES / 2)
      check_own_opinion (&c->objects[n].facts, c->objects[n].line);
  ummgr_classified_free (c);
}

static void
at_random (uint64_t seed)
{
  count = 0;
  for (int i = 0; i < 2500; i++)
    {
      uint32_t o = random_next (&seed) % OBJECTS;
      /* Again and again, from one end to the other, or few.  */
      uint32_t p = o == 0 ? random_next (&seed) % PAGES
		   : o == 1 ? i / 3 % PAGES : random_next (&seed) % 7;
      if (o != 2 || seed % 3)
	use (o, p);
    }
  check_all ();
}

/* --- the six ---------------------------------------------------------------------- */

static void
is (enum ummgr_pattern pattern)
{
  struct ummgr_classified *c = classified ();
  CHECK_EQ (c->facts.pattern, pattern);
  CHECK_EQ (c->objects[0].facts.pattern, pattern);
  ummgr_classified_free (c);
}

static void
by_hand (void)
{
  count = 0;
  for (uint32_t p = 0; p < PAGES; p++)
    use (0, p);
  is (UMMGR_PATTERN_STREAMING);
  count = 1;
  struct ummgr_classified *c = classified ();
  CHECK (c->facts.pages == 1 && c->facts.life == 0);
  ummgr_classified_free (c);
  count = PAGES;
  for (uint32_t turn = 0; turn < 5; turn++)
    for (uint32_t p = 0; p < PAGES; p++)
      use (0, p);
  is (UMMGR_PATTERN_THRASHING);
  /* The first half many times more than the rest, each time after all.  */
  count = 0;
  for (uint32_t turn = 0; turn < 8; turn++)
    for (uint32_t p = 0; p < (turn < 2 ? PAGES : PAGES * 55 / 100); p++)
      use (0, p);
  is (UMMGR_PATTERN_REPETITIVE_THRASHING);
  /* Some pages soon again.  */
  count = 0;
  for (uint32_t p = 0; p < PAGES; p++)
    {
      use (0, p);
      if (p >= 10 && p % 5 == 0)
	use (0, p - 10);
    }
  is (UMMGR_PATTERN_PART_REPETITIVE);
  /* A little more than half of them, again and again: not most.  */
  count = 0;
  for (uint32_t turn = 0; turn < 5; turn++)
    for (uint32_t p = 0; p < (turn ? PAGES * 55 / 100 : PAGES); p++)
      use (0, p);
  is (UMMGR_PATTERN_PART_REPETITIVE);
  /* All of them soon again, and once more much later.  */
  count = 0;
  for (uint32_t turn = 0; turn < 24; turn++)
    for (uint32_t p = 0; p < PAGES / 3; p++)
      use (0, turn / 4 % 3 * (PAGES / 3) + p);
  is (UMMGR_PATTERN_MOST_REPETITIVE);
  /* Eight regions, each three times and then no more.  */
  count = 0;
  for (uint32_t region = 0; region < 8; region++)
    for (uint32_t turn = 0; turn < 3; turn++)
      for (uint32_t p = 0; p < PAGES / 8; p++)
	use (0, region * PAGES / 8 + p);
  is (UMMGR_PATTERN_REGION_MOVING);
}

/* Nothing to say, and said so.  */
static void
nothing (void)
{
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_classified *c = (void *) 1;
  count = 0;
  write_trace ();
  CHECK_EQ (ummgr_classify (path, &options, &c), UMMGR_ERR_INVALID);
  CHECK (!c);
  c = (void *) 1;
  CHECK_EQ (ummgr_classify ("no-such-file.ummt", &options, &c), UMMGR_ERR_IO);
  CHECK (!c);
}

/* A program with many small maps: what one more costs depends on its own size, and
   so does what the limit on memory takes it for.  */
static void
many_objects (void)
{
  enum { MANY = 20000, MOST_KIB = 600 << 10 };
  struct ummgr_page_options options = { .device = -1 };
  struct ummgr_classified *c;
  struct rusage before, after;
  write_many (MANY);
  CHECK (getrusage (RUSAGE_SELF, &before) == 0);
  CHECK_EQ (ummgr_classify (path, &options, &c), UMMGR_OK);
  CHECK (getrusage (RUSAGE_SELF, &after) == 0);
  CHECK (after.ru_maxrss - before.ru_maxrss < MOST_KIB);
  CHECK_EQ (c->object_count, MANY);
  CHECK_EQ (c->facts.pages, 3 * MANY);
  for (size_t i = 0; i < MANY; i++)
    {
      CHECK_EQ (c->objects[i].line, i);
      CHECK_EQ (c->objects[i].facts.pages, 3);
      /* Two of its pages fit.  */
      CHECK (c->objects[i].facts.category);
    }
  ummgr_classified_free (c);
}

int
main (void)
{
  many_objects ();
  for (uint64_t seed = 1; seed <= 5; seed++)
    at_random (seed * 7919);
  by_hand ();
  nothing ();
  remove (path);
  return 0;
}
