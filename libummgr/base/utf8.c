/* Text that must be valid UTF-8.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Symbols and file names may hold any bytes; nothing here guesses
   their encoding.  */

#include "config.h"
#include "base/utf8.h"

#include <stdio.h>
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

size_t
ummgr_utf8_printable (const char *text)
{
  const unsigned char *t = (const unsigned char *) text;
  size_t length = ummgr_utf8_length (text);
  if (t[0] < 0x20 || t[0] == 0x7f || (t[0] == 0xc2 && t[1] < 0xa0)
      || (length == 3 && t[0] == 0xef && t[1] == 0xbf && t[2] >= 0xbe))
    return 0;
  return length;
}

void
ummgr_utf8_make_printable (char *text, size_t size)
{
  for (size_t i = 0; i < size;)
    {
      size_t length = text[i] ? ummgr_utf8_printable (text + i) : 1;
      if (!length)
	text[i] = '?';
      i += length ? length : 1;
    }
}

char *
ummgr_utf8_print (char *buf, size_t size, const char *text)
{
  snprintf (buf, size, "%s", text);
  ummgr_utf8_make_printable (buf, strlen (buf));
  return buf;
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
