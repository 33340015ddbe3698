#!/bin/bash
# Faulty drivers beside a sound one, through both APIs at once: both sound devices are measured with
# any fault of shims/faulty_opencl.c and shims/faulty_vulkan.c.
# shellcheck disable=SC2086 # faults are lists of words
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"

loading="crash abort kill hang exit exit_42 alarm closes closes_all writes ends devices part measure_crash measure_hang prints folder exits_late forks blocks"
opencl="$(printf 'load_%s ' $loading) platforms_crash platforms_hang platforms_error platforms_none platform_info_crash platform_info_error platform_name_huge platform_name_long
  devices_crash devices_hang devices_error devices_none devices_billions devices_thousands devices_null info_crash info_hang info_error info_zeros info_ones
  info_random name_huge name_long name_empty name_endless name_binary name_size name_gigabytes extensions_huge units_zero units_most group_zero group_most
  timer_most clock_most context_crash context_hang context_null context_error queue_crash queue_error program_crash build_crash build_hang build_error
  build_log_size build_log_crash kernel_crash kernel_error buffer_crash buffer_error run_crash run_hang run_error run_lost run_nothing wait_hang wait_error
  time_error time_zero time_back time_most time_one time_random read_crash read_hang read_error read_zeros read_random read_flips write_crash
  memory_zero memory_most allocation_zero allocation_most local_zero local_most local_type_most constant_zero constant_most parameters_zero parameters_most
  items_zero items_most items_error address_bits_zero address_bits_most type_zero type_most texels_zero texels_most line_most compiler_none available_no
  vendor_id_most version_words version_future version_old vendor_binary driver_empty driver_binary profile_words extensions_none extensions_binary
  extensions_claimed units_error timer_error name_error devices_vanish queue_null program_null kernel_null kernel_group_zero kernel_group_error buffer_null
  buffer_third run_lost_later run_memory_later event_null wait_lost_later wait_early_hang write_error map_null argument_error binary_empty binary_huge
  image_null wait_early event_running event_running_hang event_error"
vulkan="$(printf 'load_%s ' $loading) lookup_crash lookup_null negotiate_crash negotiate_error instance_crash instance_hang instance_error instance_memory
  devices_crash devices_hang devices_error devices_unknown_error devices_none devices_billions properties_crash properties_hang properties_random
  name_binary name_endless name_empty period_nan period_zero period_negative period_infinite period_huge limits_zero limits_ones type_unknown version_zero
  version_most subgroup_zero subgroup_most driver_binary memory_none memory_ones memory_types memory_empty memory_heap queues_none queues_billions
  queues_idle bits_none bits_many extensions_error extensions_billions open_crash open_hang open_lost open_memory open_null pool_error module_crash
  module_error build_crash build_hang build_error build_null buffer_crash buffer_error requirements_ones requirements_zero allocate_error address_null
  read_error read_crash read_garbage run_crash run_hang run_lost run_error run_nothing wait_hang wait_lost wait_timeout time_error time_zero time_ones
  time_random time_back time_one
  groups_zero group_sizes_zero invocations_zero invocations_most push_zero push_most storage_zero uniform_zero texels_zero shared_zero shared_most
  alignment_most atom_most sets_zero images_zero vendor_zero vendor_unknown driver_version_most period_tiny subgroup_three uuid_zero memory_types_none
  memory_heaps memory_heaps_empty memory_hidden queues_graphics queues_empty bits_one extensions_binary extensions_claimed extensions_clock module_null
  build_memory buffer_null requirements_empty alignment_zero allocate_third allocate_null cache_error cache_huge run_lost_later run_memory_later
  wait_lost_later wait_early_hang time_unready bind_error layout_error sets_error commands_error begin_error end_error queries_error fence_error queue_null
  features_none features_all devices_vanish pool_null fence_null queries_null layout_null set_layout_null sets_pool_null sets_null
  commands_null map_null wait_early fence_status_error group_depth_zero"

