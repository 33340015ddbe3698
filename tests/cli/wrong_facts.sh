#!/bin/bash
# Drivers that work and state wrong facts: timers, clocks, limits of work-groups, subgroup sizes,
# the size of compiled code.
# Every point must be right or refused with the fault in words, and no figure may go by the fault.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"

opencl="none time_tenth time_later_tenth time_later_nine_tenths time_later_ten time_later_24 time_later_1ms time_later_16ms
  time_steps_63us time_slightly_slow time_fast time_41 time_steps_1ms time_steps_16ms time_early time_one
  group_64 group_128 group_288 kernel_64 clock_1 clock_tenfold clock_most subgroups_zero"
vulkan="none period_tenth period_fast time_equal group_128 subgroup_wide cache_incomplete"

# run_case API FAULT: a run on the faulty driver alone.
run_case() {
  local files=$work/$1.$2 status=0 codegen=--no-codegen
  [[ $2 != cache_incomplete ]] || codegen=
  mkdir -p "$files"
  cp "$1.so" "$files/libfaulty_$2.so"
  echo "$files/libfaulty_$2.so" >"$files/driver.icd"
  echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$files/libfaulty_$2.so\", \"api_version\": \"1.3.0\"}}" >"$files/driver.json"
  env REAL_OPENCL="$pocl" REAL_VULKAN="$lavapipe" OCL_ICD_VENDORS="$files/driver.icd" VK_DRIVER_FILES="$files/driver.json" \
    VK_ICD_FILENAMES="$files/driver.json" POCL_MAX_PTHREAD_COUNT=1 \
    timeout -k 5 120 "$percycle" run latency --api "$1" --preset quick --no-progress $codegen --set path=global --set form=pointer \
    --set max=2K --out "$1.$2.jsonl" >/dev/null 2>"$1.$2.txt" </dev/null || status=$?
  echo "$status" >"$1.$2.status"
}
export -f run_case
export work percycle pocl pocl_manifest lavapipe
{ printf 'opencl %s\n' $opencl; printf 'vulkan %s\n' $vulkan; } | xargs -P 2 -L 1 bash -c 'run_case "$@"' -

cat >check.py <<'PY'
import json, sys

def wrong(case):
    api, fault = case.split(".")
    records = [json.loads(line) for line in open(case + ".jsonl")]
    device = records[0]["device"]
    points = [record for record in records if record["kind"] == "point"]
    if not points or any(point["outcome"]["status"] != "ok" for point in points):
        return f"not all points are ok: {[point['outcome'] for point in points]}"
    def says(point, word):
        return any(word in text for text in point["measurement"].get("warnings", []))
    # On a busy host percycle may say that it could not compare the timer.
    by_timer = [point for point in points
                if point["measurement"]["time_source"] == "device timer" and not says(point, "could not be compared")]
    warned = [point for point in points if says(point, "timer")]
    wrong_timer = fault.startswith(("time_", "period_"))
    if fault.startswith("time_later"):  # right at first
        return "the last point goes by the wrong timer" if points[-1] in by_timer else None
    if wrong_timer and by_timer:
        return f"{len(by_timer)} of {len(points)} points go by the wrong timer"
    if wrong_timer and len(warned) != len(points):
        return f"{len(points) - len(warned)} points do not name the timer"
    blamed = [point["measurement"]["warnings"] for point in warned if not says(point, "could not be compared")]
    if fault == "none" and blamed:
        return f"a sound timer is blamed: {blamed[0]}"
    if fault.startswith("clock_") and "clock_mhz" in device:
        return f"the clock {device['clock_mhz']} is believed"
    if fault == "subgroups_zero" and (0 in device["subgroup_sizes"] or 3 in device["subgroup_sizes"]):
        return f"subgroups of {device['subgroup_sizes']}"
    lanes = [text for point in points for text in point["measurement"].get("warnings", []) if "subgroups" in text]
    if (fault == "subgroup_wide") != (len(lanes) == len(points)) or (fault != "subgroup_wide" and lanes):
        return f"warnings of {len(points)} points about subgroups: {lanes}"
    return None

def names_rate(case):
    return any("times the host's rate" in line for line in open(case + ".jsonl"))

failed = {case: text for case in sys.argv[1:] if (text := wrong(case))}
for case, text in failed.items():
    print(f"{case}: {text}", file=sys.stderr)
# Doubts alone would let a check pass that compares nothing.
if not any(map(names_rate, sys.argv[1:])):
    failed["all"] = "no case names the rate of its timer"
    print(failed["all"], file=sys.stderr)
print(f"{len(sys.argv) - 1} wrong facts")
sys.exit(bool(failed))
PY
# shellcheck disable=SC2046 # fault names have no blanks
python3 check.py $(printf 'opencl.%s ' $opencl) $(printf 'vulkan.%s ' $vulkan) || fail "a wrong fact was believed"
