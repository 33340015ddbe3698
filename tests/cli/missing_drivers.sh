#!/bin/bash
# Drivers that were removed in part: `devices`, `doctor` and `run` name the manifest, its library
# and the next step, and the other drivers are measured.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
export XDG_CACHE_HOME=$work/cache
need_command cc
need_device opencl
need_device vulkan

unset OCL_ICD_VENDORS VK_DRIVER_FILES VK_ICD_FILENAMES
sound_icd=$(find /etc/OpenCL/vendors -name 'pocl*.icd' 2>/dev/null | head -n 1)
sound_json=$(find /usr/share/vulkan/icd.d /etc/vulkan/icd.d -name 'lvp_icd*.json' 2>/dev/null | head -n 1)
[[ $sound_icd && $sound_json ]] || skip "PoCL's or lavapipe's manifest was not found"

echo 'void part(void) {}' | cc -shared -fPIC -o libpart.so -x c -
echo 'int driver;' | cc -shared -fPIC -o libdriver.so -x c - -x none -L. -Wl,--no-as-needed -lpart
rm libpart.so
echo garbage >libgarbage.so

# manifests FOLDER LIBRARY: one .icd and one .json that name it.
manifests() {
  mkdir -p "$1"
  echo "$2" >"$1/broken.icd"
  echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$2\", \"api_version\": \"1.3.0\"}}" >"$1/broken.json"
}
# with_drivers FOLDER COMMAND...: with its manifests and the sound ones.
with_drivers() {
  cp "$sound_icd" "$1/sound.icd"
  env OCL_ICD_VENDORS="$work/$1" VK_DRIVER_FILES="$work/$1/broken.json:$sound_json" VK_ICD_FILENAMES="$work/$1/broken.json:$sound_json" "${@:2}"
}
# problem API: its only problem in stdout (devices --json).
problem() {
  python3 -c '
import json, sys
problems = [p for p in json.load(open("stdout"))["problems"] if p["api"] == sys.argv[1]]
assert len(problems) == 1, problems
print(problems[0]["where"] + ": " + problems[0]["message"])' "$1"
}
# expect_problem FOLDER TEXT: both APIs name the manifest with this message, beside a sound device.
expect_problem() {
  expect 0 with_drivers "$1" "$percycle" devices --json
  [[ $(problem opencl) == "$work/$1/broken.icd: $2" ]] || fail "$1: $(problem opencl)"
  [[ $(problem vulkan) == "$work/$1/broken.json: $2" ]] || fail "$1: $(problem vulkan)"
  runnable_devices stdout | sort | tr '\n' ' ' | grep -q 'opencl:0 vulkan:0' || fail "$1: a sound device is gone"
}

echo "a library that is missing"
manifests path /opt/none/libgone.so
expect_problem path "its library /opt/none/libgone.so is missing: install that driver again, or remove this file"
manifests name libgone-driver.so.1
expect_problem name "its library libgone-driver.so.1 is missing: install that driver again, or remove this file"

echo "a library that needs a missing one"
manifests part "$work/libdriver.so"
expect_problem part "its library $work/libdriver.so needs libpart.so, which is missing: install the package that has it"

echo "a file that is no library, and a manifest without one"
manifests garbage "$work/libgarbage.so"
expect_problem garbage "its library $work/libgarbage.so does not load: $work/libgarbage.so: file too short; install that driver for this system"
manifests empty ""
expect_problem empty "names no library: install that driver again, or remove this file"

echo "doctor and run name it, and run measures"
expect 0 with_drivers path "$percycle" doctor
grep -q '^  drivers *missing: opencl: .*/broken.icd: its library' stdout || fail "doctor says: $(<stdout)"
expect 0 with_drivers path "$percycle" run latency --set path=constant --set max=2K --preset quick --no-progress --no-codegen --out run.jsonl
for manifest in broken.icd broken.json; do
  grep -q "warning: .*$manifest: its library /opt/none/libgone.so is missing" stderr || fail "run says: $(<stderr)"
done
(($(grep -c '"status":"ok"' run.jsonl) > 1)) || fail "run measured nothing"

echo "the only driver is missing"
expect_line 2 "broken.icd: its library $work/libdriver.so needs libpart.so" env OCL_ICD_VENDORS="$work/part/broken.icd" VK_DRIVER_FILES=/nonexistent \
  VK_ICD_FILENAMES=/nonexistent "$percycle" run latency --out none.jsonl
