/* How objects are to lie for a launch is kept from the last one: an input that is not compared, so that
   a launch lies as the last one wanted it.  Random launches of three regions, of which each has in one
   step another size, value, memory, offset, object or range, or none, against what footprints and parts
   say then.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "split/wants.h"
#include "hints/footprint.h"
#include "check.h"
#include "random.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint64_t
below (uint64_t n)
{
  return random64 (&state) % n;
}

/* 0 and 1 are arrays; 2 is a number, 3 a pointer to one; 4 a number that no argument depends on; 5
   and 6 are LO and HI.  Behind them is what a pointer in memory leads to.  */
enum { A, B, NUMBER, MEMORY, OTHER, LO, ARGS = LO + 2, MEMBER = ARGS, OBJECTS = 3, GPUS = 4 };

#define ARG(I) UMMGR_CODE_ARG, I, 0

/* LO times the number's value; HI - LO; the size of B; what the pointer leads to.  */
static const unsigned char lo_times[] = { ARG (LO), ARG (NUMBER), UMMGR_CODE_MUL, UMMGR_CODE_END };
static const unsigned char number[] = { ARG (NUMBER), UMMGR_CODE_END };
static const unsigned char other[] = { ARG (OTHER), UMMGR_CODE_END };
static const unsigned char range[] = { ARG (LO + 1), ARG (LO), UMMGR_CODE_SUB, UMMGR_CODE_END };
static const unsigned char zero[] = { UMMGR_CODE_CONST8, 0, UMMGR_CODE_END };
static const unsigned char half[] = { UMMGR_CODE_SIZE, B, 0, UMMGR_CODE_CONST8, 2, UMMGR_CODE_DIV,
				      UMMGR_CODE_END };
static const unsigned char loaded[] = { UMMGR_CODE_LOAD, MEMORY, 0, 8, 0, 0, 0, 8, UMMGR_CODE_END };

static const struct ummgr_table_dim of_range
  = { .stride = number, .range_stride = number, .range_extent = range, .range_count = range };
static const struct ummgr_table_dim of_memory
  = { .stride = number, .range_stride = number, .range_extent = loaded, .range_count = loaded };
static const struct ummgr_table_ref written
  = { .flags = UMMGR_REF_AFFINE | UMMGR_REF_WRITE, .range_base = lo_times, .element_size = 8,
      .frequency = 1, .dim_count = 1, .dims = &of_range };
static const struct ummgr_table_ref read_half
  = { .flags = UMMGR_REF_AFFINE | UMMGR_REF_READ, .range_base = half, .element_size = 8,
      .frequency = 1, .dim_count = 1, .dims = &of_range };
static const struct ummgr_table_ref read_memory
  = { .flags = UMMGR_REF_AFFINE | UMMGR_REF_READ, .range_base = zero, .element_size = 8,
      .frequency = 1, .dim_count = 1, .dims = &of_memory };
static const struct ummgr_table_dim of_other
  = { .stride = other, .range_stride = other, .range_extent = range, .range_count = range };
static const struct ummgr_table_ref read_other
  = { .flags = UMMGR_REF_AFFINE | UMMGR_REF_READ, .range_base = zero, .element_size = 8,
      .frequency = 1, .dim_count = 1, .dims = &of_other };

#define USE(REF, FLAG) .use = { .flags = UMMGR_USE_ANALYSED | FLAG, .ref_count = 1, .refs = &REF }
static const struct ummgr_table_arg first[ARGS]
  = { { USE (written, UMMGR_USE_WRITE) }, { USE (read_half, UMMGR_USE_READ) } };
static const struct ummgr_table_arg second[ARGS]
  = { { USE (written, UMMGR_USE_WRITE) }, { USE (read_memory, UMMGR_USE_READ) } };
/* It depends on the number that nothing else does.  */
static const struct ummgr_table_member member = { USE (read_other, UMMGR_USE_READ) };
static const struct ummgr_table_region regions[]
  = { { .arg_count = ARGS, .args = first }, { .arg_count = ARGS, .args = second },
      { .arg_count = ARGS, .args = first, .member_count = 1, .members = &member } };

/* --- a launch ------------------------------------------------------------------------ */

