#!/usr/bin/env bash
# In: nothing, or seconds and connections. Out: requests/s, p50 and p99 and failed requests of
# `evenkeel serve` under wrk, with a model of Gowalla's size and a reload every second.
#
#     bench/serve_load.sh [SECONDS] [CONNECTIONS...]      SIZE=small for a look at the script itself
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly seconds=${1:-20}
shift $(($# > 0 ? 1 : 0))
readonly connections=("${@:-32}")
readonly program=${EVENKEEL:-build/evenkeel}
if ! command -v wrk >/dev/null; then
  echo "serve_load: wrk is missing; apt-get install wrk" >&2
  exit 1
fi
users=30000 items=41000 pairs=1000000
if [[ ${SIZE:-} == small ]]; then users=1000 items=5000 pairs=30000; fi
folder=$(mktemp -d)
server=
finish() {
  if [[ -n $server ]]; then kill "$server" && wait "$server" || true; fi
  rm -rf "$folder"
}
trap finish EXIT

# One pass of training: how long a list takes does not depend on how good it is.
"$program" synth --out "$folder/data" --users "$users" --items "$items" --interactions "$pairs" \
  >/dev/null 2>&1
"$program" train "$folder/data" --out "$folder/run" --epochs 1 --shared-negatives >/dev/null 2>&1
"$program" serve "$folder/run" --port 0 >"$folder/out" 2>"$folder/log" &
server=$!
port=
for _ in $(seq 600); do
  port=$(sed -n 's#.*http://127.0.0.1:\([0-9]*\).*#\1#p' "$folder/out" "$folder/log" | head -n 1)
  if [[ -n $port ]]; then break; fi
  sleep 0.1
done
if [[ -z $port ]]; then
  cat "$folder/log" >&2
  exit 1
fi
cat >"$folder/users.lua" <<TEXT
math.randomseed(1)
request = function()
  return wrk.format("GET", "/recommend?k=20&user=u" .. math.random(0, $users - 1))
end
done = function(summary, latency)
  local e = summary.errors
  print(string.format("%.0f requests/s  p50 %.1f ms  p99 %.1f ms  failed %d of %d",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, e.connect + e.read + e.write + e.status + e.timeout,
    summary.requests))
end
TEXT
for number in "${connections[@]}"; do
  for reloads in no yes; do
    again=
    if [[ $reloads == yes ]]; then
      while sleep 1; do kill -HUP "$server"; done &
      again=$!
    fi
    printf '%s connections, reloads: %-3s  ' "$number" "$reloads"
    wrk -t1 -c"$number" -d"${seconds}s" -s "$folder/users.lua" "http://127.0.0.1:$port" | tail -n 1
    if [[ -n $again ]]; then kill "$again" && wait "$again" 2>/dev/null || true; fi
  done
done
