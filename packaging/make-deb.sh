#!/bin/bash
# Debian packages of a tarball that `make dist' made, for the GCC that ummgr was configured for.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: make-deb.sh TARBALL VERSION GCC EPOCH
#
# Builds in deb/ of the current directory and leaves the packages there.  EPOCH is the time of the source.  Where there
# is lintian, it must find nothing.
set -eu
tarball=$(realpath "$1")
version=$2
gcc=$3
epoch=$4

for program in dpkg-buildpackage dh; do
  command -v $program >/dev/null || { echo "make deb: no $program: apt-get install dpkg-dev debhelper" >&2; exit 1; }
done
rm -rf deb
mkdir deb
cd deb
tar xf "$tarball"
cd "ummgr-$version"
cp -r packaging/debian debian
for file in changelog control rules; do
  sed -e "s|@RELEASE@|$version|; s|@NEXT@|$((gcc + 1))|g; s|@N@|$gcc|g" \
    -e "s|@DATE@|$(LC_ALL=C date -u -R -d "@$epoch")|" debian/$file.in >debian/$file
  rm debian/$file.in
done
chmod +x debian/rules
SOURCE_DATE_EPOCH=$epoch MAKEFLAGS= MFLAGS= MAKELEVEL= dpkg-buildpackage -us -uc -b
cd ..
! command -v lintian >/dev/null || lintian --allow-root --fail-on error,warning,info --display-info ./*.changes
