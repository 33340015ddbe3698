#!/bin/bash
# results/codegen-anv.md is what Mesa's Vulkan driver for Intel's GPUs makes of every kernel now (tests/isa/anv.cpp). With PERCYCLE_WRITE_CODEGEN=1 it is written anew.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/audit.sh"

shim=$source_dir/build/anv/libintel_noop_drm_shim.so
[[ -e $shim ]] || skip_anywhere "anv: tools/build-anv-shim has not been run, or could not build"

compare_audit codegen-anv.md "$shim" anv
