/* Reasons as text, each kept once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Statistics name the last reason of every object, so none is ever given
   back; a program whose reasons never repeat gets the literal ones from a
   point on.  */

#include "config.h"
#include "policy/reasons.h"

#include <stdlib.h>
#include <string.h>

#define REASONS_MAX 4096

static uint64_t
hash (const char *text)
{
  uint64_t h = UINT64_C (0xcbf29ce484222325);
  for (; *text; text++)
    h = (h ^ (unsigned char) *text) * UINT64_C (0x100000001b3);
  return h;
}

static char **
find (const struct ummgr_reasons *reasons, const char *text)
{
  size_t i = hash (text) & (reasons->slots - 1);
  while (reasons->texts[i] && strcmp (reasons->texts[i], text) != 0)
    i = (i + 1) & (reasons->slots - 1);
  return &reasons->texts[i];
}

const char *
ummgr_reasons_keep (struct ummgr_reasons *reasons, const char *text,
		    const char *fallback)
{
  if (!reasons->texts)
    {
      reasons->texts = calloc (2 * REASONS_MAX, sizeof *reasons->texts);
      if (!reasons->texts)
	return fallback;
      reasons->slots = 2 * REASONS_MAX;
    }
  char **slot = find (reasons, text);
  if (!*slot && reasons->count < REASONS_MAX && (*slot = strdup (text)))
    reasons->count++;
  return *slot ? *slot : fallback;
}

void
ummgr_reasons_free (struct ummgr_reasons *reasons)
{
  for (size_t i = 0; i < reasons->slots; i++)
    free (reasons->texts[i]);
  free (reasons->texts);
  memset (reasons, 0, sizeof *reasons);
}
