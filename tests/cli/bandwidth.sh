#!/bin/bash
# Bandwidth for a user, on a simulated device: measured, and shown with the user's limit. No driver
# is used.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# says TEXT: checks that stdout contains it (a bash pattern).
says() {
  # shellcheck disable=SC2053
  [[ $(<stdout) == *$1* ]] || fail "does not say '$1': $(<stdout)"
}

expect 0 "$percycle" run l1-bandwidth local-bandwidth --device sim:t4 --preset quick --no-progress --set width=16 --set form=sweep --out t4.jsonl

echo "a simulated device has no limits but the user's"
expect 0 "$percycle" show --wide t4.jsonl
says $'\nl1-bandwidth: *unknown: limit GB/s, limit B/SM/cycle, % of limit, limit\n'

echo "your own limits: each path against its figure, higher rates are suspect"
cat >mine.toml <<'TOML'
[sources]
model = "the model"

[[device]]
name = "Simulated Tesla T4"
pattern = '^Simulated Tesla T4$'
load = { value = 64, source = "model", quoted = "bytes_per_cycle = 64" }
local = { value = 32, source = "model", quoted = "half of what it is" }
TOML
expect 0 "$percycle" show --limits mine.toml t4.jsonl
says $'\n  global * 64.00 * 100.00 '
says $'\n  texture *unknown *unknown *unknown'
says $'\nlocal-bandwidth: * 32.00 * 200.00 *?1?'
says $'\n  ?1? suspect: 200 % of the limit: a wrong limit or elided work\n'

echo "the same card through both APIs: differences of the kernels are named, in one file or two"
h200=nvidia-h200-bandwidth
kept "$h200"-{opencl,vulkan}
expect 0 "$percycle" show "$h200-opencl.jsonl.gz" "$h200-vulkan.jsonl.gz"
[[ $(<stdout) != *'APIs differ'* ]] || fail "names a difference where there is none: $(tail -n 3 stdout)"
gunzip -c "$h200-vulkan.jsonl.gz" | sed 's/"subgroup_size":"32"/"subgroup_size":"16"/' | gzip >narrow.jsonl.gz
expect 0 "$percycle" show "$h200-opencl.jsonl.gz" narrow.jsonl.gz
says $'\nthe APIs differ on NVIDIA H200: subgroup_size of l1-bandwidth is 32 through OpenCL, 16 through Vulkan (12 questions)\n'
cat "$h200-opencl.jsonl.gz" narrow.jsonl.gz >both.jsonl.gz
expect 0 "$percycle" show both.jsonl.gz
says 'subgroup_size of local-bandwidth is 32 through OpenCL, 16 through Vulkan'
expect 0 "$percycle" show "$h200-opencl.jsonl.gz"
[[ $(<stdout) != *'APIs differ'* ]] || fail "names a difference of one API"

echo "memory: bytes of a unit's cycle beside the bus's"
expect 0 "$percycle" show --wide "$h200-vulkan.jsonl.gz"
says $'\ndram-bandwidth: *limit GB/s: 4800, limit B/SM/cycle: 18.37, *clock: telemetry*B/SM/cycle*\n  read      16 * 4620 * 17.68       96.24\n'

echo "a size with which nothing can be measured is refused, one that no buffer holds is unsupported"
expect_line 2 footprint=1 "$percycle" run dram-bandwidth --device sim:t4 --set footprint=1
expect_line 2 width=4,auto "$percycle" run dram-bandwidth --device sim:t4 --set width=4,auto
expect_line 2 footprint=0 "$percycle" run dram-bandwidth --device sim:t4 --set footprint=0
expect_line 2 footprint=1 "$percycle" run l1-bandwidth --device sim:t4 --set footprint=1
expect_line 2 units_footprint=1 "$percycle" run cache-bandwidth --device sim:t4 --set units_footprint=1
expect_line 2 max_footprint=1 "$percycle" run cache-bandwidth --device sim:t4 --set max_footprint=1
expect_line 2 max_footprint=1 "$percycle" run transfer-bandwidth --device sim:t4 --set max_footprint=1
expect 0 "$percycle" run dram-bandwidth --device sim:t4 --no-progress --set footprint=900G --set op=read --out large.jsonl
expect 0 "$percycle" show large.jsonl
says 'unsupported: a buffer holds at most '

echo "a bad file is one line"
expect_line 2 none.toml "$percycle" show --limits none.toml t4.jsonl
[[ ! -s stdout ]] || fail "prints tables without the limits asked for: $(<stdout)"

echo "a device that throttles under load: telemetry is kept, the clock that ran is used, and its fall shows"
sed 's/^\[clock\]$/[clock]\nthrottled_mhz = 795\nthrottle_after_ms = 80/' "$source_dir/src/sim/models/t4.toml" >throttles.toml
expect 0 "$percycle" run l1-bandwidth --device sim:throttles.toml --preset quick --no-progress --set path=global --out throttles.jsonl
grep -q '"telemetry":\[{"clock_mhz":[0-9.]*,"ns":0' throttles.jsonl || fail "the records hold no telemetry"
grep -q '"clocks_mhz":\[{"provenance":"measured-in-kernel".*{"provenance":"telemetry","value":795' throttles.jsonl || fail "telemetry does not know of the lower clock"
expect 0 "$percycle" validate throttles.jsonl
expect 0 "$percycle" show throttles.jsonl
says $'\nmeasured clocks\n  experiment    lowest MHz  highest MHz  % below the highest\n  l1-bandwidth         795         1590                 50.0\n'
