#!/bin/bash
# `percycle isa`: the compiled code of a kernel, on a compile-only device, on others, and on a
# device that shows no code.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# Other tests make temporary folders at the same time.
mkdir temporary
export TMPDIR=$PWD/temporary

expect_words 2 isa.simulated "$percycle" isa latency --device sim:t4
expect_line 2 "KERNEL" "$percycle" isa

# RADV compiles for an absent card: it is listed and compiled for, not run on.
radv=/usr/share/vulkan/icd.d/radeon_icd.x86_64.json
[[ -e $radv ]] || skip "RADV is not installed"
null=(env "VK_DRIVER_FILES=$radv" "VK_ICD_FILENAMES=$radv" RADV_FORCE_FAMILY=navi21)
expect 0 "${null[@]}" "$percycle" devices
grep -q 'cannot run .*compiling only' stdout || fail "the null device is listed"
expect_line 2 "'vulkan:0' cannot run" "${null[@]}" "$percycle" run latency --device vulkan:0 --out none.jsonl
[[ ! -e none.jsonl ]] || fail "no file of a run that cannot be"

# Without local memory in addition to the walk.
pointer=(--define FORM=FORM_POINTER --define PATH=PATH_GLOBAL --define DECLARED_WORDS=)
expect 0 "${null[@]}" "$percycle" isa latency --device vulkan:0 "${pointer[@]}" --out code
grep -qE '^ +loop +31 x vector load of 8 B, .*operations to an access$' stdout || fail "the loop of a pointer chase is wrong: $(grep loop stdout)"
grep -q '^[[:space:]]*global_load_dwordx2 ' stdout || fail "one program's code is printed"
grep -q '^[[:space:]]*global_load_dwordx2 ' code/vulkan-0.latency.*.assembly || fail "the code's file"

expect 0 "${null[@]}" "$percycle" isa latency --device vulkan:0 --json
python3 - <<'PYTHON' || fail "the programs as JSON"
import json
programs = json.load(open("stdout"))["programs"]
assert len(programs) > 10 and all(p["kernel"] == "latency" for p in programs)
for p in programs:
    assert p["role"] in ("timed", "control") and p["codegen"]["form"] == "Assembly", p
    assert p["codegen"]["registers"] > 0 and p["statistics"]["Code size"] > 0, p
    assert not p["missing"], p
    loaded = sum(a["bytes"] * a["count"] for a in p["codegen"]["loop"]["accesses"] if a["kind"] == "load")
    for access in p["turn"]:
        assert loaded >= access["bytes"] * access["count"], p
    assert not p["warnings"], p
PYTHON

expect_line 2 "FORM: " "${null[@]}" "$percycle" isa latency --device vulkan:0 --define FORM=FORM_NONE
expect_line 2 "has no timed kernel 'latencies' (it has: " "${null[@]}" "$percycle" isa latencies --device vulkan:0
expect_line 2 "--define FORM: expected NAME=VALUE" "${null[@]}" "$percycle" isa latency --device vulkan:0 --define FORM
touch file
expect_line 2 "--out: file/folder cannot be made" "${null[@]}" "$percycle" isa latency --device vulkan:0 --out file/folder

# CPU drivers show nothing countable; the reason appears in its place.
for api in opencl vulkan; do
  has_device "$api" || skip "no $api device"
  expect 0 "$percycle" isa dram_bandwidth --api "$api"
  programs=$(grep -c '^dram_bandwidth' stdout)
  reasons=$(grep -cE '^    missing ' stdout)
  ((programs > 0 && reasons == programs)) || fail "$programs programs and $reasons reasons on $api"
done
[[ -z $(find "$TMPDIR" -maxdepth 1 -name 'percycle-??????') ]] || fail "temporary folders are left"
