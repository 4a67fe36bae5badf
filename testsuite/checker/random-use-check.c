/* Compare what the compiler's tables say of each launch with what it did.
   SPDX-License-Identifier: GPL-3.0-or-later

   Linked into random programs (random-use.c) that run on the host.  Stands in
   for GOMP_target_ext; the region's expressions are evaluated with the arguments
   of the launch, and what they claim is written out access by access:
   - an argument that is said not to be read, or written, is not;
   - where all of its references are exact, they are what was accessed, byte by
     byte, and as often; the density, the bounds and the locality that policies
     get are those;
   - where they are affine, they cover what was accessed;
   - an exact one's accesses were made;
   - what is not known has a reason.
   At the end, frequencies that are exact, or were counted in another run, are the numbers
   of launches counted, and references of which that run counted how often they are executed
   are executed as often in all launches together; and what this run counts goes to the file
   $RANDOM_USE_COUNTS, as statistics.

   Complaints go to standard error, a line for each program to standard output.
   Owns the counts of the program being run.  */

#include "config.h"
#include "random-use-check.h"
#include "random-use-program.h"

#include "flow/flow.h"
#include "hints/hints.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS = 4096, PROGRAMS = 4096, COMPLAINTS = 12, SUMS = 8192 };

double use_sink;

/* What all launches of a region do with an argument whose references are exact or counted:
   accesses by the tables, at least and at most, and in truth.  */
struct summed
{
  const struct ummgr_table_region *region;
  unsigned arg, program;
  double accesses, least;
  uint64_t truth;
  bool whole;			/* It was so in each.  */
};

/* A region that was launched.  */
struct launched
{
  const struct ummgr_table_region *region;
  uint64_t times;
  unsigned program;
};

/* Arguments that are arrays, by what is known of them.  */
struct program_counts
{
  unsigned long seed;
  bool affine, constant;
  unsigned exact, estimated, unknown;
  unsigned regions, frequencies, counted, statics, shares;
  unsigned complaints;
};

static struct summed sums[SUMS];
static unsigned sum_count;
static struct launched launched[REGIONS];
static unsigned launched_count;
static struct program_counts programs[PROGRAMS];
static unsigned program_count;
static const struct ummgr_table_region *before;
static long trip_expected = -1;
static bool failed;

/* One argument being compared.  */
struct comparison
{
  const struct ummgr_table_region *region;
  const struct ummgr_table_arg *arg;
  struct ummgr_code_inputs inputs;
  uintptr_t address;		/* As launched.  */
  const struct truth *truth;
  uint8_t *claimed, *sure;	/* Bytes, as the truth's; of affine and of
				   exact references.  */
  double accesses;
  /* The same where what stays in place in a loop is accessed once before it, and
     what is accessed twice in the same place once: as in the instrumented
     version.  */
  double least;
  bool exact, affine;		/* All references are.  */
  bool counted;			/* Some is, and all others are exact.  */
};

static void __attribute__ ((format (printf, 3, 4)))
complain (const struct ummgr_table_region *region,
	  const struct ummgr_table_arg *arg, const char *format, ...)
{
  struct program_counts *p = &programs[program_count - 1];
  failed = true;
  form_wrong ();
  if (p->complaints++ >= COMPLAINTS)
    return;
  fprintf (stderr, "seed %lu: %s line %u%s%s: ", p->seed, region->in_function,
	   region->line, arg ? " " : "", arg ? arg->name : "");
  va_list args;
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
}

static bool
about (double a, double b)
{
  return fabs (a - b) <= 1e-6 * fmax (fabs (a), fabs (b));
}

/* --- what references claim -------------------------------------------------*/

/* A reference's dimensions at a launch, and the iteration of each at hand.  */
struct walk
{
  int64_t strides[16], extents[16], at[16];
  double accesses;		/* That were marked.  */
};

