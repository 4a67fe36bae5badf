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
};

static const struct ummgr_option table[] = {
  { "all", UMMGR_OPTION_FLAG, offsetof (struct arguments, all), NULL, NULL,
    "not only the five that bring most", NULL, 0 },
  { "json", UMMGR_OPTION_FLAG, offsetof (struct arguments, json), NULL, NULL,
    "one JSON object, of all", NULL, 0 },
  { "no-replay", UMMGR_OPTION_FLAG, offsetof (struct arguments, untried), NULL, NULL,
    "don't try by replay which advice to the driver, policy, option or card would help", NULL, 0 },
  { "replay", UMMGR_OPTION_FLAG, offsetof (struct arguments, anyway), NULL, NULL,
    "try it even where the launches are in a GPU's order, which takes minutes", NULL, 0 },
  { .name = NULL }
};

static const char doc[]
  = "Tell which few changes of a program bring most, in order: what to write, for which "
    "constructs, and how many bytes and seconds it brings, from the trace of a run (ummgr run "
    "--trace=FILE; --trace-level=copies will do for any program).\vSeconds are modelled: those "
    "of copies that need not be made, or, of advice to the driver, what a replay of the trace "
    "takes less. Which policy, option or card would help without a change of the source is tried by replay, too.";

static bool
print (const struct ummgr_advice *advice, const struct arguments *a)
{
  enum { DIGITS = 15 };
  if (a->json)
    return ummgr_json_put (ummgr_advice_json (advice), DIGITS);
  ummgr_advice_text (stdout, advice, a->all ? 0 : SHOWN);
  return true;
}

int
ummgr_cli_advise (int argc, char **argv)
{
  struct arguments a = { 0 };
  struct ummgr_cli_files files = { .what = "trace", .usage = "TRACE", .most = 1 };
  if (!ummgr_cli_parse (table, &a, &files, doc, argc, argv))
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
  struct ummgr_advice *advice = ummgr_advise (d, ummgr_cli_around, d);
  if (!advice)
    ummgr_error ("advise: %s: not enough memory", file);
  else if (!a.untried)
    advice->runs = &runs;
  bool good = advice && print (advice, &a) && !d->cut;
  ummgr_advice_free (advice);
  ummgr_diagnosis_free (d);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
