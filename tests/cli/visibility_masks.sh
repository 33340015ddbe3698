#!/bin/bash
# Variables that hide devices are named before percycle measures another device, or the same card
# through the other API.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
export XDG_CACHE_HOME=$work/cache
# shellcheck source=tests/cli/cpu_shims.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/cpu_shims.sh"

for mask in CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES GPU_DEVICE_ORDINAL ZE_AFFINITY_MASK MESA_VK_DEVICE_SELECT; do unset $mask; done
# The CPU as an NVIDIA card of this OpenCL driver.
as_card() {
  env LD_LIBRARY_PATH="$work/opencl" CPU_IS_GPU=1 CPU_VENDOR="NVIDIA Corporation" CPU_VENDOR_ID=0x10de CPU_NAME="NVIDIA Test" "$@"
}
run=(run latency --set path=constant --set max=2K --preset quick --no-progress --no-codegen)

echo "only a CPU is left"
expect 0 env CUDA_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES=7 "$percycle" "${run[@]}" --api opencl --out cpu.jsonl
words masks.no-gpu "$(grep 'no GPU' stderr | sed 's/measures .*; CUDA/measures CPU; CUDA/; s/^percycle: warning: //; s/ROCR_VISIBLE_DEVICES=7 and .* may hide/ROCR_VISIBLE_DEVICES=7 may hide/')"
expect 0 "$percycle" "${run[@]}" --device opencl:0 --out named.jsonl
! grep -q 'no GPU' stderr || fail "a CPU that the user chose is no surprise: $(<stderr)"
expect 0 env ZE_AFFINITY_MASK=7 "$percycle" doctor --device opencl:0
tr -s ' \n' ' ' <stdout | grep -q 'GPU missing: no driver shows a GPU; .*ZE_AFFINITY_MASK=7' || fail "doctor says: $(<stdout)"

echo "a mask hides a card from the other API"
expect 0 env MESA_VK_DEVICE_SELECT=10de:2330! bash -c "$(declare -f as_card); work=$work as_card '$percycle' devices --json"
grep -q 'MESA_VK_DEVICE_SELECT=10de:2330! may hide it from Vulkan, but OpenCL shows it as opencl:0' stdout || fail "devices says: $(<stdout)"
expect 0 env CUDA_VISIBLE_DEVICES=0 bash -c "$(declare -f as_card); work=$work as_card '$percycle' devices --json"
! grep -q 'may hide' stdout || fail "a card that its mask shows is hidden: $(<stdout)"