/* The iterations of REF's dimension DIM, [*FROM, *TO) of its extent.  */
static void
dim_range (struct comparison *c, const struct ummgr_table_ref *ref, const struct walk *w,
	   unsigned dim, int64_t *from, int64_t *to)
{
  const struct ummgr_table_dim *d = &ref->dims[dim];
  int64_t first, slope, skip, skip_slope;
  *from = 0;
  *to = w->extents[dim];
  if (!(ref->flags & UMMGR_REF_SLOPED) || !d->of)
    return;
  if (!ummgr_code_evaluate (d->first, &c->inputs, &first)
      || !ummgr_code_evaluate (d->slope, &c->inputs, &slope)
      || !ummgr_code_evaluate (d->skip, &c->inputs, &skip)
      || !ummgr_code_evaluate (d->skip_slope, &c->inputs, &skip_slope))
    complain (c->region, c->arg, "line %u: a row can't be evaluated", ref->line);
  else
    {
      *from = skip + skip_slope * w->at[d->of - 1];
      *to = *from + first + slope * w->at[d->of - 1];
    }
}

/* Mark what REF accesses from OFFSET on, in its dimensions from DIM on; false if
   that is not in the object.  */
static bool
ref_mark (struct comparison *c, const struct ummgr_table_ref *ref, struct walk *w, unsigned dim,
	  int64_t offset)
{
  if (dim < ref->dim_count)
    {
      bool within = true;
      int64_t from, to;
      dim_range (c, ref, w, dim, &from, &to);
      for (int64_t i = from; i < to; i++)
	{
	  w->at[dim] = i - from;
	  within &= ref_mark (c, ref, w, dim + 1, offset + i * w->strides[dim]);
	}
      return within;
    }
  w->accesses++;
  uint8_t bits = (ref->flags & UMMGR_REF_READ ? TRUTH_READ : 0)
		 | (ref->flags & UMMGR_REF_WRITE ? TRUTH_WRITE : 0);
  int64_t at = (int64_t) (c->address - c->truth->address) + offset;
  bool within = true;
  for (int64_t i = at; i < at + (int64_t) ref->element_size; i++)
    if (i < 0 || i >= (int64_t) c->truth->size)
      within = false;
    else
      {
	c->claimed[i] |= bits;
	if (ref->flags & (UMMGR_REF_EXACT | UMMGR_REF_SLOPED))
	  c->sure[i] |= bits;
      }
  return within;
}

static bool
code_equal (struct comparison *c, const unsigned char *a, const unsigned char *b)
{
  int64_t x = 0, y = 0;
  return (!a || ummgr_code_evaluate (a, &c->inputs, &x))
	 && (!b || ummgr_code_evaluate (b, &c->inputs, &y)) && x == y;
}

/* Does REF access what one before it does?  */
static bool
ref_is_again (struct comparison *c, const struct ummgr_table_ref *ref)
{
  for (const struct ummgr_table_ref *r = c->arg->use.refs; r < ref; r++)
    {
      bool same = (r->flags & ref->flags & UMMGR_REF_AFFINE)
		  && (ref->flags & ~r->flags & (UMMGR_REF_READ | UMMGR_REF_WRITE)) == 0
		  && r->element_size == ref->element_size
		  && r->dim_count == ref->dim_count
		  && code_equal (c, r->base, ref->base);
      for (unsigned i = 0; i < ref->dim_count && same; i++)
	same = code_equal (c, r->dims[i].stride, ref->dims[i].stride)
	       && code_equal (c, r->dims[i].count, ref->dims[i].count);
      if (same)
	return true;
    }
  return false;
}

