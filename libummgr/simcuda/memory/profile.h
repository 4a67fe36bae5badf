/* Reading profile files, inside the memory half.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A profile is text.  Each figure is one line, `key = value  # source`, and
   a line without its source is an error.  Sections:

     (top)         devices
     [device]      figures of every device
     [device N]    figures of device N alone, after [device]
     [peer]        rate (every pair), rate I J (one pair, both ways)

   Values: sizes with K, M, G or T (powers of 1024); rates "900 GB/s" (powers
   of 1000); times "20 us" (s, ms, us or ns); counts and texts as they are.  */

#ifndef UMMGR_SIM_PROFILE_H
#define UMMGR_SIM_PROFILE_H

#include "base/options.h"
#include "simcuda/sim.h"
#include "uvm/uvm.h"

#include <stdio.h>

/* Parse FILE, named PATH in messages, into OUT.  On error log one message
   "PATH:LINE: …" and return false.  */
bool sim_profile_parse (FILE *file, const char *path, struct sim_profile *out);

/* Find the profile NAME (a name on the search path, or a path with a slash)
   and parse it.  An unknown name is an error that lists the known ones.  */
bool sim_profile_find (const char *name, struct sim_profile *out);

/* Apply --gpus, --device-mem and --scale to P and say so in P->scaling.  */
bool sim_profile_adjust (struct sim_profile *p,
			 const struct ummgr_options *options);

/* Figures that make no machine (a block that is no power of two, …); WHERE
   begins the message.  */
bool sim_profile_check (const struct sim_profile *p, const char *where);

/* The unified memory of COUNT such devices, whose blocks are the first one's; what
   orders them and what their peers' links carry is still to be said.  */
struct uvm_config sim_profile_uvm (const struct sim_profile_device *device,
				   int count);

#endif
