/* Numbers and strings in a trace's raw bytes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Writing never checks for room: the caller has seen to it.  Reading never
   passes the cursor's end: what is absent is 0 or "", what is cut or wrong
   sets BAD.  */

#pragma once

#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The longest LEB128 of 64 bits.  */
#define UMMGR_TRACE_VARINT_MAX 10

struct ummgr_trace_cursor
{
  const unsigned char *at, *end;
  bool bad;
};

static inline uint64_t
ummgr_trace_zigzag (int64_t value)
{
  return ((uint64_t) value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t
ummgr_trace_unzigzag (uint64_t value)
{
  return (int64_t) ((value >> 1) ^ (0 - (value & 1)));
}

static inline unsigned char *
ummgr_trace_put (unsigned char *to, uint64_t value)
{
  while (value >= 0x80)
    {
      *to++ = value | 0x80;
      value >>= 7;
    }
  *to++ = value;
  return to;
}

static inline unsigned char *
ummgr_trace_put_signed (unsigned char *to, int64_t value)
{
  return ummgr_trace_put (to, ummgr_trace_zigzag (value));
}

/* A null pointer is written as "".  */
static inline unsigned char *
ummgr_trace_put_string (unsigned char *to, const char *string)
{
  size_t length = string ? strnlen (string, UMMGR_TRACE_STRING_MAX) : 0;
  to = ummgr_trace_put (to, length);
  if (length)
    memcpy (to, string, length);
  to[length] = 0;
  return to + length + 1;
}

static inline uint64_t
ummgr_trace_get (struct ummgr_trace_cursor *from)
{
  uint64_t value = 0;
  if (from->at == from->end)
    return 0;
  for (unsigned shift = 0; shift < 64; shift += 7)
    {
      if (from->at == from->end)
	break;
      unsigned char byte = *from->at++;
      value |= (uint64_t) (byte & 0x7f) << shift;
      if (byte < 0x80)
	return value;
    }
  from->bad = true;
  return 0;
}

/* The same where the number has to be there.  */
static inline uint64_t
ummgr_trace_need (struct ummgr_trace_cursor *from)
{
  if (from->at == from->end)
    from->bad = true;
  return ummgr_trace_get (from);
}

static inline int64_t
ummgr_trace_get_signed (struct ummgr_trace_cursor *from)
{
  return ummgr_trace_unzigzag (ummgr_trace_get (from));
}

static inline const char *
ummgr_trace_get_string (struct ummgr_trace_cursor *from)
{
  if (from->at == from->end)
    return "";
  uint64_t length = ummgr_trace_get (from);
  const char *string = (const char *) from->at;
  if (from->bad || length >= (uint64_t) (from->end - from->at)
      || string[length] || strlen (string) != length)
    {
      from->bad = true;
      return "";
    }
  from->at += length + 1;
  return string;
}

static inline void
ummgr_trace_put_u32 (unsigned char *to, uint32_t value)
{
  for (int i = 0; i < 4; i++)
    to[i] = value >> 8 * i;
}

static inline uint32_t
ummgr_trace_get_u32 (const unsigned char *from)
{
  return from[0] | (uint32_t) from[1] << 8 | (uint32_t) from[2] << 16
	 | (uint32_t) from[3] << 24;
}