static void
ref_claim (struct comparison *c, const struct ummgr_table_ref *ref)
{
  struct walk w = { .accesses = 0 };
  int64_t base = 0, count;
  bool sloped = ref->flags & UMMGR_REF_SLOPED;
  bool exact = sloped || (ref->flags & UMMGR_REF_EXACT);
  bool affine = ref->flags & UMMGR_REF_AFFINE, any = ref->frequency > 0;
  double accesses = ref->frequency, least = accesses, moved = 1;
  if (exact && !affine)
    complain (c->region, c->arg, "a reference is exact and not affine");
  if (!affine && !*ref->why)
    complain (c->region, c->arg, "line %u: no reason why it is not affine",
	      ref->line);
  c->exact &= exact;
  c->affine &= affine;
  c->counted &= exact || (ref->flags & UMMGR_REF_COUNTED);
  bool known = ref->dim_count <= 16
	       && (!affine
		   || ummgr_code_evaluate (ref->base, &c->inputs, &base));
  for (unsigned i = 0; i < ref->dim_count && known; i++)
    {
      w.strides[i] = 0;
      known = ummgr_code_evaluate (ref->dims[i].count, &c->inputs, &count)
	      && ummgr_code_evaluate (ref->dims[i].extent, &c->inputs,
				      &w.extents[i])
	      && (!ref->dims[i].stride
		  || ummgr_code_evaluate (ref->dims[i].stride, &c->inputs,
					  &w.strides[i]));
      any &= known && w.extents[i] > 0;
      count = count > 0 ? count : 0;
      accesses *= (double) count;
      /* Of a loop that stands still and all those in it.  */
      moved = w.strides[i] == 0 ? moved * (double) count : 1;
      least = moved > 0 ? accesses / moved : 0;
    }
  if (!known)
    {
      if (exact)
	complain (c->region, c->arg, "line %u: exact, but can't be evaluated",
		  ref->line);
      c->exact = c->affine = c->counted = false;
      return;
    }
  if (affine && any && !ref_mark (c, ref, &w, 0, base) && exact)
    complain (c->region, c->arg, "line %u: beyond the object", ref->line);
  /* Of rows of different lengths what was marked is what there is.  */
  if (sloped)
    {
      accesses = w.accesses * ref->frequency;
      least = moved > 0 && moved < 2 ? accesses : 0;
    }
  c->accesses += accesses;
  c->least += ref_is_again (c, ref) ? 0 : least;
}

/* --- what is wrong with it ------------------------------------------------ */

/* Is COUNT how many accesses there were?  */
static bool
count_fits (const struct comparison *c, double count)
{
  double all = (double) c->truth->accesses;
  /* Scalars are read once for each team and thread.  */
  if (c->truth->fleeting)
    return true;
  return about (count, all) || (about (count, c->accesses) && all < count && all >= c->least * (1 - 1e-9));
}

static void
bytes_compare (struct comparison *c)
{
  const struct truth *t = c->truth;
  const char *kind = c->exact ? "exact" : "affine";
  bool missed = false, extra = false;
  for (size_t i = 0; i < t->size; i++)
    {
      if (c->affine && (t->bytes[i] & ~c->claimed[i]) && !missed)
	{
	  complain (c->region, c->arg, "%s, but byte %zu is %s", kind, i,
		    t->bytes[i] & ~c->claimed[i] & TRUTH_READ ? "read"
							      : "written");
	  missed = true;
	}
      if ((c->sure[i] & ~t->bytes[i]) && !extra)
	{
	  complain (c->region, c->arg, "exactly: byte %zu is %s, but is not", i,
		    c->sure[i] & ~t->bytes[i] & TRUTH_READ ? "read"
							   : "written");
	  extra = true;
	}
    }
  if (c->exact && !count_fits (c, c->accesses))
    complain (c->region, c->arg, "exactly %g accesses, but %" PRIu64,
	      c->accesses, t->accesses);
}

