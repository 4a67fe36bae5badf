/* PTX text, as far as the simulated driver reads it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "simcuda/image/image.h"

static bool
known (const char *name, size_t length)
{
  return length > 4 && memchr (name, 'n', length);
}

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  static const char *const names[] = { "main$_omp_fn$0", "f", "a" };
  struct sim_image image = { 0 };
  char call[64];
  CHECK (sim_image_append (&image, (const char *) bytes, size));
  CHECK (sim_ptx_parse (&image));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      sim_ptx_global_size (&image, names[i]);
      sim_ptx_calls_only (&image, names[i], known, call, sizeof call);
      sim_ptx_mark (&image, names[i]);
      sim_ptx_marked (&image, "f");
    }
  sim_ptx_free (&image);
  free (image.ptx);
}
