# Plots of replacement policies, after HPE's Figs 3, 10, 11 and 12.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced, after ../policies/plots.sh.  Expects bench, target and work with the
# data that the table program wrote.
# shellcheck shell=bash disable=SC2154

# Bars over programs, or types.
bars()
{
  cat <<EOF
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set xtics scale 0 rotate by -50 font ',10'
set grid y lc rgb '#dddddd'
set datafile missing '?'
set key outside top center horizontal maxrows 1 samplen 1.5
set arrow from graph 0, first 1 to graph 1, first 1 nohead lw 1.2 lc rgb '#000000'
EOF
}

# types FILE: lines between types, and their names above.
types()
{
  awk '
    NR > 1 && $2 != last {
      printf "set arrow from %g, graph 0 to %g, graph 1 nohead lw 0.7 dt 3 lc rgb \"#888888\"\n", NR - 1.5, NR - 1.5
    }
    $2 != last { first[$2] = NR - 1; order[++n] = $2 }
    { last = $2; end[$2] = NR - 1 }
    END {
      split("I II III IV V VI", name, " ")
      for (i = 1; i <= n; i++)
	if (order[i] <= 6)
	  printf "set label \"%s\" at %g, graph 0.96 center font \",10\" tc rgb \"#444444\"\n", name[order[i]], (first[order[i]] + end[order[i]]) / 2
    }' "$1"
}

# highest FILE COLUMN...: a bit more than the greatest value, for names above.
highest()
{
  local file=$1
  shift
  awk -v columns="$*" '
    BEGIN { n = split(columns, c, " ") }
    { for (i = 1; i <= n; i++) if ($c[i] != "?" && $c[i] > most) most = $c[i] }
    END { print most * 1.1 }' "$file"
}

fig3()
{
  {
    bars
    types "$work/fig3.dat"
    cat <<EOF
set title 'Evictions of lru and rrip at 75 % (HPE, Fig. 3)' font 'Sans,13'
set ylabel 'evictions by those of ideal'
set yrange [0:$(highest "$work/fig3.dat" 3 4)]
plot '$work/fig3.dat' using 3:xtic(1) title 'lru' lc rgb '#cc79a7', \
     '' using 4 title 'rrip' lc rgb '#56b4e9'
EOF
  } | plot eviction-fig3 1100 440
}

# against_lru NAME FILE TITLE LABEL: HPE at both capacities, and with what
# today's GPUs allow.
against_lru()
{
  local file=$work/$2
  {
    bars
    types "$file"
    cat <<EOF
set title '$3' font 'Sans,13'
set ylabel '$4'
set yrange [0:$(highest "$file" 3 4 5 6)]
plot '$file' using 3:xtic(1) title 'hpe, 75 %' lc rgb '#0072b2', \
     '' using 5 title 'hpe, 50 %' lc rgb '#56b4e9', \
     '' using 4 title 'hpe-nohits, 75 %' lc rgb '#d55e00', \
     '' using 6 title 'hpe-nohits, 50 %' lc rgb '#f0c8a0'
EOF
  } | plot "$1" 1250 460
}

# policies_panel FILE TITLE LABEL: means by type, of all policies but ideal, which
# is the last column.
policies_panel()
{
  local policy colour join="plot '$work/$1' using" at=1
  echo "set title '$2' font 'Sans,12'"
  echo "set ylabel '$3'"
  for policy in ${policies% ideal}; do
    at=$((at + 1))
    read -r colour _ <<<"$(look "$policy")"
    printf "%s %d:xtic(1) title '%s' lc rgb '%s'" "$join" $at "$policy" "$colour"
    join=", '' using"
  done
  echo
}

fig12()
{
  local percent
  {
    bars
    echo "set xtics norotate"
    echo "set multiplot layout 2, 2 title 'All policies, arithmetic means by type (HPE, Fig. 12)' font 'Sans,14'"
    echo "set yrange [0:1.05]"
    for percent in 75 50; do
      policies_panel fig12-performance-$percent.dat \
	"Performance, $percent %" 'modelled time of ideal by it'
    done
    # A policy may go very wrong.
    echo "set logscale y; set yrange [0.8:*]"
    echo "set ytics (1, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)"
    for percent in 75 50; do
      policies_panel fig12-evictions-$percent.dat \
	"Evictions, $percent %" 'evictions by those of ideal'
    done
    echo "unset multiplot"
  } | plot eviction-fig12 1300 900
}

plots_eviction()
{
  fig3
  against_lru eviction-fig10 fig10.dat 'Speedup over lru (HPE, Fig. 10)' \
    'modelled time of lru by it'
  against_lru eviction-fig11 fig11.dat 'Evictions against lru (HPE, Fig. 11)' \
    'evictions by those of lru'
  fig12
}
