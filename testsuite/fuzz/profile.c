/* Profiles of machines to simulate.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "device/profile.h"

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  struct ummgr_profile profile;
  struct ummgr_options options = { .scale = 64, .access_counters = true };
  if (ummgr_profile_find (fuzz_file (bytes, size), &profile))
    ummgr_profile_adjust (&profile, &options);
}
