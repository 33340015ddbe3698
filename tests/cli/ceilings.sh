#!/bin/bash
# The ceilings of a real card agree with its records and name them.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

kept nvidia-h100-{memory-clock-{opencl,vulkan},rates,intensity,intensity-ceilings}
records=(nvidia-h100-{memory-clock-{opencl,vulkan},rates}.jsonl.gz)

echo "each figure is the median of a point in the record it names"
expect 0 "$percycle" ceilings --json "${records[@]}"
python3 - stdout "${records[@]}" <<'PYTHON' || fail "the ceilings are: $(<stdout)"
import gzip, json, sys
medians = {}
for name in sys.argv[2:]:
    for line in map(json.loads, gzip.open(name)):
        for statistic, summary in (line.get("measurement") or {}).get("statistics", {}).items():
            medians.setdefault((name, line["header"], line["experiment"], statistic), set()).add(summary["median"])
devices = json.load(open(sys.argv[1]))["devices"]
assert [d["api"] for d in devices] == ["opencl", "opencl", "vulkan"], [d["api"] for d in devices]
levels = set()
for device in devices:
    assert device["units"]["value"] == 132 and device["architecture"] == "Hopper"
    for one in device["ceilings"]:
        levels.add(one["level"])
        statistic = "gb_per_s" if one["kind"] == "bandwidth" else "gops_per_s"
        key = (one["record"]["file"], one["record"]["run"], one["experiment"], statistic)
        assert one["figures"][statistic] in medians[key], one
        assert one["figures"]["clock_mhz"] > 0 and one["figures"]["clock"], one
assert levels == {"shared caches", "memory", "arithmetic"}, levels
PYTHON

echo "a sweep by intensity has its knees in text and JSON"
expect 0 "$percycle" ceilings --json nvidia-h100-intensity*.jsonl.gz
python3 - stdout <<'PYTHON' || fail "the knees are: $(<stdout)"
import json, sys
(device,) = json.load(open(sys.argv[1]))["devices"]
assert [knee["level"] for knee in device["knees"]] == ["l1", "l2", "dram"], device["knees"]
PYTHON
expect 0 "$percycle" ceilings nvidia-h100-intensity*.jsonl.gz
grep -qE '^  dram +20\.1 +20\.8 +92\.4 at 16 +91\.2 at 32$' stdout || fail "no knee of memory: $(<stdout)"

echo "a table, and an error if nothing is there"
expect 0 "$percycle" ceilings nvidia-h100-rates.jsonl.gz
grep -qE '^  arithmetic +fp32-fma ' stdout || fail "no FP32: $(<stdout)"
experiments='arithmetic-throughput, cache-bandwidth, dram-bandwidth, l1-bandwidth, local-bandwidth, matrix-throughput, transfer-bandwidth'
expect_line 2 ": $experiments" "$percycle" \
  ceilings "$source_dir/results/published/t4-report-table-4.2.jsonl"
