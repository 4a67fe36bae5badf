#!/bin/bash
# `make check-matrix' on other distributions: in roots that debootstrap makes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-roots.sh DIRECTORY SUITE[:VERSIONS]...
#
# For each of Debian's SUITEs, such as bookworm:11,12 or trixie:13,14 or sid:15,16, makes a bare root
# in DIRECTORY/SUITE (once), clones this repository's HEAD into it, and does there, as root, what a
# user does: ./bootstrap and ./bootstrap demo with the default GCC; then, with the VERSIONS' packages,
# check-matrix.  DIRECTORY/SUITE.json is its result; DIRECTORY/SUITE.log has all that was said, and
# how many seconds and megabytes both commands took.  MIRROR names another than debootstrap's own.
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

# Root $1 and VERSIONS $2, "13 14".
try_root ()
{
  local root=$1 packages= n
  rm -rf "$root/ummgr"
  git clone -q "$src" "$root/ummgr" || return 1
  measured "$root" ./bootstrap && measured "$root" ./bootstrap demo || return 1
  for n in $2; do
    packages+=" gcc-$n g++-$n gfortran-$n gcc-$n-plugin-dev gcc-$n-offload-nvptx"
  done
  test -z "$packages" \
    || enter "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages \
    || return 1
  enter "$root" make -C /ummgr/build -s check-matrix
}

status=0
for suite; do
  versions=
  case $suite in *:*) versions=$(tr , ' ' <<<"${suite#*:}") ;; esac
  suite=${suite%%:*}
  root=$directory/$suite
  rm -f "$directory/$suite.json"
  if make_root "$suite" "$root" >"$directory/$suite.log" 2>&1 && try_root "$root" "$versions" >>"$directory/$suite.log" 2>&1; then
    echo "PASS: $suite"
  else
    echo "FAIL: $suite: see $directory/$suite.log"
    status=1
  fi
  leave "$root"
  cp "$root/ummgr/build/matrix.json" "$directory/$suite.json" 2>/dev/null
done
exit $status
