#!/bin/bash
# Bandwidth as a user sees it, on a simulated device: measured, and shown beside the limit that the user gives. No driver is asked.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# says TEXT: stdout has it (a bash pattern).
says() {
  # shellcheck disable=SC2053
  [[ $(<stdout) == *$1* ]] || fail "does not say '$1': $(<stdout)"
}

expect 0 "$percycle" run l1-bandwidth local-bandwidth --device sim:t4 --preset quick --no-progress --set width=16 --set form=sweep --out t4.jsonl

echo "a simulated device has no limits but the user's"
expect 0 "$percycle" show t4.jsonl
says 'GB/s*B/unit/cycle*limit GB/s*limit B/unit/cycle*% of limit*clock MHz'
says $'\n  global *unknown *unknown *unknown'

echo "a file of one's own: each path against its figure, what is over it suspect"
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

echo "a bad file is one line"
expect_line 2 'cannot read none.toml: No such file' "$percycle" show --limits none.toml t4.jsonl
[[ ! -s stdout ]] || fail "prints tables without the limits asked for: $(<stdout)"

echo "a device that throttles under load: telemetry is kept, the clock that ran is used, and its fall shows"
sed 's/^\[clock\]$/[clock]\nthrottled_mhz = 795\nthrottle_after_ms = 80/' "$source_dir/src/device/sim/models/t4.toml" >throttles.toml
expect 0 "$percycle" run l1-bandwidth --device sim:throttles.toml --preset quick --no-progress --set path=global --out throttles.jsonl
grep -q '"telemetry":\[{"clock_mhz":[0-9.]*,"ns":0' throttles.jsonl || fail "the records hold no telemetry"
grep -q '"clocks_mhz":\[{"provenance":"measured-in-kernel".*{"provenance":"telemetry","value":795' throttles.jsonl || fail "telemetry does not know of the lower clock"
expect 0 "$percycle" validate throttles.jsonl
expect 0 "$percycle" show throttles.jsonl
says $'\nclocks that ran\n  experiment    lowest MHz  highest MHz  % below the highest\n  l1-bandwidth         795         1590                 50.0\n'
