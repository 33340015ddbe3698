#!/bin/bash
# Oclgrind, an OpenCL device that checks every access, finds no data race and no uninitialised value
# in any OpenCL kernel.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
library=/usr/lib/oclgrind/liboclgrind-rt-icd.so
[[ -e $library ]] || skip_anywhere "oclgrind is not installed"

# The only driver, found through the loader: percycle uses the functions of the loader it opened, so
# preloading would have no effect.
mkdir vendors
echo "$library" >vendors/oclgrind.icd
# One thread: its record of initialised memory is not thread-safe.
oclgrind=(env OCL_ICD_VENDORS="$work/vendors/" OCLGRIND_NUM_THREADS=1 OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1)

expect 0 "${oclgrind[@]}" "$percycle" devices
grep -qi oclgrind stdout || fail "oclgrind is not among the devices"

# silent SETTING...: one point in its own process. From a process's second point on, Oclgrind 21.10
# reports values as uninitialised that an earlier kernel wrote. percycle may refuse a simulator's
# times as a measurement.
silent() {
  local file=$1 status=0 settings=()
  shift
  for setting in "$@"; do settings+=(--set "$setting"); done
  "${oclgrind[@]}" "$percycle" run latency --device oclgrind --preset quick --no-progress --out "$file" --set min=1K --set max=1K \
    "${settings[@]}" >stdout 2>stderr </dev/null || status=$?
  ((status == 0)) || grep -q 'not a measurement' stderr || {
    tail -n 40 stderr >&2
    fail "status $status from: $*"
  }
  grep -v '^percycle: error: .*not a measurement' stderr >findings || true
  if [[ -s findings ]]; then
    head -n 40 findings >&2
    fail "oclgrind has something to say about: $*"
  fi
  grep -Eq '"status":"ok"|not a measurement' "$file" || fail "nothing ran: $*"
}

for path in global global-index scalar constant local; do
  silent "$path.jsonl" path=$path
  silent "$path.sequential.jsonl" path=$path order=sequential
done
silent offset32.jsonl path=global form=offset32
silent constant.byte.jsonl path=constant form=byte-offset
silent local.byte.jsonl path=local form=byte-offset
# Oclgrind 21.10 reports everything read through an image as uninitialised.
oclgrind=("${oclgrind[@]/OCLGRIND_UNINITIALIZED=1/OCLGRIND_CHECK_API=1}")
silent texture.jsonl path=texture
silent texture.sequential.jsonl path=texture order=sequential

# Kernel pairs that a plan reaches only if latencies are meaningful.
[[ -x $build_dir/tests/percycle_device_tests ]] || fail "there are no device tests in $build_dir"
for case in '*times each load*' '*chases of geometry*' '*walked side by side and in turns end*' \
  '*kernels read the data that the host computes*' '*cache and memory bandwidth leave the same*'; do
  VK_DRIVER_FILES=/nonexistent "${oclgrind[@]}" "$build_dir/tests/percycle_device_tests" --test-case="$case" >stdout 2>findings </dev/null || {
    tail -n 40 stdout findings >&2
    fail "the device tests fail on oclgrind: $case"
  }
  grep -q '1 passed | 0 failed' stdout || fail "not one test is called $case"
  if [[ -s findings ]]; then
    head -n 40 findings >&2
    fail "oclgrind has something to say about: $case"
  fi
done
