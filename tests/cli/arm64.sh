#!/bin/bash
# The binary for arm64 under qemu: a simulated run with Debian 11's C library, records that both
# builds read, lavapipe, unit tests, a test on a simulated device. Not in tools/test's default:
# tools/test -L arm64.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

"$source_dir/tools/install-deps" arm64 qemu
"$source_dir/tools/build-arm64"
libc=$("$source_dir/tools/portable/libc" arm64)
"$source_dir/tools/arm64/emulated" "$libc" true || skip "no program for arm64 can start here"
arm64() { "$source_dir/tools/arm64/emulated" "$libc" "$source_dir/build/arm64/percycle" "$@"; }
points() { grep '"kind":"point"' "$1" | sed 's/"header":"[0-9a-f]*",//'; }

echo "version and list are those of the x86-64 build"
for words in --version list; do
  expect 0 arm64 "$words"
  cp stdout theirs
  "$percycle" "$words" | cmp - theirs || fail "'$words' differs"
done
expect 0 arm64 --version --json
grep -q '"compiler": *"[^"]* for aarch64 Linux"' stdout || fail "--version --json says: $(<stdout)"
expect_line 2 nonsense arm64 nonsense

echo "a simulated run writes the same points as on x86-64"
settings=(run latency --preset quick --no-progress --device sim:t4 --seed 7)
expect 0 arm64 "${settings[@]}" --out arm64.jsonl
expect 0 "$percycle" "${settings[@]}" --out x86-64.jsonl
points arm64.jsonl >arm64.points
points x86-64.jsonl | cmp - arm64.points || fail "the points differ"
grep -qE '"os":"[^"]* aarch64"' arm64.jsonl || fail "the header does not name the machine"
for program in arm64 "$percycle"; do
  expect 0 "$program" validate arm64.jsonl x86-64.jsonl
  expect 0 "$program" compare x86-64.jsonl arm64.jsonl
done
expect 0 arm64 report arm64.jsonl x86-64.jsonl --out arm64-report
expect 0 "$percycle" report arm64.jsonl x86-64.jsonl --out x86-64-report
diff <(ls arm64-report/charts) <(ls x86-64-report/charts) || fail "the reports have other charts"
diff -r arm64-report/tables x86-64-report/tables || fail "the reports have other tables"

echo "lavapipe for arm64"
lavapipe=$("$source_dir/tools/arm64/lavapipe")
expect 0 env VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.aarch64.json "$source_dir/tools/arm64/emulated" "$lavapipe" "$source_dir/build/arm64/percycle" \
  run latency --api vulkan --preset quick --no-progress --set path=global-index,constant --set max=16K --out lavapipe.jsonl
grep -q '"name":"llvmpipe' lavapipe.jsonl || fail "the header does not name lavapipe"
! points lavapipe.jsonl | grep -v '"status":"ok"' || fail "not every point is ok"
expect 0 "$percycle" validate lavapipe.jsonl

echo "unit tests"
cmake --build "$source_dir/build/arm64" --parallel "$(nproc)" --target percycle_unit_tests percycle_sim_tests >build.log 2>&1 || fail "the tests do not build: $(tail -n 20 build.log)"
# Under qemu posix_spawn returns before the new process has its group or its program: the one test
# sees no failure of it, the other kills a group that is not there yet, and waits.
"$source_dir/tools/arm64/emulated" /usr/aarch64-linux-gnu "$source_dir/build/arm64/tests/percycle_unit_tests" \
  --test-case-exclude='platform: a program that is missing does not start,child: one that is dropped *' || fail "unit tests"

echo "the analysis finds every figure of a simulated T4"
PERCYCLE_SIM_SEEDS=1 PERCYCLE_SIM_MODEL=t4 "$source_dir/tools/arm64/emulated" /usr/aarch64-linux-gnu "$source_dir/build/arm64/tests/percycle_sim_tests" '--test-case=shipped:*' ||
  fail "a test on a simulated device"
