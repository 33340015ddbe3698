#!/bin/bash
# results/codegen.md is what the compilers of GPUs that are not here make of every kernel now (tests/isa). With PERCYCLE_WRITE_CODEGEN=1 it is written anew.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/audit.sh"

compare_audit codegen.md ""
