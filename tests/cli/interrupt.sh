#!/bin/bash
# Ctrl-C ends a run cleanly with all finished points on disk, and --resume completes the same plan.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
need_device

# Footprints so close that nothing comes between them: the plan does not depend on the results.
arguments=(--preset quick --no-progress --seed 7 --set path=global,local --set max=2K --set points_per_octave=16)
expect 0 "$percycle" run latency "${arguments[@]}" --out whole.jsonl

# stop AFTER: interrupts a run once its file exists and AFTER points are done.
stop() {
  rm -f stopped.jsonl
  # Job control gives the run its own process group, in which SIGINT is not ignored.
  set -m
  "$percycle" run latency "${arguments[@]}" --out stopped.jsonl >stdout 2>stderr </dev/null &
  local run=$! status=0 finished=0
  set +m
  for ((i = 0; i < 600; ++i)); do
    finished=$(grep -c '"kind":"point"' stopped.jsonl 2>/dev/null || true)
    [[ ! -s stopped.jsonl ]] || ((${finished:-0} < $1)) || break
    sleep 0.1
  done
  kill -INT "$run"
  for ((i = 0; i < 100; ++i)); do
    kill -0 "$run" 2>/dev/null || break
    sleep 0.1
  done
  kill -0 "$run" 2>/dev/null && kill -KILL "$run" && fail "still running 10 s after Ctrl-C"
  wait "$run" || status=$?
  ((status == 130)) || fail "status $status instead of 130 after Ctrl-C: $(<stderr)"
  expect 0 "$percycle" validate stopped.jsonl
  (($(grep -c '"kind":"point"' stopped.jsonl || true) >= $1)) || fail "finished points are gone"
}

for after in 0 3; do
  echo "Ctrl-C after $after points"
  stop "$after"
  cp stopped.jsonl before.jsonl
  expect 0 "$percycle" run --resume stopped.jsonl --no-progress
  cmp -s -n "$(stat -c %s before.jsonl)" before.jsonl stopped.jsonl || fail "--resume changed earlier lines"
  expect 0 "$percycle" validate stopped.jsonl
  python3 "$source_dir/tests/cli/plan.py" complete stopped.jsonl whole.jsonl || fail "not the plan of an uninterrupted run"
  expect 0 "$percycle" run --resume stopped.jsonl --no-progress
  python3 "$source_dir/tests/cli/plan.py" complete stopped.jsonl whole.jsonl || fail "resuming a finished run measured again"
done

echo "killed: at most the point under way is lost"
rm -f stopped.jsonl
"$percycle" run latency "${arguments[@]}" --out stopped.jsonl >stdout 2>stderr </dev/null &
run=$!
for ((i = 0; i < 600; ++i)); do
  finished=$(grep -c '"kind":"point"' stopped.jsonl 2>/dev/null || true)
  ((${finished:-0} < 3)) || break
  sleep 0.1
done
kill -KILL "$run"
wait "$run" 2>/dev/null || true
finished=$(grep -c '"kind":"point"' stopped.jsonl)
((finished >= 3)) || fail "finished points are gone"
expect 0 "$percycle" run --resume stopped.jsonl --retry --no-progress
expect 0 "$percycle" validate stopped.jsonl
python3 "$source_dir/tests/cli/plan.py" complete stopped.jsonl whole.jsonl || fail "not the plan of an uninterrupted run"
