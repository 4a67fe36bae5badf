#!/bin/sh
# Make the seeds of the fuzzers' corpora from real runs, for a build in BUILD, in
# OUT; fuzz.sh's WORK, once it has the harnesses, minimises them.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   corpus.sh TOP_SRCDIR BUILD OUT [WORK]
#
# What this makes is added to corpus/ by hand: the files there that once crashed
# a reader, regression-*, are nobody's to make again.
set -eu
top=$1 build=$2 out=$3 work=${4:-}
here=$top/testsuite/fuzz
ummgr=$build/libummgr/ummgr
mkdir -p "$out/tmp"
cd "$out/tmp"
# Under a name of its own: no path of this machine belongs into a corpus.
cp "$here/seed-program.c" .

# Words, each of them.
libraries=$(sed -n 's/^set UMMGR_UNIT_LIBS "\(.*\)"/\1/p' "$build/testsuite/ummgr-site.exp")
${CC:-gcc} -std=gnu11 -I"$build" -I"$top/include" -I"$top/libummgr" -I"$top/testsuite" \
  "$here/seed.c" "$build/libummgr/.libs/libtrace.a" "$build/libummgr/.libs/libbase.a" \
  $libraries -lpthread -o seed
"$ummgr" cc -ftrace -O2 seed-program.c -o traced
"$ummgr" cc -O2 -save-temps seed-program.c -o plain

keep ()
{
  mkdir -p "$out/corpus/$1"
  cat >"$out/corpus/$1/$2"
}

run ()
{
  "$ummgr" run -q --gpu=sim --scale=1/1024 --min-size=4K "$@"
}

for policy in um rdm; do
  run --policy=$policy --trace=$policy.ummt --stats=$policy.json ./traced
  for harness in trace-report trace-replay; do
    ./seed raw $policy.ummt | keep $harness $policy
  done
  sed "s|$PWD/||" $policy.json | keep statistics $policy
done
for harness in trace-report trace-replay; do
  keep $harness whole.ummt <um.ummt
done
./seed topology | keep topology small.xml
for profile in v100-nvlink2 coda-4gpu; do
  keep profile $profile <"$top/libummgr/simcuda/profiles/$profile.conf"
done
keep ptx program <plain.xnvptx-none.mkoffload.s
keep kernels program <plain.xnvptx-none.mkoffload.s

# Objects without offload code: only the tables, and little else.
"$ummgr" cc -O2 -g0 -fPIC -foffload=disable -c seed-program.c -o tables.o
objcopy -g -R .comment -R '.gnu.offload_lto_*' -w tables.o
keep elf object <tables.o
${CC:-gcc} -shared -nostdlib -s -Wl,-z,noseparate-code -Wl,--build-id=none tables.o -o tables.so
keep elf shared <tables.so
objcopy -O binary --only-section=.note.ummgr tables.so tables.note
keep tables-run notes <tables.note

test -n "$work" || exit 0
for directory in "$out"/corpus/*; do
  name=${directory##*/}
  rm -rf "$out/least"
  AFL_ALLOW_TMP=1 afl-cmin -i "$directory" -o "$out/least" -m none -t 20000 -- "$work/$name.fuzz"
  for file in "$out"/least/*; do
    mkdir -p "$out/minimised/$name"
    timeout 300 afl-tmin -i "$file" -o "$out/minimised/$name/${file##*/}" -m none -t 20000 -- "$work/$name.fuzz" \
      || cp "$file" "$out/minimised/$name/"
  done
done
