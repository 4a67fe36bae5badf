/* Would break: a word that is meant and not found, or one that is offered though it is unlike; a
   long one that is written beyond what holds it.  The distance is that of a slow definition.  */
/* { dg-do run } */

#include "check.h"
#include "random.h"
#include "base/meant.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char words[] = "explicit um prefetch host lru glm rdm auto";

static unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Letters to change between A and B, as the definition has it: by recursion.  */
static unsigned
slowly (const char *a, unsigned n, const char *b, unsigned m)
{
  if (!n || !m)
    return n + m;
  unsigned d = slowly (a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
  d = least (d, least (slowly (a, n - 1, b, m), slowly (a, n, b, m - 1)) + 1);
  if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1])
    d = least (d, slowly (a, n - 2, b, m - 2) + 1);
  return d;
}

static void
random_word (char *to, uint64_t *state)
{
  unsigned n = 1 + (random64 (state) >> 40) % 6;
  for (unsigned i = 0; i < n; i++)
    to[i] = "abc"[(random64 (state) >> 40) % 3];
  to[n] = 0;
}

int
main (void)
{
  static const struct { const char *word, *meant; } cases[] = {
    { "explict", "explicit" }, { "perfetch", "prefetch" }, { "hsot", "host" }, { "lur", "lru" },
    { "umm", "um" }, { "gln", "glm" }, { "bogus", NULL }, { "", NULL }, { "x", NULL },
    { "explicitexplicitexplicitexplicitexplicit", NULL }
  };
  char out[64], wanted[64], a[8], b[8];
  uint64_t state = 1;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      *wanted = 0;
      if (cases[i].meant)
	snprintf (wanted, sizeof wanted, "; did you mean '--%s'?", cases[i].meant);
      CHECK (strcmp (ummgr_meant (cases[i].word, words, "--", out, sizeof out), wanted) == 0);
    }
  for (int i = 0; i < 20000; i++)
    {
      random_word (a, &state);
      random_word (b, &state);
      unsigned n = strlen (a), m = strlen (b);
      bool like = slowly (a, n, b, m) <= (n > m ? n : m) / 3;
      CHECK_EQ (*ummgr_meant (a, b, "", out, sizeof out) != 0, like);
    }
  memset (out, 'x', sizeof out);
  ummgr_meant ("explict", words, "", out, 8);
  CHECK (strcmp (out, "; did y") == 0 && out[8] == 'x');
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
