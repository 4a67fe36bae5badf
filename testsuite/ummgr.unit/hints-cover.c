/* The union of boxes, against marking every byte: each byte counts once, what
   lies outside the object not at all; and where it is not called an estimate it
   is right to the byte.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "hints/cover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint32_t
random_below (uint32_t n)
{
  return (random64 (&state) >> 16) % n;
}

enum { SIZE = 4000 };
static unsigned char marks[SIZE];

static void
mark (const struct ummgr_box *box, unsigned dims, int64_t base)
{
  if (dims == 0)
    {
      for (uint64_t i = 0; i < box->run; i++)
	if (base + (int64_t) i >= 0 && base + (int64_t) i < SIZE)
	  marks[base + i] = 1;
      return;
    }
  for (uint64_t i = 0; i < box->count[dims - 1]; i++)
    mark (box, dims - 1, base + (int64_t) (i * box->stride[dims - 1]));
}

static unsigned exact_count;

static void
check_random (void)
{
  static const int strides[] = { 4, -4, 8, 40, 64, -64, 100, 400, 44, 0 };
  struct ummgr_box boxes[4];
  size_t count = 1 + random_below (4);
  memset (marks, 0, sizeof marks);
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_box raw = { .run = 4u << random_below (2) };
      raw.base = (int64_t) random_below (SIZE + 400) - 200;
      unsigned dims = random_below (4);
      boxes[i] = (struct ummgr_box) { .run = raw.run, .weight = 1 };
      boxes[i].base = raw.base;
      for (unsigned d = 0; d < dims; d++)
	{
	  int stride = strides[random_below (10)];
	  unsigned n = 1 + random_below (12);
	  CHECK (ummgr_box_add (&boxes[i], stride, n));
	  /* As it was added, for the slow way.  */
	  raw.stride[raw.dims] = (uint64_t) (int64_t) stride;
	  raw.count[raw.dims++] = n;
	}
      ummgr_box_end (&boxes[i]);
      mark (&raw, raw.dims, raw.base);
    }
  double expected = 0;
  for (int i = 0; i < SIZE; i++)
    expected += marks[i];
  bool exact = true;
  double got = ummgr_boxes_cover (boxes, count, SIZE, 0, &exact);
  CHECK (got >= 0 && got <= SIZE);
  if (exact)
    {
      exact_count++;
      CHECK (got == expected);
    }
}

int
main (void)
{
  for (int i = 0; i < 20000; i++)
    check_random ();
  CHECK (exact_count > 10000);

  /* A million rows of a thousand: not counted one by one.  */
  struct ummgr_box box = { .run = 4, .weight = 1 };
  CHECK (ummgr_box_add (&box, 4, 1000) && ummgr_box_add (&box, 8000, 1000000));
  ummgr_box_end (&box);
  bool exact = true;
  CHECK (ummgr_boxes_cover (&box, 1, 8000000000u, 0, &exact) == 4e9);
  CHECK (exact);

  /* What no memory holds is no box: sums would wrap, and a wrapped one may be the
     size of an object.  */
  box = (struct ummgr_box) { .run = 4, .weight = 1 };
  CHECK (!ummgr_box_add (&box, 1 << 30, UINT64_C (1) << 34)
	 && !ummgr_box_add (&box, -(INT64_C (1) << 42), UINT64_C (1) << 47)
	 && !ummgr_box_add (&box, INT64_MIN, 2));
  CHECK (ummgr_box_add (&box, -(INT64_C (1) << 40), 1 << 10)
	 && box.base < 0);
  return 0;
}
