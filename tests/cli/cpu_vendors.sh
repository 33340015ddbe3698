#!/bin/bash
# A CPU's maker and name do not matter: a CPU that reports AMD, Intel or Arm has the same points
# with the same outcomes.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/cpu_shims.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/cpu_shims.sh"

mkdir vulkan
cc -shared -fPIC -o vulkan/libvulkan.so.1 "$shims/cpu_vulkan.c" -ldl

# as_maker API MAKER COMMAND...: runs COMMAND on a CPU of that maker, without the other API's
# devices.
as_maker() {
  local api=$1 maker=$2 vendor id name others
  shift 2
  case $api in
    opencl) others=(VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent) ;;
    vulkan) others=(OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES=) ;;
  esac
  case $maker in
    amd) vendor=AuthenticAMD id=0x1022 name="cpu-znver4-AMD EPYC 9654" ;;
    intel) vendor=GenuineIntel id=0x8086 name="cpu-sapphirerapids-Intel(R) Xeon(R) Platinum 8480C" ;;
    arm) vendor=ARM id=0x13b5 name="cpu-neoverse-n1" ;;
  esac
  env LD_LIBRARY_PATH="$work/$api" REAL_LOADER="$(loader libvulkan.so.1)" CPU_VENDOR="$vendor" CPU_VENDOR_ID=$id CPU_NAME="$name" "${others[@]}" "$@"
}

# Every point of a plan that may depend on a device's maker, with its status and reason.
points=(run atomic-throughput --preset quick --no-progress --set scenario=words --set operation=exchange --set sharers=1)
for api in opencl vulkan; do
  for maker in amd intel arm; do
    echo "$api: a CPU of $maker"
    expect 0 as_maker $api $maker "$percycle" devices --json
    grep -q '"unit_name": "core"' stdout || fail "a CPU of $maker is not recognised as a CPU: $(<stdout)"
    expect 0 as_maker $api $maker "$percycle" "${points[@]}" --device $api:0 --out $api-$maker.jsonl
    python3 - $api-$maker.jsonl >$api-$maker.txt <<'P'
import json, sys

for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["kind"] == "point":
        outcome = record["outcome"]
        print(record["experiment"], json.dumps(record["parameters"], sort_keys=True), outcome["status"], outcome.get("reason", ""))
P
    sort -o $api-$maker.txt $api-$maker.txt
    grep -q 'no-return.* ok ' $api-$maker.txt || fail "no exchange without a result was measured: $(<$api-$maker.txt)"
    cmp $api-amd.txt $api-$maker.txt || fail "a CPU of $maker has other points than one of AMD's: $(diff $api-amd.txt $api-$maker.txt)"
    expect 0 as_maker $api $maker "$build_dir/tests/percycle_device_tests" --test-case='atomic throughput: none is left out*'
  done
done
