#!/bin/bash
# A toy experiment, one .cpp and one kernel pair in this binary only, appears beside all others in
# every command (tests/toy/). The build has compiled its kernels (percycle_toy_kernels_checked).
source "$(dirname -- "${BASH_SOURCE[0]}")/../cli/common.sh"

expect 0 "$percycle" list
grep -qE '^toy +load bandwidth: GB/s$' stdout || fail "list does not name the toy"
expect 0 "$percycle" list --json
python3 - stdout <<'P' || fail "list --json says otherwise of the toy"
import json, sys
toy = [e for e in json.load(open(sys.argv[1]))["experiments"] if e["name"] == "toy"][0]
assert toy["operation"] == "load" and toy["question"].endswith("?") and toy["parameters"][0]["name"] == "direction", toy
P

for api in opencl vulkan; do
  expect 0 "$percycle" kernels --api "$api" --gpu nvidia --json
  python3 - stdout <<'P' || fail "kernels --api $api does not list the toy's two programs"
import json, sys
toys = [k for k in json.load(open(sys.argv[1]))["kernels"] if k["experiments"] == ["toy"]]
assert len(toys) == 2, toys
P
done

# Without an emulation of its kernel, a simulated device does not support it and gives the reason.
expect 0 "$percycle" run toy --device sim:t4 --no-progress --out sim.jsonl
expect 0 "$percycle" validate sim.jsonl
expect 0 "$percycle" show sim.jsonl
tr -s ' \n' ' ' <stdout | grep -q "unsupported: .*kernel 'toy'" || fail "show does not say why a simulated device cannot do the toy"
grep -q '4 points: .*4 unsupported' stdout || fail "not all points of the toy are unsupported on a simulated device"

need_device opencl
need_device vulkan
cat >mine.toml <<'P'
[sources]
test = "this test"

[[device]]
name = "any"
pattern = "."
memory_gb_s = { value = 5000, source = "test", quoted = "more than any CPU's" }
P
for api in opencl vulkan; do
  device=$(runnable_devices devices.json | grep -m1 "^$api:")
  expect 0 "$percycle" run toy --device "$device" --no-progress --out "$api.jsonl"
  expect 0 "$percycle" validate "$api.jsonl"
  python3 - "$api.jsonl" <<'P' || fail "not every point of the toy is ok and verified on $device"
import json, sys
points = [record for record in map(json.loads, open(sys.argv[1])) if record.get("kind") == "point"]
assert len(points) == 4, len(points)
for point in points:
    assert point["experiment"] == "toy" and point["outcome"]["status"] == "ok", point
    measurement = point["measurement"]
    assert measurement["verified_samples"] == len(measurement["samples"]) > 0, measurement
P
  expect 0 "$percycle" show --limits mine.toml "$api.jsonl"
  grep -q '^toy: group_size=32' stdout || fail "show has no table of the toy: $(<stdout)"
  grep -q 'GB/s.*limit GB/s.*% of limit' stdout || fail "the toy is not held against a limit: $(<stdout)"
  grep -Eq '^  up +4 KiB .* 5000 .* user' stdout || fail "the limit of the toy is not the user's: $(<stdout)"
  grep -Eq '^  down +4 KiB .* unknown' stdout || fail "the toy's rule of limits is not kept: $(<stdout)"
done

expect 0 "$percycle" compare --all opencl.jsonl vulkan.jsonl
grep -q '^  toy$' stdout && grep -Eq '^    direction=down footprint=4 KiB ' stdout || fail "compare says nothing of the toy: $(<stdout)"

expect 0 "$percycle" report --limits mine.toml --out report opencl.jsonl vulkan.jsonl
[[ -s report/charts/toy-footprint-cpu.vl.json ]] || fail "there is no chart of the toy: $(ls report/charts)"
grep -q 'The host knows the sum and checks each of them' report/report.html || fail "the report does not say how the toy measures"
grep -q 'Toy bandwidth' report/report.html || fail "the report has no section of the toy"
ls report/tables/*-toy.csv >/dev/null || fail "there is no table of the toy: $(ls report/tables)"
