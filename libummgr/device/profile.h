/* Profiles: machines as files describe them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A profile is text.  Each figure is one line, `key = value  # source`, and
   a line without its source is an error.  Sections:

     (top)         devices
     [device]      figures of every device
     [device N]    figures of device N alone, after [device]
     [peer]        rate (every pair), rate I J (one pair, both ways); latency likewise, of a
		   copy
     [host]        memory_rate: what all devices together get of the host's memory
     [uplink]      devices (numbers) that share a link to the host, and its rate, each way;
		   as often as there are such

   What is not known is left out of the last three: a pair without a rate has no peer access,
   one without a latency has that of the receiver's link, and nothing is shared.

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
  /* 0: no peer access; as link_latency.  */
  double peer_rate[UMMGR_PROFILE_DEVICES][UMMGR_PROFILE_DEVICES];
  double peer_latency[UMMGR_PROFILE_DEVICES][UMMGR_PROFILE_DEVICES];
  double host_rate;		/* 0: not known.  */
  int uplink[UMMGR_PROFILE_DEVICES]; /* Of a device, from 1 on; 0: its own.  */
  double uplink_rate[2 * UMMGR_PROFILE_DEVICES]; /* More than devices: --gpus.  */
  int uplinks;
};

/* Parse FILE, named PATH in messages, into OUT.  On error log one message
   "PATH:LINE: …" and return false.  */
bool ummgr_profile_parse (FILE *file, const char *path,
			  struct ummgr_profile *out);

/* Find the profile NAME (a name on the search path, or a path with a slash)
   and parse it.  An unknown name is an error that lists the known ones, and says which was likely meant.  */
bool ummgr_profile_find (const char *name, struct ummgr_profile *out);

/* TELL of each profile on the search path its name and what its first comment says, up to the end of
   the sentence; in the order of names, each name once.  */
void ummgr_profile_list (void (*tell) (const char *name, const char *about, void *data), void *data);

/* Apply --gpus, --device-mem and --scale to P and say so in P->scaling.  */
bool ummgr_profile_adjust (struct ummgr_profile *p,
			   const struct ummgr_options *options);

/* Figures that make no machine (a block that is no power of two, …); WHERE
   begins the message.  */
bool ummgr_profile_check (const struct ummgr_profile *p, const char *where);
