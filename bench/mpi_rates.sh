#!/usr/bin/env bash
# In: a data set. Out: positives/s of one process with two threads and of ranks with one thread each,
# and the bytes that rank 0 received in a step beside those that the model of docs/scale.md expects.
# A machine that does nothing else is needed. The best of ROUNDS turns counts.
#
#     bench/mpi_rates.sh DATA [EPOCHS] [RANKS...]    METHOD=own for own negatives   ROUNDS=1 for a look
#     bench/mpi_rates.sh DATA 3 2 4                  four ranks as well, more than the cores if need be
set -euo pipefail
if (($# == 0)); then
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
data=$(realpath "$1")
readonly data epochs=${2:-3} method=${METHOD:-shared} rounds=${ROUNDS:-3}
shift $(($# > 1 ? 2 : 1))
readonly ranks=("${@:-2}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly alone=${EVENKEEL:-build/evenkeel} together=${EVENKEEL_MPI:-build/evenkeel-mpi}
readonly batch=2048 negatives=128 tile=64 dim=64
words=(--loss bc --dim "$dim" --batch "$batch" --negatives "$negatives" --epochs "$epochs"
  --eval-every "$epochs" --validation 0 --validation-users 1000 --evaluation-users 1000
  --checkpoint-seconds -1 --overwrite)
case "$method" in
  shared) words+=(--shared-negatives --tile "$tile") ;;
  own) ;;
  *)
    echo "mpi_rates: METHOD is $method; known: shared, own" >&2
    exit 2
    ;;
esac
if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Trains once: NAME, then how it is launched. The rates of all turns are in $folder/NAME.rates.
run() {
  local name=$1
  shift
  if ! "$@" "${words[@]}" --out "$folder/$name" >/dev/null 2>"$folder/$name.log"; then
    cat "$folder/$name.log" >&2
    exit 1
  fi
  sed -n 's/.*"samples_per_second": \([0-9.e+]*\).*/\1/p' "$folder/$name/result.json" \
    >>"$folder/$name.rates"
}
best_rate() { sort -g "$folder/$1.rates" | tail -n 1; }
# What a rank receives in the steps of an epoch by the model: PAIRS ITEMS RANKS; bytes per step.
expected() {
  awk -v pairs="$1" -v items="$2" -v ranks="$3" -v batch="$batch" -v negatives="$negatives" \
    -v tile="$tile" -v row=$((4 * dim)) -v method="$method" 'BEGIN {
      steps = int((pairs + batch - 1) / batch)
      rest = pairs - (steps - 1) * batch
      tiles = (steps - 1) * int((batch + tile - 1) / tile) + int((rest + tile - 1) / tile)
      if (method == "shared") {
        drawn = tiles * negatives
        named = items * (1 - exp(-(pairs + drawn) / steps / ranks / items)) * steps
        bytes = (3 * pairs + drawn) / ranks * row + named * row
      } else {
        bytes = (1 + 2 / ranks) * pairs * row + 4 * pairs * (negatives + 1)
      }
      printf "%.0f", (bytes + 17 * pairs) * (ranks - 1) / ranks / steps
    }'
}

for _ in $(seq "$rounds"); do
  run alone "$alone" train "$data" --threads 2
  for number in "${ranks[@]}"; do
    launch=(mpirun -n "$number")
    if ((number > $(nproc))); then launch+=(--oversubscribe --bind-to none); fi
    run "$number" "${launch[@]}" "$together" train "$data" --threads 1
    if ! cmp -s "$folder/alone/model.safetensors" "$folder/$number/model.safetensors"; then
      echo "mpi_rates: $number ranks made another model" >&2
      exit 1
    fi
  done
done

printf '%s, %s negatives, %s epochs, best of %s; all models are equal\n' \
  "$(basename "$data")" "$method" "$epochs" "$rounds"
pairs=$(sed -n 's/.* \([0-9]*\) training interactions.*/\1/p' "$folder/alone.log" | head -n 1)
items=$(sed -n 's/.* \([0-9]*\) items.*/\1/p' "$folder/alone.log" | head -n 1)
one=$(best_rate alone)
printf '1 process x 2 threads  %9.0f positives/s\n' "$one"
for number in "${ranks[@]}"; do
  read -r megabytes step < <(
    sed -n 's/.*received \([0-9.]*\) MB from the others by step \([0-9]*\).*/\1 \2/p' \
      "$folder/$number.log"
  )
  rate=$(best_rate "$number")
  printf '%s ranks x 1 thread     %9.0f positives/s, %.2f of it; bytes per step %.0f, model %s\n' \
    "$number" "$rate" "$(awk -v a="$rate" -v b="$one" 'BEGIN { print a / b }')" \
    "$(awk -v m="$megabytes" -v s="$step" 'BEGIN { print m * 1e6 / s }')" \
    "$(expected "$pairs" "$items" "$number")"
done
