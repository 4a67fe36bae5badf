# The plot of bench-model; only where gnuplot is installed.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects bench, target and work, where compare.c has written
# plot-NAME.dat: column, seconds measured and modelled, faults the same.
# shellcheck shell=bash disable=SC2154

# panel NAME FIRST TITLE UNIT: a program's measured and modelled values, which are in
# the columns FIRST and the next.
panel()
{
  cat <<EOF
set title '$3' font 'Sans,12'
set ylabel '$4'
plot '$work/plot-$1.dat' using 0:$2:xtic(1) with linespoints lw 1.8 ps 1.1 pt 7 lc rgb '#000000' title 'measured', \
     '' using 0:$(($2 + 1)) with linespoints lw 1.8 ps 1.1 pt 4 dt 2 lc rgb '#d55e00' title 'modelled'
EOF
}

# commands NAMES COUNT
commands()
{
  local name unit
  cat <<EOF
set multiplot layout 2, $2 columnsfirst title "RTX 3090: by how many % data exceeds the memory\n " font 'Sans,13'
set logscale y
set format y '10^{%L}'
set xrange [-0.4:3.4]
set offsets 0, 0, 0, 0
set grid y lc rgb '#dddddd'
set datafile missing 'nan'
set key at screen 0.5, 0.935 center center horizontal maxrows 1 samplen 3
EOF
  for name in $1; do
    unit=seconds
    [ "$name" = "${1%% *}" ] || unit=
    panel "$name" 2 "$name" "$unit"
    echo 'unset key'
    [ -z "$unit" ] || unit=faults
    panel "$name" 4 '' "$unit"
  done
  echo 'unset multiplot'
}

plots_model()
{
  local names='' name count=0 kind
  command -v gnuplot >/dev/null || return 0
  for name in 2dconv gemm fdtd2d mvt floyd-warshall; do
    [ -s "$work/plot-$name.dat" ] || continue
    names="$names $name"
    count=$((count + 1))
  done
  [ $count -gt 0 ] || return 0
  for kind in png:pngcairo svg:svg; do
    {
      echo "set terminal ${kind#*:} size $((60 + 290 * count)),620 font 'Sans,11' background '#ffffff'"
      echo "set output '$bench/model.${kind%:*}'"
      commands "${names# }" $count
    } >"$work/model.gp"
    if gnuplot "$work/model.gp"; then
      echo "plot: $bench/model.${kind%:*}"
    else
      say "gnuplot failed; no model.${kind%:*}"
    fi
  done
}
