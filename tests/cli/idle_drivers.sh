#!/bin/bash
# Drivers that report success and do nothing: no kernel runs and no copy moves a byte. No point of
# any experiment may be "ok", and a copy of stale memory is not taken for a result. The checks of
# the device say it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"
export XDG_CACHE_HOME=$work/cache

# on_driver API FAULT COMMAND...: runs COMMAND on that driver alone.
on_driver() {
  local files=$work/$1.$2
  mkdir "$files"
  cp "$1.so" "$files/libfaulty_$2.so"
  echo "$files/libfaulty_$2.so" >"$files/driver.icd"
  echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$files/libfaulty_$2.so\", \"api_version\": \"1.3.0\"}}" >"$files/driver.json"
  env REAL_OPENCL="$pocl" REAL_VULKAN="$lavapipe" OCL_ICD_VENDORS="$files/driver.icd" VK_DRIVER_FILES="$files/driver.json" \
    VK_ICD_FILENAMES="$files/driver.json" "${@:3}"
}

# run_all API FAULT: every experiment on the driver with that fault, after a doctor of it without.
run_all() {
  local api=$1
  expect 0 on_driver "$api" none "$percycle" doctor --device "$api:0"
  expect 1 on_driver "$api" "$2" "$percycle" run --api "$api" --preset quick --no-progress --no-codegen --out "$api.jsonl"
  ! grep '"status":"ok"' "$api.jsonl" >good || fail "$api: $(wc -l <good) points are ok and nothing ran, first $(head -c 300 good)"
  head -n 1 "$api.jsonl" >header
  words device-checks.kernels "$(sed -n 's/.*{"name":"kernels","text":"\([^"]*\)","verdict":"doubtful"}.*/\1/p' header)"
  ! grep -oE '"name":"(timer|subgroup size|units)"' header || fail "$api: these checks rest on kernels that never ran"
  echo "$api: $(grep -c '"kind":"point"' "$api.jsonl") points"
}
run_all vulkan run_nothing
run_all opencl all_nothing
