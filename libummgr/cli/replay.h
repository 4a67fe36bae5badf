/* `ummgr replay' and `ummgr classify'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"

int ummgr_cli_replay (int argc, char **argv);
int ummgr_cli_classify (int argc, char **argv);

/* What `ummgr replay' was asked for: NULL, 0 and empty lists where nothing was
   said.  */
struct ummgr_replay_wish
{
  struct ummgr_option_list evict, capacity;
  const char *profile, *hits, *tlb, *sm_tlb;
  bool json;
  /* Of objects.  */
  struct ummgr_option_list policy, memory;
  uint64_t scale;
  bool access_counters;
  const char *transfer, *partial;
  bool unify;
};

/* Replay FILES under policies of objects, and print; the exit status
   (replay-policies.c).  */
int ummgr_replay_wish_run (const struct ummgr_replay_wish *wish, char **files,
			   int count);

struct json_t;

/* Print ALL, an array with an object for each trace, or nothing if it is NULL;
   STATUS, or a failure.  */
int ummgr_replay_put (struct json_t *all, int status);
