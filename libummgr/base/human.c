/* Numbers as a person reads them: three digits and a unit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "base/human.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct ummgr_human
ummgr_human_count (int64_t count)
{
  struct ummgr_human h;
  char digits[32];
  size_t to = 0, len = snprintf (digits, sizeof digits, "%" PRId64, count);
  for (size_t i = 0; i < len; i++)
    {
      if (i && (len - i) % 3 == 0 && digits[i - 1] != '-')
	h.text[to++] = ',';
      h.text[to++] = digits[i];
    }
  h.text[to] = 0;
  return h;
}

static struct ummgr_human
scaled (double value, const char *unit)
{
  struct ummgr_human h;
  int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  snprintf (h.text, sizeof h.text, "%.*f %s", decimals, value, unit);
  return h;
}

struct ummgr_human
ummgr_human_bytes (double bytes)
{
  static const char *const units[]
    = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  struct ummgr_human h;
  double value = bytes / 1024;
  int unit = 0;
  for (; value >= 1023.5 && unit < 5; unit++)
    value /= 1024;
  if (bytes >= 1024)
    return scaled (value, units[unit]);
  snprintf (h.text, sizeof h.text, "%.0f B", bytes);
  return h;
}

struct ummgr_human
ummgr_human_seconds (double s)
{
  double magnitude = fabs (s);
  return magnitude == 0 ? (struct ummgr_human) { "0 s" }
    : magnitude < 0.9995e-6 ? scaled (s * 1e9, "ns")
    : magnitude < 0.9995e-3 ? scaled (s * 1e6, "us")
    : magnitude < 0.9995 ? scaled (s * 1e3, "ms") : scaled (s, "s");
}
