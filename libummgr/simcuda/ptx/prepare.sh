#!/bin/sh
# Translate what programs take of GCC's libraries for the GPU, once for all users.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: prepare.sh UMMGR SAMPLE DIRECTORY CC FLAGS...
#   UMMGR      the ummgr command
#   SAMPLE     sample.c beside this
#   DIRECTORY  for the objects: kernels/ beside sim/, where the simulated driver looks
#   CC FLAGS   an offload compiler for nvptx
#
# Without such a compiler nothing is done: programs then have their modules translated
# when they first run, a few seconds once.

set -u
ummgr=$1
sample=$2
directory=$3
shift 3
work=$(mktemp -d) || exit 0
trap 'rm -rf "$work"' EXIT

if ! "$@" -O2 -fopenmp -foffload-options=nvptx-none=-lm "$sample" -o "$work/sample" -lm \
  >"$work/log" 2>&1; then
  echo "kernels: no offload compiler, so nothing is translated beforehand"
  exit 0
fi
# Those that are watched are others.
for how in touch access; do
  XDG_CACHE_HOME=$work "$ummgr" run -q --gpu=sim --kernels=ptx --fidelity=$how \
    -- "$work/sample" >"$work/log" 2>&1 || { tail -n 2 "$work/log"; exit 0; }
done
mkdir -p "$directory" && cp "$work"/ummgr/kernels/*.so "$directory"/ || exit 1
echo "kernels: $(ls "$directory" | wc -l) modules translated to $directory"