/* What policies get: HINT is of [OFFSET, OFFSET + SIZE) of the object.  */
static void
hint_compare (struct comparison *c, const struct ummgr_hint *hint,
	      size_t offset, size_t size)
{
  const struct truth *t = c->truth;
  size_t lo = 0, hi = 0, touched = 0;
  bool read = false, write = false;
  for (size_t i = 0; i < t->size; i++)
    if (t->bytes[i])
      {
	read |= t->bytes[i] & TRUTH_READ;
	write |= t->bytes[i] & TRUTH_WRITE;
	lo = touched ? lo : i;
	hi = i + 1;
	touched++;
      }
  if ((read && !hint->read) || (write && !hint->write))
    complain (c->region, c->arg, "said not to be %s, but is",
	      read && !hint->read ? "read" : "written");
  if (hint->overwritten && (read || touched < size))
    complain (c->region, c->arg, "said to be overwritten, but isn't");
  if (hint->density > 1 + 1e-9 || !(hint->locality >= 0)
      || !isfinite (hint->locality))
    complain (c->region, c->arg, "density %g, locality %g", hint->density,
	      hint->locality);
  if (hint->density < 0 && size && !hint->reason)
    complain (c->region, c->arg, "density not known, for no reason");
  if (hint->hi && touched && (lo < offset + hint->lo || hi > offset + hint->hi))
    complain (c->region, c->arg, "accessed [%zu, %zu), but [%" PRIu64 ", %"
	      PRIu64 ") + %zu is claimed", lo, hi, hint->lo, hint->hi, offset);
  if (hint->estimated)
    return;
  double density = size ? (double) touched / (double) size : -1;
  if (!count_fits (c, hint->locality)
      || (size && !about (hint->density, density))
      || (touched && (hint->lo + offset != lo || hint->hi + offset != hi)))
    complain (c->region, c->arg, "locality %g, density %g, [%" PRIu64 ", %"
	      PRIu64 ") + %zu, but %" PRIu64 ", %g, [%zu, %zu)",
	      hint->locality, hint->density, hint->lo, hint->hi, offset,
	      t->accesses, density, lo, hi);
}

/* --- launches --------------------------------------------------------------*/

/* Is argument I memory that the region gets, and not a copy of?  */
static bool
is_memory (const struct ummgr_table_region *region, unsigned i,
	   unsigned short kind)
{
  (void) region;
  (void) i;
  /* To private copies: 12, 13; pointers' own values: 4, 14, 29; places of pointers in
     structs, which are arguments, too: 80, 82.  */
  kind &= 0xff;
  return kind != 12 && kind != 13 && kind != 14 && kind != 4 && kind != 29 && kind != 80
	 && kind != 82;
}

/* Is argument I a section of no length, of an object of which another argument is a part that is
   used?  G++ adds such; what is said of the other, and of both together, is true of the object.  */
static bool
is_beside_another (const struct ummgr_table_region *region, unsigned i, void **hostaddrs,
		   const size_t *sizes, const unsigned short *kinds)
{
  const struct truth *t = sizes[i] ? NULL : truth_find ((uintptr_t) hostaddrs[i]);
  bool another = false;
  for (unsigned j = 0; t && j < region->arg_count; j++)
    another |= is_memory (region, j, kinds[j]) && sizes[j] && region->args[j].use.ref_count
	       && truth_find ((uintptr_t) hostaddrs[j]) == t;
  return another && !region->args[i].use.ref_count;
}

/* What C's argument says of the truth.  */
static void
use_compare (struct comparison *c)
{
  const struct ummgr_table_use *use = &c->arg->use;
  if (!(use->flags & UMMGR_USE_ANALYSED) || (use->flags & UMMGR_USE_UNKNOWN))
    c->exact = c->affine = c->counted = false;
  c->claimed = calloc (1, c->truth->size + 1);
  c->sure = calloc (1, c->truth->size + 1);
  for (unsigned r = 0; r < use->ref_count; r++)
    ref_claim (c, &use->refs[r]);
  bytes_compare (c);
}

/* Variables of the devices' own are no arguments: T is one, and what REGION says of it is true.
   What is said of none isn't used.  */
