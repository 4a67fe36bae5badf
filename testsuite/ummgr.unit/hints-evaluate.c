/* From a region's expressions and a launch's arguments to hints: counts, bounds,
   density, strides; the same launch twice, another in between; what can't be
   evaluated is not known.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "hints/hints.h"
#include "hints/data.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* n is argument 0, by value; a is 1; k, in memory, is 2.  */
static const unsigned char code_zero[] = { UMMGR_CODE_CONST8, 0, 0 };
static const unsigned char code_four[] = { UMMGR_CODE_CONST8, 4, 0 };
static const unsigned char code_n[] = { UMMGR_CODE_ARG, 0, 0, 0 };
static const unsigned char code_k[]
  = { UMMGR_CODE_LOAD, 2, 0, 4, 0, 0, 0, (unsigned char) -4, 0 };
static const unsigned char code_four_n[]
  = { UMMGR_CODE_CONST8, 4, UMMGR_CODE_ARG, 0, 0, UMMGR_CODE_MUL, 0 };
static const unsigned char code_n_over_k[]
  = { UMMGR_CODE_ARG, 0, 0, UMMGR_CODE_LOAD, 2, 0, 4, 0, 0, 0,
      (unsigned char) -4, UMMGR_CODE_DIV, 0 };

static struct ummgr_table_dim dims[2];
static struct ummgr_table_ref ref;
static struct ummgr_table_arg args[3];
/* Tables never change, so answers are kept by their address: each setup is a
   region of its own.  */
static struct ummgr_table_region regions[24];
static unsigned region_count;
#define region regions[region_count]

static void
setup (uint32_t flags, unsigned dim_count)
{
  ref = (struct ummgr_table_ref) {
    .flags = flags, .base = code_zero, .element_size = 4, .why = "",
    .frequency = 1, .dim_count = dim_count, .dims = dims
  };
  for (int i = 0; i < 3; i++)
    args[i].use = (struct ummgr_table_use) { UMMGR_USE_ANALYSED, "", 0, NULL };
  args[1].use.flags |= flags & UMMGR_REF_READ ? UMMGR_USE_READ : 0;
  args[1].use.flags |= flags & UMMGR_REF_WRITE ? UMMGR_USE_WRITE : 0;
  args[1].use.ref_count = 1;
  args[1].use.refs = &ref;
  region_count++;
  region.arg_count = 3;
  region.args = args;
  region.file = "f.c";
  region.inputs = (struct ummgr_code_inputs_used) { { { 1 } }, { { 4 } }, { { 0 } } };
  region.trip = code_n;
}

static int32_t loaded[2];
static char data[4000];

static struct ummgr_hint
evaluate (int64_t n, size_t size, const struct ummgr_hint_extent *extents)
{
  void *hostaddrs[3] = { (void *) (intptr_t) n, data, loaded };
  size_t sizes[3] = { 0, size, sizeof loaded };
  struct ummgr_hint hints[3];
  CHECK (ummgr_hints_evaluate (&region, hostaddrs, sizes, extents, hints));
  return hints[1];
}

static const uint32_t exact_write = UMMGR_REF_WRITE | UMMGR_REF_AFFINE
  | UMMGR_REF_EXACT | UMMGR_REF_CERTAIN;

static void
check_affine (void)
{
  dims[0] = (struct ummgr_table_dim) { code_four, code_n, code_n, true };
  setup (exact_write, 1);
  for (int twice = 0; twice < 2; twice++)
    {
      struct ummgr_hint h = evaluate (1000, 4000, NULL);
      CHECK (h.known && h.write && !h.read && !h.estimated && h.overwritten);
      CHECK (h.locality == 1000 && h.density == 1 && h.density_sc19 == 1);
      CHECK (h.lo == 0 && h.hi == 4000 && h.reuse_static == -1);
      h = evaluate (500, 4000, NULL);
      CHECK (h.density == 0.5 && h.hi == 2000 && !h.overwritten);
      h = evaluate (-5, 4000, NULL);
      CHECK (h.locality == 0 && h.density == 0 && h.hi == 0);
    }
  /* A part of its object, and a pointer without a size.  */
  struct ummgr_hint_extent part[3] = { { 0, 0 }, { 1000, 8000 }, { 0, 8 } };
  struct ummgr_hint h = evaluate (1000, 0, part);
  CHECK (h.density == 0.5 && h.lo == 1000 && h.hi == 5000);
  /* Its object is not known.  */
  h = evaluate (1000, 0, NULL);
  CHECK (h.known && h.density == -1 && h.locality == 1000);
}

