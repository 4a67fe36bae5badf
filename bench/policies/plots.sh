# Plots of the policies' runs; only where gnuplot is installed.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced, after ../known.sh.  Expects bench, target, work, scale and policies;
# the data of the plots, written by the table programs, is in $work.
# shellcheck shell=bash disable=SC2154

# plot NAME WIDTH HEIGHT: gnuplot's commands on standard input.
plot()
{
  command -v gnuplot >/dev/null || return 0
  {
    echo "set terminal pngcairo size $2,$3 font 'Sans,11' background 'white'"
    echo "set output '$bench/$1.png'"
    cat
  } >"$work/$1.gp"
  if gnuplot "$work/$1.gp"; then
    echo "plot: $bench/$1.png"
  else
    say "gnuplot failed; no $1.png"
  fi
}

# How each policy looks.  Okabe and Ito's colours, which most colour-blind people
# can tell apart.
look()
{
  case $1 in
  um | hpe-nohits) echo '#d55e00 7' ;;
  prefetch | clockpro) echo '#e69f00 6' ;;
  host | random) echo '#999999 8' ;;
  lru) echo '#cc79a7 10' ;;
  otm | rdm | hpe) echo '#0072b2 5' ;;
  rlm | rrip) echo '#56b4e9 12' ;;
  glm | hint) echo '#009e73 9' ;;
  *) echo '#000000 4' ;;
  esac
}

# column NAME: where fig4-*.dat has that policy.
column()
{
  listed policies | awk -v name="$1" '{ for (i = 1; $i != name; i++); print i + 1 }'
}

# curves FILE POLICY...: the plot command.  Without FILE, only the key.
curves()
{
  local file=$1 policy colour point join='plot '
  shift
  for policy; do
    read -r colour point <<<"$(look "$policy")"
    if [ -n "$file" ]; then
      printf "%s'%s' using 1:%d with linespoints lw 1.6 ps 0.9 pt %d lc rgb '%s' title '%s'" \
	"$join" "$file" "$(column "$policy")" "$point" "$colour" "$policy"
    else
      printf "%sNaN with linespoints lw 1.6 ps 0.9 pt %d lc rgb '%s' title '%s'" \
	"$join" "$point" "$colour" "$policy"
    fi
    join=', \
     '
  done
  echo
}

# The line where the device is full, and axes in common.
panel()
{
  cat <<EOF
set xlabel 'data by device memory'
set logscale x 2
set logscale y
set xrange [0.25:8]
set xtics 0.25, 2, 8
set grid y lc rgb '#dddddd'
set datafile missing '?'
set arrow 1 from 1, graph 0 to 1, graph 1 nohead lw 1.5 dt 2 lc rgb '#555555'
EOF
}

# times NAME COLUMNS TITLE PROGRAMS POLICIES: small multiples, time against size,
# under a row for the title and the key.
times()
{
  local name=$1 columns=$2 title=$3 programs=$4 policies=$5 program i=0 rows top
  local count
  count=$(wc -w <<<"$programs")
  rows=$(((count + columns - 1) / columns))
  top=$((rows * 320 + 70))
  {
    echo "set multiplot"
    # The key alone, above all panels.
    echo "set size 1, $(awk -v t=$top 'BEGIN { print 80 / t }')"
    echo "set origin 0, $(awk -v t=$top 'BEGIN { print 1 - 75 / t }')"
    echo "set title '$title' font 'Sans,13'"
    echo "unset border; unset tics; set xrange [0:1]; set yrange [0:1]"
    echo "set key center center horizontal maxrows 1 width 1"
    # shellcheck disable=SC2086
    curves '' $policies
    echo "set border; set tics; set autoscale; unset key"
    panel
    for program in $programs; do
      echo "set size $(awk -v c="$columns" -v t=$top 'BEGIN { print 1 / c, ",", 320 / t }')"
      echo "set origin $(awk -v i=$i -v c="$columns" -v t=$top 'BEGIN {
	row = int(i / c); print (i % c) / c, ",", 1 - (70 + 320 * (row + 1)) / t }')"
      echo "set title '$program' font 'Sans,12'"
      if [ $((i % columns)) = 0 ]; then
	echo "set ylabel 'modelled time (ms)'"
      else
	echo "unset ylabel"
      fi
      # shellcheck disable=SC2086
      curves "$work/fig4-$program.dat" $policies
      i=$((i + 1))
    done
    echo "unset multiplot"
  } | plot "$name" $((columns * 380)) $top
}