static void
static_compare (const struct ummgr_table_region *region, const struct ummgr_code_inputs *inputs,
		const struct truth *t)
{
  static const struct ummgr_table_static none;
  const struct ummgr_table_static *v = &none;
  for (unsigned i = 0; i < region->static_count; i++)
    if (strcmp (region->statics[i].name, t->name) == 0)
      v = &region->statics[i];
  const struct ummgr_table_arg arg = { .name = t->name, .use = v->use };
  struct comparison c = {
    .region = region, .arg = &arg, .inputs = *inputs, .address = t->address, .truth = t,
    .exact = true, .affine = true
  };
  uint8_t did = 0, said = (v->use.flags & UMMGR_USE_READ ? TRUTH_READ : 0)
			  | (v->use.flags & UMMGR_USE_WRITE ? TRUTH_WRITE : 0);
  for (size_t i = 0; i < t->size; i++)
    did |= t->bytes[i];
  if (did & ~said)
    complain (region, &arg, "%s, but that is not told", did & ~said & TRUTH_READ ? "read" : "written");
  if (v == &none)
    return;
  if (v->size != t->size)
    complain (region, &arg, "%" PRIu64 " bytes, but %zu", v->size, t->size);
  use_compare (&c);
  programs[program_count - 1].statics++;
  free (c.claimed);
  free (c.sure);
}

/* Add C, of argument I, to what all launches do.  */
static void
sum_add (const struct comparison *c, unsigned i)
{
  unsigned at = 0;
  if (c->truth->fleeting)
    return;
  while (at < sum_count && (sums[at].region != c->region || sums[at].arg != i))
    at++;
  if (at == SUMS)
    abort ();
  struct summed *s = &sums[at];
  if (at == sum_count)
    {
      *s = (struct summed) { .region = c->region, .arg = i, .program = program_count - 1,
			     .whole = true };
      sum_count++;
    }
  s->whole &= c->counted;
  s->accesses += c->accesses;
  s->least += c->least;
  s->truth += c->truth->accesses;
}

/* Shares are of all launches together.  */
static void
sums_compare (void)
{
  unsigned current = program_count;
  for (unsigned i = 0; i < sum_count; i++)
    {
      const struct summed *s = &sums[i];
      bool counted = false;
      const struct ummgr_table_arg *arg = &s->region->args[s->arg];
      for (unsigned j = 0; j < arg->use.ref_count; j++)
	counted |= (arg->use.refs[j].flags & UMMGR_REF_COUNTED) != 0;
      if (!s->whole || !counted)
	continue;
      programs[s->program].shares++;
      program_count = s->program + 1;
      if (!about (s->accesses, (double) s->truth)
	  && !((double) s->truth < s->accesses && (double) s->truth >= s->least * (1 - 1e-6)))
	complain (s->region, arg, "counted %g accesses in all launches, but %" PRIu64,
		  s->accesses, s->truth);
    }
  program_count = current;
}

static void
arg_compare (const struct ummgr_table_region *region, unsigned i,
	     const struct ummgr_code_inputs *inputs,
	     const struct ummgr_hint *part, const struct ummgr_hint *whole,
	     bool first)
{
  struct comparison c = {
    .region = region, .arg = &region->args[i], .inputs = *inputs,
    .address = (uintptr_t) inputs->hostaddrs[i], .exact = true, .affine = true, .counted = true
  };
  struct program_counts *p = &programs[program_count - 1];
  c.truth = truth_find (c.address);
  /* GCC reads the pointers in structs before loops and conditions, too, by the time that
     accesses are told.  */
  if (!c.truth || (c.truth->fleeting && !c.arg->flat))
    return;
  const struct ummgr_table_use *use = &c.arg->use;
  if ((use->flags & UMMGR_USE_UNKNOWN) && !*use->why)
    complain (region, c.arg, "not known, for no reason");
  use_compare (&c);
  sum_add (&c, i);
  size_t offset = c.address - c.truth->address;
  if (part->known)
    hint_compare (&c, part, offset, inputs->sizes[i]);
  if (whole->known)
    hint_compare (&c, whole, 0, c.truth->size);
  if (!c.truth->fleeting && (!c.exact || part->estimated || whole->estimated))
    form_doubt (c.arg->name, whole->reason);
  if (first && !c.truth->fleeting)
    {
      if (!(use->flags & UMMGR_USE_ANALYSED)
	  || (use->flags & UMMGR_USE_UNKNOWN))
	p->unknown++;
      else if (whole->estimated)
	p->estimated++;
      else
	p->exact++;
    }
  free (c.claimed);
  free (c.sure);
}

