#!/bin/bash
# Planning and analysis end for any measurements. After the first Ctrl-C percycle says for which
# point it waits; the second ends it at once.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

echo "a device on which nearly every factor seems to divide the sets"
cat >hang.toml <<'MODEL'
name = "hang"
vendor = "nobody"
units = 4
subgroup_size = 32
memory_bytes = "6G"
assumed = ["*"]
cache = [
  { name = "L1", size_bytes = 16384, line_bytes = 128, ways = 8, scope = "unit" },
  { name = "L2", size_bytes = 270336, line_bytes = 128, ways = 16, scope = "device" },
]
path = [{ path = "global", hops = [{ cache = "L1", latency_cycles = 71 }, { cache = "L2", latency_cycles = 137 }], memory_latency_cycles = 331 }]
tlb = [{ name = "TLB", page_bytes = "16K", reach_bytes = "1536K", penalty_cycles = 422 }]
local = { bytes = "16K", latency_cycles = 20 }
clock = { mhz = 1000 }
MODEL
expect 0 timeout 120 "$percycle" run geometry --device sim:hang.toml --set path=global --no-progress --out hang.jsonl
expect 0 timeout 120 "$percycle" analyze hang.jsonl

echo "a driver that hangs"
need_command pgrep
set -m # in its own process group SIGINT is not ignored
"$percycle" run latency --device sim:t4 --preset full --no-progress --out stopped.jsonl >stdout 2>stderr </dev/null &
run=$!
set +m
worker=
for ((i = 0; i < 200; ++i)); do
  worker=$(pgrep -P "$run" -f 'percycle worker measure' || true)
  [[ ! $worker ]] || ! grep -q '"kind":"point"' stopped.jsonl || break
  sleep 0.05
done
[[ $worker ]] || fail "no worker was found: $(<stderr)"
kill -STOP "$worker"
sleep 0.2
kill -INT "$run"
for ((i = 0; i < 100; ++i)); do
  [[ ! -s stderr ]] || break
  sleep 0.05
done
[[ $(wc -l <stderr) == 1 && $(<stderr) == 'percycle: stopping when the work under way ends (a driver that hangs is ended after '*' s); Ctrl-C again ends at once' ]] ||
  fail "the first Ctrl-C says: $(<stderr)"
kill -0 "$run" 2>/dev/null || fail "the first Ctrl-C lost the point under way"
kill -INT "$run"
for ((i = 0; i < 100; ++i)); do
  kill -0 "$run" 2>/dev/null || break
  sleep 0.05
done
! kill -0 "$run" 2>/dev/null || fail "still running 5 s after the second Ctrl-C"
status=0
wait "$run" 2>/dev/null || status=$?
((status == 130)) || fail "status $status after the second Ctrl-C"
for ((i = 0; i < 100; ++i)); do
  kill -0 "$worker" 2>/dev/null || break
  sleep 0.05
done
! kill -0 "$worker" 2>/dev/null || fail "the worker outlived percycle"
