#!/bin/bash
# `percycle doctor` checks the machine and every device; `run` keeps its checks in the header.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"
export XDG_CACHE_HOME=$work/cache
short=(run latency --api opencl --set path=global --set form=pointer --set max=1K --preset quick --no-progress --no-codegen)

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

echo "a run holds the latest doctor of its driver, and share keeps it"
expect 0 "$percycle" doctor --device opencl:0 --json
cp stdout doctor.json
expect 0 "$percycle" "${short[@]}" --device opencl:0 --out after.jsonl
expect 0 "$percycle" share after.jsonl -o shared.jsonl
expect 0 env XDG_CACHE_HOME="$work/empty" "$percycle" "${short[@]}" --device opencl:0 --out before.jsonl
python3 - doctor.json after.jsonl shared.jsonl before.jsonl <<'PY' || fail "the header of a run lacks the checks of doctor"
import json, re, sys
found = json.load(open(sys.argv[1]))
made = [check["name"] for device in found["devices"] if device["selector"] == "opencl:0" for check in device["checks"]]
made += [check["name"] for check in found["machine"] if check["name"] != "load"]
for path, expected in zip(sys.argv[2:], (made, made, [])):
    checks = json.loads(open(path).readline())["checks"]
    kept = [check for check in checks if "made" in check]
    assert [check["name"] for check in kept] == expected, (path, kept)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", check["made"]) for check in kept), kept
    assert "load" in [check["name"] for check in checks if "made" not in check], checks
PY

echo "a driver that contradicts the catalogue"
mkdir fewer
cp opencl.so fewer/libfaulty_card_96.so
echo "$work/fewer/libfaulty_card_96.so" >fewer/fewer.icd
fewer=(env REAL_OPENCL="$pocl" OCL_ICD_VENDORS="$work/fewer" POCL_MAX_PTHREAD_COUNT=1 "$percycle")
expect 0 "${fewer[@]}" devices
grep -q '^ *units *96 x SM, reported; 132 by the catalogue$' stdout || fail "devices says: $(<stdout)"
expect 0 "${fewer[@]}" doctor --device opencl:0
tr -s ' \n' ' ' <stdout >line
grep -q 'unit sources doubtful: contradiction: units 96 by OpenCL, 132 by the catalogue' line || fail "doctor says: $(<line)"
grep -q ' units [a-z]*: 96 by the driver, 132 by the catalogue' line || fail "doctor says: $(<line)"
expect 0 "${fewer[@]}" "${short[@]}" --out fewer.jsonl
grep -q '^  doubtful *unit sources: contradiction: units 96' stdout || fail "the summary says: $(<stdout)"
[[ $(head -n 1 fewer.jsonl) == *'"catalogue_units":132'* ]] || fail "the header lacks the units of the catalogue"

echo "a driver that never returns"
mkdir hangs
cp opencl.so hangs/libfaulty_run_hang.so
echo "$work/hangs/libfaulty_run_hang.so" >hangs/hangs.icd
expect 0 env PERCYCLE_PATIENCE=8 REAL_OPENCL="$pocl" OCL_ICD_VENDORS="$work/hangs" POCL_MAX_PTHREAD_COUNT=1 "$percycle" doctor --device opencl:0
grep -qE '^  (kernels|timer|subgroup size) +doubtful: not finished in 8 s$' stdout || fail "doctor says: $(<stdout)"
! grep crashed stdout || fail "doctor takes a time-out for a crash"

expect_line 2 'there is no device' "$percycle" doctor --device nonsense
