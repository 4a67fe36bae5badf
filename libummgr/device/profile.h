/* Profiles: machines as files describe them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A profile is text.  Each figure is one line, `key = value  # source`, and
   a line without its source is an error.  Sections:

     (top)         devices
     [device]      figures of every device
     [device N]    figures of device N alone, after [device]
     [peer]        rate (every pair), rate I J (one pair, both ways)

   Values: sizes with K, M, G or T (powers of 1024); rates "900 GB/s" (powers
   of 1000); times "20 us" (s, ms, us or ns); counts and texts as they are.  */

#pragma once

#include "base/options.h"
#include "device/figures.h"

#include <stdbool.h>
#include <stdio.h>

#define UMMGR_PROFILE_DEVICES 16	/* At most.  */

/* Nothing changes it once it is adjusted.  */
struct ummgr_profile
{
  char name[64];
  char scaling[256];		/* What --scale and --device-mem changed.  */
  int device_count;
  struct ummgr_figures device[UMMGR_PROFILE_DEVICES];
  /* 0: no peer access.  */
  double peer_rate[UMMGR_PROFILE_DEVICES][UMMGR_PROFILE_DEVICES];
};

/* Parse FILE, named PATH in messages, into OUT.  On error log one message
   "PATH:LINE: …" and return false.  */
bool ummgr_profile_parse (FILE *file, const char *path,
			  struct ummgr_profile *out);

/* Find the profile NAME (a name on the search path, or a path with a slash)
   and parse it.  An unknown name is an error that lists the known ones.  */
bool ummgr_profile_find (const char *name, struct ummgr_profile *out);

/* Apply --gpus, --device-mem and --scale to P and say so in P->scaling.  */
bool ummgr_profile_adjust (struct ummgr_profile *p,
			   const struct ummgr_options *options);

/* Figures that make no machine (a block that is no power of two, …); WHERE
   begins the message.  */
bool ummgr_profile_check (const struct ummgr_profile *p, const char *where);
