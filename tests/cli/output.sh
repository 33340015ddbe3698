#!/bin/bash
# Unwritable, full and damaged files: a clear line, the right status, and no measurement is lost.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_device
device=$(runnable_devices devices.json | head -n 1)

echo "cannot be written"
expect_line 2 /nonexistent/x.jsonl quick_run /nonexistent/x.jsonl
expect_line 2 "$work" quick_run "$work"
expect_line 1 /dev/full quick_run /dev/full --device "$device"

echo "exists already"
echo precious >mine.jsonl
expect_line 2 mine.jsonl quick_run mine.jsonl
[[ $(<mine.jsonl) == precious ]] || fail "an existing file was touched"

echo "four runs in one second and folder"
mkdir at_once
for i in 1 2 3 4; do
  (cd at_once && exec "$percycle" run latency --device sim:t4 --preset quick --set path=global --set max=4K --no-progress) >at_once.$i 2>&1 &
  runs[i]=$!
done
for i in 1 2 3 4; do wait "${runs[i]}" || fail "a run of four in one second failed: $(<at_once.$i)"; done
(($(find at_once -name 'percycle-simulated-*.jsonl' | wc -l) == 4)) || fail "four runs left $(ls at_once)"

echo "records on stdout, everything else on stderr"
expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=global --set max=4K --out -
cp stdout piped.jsonl
[[ $(head -c 1 piped.jsonl) == "{" && $(grep -vc '^{' piped.jsonl) == 0 ]] || fail "not only records on stdout"
grep -q '^-: [0-9]* ok' stderr || fail "no end on stderr"
expect 0 "$percycle" validate piped.jsonl

echo "a run to damage"
expect 0 quick_run good.jsonl --device "$device"
expect 0 "$percycle" validate good.jsonl
expect 0 "$percycle" show good.jsonl
[[ ! -s stderr ]] || fail "show complains about a good file"
cp stdout good.table
expect 0 "$percycle" show --experiment latency --path constant good.jsonl
[[ $(<stdout) == *'latency: path=constant'* && $(<stdout) != *global* ]] || fail "the filters leave $(<stdout)"
expect_line 2 "has the experiment 'latncy'; there is: latency" "$percycle" show --experiment latncy good.jsonl
points=$(grep -c '"kind":"point"' good.jsonl)
((points > 4)) || fail "only $points points"

echo "cut in the middle of its last line"
head -c -20 good.jsonl >cut.jsonl
expect_line 1 cut.jsonl:$((2 * points + 1)) "$percycle" validate cut.jsonl
expect_line 0 cut.jsonl:$((2 * points + 1)) "$percycle" show cut.jsonl
# The truncated point may have crashed percycle: it is repeated only on request.
expect 1 "$percycle" run --resume cut.jsonl --no-progress
grep -q -- --retry stderr || fail "--resume does not say how to measure the cut point again"
expect 0 "$percycle" validate cut.jsonl
expect 0 "$percycle" run --resume cut.jsonl --retry --no-progress
expect 0 "$percycle" validate cut.jsonl

echo "cut at every place a crash could cut the last two lines"
size=$(stat -c %s good.jsonl)
for ((at = size - 1; at > size - 1200 && at > 0; at -= 97)); do
  head -c "$at" good.jsonl >any.jsonl
  status=0
  "$percycle" validate any.jsonl >/dev/null 2>stderr || status=$?
  last=$(tail -c 1 any.jsonl | od -An -c | tr -d ' ')
  expected=1
  [[ $last != '\n' ]] || expected=0
  ((status == expected)) || fail "validate: $status instead of $expected for the first $at bytes: $(<stderr)"
done

echo "damaged elsewhere"
sed '3s/"header"/"haeder"/' good.jsonl >damaged.jsonl
for command in validate show; do
  expect_line 2 damaged.jsonl:3 "$percycle" "$command" damaged.jsonl
done
expect_line 2 damaged.jsonl:3 "$percycle" run --resume damaged.jsonl
sed '2d;1d' good.jsonl >headless.jsonl
expect_line 2 headless.jsonl:1 "$percycle" validate headless.jsonl

echo "a newer version of the format"
grep -q '"schema":[0-9]*' good.jsonl || fail "no schema version in the header"
sed '1s/"schema":[0-9]*/"schema":999/' good.jsonl >newer.jsonl
for command in validate show; do
  expect_line 2 999 "$percycle" "$command" newer.jsonl
done

echo "resumed with another device, driver or kernels"
for change in 's/"kernels_hash":"[0-9a-f]*"/"kernels_hash":"0123456789abcdef"/' 's/"driver":"[^"]*"/"driver":"0.0 other"/' 's/"name":"[^"]*"/"name":"Other Device"/g; s/"identity":"[^"]*"/"identity":"cpu:other"/'; do
  head -n 4 good.jsonl | sed "1{$change}" >changed.jsonl
  cp changed.jsonl before.jsonl
  expect_line 2 "" "$percycle" run --resume changed.jsonl
  cmp -s changed.jsonl before.jsonl || fail "a refused --resume changed the file ($change)"
done

echo "the disk fills up"
cat >full.sh <<'FULL'
set -e
mkdir disk
mount -t tmpfs -o size=16k tmpfs disk
status=0
"$percycle" "$@" --out disk/full.jsonl 2>stderr >stdout || status=$?
cat stderr
[[ $status == 1 ]] || { echo "status $status instead of 1 on a full disk"; exit 1; }
[[ $(wc -l <stderr) == 1 && $(<stderr) == *disk/full.jsonl* ]] || { echo "not one line naming the file"; exit 1; }
"$percycle" validate disk/full.jsonl
finished=$(grep -c '"kind":"point"' disk/full.jsonl)
((finished > 0)) || { echo "no point was kept"; exit 1; }
mount -o remount,size=16m disk
"$percycle" run --resume disk/full.jsonl --retry --no-progress
"$percycle" validate disk/full.jsonl
cp disk/full.jsonl full.jsonl
FULL
if ! can_mount; then
  echo "not checked: needs a name space with mounts"
  exit 0
fi
export percycle
$namespace bash "$work/full.sh" run latency --preset quick --no-progress --device "$device" --set path=global-index,constant --set max=16K >full.log 2>&1 || {
  cat full.log >&2
  fail "disk full"
}
# The footprints between the octaves follow from the latencies, so two runs may choose others.
octaves() {
  python3 -c '
import json, sys
points = [record["parameters"] for record in map(json.loads, sys.stdin) if record["kind"] == "point"]
for path, size in sorted({(point["path"], point["footprint"]) for point in points}):
    if size & (size - 1) == 0:
        print(path, size)' <"$1"
}
octaves good.jsonl >good.octaves
octaves full.jsonl >full.octaves
cmp good.octaves full.octaves || fail "points are missing after --resume"
