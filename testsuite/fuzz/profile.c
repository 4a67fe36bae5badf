/* Profiles of machines to simulate.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "simcuda/memory/profile.h"

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  struct sim_profile profile;
  struct ummgr_options options = { .scale = 64 };
  if (sim_profile_find (fuzz_file (bytes, size), &profile))
    sim_profile_adjust (&profile, &options);
}
