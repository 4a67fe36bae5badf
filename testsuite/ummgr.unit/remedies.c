/* Breaks if a list of remedies is read as another, or one is for an object that it does not
   name.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "base/remedy.h"

#include <string.h>

static void
good (void)
{
  struct ummgr_remedies r;
  CHECK (!ummgr_remedies_parse ("read-mostly:u@wave.c:12,preferred-host,accessed-by:@dir/a.c,"
				"preferred-device:v", &r));
  CHECK_EQ (r.count, 4);
  CHECK (!r.path);
  CHECK_EQ (r.remedy[0].kind, UMMGR_REMEDY_READ_MOSTLY);
  CHECK (strcmp (r.remedy[0].name, "u") == 0 && strcmp (r.remedy[0].file, "wave.c") == 0);
  CHECK_EQ (r.remedy[0].line, 12);
  CHECK_EQ (r.remedy[1].kind, UMMGR_REMEDY_PREFERRED_HOST);
  CHECK (!*r.remedy[1].name && !*r.remedy[1].file && !r.remedy[1].line);
  CHECK_EQ (r.remedy[2].kind, UMMGR_REMEDY_ACCESSED_BY);
  CHECK (!*r.remedy[2].name && strcmp (r.remedy[2].file, "dir/a.c") == 0);
  CHECK_EQ (r.remedy[3].kind, UMMGR_REMEDY_PREFERRED_DEVICE);
  ummgr_remedies_free (&r);
  CHECK_EQ (r.count, 0);
  CHECK (!ummgr_remedies_parse ("read-mostly,runs/a,b.ummt", &r));
  CHECK_EQ (r.count, 1);
  CHECK (strcmp (r.path, "runs/a,b.ummt") == 0);
  ummgr_remedies_free (&r);
}

static void
bad (void)
{
  static const char *const texts[] = {
    "", "read-mostly:", "read-mostly:u@", "read-mostly:u@a.c:0", "read-mostly:u@a.c:1x",
    "read-mostly:u@a.c:99999999999", "read-mostly:@:3"
  };
  struct ummgr_remedies r;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
      CHECK (ummgr_remedies_parse (texts[i], &r));
      CHECK (!r.count && !r.text && !r.path);
    }
  char many[UMMGR_REMEDIES_MAX * 16 + 32] = "read-mostly";
  for (int i = 1; i < UMMGR_REMEDIES_MAX; i++)
    strcat (many, ",read-mostly");
  CHECK (!ummgr_remedies_parse (many, &r));
  CHECK_EQ (r.count, UMMGR_REMEDIES_MAX);
  ummgr_remedies_free (&r);
  CHECK (ummgr_remedies_parse (strcat (many, ",read-mostly"), &r));
}

static void
objects (void)
{
  const struct ummgr_remedy all = { .name = "", .file = "" };
  const struct ummgr_remedy u = { .name = "u", .file = "src/wave.c", .line = 12 };
  CHECK (ummgr_remedy_is_for (&all, "v", "other.c", 3));
  CHECK (ummgr_remedy_is_for (&u, "u", "src/wave.c", 12));
  CHECK (ummgr_remedy_is_for (&u, "u", "/home/me/src/wave.c", 12));
  CHECK (ummgr_remedy_is_for (&u, "u", "wave.c", 12));
  CHECK (ummgr_remedy_is_for (&u, "u", "", 0));
  CHECK (ummgr_remedy_is_for (&u, "", "src/wave.c", 12));
  CHECK (!ummgr_remedy_is_for (&u, "", "", 0));
  const struct ummgr_remedy there = { .name = "", .file = "wave.c" };
  CHECK (ummgr_remedy_is_for (&there, "v", "src/wave.c", 7));
  CHECK (!ummgr_remedy_is_for (&there, "v", "", 0));
  CHECK (!ummgr_remedy_is_for (&u, "uu", "src/wave.c", 12));
  CHECK (!ummgr_remedy_is_for (&u, "u", "src/wave.c", 13));
  CHECK (!ummgr_remedy_is_for (&u, "u", "src/microwave.c", 12));
  CHECK (!ummgr_remedy_is_for (&u, "u", "ave.c", 12));
}

int
main (void)
{
  good ();
  bad ();
  objects ();
  return 0;
}
