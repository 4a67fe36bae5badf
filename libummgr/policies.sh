#!/bin/sh
# The files of the policies that policy/policies.def and paging/paging.def
# name, for automake, which takes no patterns.
# SPDX-License-Identifier: GPL-3.0-or-later
cd "$(dirname "$0")" || exit 1
files ()
{
  sed -n "s|^$1 (\(.*\))|  $2/\1.c|p" $2/*.def | sed '$!s|$| \\|'
}
cat >policies.frag <<END
# Made by policies.sh.
POLICY_FILES = \\
$(files UMMGR_POLICY policy)
PAGING_FILES = \\
$(files UMMGR_PAGING paging)
END
