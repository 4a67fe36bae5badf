/* The demo's reader of package stanzas: breaks if an odd but legal stanza
   adds, loses or misdirects a dependency.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include "../../bench/demo/packages.c"

static const char odd[] =
  "\n\n"
  "Package: libc6\r\n"
  "Version: 2.36\r\n"
  "\n"
  /* Versions, architectures, profiles, a continued field, a repeated target,
     itself, and a name that nothing has.  */
  "Package: app\n"
  "Depends: libc6 (>= 2.14), lib-a:any (<< 2~) [amd64], lib-b <!nocheck>,\n"
  " libc6 (<< 3), app,\n"
  "\tnot-there | nowhere\n"
  "Description: an app\n"
  " Depends: lib-b\n"
  "Recommends: extra\n"
  "\n"
  /* Case of field names, empty items, alternatives of which one exists.  */
  "package: lib-a\n"
  "DEPENDS: , libc6,, missing | lib-b ,\n"
  "pre-depends: mta\n"
  "no field at all\n"
  "\n"
  "Package: lib-b\n"
  "Provides: mta (= 1), virtual-b\n"
  "Depends:\n"
  "\n"
  "Package: extra\n"
  "Provides: mta\n"
  "Depends: lib-a | app\n"
  "\n"
  /* Not installed, nameless, and a field without a stanza's start.  */
  "Package: gone\n"
  "Status: deinstall ok config-files\n"
  "Depends: libc6\n"
  "\n"
  "Version: 1\n"
  "Depends: libc6\n"
  "\n"
  "Package: here\n"
  "Status: install ok installed\n"
  "Depends: gone\n"
  "\n"
  /* Seen again, another version: one node, more arcs; no newline at the
     end.  */
  "Package: libc6\n"
  "Depends: virtual-b";

static struct packages *
read_text (const char *text, bool recommends)
{
  FILE *f = fmemopen ((void *) text, strlen (text), "r");
  CHECK (f);
  struct packages *p = packages_read (f, recommends);
  fclose (f);
  return p;
}

/* How many arcs lead from FROM to TO?  */
static int
arcs_between (const struct packages *p, const struct package_arcs *arcs,
	      const char *from, const char *to)
{
  int n = 0;
  for (size_t i = 0; i < arcs->count; i++)
    n += arcs->pairs[i][0] == packages_find (p, from)
	 && arcs->pairs[i][1] == packages_find (p, to);
  return n;
}

static void
test_odd (void)
{
  struct packages *p = read_text (odd, false);
  CHECK (packages_count (p) == 6);
  CHECK (packages_skipped (p) == 2);
  CHECK (packages_find (p, "gone") == -1);
  CHECK (packages_find (p, "mta") == -1);
  CHECK (strcmp (packages_name (p, 0), "libc6") == 0);

  struct package_arcs arcs = packages_resolve (p);
  CHECK (arcs_between (p, &arcs, "app", "libc6") == 2);
  CHECK (arcs_between (p, &arcs, "app", "lib-a") == 1);
  CHECK (arcs_between (p, &arcs, "app", "lib-b") == 1);
  CHECK (arcs_between (p, &arcs, "app", "app") == 1);
  CHECK (arcs_between (p, &arcs, "app", "extra") == 0);
  CHECK (arcs_between (p, &arcs, "lib-a", "libc6") == 1);
  /* By name, and because it provides mta.  */
  CHECK (arcs_between (p, &arcs, "lib-a", "lib-b") == 2);
  CHECK (arcs_between (p, &arcs, "lib-a", "extra") == 1);
  CHECK (arcs_between (p, &arcs, "extra", "lib-a") == 1);
  CHECK (arcs_between (p, &arcs, "extra", "app") == 1);
  CHECK (arcs_between (p, &arcs, "libc6", "lib-b") == 1);
  CHECK (arcs.count == 12);
  CHECK (arcs.unresolved == 2);	/* not-there | nowhere; gone.  */
  free (arcs.pairs);
  packages_free (p);
}

static void
test_recommends (void)
{
  struct packages *p = read_text (odd, true);
  struct package_arcs arcs = packages_resolve (p);
  CHECK (arcs_between (p, &arcs, "app", "extra") == 1);
  CHECK (arcs.count == 13);
  free (arcs.pairs);
  packages_free (p);
}

static void
test_nothing (void)
{
  struct packages *p = read_text ("\n \n:\nnonsense\n", false);
  CHECK (packages_count (p) == 0);
  CHECK (packages_skipped (p) == 1);
  struct package_arcs arcs = packages_resolve (p);
  CHECK (arcs.count == 0 && arcs.unresolved == 0);
  packages_free (p);
}

int
main (void)
{
  test_odd ();
  test_recommends ();
  test_nothing ();
  return 0;
}
