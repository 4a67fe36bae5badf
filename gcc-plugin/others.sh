#!/bin/bash
# The plugin, and the program object of traces, for other GCCs than the build tree's own.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: others.sh list [CC]              the GCCs in $PATH that have plugin headers; not CC's version
#        others.sh build|install GCC...   in the top of a build tree: each in plugins/gcc-N
#        others.sh uninstall              what was built there
set -u

die ()
{
  echo "others: $*" >&2
  exit 1
}

major ()
{
  local version
  version=$("$@" -dumpversion 2>/dev/null) && echo "${version%%.*}"
}

list ()
{
  local not gcc n
  not=$(test $# = 0 || major $1)
  for n in 11 12 13 14 15 16; do
    gcc=gcc-$n
    test "$n" != "$not" && command -v $gcc g++-$n >/dev/null \
      && test -e "$($gcc -print-file-name=plugin/include/gcc-plugin.h)" && echo $gcc
  done
  return 0
}

# Have plugins/gcc-N, for the compiler $1, configured as this tree is, and print its name.
tree_for ()
{
  local gcc=$1 n source configured
  n=$(major "$gcc") || die "can't run $gcc"
  source=$(sed -n 's/^abs_top_srcdir = //p' Makefile)
  test -n "$source" || die "no build tree here"
  mkdir -p plugins/gcc-$n || exit 1
  # As the tree is now: it may have been configured again, with another prefix.
  configured=$(./config.status --config) || exit 1
  configured+=" --with-gcc=$(printf %q "$gcc")"
  if ! test "$(cat plugins/gcc-$n/configured 2>/dev/null)" = "$configured" \
    || test "$source/configure" -nt plugins/gcc-$n/config.status; then
    (cd plugins/gcc-$n && eval "\"$source/configure\" -q $configured CC= CXX=" >&2) \
      || die "$gcc: configure failed: see plugins/gcc-$n/config.log"
    echo "$configured" >plugins/gcc-$n/configured
  fi
  test -n "$(sed -n 's/^GCC_PLUGIN_INCLUDE = //p' plugins/gcc-$n/Makefile)" \
    || die "$gcc has no plugin headers: install gcc-$n-plugin-dev"
  echo plugins/gcc-$n
}

build ()
{
  local tree
  tree=$(tree_for "$1") || exit 1
  ${MAKE:-make} -C "$tree/gcc-plugin" && ${MAKE:-make} -C "$tree/libummgr" ummgr-trace.o
}

what=${1:-}
test $# = 0 || shift
status=0
case $what in
  list) list "$@" ;;
  build | install)
    for gcc; do
      build "$gcc" || status=1
      test $status = 1 || test $what = build && continue
      tree=$(tree_for "$gcc") || exit 1
      ${MAKE:-make} -C "$tree/gcc-plugin" install && ${MAKE:-make} -C "$tree/libummgr" install-ummgrtraceDATA || status=1
    done ;;
  uninstall)
    for tree in plugins/gcc-*/; do
      test -f "$tree/Makefile" || continue
      ${MAKE:-make} -C "$tree/gcc-plugin" uninstall && ${MAKE:-make} -C "$tree/libummgr" uninstall-ummgrtraceDATA || status=1
    done ;;
  *) die "list, build, install or uninstall?" ;;
esac
exit $status
