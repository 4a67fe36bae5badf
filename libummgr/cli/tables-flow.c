/* How often regions are launched and what follows them, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The tables of one object are composed as if they were the program: of an
   object that is not linked what is outside it is not known.  No state.  */

#include "config.h"
#include "cli/tables.h"

#include "cli/cli.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdio.h>

struct ummgr_flow *
ummgr_cli_flow_new (const struct ummgr_cli_object *object)
{
  return ummgr_flow_new ((const struct ummgr_table_unit *const *)
			 object->units, object->unit_count);
}

/* So many lines for a region's launches that are not counted; JSON has all.  */
enum { UNCOUNTED_MOST = 8 };

static const struct
{
  unsigned flag;
  const char *name;
} flags[] = {
  { UMMGR_FLOW_EXACT, "exact" },
  { UMMGR_FLOW_COUNTED, "counted" },
  { UMMGR_FLOW_RECURSIVE, "recursive" },
  { UMMGR_FLOW_CLAMPED, "clamped" },
  { UMMGR_FLOW_ASSUMED, "assumed" },
  { UMMGR_FLOW_UNFINISHED, "unfinished" }
};

/* Call FUNCTION for each region that may follow FROM.  */
static void
followers_each (struct ummgr_flow *flow, const struct ummgr_cli_object *object,
		const struct ummgr_table_region *from,
		void (*function) (const struct ummgr_table_region *to,
				  double distance, double p, void *data),
		void *data)
{
  for (size_t i = 0; i < object->unit_count; i++)
    for (size_t j = 0; j < object->units[i]->region_count; j++)
      {
	const struct ummgr_table_region *to = &object->units[i]->regions[j];
	double p;
	double distance = ummgr_flow_distance_in (flow, from, to, &p);
	if (isfinite (distance))
	  function (to, distance, p, data);
      }
}

static void
print_follower (const struct ummgr_table_region *to, double distance, double p,
		void *data)
{
  (void) data;
  printf ("      then %s after %.4g launch%s, probability %.4g\n", to->name,
	  distance, distance > 0.99995 && distance < 1.00005 ? "" : "es", p);
}

/* A call that may launch a region, of which that is not counted.  */
static void
print_uncounted (const struct ummgr_table_taken *by, const struct ummgr_table_call *call,
		 void *data)
{
  unsigned *count = data;
  if (++*count > UNCOUNTED_MOST)
    return;
  printf ("      not counted: launches by way of %s, if the %s at %s:%u in %s leads there\n",
	  by->function, call->kind == UMMGR_CALL_VIRTUAL ? "virtual call"
						       : "call through a pointer",
	  *call->file ? call->file : "-", call->line, *call->function ? call->function : "-");
}

static void
print_all_uncounted (const struct ummgr_flow *flow, const struct ummgr_table_region *region)
{
  unsigned count = 0;
  if (flow)
    ummgr_flow_uncounted (flow, region, print_uncounted, &count);
  if (count > UNCOUNTED_MOST)
    printf ("      not counted: launches by %u calls more\n", count - UNCOUNTED_MOST);
}

void
ummgr_cli_print_flow (struct ummgr_flow *flow,
		      const struct ummgr_cli_object *object,
		      const struct ummgr_table_region *region)
{
  double frequency = flow ? ummgr_flow_frequency_in (flow, region) : NAN;
  if (isnan (frequency))
    {
      print_all_uncounted (flow, region);
      return;
    }
  unsigned set = ummgr_flow_flags_in (flow, region);
  printf ("      launched %.6g times a run", frequency);
  if (!(set & (UMMGR_FLOW_EXACT | UMMGR_FLOW_COUNTED)))
    fputs (", estimated", stdout);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (set & flags[i].flag)
      printf (", %s", flags[i].name);
  if (region->flags & UMMGR_REGION_ELSEWHERE)
    fputs (", some perhaps on the host", stdout);
  putchar ('\n');
  print_all_uncounted (flow, region);
  followers_each (flow, object, region, print_follower, NULL);
}

static void
json_uncounted (const struct ummgr_table_taken *by, const struct ummgr_table_call *call,
		void *data)
{
  static const char *const kinds[] = UMMGR_CALL_KIND_NAMES;
  json_t *out = json_object ();
  json_object_set_new (out, "by", ummgr_json_text (by->function));
  json_object_set_new (out, "call", json_string (kinds[call->kind]));
  json_object_set_new (out, "file", ummgr_json_text (call->file));
  json_object_set_new (out, "line", json_integer (call->line));
  json_object_set_new (out, "function", ummgr_json_text (call->function));
  json_array_append_new (data, out);
}

json_t *
ummgr_cli_json_uncounted (const struct ummgr_flow *flow,
			  const struct ummgr_table_region *region)
{
  json_t *out = json_array ();
  if (flow)
    ummgr_flow_uncounted (flow, region, json_uncounted, out);
  return out;
}

static void
json_follower (const struct ummgr_table_region *to, double distance, double p,
	       void *data)
{
  json_array_append_new (data, json_pack ("{s:s, s:f, s:f}", "region",
					  to->name, "distance", distance,
					  "probability", p));
}

json_t *
ummgr_cli_json_flow (struct ummgr_flow *flow,
		     const struct ummgr_cli_object *object,
		     const struct ummgr_table_region *region)
{
  double frequency = flow ? ummgr_flow_frequency_in (flow, region) : NAN;
  if (isnan (frequency))
    return json_null ();
  unsigned set = ummgr_flow_flags_in (flow, region);
  json_t *out = json_object (), *next = json_array ();
  json_object_set_new (out, "frequency", json_real (frequency));
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    json_object_set_new (out, flags[i].name,
			 json_boolean (set & flags[i].flag));
  followers_each (flow, object, region, json_follower, next);
  json_object_set_new (out, "next", next);
  return out;
}
