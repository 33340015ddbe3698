#!/bin/bash
# percycle-vkfft measures Fourier transforms through both APIs, every one right; percycle reads its
# records like its own.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
vkfft=$build_dir/src/percycle-vkfft
[[ -x $vkfft ]] || skip_anywhere "libvkfft-dev was not installed when percycle was built"
need_device opencl
need_device vulkan
need_command python3

expect 0 "$vkfft" run fft --device sim:t4 --no-progress --out model.jsonl
grep -q 'for simulated devices' model.jsonl || fail "a model transforms: $(<model.jsonl)"
for api in opencl vulkan; do
  device=$(runnable_devices devices.json | grep -m1 "^$api:")
  expect 0 "$vkfft" run fft --preset quick --device "$device" --no-progress --out "$api.jsonl"
  expect 0 "$percycle" validate "$api.jsonl"
  python3 - "$api.jsonl" <<'P' || fail "not every transform is right on $device: $(<"$api.jsonl")"
import json, sys
points = [record for record in map(json.loads, open(sys.argv[1])) if record.get("kind") == "point"]
assert {(p["parameters"]["length"], p["parameters"]["level"]) for p in points} >= {(256, "l2"), (256, "dram"), (4096, "dram"), (1048576, "dram")}
for point in points:
    assert point["outcome"]["status"] == "ok", point["outcome"]
    measurement = point["measurement"]
    assert measurement["verified_samples"] == len(measurement["samples"]) > 0, measurement
    points_of_all = point["parameters"]["length"] * point["parameters"]["batches"]
    assert measurement["work"]["bytes_per_op"] == 16 * points_of_all, measurement["work"]
    rate, bytes_ = (measurement["statistics"][name]["median"] for name in ("gops_per_s", "gb_per_s"))
    assert abs(bytes_ / rate - 16) < 1e-6, (rate, bytes_)
P
done

expect 0 "$percycle" show opencl.jsonl vulkan.jsonl
grep -q '^fft: ' stdout || fail "show has no table of the transforms: $(<stdout)"
device=$(runnable_devices devices.json | grep -m1 '^opencl:')
expect 0 "$percycle" run dram-bandwidth cache-bandwidth --preset quick --device "$device" --no-progress --set op=read --out bandwidths.jsonl
expect 0 "$percycle" run arithmetic-throughput --preset quick --device "$device" --no-progress --set operation=fp32-fma --out rates.jsonl
expect 0 "$percycle" ceilings opencl.jsonl bandwidths.jsonl rates.jsonl
grep -Eq '^  Fourier transforms by VkFFT +.*1048576.* 100 .* [0-9.]+$' stdout || fail "no share of a ceiling: $(<stdout)"
