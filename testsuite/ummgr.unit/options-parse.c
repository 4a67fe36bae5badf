/* Breaks if an option or a variable takes what it must refuse, or changes
   anything when it refuses.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "base/options.h"

#include <string.h>

static const struct ummgr_option *
find (const char *name)
{
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    if (strcmp (o->name, name) == 0)
      return o;
  CHECK (!"no such option");
  return NULL;
}

static bool
set (struct ummgr_options *out, const char *name, const char *value)
{
  return ummgr_option_set (out, find (name), value, name) == UMMGR_OK;
}

static void
sizes (void)
{
  static const struct { const char *text; uint64_t bytes; } good[] = {
    { "0", 0 }, { "12", 12 }, { "64K", 65536 }, { "64k", 65536 },
    { "1.5G", 3ull << 29 }, { "2MiB", 2 << 20 }, { "2MB", 2 << 20 },
    { "3T", 3ull << 40 }, { "1e3", 1000 }
  };
  static const char *const bad[]
    = { "", " 1", "-1", "+1", "K", "1X", "1KK", "1K ", "1e30", "nan", "inf",
	"9999999999999999999999", "8388608T" };
  uint64_t bytes;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    {
      CHECK (ummgr_parse_size (good[i].text, &bytes));
      CHECK_EQ (bytes, good[i].bytes);
    }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
      bytes = 77;
      CHECK (!ummgr_parse_size (bad[i], &bytes));
      CHECK_EQ (bytes, 77);
    }
}

static void
values (void)
{
  struct ummgr_options o = { 0 };
  CHECK (set (&o, "policy", "lru") && strcmp (o.policy, "lru") == 0);
  CHECK (!set (&o, "policy", "lr") && !set (&o, "policy", "")
	 && !set (&o, "policy", "um lru"));
  CHECK (strcmp (o.policy, "lru") == 0);
  CHECK (set (&o, "device-mem", "64M") && o.device_mem == 64 << 20);
  CHECK (!set (&o, "device-mem", "0") && !set (&o, "device-mem", "0.1")
	 && !set (&o, "device-mem", "junk") && o.device_mem == 64 << 20);
  CHECK (set (&o, "scale", "1/64") && o.scale == 64);
  CHECK (set (&o, "scale", "8") && o.scale == 8);
  CHECK (!set (&o, "scale", "2/64") && !set (&o, "scale", "1/0")
	 && !set (&o, "scale", "1/-3") && !set (&o, "scale", "1/"));
  CHECK (set (&o, "gpus", "4") && o.gpus == 4);
  CHECK (!set (&o, "gpus", "0") && !set (&o, "gpus", "4x"));
  CHECK (set (&o, "partial", "on") && strcmp (o.partial, "on") == 0);
  CHECK (set (&o, "partial", "paper") && set (&o, "partial", "off")
	 && strcmp (o.partial, "off") == 0);
  CHECK (!set (&o, "partial", "yes") && strcmp (o.partial, "off") == 0);
  CHECK (!set (&o, "stats", ""));
}

static void
tracing (void)
{
  struct ummgr_options o = { 0 };
  CHECK (set (&o, "trace", "t.ummt") && strcmp (o.trace, "t.ummt") == 0);
  CHECK (!set (&o, "trace", ""));
  CHECK (set (&o, "sample", "1048576") && o.sample == 1 << 20);
  CHECK (set (&o, "sample", "64") && o.sample == 64);
  CHECK (!set (&o, "sample", "0") && !set (&o, "sample", "3")
	 && !set (&o, "sample", "2097152") && !set (&o, "sample", "64x")
	 && !set (&o, "sample", "") && o.sample == 64);
  CHECK (set (&o, "phase", "region") && set (&o, "phase", "mark"));
  CHECK (set (&o, "phase", "main._omp_fn.0/10"));
  CHECK (set (&o, "phase", "src/a.c/3"));
  CHECK (!set (&o, "phase", "regions") && !set (&o, "phase", "f/0")
	 && !set (&o, "phase", "f/") && !set (&o, "phase", "/3")
	 && !set (&o, "phase", "f/-1") && !set (&o, "phase", "f/3x")
	 && !set (&o, "phase", "f/99999999999999999999"));
  CHECK (strcmp (o.phase, "src/a.c/3") == 0);
  CHECK (set (&o, "block", "4") && o.block == 4);
  CHECK (!set (&o, "block", "3") && !set (&o, "block", "4097")
	 && !set (&o, "block", "0") && o.block == 4);
  CHECK (set (&o, "fidelity", "access") && !set (&o, "fidelity", "word"));
  CHECK (set (&o, "grain", "sector") && !set (&o, "grain", "byte"));
}

static void
variables (void)
{
  char name[64];
  ummgr_option_variable (find ("nvptx-plugin"), name, sizeof name);
  CHECK (strcmp (name, "UMMGR_NVPTX_PLUGIN") == 0);

  struct ummgr_options o;
  for (const struct ummgr_option *p = ummgr_option_table; p->name; p++)
    {
      ummgr_option_variable (p, name, sizeof name);
      unsetenv (name);
    }
  CHECK (ummgr_options_from_environment (&o) == UMMGR_OK);
  CHECK (strcmp (o.policy, "auto") == 0 && o.min_size == 65536
	 && o.scale == 1 && !o.stats);
  setenv ("UMMGR_POLICY", "um", 1);
  setenv ("UMMGR_STATS", "", 1);
  setenv ("UMMGR_GPUS", "bogus", 1);
  setenv ("UMMGR_DEVICE_MEM", "1G", 1);
  CHECK (ummgr_options_from_environment (&o) == UMMGR_ERR_INVALID);
  /* The bad one keeps its default; the others count.  */
  CHECK (strcmp (o.policy, "um") == 0 && o.device_mem == 1 << 30);
  CHECK (o.gpus == 0 && !o.stats);
}

