/* How regions use their arguments, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Formulas name the region's arguments as the source does.  Where they depend on
   none of them, and the size is known, what a launch would get is shown as a
   number.  No state.  */

#include "config.h"
#include "cli/tables.h"

#include "cli/cli.h"
#include "hints/hints.h"
#include "ummgr-table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 12 };		/* Bytes of an argument's number as text.  */

/* The names of REGION's arguments, malloc'ed; numbers of those that GCC made.  */
static const char **
names_get (const struct ummgr_table_region *region)
{
  const char **names = calloc (region->arg_count + 1, sizeof *names + NUMBER);
  char *number = (char *) (names + region->arg_count);
  for (unsigned i = 0; names && i < region->arg_count; i++, number += NUMBER)
    {
      snprintf (number, NUMBER, "#%u", i);
      names[i] = *region->args[i].name ? region->args[i].name : number;
    }
  return names;
}

char *
ummgr_cli_code_text (const struct ummgr_table_region *region,
		     const unsigned char *code, bool zero)
{
  if (!code && zero)
    return strdup ("0");
  const char **names = names_get (region);
  char *text = names ? ummgr_code_text (code, names, region->fields, region->field_count) : NULL;
  free (names);
  return text;
}

/* Write a term K * the counts of N dimensions, DIMS (those of one iteration only,
   unless ALL) to OUT.  */
static void
term_write (FILE *out, const struct ummgr_table_region *region,
	    const struct ummgr_table_dim *dims, unsigned n, double k, bool all)
{
  bool any = false;
  if (k != 1)
    {
      fprintf (out, "%.4g", k);
      any = true;
    }
  for (unsigned i = 0; i < n; i++)
    {
      char *text = ummgr_cli_code_text (region, dims[i].count, false);
      bool one = text && strcmp (text, "1") == 0;
      bool sum = text && strchr (text, ' ');
      if (text && !one && (all || !dims[i].shared))
	{
	  fprintf (out, sum ? "%s(%s)" : "%s%s", any ? "*" : "", text);
	  any = true;
	}
      free (text);
    }
  if (!any)
    fputc ('1', out);
}

/* The sum over USE's references: accesses, or their bytes.  */
static char *
sum_text (const struct ummgr_table_region *region, const struct ummgr_table_use *use, bool bytes,
	  bool all)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return NULL;
  /* Alike ones are counted, not repeated.  */
  for (unsigned j = 0; j < use->ref_count; j++)
    {
      const struct ummgr_table_ref *ref = &use->refs[j];
      double k = bytes ? ref->frequency * ref->element_size : ref->frequency;
      if (j)
	fputs (" + ", out);
      term_write (out, region, ref->dims, ref->dim_count, k, all);
    }
  if (!use->ref_count)
    fputc ('0', out);
  if (fclose (out) != 0)
    {
      free (text);
      return NULL;
    }
  return text;
}

static bool
use_is_exact (const struct ummgr_table_use *use)
{
  bool exact = !(use->flags & UMMGR_USE_UNKNOWN);
  for (unsigned i = 0; i < use->ref_count; i++)
    exact &= (use->refs[i].flags & (UMMGR_REF_EXACT | UMMGR_REF_SLOPED)) != 0;
  return exact;
}

/* Is what of USE is not exact as runs were counted?  */
static bool
use_is_counted (const struct ummgr_table_use *use)
{
  bool counted = !(use->flags & UMMGR_USE_UNKNOWN);
  for (unsigned i = 0; i < use->ref_count; i++)
    counted &= (use->refs[i].flags & (UMMGR_REF_EXACT | UMMGR_REF_SLOPED | UMMGR_REF_COUNTED)) != 0;
  return counted && !use_is_exact (use);
}

static const char *
use_kind (const struct ummgr_table_use *use)
{
  return use->flags & UMMGR_USE_UNKNOWN ? "unknown" : use_is_exact (use) ? "exact"
	 : use_is_counted (use) ? "counted" : "estimated";
}

static const char *
trip_kind (const struct ummgr_table_region *region)
{
  return region->trip_exact ? "exact" : region->trip_counted ? "counted" : "estimated";
}

static const char *
ref_kind (const struct ummgr_table_ref *ref)
{
  return ref->flags & (UMMGR_REF_EXACT | UMMGR_REF_SLOPED) ? "exact"
	 : ref->flags & UMMGR_REF_COUNTED && ref->flags & UMMGR_REF_AFFINE ? "counted"
	 : ref->flags & UMMGR_REF_AFFINE ? "estimated"
	 : ref->flags & UMMGR_REF_DATA ? "data-dependent" : "unknown";
}

