#!/bin/bash
# Install the packages of `make deb' in a bare root, and use them as somebody does who has read nothing.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: try-deb.sh ROOT DEBS
#
#   ROOT  made by debootstrap --variant=minbase, with apt's lists in order; needs root, for chroot
#   DEBS  the directory with the packages
#
# Installs them, compiles and runs a program in C and one in C++, by the command, by plain gcc with -fplugin=ummgr
# and by pkg-config, purges them again and says what they have left.
set -eu
root=$1
debs=$2

inside ()
{
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

files ()
{
  (cd "$root" && find usr etc -name '*ummgr*' | sort)
}

mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
trap 'umount "$root/dev" "$root/proc"' EXIT
rm -rf "$root/try"
mkdir "$root/try"
cp "$debs"/*.deb "$root/try"
rm -f "$root"/try/*-dbgsym*
cat >"$root/try/vadd.c" <<'END'
#include <stdio.h>
double a[100000], b[100000];
int
main (void)
{
  for (int i = 0; i < 100000; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(to: a) map(from: b)
  for (int i = 0; i < 100000; i++)
    b[i] = 2 * a[i];
  puts (b[99999] == 2 * 99999.0 ? "right" : "wrong");
  return b[99999] != 2 * 99999.0;
}
END
sed 's/<stdio.h>/<iostream>/; s/puts (\(.*\));/std::cout << (\1) << std::endl;/' "$root/try/vadd.c" >"$root/try/vadd.cc"

# The GCC that they are for.
gcc=$(cd "$root/try" && echo gcc-*-plugin-ummgr_*.deb)
gcc=${gcc#gcc-}
gcc=${gcc%%-*}
inside sh -ec "apt-get -q -y install --no-install-recommends /try/*.deb \
  g++-$gcc gcc-$gcc-offload-nvptx libgomp-plugin-nvptx1 pkg-config man-db" >&2
inside env GCC="$gcc" sh -ec '
  cd /try
  ummgr --version | head -1
  ummgr info >info.txt
  ummgr cc -O1 vadd.c -o c && ummgr run --gpu=sim -q --policy=lru --stats=c.json ./c
  grep -q "main._omp_fn" c.json
  ummgr tables c | grep -q "vadd.c:"
  ummgr-g++ -O1 vadd.cc -o cxx && UMMGR_GPU=sim ./cxx
  gcc-$GCC -O1 -fopenmp -fplugin=ummgr vadd.c -o plain -Wl,-z,notext $(pkg-config --cflags --libs ummgr)
  UMMGR_GPU=sim ./plain
  ummgr tables plain | grep -q "vadd.c:"
  ! ummgr run --gpu=sim --kernels=ptx -q ./c 2>&1 | grep warning
  for page in ummgr ummgr-cc ummgr-gcc ummgr-g++ ummgr-c++ ummgr-run libummgr; do
    man -w $page >/dev/null
  done'
inside sh -ec 'apt-get -q -y purge "ummgr*" "libummgr*" "gcc-*-plugin-ummgr"' >&2
left=$(files)
test -z "$left" || { echo "left: $left"; exit 1; }
echo "purged, and nothing is left"
