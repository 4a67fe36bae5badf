/* `ummgr advise`: the changes of a traced program that bring most.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "advise/advise.h"
#include "advise/runs.h"
#include "base/log.h"
#include "cli/advise.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/remedies.h"

#include <jansson.h>
#include <stddef.h>

enum { SHOWN = 5 };

struct arguments
{
  bool all, json, untried, anyway;
  uint64_t patch;
};

#define ROW(NAME, FIELD, HELP) UMMGR_OPTION (NAME, FLAG, struct arguments, FIELD, HELP)

const struct ummgr_option ummgr_advise_rows[] = {
  ROW ("all", all, "not only five, and those that bring a hundredth of the first"),
  ROW ("json", json, "one JSON object, of all"),
  ROW ("no-replay", untried, "don't try by replay which advice to the driver, policy, option or card would help"),
  ROW ("replay", anyway,
       "try it even where the launches are in a GPU's order, which takes minutes"),
  UMMGR_OPTION ("patch", COUNT, struct arguments, patch,
		"only the change of that number, as a patch that git apply takes"),
  { .name = NULL }
};

static const char doc[]
  = "Tell which few changes of a program bring most, in order: what to write, for which "
    "constructs, and how many bytes and seconds it brings, from the trace of a run (ummgr run "
    "--trace=FILE; --trace-level=copies will do for any program).\vSeconds are modelled: those "
    "of copies that need not be made, or, of advice to the driver, what a replay of the trace "
    "takes less. Which policy, option or card would help without a change of the source is tried by replay, too.";

/* The change of number A->patch.  */
static bool
print_patch (const struct ummgr_advice *advice, const struct arguments *a)
{
  const char *file = advice->diagnosis->path;
  const struct ummgr_change *c = a->patch <= advice->count ? &advice->changes[a->patch - 1] : NULL;
  if (!c)
    ummgr_error ("advise: --patch=%u: %s has %zu changes", (unsigned) a->patch, file, advice->count);
  else if (!c->patch)
    ummgr_error ("advise: --patch=%u: there is no patch, for %s", (unsigned) a->patch,
		 c->unpatched ? c->unpatched : "the source needn't change: see the command");
  return c && c->patch && fputs (c->patch, stdout) >= 0 && fflush (stdout) == 0;
}

static bool
print (const struct ummgr_advice *advice, const struct arguments *a)
{
  enum { DIGITS = 15 };
  if (a->patch)
    return print_patch (advice, a);
  if (a->json)
    return ummgr_json_put (ummgr_advice_json (advice), DIGITS);
  ummgr_advice_text (stdout, advice, a->all ? 0 : SHOWN);
  return true;
}

int
ummgr_cli_advise (int argc, char **argv)
{
  struct arguments a = { 0 };
  struct ummgr_cli_files files = { .what = "trace", .usage = "[TRACE]", .most = 1,
				    .fallback = ummgr_last_trace };
  if (!ummgr_cli_parse (ummgr_advise_rows, &a, &files, doc, argc, argv))
    return UMMGR_EXIT_FAILURE;
  const char *file = files.name[0];
  static const struct ummgr_options as_recorded;
  struct ummgr_diagnosis *d = ummgr_diagnose (file, NULL);
  if (!d)
    return UMMGR_EXIT_FAILURE;
  struct ummgr_runs runs = { .count = 0 };
  if (!a.untried)
    {
      ummgr_remedies_try (d, &as_recorded, a.anyway);
      ummgr_cli_runs_try (d, a.anyway, &runs);
    }
  struct ummgr_advice *advice = ummgr_cli_advice (d, true);
  if (!advice)
    ummgr_error ("advise: %s: not enough memory", file);
  else if (!a.untried)
    advice->runs = &runs;
  bool good = advice && print (advice, &a) && !d->cut;
  ummgr_advice_free (advice);
  ummgr_diagnosis_free (d);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
