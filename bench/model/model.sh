#!/bin/bash
# make bench-model: what the model of unified memory says beside what was measured.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: model.sh BENCH UMMGR STAGE PROFILES SOURCE, as policies/oversubscription.sh.
# WHOLE=1 takes data as large as was measured, as far as hours suffice; QUICK=1 takes
# small data, and the papers' ratios at one scale.  ONLY="mvt stream"
# chooses: programs of the RTX 3090 (2dconv gemm fdtd2d mvt floyd-warshall), `stream'
# and `single', or the papers' `otm' and `rdm'.  OVER="fits 50" chooses columns,
# SMALLER=N divides the programs' orders by N.  JOBS=N runs N at once (default 2: a
# run takes up to 5 GB of memory).

# What is set here, ../policies/runs.sh uses.
# shellcheck disable=SC2034
set -u -o pipefail
export LC_ALL=C

bench=$1
ummgr=$2
stage=$3
export UMMGR_PROFILE_PATH=$4
here=$5
source=$5/../policies
target='bench-model'
work=$bench/model/work
lines=$work/lines
scale=1
JOBS=${JOBS:-2}
smaller=${SMALLER:-1}
over=${OVER:-fits 15 30 50}
only=${ONLY:-2dconv gemm fdtd2d mvt floyd-warshall stream single otm rdm}
scales=${SCALES:-1024 512}
[ -z "${QUICK:-}" ] || scales=${SCALES:-1024}
# What a run has on the device besides its data: arguments, libgomp's variables.
runtime=$((2 << 20))

# shellcheck source=/dev/null
. "$source/runs.sh"
# shellcheck source=/dev/null
. "$here/plots.sh"

# one BASE NAME PROFILE MEMORY PROGRAM ARGUMENTS...: a run of the GPU's own code;
# MEMORY is in bytes, or `all'.
one()
{
  local base=$1 machine=$3 program=$bench/model/$5 memory=()
  [ -f "$work/$3.conf" ] && machine=$work/$3.conf
  [ "$4" = all ] || memory=(--device-mem="$4")
  shift 5
  UMMGR_KERNEL_REGISTERS=32 "$ummgr" run -q --gpu=sim --profile="$machine" \
    --kernels=ptx --fidelity=access --policy=um --stats="$base.json" "${memory[@]}" \
    -- "$program" "$@" \
    >"$base.out" 2>"$base.err"
  echo $? >"$base.status"
}

# wanted NAME
wanted()
{
  case " $only " in
  *" $1 "*) ;;
  *) return 1 ;;
  esac
}

# card NAME: its profile, made of its base's and what cards.conf says.
card()
{
  local base
  base=$(sed -n "s/^$1: //p" "$here/cards.conf")
  awk -v card="$1:" '
    FNR == NR { if (/^[a-z0-9-]+: /) on = $1 == card; else if (on && $2 == "=") own[$1] = $0; next }
    $2 == "=" && $1 in own { print own[$1]; next }
    { print }' "$here/cards.conf" "$UMMGR_PROFILE_PATH/$base.conf" >"$work/$1.conf"
}

# compared NAME OVER PROFILE WORDS MEMORY PROGRAM ARGUMENTS...: a run, and its line
# for compare, which has WORDS.
compared()
{
  echo "run $1 $2 $work/$1-$2-$3.json $4" >>"$work/compare"
  run model "$1" "$2" "$3" "${@:5}" --no-check
}

# rtx3090 NAME ORDER WHOLE PART STEPS OF LAUNCHES POWER: in all columns, with 1/PART of
# the ORDER, half of that if QUICK, 1/WHOLE if WHOLE; compare.c says what the last four are.
rtx3090()
{
  local name=$1 part=$4 steps=$5 column bytes memory n
  wanted "$name" || return
  [ -z "${QUICK:-}" ] || part=$((part * 2))
  [ -z "${WHOLE:-}" ] || part=$3
  part=$((part * smaller))
  n=$(($2 / part))
  bytes=$("$bench/model/$name" --n=$n --footprint) || die "$name: no footprint"
  for column in $over; do
    progress "$name, $column"
    memory=all
    [ "$column" = fits ] || memory=$((bytes * 100 / (100 + column) + runtime))
    # The last of more steps than are asked for is of work alone, where data fits.
    [ "$column" = fits ] || [ "$6" != 1 ] || steps=1
    compared "$name" "$column" rtx3090-pcie3 "scale=$part steps=$steps of=$6 \
launches=$7 power=$8" "$memory" "$name" --n=$n --steps="$steps"
  done
}

# How large the programs' data was is told of mvt and floyd-warshall, and in the
# public part of the artifact of gemm.  Derived: that of 2dconv, from the faults (1.72
# for each 64 KiB of two matrices of this order, where floyd-warshall has 1.77) and
# 542 us for each 2 MiB where it fits (mvt: 521); that of fdtd2d, from the blocks that
# leave by age in 10 steps, 36,885 with 15 and 30 % and 58,801 with 50, as the measured
# times do, and from 1.82 faults for each 64 KiB of these.  mvt alone is run whole.
programs()
{
  rtx3090 mvt 32768 1 4 1 1 2 2
  rtx3090 2dconv 32768 2 8 1 1 1 2
  rtx3090 fdtd2d 24576 2 8 2 10 3 2
  rtx3090 floyd-warshall 32768 4 8 2 2048 3 2
  rtx3090 gemm 24576 12 24 2 1 1 3
}

