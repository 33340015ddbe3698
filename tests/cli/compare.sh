#!/bin/bash
# Comparisons of record files by users and CI: on simulated devices with known truth, and on the
# H200's records.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# simulate OUT MODEL OPTION...
simulate() {
  local out=$1 model=$2
  shift 2
  expect 0 "$percycle" run latency --device "sim:$model" --preset quick --set path=global --no-progress --out "$out" "$@"
}

echo "maps of one chip, and of two chips of one kind"
sed 's/^seed = 4$/seed = 5/' "$source_dir/src/sim/models/t4.toml" >other-chip.toml
! cmp -s other-chip.toml "$source_dir/src/sim/models/t4.toml" || fail "the chip's map has no seed of 4"
# map OUT MODEL SEED
map() { expect 0 "$percycle" run l2-map --device "sim:$2" --set access=load --seed "$3" --no-progress --out "$1"; }
map map.jsonl t4 1
map map-again.jsonl t4 2
map map-other.jsonl other-chip.toml 1
expect 0 "$percycle" compare --all map.jsonl map-again.jsonl
grep -q '^  A and B: the same card by load accesses, whose lines correlate at 1.000$' stdout || fail "one chip is not one: $(<stdout)"
expect 0 "$percycle" compare --all map.jsonl map-other.jsonl
grep -q '^  A and B: two cards by load accesses, whose lines correlate at 0[.]' stdout || fail "two chips are not two: $(<stdout)"
expect 0 "$percycle" compare --json map.jsonl map-other.jsonl
python3 -c 'import json
maps = json.load(open("stdout"))["maps"]
assert [map["same_card"] for map in maps] == ["no"] and maps[0]["correlation"] < 0.9, maps' || fail "the JSON has other maps"
expect 0 "$percycle" report map.jsonl --out map-report
[[ -s map-report/charts/chip-map-load-simulated-tesla-t4-simulated.vl.json ]] || fail "a report does not draw the map: $(ls map-report/charts)"

echo "a device whose L2 became slower"
sed 's/{ cache = "L2", latency_cycles = 188 }/{ cache = "L2", latency_cycles = 207 }/' "$source_dir/src/sim/models/t4.toml" >slow.toml
! cmp -s slow.toml "$source_dir/src/sim/models/t4.toml" || fail "the model has no L2 of 188 cycles"
simulate old.jsonl t4
simulate again.jsonl t4 --seed 2
simulate slow.jsonl slow.toml
expect 0 "$percycle" compare --all old.jsonl slow.jsonl
grep -q '^Simulated Tesla T4, sim: from model [0-9a-f]* (A) to model [0-9a-f]* (B)$' stdout || fail "no heading: $(<stdout)"
grep -Eq '^    footprint=1 MiB .* ns/op +\+10\.[01][0-9] +\+9\.[0-9]+ to \+1[01]\.[0-9]+ +worse$' stdout || fail "L2 is not 10 % slower: $(<stdout)"
grep -Eq '^  within 1 %: [0-9]+ of [0-9]+ points; median [+-][0-9.]+ %; largest \+10\.[0-9]+ % \(latency footprint=1 MiB form=pointer lanes=1$' stdout || fail "no overall line: $(<stdout)"
grep -q '^  simulated: no device was measured$' stdout || fail "not said to be simulated: $(<stdout)"
! grep -Eq 'footprint=[14] KiB .*worse' stdout || fail "L1 is slower, too: $(<stdout)"
grep -q '^  cache sizes: 2 too doubtful to compare$' stdout || fail "sizes of one point per octave are compared: $(<stdout)"
expect 0 "$percycle" compare --fail-above 11 old.jsonl slow.jsonl
expect_words 3 comparison.worse "$percycle" compare --fail-above 9.5 old.jsonl slow.jsonl
expect 0 "$percycle" compare --fail-above 0 slow.jsonl old.jsonl
expect_line 3 'got worse' "$percycle" compare --fail-above 9.5 --json old.jsonl slow.jsonl
python3 - stdout <<'PYTHON' || fail "the JSON is wrong"
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    comparison = json.load(file)
assert [side["source"] for side in comparison["sides"]] == ["simulated", "simulated"]
(pair,) = comparison["pairs"]
assert pair["kind"] == "states", pair["kind"]
verdicts = {point["parameters"]["footprint"]: point["verdict"] for point in pair["points"]}
assert verdicts[1024] == "noise" and verdicts[1048576] == "worse", verdicts
assert all(point["low_percent"] <= point["change_percent"] <= point["high_percent"] for point in pair["points"])
PYTHON
expect 0 "$percycle" compare --format markdown --all old.jsonl slow.jsonl
grep -q '^## Simulated Tesla T4, sim: from model ' stdout || fail "no Markdown: $(<stdout)"
grep -q '^| experiment | point | A | B | unit | change % | 95 % interval |  |$' stdout || fail "no table: $(<stdout)"