static void
check_strides (void)
{
  void *hostaddrs[3] = { (void *) 10, data, loaded };
  size_t sizes[3] = { 0, 4000, sizeof loaded };
  struct ummgr_code_memo memo = { .code = { NULL } };
  const struct ummgr_code_inputs inputs = { hostaddrs, sizes, &memo };
  int64_t stride;
  uint64_t trip;
  CHECK (ummgr_hints_trip (&region, hostaddrs, sizes, &trip) && trip == 10);
  CHECK (ummgr_hints_stride (&region, 1, &inputs, &stride));
  CHECK (stride == 4);
  /* Two dimensions that make one, and two that don't.  */
  dims[0] = (struct ummgr_table_dim) { code_four_n, code_n, code_n, true };
  dims[1] = (struct ummgr_table_dim) { code_four, code_n, code_n, true };
  setup (exact_write, 2);
  CHECK (ummgr_hints_stride (&region, 1, &inputs, &stride));
  CHECK (stride == 4);
  dims[1].count = code_four;
  CHECK (!ummgr_hints_stride (&region, 1, &inputs, &stride));
  /* Within an iteration it does not count.  */
  dims[1].shared = false;
  CHECK (ummgr_hints_stride (&region, 1, &inputs, &stride));
  CHECK (stride == 40);
}

static void
check_random (void)
{
  dims[0] = (struct ummgr_table_dim) { NULL, code_n, code_n, true };
  setup (UMMGR_REF_READ | UMMGR_REF_DATA, 1);
  ref.why = "a[...]: index loaded from memory (k[...])";
  struct ummgr_hint h = evaluate (1000, 4000, NULL);
  CHECK (h.read && !h.write && h.estimated && h.locality == 1000);
  CHECK (fabs (h.density - (1 - pow (0.999, 1000))) < 1e-9);
  CHECK (h.density_sc19 == 1 && h.hi == 0);
  CHECK (strstr (h.reason, "loaded from memory"));
  /* A condition on data: half of the places at most.  */
  dims[0].stride = code_four;
  setup (UMMGR_REF_WRITE | UMMGR_REF_AFFINE, 1);
  ref.frequency = 0.25;
  h = evaluate (1000, 4000, NULL);
  CHECK (h.estimated && h.locality == 250 && fabs (h.density - 0.25) < 1e-9);
  CHECK (!h.overwritten);
}

static void
check_unknown (void)
{
  dims[0] = (struct ummgr_table_dim) { code_four, code_n_over_k,
				       code_n_over_k, true };
  setup (exact_write, 1);
  loaded[1] = 2;
  struct ummgr_hint h = evaluate (1000, 4000, NULL);
  CHECK (h.density == 0.5 && h.locality == 500);
  /* The memory has changed, the arguments have not.  */
  loaded[1] = 4;
  CHECK (evaluate (1000, 4000, NULL).density == 0.25);
  loaded[1] = 0;
  h = evaluate (1000, 4000, NULL);
  CHECK (h.known && h.density == -1 && h.hi == 0 && h.reason);
  dims[0].count = dims[0].extent = code_k;
  setup (exact_write, 1);
  loaded[1] = -3;
  CHECK (evaluate (1000, 4000, NULL).locality == 0);
  /* Some uses have no record.  */
  setup (exact_write, 1);
  args[1].use.flags |= UMMGR_USE_READ | UMMGR_USE_UNKNOWN;
  args[1].use.why = "passed to g, whose code is not seen";
  h = evaluate (1, 4, NULL);
  CHECK (h.known && h.read && h.write && h.density == -1 && !h.overwritten);
  CHECK (strstr (h.reason, "not seen"));
  setup (exact_write, 1);
  for (int i = 0; i < 3; i++)
    args[i].use.flags = 0;
  struct ummgr_hint none[3];
  void *hostaddrs[3] = { NULL };
  size_t sizes[3] = { 0 };
  CHECK (!ummgr_hints_evaluate (&region, hostaddrs, sizes, NULL, none));
}

