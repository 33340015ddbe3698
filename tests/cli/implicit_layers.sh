#!/bin/bash
# Implicit Vulkan layers that abort, refuse, hang or hide every device: percycle names the layer and
# measures without it, also beside a broken driver.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"
[[ -e /usr/include/vulkan/vk_layer.h ]] || skip_anywhere "the headers for layers of Vulkan are not installed"

cc -shared -fPIC -o liblayer.so "$shims/faulty_layer.c"
# layer NAME LIBRARY: an implicit layer of this user.
layer() {
  mkdir -p data/vulkan/implicit_layer.d
  cat >"data/vulkan/implicit_layer.d/$1.json" <<JSON
{"file_format_version": "1.0.0", "layer": {"name": "VK_LAYER_TEST_$1", "type": "GLOBAL", "library_path": "$2", "api_version": "1.3.0",
 "implementation_version": "1", "description": "test", "disable_environment": {"NO_$1": "1"}}}
JSON
}
layer faulty "$work/liblayer.so"
export XDG_DATA_HOME=$work/data OCL_ICD_VENDORS=/nonexistent

echo "a layer without a fault"
expect 0 "$percycle" devices
! grep -q 'VK_LAYER_TEST' stdout || fail "a sound layer is blamed: $(<stdout)"

run=(run latency --set path=constant --set max=2K --preset quick --no-progress --no-codegen)
expect 0 "$percycle" "${run[@]}" --out sound.jsonl
! grep -q 'implicit layers' sound.jsonl || fail "a sound layer costs a run its layers: $(head -n 1 sound.jsonl)"

for fault in instance_abort instance_error instance_hang devices_none; do
  echo "$fault"
  expect 0 env LAYER_FAULT=$fault PERCYCLE_PATIENCE=3 "$percycle" devices --json
  runnable_devices stdout | grep -q '^vulkan:0' || fail "$fault: the device is gone: $(<stdout)"
  grep -q 'layer VK_LAYER_TEST_faulty hides every device (.*), so percycle runs without it; remove this file or set NO_faulty=1' stdout || fail "$fault: $(<stdout)"
  (($(grep -c '"api": "vulkan",$' <(sed -n '/"problems"/,$p' stdout)) == 1)) || fail "$fault: another problem is named: $(<stdout)"
done

echo "run measures without the layer, and says so"
expect 0 env LAYER_FAULT=instance_abort "$percycle" "${run[@]}" --out run.jsonl
grep -q 'warning: vulkan: .*the implicit layer VK_LAYER_TEST_faulty hides every device' stderr || fail "run says: $(<stderr)"
grep -q '"status":"ok"' run.jsonl || fail "run measured nothing: $(<stdout)"

for fault in device_abort device_error; do
  echo "$fault"
  expect 0 env LAYER_FAULT=$fault "$percycle" "${run[@]}" --out $fault.jsonl
  grep -q 'the device opens only without the implicit layers .*VK_LAYER_TEST_faulty' $fault.jsonl || fail "$fault: $(head -n 1 $fault.jsonl)"
  grep -q '"status":"ok"' $fault.jsonl || fail "$fault: run measured nothing: $(<stdout)"
done

echo "beside a broken driver"
mkdir broken
cp vulkan.so broken/libfaulty_instance_crash.so
echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$work/broken/libfaulty_instance_crash.so\", \"api_version\": \"1.3.0\"}}" >broken/driver.json
files=$work/broken/driver.json:$lavapipe_manifest
expect 0 env LAYER_FAULT=instance_abort REAL_VULKAN="$lavapipe" VK_DRIVER_FILES="$files" VK_ICD_FILENAMES="$files" "$percycle" devices --json
runnable_devices stdout | grep -q '^vulkan:0' || fail "beside a broken driver: the device is gone: $(<stdout)"
grep -q 'VK_LAYER_TEST_faulty' stdout || fail "beside a broken driver: the layer is not named"
grep -q 'driver.json' stdout || fail "beside a broken driver: it is not named"
