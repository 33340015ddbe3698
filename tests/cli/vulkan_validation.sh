#!/bin/bash
# The Khronos validation layer, core checks and synchronisation, reports nothing for the device
# tests and a run of every path.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_device vulkan

cat >vk_layer_settings.txt <<'SETTINGS'
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = stdout
khronos_validation.report_flags = error,warn,info
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.validate_sync = true
khronos_validation.enable_message_limit = false
SETTINGS
layer=(env VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_SETTINGS_PATH="$work/vk_layer_settings.txt"
  VK_LOADER_DEBUG=layer)

# silent NAME COMMAND...: COMMAND succeeds with the layer loaded and without a message from it.
silent() {
  local name=$1
  shift
  "${layer[@]}" "$@" >log 2>&1 </dev/null || {
    tail -n 40 log >&2
    fail "$name fails under the validation layer"
  }
  grep -qE 'nsert(ed|ing)? instance layer.*VK_LAYER_KHRONOS_validation|Khronos Validation Layer Active' log || skip "the validation layer is not installed"
  if grep -nE 'Validation (Error|Warning|Performance Warning)|VUID-|SYNC-HAZARD' log; then
    fail "$name: the validation layer has something to say"
  fi
}

run=("$percycle" run latency --api vulkan --preset quick --no-progress --set max=16K)
silent "every path" "${run[@]}" --out paths.jsonl
silent "offset32" "${run[@]}" --set path=global --set form=offset32 --set lanes=subgroup --out offset32.jsonl
silent "sequential chains" "${run[@]}" --set path=global,texture --set order=sequential --out sequential.jsonl
# The cases that load the layer themselves mistake its greeting for a message. The layer has no
# opinion on OpenCL, and the device tests have run there.
silent "the device tests" env OCL_ICD_VENDORS=/nonexistent "$build_dir/tests/percycle_device_tests" \
  --test-case-exclude='*validation*,*PERCYCLE_REQUIRE_DEVICES*'
