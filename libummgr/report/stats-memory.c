/* What devices held over time, bounded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the samples.  Once there are too many, of two neighbours the one with more bytes
   stays, and twice as many occasions pass until the next is taken.  */

#include "config.h"
#include "report/collected.h"

#include <stdlib.h>
#include <string.h>

enum
{
  OBJECTS_EACH = 64,		/* Looked at on one occasion, on average.  */
  AT_ONCE = 4096		/* Saved up.  */
};

bool
ummgr_stats_memory_wanted (void)
{
  const struct ummgr_stats *s = &ummgr_stats;
  return s->started && (s->options.stats || s->options.report) && !ummgr_stats_brief ();
}

bool
ummgr_stats_memory_due (int device, size_t objects)
{
  struct ummgr_stats *s = &ummgr_stats;
  if (device < 0 || device >= UMMGR_STATS_DEVICES || !ummgr_stats_memory_wanted ())
    return false;
  pthread_mutex_lock (&s->lock);
  struct ummgr_stats_memory *m = &s->devices[device].memory;
  m->credit += OBJECTS_EACH;
  bool due = ++m->skipped >= m->stride && m->credit >= objects;
  if (due)
    m->credit = m->credit - objects < AT_ONCE ? m->credit - objects : AT_ONCE;
  pthread_mutex_unlock (&s->lock);
  return due;
}

void
ummgr_stats_holdings_add (struct ummgr_stats_holdings *h, uint64_t object, uint64_t bytes)
{
  size_t i = h->count < UMMGR_STATS_HELD ? h->count++ : UMMGR_STATS_HELD;
  if (i == UMMGR_STATS_HELD && h->held[--i].bytes >= bytes)
    return;
  for (; i && h->held[i - 1].bytes < bytes; i--)
    h->held[i] = h->held[i - 1];
  h->held[i] = (struct ummgr_stats_held) { object, bytes };
}

static bool
same (const struct ummgr_stats_holdings *a, const struct ummgr_stats_holdings *b)
{
  return a->used == b->used && a->count == b->count
	 && memcmp (a->held, b->held, a->count * sizeof *a->held) == 0;
}

static void
halve (struct ummgr_stats_memory *m)
{
  size_t n = 0;
  for (size_t i = 0; i < m->count; i += 2, n++)
    {
      bool later = i + 1 < m->count
		   && m->samples[i + 1].holdings.used > m->samples[i].holdings.used;
      m->samples[n] = m->samples[i + later];
    }
  m->count = n;
  m->stride = m->stride ? 2 * m->stride : 2;
}

void
ummgr_stats_memory_add (struct ummgr_stats_memory *m,
			const struct ummgr_stats_sample *sample)
{
  size_t n = m->count;
  m->skipped = 0;
  if (!m->limit)
    return;
  /* Of what stays the same the first and the last time are kept.  */
  if (n > 1 && same (&m->samples[n - 1].holdings, &sample->holdings)
      && same (&m->samples[n - 2].holdings, &sample->holdings))
    {
      m->samples[n - 1].to = sample->to;
      return;
    }
  if (n && n == m->limit)
    halve (m);
  if (m->count == m->capacity)
    {
      size_t capacity = m->capacity ? 2 * m->capacity : 16;
      capacity = capacity < m->limit ? capacity : m->limit;
      struct ummgr_stats_sample *grown = realloc (m->samples, capacity * sizeof *grown);
      if (!grown)
	return;			/* The chart misses one.  */
      m->samples = grown;
      m->capacity = capacity;
    }
  m->samples[m->count++] = *sample;
}

void
ummgr_stats_memory_note (int device, const struct ummgr_stats_holdings *holdings, bool during)
{
  struct ummgr_stats *s = &ummgr_stats;
  pthread_mutex_lock (&s->lock);
  struct ummgr_stats_device *d = ummgr_stats_settle (device);
  if (d)
    {
      struct ummgr_stats_moment now = ummgr_stats_now (d);
      struct ummgr_stats_sample sample
	= { during && d->newest ? d->newest->from : now, now, *holdings };
      ummgr_stats_memory_add (&d->memory, &sample);
    }
  pthread_mutex_unlock (&s->lock);
}

void
ummgr_stats_memory_free (struct ummgr_stats_memory *m)
{
  free (m->samples);
  memset (m, 0, sizeof *m);
}