static struct ummgr_object objects[OBJECTS];
static uint64_t memory[100];
static void *hostaddrs[ARGS];
static size_t sizes[ARGS];
static unsigned short kinds[ARGS];
static const struct ummgr_clauses clauses = { ARGS, hostaddrs, sizes, kinds };
static struct ummgr_gpus_argument argument[ARGS + 1];
static struct ummgr_gpus_launch launch;

static void
begin (void)
{
  for (unsigned i = 0; i < OBJECTS; i++)
    objects[i].view.size = 1 << 22;
  hostaddrs[NUMBER] = (void *) 8;
  hostaddrs[MEMORY] = memory;
  sizes[B] = 1 << 22;
  sizes[MEMORY] = 16;
  memory[1] = 100000;
  launch.argument = argument;
  argument[MEMBER].object = &objects[2];
  argument[A].object = &objects[0];
  argument[B].object = &objects[1];
  launch.lo_argument = LO;
  launch.gpus.count = GPUS;
  for (unsigned g = 0; g < GPUS; g++)
    {
      launch.lo[g] = g * 100000;
      launch.hi[g] = (g + 1) * 100000;
    }
}

static void
change (void)
{
  unsigned g = (unsigned) below (GPUS - 1), i = (unsigned) below (2);
  switch (below (12))
    {
    case 0:
      hostaddrs[NUMBER] = (void *) (uintptr_t) (8 << below (2));
      break;
    case 1:
      sizes[B] = 1 << (20 + below (3));
      break;
    case 2:
      memory[1] = 100000 + 50000 * below (3);
      break;
    case 3:
      launch.hi[g] = launch.lo[g + 1] = launch.lo[g] + 50000 + 50000 * below (2);
      break;
    case 4:
      argument[i].object = &objects[below (OBJECTS)];
      break;
    case 5:
      argument[i].offset = 65536 * below (2);
      break;
    case 6:
      objects[below (OBJECTS)].view.size = 1 << (20 + below (3));
      break;
    case 7:
      launch.gpus.count = 2 + (unsigned) below (GPUS - 1);
      break;
    case 8:
      hostaddrs[OTHER] = (void *) (uintptr_t) below (1000);
      break;
    case 9:
      /* Longer than what is compared.  */
      sizes[MEMORY] = below (2) ? 16 : sizeof memory;
      break;
    default:
      break;
    }
}

/* --- what is right ------------------------------------------------------------------- */

static void
check (const struct ummgr_table_region *known, unsigned long step)
{
  unsigned found = 0;
  for (unsigned o = 0; o < OBJECTS; o++)
    {
      struct ummgr_footprint use[UMMGR_PARTS_GPUS];
      struct ummgr_parts parts;
      bool used = false;
      for (unsigned g = 0; g < launch.gpus.count; g++)
	{
	  void *values[ARGS];
	  const struct ummgr_code_inputs inputs = { .hostaddrs = values, .sizes = sizes };
	  memcpy (values, hostaddrs, sizeof values);
	  values[LO] = (void *) (uintptr_t) launch.lo[g];
	  values[LO + 1] = (void *) (uintptr_t) launch.hi[g];
	  use[g] = (struct ummgr_footprint) { .known = true };
	  for (unsigned i = 0; i < launch.arguments; i++)
	    if (argument[i].object == &objects[o])
	      {
		struct ummgr_footprint one;
		const struct ummgr_table_arg behind = { .use = member.use };
		ummgr_footprint_fill (i < ARGS ? &known->args[i] : &behind, &inputs, &one);
		ummgr_footprint_merge (&use[g], &one, (int64_t) argument[i].offset);
		used = true;
	      }
	}
      if (!used)
	continue;
      found++;
      ummgr_parts_decide (use, launch.gpus.count, objects[o].view.size, &parts);
      bool same = false;
      for (size_t n = 0; n < launch.wants; n++)
	same |= launch.want[n].object == &objects[o]
		&& memcmp (&launch.want[n].parts, &parts, sizeof parts) == 0;
      if (!same)
	fprintf (stderr, "step %lu: object %u lies as an earlier launch wanted it\n", step, o);
      CHECK (same);
    }
  CHECK (launch.wants == found);
}

int
main (void)
{
  begin ();
  for (unsigned long step = 0; step < 20000; step++)
    {
      const struct ummgr_table_region *known = &regions[below (3)];
      change ();
      launch.arguments = ARGS + known->member_count;
      ummgr_wants_fill (known, &clauses, &launch);
      check (known, step);
    }
  return 0;
}
