#!/bin/bash
# tests/isa/codegen.md is the current code of every kernel from compilers for absent GPUs.
# PERCYCLE_WRITE_CODEGEN=1 writes it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/audit.sh"

compare_audit codegen.md ""