/* What any launch of REGION gets, where the arguments don't matter.  */
static bool
constant_hint (const struct ummgr_table_region *region, unsigned i,
	       struct ummgr_hint *out)
{
  static const struct ummgr_code_inputs_used none;
  if (memcmp (&region->inputs, &none, sizeof none) != 0 || !region->args[i].size)
    return false;
  unsigned n = region->arg_count;
  struct ummgr_hint *hints = calloc (n, sizeof *hints);
  void **hostaddrs = calloc (n, sizeof *hostaddrs);
  size_t *sizes = calloc (n, sizeof *sizes);
  bool good = hints && hostaddrs && sizes;
  for (unsigned j = 0; good && j < n; j++)
    sizes[j] = region->args[j].size;
  good = good && ummgr_hints_evaluate (region, hostaddrs, sizes, NULL, hints);
  if (good)
    *out = hints[i];
  free (hints);
  free (hostaddrs);
  free (sizes);
  return good && out->known;
}

void
ummgr_cli_print_trip (const struct ummgr_table_region *region)
{
  if (!region->trip)
    return;
  char *text = ummgr_cli_code_text (region, region->trip, false);
  printf ("      trip count %s, %s\n", text ? text : "-",
	  trip_kind (region));
  free (text);
}

/* What of REGION's nests lies at OFFSET, for one iteration.  */
static char *
ops_text (const struct ummgr_table_region *region, size_t offset)
{
  char *text = NULL;
  size_t size;
  bool any = false;
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return NULL;
  for (unsigned i = 0; i < region->ops_count; i++)
    {
      const struct ummgr_table_ops *ops = &region->ops[i];
      double k = *(const double *) ((const char *) ops + offset);
      if (k == 0)
	continue;
      if (any)
	fputs (" + ", out);
      term_write (out, region, ops->dims, ops->dim_count, k, false);
      any = true;
    }
  if (!any)
    fputc ('0', out);
  if (fclose (out) != 0)
    {
      free (text);
      return NULL;
    }
  return text;
}

/* What is counted of operations.  */
static const struct
{
  const char *name;
  size_t offset;
} ops_kinds[] = {
  { "flops", offsetof (struct ummgr_table_ops, flops) },
  { "integers", offsetof (struct ummgr_table_ops, integers) },
  { "loads", offsetof (struct ummgr_table_ops, loads) },
  { "stores", offsetof (struct ummgr_table_ops, stores) }
};
enum { OPS_KINDS = sizeof ops_kinds / sizeof *ops_kinds };

void
ummgr_cli_print_ops (const struct ummgr_table_region *region)
{
  if (!region->ops_count)
    return;
  printf ("      operations per iteration:");
  for (int i = 0; i < OPS_KINDS; i++)
    {
      char *text = ops_text (region, ops_kinds[i].offset);
      printf ("%s %s %s", i ? "," : "", ops_kinds[i].name, text ? text : "-");
      free (text);
    }
  putchar ('\n');
}

static void
print_ref (const struct ummgr_table_region *region,
	   const struct ummgr_table_ref *ref)
{
  printf ("            ");
  if (ref->line)
    printf ("line %u: ", ref->line);
  printf ("%s", !(ref->flags & UMMGR_REF_WRITE) ? "reads"
		: ref->flags & UMMGR_REF_READ ? "reads and writes" : "writes");
  if (ref->element_size)
    printf (" %" PRIu32 " byte%s", ref->element_size,
	    ref->element_size == 1 ? "" : "s");
  if (ref->flags & UMMGR_REF_AFFINE)
    {
      char *base = ummgr_cli_code_text (region, ref->base, false);
      printf (" at %s", base ? base : "-");
      free (base);
    }
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      const struct ummgr_table_dim *dim = &ref->dims[i];
      char *stride = ummgr_cli_code_text (region, dim->stride, true);
      char *count = ummgr_cli_code_text (region, dim->extent, false);
      if (!dim->stride)
	printf ("; %s times", count ? count : "-");
      else
	printf ("; stride %s, %s times", stride ? stride : "-",
		count ? count : "-");
      if (dim->shared)
	printf (" (shared)");
      free (stride);
      free (count);
    }
  if (ref->frequency != 1)
    printf ("; frequency %.4g", ref->frequency);
  bool data = ref->flags & UMMGR_REF_COUNTED && !(ref->flags & UMMGR_REF_AFFINE);
  printf ("; %s%s\n", ref_kind (ref), data ? ", counted" : "");
}