echo "the same device twice"
expect 0 "$percycle" compare --all --fail-above 0 old.jsonl again.jsonl
grep -Eq '^  [0-9]+ common points: 0 worse, 0 better, [0-9]+ noise$' stdout || fail "not all is noise: $(<stdout)"

echo "two devices, and a document"
simulate v100.jsonl v100
expect 0 "$percycle" compare --all old.jsonl v100.jsonl "$source_dir"/results/published/t4-report-table-3.[14].jsonl
grep -q '^  A  Simulated Tesla T4 (sim, model ' stdout || fail "no first side: $(<stdout)"
grep -q '^  C  T4 (NVIDIA), published in Jia, ' stdout && grep -q 'not measured by percycle:' stdout || fail "a document is not said to be one: $(<stdout)"
grep -q '^latency$' stdout || fail "no table of latencies: $(<stdout)"
grep -q '^cache-bandwidth$' stdout || fail "no table of the documents: $(<stdout)"
expect_words 2 comparison.no-device-twice "$percycle" compare --fail-above 5 old.jsonl v100.jsonl

echo "the H200 through two APIs"
kept nvidia-h200-{bandwidth,hierarchy}-{opencl,vulkan}
expect 0 "$percycle" compare --all nvidia-h200-bandwidth-{opencl,vulkan}.jsonl.gz
grep -q '^NVIDIA H200 through Vulkan (B) against OpenCL (A)$' stdout || fail "no heading: $(<stdout)"
grep -Eq '^  [0-9]+ common points: [0-9]+ worse, [0-9]+ better, [0-9]+ within 5 % or the noise$' stdout || fail "no count: $(<stdout)"

echo "a smaller L1 is one finding; the points at its edge are counted"
hierarchy=(nvidia-h200-hierarchy-{opencl,vulkan}.jsonl.gz)
expect 0 "$percycle" compare --all "${hierarchy[@]}"
awk 'length($0) > 120 { exit 1 }' stdout || fail "a line has more than 120 columns: $(<stdout)"
grep -Eq '^  size of L1, global, global-index, scalar: [0-9]+ KiB to [0-9]+ KiB, -[0-9]+ %, worse$' stdout || fail "no size of the L1: $(<stdout)"
edges=$(sed -En 's/^  ([0-9]+) points beside the edge of a cache differ as after a shift of the edge; --all --wide lists them$/\1/p' stdout)
test "${edges:-0}" -gt 20 || fail "no points at the edge of a cache: $(<stdout)"
test "$(grep -c '^    footprint=' stdout)" -lt 5 || fail "points at the edge of a cache stand among the changes: $(<stdout)"
expect 0 "$percycle" compare --all --wide "${hierarchy[@]}"
test "$(grep -c '  edge$' stdout)" = "$edges" || fail "--wide does not list the $edges points: $(<stdout)"
expect 0 "$percycle" compare --format markdown --all "${hierarchy[@]}"
test "$(grep -c '| edge |$' stdout)" = "$edges" || fail "Markdown does not hold the $edges points: $(<stdout)"

