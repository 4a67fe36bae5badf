/* CLOCK-Pro against a version with one array for the clock and hands that
   step over everything: a hand that stops at the wrong unit, a test period
   that ends wrongly, or a count that is off shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"

enum status { OFF, HOT, COLD, GHOST };

static enum status status[DRIVE_UNITS];
static bool used[DRIVE_UNITS], test[DRIVE_UNITS];
static uint32_t ring[DRIVE_UNITS]; /* [0] is where HANDhot points.  */
static int length;
static uint32_t hand_cold, hand_test; /* Units.  */
static int m, m_c;
static bool adaptive;

static int
count (enum status s)
{
  int n = 0;
  for (int i = 0; i < length; i++)
    n += status[ring[i]] == s;
  return n;
}

static int
where (uint32_t unit)
{
  int i = 0;
  while (ring[i] != unit)
    i++;
  return i;
}

static bool
stops_cold (uint32_t u)
{
  return status[u] == COLD;
}

static bool
stops_test (uint32_t u)
{
  return status[u] == COLD || status[u] == GHOST;
}

/* From UNIT on, the next at which a hand stops; NONE: only UNIT, or none.  */
static uint32_t
next (uint32_t unit, bool (*stops) (uint32_t u))
{
  int at = where (unit);
  for (int i = 1; i < length; i++)
    if (stops (ring[(at + i) % length]))
      return ring[(at + i) % length];
  return NONE;
}

static void
leave_hand (uint32_t *hand, uint32_t unit, bool (*stops) (uint32_t u))
{
  if (*hand == unit)
    *hand = next (unit, stops);
}

static void
erase (uint32_t unit)
{
  leave_hand (&hand_cold, unit, stops_cold);
  leave_hand (&hand_test, unit, stops_test);
  int at = where (unit);
  memmove (&ring[at], &ring[at + 1], (length - at - 1) * sizeof *ring);
  length--;
  status[unit] = OFF;
  used[unit] = test[unit] = false;
}

static void
append (uint32_t unit, enum status s, bool in_test)
{
  ring[length++] = unit;
  status[unit] = s;
  test[unit] = in_test;
  used[unit] = false;
  if (s == COLD && hand_cold == NONE)
    hand_cold = unit;
  if (s == COLD && hand_test == NONE)
    hand_test = unit;
}

static void
rotate (void)
{
  uint32_t first = ring[0];
  memmove (&ring[0], &ring[1], (length - 1) * sizeof *ring);
  ring[length - 1] = first;
}

static int
m_h (void)
{
  return m_c < m ? m - m_c : m > 1;
}

static void
finish_test (uint32_t unit)
{
  if (adaptive && test[unit] && !used[unit] && m_c > 1)
    m_c--;
  test[unit] = false;
  if (status[unit] == GHOST)
    erase (unit);
}

static void
hand_hot (void)
{
  bool demoted = false;
  while (count (HOT))
    {
      uint32_t u = ring[0];
      if (status[u] != HOT)
	{
	  bool ghost = status[u] == GHOST;
	  finish_test (u);
	  if (!ghost)
	    rotate ();
	}
      else if (demoted)
	return;
      else if (used[u])
	{
	  used[u] = false;
	  rotate ();
	}
      else
	{
	  status[u] = COLD;
	  rotate ();
	  if (hand_cold == NONE)
	    hand_cold = u;
	  if (hand_test == NONE)
	    hand_test = u;
	  demoted = true;
	}
    }
}

static void
hands_test (void)
{
  while (count (GHOST) > m)
    {
      uint32_t u = hand_test, on = next (u, stops_test);
      hand_test = on == NONE ? u : on;
      finish_test (u);
    }
}

static void
promote (uint32_t unit)
{
  erase (unit);
  if (adaptive && m_c + 1 < m)
    m_c++;
  append (unit, HOT, false);
  while (count (HOT) > m_h ())
    hand_hot ();
}

static void
slow_touch (uint32_t unit)
{
  used[unit] = true;
}

static void
slow_insert (uint32_t unit)
{
  if (status[unit] == HOT || status[unit] == COLD)
    {
      used[unit] = true;
      return;
    }
  if (status[unit] == GHOST)
    promote (unit);
  else
    append (unit, COLD, true);
  hands_test ();
}

static void
slow_prefetch (uint32_t unit)
{
  if (status[unit] == GHOST)
    erase (unit);
  append (unit, COLD, false);
}