# run_case OPENCL_FAULTS VULKAN_FAULTS (lists with commas): one run with a driver for each; its
# records, messages and exit status in files named after them.
run_case() {
  local status=0 patience='' begin=$EPOCHSECONDS case=$work/$1.$2 fault files=$lavapipe_manifest
  [[ ! $* =~ hang|timeout ]] || patience=${PERCYCLE_FAULT_PATIENCE:-10}
  # One process may load several drivers, and the linker loads a file only once: each has a copy.
  mkdir -p "$case.drivers"/{opencl,vulkan}
  cp "$pocl_manifest" "$case.drivers/"
  for fault in ${1//,/ }; do
    [[ $fault != none ]] || continue
    cp opencl.so "$case.drivers/opencl/libfaulty_$fault.so"
    echo "$case.drivers/opencl/libfaulty_$fault.so" >"$case.drivers/$fault.icd"
  done
  for fault in ${2//,/ }; do
    [[ $fault != none ]] || continue
    cp vulkan.so "$case.drivers/vulkan/libfaulty_$fault.so"
    echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$case.drivers/vulkan/libfaulty_$fault.so\", \"api_version\": \"1.3.0\"}}" \
      >"$case.drivers/$fault.json"
    files=$case.drivers/$fault.json:$files
  done
  # A second thread of PoCL takes longer to start than the work takes.
  env REAL_OPENCL="$pocl" REAL_VULKAN="$lavapipe" PERCYCLE_PATIENCE="$patience" OCL_ICD_VENDORS="$case.drivers" \
    VK_DRIVER_FILES="$files" VK_ICD_FILENAMES="$files" POCL_MAX_PTHREAD_COUNT=1 \
    timeout -k 5 $((120 + 4 * ${patience:-30})) "$percycle" run latency --preset quick --no-progress --no-codegen --set path=global --set form=pointer --set max=1K \
    --out "$case.jsonl" >/dev/null 2>"$case.txt" </dev/null || status=$?
  echo "$status $((EPOCHSECONDS - begin))" >"$case.status"
}
export -f run_case
export work percycle pocl pocl_manifest lavapipe lavapipe_manifest

# cases COUNT OPENCL_FAULTS VULKAN_FAULTS: lines of up to COUNT faults of each API, "none" if one
# has no more. Each driver has its own processes, so that faults are independent.
cases() {
  paste -d ' ' <(xargs -n "$1" <<<"$2" | tr ' ' ,) <(xargs -n "$1" <<<"$3" | tr ' ' ,) | sed 's/^ /none /; s/ $/ none/'
}

run_case none none
# A hanging driver uses no CPU time: all of these wait side by side. Others share the cost of the
# sound devices.
waiting='hang|timeout'
waits=$(cases 1 "$(printf '%s\n' $opencl | grep -E $waiting)" "$(printf '%s\n' $vulkan | grep -E $waiting)")
works=$(cases 5 "$(printf '%s\n' $opencl | grep -vE $waiting)" "$(printf '%s\n' $vulkan | grep -vE $waiting)")
xargs -P 40 -L 1 bash -c 'run_case "$@"' - <<<"$waits" &
xargs -P 4 -L 1 bash -c 'run_case "$@"' - <<<"$works"
wait

cat >check.py <<'PY'
import json, pathlib, sys

def devices(path):
    """(API, name) of each device and how many of its points are ok."""
    headers, counts = {}, {}
    for line in path.read_text().splitlines():
        record = json.loads(line)
        if record["kind"] == "header":
            headers[record["id"]] = (record["device"]["api"], record["device"]["name"])
        if record["kind"] == "point" and record["outcome"]["status"] == "ok":
            key = headers[record["header"]]
            counts[key] = counts.get(key, 0) + 1
    return counts

# Words in which a run must say a fault of these.
WORDS = {
    "vulkan": {
        "queue_null": "vkGetDeviceQueue succeeded but gave no queue",
        "pool_null": "vkCreateCommandPool succeeded but gave no command pool",
        "commands_null": "vkAllocateCommandBuffers succeeded but gave no command buffer",
        "fence_null": "vkCreateFence succeeded but gave no fence",
        "queries_null": "vkCreateQueryPool succeeded but gave no query pool",
        "module_null": "vkCreateShaderModule succeeded but gave no shader module",
        "set_layout_null": "vkCreateDescriptorSetLayout succeeded but gave no descriptor set layout",
        "layout_null": "vkCreatePipelineLayout succeeded but gave no pipeline layout",
        "sets_pool_null": "vkCreateDescriptorPool succeeded but gave no descriptor pool",
        "sets_null": "vkAllocateDescriptorSets succeeded but gave no descriptor set",
        "build_null": "vkCreateComputePipelines succeeded but gave no pipeline",
        "buffer_null": "vkCreateBuffer succeeded but gave no buffer",
        "allocate_null": "vkAllocateMemory succeeded but gave no memory",
        "map_null": "vkMapMemory succeeded but gave no mapped pointer",
        "fence_status_error": "vkGetFenceStatus returned VK_ERROR_DEVICE_LOST",
    },
    "opencl": {
        "context_null": "clCreateContext succeeded but gave no context",
        "queue_null": "clCreateCommandQueue succeeded but gave no queue",
        "program_null": "clCreateProgramWithSource succeeded but gave no program",
        "kernel_null": "clCreateKernel succeeded but gave no kernel",
        "buffer_null": "clCreateBuffer succeeded but gave no buffer",
        "event_null": "clEnqueueNDRangeKernel succeeded but gave no event",
        "event_error": "clGetEventInfo returned CL_OUT_OF_HOST_MEMORY",
    },
}

def unsaid(case, text):
    """Faults of the case that its text does not say."""
    parts = zip(("opencl", "vulkan"), case.split("."))
    expected = [WORDS[api].get(fault, "") for api, faults in parts for fault in faults.split(",")]
    return "".join(f" nothing says '{words}'" for words in expected if words not in text)

def long_texts(path):
    """Names and build logs that were not cut."""
    problem = ""
    for line in path.read_text().splitlines():
        record = json.loads(line)
        if len(line) > 50_000:
            problem += f" a line of {len(line)} bytes"
        for name in ("name", "platform", "driver"):
            if len(record.get("device", {}).get(name, "")) > 200:
                problem += f" a long {name}"
        if len(record.get("outcome", {}).get("reason", "")) > 4200:
            problem += " a long reason"
    return problem

folder = pathlib.Path(".")
whole = devices(folder / "none.none.jsonl")
assert len(whole) == 2, f"{whole}: {(folder / 'none.none.txt').read_text()}"
wrong = []
longest = []
for case in sys.argv[1:]:
    status, seconds = map(int, (folder / f"{case}.status").read_text().split())
    longest.append((seconds, case))
    records = folder / f"{case}.jsonl"
    found = devices(records) if records.exists() else {}
    problem = ""
    if status not in (0, 1):
        problem = f"exit status {status}"
    for device in whole:
        if found.get(device, 0) != whole[device]:
            problem += f" {found.get(device, 0)} of {whole[device]} points of {device[0]} {device[1]}"
    if records.exists():
        problem += long_texts(records)
    message = (folder / f"{case}.txt").read_bytes()
    problem += unsaid(case, message.decode(errors="replace") + (records.read_text() if records.exists() else ""))
    if "prints" not in case and len(message) > 40_000:
        problem += f" {len(message)} bytes of messages"
    if problem:
        wrong.append(case)
        print(f"{case}:{problem}; it says: {message[-300:]!r}", file=sys.stderr)
faults = [fault for case in sys.argv[1:] for part in case.split(".") for fault in part.split(",") if fault != "none"]
print(f"{len(faults)} faults in {len(sys.argv) - 1} runs, {len(wrong)} of which lost a sound device")
print("longest:", ", ".join(f"{case} {seconds} s" for seconds, case in sorted(longest)[:-9:-1]))
(folder / "wrong").write_text("\n".join(wrong))
sys.exit(bool(wrong))
PY
# alone STATUS WORDS API FAULT EXPERIMENT...: a run on a faulty driver without a sound one.
alone() {
  local files=$work/alone.$3.$4
  mkdir "$files"
  cp "$3.so" "$files/libfaulty_$4.so"
  echo "$files/libfaulty_$4.so" >"$files/driver.icd"
  echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$files/libfaulty_$4.so\", \"api_version\": \"1.3.0\"}}" >"$files/driver.json"
  expect "$1" env REAL_OPENCL="$pocl" REAL_VULKAN="$lavapipe" OCL_ICD_VENDORS="$files/driver.icd" VK_DRIVER_FILES="$files/driver.json" \
    VK_ICD_FILENAMES="$files/driver.json" POCL_MAX_PTHREAD_COUNT=1 \
    "$percycle" run "${@:5}" --api "$3" --preset quick --no-progress --no-codegen --out "$files/records.jsonl"
  grep -q "$2" stderr "$files"/records.jsonl* || fail "$3 $4 is not said: $(<stderr)"
}
chase=(latency --set path=global --set form=pointer --set max=1K)
alone 2 'driver states 0 work-items as its largest work-group' opencl group_zero "${chase[@]}"
alone 2 'driver states 0 work-items as its largest work-group' vulkan group_depth_zero "${chase[@]}"
alone 0 '"status":"ok"' opencl wait_early "${chase[@]}"
alone 0 '"status":"ok"' opencl event_running "${chase[@]}"
alone 0 '"status":"ok"' vulkan wait_early "${chase[@]}"
alone 1 'clCreateImage succeeded but gave no image' opencl image_null texture-latency
alone 1 'clEnqueueMapBuffer succeeded but gave no mapped pointer' opencl map_null transfer-bandwidth

cases=$(tr ' ' . <<<"$waits"$'\n'"$works")
# shellcheck disable=SC2086 # a case has no blanks
if ! python3 check.py $cases; then
  # On a loaded host a sound driver may take longer than the patience for hanging ones.
  again=$(<wrong)
  for case in $again; do rm -rf "$case".*; done
  PERCYCLE_FAULT_PATIENCE=60 xargs -P 4 -L 1 bash -c 'run_case "$@"' - <<<"${again//./ }"
  python3 check.py $again || fail "a fault of a driver cost a sound device"
fi
# shellcheck disable=SC2046 # their files
"$percycle" validate $(find . -name '*.jsonl' ! -empty) >stdout 2>stderr || true
! grep -v ': impossible: ' stderr || fail "a record is not valid"
