/* "Did you mean ...?"
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "base/meant.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 };

static unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Letters to change between A and B, of N and M letters, at most LONGEST each.  */
static unsigned
distance (const char *a, size_t n, const char *b, size_t m)
{
  unsigned d[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= n; i++)
    for (size_t j = 0; j <= m; j++)
      {
	if (!i || !j)
	  {
	    d[i][j] = i + j;
	    continue;
	  }
	d[i][j] = least (d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
			 least (d[i - 1][j], d[i][j - 1]) + 1);
	if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
	  d[i][j] = least (d[i][j], d[i - 2][j - 2] + 1);
      }
  return d[n][m];
}

const char *
ummgr_meant (const char *word, const char *words, const char *before, char *out, size_t size)
{
  size_t n = strlen (word), length;
  unsigned best = 0;
  *out = 0;
  if (n > LONGEST)
    return out;
  for (const char *w = words; *(w += strspn (w, " ")); w += length)
    {
      length = strcspn (w, " ");
      if (length > LONGEST)
	continue;
      unsigned most = (n > length ? n : length) / 3, changed = distance (word, n, w, length);
      if (changed > most || (*out && changed >= best))
	continue;
      best = changed;
      snprintf (out, size, "; did you mean '%s%.*s'?", before, (int) length, w);
    }
  return out;
}
