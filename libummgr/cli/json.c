/* What the subcommands' JSON has in common.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/cli.h"
#include "base/json-text.h"
#include "base/log.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

struct json_t *
ummgr_json_text (const char *text)
{
  return ummgr_json_string (*text ? text : NULL);
}

bool
ummgr_json_put (struct json_t *json, int digits)
{
  bool good = json
	      && !json_dumpf (json, stdout,
			      JSON_INDENT (1) | JSON_REAL_PRECISION (digits))
	      && putchar ('\n') != EOF;
  if (!json)
    ummgr_error ("not enough memory for the JSON");
  json_decref (json);
  return good;
}
