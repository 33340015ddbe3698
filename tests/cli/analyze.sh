#!/bin/bash
# percycle analyze for a user, on simulated devices: their truth is known, and no driver is used.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# latency [ARGUMENT of run...]: a sweep of a fraction of a second.
latency() {
  "$percycle" run latency --no-progress --set path=global "$@"
}

# says TEXT: checks that stdout contains it (a bash pattern).
says() {
  # shellcheck disable=SC2053
  [[ $(<stdout) == *$1* ]] || fail "does not say '$1': $(head -n 20 stdout)"
}

expect 0 "$percycle" run latency geometry tlb private-caches --device sim:t4 --no-progress --out t4.jsonl
expect 0 latency --device sim:t4 --preset quick --seed 2 --out t4-again.jsonl
expect 0 latency --device sim:gcn --preset quick --out gcn.jsonl

echo "the text names the device, its driver and the findings"
expect 0 "$percycle" analyze t4.jsonl
[[ ! -s stderr ]] || fail "says: $(<stderr)"
says $'Simulated Tesla T4 (sim, driver model *), * points of 1 run: simulated, not a measurement\nL1 32 KiB, 128 B lines, 64-way, 32.0 cycles; L2 4 MiB, *first TLB*reach 32 MiB'
says $'\nLevels\n'
says $'\nTranslation\n'
says $'\nPrivate copies\n'
says $'\nEvidence\n'

echo "the JSON has the documented fields, and the model's values"
expect 0 "$percycle" analyze --json t4.jsonl
cp stdout t4.json
python3 - <<'PYTHON' || fail "see above"
import json

with open("t4.json", encoding="utf-8") as file:
    (found,) = [json.loads(line) for line in file]
assert (found["device"], found["api"], found["source"]) == ("Simulated Tesla T4", "sim", "simulated"), found["device"]
assert found["runs"] == 1 and found["points"] > 500, found["points"]

always = {"path", "name", "size_bytes", "size_low", "size_high", "latency_ns", "confidence", "latency_confidence", "evidence"}
known = always | {"latency_cycles", "line_bytes", "sector_bytes", "ways", "sets", "replacement", "line_confidence", "sector_confidence", "ways_confidence"}
for level in found["levels"]:
    assert always <= level.keys() <= known, level.keys()
    assert level["size_low"] <= level["size_bytes"] <= level["size_high"], level
    assert level["evidence"], level
    for figure, confidence in (("size_bytes", "confidence"), ("latency_ns", "latency_confidence"), ("line_bytes", "line_confidence"),
                               ("sector_bytes", "sector_confidence"), ("ways", "ways_confidence")):
        assert (figure in level) == (confidence in level) and 0 < level.get(confidence, 1) <= 1, level
for tlb in found["tlbs"]:
    assert tlb.keys() == {"path", "reach_bytes", "page_bytes", "penalty_cycles", "penalty_ns", "confidence", "page_confidence", "penalty_confidence", "evidence"}, tlb
for copies in found["private_copies"]:
    assert copies.keys() == {"path", "per_unit", "confidence", "evidence"}, copies

# src/sim/models/t4.toml
first, second = [level for level in found["levels"] if level["path"] == "global"]
exact = ("name", "size_bytes", "line_bytes", "sector_bytes", "ways", "sets")
assert [first[key] for key in exact] == ["L1", 32 << 10, 128, 32, 64, 4], first
assert [second[key] for key in exact] == ["L2", 4 << 20, 64, 64, 16, 4096], second
assert second["replacement"] == "lru", second
assert abs(first["latency_cycles"] - 32) < 0.5 and abs(second["latency_cycles"] - 188) < 1, (first, second)
assert [(tlb["reach_bytes"], tlb["page_bytes"]) for tlb in found["tlbs"]] == [(32 << 20, 2 << 20), (8 << 30, 32 << 20)], found["tlbs"]
assert {copies["path"]: copies["per_unit"] for copies in found["private_copies"]} == {"global-index": 1, "texture": 1}
PYTHON