echo "--fail-above counts a smaller cache, though no point is worse"
awk '/^name = "L2"$/ { l2 = 1 } l2 && /^size_bytes = "4M"$/ { $3 = "\"2M\"" } l2 && /^ways = 16$/ { $3 = 8; l2 = 0 } { sub(/"4096K"/, "\"2048K\"") } 1' \
  "$source_dir/src/sim/models/t4.toml" >small.toml
for model in t4 small.toml; do
  expect 0 "$percycle" run latency geometry --device "sim:$model" --set path=global --set latency.max=16M --no-progress --out "caches-$model.jsonl"
done
expect 0 "$percycle" compare --all --fail-above 51 caches-t4.jsonl caches-small.toml.jsonl
grep -q '^  size of L2, global: 4 MiB to 2 MiB, -50 %, worse$' stdout || fail "the L2 did not shrink: $(<stdout)"
grep -q ' common points: 0 worse, ' stdout || fail "points are worse: $(<stdout)"
expect 3 "$percycle" compare --fail-above 49 caches-t4.jsonl caches-small.toml.jsonl
grep -q 'got worse by more than 49 %$' stderr || fail "no word of the smaller cache: $(<stderr)"

echo "an H200 before and after, whose two runs are of the same kind"
python3 - nvidia-h200-bandwidth-opencl.jsonl.gz <<'PYTHON'
import gzip
import json
import sys

seen = {}
for line in gzip.open(sys.argv[1], "rt", encoding="utf-8"):
    record = json.loads(line)
    if record["kind"] == "header":
        asked = json.dumps([record["options"]["experiments"], record["options"]["set"]])
        seen.setdefault(asked, []).append(record["id"])
which = {id: place for ids in seen.values() if len(ids) == 2 for place, id in enumerate(ids)}
with open("h200-0.jsonl", "w", encoding="utf-8") as first, open("h200-1.jsonl", "w", encoding="utf-8") as second:
    for line in gzip.open(sys.argv[1], "rt", encoding="utf-8"):
        record = json.loads(line)
        place = which.get(record.get("header", record.get("id")))
        if place is not None:
            (first, second)[place].write(line)
PYTHON
expect 0 "$percycle" compare --all --fail-above 0 h200-0.jsonl h200-1.jsonl
grep -q '^NVIDIA H200, opencl: from A to B$' stdout || fail "no heading: $(<stdout)"

echo "the first screen is one table"
expect 0 "$percycle" compare old.jsonl v100.jsonl "$source_dir"/results/published/{t4-report-table-3.[1-4],gpu-l1-article-*}.jsonl
(($(wc -l <stdout) <= 45)) || fail "the first screen has $(wc -l <stdout) lines"
(($(grep -v '^next' stdout | wc -L) <= 100)) || fail "the first screen has $(wc -L <stdout) columns"
grep -Eq '^L1 latency, cycles +32[?]? +28[?]?[*]? ' stdout || fail "no latency of the L1: $(<stdout)"
grep -Eq '^L1 size +' stdout && ! grep -q '^latency$' stdout || fail "the first screen is not the table: $(<stdout)"
words next.compare "$(tail -n 1 stdout)"
grep -Eq '^[0-9]+ more cards?: --wide$' stdout || fail "no word of the cards left out: $(<stdout)"
expect 0 "$percycle" compare --experiment latency old.jsonl v100.jsonl
grep -q '^L1 latency, cycles ' stdout && grep -q '^latency: ' stdout || fail "--experiment prints no points: $(<stdout)"
expect 0 "$percycle" compare --format csv old.jsonl v100.jsonl
python3 -c 'import csv
rows = list(csv.reader(open("stdout")))
assert len({len(row) for row in rows}) == 1 and rows[0][:3] == ["figure", "unit", "api"], rows[0]
latency = next(row for row in rows if row[0] == "L1 latency")
assert latency[1] == "cycles" and round(float(latency[3])) == 32 and round(float(latency[5])) == 28, latency' || fail "the CSV is: $(<stdout)"

