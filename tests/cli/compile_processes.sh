#!/bin/bash
# Programs are compiled by several processes before their points are measured: the record stays the
# same, a second run compiles nothing again, and a compiler that crashes costs no other program.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_device
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"

export XDG_CACHE_HOME=$work/cache
arguments=(latency l1-bandwidth --preset quick --no-progress --set path=global --set max=4K --set form=pointer)
points() { grep '"kind":"point"' "$1" | grep -oE '"parameters":\{[^}]*\}' | sort; }
kept() { find "$XDG_CACHE_HOME/percycle/programs" -type f | sort; }

echo "a number of processes"
expect_line 2 PERCYCLE_COMPILE_PROCESSES=many env PERCYCLE_COMPILE_PROCESSES=many "$percycle" run latency
expect_line 2 'from 0 to 256' env PERCYCLE_COMPILE_PROCESSES=257 "$percycle" run latency
[[ -z $(compgen -G '*.jsonl') ]] || fail "a wrong number left a file"

echo "the same points"
expect 0 env PERCYCLE_COMPILE_PROCESSES=0 "$percycle" run "${arguments[@]}" --api vulkan --out alone.jsonl
[[ ! -e $XDG_CACHE_HOME/percycle/programs ]] || fail "programs are kept without processes"
expect 0 env PERCYCLE_COMPILE_PROCESSES=2 "$percycle" run "${arguments[@]}" --api vulkan --out several.jsonl
[[ $(kept | wc -l) -ge 4 ]] || fail "$(kept | wc -l) programs are kept"
[[ $(points several.jsonl | grep -c .) -ge 10 ]] || fail "few points"
kept >before
expect 0 env PERCYCLE_COMPILE_PROCESSES=2 "$percycle" run "${arguments[@]}" --api vulkan --out again.jsonl
cmp <(kept) before || fail "a second run compiled other programs"
for file in several again; do
  expect 0 "$percycle" validate $file.jsonl
  # A sweep's refinement follows its figures.
  comm -13 <(points $file.jsonl | grep l1-bandwidth) <(points alone.jsonl | grep l1-bandwidth) >missing
  [[ ! -s missing ]] || fail "$file lacks $(<missing)"
done

echo "a compiler that crashes"
mkdir driver
cp opencl.so driver/libfaulty_build_crash.so
echo "$PWD/driver/libfaulty_build_crash.so" >driver/driver.icd
export REAL_OPENCL=$pocl OCL_ICD_VENDORS=$PWD/driver/driver.icd VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
expect 1 env PERCYCLE_COMPILE_PROCESSES=2 "$percycle" run "${arguments[@]}" --out crash.jsonl
! grep '"kind":"point"' crash.jsonl | grep -vE '"status":"(failed|skipped)"' || fail "a point without a program has another outcome"
grep -q '"reason":"crashed' crash.jsonl || fail "no point names the crash"
cmp <(kept) before || fail "programs that crash the compiler are kept as compiled"