static struct launched *
launched_get (const struct ummgr_table_region *region)
{
  for (unsigned i = launched_count; i-- > 0;)
    if (launched[i].region == region)
      return &launched[i];
  if (launched_count == REGIONS)
    abort ();
  launched[launched_count]
    = (struct launched) { .region = region, .program = program_count - 1 };
  return &launched[launched_count++];
}

static void
trip_compare (const struct ummgr_table_region *region,
	      const struct ummgr_code_inputs *inputs)
{
  uint64_t trip;
  if (trip_expected >= 0
      && (!region->trip_exact
	  || !ummgr_hints_trip (region, inputs->hostaddrs, inputs->sizes, &trip)))
    form_doubt ("trip count", region->trip ? "not exact" : "not known");
  else if (trip_expected >= 0 && trip != (uint64_t) trip_expected)
    complain (region, NULL, "exactly %" PRIu64 " iterations, but %ld", trip,
	      trip_expected);
  trip_expected = -1;
}

/* Objects of the launch that are none of the program's.  */
static void
fleeting_add (const struct ummgr_table_region *region, void **hostaddrs,
	      size_t *sizes, unsigned short *kinds)
{
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      struct truth *t = truth_find ((uintptr_t) hostaddrs[i]);
      if (is_memory (region, i, kinds[i]) && sizes[i]
	  && (!t || t->address + t->size == (uintptr_t) hostaddrs[i]))
	truth_add ("", hostaddrs[i], sizes[i], true);
    }
}

/* What the region did; LAUNCH: not because its `if' clause kept it on the host.  */
static void
launch_compare (const struct ummgr_table_region *region, bool launch, void **hostaddrs,
		size_t *sizes, unsigned short *kinds,
		const struct ummgr_hint *part, const struct ummgr_hint *whole)
{
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  struct launched *l = launched_get (region);
  l->times += launch;
  trip_compare (region, &inputs);
  for (unsigned i = 0; i < region->arg_count; i++)
    if (is_memory (region, i, kinds[i])
	&& !is_beside_another (region, i, hostaddrs, sizes, kinds))
      arg_compare (region, i, &inputs, &part[i], &whole[i], launch && l->times == 1);
  for (unsigned i = 0; truth_own (i); i++)
    static_compare (region, &inputs, truth_own (i));
  if (before && launch)
    {
      double p = 1, d = ummgr_flow_distance (before, region, &p);
      if (!isnan (d) && (!isfinite (d) || d < 1 - 1e-9 || p > 1 + 1e-9))
	complain (region, NULL, "follows %s, but distance %g, probability %g",
		  before->name, d, p);
    }
  before = launch ? region : before;
}

/* The device of a launch that is none.  */
enum { HOST_FALLBACK = -2 };

/* Libgomp's own.  */
typedef void target_function (int device, void (*fn) (void *), size_t mapnum,
			      void **hostaddrs, size_t *sizes,
			      unsigned short *kinds, unsigned flags,
			      void **depend, void **args);
target_function GOMP_target_ext;