/* What guesses hide: a frequency above 1 is one at a loop, below at a condition.  */
static void
check_most (void)
{
  const size_t pages = 64 * (size_t) 65536;
  dims[0] = (struct ummgr_table_dim) { code_four, code_n, code_n, true };
  setup (exact_write, 1);
  CHECK (evaluate (500, 4000, NULL).density_most == 0.5);
  setup (UMMGR_REF_WRITE | UMMGR_REF_AFFINE, 1);
  ref.frequency = 0.25;
  struct ummgr_hint h = evaluate (500, 4000, NULL);
  CHECK (fabs (h.density - 0.125) < 1e-9 && h.density_most == 0.5);
  /* The same places in each of the loop's passes.  */
  setup (UMMGR_REF_READ | UMMGR_REF_AFFINE, 1);
  ref.frequency = 8;
  CHECK (evaluate (500, 4000, NULL).density_most == 0.5);

  /* Anywhere: a page for each access.  */
  dims[0].stride = NULL;
  setup (UMMGR_REF_READ, 1);
  CHECK (fabs (evaluate (16, pages, NULL).density_most - 0.25) < 1e-9);
  CHECK (evaluate (65, pages, NULL).density_most == 1);
  setup (UMMGR_REF_READ, 1);
  ref.frequency = 0.5;
  CHECK (fabs (evaluate (16, pages, NULL).density_most - 0.25) < 1e-9);
  setup (UMMGR_REF_READ, 1);
  ref.frequency = 8;
  h = evaluate (1, pages, NULL);
  CHECK (h.density < 1e-4 && h.density_most == 1);
}

/* What the link has to carry: pages once, and at most what each access brings.  */
static void
check_remote (void)
{
  const size_t pages = 64 * (size_t) UMMGR_DATA_LINK_PAGE;
  static const unsigned char two_pages[] = { UMMGR_CODE_CONST64, 0, 32, 0, 0, 0,
					     0, 0, 0, 0 };
  dims[0] = (struct ummgr_table_dim) { two_pages, code_n, code_n, true };
  setup (UMMGR_REF_READ | UMMGR_REF_AFFINE | UMMGR_REF_EXACT, 1);
  struct ummgr_hint h = evaluate (32, pages, NULL);
  CHECK (fabs (h.remote - 32 * 4096) < 32 * 4 + 4096 / 2);
  CHECK (h.remote_most == h.remote);
  /* Each of the 32 a thousand times.  */
  dims[1] = (struct ummgr_table_dim) { code_zero, code_n, code_n, false };
  setup (UMMGR_REF_READ | UMMGR_REF_AFFINE | UMMGR_REF_EXACT, 2);
  CHECK (evaluate (32, pages, NULL).remote < 32 * 4200);
  h = evaluate (2000, pages, NULL);
  CHECK (h.remote < 32 * 4200 && h.remote_most == 2000.0 * 2000 * 4);
  /* Under a condition, and in a loop of which nobody knows the length.  */
  setup (UMMGR_REF_READ | UMMGR_REF_AFFINE, 1);
  ref.frequency = 0.25;
  h = evaluate (32, pages, NULL);
  CHECK (h.remote > 32 * 1000 && h.remote < 32 * 1100);
  CHECK (h.remote_most > 32 * 4000 && h.remote_most < 32 * 4200);
  setup (UMMGR_REF_READ | UMMGR_REF_AFFINE, 1);
  ref.frequency = 8;
  h = evaluate (32, pages, NULL);
  CHECK (h.remote < 32 * 4200 && h.remote_most == INFINITY);
  /* Anywhere.  */
  dims[0].stride = NULL;
  setup (UMMGR_REF_READ, 1);
  h = evaluate (16, pages, NULL);
  CHECK (fabs (h.remote - 4096 * 64 * (1 - exp (-0.25))) < 1);
  CHECK (h.remote_most == 16 * 4096);
  /* Some uses have no record.  */
  setup (UMMGR_REF_READ, 1);
  args[1].use.flags |= UMMGR_USE_UNKNOWN;
  CHECK (evaluate (16, pages, NULL).remote == 0);
}

