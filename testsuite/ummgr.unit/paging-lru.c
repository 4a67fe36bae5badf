/* LRU against a naive list: a wrong victim, or a unit lost when the instance
   grows, shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "paging/paging.h"

#include <string.h>

#define MOST 200

static uint32_t order[MOST];	/* Oldest first.  */
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
  return 0;
}
