/* Would break: what is said of copies: words unused, overwritten, unchanged,
   where later copies replace parts of earlier ones; equal bytes with other
   hashes; copies of objects that nobody announced; copies that move; sampled
   counts.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"

#include <stdlib.h>

#define WORDS 4000
#define COPIES 600

static uint64_t rate;
static char *host, *device;

struct outcome
{
  uint64_t words, unused, overwritten, unchanged;
  bool in, told;
  size_t lo, size;
};

static struct outcome outcomes[COPIES + 1];
static int owner[WORDS];	/* Copy that brought the word, or 0.  */
static uint8_t states[WORDS];	/* On the device.  */
static int copies, absents, presents;
static bool hashes_differ;

static bool
is_sampled (size_t word)
{
  uint64_t address = (uintptr_t) device + 4 * word;
  return rate == 1 || (address >> UMMGR_TRACE_SAMPLE_SHIFT)
    * UMMGR_TRACE_SAMPLE_FACTOR >> 62 == 0;
}

/* WORD gets other contents.  */
static void
settle (size_t word)
{
  struct outcome *o = &outcomes[owner[word]];
  if (owner[word] && is_sampled (word))
    {
      bool unread = states[word] & UMMGR_SHADOW_UNREAD;
      bool gpu = states[word] & UMMGR_SHADOW_LAST_GPU;
      o->words++;
      o->unused += unread && !gpu;
      o->overwritten += unread && gpu;
    }
  owner[word] = 0;
}

static void
copy (bool in, size_t lo, size_t n)
{
  struct outcome *o = &outcomes[++copies];
  o->in = in;
  o->lo = 4 * lo;
  o->size = 4 * n;
  if (in)
    ummgr_record_copy_in (host + 4 * lo, (uintptr_t) device + 4 * lo, 4 * n, 0);
  else
    ummgr_record_copy_out (host + 4 * lo, (uintptr_t) device + 4 * lo, 4 * n,
			   0);
  for (size_t w = lo; w < lo + n; w++)
    if (in)
      {
	settle (w);
	owner[w] = copies;
	if (is_sampled (w))
	  states[w] = test_model (states[w], false, 2) | UMMGR_SHADOW_UNREAD;
      }
    else
      o->unchanged += is_sampled (w) && !(states[w] & UMMGR_SHADOW_LAST_GPU);
}

static void
use (size_t lo, size_t n, unsigned kind)
{
  struct ummgr_trace_thread *t = test_enter (true);
  rt->range (t, (uintptr_t) device + 4 * lo, 4 * n, kind);
  for (size_t w = lo; w < lo + n; w++)
    if (is_sampled (w))
      states[w] = test_model (states[w], true, kind);
}

static void
take (const struct ummgr_trace_record *r, void *data)
{
  static uint64_t last_hash;
  (void) data;
  if (r->kind == UMMGR_TRACE_PRESENT)
    {
      CHECK_EQ (r->u.present.size, 4 * WORDS);
      CHECK (strcmp (r->u.present.file, "c.c") == 0);
      presents++;
    }
  if (r->kind == UMMGR_TRACE_ABSENT)
    absents++;
  if (r->kind == UMMGR_TRACE_COPY)
    {
      const struct ummgr_trace_move *m = &r->u.move;
      struct outcome *o = &outcomes[m->copy];
      CHECK_EQ (m->offset, o->lo);
      CHECK_EQ (m->size, o->size);
      CHECK_EQ (m->from, o->in ? UMMGR_TRACE_HOST : 0);
      CHECK_EQ (m->unchanged, o->unchanged);
      CHECK_EQ (m->line, 7);
      if (m->size == 4 * WORDS && m->hash)
	{
	  hashes_differ |= last_hash && last_hash != m->hash;
	  last_hash = m->hash;
	}
    }
  if (r->kind == UMMGR_TRACE_OUTCOME)
    {
      struct outcome *o = &outcomes[r->u.outcome.copy];
      CHECK (o->in && !o->told);
      o->told = true;
      CHECK_EQ (r->u.outcome.words, o->words);
      CHECK_EQ (r->u.outcome.unused, o->unused);
      CHECK_EQ (r->u.outcome.overwritten, o->overwritten);
    }
}

static void
test (void)
{
  static const struct ummgr_trace_site site = { "", "c.c", "", 7, 0 };
  test_begin (rate, "page", "region");
  host = aligned_alloc (4096, 8 * 4096);
  char *first = aligned_alloc (4096, 8 * 4096);
  device = first;
  memset (host, 1, 4 * WORDS);
  test_enter (false);
  rt->construct (&site);
  ummgr_record_present (host, (uintptr_t) device, 4 * WORDS, 0, false);
  copy (true, 0, WORDS);
  copy (true, 0, WORDS);
  while (copies < COPIES)
    {
      size_t lo = test_random () % WORDS, n = 1 + test_random () % 300;
      if (lo + n > WORDS)
	n = WORDS - lo;
      switch (test_random () % 4)
	{
	case 0:
	  copy (true, lo, n);
	  break;
	case 1:
	  copy (false, lo, n);
	  break;
	default:
	  use (lo, n, 1 + test_random () % 3);
	}
    }
  for (size_t w = 0; w < WORDS; w++)
    settle (w);
  ummgr_record_absent ((uintptr_t) device, 4 * WORDS, 0);
  test_read (take, NULL);
  for (int i = 1; i <= COPIES; i++)
    CHECK_EQ (outcomes[i].told, outcomes[i].in);
  CHECK_EQ (presents, 1);
  CHECK_EQ (absents, 1);
  CHECK (!hashes_differ);
}

/* Device memory that is moved keeps what is known of its words.  */
static void
test_moved (void)
{
  static const struct ummgr_trace_site site = { "", "c.c", "", 7, 0 };
  test_begin (1, "page", "mark");
  host = aligned_alloc (4096, 8 * 4096);
  device = aligned_alloc (4096, 8 * 4096);
  char *later = aligned_alloc (4096, 8 * 4096);
  memset (host, 1, 4 * WORDS);
  test_enter (false);
  rt->construct (&site);
  ummgr_record_present (host, (uintptr_t) device, 4 * WORDS, 0, false);
  copy (true, 0, WORDS);
  use (0, 100, 1);
  ummgr_record_moved ((uintptr_t) device, (uintptr_t) later, 0);
  device = later;
  use (100, 100, 2);
  for (size_t w = 0; w < WORDS; w++)
    settle (w);
  CHECK_EQ (outcomes[1].unused, WORDS - 200);
  CHECK_EQ (outcomes[1].overwritten, 100);
  test_read (take, NULL);
  CHECK (outcomes[1].told);
}

int
main (void)
{
  rate = 1;
  test_run (test);
  rate = 4;
  test_run (test);
  rate = 1;
  test_run (test_moved);
  return 0;
}