void
GOMP_target_ext (int device, void (*fn) (void *), size_t mapnum,
		 void **hostaddrs, size_t *sizes, unsigned short *kinds,
		 unsigned flags, void **depend, void **args)
{
  static target_function *next;
  if (!next)
    next = (target_function *) dlsym (RTLD_NEXT, "GOMP_target_ext");
  ummgr_tables_scan ();
  const struct ummgr_table_region *region
    = ummgr_tables_region ((const void *) fn);
  if (!region || region->arg_count != mapnum)
    {
      fprintf (stderr, "a launch of a region that has no table\n");
      failed = true;
      return;
    }
  struct ummgr_hint *part = calloc (mapnum + 1, sizeof *part);
  struct ummgr_hint *whole = calloc (mapnum + 1, sizeof *whole);
  struct ummgr_hint_extent *extents = calloc (mapnum + 1, sizeof *extents);
  fleeting_add (region, hostaddrs, sizes, kinds);
  for (size_t i = 0; i < mapnum; i++)
    {
      const struct truth *t = truth_find ((uintptr_t) hostaddrs[i]);
      if (t && is_memory (region, (unsigned) i, kinds[i]))
	extents[i] = (struct ummgr_hint_extent) {
	  (uintptr_t) hostaddrs[i] - t->address, t->size
	};
    }
  bool known = ummgr_hints_evaluate (region, hostaddrs, sizes, NULL, part)
	       & ummgr_hints_evaluate (region, hostaddrs, sizes, extents,
				       whole);
  truth_begin ();
  next (device, fn, mapnum, hostaddrs, sizes, kinds, flags, depend, args);
  uint64_t elsewhere = truth_end ();
  /* What GCC itself allocates for a scan or a reduction of tasks is no object.  */
  if (elsewhere && !form_open ())
    complain (region, NULL, "%" PRIu64 " accesses to no object", elsewhere);
  if (!known && mapnum)
    complain (region, NULL, "nothing is known");
  launch_compare (region, device != HOST_FALLBACK, hostaddrs, sizes, kinds, part, whole);
  truth_forget (true);
  free (part);
  free (whole);
  free (extents);
}

/* --- what programs call ----------------------------------------------------*/

void
use_program (unsigned long seed, int affine, int constant)
{
  if (program_count == PROGRAMS)
    abort ();
  programs[program_count++] = (struct program_counts) {
    .seed = seed, .affine = affine, .constant = constant
  };
  before = NULL;
}

static void
fill (void *object, size_t size, unsigned type)
{
  static const size_t sizes[] = { 1, 2, 4, 8, 4, 8, 12, 24 };
  for (size_t i = 0; i < size / sizes[type]; i++)
    {
      char *p = (char *) object + i * sizes[type];
      int v = (int) (i * 7 % 23);
      switch (type)
	{
	case 4: { float f = (float) v; memcpy (p, &f, sizeof f); break; }
	case 5: { double d = v; memcpy (p, &d, sizeof d); break; }
	case 6: { struct use_pair s = { v, (float) v, (short) v }; memcpy (p, &s, sizeof s); break; }
	case 7: { struct use_body s = { v, { v, v, v } }; memcpy (p, &s, sizeof s); break; }
	default: { long n = v; memcpy (p, &n, sizes[type]); }
	}
    }
}

void *
use_new (const char *name, size_t size, unsigned type)
{
  void *object = malloc (size);
  if (!object)
    abort ();
  fill (object, size, type);
  truth_add (name, object, size, false);
  return object;
}

void
use_static (const char *name, void *object, size_t size, unsigned type, int own)
{
  fill (object, size, type);
  truth_add (name, object, size, false)->own = own;
}

void
use_indices (int *a, long count, long range)
{
  for (long i = 0; i < count; i++)
    a[i] = (int) ((i * 5 + 3) % range);
}

void
use_starts (int *a, long count, long step)
{
  for (long i = 0; i < count; i++)
    a[i] = (int) (i * step);
}

void
use_release (void)
{
  truth_forget (false);
}

long
use_value (long v)
{
  return v;
}

void
use_trip (long trip)
{
  trip_expected = trip;
}

