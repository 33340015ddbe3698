#!/bin/bash
# tests/isa/codegen-anv.md is the current code of every kernel from Mesa's Vulkan driver for Intel
# GPUs (tests/isa/anv.cpp). PERCYCLE_WRITE_CODEGEN=1 writes it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/audit.sh"

shim=$source_dir/build/anv/libintel_noop_drm_shim.so
[[ -e $shim ]] || skip_anywhere "anv: tools/build-anv-shim has not been run, or could not build"

# percycle lists the device and compiles for it. It refuses a run, because kernels would never
# start.
driver=/usr/share/vulkan/icd.d/intel_icd.x86_64.json
stub=(env "VK_DRIVER_FILES=$driver" "VK_ICD_FILENAMES=$driver" INTEL_STUB_GPU_PLATFORM=skl "LD_PRELOAD=$shim")
expect 2 "${stub[@]}" "$percycle" run latency --device vulkan:0 --out none.jsonl
grep -q "'vulkan:0' .*no-op DRM shim" stderr || fail "the refusal: $(<stderr)"
expect 0 "${stub[@]}" "$percycle" isa latency --device vulkan:0 --define FORM=FORM_POINTER --define PATH=PATH_GLOBAL
grep -qE '^ +code +GEN Assembly$' stdout || fail "anv's assembly is read"
grep -qE '^ +loop +31 x vector load of 8 B, .*operations to an access$' stdout || fail "the loop of a pointer chase is wrong: $(grep loop stdout)"

compare_audit codegen-anv.md "$shim" anv
