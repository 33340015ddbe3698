#!/bin/bash
# A driver that crashes while it is loaded or in the middle of a run. Each crash costs only the
# current work.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command cc

cat >broken.c <<'C'
#include <stdlib.h>
__attribute__((constructor)) static void crash(void) { abort(); }
C
cc -shared -fPIC -o libbroken.so broken.c

echo "an OpenCL driver that crashes when it is loaded"
need_device opencl
mkdir vendors
cp "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd vendors/
echo "$work/libbroken.so" >vendors/broken.icd
expect 0 env OCL_ICD_VENDORS="$work/vendors" "$percycle" devices --json
runnable_devices stdout | grep -q '^opencl:0' || fail "the broken driver cost the whole one"
expect 0 env OCL_ICD_VENDORS="$work/vendors" "$percycle" devices
grep -q 'broken.icd: .*SIGABRT' stdout || fail "the broken driver is not named: $(tail -n 3 stdout)"
expect 0 env OCL_ICD_VENDORS="$work/vendors" "$percycle" run latency --device opencl:0 --preset quick --no-progress --set path=global --set max=2K --out opencl.jsonl
grep -q 'broken.icd: crashed' stderr || fail "run does not name the broken driver"

echo "a driver that is the only one and crashes"
mkdir broken
cp vendors/broken.icd broken/
expect_line 2 "$work/broken/broken.icd: *SIGABRT" env OCL_ICD_VENDORS="$work/broken" "$percycle" run latency --device opencl:0 --no-progress

echo "an OpenCL driver that hangs when it is loaded"
cat >hangs.c <<'C'
#include <unistd.h>
__attribute__((constructor)) static void hang(void) { for (;;) pause(); }
C
cc -shared -fPIC -o libhangs.so hangs.c
echo "$work/libhangs.so" >vendors/broken.icd
expect 0 env PERCYCLE_PATIENCE=10 OCL_ICD_VENDORS="$work/vendors" "$percycle" devices --json
runnable_devices stdout | grep -q '^opencl:0' || fail "the hanging driver cost the whole one"
if has_device vulkan; then runnable_devices stdout | grep -q '^vulkan:0' || fail "the hanging driver cost the other API's device"; fi
grep -q 'within 10 s' stdout || fail "the hanging driver is not named"
expect_line 2 PERCYCLE_PATIENCE=soon env PERCYCLE_PATIENCE=soon "$percycle" devices

echo "a Vulkan driver that crashes when it is loaded"
need_device vulkan
echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$work/libbroken.so\", \"api_version\": \"1.3.0\"}}" >broken.json
whole=$(find /usr/share/vulkan/icd.d /etc/vulkan/icd.d -name 'lvp_icd*.json' 2>/dev/null | head -n 1)
[[ $whole ]] || skip "lavapipe's manifest was not found"
expect 0 env VK_DRIVER_FILES="$work/broken.json:$whole" VK_ICD_FILENAMES="$work/broken.json:$whole" "$percycle" devices --json
runnable_devices stdout | grep -q '^vulkan:0' || fail "the broken driver cost the whole one"

echo "a Vulkan manifest that is no JSON"
echo '{broken' >broken.json
expect 0 env VK_DRIVER_FILES="$work/broken.json:$whole" VK_ICD_FILENAMES="$work/broken.json:$whole" "$percycle" devices --json
runnable_devices stdout | grep -q '^vulkan:0' || fail "the broken manifest hides the whole driver"
grep -q "$work/broken.json" stdout || fail "the broken manifest is not named"

echo "a worker that dies in the middle of a run"
status=0
"$percycle" run latency --device opencl:0 --preset full --no-progress --set path=global --set min=1M --set max=8M --set points_per_octave=4 --out died.jsonl >stdout 2>stderr </dev/null &
run=$!
for _ in $(seq 200); do
  worker=$(pgrep -P "$run" -f 'percycle worker measure' || true)
  [[ ! $worker ]] || ! grep -q '"kind":"point"' died.jsonl || break
  sleep 0.05
done
[[ $worker ]] || fail "no worker was found"
kill -KILL "$worker"  # PoCL has a handler for SIGSEGV
wait "$run" || status=$?
((status == 1)) || fail "status $status instead of 1 after a worker died: $(<stderr)"
(($(grep -c 'crashed (killed by SIGKILL)' died.jsonl) == 1)) || fail "not one point failed: $(grep -o '"outcome":{[^}]*}' died.jsonl | sort | uniq -c)"
(($(grep -c '"status":"ok"' died.jsonl) >= 8)) || fail "the points after it were not measured"
expect 0 "$percycle" validate died.jsonl
expect 0 "$percycle" run --resume died.jsonl --retry --no-progress
expect 0 "$percycle" show died.jsonl
! grep -q 'crashed' stdout || fail "--retry did not measure the failed point again"

echo "a worker that dies while it compiles"
status=0
mkdir only # with another driver in it, a second worker would load only this one
cp "$(find "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}" -name 'pocl*.icd' | head -n 1)" only/
OCL_ICD_VENDORS="$work/only" "$percycle" isa dram_bandwidth --device opencl:0 >stdout 2>stderr </dev/null &
isa=$!
worker=
for _ in $(seq 200); do
  worker=$(pgrep -P "$isa" -f 'percycle worker compile' || true)
  [[ ! $worker ]] || break
  sleep 0.05
done
[[ $worker ]] || fail "no worker was found"
kill -KILL "$worker"
wait "$isa" || status=$?
((status == 1)) || fail "status $status instead of 1 after a worker died: $(<stderr)"
grep -q 'opencl:0: .*SIGKILL' stderr || fail "isa does not say why: $(<stderr)"

echo "a driver that crashes only where another one's device is compiled for"
cat >compiles.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void crash(void) {
  char words[256] = {0};
  FILE* file = fopen("/proc/self/cmdline", "r");
  if (!file || fread(words, 1, sizeof words - 1, file) == 0) return;
  for (size_t i = 0; i + 1 < sizeof words; i += strlen(words + i) + 1) {
    if (strcmp(words + i, "compile") == 0) abort();
  }
}
C
cc -shared -fPIC -o libcompiles.so compiles.c
echo "$work/libcompiles.so" >vendors/broken.icd
expect 0 env OCL_ICD_VENDORS="$work/vendors" "$percycle" isa latency --define FORM=FORM_POINTER --device opencl:0
