#!/bin/bash
# percycle.exe under wine, as a user runs it: drivers, simulated devices, Ctrl-C, kill and resume,
# and records that both builds read. Unit tests and tests on simulated devices as .exe. Not in
# tools/test's default: tools/test -L windows.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

"$source_dir/tools/install-deps" windows wine
"$source_dir/tools/build-windows" percycle_unit_tests percycle_sim_tests percycle_bridges
tests=$source_dir/build/windows/tests
exe=$work/percycle.exe
cp "$source_dir/build/windows/percycle.exe" "$exe"

# Without Wine's browser, .NET and debugger, and with file names in UTF-8.
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe,winedbg.exe=d' LC_ALL=C.UTF-8
trap 'wineserver -k || true; rm -rf "$work"' EXIT
wine wineboot --init >boot.log 2>&1 || fail "wine does not start: $(tail -n 3 boot.log)"

windows() { wine "$exe" "$@"; }
points() { grep '"kind":"point"' "$1" | sed 's/"header":"[0-9a-f]*",//'; }

echo "it needs no library that Windows lacks"
libraries=$(x86_64-w64-mingw32-objdump -p "$exe" | sed -n 's/.*DLL Name: //p' | tr '[:upper:]' '[:lower:]' | sort | xargs)
[[ $libraries == 'advapi32.dll kernel32.dll msvcrt.dll shell32.dll winmm.dll' ]] || fail "it needs $libraries"

echo "version and list are those of the Linux build"
for words in --version list; do
  expect 0 windows "$words"
  sed 's/ (.*//' stdout >theirs
  "$percycle" "$words" | sed 's/ (.*//' | cmp - theirs || fail "'$words' differs"
done
expect_line 2 nonsense windows nonsense

echo "a simulated run writes the same points as on Linux"
settings=(run latency --preset quick --no-progress --device sim:t4 --seed 7)
expect 0 windows "${settings[@]}" --out 'ä€😀 windows.jsonl'
expect 0 "$percycle" "${settings[@]}" --out linux.jsonl
points 'ä€😀 windows.jsonl' >windows.points
points linux.jsonl | cmp - windows.points || fail "the points differ"
! grep -q $'\r' 'ä€😀 windows.jsonl' || fail "the record has carriage returns"
grep -qE '"os":"[^"]*Windows[^"]*under Wine' 'ä€😀 windows.jsonl' || fail "the header does not name Windows and Wine"
for program in windows "$percycle"; do
  expect 0 "$program" validate 'ä€😀 windows.jsonl' linux.jsonl
  expect 0 "$program" compare linux.jsonl 'ä€😀 windows.jsonl'
done
expect 0 windows report 'ä€😀 windows.jsonl' linux.jsonl --out 'rö'
expect 0 "$percycle" report 'ä€😀 windows.jsonl' linux.jsonl --out linux-report
diff <(ls rö/charts) <(ls linux-report/charts) || fail "the reports have other charts"
diff -r rö/tables linux-report/tables || fail "the reports have other tables"

# workers: the number of this prefix's worker processes.
workers() {
  local folder count=0
  for folder in /proc/[0-9]*; do
    ! { grep -qz '^worker$' "$folder/cmdline" && grep -qzF "WINEPREFIX=$WINEPREFIX" "$folder/environ"; } 2>/dev/null || count=$((count + 1))
  done
  echo $count
}

# stop SIGNAL: a run of all experiments gets it after 50 points.
stop() {
  rm -f stopped.jsonl
  set -m
  wine "$exe" run --preset quick --no-progress --device sim:t4 --seed 7 --out stopped.jsonl >run.out 2>run.err </dev/null &
  local run=$!
  set +m
  for ((i = 0; i < 1200; ++i)); do
    finished=$(grep -c '"kind":"point"' stopped.jsonl 2>/dev/null || true)
    ((${finished:-0} < 50)) || break
    sleep 0.05
  done
  status=0
  # While it runs, nobody else may write the file.
  [[ $1 != KILL ]] || expect_line 2 'another percycle' windows run --resume stopped.jsonl --no-progress
  workers_before=$(workers)
  kill "-$1" "$run"
  wait "$run" 2>/dev/null || status=$?
}