/* Each reason once.  */
static void
print_why (const struct ummgr_table_use *use)
{
  if (*use->why)
    printf ("          %s\n", use->why);
  for (unsigned i = 0; i < use->ref_count; i++)
    {
      bool before = strcmp (use->refs[i].why, use->why) == 0;
      for (unsigned j = 0; j < i; j++)
	before |= strcmp (use->refs[i].why, use->refs[j].why) == 0;
      if (*use->refs[i].why && !before)
	printf ("          %s\n", use->refs[i].why);
    }
}

/* What REGION does with what USE is of; false if it doesn't use it.  */
static bool
print_summary (const struct ummgr_table_region *region, const struct ummgr_table_use *use)
{
  bool read = use->flags & UMMGR_USE_READ;
  bool written = use->flags & UMMGR_USE_WRITE;
  if (!read && !written)
    return false;
  char *locality = sum_text (region, use, false, true);
  char *bytes = sum_text (region, use, true, false);
  printf ("          %s, %s\n", !written ? "read" : read ? "read and written"
							 : "written",
	  use_kind (use));
  if (use->ref_count)
    printf ("          locality %s; bytes per iteration %s\n",
	    locality ? locality : "-", bytes ? bytes : "-");
  free (locality);
  free (bytes);
  return true;
}

void
ummgr_cli_print_use (const struct ummgr_table_region *region, unsigned i)
{
  const struct ummgr_table_use *use = &region->args[i].use;
  if (!(use->flags & UMMGR_USE_ANALYSED))
    return;
  /* What is passed by value has no memory.  */
  if (!print_summary (region, use))
    return;
  struct ummgr_hint hint;
  if (constant_hint (region, i, &hint))
    {
      if (hint.density >= 0)
	printf ("          density %.4g (SC'19's %.4g)\n", hint.density,
		hint.density_sc19);
      if (hint.hi)
	printf ("          footprint [%" PRIu64 ", %" PRIu64 ")\n", hint.lo,
		hint.hi);
    }
  for (unsigned j = 0; j < use->ref_count; j++)
    print_ref (region, &use->refs[j]);
  print_why (use);
}

json_t *
ummgr_cli_json_text (char *text)
{
  json_t *out = text ? json_string (text) : json_null ();
  free (text);
  return out;
}

json_t *
ummgr_cli_json_trip (const struct ummgr_table_region *region)
{
  if (!region->trip)
    return json_null ();
  return json_pack ("{s:o, s:b, s:b}", "count",
		    ummgr_cli_json_text (ummgr_cli_code_text (region, region->trip, false)),
		    "exact", region->trip_exact, "counted", region->trip_counted);
}

json_t *
ummgr_cli_json_ops (const struct ummgr_table_region *region)
{
  if (!region->ops_count)
    return json_null ();
  json_t *out = json_object ();
  for (int i = 0; i < OPS_KINDS; i++)
    json_object_set_new (out, ops_kinds[i].name,
			 ummgr_cli_json_text (ops_text (region, ops_kinds[i].offset)));
  return out;
}

static json_t *
json_ref (const struct ummgr_table_region *region,
	  const struct ummgr_table_ref *ref)
{
  json_t *dims = json_array ();
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      const struct ummgr_table_dim *d = &ref->dims[i];
      json_array_append_new (
	dims, json_pack ("{s:o, s:o, s:o, s:b}", "stride",
			 ummgr_cli_json_text (ummgr_cli_code_text (region, d->stride, true)),
			 "count", ummgr_cli_json_text (ummgr_cli_code_text (region, d->count, 0)),
			 "extent", ummgr_cli_json_text (ummgr_cli_code_text (region, d->extent, 0)),
			 "shared", d->shared));
    }
  return json_pack (
    "{s:i, s:b, s:b, s:i, s:f, s:s, s:b, s:o, s:o, s:o}", "line", (int) ref->line,
    "read", (ref->flags & UMMGR_REF_READ) != 0, "written",
    (ref->flags & UMMGR_REF_WRITE) != 0, "element_size",
    (int) ref->element_size, "frequency", ref->frequency, "kind",
    ref_kind (ref), "counted", (ref->flags & UMMGR_REF_COUNTED) != 0, "base",
    ref->flags & UMMGR_REF_AFFINE
      ? ummgr_cli_json_text (ummgr_cli_code_text (region, ref->base, false)) : json_null (),
    "dimensions", dims, "why", *ref->why ? json_string (ref->why)
					 : json_null ());
}

