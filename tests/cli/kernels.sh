#!/bin/bash
# `percycle kernels`: every program of the experiments, as text, as JSON and as files for their
# compilers.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

expect 0 "$percycle" kernels --api opencl --gpu nvidia
grep -A1 '^opencl nvidia latency.FORM=FORM_POINTER.PATH=PATH_GLOBAL.group=32$' stdout |
  grep -q '^    timed: 31 x global load of 8 B; geometry, latency, tlb$' || fail "the accesses of a pointer chase are wrong"
# contract is a kernel of tests.
all=$(cd "$source_dir/shaders" && echo *.comp | sed 's/[.]comp//g; s/contract //')
for api in opencl vulkan; do
  expect 0 "$percycle" kernels --api "$api" --gpu nvidia
  [[ -z $(sed -nE 's/^[a-z]+ [a-z0-9]+ //p' stdout | sort | uniq -d) ]] || fail "$api: a program is listed twice"
  kernels=$(sed -nE 's/^[a-z]+ [a-z0-9]+ ([a-z0-9_]+)[.].*/\1/p' stdout | sort -u | tr '\n' ' ')
  [[ $kernels == "$all " ]] ||
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

echo "the hash of kernels ignores comments"
hash_of() {
  cmake -DOUTPUT=embedded.cpp -DFUNCTION=text -DHEADER=none.hpp "-DFILES=$PWD/some.cl" -P "$source_dir/src/embed.cmake"
  grep -o 'text_hash.*' embedded.cpp
}
printf 'int a;  // one\n\nint b;\n' >some.cl
before=$(hash_of)
printf '// Two.\n//\n// Three [; and a \\ backslash.\nint a;\nint b;  // four\n' >some.cl
[[ $(hash_of) == "$before" ]] || fail "another comment is another kernel"
printf 'int a;\nint c;\n' >some.cl
[[ $(hash_of) != "$before" ]] || fail "other code is the same kernel"
