/* `ummgr replay` and `ummgr classify`.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_CLI_REPLAY_H
#define UMMGR_CLI_REPLAY_H

int ummgr_cli_replay (int argc, char **argv);
int ummgr_cli_classify (int argc, char **argv);

#endif
