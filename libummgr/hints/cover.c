/* How many bytes of an object references touch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Boxes with one stride in common are rectangles in a plane whose rows are that
   long, and so are runs; the area of their union is exact.  Other strides are
   unrolled while that makes few rectangles; beyond that boxes count as
   independent of one another.  Holds no state.  */

#include "config.h"
#include "hints/cover.h"

#include <math.h>
#include <stdlib.h>

/* Rectangles of one union; its cost is their square.  */
enum { RECTS_MAX = 192 };

/* Bytes over which a dimension goes at most, and from which a box begins: no sum
   of a box's then wraps.  */
#define REACH_MAX (INT64_C (1) << 58)

bool
ummgr_box_add (struct ummgr_box *box, int64_t stride, uint64_t count)
{
  if (stride == 0 || count <= 1)
    return true;
  uint64_t step = stride < 0 ? -(uint64_t) stride : (uint64_t) stride;
  if (box->dims == UMMGR_BOX_DIMS || count > REACH_MAX / step
      || box->base > REACH_MAX || box->base < -8 * REACH_MAX)
    return false;
  if (stride < 0)
    box->base -= (int64_t) (step * (count - 1));
  unsigned i = box->dims++;
  for (; i > 0 && box->stride[i - 1] > step; i--)
    {
      box->stride[i] = box->stride[i - 1];
      box->count[i] = box->count[i - 1];
    }
  box->stride[i] = step;
  box->count[i] = count;
  return true;
}

void
ummgr_box_end (struct ummgr_box *box)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < box->dims; i++)
    if (kept == 0 && box->stride[i] <= box->run)
      box->run += box->stride[i] * (box->count[i] - 1);
    else
      {
	/* A stride once more, or one that goes on where the last ended.  */
	if (kept && box->stride[i] % box->stride[kept - 1] == 0
	    && box->stride[i] / box->stride[kept - 1] <= box->count[kept - 1])
	  {
	    box->count[kept - 1] += box->stride[i] / box->stride[kept - 1]
				    * (box->count[i] - 1);
	    continue;
	  }
	box->stride[kept] = box->stride[i];
	box->count[kept++] = box->count[i];
      }
  box->dims = kept;
}

double
ummgr_box_bytes (const struct ummgr_box *box)
{
  double bytes = box->run;
  for (unsigned i = 0; i < box->dims; i++)
    bytes *= box->count[i];
  return bytes;
}

int64_t
ummgr_box_limit (const struct ummgr_box *box)
{
  uint64_t end = (uint64_t) box->base + box->run;
  for (unsigned i = 0; i < box->dims; i++)
    end += box->stride[i] * (box->count[i] - 1);
  return end;
}

/* Rows [R0, R1) and columns [C0, C1).  */
struct rect
{
  int64_t r0, r1, c0, c1;
};

struct plane
{
  int64_t width;
  size_t count;
  struct rect rects[RECTS_MAX];
};

static bool
rect_add (struct plane *p, int64_t r0, int64_t r1, int64_t c0, int64_t c1)
{
  if (r0 < 0)
    r0 = 0;
  if (r0 >= r1 || c0 >= c1)
    return true;
  if (p->count == RECTS_MAX)
    return false;
  p->rects[p->count++] = (struct rect) { r0, r1, c0, c1 };
  return true;
}

