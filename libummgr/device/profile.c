/* The profile file format: text to struct ummgr_profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  Knows the format (profile.h) and the keys; where profiles
   lie and what the environment changes is profile-load.c's.  */

#include "config.h"
#include "device/profile.h"
#include "base/log.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum figure_type
{
  FIGURE_TEXT,
  FIGURE_SIZE,			/* uint64_t, bytes.  */
  FIGURE_COUNT,			/* int.  */
  FIGURE_RATE,			/* double, bytes per second.  */
  FIGURE_TIME			/* double, seconds.  */
};

struct figure
{
  const char *key;
  enum figure_type type;
  size_t offset;		/* In struct ummgr_figures.  */
};

static const struct figure figures[] = {
#define FIGURE(KEY, TYPE)                                                     \
  { #KEY, FIGURE_##TYPE, offsetof (struct ummgr_figures, KEY) },
#include "device/figures.def"
#undef FIGURE
};

enum section
{
  SECTION_TOP,
  SECTION_DEVICE,
  SECTION_PEER,
  SECTION_HOST,
  SECTION_UPLINK
};

struct parser
{
  const char *path;
  int line;
  enum section section;
  int device;			/* Of [device N]; -1: all.  */
  uint64_t seen;		/* Figures given by [device], as bits.  */
  struct ummgr_profile *out;
};

static bool
fail (const struct parser *p, const char *what, const char *detail)
{
  ummgr_error ("%s:%d: %s%s", p->path, p->line, what, detail);
  return false;
}

static bool
parse_count (const char *text, int *out)
{
  char *end;
  errno = 0;
  long value = strtol (text, &end, 10);
  if (errno || !isdigit ((unsigned char) *text) || *end || value > 1 << 30)
    return false;
  *out = value;
  return true;
}

/* "NUMBER UNIT" with UNIT one of UNITS, which stand for FACTORS.  */
static bool
parse_quantity (const char *text, const char *const *units,
		const double *factors, double *out)
{
  char *end;
  errno = 0;
  double value = strtod (text, &end);
  if (errno || !isdigit ((unsigned char) *text))
    return false;
  while (isspace ((unsigned char) *end))
    end++;
  for (int i = 0; units[i]; i++)
    if (strcmp (end, units[i]) == 0)
      {
	*out = value * factors[i];
	return true;
      }
  return false;
}

static bool
parse_rate (const char *text, double *out)
{
  static const char *const units[] = { "GB/s", "MB/s", "TB/s", NULL };
  static const double factors[] = { 1e9, 1e6, 1e12 };
  return parse_quantity (text, units, factors, out) && *out > 0;
}

static bool
parse_time (const char *text, double *out)
{
  static const char *const units[] = { "us", "ns", "ms", "s", NULL };
  static const double factors[] = { 1e-6, 1e-9, 1e-3, 1 };
  return parse_quantity (text, units, factors, out);
}

static bool
figure_set (const struct parser *p, const struct figure *f, const char *value,
	    struct ummgr_figures *device)
{
  void *field = (char *) device + f->offset;
  device->source[f - figures] = UMMGR_FIGURE_PROFILE;
  switch (f->type)
    {
    case FIGURE_TEXT:
      if (strlen (value) >= sizeof device->name)
	return fail (p, "text too long: ", value);
      strcpy (field, value);
      return true;
    case FIGURE_SIZE:
      if (!ummgr_parse_size (value, field))
	return fail (p, "expected a size such as 64K or 16G, not ", value);
      return true;
    case FIGURE_COUNT:
      if (!parse_count (value, field))
	return fail (p, "expected a whole number, not ", value);
      return true;
    case FIGURE_RATE:
      if (!parse_rate (value, field))
	return fail (p, "expected a rate such as 12 GB/s, not ", value);
      return true;
    default:
      if (!parse_time (value, field))
	return fail (p, "expected a time such as 20 us, not ", value);
      return true;
    }
}

static bool
device_line (struct parser *p, const char *key, const char *value)
{
  for (size_t i = 0; i < UMMGR_FIGURES; i++)
    if (strcmp (figures[i].key, key) == 0)
      {
	uint64_t bit = UINT64_C (1) << i;
	if (p->device >= 0)
	  return figure_set (p, &figures[i], value,
			     &p->out->device[p->device]);
	if (p->seen & bit)
	  return fail (p, "given twice: ", key);
	p->seen |= bit;
	for (int d = 0; d < UMMGR_PROFILE_DEVICES; d++)
	  if (!figure_set (p, &figures[i], value, &p->out->device[d]))
	    return false;
	return true;
      }
  char known[512] = "";
  for (size_t i = 0; i < UMMGR_FIGURES; i++)
    {
      strcat (known, i ? " " : "");
      strcat (known, figures[i].key);
    }
  ummgr_error ("%s:%d: unknown key '%s' in [device] (known: %s)", p->path,
	       p->line, key, known);
  return false;
}

/* `NAME', or `NAME I J': *FROM_P is -1, or the pair's first.  */
static bool
is_pair (const char *key, const char *name, int *from_p, int *to_p)
{
  size_t length = strlen (name);
  int used = 0;
  *from_p = -1;
  if (strncmp (key, name, length) != 0)
    return false;
  if (!key[length])
    return true;
  return sscanf (key + length, " %d %d%n", from_p, to_p, &used) == 2 && !key[length + used]
	 && *from_p >= 0 && *to_p >= 0 && *from_p < UMMGR_PROFILE_DEVICES
	 && *to_p < UMMGR_PROFILE_DEVICES && *from_p != *to_p;
}

static bool
peer_line (struct parser *p, const char *key, const char *value)
{
  int from, to;
  double figure;
  bool rate = is_pair (key, "rate", &from, &to);
  if (!rate && !is_pair (key, "latency", &from, &to))
    {
      ummgr_error ("%s:%d: unknown key '%s' in [peer] (known: rate, rate I J, latency, "
		   "latency I J)", p->path, p->line, key);
      return false;
    }
  if (rate && !parse_rate (value, &figure))
    return fail (p, "expected a rate such as 12 GB/s, not ", value);
  if (!rate && !parse_time (value, &figure))
    return fail (p, "expected a time such as 20 us, not ", value);
  for (int i = 0; i < UMMGR_PROFILE_DEVICES; i++)
    for (int j = 0; j < UMMGR_PROFILE_DEVICES; j++)
      if (from < 0 ? i != j : (i == from && j == to) || (i == to && j == from))
	*(rate ? &p->out->peer_rate[i][j] : &p->out->peer_latency[i][j]) = figure;
  return true;
}

static bool
host_line (struct parser *p, const char *key, const char *value)
{
  if (strcmp (key, "memory_rate") != 0)
    {
      ummgr_error ("%s:%d: unknown key '%s' in [host] (known: memory_rate)", p->path,
		   p->line, key);
      return false;
    }
  return parse_rate (value, &p->out->host_rate)
	 || fail (p, "expected a rate such as 12 GB/s, not ", value);
}

/* The devices VALUE are behind the last uplink.  */
static bool
uplink_devices (struct parser *p, const char *value)
{
  int device, used = 0;
  const char *at = value;
  for (; sscanf (at, "%d%n", &device, &used) == 1; at += used)
    {
      if (device < 0 || device >= UMMGR_PROFILE_DEVICES || p->out->uplink[device])
	return fail (p, "no such device, or behind another uplink: ", value);
      p->out->uplink[device] = p->out->uplinks;
    }
  return (at > value && !*at) || fail (p, "expected devices such as 0 1, not ", value);
}

static bool
uplink_line (struct parser *p, const char *key, const char *value)
{
  if (strcmp (key, "devices") == 0)
    return uplink_devices (p, value);
  if (strcmp (key, "rate") == 0)
    return parse_rate (value, &p->out->uplink_rate[p->out->uplinks - 1])
	   || fail (p, "expected a rate such as 12 GB/s, not ", value);
  ummgr_error ("%s:%d: unknown key '%s' in [uplink] (known: devices, rate)", p->path, p->line,
	       key);
  return false;
}

static bool
top_line (struct parser *p, const char *key, const char *value)
{
  if (strcmp (key, "devices") != 0)
    {
      ummgr_error ("%s:%d: unknown key '%s' before any section"
		   " (known: devices)", p->path, p->line, key);
      return false;
    }
  int n;
  if (!parse_count (value, &n) || n < 1 || n > UMMGR_PROFILE_DEVICES)
    return fail (p, "expected a number of devices from 1 to 16, not ", value);
  p->out->device_count = n;
  return true;
}

static bool
section_line (struct parser *p, char *line)
{
  int n, used = 0;
  if (strcmp (line, "[device]") == 0)
    {
      p->section = SECTION_DEVICE;
      p->device = -1;
    }
  else if (strcmp (line, "[peer]") == 0)
    p->section = SECTION_PEER;
  else if (strcmp (line, "[host]") == 0)
    p->section = SECTION_HOST;
  else if (strcmp (line, "[uplink]") == 0)
    {
      if (p->out->uplinks == UMMGR_PROFILE_DEVICES)
	return fail (p, "too many uplinks", "");
      p->section = SECTION_UPLINK;
      p->out->uplinks++;
    }
  else if (sscanf (line, "[device %d]%n", &n, &used) == 1 && used
	   && !line[used])
    {
      if (n < 0 || n >= UMMGR_PROFILE_DEVICES)
	return fail (p, "no such device: ", line);
      p->section = SECTION_DEVICE;
      p->device = n;
    }
  else
    return fail (p, "unknown section (known: [device], [device N], [peer], [host], "
		 "[uplink]): ", line);
  return true;
}

static char *
trim (char *text)
{
  while (isspace ((unsigned char) *text))
    text++;
  char *end = text + strlen (text);
  while (end > text && isspace ((unsigned char) end[-1]))
    *--end = '\0';
  return text;
}

static bool
parse_line (struct parser *p, char *text)
{
  char *line = trim (text);
  if (!*line || *line == '#')
    return true;
  if (*line == '[')
    return section_line (p, line);
  char *source = strchr (line, '#');
  if (source)
    *source++ = '\0';
  char *value = strchr (line, '=');
  if (!value)
    return fail (p, "expected `key = value  # source`, not ", trim (line));
  *value++ = '\0';
  char *key = trim (line);
  value = trim (value);
  if (!*key || !*value)
    return fail (p, "expected `key = value  # source`", "");
  if (!source || !*trim (source))
    return fail (p, "no source given (`# where it comes from`) for ", key);
  switch (p->section)
    {
    case SECTION_TOP:
      return top_line (p, key, value);
    case SECTION_PEER:
      return peer_line (p, key, value);
    case SECTION_HOST:
      return host_line (p, key, value);
    case SECTION_UPLINK:
      return uplink_line (p, key, value);
    default:
      return device_line (p, key, value);
    }
}

static bool
has_device (const struct ummgr_profile *p, int uplink)
{
  int i = 0;
  while (i < p->device_count && p->uplink[i] != uplink)
    i++;
  return i < p->device_count;
}

bool
ummgr_profile_parse (FILE *file, const char *path, struct ummgr_profile *out)
{
  memset (out, 0, sizeof *out);
  out->device_count = 1;
  struct parser p = { .path = path, .device = -1, .out = out };
  char *text = NULL;
  size_t size = 0;
  bool ok = true;
  while (ok && getline (&text, &size, file) >= 0)
    {
      p.line++;
      ok = parse_line (&p, text);
    }
  free (text);
  if (!ok)
    return false;
  for (size_t i = 0; i < UMMGR_FIGURES; i++)
    if (!(p.seen & UINT64_C (1) << i))
      return fail (&p, "[device] lacks the figure ", figures[i].key);
  for (int i = 0; i < out->uplinks; i++)
    if (out->uplink_rate[i] <= 0 || !has_device (out, i + 1))
      return fail (&p, "an [uplink] lacks its rate, or has no device", "");
  return ummgr_profile_check (out, path);
}
