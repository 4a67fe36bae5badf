# The plots of bench-multigpu, CODA's figures 9 to 12 and 15, and speedups over ordinary GPUs; only where gnuplot is installed.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced.  Expects bench, target and work, where tables.awk has written NAME.dat.
# shellcheck shell=bash disable=SC2154

# bars FILE TITLE COLUMN:NAME:COLOUR...: groups of bars.
bars()
{
  local file=$1 title=$2 first=1 word column name
  shift 2
  printf "set title '%s' font 'Sans,12'\nplot" "$title"
  for word in "$@"; do
    column=${word%%:*}
    name=${word#*:}
    [ $first = 1 ] || printf ', '
    first=0
    printf " '%s' using %s:xtic(1) lc rgb '%s' title '%s'" "$work/$file.dat" "$column" \
      "${name#*:}" "${name%%:*}"
  done
  echo
}

# Groups of bars.
groups="set style data histogram
set style histogram clustered gap 1
set style fill solid noborder
set grid y lc rgb '#dddddd'
set xtics rotate by -40 left
set key outside right top
set yrange [0:*]"

commands()
{
  cat <<EOF
set multiplot layout 3, 1 title "CODA's machine: 4 GPUs behind one address space\n " font 'Sans,13'
$groups
set ylabel 'speedup over fine'
EOF
  bars speedups 'Speedup over memory by lines (figure 9; fine with affinity: figure 15)' \
    '2:coarse:#999999' '3:first touch:#56b4e9' '4:coda:#d55e00' '5:fine, affinity:#f0e442'
  echo "set ylabel 'share of bytes'"
  bars shares 'Bytes from other GPUs, of all behind the caches (figure 10)' \
    '2:fine:#999999' '3:first touch:#56b4e9' '4:coda:#d55e00'
  if [ -s "$work/rates.dat" ]; then
    echo "set ylabel 'coda over fine'"
    bars rates 'Links of 16 to 256 GB/s, and pagerank by its graph (figures 11, 12)' \
      '2:16:#000000' '3:32:#0072b2' '4:64:#56b4e9' '5:128:#009e73' '6:256:#f0e442'
  fi
  echo 'unset multiplot'
}

gpus_commands()
{
  cat <<EOF
$groups
set ylabel 'speedup over the best policy on one GPU'
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#000000' dt 2
EOF
  bars gpus 'Regions by ranges over ordinary GPUs (ummgr run --spread), copies included' \
    '2:4, by demand:#999999' '3:2:#56b4e9' '4:4:#0072b2' '5:8:#009e73'
}

# plot NAME HEIGHT COMMANDS: what COMMANDS say to gnuplot, as NAME.png and NAME.svg.
plot()
{
  local kind
  for kind in png:pngcairo svg:svg; do
    {
      echo "set terminal ${kind#*:} size 1150,$2 font 'Sans,11' background '#ffffff'"
      echo "set output '$bench/$1.${kind%:*}'"
      "$3"
    } >"$work/$1.gp"
    if gnuplot "$work/$1.gp"; then
      echo "plot: $bench/$1.${kind%:*}"
    else
      say "gnuplot failed; no $1.${kind%:*}"
    fi
  done
}

plots_multigpu()
{
  command -v gnuplot >/dev/null || return 0
  [ ! -s "$work/speedups.dat" ] || plot multigpu 1150 commands
  [ ! -s "$work/gpus.dat" ] || plot gpus 520 gpus_commands
}