static void
check_merge (void)
{
  struct ummgr_hint a = { .known = true, .write = true, .overwritten = true,
			  .locality = 10, .density = 0.75, .lo = 0, .hi = 75,
			  .density_most = 0.75 };
  struct ummgr_hint b = { .known = true, .read = true, .locality = 5,
			  .density = 0.5, .lo = 50, .hi = 100,
			  .density_most = 0.125 };
  ummgr_hint_merge (&a, &b);
  CHECK (a.known && a.read && a.write && !a.overwritten && a.estimated);
  CHECK (a.density_most == 0.875);
  CHECK (a.locality == 15 && a.density == 1 && a.lo == 0 && a.hi == 100);
  b.known = false;
  ummgr_hint_merge (&a, &b);
  CHECK (!a.known);
  /* The second use only writes, and goes to more places.  */
  a = b = (struct ummgr_hint) { .known = true, .write = true,
				.overwritten = true, .scatter = 1 };
  b.scatter = 2;
  a.remote = a.remote_most = 3;
  ummgr_hint_merge (&a, &b);
  CHECK (!a.overwritten && a.scatter == 2 && a.remote == 0);
  a.remote = a.remote_most = 3;
  b.remote = 4;
  b.remote_most = 5;
  ummgr_hint_merge (&a, &b);
  CHECK (a.remote == 7 && a.remote_most == 8);
}

/* A region that finds the pointers to two arrays in a struct, argument 2: what it does there, and
   with the struct itself, once it is known where they lead.  */
static void
check_follow (void)
{
  static struct ummgr_table_member members[2];
  static struct ummgr_table_ref refs[2];
  static const struct ummgr_code_field names[] = { { 2, 8, "s->x" } };
  const struct ummgr_hint_extent where[] = { { .size = 4000 }, { 400, 8000 } };
  void *hostaddrs[3] = { (void *) 500, data, loaded };
  size_t sizes[3] = { 0, 4000, sizeof loaded };
  struct ummgr_hint hints[3], found[2];
  dims[0] = (struct ummgr_table_dim) { code_four, code_n, code_n, true };
  setup (exact_write, 1);
  for (int k = 0; k < 2; k++)
    {
      refs[k] = ref;
      members[k] = (struct ummgr_table_member) {
	2, 8 * k + 8, { UMMGR_USE_ANALYSED | UMMGR_USE_WRITE, "", 1, &refs[k] }
      };
    }
  for (int i = 1; i < 3; i++)
    args[i].use.flags |= UMMGR_USE_READ | UMMGR_USE_WRITE | UMMGR_USE_UNKNOWN | UMMGR_USE_BEHIND;
  region.member_count = 2;
  region.members = members;
  region.field_count = 1;
  region.fields = names;
  region.split = (struct ummgr_table_split) { .lo = -1, .why = "" };
  CHECK (!ummgr_hints_can_follow (&region));
  region.split.flags = UMMGR_SPLIT_POINTERS;
  region.split.why = "it is odd";
  CHECK (!ummgr_hints_can_follow (&region));
  CHECK (ummgr_hints_use (&region, 2).flags & UMMGR_USE_UNKNOWN);
  region.split.flags = 0;
  CHECK (ummgr_hints_can_follow (&region));
  CHECK (ummgr_hints_use (&region, 2).flags == UMMGR_USE_ANALYSED);
  CHECK (strcmp (ummgr_hints_member_name (&region, 0), "s->x") == 0);
  CHECK (!*ummgr_hints_member_name (&region, 1));
  CHECK (ummgr_hints_evaluate (&region, hostaddrs, sizes, NULL, hints));
  CHECK (hints[1].density == -1 && hints[2].density == -1);
  ummgr_hints_follow (&region, hostaddrs, sizes, NULL, where, hints, found);
  CHECK (hints[1].density == 0.5 && hints[1].write && !hints[1].read);
  CHECK (hints[1].estimated && !hints[1].overwritten);
  CHECK (hints[2].density == 0 && !hints[2].write);
  CHECK (found[0].density == 0.5 && found[0].write && found[0].lo == 0 && found[0].hi == 2000);
  CHECK (found[1].density == 0.25 && found[1].lo == 400 && found[1].hi == 2400);
  CHECK (found[0].estimated && found[1].estimated);
}

int
main (void)
{
  check_affine ();
  check_strides ();
  check_random ();
  check_unknown ();
  check_most ();
  check_remote ();
  check_merge ();
  check_follow ();
  return 0;
}