echo "Ctrl-C: finished points are kept, status 130"
stop INT
((status == 130)) || fail "status $status after Ctrl-C: $(<run.err)"
grep -q 'work under way' run.err || fail "Ctrl-C says: $(<run.err)"
expect 0 windows validate stopped.jsonl

echo "killed: its workers end too, and --resume completes the plan"
stop KILL
((workers_before > 0)) || fail "no worker was found while it ran"
for ((i = 0; i < 100; ++i)); do
  (($(workers) > 0)) || break
  sleep 0.1
done
(($(workers) == 0)) || fail "a worker outlives percycle"
expect 0 windows run --resume stopped.jsonl --no-progress --retry
expect 0 windows validate stopped.jsonl
expect 0 "$percycle" run --preset quick --no-progress --device sim:t4 --seed 7 --out whole.jsonl
python3 "$source_dir/tests/cli/plan.py" complete stopped.jsonl whole.jsonl || fail "not the plan of an uninterrupted run"

echo "drivers, through Wine's OpenCL.dll and vulkan-1.dll"
# Vulkan of Wine needs an X server.
wineserver -k || true
expect 0 xvfb-run -a wine "$exe" devices --json
cp stdout devices.windows
for api in opencl vulkan; do
  has_device "$api" || skip "no $api device"
  runnable_devices devices.windows | grep -q "^$api:" || fail "no $api device under wine"
done
expect 0 xvfb-run -a wine "$exe" run latency --preset quick --no-progress --set path=global-index,constant --set max=16K --out drivers.jsonl
! points drivers.jsonl | grep -v '"status":"ok"' || fail "not every point is ok"
expect 0 "$percycle" validate drivers.jsonl

echo "the limits of Wine's bridges are those of tests/windows/bridges.txt"
cmake --build "$build_dir" --target percycle_bridges >build.log 2>&1 || fail "percycle_bridges does not build: $(tail -n 20 build.log)"
"$build_dir/tests/percycle_bridges" | sort -u >here.bridges
# Wine keeps the X server, or its absence, from one program to the next until it is stopped.
wineserver -k || true
xvfb-run -a wine "$tests/percycle_bridges.exe" | tr -d '\r' | sort -u >windows.bridges
comm -23 here.bridges windows.bridges | diff "$source_dir/tests/windows/bridges.txt" - || fail "they lack something else"
# Without an X server Vulkan's bridge makes no instance.
wineserver -k || true
DISPLAY='' wine "$tests/percycle_bridges.exe" >no-display
grep -q 'Vulkan: a loader' no-display || fail "no Vulkan loader"
! grep -q 'Vulkan: an instance' no-display || fail "an instance without an X server"

echo "unit tests"
(cd "$source_dir" && wine "$tests/percycle_unit_tests.exe") || fail "unit tests"

echo "tests on simulated devices: each model at its first seed of noise, and the other cases"
# Name of the cases, seeds, model; the longest first.
cases=('units:*' 0 '' 'confidence:*' 8 '' 'hard:*' 0 '' 'once misread:*' 0 '' 'random:*' 1 '' 'little data:*' 8 '' 'small pages:*' 1 '')
for model in "$source_dir"/src/sim/models/*.toml; do
  cases+=('shipped:*' 1 "$(basename "$model" .toml)")
done
# shellcheck disable=SC2016 # arguments of the inner shell
printf '%s\0' "${cases[@]}" | xargs -0 -n 3 -P "$(nproc)" bash -c '
  output=$(PERCYCLE_SIM_SEEDS=$2 PERCYCLE_SIM_MODEL=$3 wine "$0" "--test-case=$1" 2>&1) && grep -qE "test cases: +[1-9]" <<<"$output" || {
    printf "%s %s\n%s\n" "$1" "$3" "$output"
    exit 1
  }' "$tests/percycle_sim_tests.exe" || fail "tests on simulated devices"