# traffic_bfs PANEL GIGABYTES: a panel of Fig. 5, if that size ran.
traffic_bfs()
{
  [ -s "$work/fig5-$2.dat" ] || return
  cat <<EOF
set xtics norotate
set ylabel 'by the bytes of the data'
set title '($1) bfs, $2 GB' font 'Sans,12'
plot '$work/fig5-$2.dat' using 2:xtic(1) title 'host to device' lc rgb '#0072b2', \
     '' using 3 title 'device to host, in regions' lc rgb '#d55e00', \
     '' using 4 title 'the result, after them' lc rgb '#f0c8a0'
EOF
}

traffic()
{
  {
    cat <<EOF
set multiplot layout 1, 3 title 'Fig. 5: bytes moved' font 'Sans,13'
set style data histograms
set style histogram rowstacked
set style fill solid 0.9 border rgb '#444444'
set boxwidth 0.7
set yrange [0:*]
set offsets 0, 0, graph 0.25, 0
set grid y lc rgb '#dddddd'
set key top right samplen 1.5
set xtics scale 0
EOF
    if [ -s "$work/fig5a.dat" ]; then
      cat <<EOF
set xtics rotate by -40
set title '(a) rdm, data that fits' font 'Sans,12'
set ylabel 'by the bytes of explicit'
plot '$work/fig5a.dat' using 2:xtic(1) title 'host to device' lc rgb '#0072b2', \
     '' using 3 title 'device to host' lc rgb '#d55e00'
EOF
    fi
    traffic_bfs b 19
    traffic_bfs c 31
    echo "unset multiplot"
  } | plot oversubscription-fig5 1260 460
}

components()
{
  plot oversubscription-fig6 800 460 <<EOF
set title "Fig. 6: parts of rdm, all workloads" font 'Sans,13'
set ylabel 'modelled speedup over um (geometric mean)'
set style fill solid 0.9 border rgb '#444444'
set boxwidth 0.36
set bmargin 4
set yrange [0:*]
set xrange [-0.6:4.6]
set offsets 0, 0, 0.8, 0
set grid y lc rgb '#dddddd'
set key top left samplen 1.5
set xtics scale 0 ("distance,\nimplicit" 0, "distance,\nexplicit" 1, \
  "distance,\nhybrid" 2, "hybrid,\npartial=paper" 3, "hybrid,\npartial=on" 4)
set datafile missing '-'
plot '$work/fig6.dat' using (\$1 - 0.19):3 with boxes lc rgb '#0072b2' title 'here', \
     '' using (\$1 - 0.19):3:(sprintf("%.1f", \$3)) with labels offset 0, 0.6 notitle, \
     '' using (\$1 + 0.19):4 with boxes lc rgb '#bbbbbb' title 'SC 2019 (where its text says)', \
     '' using (\$1 + 0.19):4:4 with labels offset 0, 0.6 notitle
EOF
}

plots_sc19()
{
  [ -s "$work/runs-sc19" ] || return 0
  times oversubscription-fig4 4 \
    "Modelled time of the machine at 1/$scale; right of the dashed line, the data exceeds the device" \
    "$(programs_of sc19)" "explicit $policies"
  traffic
  components
}

plots_otm()
{
  times otm-fig3 3 \
    "Modelled time of the machine at 1/$scale; right of the dashed line, the data exceeds the device" \
    'bfs cfd srad' "$policies"
}
