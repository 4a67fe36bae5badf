/* `ummgr replay' and `ummgr classify'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_CLI_REPLAY_H
#define UMMGR_CLI_REPLAY_H

#include "policy/policy.h"

#include <argp.h>
#include <stdint.h>

int ummgr_cli_replay (int argc, char **argv);
int ummgr_cli_classify (int argc, char **argv);

/* --- replay-policies.c: the part that is about policies of objects ---------- */

enum { LIST_MOST = 64 };	/* Of one option's words.  */

enum
{
  UMMGR_REPLAY_POLICY = 512, UMMGR_REPLAY_MEMORY, UMMGR_REPLAY_SCALE,
  UMMGR_REPLAY_TRANSFER, UMMGR_REPLAY_PARTIAL
};

struct ummgr_replay_wish
{
  const char *policy[LIST_MOST];
  size_t policy_count;
  uint64_t memory[LIST_MOST];	/* 0: the profile's.  */
  size_t memory_count;
  uint64_t scale;		/* 0: none.  */
  const char *profile;		/* NULL: not given.  */
  const char *evict;
  const char *transfer;		/* NULL: hybrid.  */
  enum ummgr_partial partial;
  bool json;
};

/* As argp's parsers; ARGP_ERR_UNKNOWN for options that are not of this part
   (the profile is).  */
error_t ummgr_replay_wish_parse (struct ummgr_replay_wish *wish, int key,
				 char *argument, struct argp_state *state);

/* Replay FILES and print; the exit status.  */
int ummgr_replay_wish_run (const struct ummgr_replay_wish *wish, char **files,
			   int count);

#endif