static void
slow_evict (uint32_t unit)
{
  if (!test[unit])
    {
      erase (unit);
      return;
    }
  leave_hand (&hand_cold, unit, stops_cold);
  status[unit] = GHOST;
  used[unit] = false;
  hands_test ();
}

static void
slow_forget (uint32_t unit)
{
  if (status[unit] == GHOST)
    erase (unit);
}

static uint32_t
slow_victim (uint32_t pin)
{
  bool first = m == 0;
  m = count (HOT) + count (COLD);
  if (first)
    for (int i = 0; i < m_h (); i++)
      {
	leave_hand (&hand_cold, ring[i], stops_cold);
	leave_hand (&hand_test, ring[i], stops_test);
	status[ring[i]] = HOT;
	test[ring[i]] = false;
      }
  int passed = 0;
  for (;;)
    {
      if (passed >= count (COLD))
	{
	  if (!count (HOT))
	    return NONE;
	  hand_hot ();
	  passed = 0;
	}
      uint32_t u = hand_cold;
      if (u == pin)
	{
	  hand_cold = next (u, stops_cold) == NONE ? u : next (u, stops_cold);
	  passed++;
	  continue;
	}
      if (!used[u])
	return u;
      passed = 0;
      if (test[u])
	promote (u);
      else
	{
	  erase (u);
	  append (u, COLD, true);
	}
    }
}

static const struct slow slow
  = { slow_insert, slow_prefetch, slow_touch, slow_evict,
      erase,	   slow_forget,	  slow_victim };

static void
compare (struct drive *d, uint32_t cold, bool adapts)
{
  struct ummgr_clockpro_params params = { cold, adapts };
  memset (status, 0, sizeof status);
  length = m = 0;
  m_c = cold;
  adaptive = adapts;
  hand_cold = hand_test = NONE;
  drive_run (d, &ummgr_paging_clockpro,
	     ummgr_paging_clockpro_create (d->units, &params), &slow);
}

/* Memory of 4, m_c = 1.  0 1 2 3 fill it: 0 1 2 count as hot, 3 is cold.  */
static void
by_hand (void)
{
  const struct ummgr_paging_ops *ops = &ummgr_paging_clockpro;
  struct ummgr_clockpro_params params = { 1, false };
  struct ummgr_paging *p = ummgr_paging_clockpro_create (6, &params);
  for (uint32_t u = 0; u < 4; u++)
    ops->insert (p, u);
  ops->touch (p, 0);
  CHECK_EQ (ops->victim (p, NULL, NULL), 3);
  ops->remove (p, 3);		/* Remembered, in its test period.  */
  ops->insert (p, 4);		/* Cold.  */
  CHECK_EQ (ops->victim (p, NULL, NULL), 4);
  ops->remove (p, 4);
  /* Back within its test period: hot.  HANDhot spares 0, which was used,
     and makes 1 cold, the only one.  */
  ops->insert (p, 3);
  CHECK_EQ (ops->victim (p, NULL, NULL), 1);
  ops->remove (p, 1);
  /* Hot are 2, 0 and 3.  4's test period goes on: HANDhot stopped at 2.  A
     demoted unit has none, so 1 is not remembered and comes cold.  */
  ops->insert (p, 1);
  CHECK_EQ (ops->victim (p, NULL, NULL), 1);
  ops->remove (p, 1);
  ops->insert (p, 4);		/* Hot; 2 turns cold.  */
  CHECK_EQ (ops->victim (p, NULL, NULL), 2);
  ops->destroy (p);
}

int
main (void)
{
  CHECK (ummgr_paging_find ("clockpro") == &ummgr_paging_clockpro);
  CHECK_EQ (ummgr_clockpro_defaults ().cold, 128);
  CHECK (!ummgr_clockpro_defaults ().adaptive);
  by_hand ();
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    for (int kind = 0; kind < 6; kind++)
      {
	static const uint32_t colds[] = { 5, 12, 1, 100, 5, 39 };
	struct drive d
	  = { 60, 40, pattern, 25000, 7 + pattern, kind ? 15 : 0, 0, 0, 0 };
	compare (&d, colds[kind], kind >= 4);
	/* More evicted units than memory remembers.  */
	d = (struct drive) { 100, 20, pattern, 5000, kind, kind * 9, 0, 0, 0 };
	compare (&d, colds[kind], kind >= 4);
      }
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    {
      struct drive d = { 300, 200, pattern, 6000, pattern, 30, 0, 0, 0 };
      compare (&d, 128, false);
      d = (struct drive) { 3, 1, pattern, 3000, pattern, 9, 0, 0, 0 };
      compare (&d, 128, pattern & 1);
    }
  return 0;
}
