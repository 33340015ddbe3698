#!/bin/bash
# tests/isa/codegen-sass.md is the current code of every kernel's PTX from NVIDIA's assembler.
# PERCYCLE_WRITE_CODEGEN=1 writes it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/audit.sh"

for tool in ptxas nvdisasm; do
  command -v "$tool" >/dev/null || [[ -x ${CUDA_HOME:-/usr/local/cuda}/bin/$tool ]] || skip_anywhere "SASS: $tool is not installed; CUDA has it"
done
compare_audit codegen-sass.md "" sass
