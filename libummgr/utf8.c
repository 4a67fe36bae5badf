/* Text that must be valid UTF-8.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Symbols and file names may hold any bytes; nothing here guesses
   their encoding.  */

#include "config.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

size_t
ummgr_utf8_length (const char *text)
{
  const unsigned char *t = (const unsigned char *) text;
  size_t length = t[0] < 0x80 ? 1 : t[0] < 0xc2 ? 0
    : t[0] < 0xe0 ? 2 : t[0] < 0xf0 ? 3 : t[0] < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < length; i++)
    if ((t[i] & 0xc0) != 0x80)
      return 0;
  /* Overlong forms, surrogates, and what lies above U+10FFFF.  */
  if ((t[0] == 0xe0 && t[1] < 0xa0) || (t[0] == 0xed && t[1] > 0x9f)
      || (t[0] == 0xf0 && t[1] < 0x90) || (t[0] == 0xf4 && t[1] > 0x8f))
    return 0;
  return length;
}

char *
ummgr_utf8_copy (const char *text)
{
  static const char replacement[] = "\xef\xbf\xbd";
  char *copy = malloc (3 * strlen (text) + 1);
  if (!copy)
    return NULL;
  char *to = copy;
  while (*text)
    {
      size_t length = ummgr_utf8_length (text);
      if (length)
	memcpy (to, text, length);
      else
	memcpy (to, replacement, 3);
      to += length ? length : 3;
      text += length ? length : 1;
    }
  *to = 0;
  return copy;
}
