#!/bin/bash
# Mesa's Vulkan drivers for AMD and Intel GPUs in Debian 13, on no-op stand-ins for the kernel's
# drivers: the facts that percycle states of three chips, and no point is ok where no kernel runs.
# All chips and experiments: cli.drivers_all.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/drivers_common.sh
source "$source_dir/tests/cli/drivers_common.sh"

echo "a user who has such a stand-in by accident is told"
# shellcheck disable=SC2154 # drivers_common.sh
expect 2 "${enter[@]}" env LD_PRELOAD=/shims/libamdgpu_noop_drm_shim.so AMDGPU_GPU_ID=navi21 \
  VK_DRIVER_FILES=/usr/share/vulkan/icd.d/radeon_icd.json /mnt/percycle run latency --device vulkan:0 --out /mnt/none.jsonl
grep -q "'vulkan:0' .*no-op DRM shim" stderr || fail "the refusal: $(<stderr)"

python3 "$source_dir/tests/drivers/run_chips.py" "$there" "latency arithmetic-throughput transfer-bandwidth" radv:polaris10 radv:navi31 anv:dg2 -- "${enter[@]}"
