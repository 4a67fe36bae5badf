# Which policies there are, for the benches: the library's own lists.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects ummgr and die.
# shellcheck shell=bash disable=SC2154

# listed WHAT: the names that `ummgr --list WHAT' has, in its order, on one line.
listed()
{
  "$ummgr" --list "$1" | sed 's/ .*//' | paste -sd' '
}

# known WHAT NAME...: a figure compares policies of its paper's choice; they must
# be among those there are.
known()
{
  local what=$1 all name
  shift
  all=$(listed "$what")
  for name; do
    case " $all " in
    *" $name "*) ;;
    *) die "'$name' is not of \`ummgr --list $what': $all" ;;
    esac
  done
}
