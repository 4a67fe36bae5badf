/* Names that are cut to a width: would break if two that differ became one, or if what a short name
   says were cut as well.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "base/symbols.h"
#include "report/value.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8, WIDTH = 44 };

/* NAMES cut are FITS.  */
static void
check (const char *const *names, const char *const *fits, size_t count, size_t width)
{
  char *copies[MOST];
  for (size_t i = 0; i < count; i++)
    copies[i] = strdup (names[i]);
  CHECK (ummgr_report_fit (copies, count, width));
  for (size_t i = 0; i < count; i++)
    {
      if (strcmp (copies[i], fits[i]) != 0)
	fprintf (stderr, "%s\n  became %s\n  not    %s\n", names[i], copies[i], fits[i]);
      CHECK (strcmp (copies[i], fits[i]) == 0 && strlen (copies[i]) <= width);
      for (size_t j = 0; j < i; j++)
	CHECK (strcmp (names[i], names[j]) == 0 || strcmp (copies[i], copies[j]) != 0);
      free (copies[i]);
    }
}

static void
check_plain (const char *symbol, const char *plain)
{
  char buf[256];
  ummgr_symbol_plain (symbol, buf, sizeof buf);
  if (strcmp (buf, plain) != 0)
    fprintf (stderr, "%s became %s, not %s\n", symbol, buf, plain);
  CHECK (strcmp (buf, plain) == 0);
}

int
main (void)
{
  /* What fits stays; inner arguments go before outer ones; what has none keeps its end.  */
  static const char *const some[] = {
    "CalcForce", "hydro::Domain::Update<hydro::Policy<hydro::Ideal, hydro::Stiff> >",
    "apply<std::vector<double, std::allocator<double> >, int>",
    "a_name_of_many_words_that_nobody_wants_to_read_to_its_end"
  };
  static const char *const fit[] = {
    "CalcForce", "hydro::Domain::Update<hydro::Policy<...> >", "apply<std::vector<...>, int>",
    "...dy_wants_to_read_to_its_end"
  };
  check (&some[0], &fit[0], 3, WIDTH);
  check (&some[3], &fit[3], 1, 30);

  /* Two that differ in what would go keep that.  */
  static const char *const alike[] = {
    "hydro::Domain::Update<hydro::Policy<hydro::Ideal, hydro::Stiff> >",
    "hydro::Domain::Update<hydro::Policy<hydro::Stiff, hydro::Ideal> >",
    "hydro::Domain::Update<hydro::Policy<hydro::Stiff, hydro::Ideal> >"
  };
  static const char *const apart[] = {
    "hydro::Domain::Update...Ideal, hydro::Sti...", "hydro::Domain::Update...Stiff, hydro::Ide...",
    "hydro::Domain::Update...Stiff, hydro::Ide..."
  };
  check (alike, apart, 3, WIDTH);

  /* Characters are no bytes.  */
  static const char *const wide[] = { "caf\xc3\xa9s" }, *const whole[] = { "caf\xc3\xa9s" };
  check (wide, whole, 1, 6);

  check_plain ("step._omp_fn.0", "step");
  check_plain ("table+0x10", "table");
  check_plain ("make.ummgr_unified.constprop.0+0x28", "make");
  check_plain ("__weather_MOD_soak._omp_fn.0", "soak");
  check_plain ("MAIN__._omp_fn.3", "main program");
  check_plain ("", "");
  return 0;
}