# Data and memory are 1/16 (QUICK: 1/64); times and counts grow with them.
streams()
{
  local part=4
  [ -z "${QUICK:-}" ] || part=8
  progress "stream"
  compared stream-1080ti fits gtx1080ti-pcie3 "scale=$part steps=1 of=1 launches=1 \
power=2" all stream --size=$((5100000000 / part / part))
  # 11178 MiB of memory; ten times through.
  compared stream-1080ti over gtx1080ti-pcie3 "scale=$part steps=2 of=10 launches=1 \
power=2" $(((11178 << 20) / part / part + runtime)) stream \
    --size=$((20000000000 / part / part)) --steps=2
  compared firsttouch-p100 fits p100-nvlink1 "scale=1 steps=1 of=1 launches=1 \
power=2" all stream --untouched --size=64M
  # A block: the size is not told.
  compared pingpong-v100 fits v100-pcie3 "scale=1 steps=8 of=8 launches=1 power=2" \
    all stream --turns --size=2M --steps=8
}

# The papers' benches with the same model: the programs as the others build them, with
# the GPU's own code, at 1/SCALE.  Their results are in ratios-SCALE/.
paper()
{
  local script=$1 parts=$2 dir=$work/ratios-$2 program
  mkdir -p "$dir/policies"
  for program in "$bench"/policies/*; do
    [ -f "$program" ] && [ -x "$program" ] && ln -sf "$program" "$dir/policies/"
  done
  ln -sf "$bench/collect" "$dir/"
  progress "$script, 1/$parts"
  # Results are compared with the host's, which rounds twice where a GPU does once.
  env -u ONLY -u QUICK UMMGR_KERNELS=ptx UMMGR_KERNEL_FMA=split \
    UMMGR_FIDELITY=access SCALE="$parts" JOBS="$JOBS" \
    SIZES="${SIZES:-20 28}" POLYBENCH='' POLICIES='um rdm' COMPONENTS='' \
    bash "$source/$script.sh" "$dir" "$ummgr" "$stage" "$UMMGR_PROFILE_PATH" "$source" \
    >"$dir/$script.log" 2>&1 || die "$script.sh fails, see $dir/$script.log"
}

# ratio NAME SCALE FILE FIELD: a line for compare.
ratio()
{
  sed -n "s/^ *\"$4\": \([0-9.]*\),*$/ratio $1 $2 \1/p" \
    "$work/ratios-$2/$3.json" | head -n 1 >>"$work/compare"
}

# scaled POLICY SCALE SUITE: a line for compare of each program, geometric means over its
# sizes, on the machine that is scaled.
scaled()
{
  local dir=$work/ratios-$2/policies/$3
  [ "$3" != otm ] || dir=$dir-runs
  awk -v policy="$1" -v scale="$2" '
    $1 == "row" && / fits=0 / {
      for (i = 2; i <= NF; i++) { split($i, w, "="); f[w[1]] = w[2] }
      if (f["policy"] != "um" && f["policy"] != policy) next
      if (!(f["program"] in seen)) { seen[f["program"]] = 1; name[++n] = f["program"] }
      sum[f["program"], f["policy"]] += log(f["model_seconds"] * scale)
      count[f["program"], f["policy"]]++ }
    END { for (i = 1; i <= n; i++)
      print "scaled", name[i], policy, scale, exp(sum[name[i], "um"] / count[name[i], "um"]),
	exp(sum[name[i], policy] / count[name[i], policy]) }' "$dir/lines" >>"$work/compare"
}

papers()
{
  local parts program
  for parts in $scales; do
    if wanted otm; then
      paper otm "$parts"
      for program in bfs srad cfd; do
	ratio otm_$program "$parts" otm $program
      done
      scaled otm "$parts" otm
    fi
    if wanted rdm; then
      paper oversubscription "$parts"
      ratio rdm_over_um "$parts" oversubscription over_um_rdm
      scaled rdm "$parts" oversubscription
    fi
  done
}

# Each program's result, at a size that the host checks quickly.
checks()
{
  local program size
  for program in 2dconv gemm fdtd2d mvt floyd-warshall; do
    wanted $program && run model $program check rtx3090-pcie3 all $program --n=256
  done
  for program in stream single; do
    wanted $program && run model $program check rtx3090-pcie3 all $program --size=1M
  done
}

rm -rf "$work"
mkdir -p "$work" || die "can't make $work"
: >"$lines"
: >"$work/compare"
: >"$work/runs-model"
card gtx1080ti-pcie3
card v100-pcie3
checks
wanted stream && streams
if wanted single; then
  # A page of each block: 53 us leave room for no more than a granule's copy.
  compared single-rtx3090 fits rtx3090-pcie3 "scale=1 steps=1 of=1 launches=1 \
power=2" all single --size=1G --stride=2M
fi
programs
progress_done
finish
papers
"$bench/model/compare" --measured="$here/measured.txt" --work="$work" \
  --output="$lines" <"$work/compare" || exit 1
"$bench/collect" --name=model --output="$bench/model.json" <"$lines" || exit 1
plots_model
echo "rows and summary: $bench/model.json"
