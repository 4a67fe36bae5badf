#!/bin/sh
# Print the flags with which the compiler given as arguments builds nvptx
# offload programs, or -foffload=disable (with a message) where it can't.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: offload-flags.sh CC [FLAG...]
# The ptxas of newer CUDA toolkits refuses GCC 12's default sm_35, and GCC 11
# knows nothing newer: its code is then not checked.  A PIE's offload tables need
# text relocations, about which some linkers warn.  Ubuntu's GCC protects branches and
# stacks by default, which the offload compiler can't.

set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

cat >"$dir/probe.c" <<'EOF'
int
main (void)
{
  int x = 1;
#pragma omp target map(tofrom: x)
  {
    volatile char text[64];
    for (int i = 0; i < 64; i++)
      text[i] = x;
    x -= text[x];
  }
  return x;
}
EOF

# try CC FLAGS...: does it link without a warning?
try()
{
  "$@" -O2 -fopenmp "$dir/probe.c" -o "$dir/probe" >"$dir/log" 2>&1 \
    && ! grep -q -e warning -e error "$dir/log"
}

sm=-foffload-options=nvptx-none=-misa=sm_75
notext=-Wl,-z,notext
check=-foffload=-Wa,--no-verify
for plain in "" "-fcf-protection=none -fno-stack-protector"; do
  for flags in "" "$notext" "$sm" "$sm $notext" "$check" "$check $notext"; do
    if try "$@" -foffload=nvptx-none $plain $flags; then
      echo -foffload=nvptx-none $plain $flags
      exit
    fi
  done
done
echo "offload-flags: $1 can't build nvptx offload programs; the benchmark" \
  "programs will run on the host only" >&2
echo -foffload=disable