static int64_t
floor_div (int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* [LO, HI).  */
static bool
run_add (struct plane *p, int64_t lo, int64_t hi)
{
  if (lo < 0)
    lo = 0;
  if (lo >= hi)
    return true;
  int64_t w = p->width, first = lo / w, last = (hi - 1) / w;
  if (first == last)
    return rect_add (p, first, first + 1, lo % w, (hi - 1) % w + 1);
  return rect_add (p, first, first + 1, lo % w, w)
	 && rect_add (p, first + 1, last, 0, w)
	 && rect_add (p, last, last + 1, 0, (hi - 1) % w + 1);
}

/* A run of the plane's stride.  */
static bool
rows_add (struct plane *p, int64_t base, uint64_t run, uint64_t rows)
{
  int64_t row = floor_div (base, p->width);
  int64_t column = base - row * p->width, end = column + (int64_t) run;
  if (end <= p->width)
    return rect_add (p, row, row + (int64_t) rows, column, end);
  return rect_add (p, row, row + (int64_t) rows, column, p->width)
	 && rect_add (p, row + 1, row + 1 + (int64_t) rows, 0, end - p->width);
}

/* BOX's dimensions below DIMS, from BASE on.  */
static bool
box_add (struct plane *p, const struct ummgr_box *box, unsigned dims,
	 int64_t base)
{
  if (dims == 0)
    return run_add (p, base, base + (int64_t) box->run);
  uint64_t stride = box->stride[dims - 1], count = box->count[dims - 1];
  if (dims == 1 && stride == (uint64_t) p->width)
    return rows_add (p, base, box->run, count);
  if (count > RECTS_MAX)
    return false;
  for (uint64_t i = 0; i < count; i++)
    if (!box_add (p, box, dims - 1, base + (int64_t) (i * stride)))
      return false;
  return true;
}

static int
compare (const void *a, const void *b)
{
  int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;
  return (x > y) - (x < y);
}

/* The area of the rows of [C0, C1) that are in one of P's.  RECTS are sorted by
   their first row.  */
static double
column_area (const struct plane *p, int64_t c0, int64_t c1)
{
  int64_t covered = 0, end = INT64_MIN;
  for (size_t i = 0; i < p->count; i++)
    {
      const struct rect *r = &p->rects[i];
      if (r->c0 > c0 || r->c1 < c1)
	continue;
      int64_t from = r->r0 > end ? r->r0 : end;
      if (r->r1 > from)
	{
	  covered += r->r1 - from;
	  end = r->r1;
	}
    }
  return (double) covered * (double) (c1 - c0);
}

static int
compare_rects (const void *a, const void *b)
{
  return compare (&((const struct rect *) a)->r0,
		  &((const struct rect *) b)->r0);
}

static double
plane_area (struct plane *p)
{
  int64_t columns[2 * RECTS_MAX];
  size_t n = 0;
  for (size_t i = 0; i < p->count; i++)
    {
      columns[n++] = p->rects[i].c0;
      columns[n++] = p->rects[i].c1;
    }
  qsort (columns, n, sizeof *columns, compare);
  qsort (p->rects, p->count, sizeof *p->rects, compare_rects);
  double area = 0;
  for (size_t i = 0; i + 1 < n; i++)
    if (columns[i] != columns[i + 1])
      area += column_area (p, columns[i], columns[i + 1]);
  return area;
}

/* So far no object reaches, and sums of a few such numbers are numbers, too.  */
#define FAR 0x1p60

/* May BOX be laid out?  Tables made with intent can say anything.  */
static bool
box_is_near (const struct ummgr_box *box)
{
  double end = fabs ((double) box->base) + (double) box->run;
  for (unsigned i = 0; i < box->dims; i++)
    end += (double) box->stride[i] * (double) box->count[i];
  return end < FAR;
}

/* The stride that the most bytes have.  */
static int64_t
width_choose (const struct ummgr_box *boxes, size_t count, uint64_t size)
{
  double most = 0;
  int64_t width = size ? (int64_t) size : 1;
  for (size_t i = 0; i < count; i++)
    if (boxes[i].dims && ummgr_box_bytes (&boxes[i]) > most
	&& box_is_near (&boxes[i]))
      {
	most = ummgr_box_bytes (&boxes[i]);
	width = boxes[i].stride[0];
      }
  return width;
}

double
ummgr_boxes_cover (const struct ummgr_box *boxes, size_t count, uint64_t size,
		   double least, bool *exact)
{
  struct plane p;
  if ((double) size >= FAR)
    {
      *exact = false;
      return (double) size;
    }
  p.count = 0;
  p.width = width_choose (boxes, count, size);
  int64_t limit = size;
  double left = 1;
  for (size_t i = 0; i < count; i++)
    {
      const struct ummgr_box *box = &boxes[i];
      if (box->weight < least)
	continue;
      /* What lies beyond the object is filled, and taken off again.  */
      bool near = box_is_near (box);
      int64_t end = near ? ummgr_box_limit (box) : 0;
      limit = end > limit ? end : limit;
      size_t before = p.count;
      /* Three stay for that.  */
      if (!near || !box_add (&p, box, box->dims, box->base)
	  || p.count > RECTS_MAX - 3)
	{
	  p.count = before;
	  *exact = false;
	  double part = ummgr_box_bytes (box) / (double) size;
	  left *= 1 - (part < 1 ? part : 1);
	}
    }
  run_add (&p, (int64_t) size, limit + p.width);
  double area = plane_area (&p);
  p.count = 0;
  run_add (&p, (int64_t) size, limit + p.width);
  double cover = area - plane_area (&p);
  cover += (1 - left) * ((double) size - cover);
  return cover < (double) size ? cover : (double) size;
}