echo "files of one device count together, devices apart"
# counts: "DEVICE: RUNS runs, POINTS points" of each object on stdout.
counts() {
  python3 -c '
import json, sys
for line in sys.stdin:
    found = json.loads(line)
    print("%s: %d runs, %d points" % (found["device"], found["runs"], found["points"]))' <stdout
}
points() { grep -c '"kind":"point"' "$1"; }
expect 0 "$percycle" analyze --json t4.jsonl gcn.jsonl t4-again.jsonl
[[ $(counts) == "Simulated Tesla T4: 2 runs, $(($(points t4.jsonl) + $(points t4-again.jsonl))) points
Simulated"*": 1 runs, $(points gcn.jsonl) points" ]] || fail "counts: $(counts)"
expect 0 "$percycle" analyze t4.jsonl gcn.jsonl
(($(grep -c 'of 1 run: simulated, not a measurement$' stdout) == 2)) || fail "not two devices: $(grep simulated stdout)"

echo "bad input is one line with fault and place"
: >empty.jsonl
echo 'hello' >text.jsonl
{ head -n 3 gcn.jsonl && echo '{"kind":"point"}'; } >damaged.jsonl
head -n 1 gcn.jsonl | sed 's/"schema":1/"schema":2/' >newer.jsonl
expect_words 2 read.no-file "$percycle" analyze none.jsonl
expect_words 2 read.folder "$percycle" analyze .
expect_words 2 read.empty-file "$percycle" analyze empty.jsonl
expect_line 2 'text.jsonl:1: ' "$percycle" analyze text.jsonl
expect_words 2 read.missing-header "$percycle" analyze damaged.jsonl
expect_words 2 read.newer "$percycle" analyze newer.jsonl
expect_line 2 'text.jsonl:1: ' "$percycle" analyze --json gcn.jsonl text.jsonl
[[ ! -s stdout ]] || fail "half an analysis of bad input: $(<stdout)"

echo "a line cut by a crash is told and ignored"
head -c -1 gcn.jsonl >cut.jsonl
expect_line 0 "cut.jsonl:$(wc -l <gcn.jsonl): " "$percycle" analyze cut.jsonl
says ", $(($(points gcn.jsonl) - 1)) points of 1 run"

echo "nothing to analyze is said"
head -n 1 gcn.jsonl >header.jsonl
expect 0 "$percycle" analyze header.jsonl
says $'0 points of 1 run: simulated, not a measurement\nCaches were not measured: the record has no latency curve'
expect 0 "$percycle" run latency --set path=local --preset quick --device sim:gcn --no-progress --out flat.jsonl
expect 0 "$percycle" analyze flat.jsonl
says $'simulated, not a measurement\nNo cache level was found.'
head -c 100 gcn.jsonl >nothing.jsonl
expect 2 "$percycle" analyze nothing.jsonl
[[ $(<stderr) == *'nothing to analyze'* ]] || fail "says: $(<stderr)"

echo "a pipe is a file, too"
expect 0 "$percycle" analyze gcn.jsonl
grep -v "^next: " stdout >file.txt
expect 0 bash -c 'cat gcn.jsonl | "$1" analyze /dev/stdin' - "$percycle"
grep -v "^next: " stdout | cmp - file.txt || fail "a pipe is read otherwise than a file"

echo "100 000 points"
python3 - <<'PYTHON'
import json

# Runs of the sweep without common footprints.
with open("t4-again.jsonl", encoding="utf-8") as file:
    header, *lines = [json.loads(line) for line in file]
sweep = [line for line in lines if line["kind"] == "point" and line["outcome"]["status"] == "ok"]
left = 100000
with open("many.jsonl", "w", encoding="utf-8") as file:
    for run in range(1, left):
        header["id"] = "%016x" % run
        print(json.dumps(header), file=file)
        for point in sweep[:left]:
            point["header"] = header["id"]
            point["parameters"]["footprint"] += 1
            print(json.dumps(point), file=file)
        left -= len(sweep[:left])
        if not left:
            break
PYTHON
# Three to ten seconds of one core. A step with the square of the number of points takes minutes and
# is killed (status 137 or 152).
expect 0 bash -c 'ulimit -t 60 && exec "$@"' - "$percycle" analyze many.jsonl
says 'Simulated Tesla T4 (sim, driver model *), 100000 points of '
