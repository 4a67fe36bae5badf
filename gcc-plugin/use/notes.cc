/* What the plugin recognised, as notes of GCC's own -fopt-info.
   SPDX-License-Identifier: GPL-3.0-or-later

   The plugin's passes belong to GCC's group `omp', so -fopt-info-omp and
   -fopt-info-optall show them (and -fopt-info-vec doesn't): `optimized' says
   what a region does with an argument, `missed' why that is not known better,
   and `note' lists each reference.  With -fplugin-arg-ummgr-dump the same
   stands in the dump.  Holds no state.  */

#include "use/use.h"

static void ATTRIBUTE_PRINTF_3
note (dump_flags_t kind, location_t location, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *text = xvasprintf (format, args);
  va_end (args);
  dump_printf_loc (kind, dump_user_location_t::from_location_t (location),
		   "%s\n", text);
  free (text);
}

/* A sum of polynomials, each with a factor.  */
struct sum_part
{
  use_poly of;
  double factor;
};

/* Bytes of REF, in one iteration of the work-shared loop if there is one.  */
static void
bytes_add (vec<sum_part> *sum, const use_ref *ref, bool *shared)
{
  sum_part part = { use_const (1), ref->frequency * ref->size };
  for (unsigned i = 0; i < ref->dims.length (); i++)
    if (ref->dims[i].shared)
      *shared = true;
    else
      part.of = use_mul (part.of, ref->dims[i].count);
  HOST_WIDE_INT k;
  if (use_is_const (part.of, &k))
    {
      part.factor *= k;
      part.of = use_const (1);
    }
  for (unsigned i = 0; i < sum->length (); i++)
    if (use_equal ((*sum)[i].of, part.of))
      {
	(*sum)[i].factor += part.factor;
	return;
      }
  sum->safe_push (part);
}

/* "4 + 8*m bytes an iteration", malloc'ed.  */
static char *
bytes_text (const use_region *region, unsigned arg)
{
  auto_vec<sum_part> sum;
  bool shared = false, exact = true;
  for (unsigned i = 0; i < region->refs.length (); i++)
    if (region->refs[i]->arg == arg)
      {
	bytes_add (&sum, region->refs[i], &shared);
	exact &= (region->refs[i]->flags & UMMGR_REF_EXACT) != 0;
      }
  char *text = xstrdup ("");
  for (unsigned i = 0; i < sum.length (); i++)
    {
      HOST_WIDE_INT k;
      char *of = use_is_const (sum[i].of, &k) ? xstrdup ("")
		 : use_poly_text (region, sum[i].of);
      const bool many = sum[i].of.n > 1;
      char *longer = xasprintf ("%s%s%.4g%s%s%s%s", text, i ? " + " : "",
				sum[i].factor, *of ? "*" : "",
				many ? "(" : "", of, many ? ")" : "");
      free (of);
      free (text);
      text = longer;
    }
  char *whole = xasprintf ("%s%s byte%s%s", exact ? "" : "about ", text,
			   strcmp (text, "1") == 0 ? "" : "s",
			   shared ? " an iteration" : "");
  free (text);
  return whole;
}

static const char *
words_of_access (unsigned flags)
{
  bool read = flags & UMMGR_USE_READ, write = flags & UMMGR_USE_WRITE;
  return read && write ? "read and written" : read ? "read"
	 : write ? "written" : "not used";
}

/* The least that is known of a reference to ARG.  */
static const char *
words_of_kind (const use_region *region, unsigned arg)
{
  unsigned all = UMMGR_REF_EXACT | UMMGR_REF_AFFINE, any = 0;
  for (unsigned i = 0; i < region->refs.length (); i++)
    if (region->refs[i]->arg == arg)
      {
	all &= region->refs[i]->flags;
	any |= region->refs[i]->flags;
      }
  return region->arg_flags[arg] & UMMGR_USE_UNKNOWN ? "unknown"
	 : all & UMMGR_REF_AFFINE ? "affine"
	 : any & UMMGR_REF_DATA ? "data-dependent" : "unknown";
}

