#!/bin/bash
# `percycle doctor` checks the machine and every device; `run` keeps its checks in the header.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

echo "every device that this machine shows"
expect 0 "$percycle" devices --json
runnable_devices stdout | sort >devices.txt
expect 0 "$percycle" doctor --json
cp stdout doctor.json
python3 - devices.txt doctor.json <<'PY' || fail "doctor --json says: $(<doctor.json)"
import json, sys
found = json.load(open(sys.argv[2]))
assert [check["name"] for check in found["machine"]][0] == "load", found["machine"]
assert sorted(device["selector"] for device in found["devices"]) == open(sys.argv[1]).read().split()
for device in found["devices"]:
    names = [check["name"] for check in device["checks"]]
    for name in ("timer", "subgroup size", "units", "largest buffer", "telemetry", "clock"):
        assert name in names, (name, device)
    assert all(check["verdict"] in ("good", "doubtful", "missing") and check["text"] for check in device["checks"])
PY

echo "a driver that is missing"
expect 0 env VK_DRIVER_FILES=/nonexistent/driver.json VK_ICD_FILENAMES=/nonexistent/driver.json "$percycle" doctor
grep -q '^  drivers *missing: vulkan: ' stdout || fail "doctor does not name the missing driver: $(<stdout)"

echo "a driver that states twice the units"
sed 's/^units = 80/units = 80\nreported_units = 160/; s/^assumed = \[/assumed = ["reported_units", /' "$source_dir/src/sim/models/v100.toml" >wrong.toml
expect 0 "$percycle" doctor --device "sim:$work/wrong.toml"
grep -q '^  units *doubtful: 160 by the driver, but 80 by time' stdout || fail "doctor believes 160 units: $(<stdout)"
expect 0 "$percycle" run latency --set path=local --preset quick --device "sim:$work/wrong.toml" --no-progress --out wrong.jsonl
grep -q '^  doubtful *units: 160' stdout || fail "the summary does not name the wrong units: $(<stdout)"
python3 - wrong.jsonl <<'PY' || fail "the header of the run is wrong"
import json, sys
header = json.loads(open(sys.argv[1]).readline())
assert header["device"]["units"] == {"value": 80, "provenance": "measured-by-time"} and header["reported_units"] == 160, header
assert [check["verdict"] for check in header["checks"] if check["name"] == "units"] == ["doubtful"], header["checks"]
PY
expect 0 "$percycle" run --resume wrong.jsonl --no-progress

expect_line 2 'there is no device' "$percycle" doctor --device nonsense
