#!/bin/bash
# `make check-matrix' on other distributions: in roots that debootstrap makes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-roots.sh DIRECTORY SUITE[:VERSIONS]...
#
# For each of Debian's SUITEs, such as bookworm:11,12 or trixie:13,14 or sid:15,16, makes a bare root
# in DIRECTORY/SUITE (once), clones this repository's HEAD into it, and does there, as root, what a
# user does: ./bootstrap, ./bootstrap demo and ./bootstrap check with the default GCC; then, with the
# VERSIONS' packages, check-matrix, and what else README.md has: an installation with a plugin for each of them, and a build
# with the first that isn't the default.  DIRECTORY/SUITE.json is check-matrix's result;
# DIRECTORY/SUITE.log has all that was said, and how many seconds and megabytes the commands took.
# MIRROR names another than debootstrap's own.  STEPS, "commands check matrix install" if not set, are those
# to do; without `commands' in a root and a checkout as they are.
# To be called by root, on a machine whose debootstrap knows the suites (apt-get install debootstrap).
set -u
export LC_ALL=C

die ()
{
  echo "check-roots: $*" >&2
  exit 1
}

src=$(cd "$(dirname "$0")/.." && pwd)
test $# -ge 2 || die "usage: check-roots.sh DIRECTORY SUITE[:VERSIONS]..."
test "$(id -u)" = 0 || die "debootstrap and chroot need root"
command -v debootstrap >/dev/null || die "no debootstrap here: apt-get install debootstrap"
mkdir -p "$1" && directory=$(cd "$1" && pwd) || exit 1
shift

# Run the rest in root $1, with its own /proc, and nothing of this environment.
enter ()
{
  local root=$1
  shift
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" || return 1
  mountpoint -q "$root/dev" || mount --rbind /dev "$root/dev" || return 1
  mount --make-rslave "$root/dev"
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

leave ()
{
  umount -R "$1/dev" "$1/proc" 2>/dev/null
}

make_root ()
{
  test -e "$2/etc/debian_version" && return
  rm -rf "$2.new"
  debootstrap --variant=minbase "$1" "$2.new" ${MIRROR:+"$MIRROR"} || return 1
  # A mirror's copy may be an old one.
  echo 'Acquire::Check-Valid-Until "false";' >"$2.new/etc/apt/apt.conf.d/90valid"
  mv "$2.new" "$2"
}

# Time, and what it left on the disk, of COMMAND in root $1.
measured ()
{
  local root=$1 start=$SECONDS before
  shift
  before=$(du -smx "$root" | cut -f1)
  enter "$root" bash -c "cd /ummgr && $*" || return 1
  echo "check-roots: $*: $((SECONDS - start)) s, $(($(du -smx "$root" | cut -f1) - before)) MB"
}

# A program as GCC $2 compiles it with root $1's installation has tables, and runs.
try_program ()
{
  enter "$1" env UMMGR_CC="gcc-$2" PATH=/root/ummgr/bin:/usr/bin:/bin sh -c '
    cd /root && cp /ummgr/testsuite/ummgr.cli/documented/prog.c . && ummgr cc -O1 prog.c -o prog &&
    ummgr tables prog | grep "prog.c:" && ummgr run --gpu=sim -q ./prog'
}

# What README.md says of installing, in root $1, and of other GCCs, VERSIONS $2.
try_install ()
{
  local root=$1 n gccs= default other=
  default=$(enter "$root" gcc -dumpversion) || return 1
  measured "$root" 'PREFIX=$HOME/ummgr ./bootstrap install' || return 1
  try_program "$root" "$default" || return 1
  for n in $2; do
    gccs+="${gccs:+ }gcc-$n"
    test "$n" = "${default%%.*}" || other=${other:-$n}
  done
  test -z "$gccs" || enter "$root" make -C /ummgr/build -s install-plugins GCCS="$gccs" || return 1
  for n in $2; do
    try_program "$root" "$n" || return 1
  done
  test -z "$other" || measured "$root" "GCC=$other ./bootstrap"
}

# Root $1 and VERSIONS $2, "13 14".
try_root ()
{
  local root=$1 packages= n
  if [[ " $STEPS " == *" commands "* ]]; then
    rm -rf "$root/ummgr"
    git clone -q "$src" "$root/ummgr" || return 1
    measured "$root" ./bootstrap && measured "$root" ./bootstrap demo || return 1
  fi
  if [[ " $STEPS " == *" check "* ]]; then
    measured "$root" ./bootstrap check || return 1
  fi
  for n in $2; do
    packages+=" gcc-$n g++-$n gfortran-$n gcc-$n-plugin-dev gcc-$n-offload-nvptx"
  done
  test -z "$packages" \
    || enter "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages \
    || return 1
  if [[ " $STEPS " == *" matrix "* ]]; then
    enter "$root" make -C /ummgr/build -s check-matrix
    local status=$?
    # What comes next may clean the build tree.
    cp "$root/ummgr/build/matrix.json" "$root.json"
    test $status = 0 || return 1
  fi
  if [[ " $STEPS " == *" install "* ]]; then
    try_install "$root" "$2" || return 1
  fi
}

STEPS=${STEPS:-commands check matrix install}
status=0
for suite; do
  versions=
  case $suite in *:*) versions=$(tr , ' ' <<<"${suite#*:}") ;; esac
  suite=${suite%%:*}
  root=$directory/$suite
  if [[ " $STEPS " == *" commands "* ]]; then
    rm -f "$root.json" "$root.log"
  fi
  if make_root "$suite" "$root" >>"$root.log" 2>&1 && try_root "$root" "$versions" >>"$root.log" 2>&1; then
    echo "PASS: $suite ($STEPS)"
  else
    echo "FAIL: $suite: see $root.log"
    status=1
  fi
  leave "$root"
done
exit $status