/* The frequency of REGION, of program P, which was launched TIMES.  */
static void
frequency_compare (const struct ummgr_table_region *region, unsigned p,
		   uint64_t times)
{
  double frequency = ummgr_flow_frequency (region);
  unsigned flags = ummgr_flow_flags (region);
  bool exact = !isnan (frequency) && (flags & UMMGR_FLOW_EXACT);
  bool counted = flags & UMMGR_FLOW_COUNTED;
  programs[p].regions++;
  programs[p].frequencies += exact;
  programs[p].counted += counted;
  if (!exact && !counted)
    return;
  unsigned current = program_count;
  program_count = p + 1;
  if (!about (frequency, (double) times))
    complain (region, NULL, "%s %g launches, but %" PRIu64,
	      counted ? "counted" : "exactly", frequency, times);
  program_count = current;
}

static uint64_t
region_times (const struct ummgr_table_region *region)
{
  for (unsigned j = 0; j < launched_count; j++)
    if (launched[j].region == region)
      return launched[j].times;
  return 0;
}

/* Write how the conditions of the region with ID came out.  */
static void
decided_write (FILE *out, uint64_t id)
{
  const struct decided *d;
  bool any = false;
  for (unsigned i = 0; (d = truth_decided (i)); i++)
    if (d->region == id)
      {
	fprintf (out, "%s{ \"code\": %" PRIu64 ", \"number\": %" PRIu64 ", \"times\": %" PRIu64
		 ", \"held\": %" PRIu64 " }", any ? ",\n  " : ", \"decided\": [\n  ",
		 d->place >> 32, d->place & 0xffffffffu, d->times, d->held);
	any = true;
      }
  fputs (any ? " ] }" : " }", out);
}

/* Write the launches of UNIT's regions as statistics have them.  */
static void
counts_write (FILE *out, const struct ummgr_table_unit *unit)
{
  for (size_t i = 0; i < unit->region_count; i++)
    {
      const struct ummgr_table_region *r = &unit->regions[i];
      fprintf (out, "%s{ \"unit\": \"%s\", \"function\": \"%s\", \"ordinal\": %u, "
	       "\"checksum\": %" PRIu32 ", \"times\": %" PRIu64, i ? ",\n" : "",
	       unit->name, r->count.function, r->count.ordinal, r->count.checksum,
	       region_times (r));
      decided_write (out, ummgr_region_id (unit->name, r->count.function, r->count.ordinal,
					   r->count.checksum));
    }
}

static void
regions_compare (const struct ummgr_table_unit *unit)
{
  for (size_t i = 0; i < unit->region_count; i++)
    {
      const struct ummgr_table_region *region = &unit->regions[i];
      unsigned p, n;
      /* C++ says what it returns, too.  */
      const char *name = region->in_function;
      name += strncmp (name, "void ", 5) == 0 ? 5 : 0;
      if (sscanf (name, "p%u_f%u", &p, &n) != 2 || p >= program_count)
	continue;
      frequency_compare (region, p, region_times (region));
    }
}

int
use_end (void)
{
  size_t n;
  const struct ummgr_table_unit **units = ummgr_tables_units (&n);
  for (size_t i = 0; i < n; i++)
    regions_compare (units[i]);
  sums_compare ();
  const char *counts = getenv ("RANDOM_USE_COUNTS");
  FILE *out = counts && n == 1 ? fopen (counts, "w") : NULL;
  if (out)
    {
      fputs ("{ \"launched\": [\n", out);
      counts_write (out, units[0]);
      fputs ("\n] }\n", out);
      fclose (out);
    }
  free (units);
  form_end ();
  for (unsigned i = 0; i < program_count; i++)
    {
      const struct program_counts *p = &programs[i];
      printf ("program %lu affine %d exact %u estimated %u unknown %u constant %d "
	      "regions %u frequencies %u counted %u statics %u shares %u wrong %u\n", p->seed, p->affine,
	      p->exact, p->estimated, p->unknown, p->constant, p->regions,
	      p->frequencies, p->counted, p->statics, p->shares, p->complaints);
    }
  return failed;
}