echo "the table of kept records and documents"
ln -s "$source_dir/results/nvidia-h100-opencl.jsonl.gz" h100.jsonl.gz
ln -s "$source_dir/results/nvidia-h200-vulkan.jsonl.gz" h200.jsonl.gz
expect 0 "$percycle" compare --format csv h100.jsonl.gz h200.jsonl.gz "$source_dir"/results/published/gpu-l1-article-rdna2-*.jsonl
python3 -c 'import csv
rows = list(csv.reader(open("stdout")))
card = rows[0].index("RX 6900 XT (2023)")
shares = {(row[0], row[1]): row[card + 1] for row in rows if row[card + 1]}
assert abs(float(shares["texture path", "B/unit/cycle"]) - 96.8) < 0.1, shares
assert abs(float(shares["local memory", "B/unit/cycle"]) - 92.4) < 0.1, shares' || fail "the RX 6900 XT has no efficiency: $(<stdout)"

echo "no published figure stands beside one that answers another question"
expect 0 "$percycle" compare --json h100.jsonl.gz h200.jsonl.gz "$source_dir"/results/published/*.jsonl
python3 - stdout <<'PYTHON' || fail "joins are wrong"
import json
import sys

comparison = json.load(open(sys.argv[1], encoding="utf-8"))
published = {side["name"]: side["device"] for side in comparison["sides"] if side["source"] == "published"}
# Figures that may differ more, by experiment and card, with the reason.
listed = {
    ("scheduler-map", "T4"): "the document states the rate of one SM, a run that of the whole device",
    ("scheduler-map", "V100"): "the same",
    ("atomic-latency", "K80"): "Kepler locks a word of local memory and tries again, which contending lanes do one by one",
}
joined = 0
far = {}
for point in comparison["points"]:
    # Without optimization NVIDIA's OpenCL keeps every value in memory, and CUDA does not.
    if point["parameters"].get("optimization") == "O0":
        continue
    name = point["experiment"], json.dumps(point["parameters"], sort_keys=True)
    runs = [answer for answer in point["answers"] if answer["side"] not in published]
    documents = [answer for answer in point["answers"] if answer["side"] in published]
    if runs and documents:
        assert point["parameters"].get("test") != "units", f"a whole device beside some units: {name}"
        assert point["parameters"].get("form") not in ("strided", "chase"), f"a sweep beside a stride: {name}"
    for run in runs:
        for document in documents:
            for key in ("value", "bytes_per_unit_cycle", "cycles_per_op", "net_cycles_per_op"):
                # Rates of devices of all sizes are held against each other per unit and cycle.
                is_rate = key == "value" and "efficiency" in run and "bytes_per_unit_cycle" in document
                same = key != "value" or (run["metric"] == document["metric"] and not is_rate)
                if same and key in run and key in document:
                    joined += 1
                    ratio = run[key] / document[key]
                    if not 1 / 50 < ratio < 50:
                        far[point["experiment"], published[document["side"]]] = name, run[key], document[key]
assert far.keys() == listed.keys(), {card: far.get(card) for card in far.keys() ^ listed.keys()}
assert joined > 150, joined
rows = [point["parameters"] for point in comparison["points"] if "clock_setting" in point["parameters"] or "wgp_mode" in point["parameters"]]
assert len(rows) >= 3, rows
PYTHON

echo "nothing to compare is said in one line"
expect_line 2 'nothing to compare: these files have only one device through one API in one state' "$percycle" compare old.jsonl
expect_line 2 'holds the run' "$percycle" compare old.jsonl old.jsonl
expect 0 "$percycle" run atomic-latency --device sim:t4 --preset quick --no-progress --out atomics.jsonl
expect_line 2 'nothing to compare' "$percycle" compare slow.jsonl atomics.jsonl
expect_line 2 'cannot read nothing.jsonl' "$percycle" compare old.jsonl nothing.jsonl
expect_line 2 '--fail-above' "$percycle" compare --fail-above -1 old.jsonl slow.jsonl
expect_line 2 'excludes' "$percycle" compare --json --format markdown old.jsonl slow.jsonl
head -c -20 slow.jsonl >cut.jsonl
expect_line 0 'cut.jsonl:*: ' "$percycle" compare old.jsonl cut.jsonl
