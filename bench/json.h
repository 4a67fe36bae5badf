/* Reading what ummgr wrote, for programs that make tables of it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "common.h"

#include <jansson.h>

/* The JSON in the file PATH; the caller's.  Fatal on error.  */
static inline json_t *
bench_json_load (const char *path)
{
  json_error_t error;
  json_t *json = json_load_file (path, 0, &error);
  if (!json)
    bench_fatal ("%s, line %d: %s", path, error.line, error.text);
  return json;
}
