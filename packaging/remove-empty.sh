#!/bin/sh
# Remove the directories that `make uninstall' has left empty.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: remove-empty.sh PREFIX DIRECTORY...
#
# Each DIRECTORY goes if it is empty, and then those above it, as far as PREFIX, which stays.  Under a system's own
# prefix, and outside of PREFIX, only those that are ummgr's alone do: others are somebody's even when empty.
root=$1
shift
for d; do
  while test "$d" != "$root"; do
    case $d in
      */ummgr | */ummgr/sim | */ummgr/kernels | */ummgr/profiles | */ummgr/gcc-*) ;;
      "$root"/*) case $root in '' | / | /usr | /usr/local) break ;; esac ;;
      *) break ;;
    esac
    test ! -d "$d" || rmdir "$d" 2>/dev/null || break
    d=$(dirname "$d")
  done
done