/* Every default and every known word is accepted by its own option.  */
static void
table (void)
{
  for (const struct ummgr_option *p = ummgr_option_table; p->name; p++)
    {
      struct ummgr_options o;
      CHECK (p->help && *p->help);
      CHECK ((p->type == UMMGR_OPTION_NAME) == (p->values != NULL));
      if (p->fallback)
	CHECK (ummgr_option_set (&o, p, p->fallback, p->name) == UMMGR_OK);
      for (const char *w = p->values; w && *w;)
	{
	  char word[64];
	  size_t n = strcspn (w, " ");
	  snprintf (word, sizeof word, "%.*s", (int) n, w);
	  CHECK (ummgr_option_set (&o, p, word, p->name) == UMMGR_OK);
	  w += n + (w[n] == ' ');
	}
    }
}

/* Those of the command's own tables.  */
static void
others (void)
{
  struct { double part, time; uint64_t least; bool flag; } v
    = { 7, 7, 7, false };
  const struct ummgr_option part = { "p", UMMGR_OPTION_PART, 0, 0, 0, 0, 0, 0 };
  const struct ummgr_option time = { "t", UMMGR_OPTION_TIME, 0, 0, 0, 0, 0, 0 };
  const struct ummgr_option least
    = { "l", UMMGR_OPTION_LEAST, 0, 0, 0, 0, 0, 0 };
  const struct ummgr_option flag = { "f", UMMGR_OPTION_FLAG, 0, 0, 0, 0, 0, 0 };
  static const char *const no_part[]
    = { "", "x", "-0.1", "1.1", "101%", "50%%", "nan", "0.5 " };
  static const char *const no_time[]
    = { "", "1", "-1us", "1 us", "1m", "inf", "infs", "nans", "1e999s" };
  for (size_t i = 0; i < sizeof no_part / sizeof *no_part; i++)
    CHECK (ummgr_option_set (&v.part, &part, no_part[i], "p") && v.part == 7);
  for (size_t i = 0; i < sizeof no_time / sizeof *no_time; i++)
    CHECK (ummgr_option_set (&v.time, &time, no_time[i], "t") && v.time == 7);
  CHECK (!ummgr_option_set (&v.part, &part, "25%", "p") && v.part == 0.25);
  CHECK (!ummgr_option_set (&v.part, &part, "0.75", "p") && v.part == 0.75);
  CHECK (!ummgr_option_set (&v.time, &time, "2.5ms", "t") && v.time == 2.5e-3);
  CHECK (!ummgr_option_set (&v.time, &time, "0", "t") && v.time == 0);
  CHECK (ummgr_option_set (&v.least, &least, "K", "l") && v.least == 7);
  CHECK (!ummgr_option_set (&v.least, &least, "0", "l") && v.least == 0);
  CHECK (!ummgr_option_set (&v.flag, &flag, "", "f") && v.flag);
}

static void
lists (void)
{
  static struct ummgr_option_list list;
  const struct ummgr_option names
    = { "n", UMMGR_OPTION_NAME | UMMGR_OPTION_LIST, 0, "one two", 0, 0, 0, 0 };
  CHECK (!ummgr_option_set (&list, &names, "one,,two", "n"));
  CHECK (list.count == 2 && strcmp (list.word[1], "two") == 0);
  CHECK (ummgr_option_set (&list, &names, "three", "n"));
  CHECK (ummgr_option_set (&list, &names, "", "n"));
  CHECK (ummgr_option_set (&list, &names, ",", "n"));
  CHECK_EQ (list.count, 2);
  for (int i = 0; i < 62; i++)
    CHECK (!ummgr_option_set (&list, &names, "one", "n"));
  CHECK (ummgr_option_set (&list, &names, "one", "n") && list.count == 64);
}

int
main (void)
{
  sizes ();
  values ();
  others ();
  lists ();
  tracing ();
  variables ();
  table ();
  return 0;
}