static void
note_ref (const use_region *region, const use_ref *ref)
{
  const char *name = region->region->args[ref->arg].name;
  char *where = ref->flags & UMMGR_REF_AFFINE
		? use_poly_text (region, ref->base) : NULL;
  char *times = xstrdup ("");
  for (unsigned i = 0; i < ref->dims.length (); i++)
    {
      const use_ref_dim *dim = &ref->dims[i];
      char *stride = use_poly_text (region, dim->stride);
      char *count = use_poly_text (region, dim->count);
      char *longer = where
		     ? xasprintf ("%s; stride %s, %s times%s", times, stride,
				  count, dim->shared ? " (shared)" : "")
		     : xasprintf ("%s; %s times%s", times, count,
				  dim->shared ? " (shared)" : "");
      free (stride);
      free (count);
      free (times);
      times = longer;
    }
  note (MSG_NOTE, ref->location, "%s: %s %u byte%s%s%s%s; frequency %.4g, %s",
	name,
	!(ref->flags & UMMGR_REF_WRITE) ? "reads"
	: ref->flags & UMMGR_REF_READ ? "reads and writes" : "writes",
	ref->size, ref->size == 1 ? "" : "s", where ? " at " : "",
	where ? where : "", times, ref->frequency,
	ref->flags & UMMGR_REF_EXACT ? "exact"
	: ref->flags & UMMGR_REF_COUNTED ? "counted" : "estimated");
  free (times);
  free (where);
}

static void
note_arg (const use_region *region, unsigned arg)
{
  const ummgr_arg *a = &region->region->args[arg];
  location_t location = region->region->location;
  unsigned flags = region->arg_flags[arg], refs = 0;
  /* Values are passed whole and have no memory to speak of.  */
  if (a->map_kind == GOMP_MAP_FIRSTPRIVATE_INT || !*a->name)
    return;
  for (unsigned i = 0; i < region->refs.length (); i++)
    refs += region->refs[i]->arg == arg;
  if (refs)
    {
      char *bytes = bytes_text (region, arg);
      note (MSG_OPTIMIZED_LOCATIONS, location, "%s: %s, %s, %s", a->name,
	    words_of_access (flags), bytes, words_of_kind (region, arg));
      free (bytes);
    }
  else
    note (MSG_OPTIMIZED_LOCATIONS, location, "%s: %s%s", a->name,
	  words_of_access (flags),
	  flags & UMMGR_USE_UNKNOWN ? ", unknown" : "");
  if (region->arg_why[arg])
    note (MSG_MISSED_OPTIMIZATION, location, "%s: %s", a->name,
	  region->arg_why[arg]);
  for (unsigned i = 0; i < region->refs.length (); i++)
    {
      const use_ref *ref = region->refs[i];
      if (ref->arg != arg)
	continue;
      if (ref->why)
	note (MSG_MISSED_OPTIMIZATION, ref->location, "%s", ref->why);
      note_ref (region, ref);
    }
}

/* "target teams distribute parallel for", malloc'ed.  */
static char *
constructs_text (unsigned constructs)
{
  static const char *const names[] = UMMGR_CONSTRUCT_NAMES;
  char *text = xstrdup ("");
  for (unsigned i = 0; i < ARRAY_SIZE (names); i++)
    if (constructs & (1u << i))
      {
	char *longer = concat (text, *text ? " " : "", names[i], NULL);
	free (text);
	text = longer;
      }
  return text;
}

void
use_notes_write (const use_region *region)
{
  const ummgr_region *r = region->region;
  char *constructs = constructs_text (r->constructs);
  char *trip = region->trip_known ? use_poly_text (region, region->trip) : NULL;
  note (MSG_OPTIMIZED_LOCATIONS, r->location, "region %s in %s: %s%s%s%s",
	r->name, r->in_function, constructs, trip ? ", " : "",
	trip ? trip : "",
	!trip ? "" : region->trip_exact ? " iterations"
	: region->trip_counted ? " iterations (counted)" : " iterations (estimated)");
  if (!trip && r->constructs & (UMMGR_CONSTRUCT_FOR
				| UMMGR_CONSTRUCT_DISTRIBUTE))
    note (MSG_MISSED_OPTIMIZATION, r->location,
	  "region %s: number of iterations not known", r->name);
  free (constructs);
  free (trip);
  for (unsigned i = 0; i < region->arg_flags.length (); i++)
    note_arg (region, i);
}
