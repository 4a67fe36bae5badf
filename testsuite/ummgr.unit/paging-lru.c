/* LRU against a naive list, with calls of all kinds at random, and on sequences:
   a wrong victim, or a unit lost when the instance grows, shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"

#define MOST 200

static uint32_t order[DRIVE_UNITS];	/* Oldest first.  */
static int length;

static void
take_out (uint32_t unit)
{
  for (int i = 0; i < length; i++)
    if (order[i] == unit)
      {
	memmove (&order[i], &order[i + 1],
		 (length - i - 1) * sizeof *order);
	length--;
	return;
      }
}

static bool
there (uint32_t unit)
{
  for (int i = 0; i < length; i++)
    if (order[i] == unit)
      return true;
  return false;
}

static bool
odd (void *data, uint32_t unit)
{
  CHECK (data == order);
  return unit & 1;
}

static uint32_t
first_even (void)
{
  for (int i = 0; i < length; i++)
    if (!(order[i] & 1))
      return order[i];
  return UMMGR_PAGING_NONE;
}

/* --- sequences ----------------------------------------------------------- */

static void
slow_insert (uint32_t unit)
{
  take_out (unit);
  order[length++] = unit;
}

static void
slow_nothing (uint32_t unit)
{
  (void) unit;
}

static uint32_t
slow_victim (uint32_t pin)
{
  return order[order[0] == pin];
}

static const struct slow slow
  = { slow_insert, slow_insert,	 slow_insert, take_out,
      take_out,	   slow_nothing, slow_victim, NULL };

static void
sequences (const struct ummgr_paging_ops *ops)
{
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    for (uint32_t capacity = 1; capacity <= 150; capacity += 50)
      {
	struct drive d = { 150, capacity, pattern, 60000, 3 + pattern, 10 };
	length = 0;
	drive_run (&d, ops, ops->create (150), &slow);
      }
}

int
main (void)
{
  const struct ummgr_paging_ops *ops = ummgr_paging_find ("lru");
  CHECK (ops && strcmp (ops->name, "lru") == 0 && ops->description);
  CHECK (!ummgr_paging_find ("nonsense") && !ummgr_paging_find (""));
  CHECK (ummgr_paging_all[0]);
  uint32_t units = 3;
  struct ummgr_paging *p = ops->create (units);
  CHECK (p);
  CHECK_EQ (ops->victim (p, NULL, NULL), UMMGR_PAGING_NONE);
  srand (1);
  for (int step = 0; step < 200000; step++)
    {
      uint32_t u = (uint32_t) rand () % units;
      switch (rand () % 8)
	{
	case 0:
	case 1:
	  ops->insert (p, u);
	  take_out (u);
	  order[length++] = u;
	  break;
	case 2:
	case 3:
	  ops->touch (p, u);
	  if (there (u))
	    {
	      take_out (u);
	      order[length++] = u;
	    }
	  break;
	case 4:
	  ops->remove (p, u);
	  take_out (u);
	  break;
	case 5:
	  CHECK_EQ (ops->victim (p, odd, order), first_even ());
	  break;
	case 6:
	  if (step % 100 == 0 && units < MOST)
	    CHECK (ops->grow (p, ++units));
	  break;
	default:
	  CHECK_EQ (ops->victim (p, NULL, NULL),
		    length ? order[0] : UMMGR_PAGING_NONE);
	  if (length && rand () % 2)
	    {
	      ops->remove (p, order[0]);
	      take_out (order[0]);
	    }
	}
    }
  CHECK (ops->grow (p, 2));	/* Never shrinks.  */
  ops->destroy (p);
  ops->destroy (NULL);
  sequences (ops);
  return 0;
}
