#!/bin/bash
# The plugin, run, trace and patterns tests with every GCC that is installed.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: check-matrix.sh BUILDDIR "GCCS" "PARTS"
#
# GCCS: "gcc-13 gcc-14"; empty: all in $PATH that have plugin headers.  Each has a tree of its own,
# BUILDDIR/matrix/gcc-N, configured as BUILDDIR is and kept for the next time, in which all is
# compiled by it.  BUILDDIR/matrix.json says for each GCC how many tests passed, failed and were
# skipped, which failed, and the reasons of those that were skipped.
set -u
export LC_ALL=C

build=$(cd "$1" && pwd) || exit 1
gccs=${2:-}
parts=${3:-patterns run trace plugin}
src=$(cd "$(dirname "$0")/.." && pwd)
cd "$build" || exit 1

die ()
{
  echo "check-matrix: $*" >&2
  exit 1
}

# Configure and build in matrix/$1 with the compiler $2.
build_tree ()
{
  local tree=matrix/$1 configured
  mkdir -p "$tree" || return 1
  if ! test -f "$tree/config.status" || test "$src/configure" -nt "$tree/config.status"; then
    configured=$(./config.status --config) || return 1
    (cd "$tree" && eval "\"$src/configure\" -q $configured --with-gcc=\"\$2\" CC= CXX=") || return 1
  fi
  make -s -C "$tree/libummgr" -j"$(nproc)" && make -s -C "$tree/gcc-plugin" -j"$(nproc)" \
    && make -s -C "$tree/testsuite" site.exp limit
}

# Run part $2 in matrix/$1.  A part without an end is an error: DejaGnu says nothing of
# tests that it never came to.
run_part ()
{
  local where=matrix/$1/testsuite/parts/$2
  rm -rf "$where"
  mkdir -p "$where" && cp "matrix/$1/testsuite/site.exp" "$where/" || exit 1
  (cd "$where" && runtest --tool ummgr --srcdir "$src/testsuite" "$2.exp" >output 2>&1 </dev/null)
  grep -qs '=== ummgr Summary ===' "$where/ummgr.sum" \
    || echo "ERROR: $2.exp did not come to its end" >>"$where/ummgr.sum"
}

# What the summaries of matrix/$1 say, as one member of an object.  $2: a comma or not; $3: the compiler.
summarize ()
{
  local summaries=() part
  for part in $parts; do
    summaries+=("matrix/$1/testsuite/parts/$part/ummgr.sum")
  done
  awk -v gcc="${1#gcc-}" -v version="$("$3" -dumpfullversion)" -v end="$2" '
    function text(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); gsub(/[\001-\037]/, " ", s); return "\"" s "\"" }
    /^(PASS|XFAIL):/ { passed++ }
    /^(FAIL|XPASS|UNRESOLVED|ERROR):/ { failed++; list = list (list == "" ? "" : ",\n      ") text($0) }
    /^(UNSUPPORTED|UNTESTED):/ {
      skipped++
      reason = $0
      # The reason stands behind the last name.
      if (!sub(/^.*: /, "", reason)) reason = "none given"
      if (!count[reason]++) order[++reasons] = reason
    }
    END {
      printf "  %s: {\n    \"version\": %s,\n    \"passed\": %d,\n    \"failed\": %d,\n    \"skipped\": %d,\n", text(gcc), text(version), passed, failed, skipped
      printf "    \"failures\": [%s],\n    \"reasons\": {", list
      for (i = 1; i <= reasons; i++)
        printf "%s\n      %s: %d", (i > 1 ? "," : ""), text(order[i]), count[order[i]]
      printf "}\n  }%s\n", end
      exit failed > 0 || passed == 0
    }' "${summaries[@]}"
}

test -f config.status || die "$build is no build tree"
test -n "$gccs" || gccs=$("$src/gcc-plugin/others.sh" list)
test -n "$gccs" || die 'no gcc-N in $PATH has plugin headers: install gcc-12-plugin-dev, say'
status=0
names=()
compilers=()
for gcc in $gccs; do
  version=$("$gcc" -dumpversion) || die "can't run $gcc"
  name=gcc-${version%%.*}
  echo "check-matrix: $name" >&2
  build_tree "$name" "$gcc" >&2 || die "$gcc: the build in $build/matrix/$name failed"
  names+=("$name")
  compilers+=("$gcc")
  export src name
  export -f run_part
  tr ' ' '\n' <<<"$parts" | xargs -P "$(nproc)" -I{} bash -c 'run_part "$name" "$1"' _ {}
done
{
  echo '{'
  for ((i = 0; i < ${#names[@]}; i++)); do
    comma=,
    test $((i + 1)) -lt ${#names[@]} || comma=
    summarize "${names[i]}" "$comma" "${compilers[i]}" || status=1
  done
  echo '}'
} >matrix.json.new
mv matrix.json.new matrix.json
cat matrix.json
exit $status
