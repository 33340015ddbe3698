#!/bin/bash
# `percycle kernels`: every program of the experiments, as text, as JSON and as files for their
# compilers.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

expect 0 "$percycle" kernels --api opencl --gpu nvidia
grep -A1 '^opencl nvidia latency.FORM=FORM_POINTER.PATH=PATH_GLOBAL.group=32$' stdout |
  grep -q '^    timed: 31 x global load of 8 B; geometry, latency, tlb$' || fail "the accesses of a pointer chase are wrong"
for api in opencl vulkan; do
  expect 0 "$percycle" kernels --api "$api" --gpu nvidia
  [[ -z $(sed -nE 's/^[a-z]+ [a-z0-9]+ //p' stdout | sort | uniq -d) ]] || fail "$api: a program is listed twice"
  kernels=$(sed -nE 's/^[a-z]+ [a-z0-9]+ ([a-z0-9_]+)[.].*/\1/p' stdout | sort -u | tr '\n' ' ')
  [[ $kernels == "access_pattern alu_chain atomic_handover atomic_latency atomic_throughput cache_bandwidth chain chunk_sums constant_words convolution dram_bandwidth fill \
geometry instruction_cache instruction_chain instruction_sharing instruction_stream intensity l2_map latency lattice_boltzmann launch matrix_stream private_caches residency result_sums sharing texture_bandwidth unit_bandwidth " ]] ||
    fail "$api: these kernels are listed: $kernels"
done
expect 0 "$percycle" kernels --api opencl --gpu nvidia
! grep -qE '^(vulkan|opencl (gcn|rdna|intel))' stdout || fail "programs of another API or GPU are listed"

expect 0 "$percycle" kernels --gpu intel --json --out programs
python3 - <<'PYTHON' || fail "the list and the files"
import json, os
kernels = json.load(open("stdout"))["kernels"]
files = {kernel["file"] for kernel in kernels}
assert len(files) == len(kernels) and files == set(os.listdir("programs")), "one file to each"
for kernel in kernels:
    with open(os.path.join("programs", kernel["file"]), "rb") as file:
        text = file.read()
    if kernel["api"] == "vulkan":
        assert text[:4] == b"\x03\x02\x23\x07", "SPIR-V's magic number"
    else:
        for name, value in kernel["definitions"].items():
            assert f"#define {name} {value}\n".encode() in text, kernel["file"]
PYTHON

touch file
expect_line 2 "--out: file/folder cannot be made" "$percycle" kernels --out file/folder
expect_line 2 "--gpu" "$percycle" kernels --gpu s3
