/* Text that need not be UTF-8, such as a file's name, for JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/utf8.h"

#include <jansson.h>
#include <stdlib.h>

/* TEXT, made printable; null for NULL, or without memory.  A new reference.  Here and not in a file
   of its own, since what links base need not link jansson.  */
static inline json_t *
ummgr_json_string (const char *text)
{
  char *clean = text ? ummgr_utf8_copy (text) : NULL;
  json_t *json = clean ? json_string (clean) : json_null ();
  free (clean);
  return json;
}