json_t *
ummgr_cli_json_use (const struct ummgr_table_region *region, unsigned i)
{
  const struct ummgr_table_use *use = &region->args[i].use;
  if (!(use->flags & UMMGR_USE_ANALYSED))
    return json_null ();
  json_t *refs = json_array ();
  for (unsigned j = 0; j < use->ref_count; j++)
    json_array_append_new (refs, json_ref (region, &use->refs[j]));
  struct ummgr_hint hint = UMMGR_HINT_UNKNOWN;
  bool constant = constant_hint (region, i, &hint);
  return json_pack (
    "{s:b, s:b, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "read",
    (use->flags & UMMGR_USE_READ) != 0, "written",
    (use->flags & UMMGR_USE_WRITE) != 0, "unknown",
    (use->flags & UMMGR_USE_UNKNOWN) != 0, "exact", use_is_exact (use),
    "counted", use_is_counted (use), "locality", ummgr_cli_json_text (sum_text (region, use, false, true)),
    "bytes_per_iteration", ummgr_cli_json_text (sum_text (region, use, true, false)),
    "density", constant && hint.density >= 0 ? json_real (hint.density)
					     : json_null (),
    "references", refs, "why", *use->why ? json_string (use->why)
					 : json_null ());
}

void
ummgr_cli_print_members (const struct ummgr_table_region *region)
{
  for (unsigned i = 0; i < region->member_count; i++)
    {
      const struct ummgr_table_member *member = &region->members[i];
      const char *name = ummgr_hints_member_name (region, i);
      printf ("        behind the pointer %s%sat %" PRIu32 " of %u %s:%s%s%s\n", name,
	      *name ? ", " : "", member->offset, member->arg, region->args[member->arg].name,
	      member->use.flags & UMMGR_USE_READ ? " read" : "",
	      member->use.flags & UMMGR_USE_WRITE ? " written" : "",
	      member->use.flags & UMMGR_USE_UNKNOWN ? " unknown" : "");
      for (unsigned k = 0; k < member->use.ref_count; k++)
	print_ref (region, &member->use.refs[k]);
    }
}

void
ummgr_cli_print_statics (const struct ummgr_table_region *region)
{
  for (unsigned i = 0; i < region->static_count; i++)
    {
      const struct ummgr_table_static *variable = &region->statics[i];
      printf ("        the device's own %s", variable->name);
      if (variable->size)
	printf (", %" PRIu64 " bytes", variable->size);
      if (*variable->file)
	printf (", declared at %s:%u", variable->file, variable->line);
      putchar ('\n');
      if (!print_summary (region, &variable->use))
	continue;
      for (unsigned k = 0; k < variable->use.ref_count; k++)
	print_ref (region, &variable->use.refs[k]);
      print_why (&variable->use);
    }
}

json_t *
ummgr_cli_json_statics (const struct ummgr_table_region *region)
{
  json_t *out = json_array ();
  for (unsigned i = 0; i < region->static_count; i++)
    {
      const struct ummgr_table_static *variable = &region->statics[i];
      const struct ummgr_table_use *use = &variable->use;
      json_t *refs = json_array ();
      for (unsigned k = 0; k < use->ref_count; k++)
	json_array_append_new (refs, json_ref (region, &use->refs[k]));
      json_array_append_new (
	out, json_pack ("{s:o, s:o, s:i, s:I, s:b, s:b, s:b, s:b, s:b, s:o, s:o}", "name",
			ummgr_json_text (variable->name), "file",
			ummgr_json_text (variable->file), "line", (int) variable->line, "size",
			(json_int_t) variable->size, "read", (use->flags & UMMGR_USE_READ) != 0,
			"written", (use->flags & UMMGR_USE_WRITE) != 0, "unknown",
			(use->flags & UMMGR_USE_UNKNOWN) != 0, "exact", use_is_exact (use),
			"counted", use_is_counted (use), "references", refs, "why",
			*use->why ? json_string (use->why) : json_null ()));
    }
  return out;
}
