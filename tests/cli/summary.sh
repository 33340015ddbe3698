#!/bin/bash
# The summary at the end of a run is short and agrees with the models of three simulated devices.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
models=$source_dir/src/sim/models

for model in t4 v100 gcn; do
  echo "sim:$model"
  expect 0 "$percycle" run latency l1-bandwidth atomic-handover \
    --device "sim:$model" --set latency.path=global --set l1-bandwidth.width=16 --set max=16M --no-progress --out "$model.jsonl"
  python3 - "$models/$model.toml" stdout <<'PYTHON' || fail "the summary is: $(<stdout)"
import re, sys, tomllib
model = tomllib.load(open(sys.argv[1], "rb"))
text = open(sys.argv[2]).read()
lines = text.splitlines()
assert max(map(len, lines[:-2])) <= 80, "a line is too long"
assert "..." not in text, "something is cut"
scale = {"K": 2**10, "M": 2**20, "G": 2**30}
size = model["cache"][0]["size_bytes"]
size = int(size[:-1]) * scale[size[-1]] if isinstance(size, str) else size
found = re.search(r"\nL1 size +([\d.]+)(?:-([\d.]+))? (KiB|MiB)\n", text)
assert found, "no L1"
l1 = (float(found[1]) + float(found[2] or found[1])) / 2 * scale[found[3][0]]
assert abs(l1 / size - 1) < 0.06, f"an L1 of {l1} bytes instead of {size}"
wanted = model["cache"][0].get("bytes_per_cycle")
rate = re.search(r"\nL1, B/unit/cycle +([\d.]+)", text)
assert rate, "no bandwidth of the L1"
assert wanted is None or abs(float(rate[1]) / wanted - 1) < 0.02, f"{rate[1]} B per cycle instead of {wanted}"
flat = re.sub(r"\s+", " ", text)
assert re.search(r"unsupported \d+ points?: ", flat), "nothing is unsupported, though no model says what a hand-over takes"
assert "problems" not in flat
PYTHON

  echo "sim:$model, its shares of limits"
  # share LOAD: the summary with this limit of loads.
  share() {
    local name
    name=$(sed -n 's/^name = "\(.*\)"/Simulated \1/p' "$models/$model.toml" | head -n 1)
    cat >limits.toml <<TOML
[sources]
model = "the model"

[[device]]
name = "$name"
pattern = '^$name\$'
load = { value = $1, source = "model", quoted = "bytes_per_cycle" }
TOML
    expect 0 "$percycle" summary --limits limits.toml "$model.jsonl"
  }
  rate=$(sed -n '/name = "L1"/,/^$/s/^bytes_per_cycle = //p' "$models/$model.toml" | head -n 1)
  share "$rate"
  grep -qE '^L1, B/unit/cycle .* (9[89]|100) %$' stdout || fail "no share near 100 %: $(<stdout)"
  ! grep -q '^  warnings' stdout || fail "a warning without a reason: $(<stdout)"
  share "$((rate / 2))"
  grep -qE '^  warnings +[0-9]+ points?: suspect: ((19[6-9]|200) to )?(19[6-9]|200) % of the limit' stdout || fail "no warning of 200 %: $(<stdout)"
done

echo "two devices are two columns; with three, each has few lines below the table; published figures are no run"
expect 0 "$percycle" summary t4.jsonl v100.jsonl
[[ $(grep -c '^  hierarchy ' stdout) == 2 && $(grep '^units ' stdout | wc -w) == 3 ]] || fail "two devices: $(<stdout)"
expect 0 "$percycle" summary t4.jsonl v100.jsonl gcn.jsonl
[[ $(grep -c '^  hierarchy ' stdout) == 0 && $(grep '^units ' stdout | wc -w) == 4 ]] || fail "three devices: $(<stdout)"
expect_line 2 'these files hold no run, so there is nothing to sum up' "$percycle" summary "$source_dir/results/published/t4-report-table-4.2.jsonl"

echo "notes that explain a limit are no warnings"
kept nvidia-h100-rates
expect 0 "$percycle" show nvidia-h100-rates.jsonl.gz
grep -q 'multiply-adds (IMAD)' stdout || fail "no note on the integer additions"
expect 0 "$percycle" summary nvidia-h100-rates.jsonl.gz
! grep -q 'multiply-adds' stdout || fail "a note without a fault is a warning: $(<stdout)"

echo "the reasons of three points: two, and how many more"
python3 - <<'PYTHON' >reasons.jsonl
import json
records = [json.loads(line) for line in open("t4.jsonl")]
points = [record for record in records if record["kind"] == "point"][:3]
print(json.dumps(records[0]))
for number, point in enumerate(points):
    print(json.dumps({**{key: value for key, value in point.items() if key != "measurement"},
                      "outcome": {"status": "unsupported", "reason": f"reason {'abc'[number]} with {number + 7}"}}))
PYTHON
expect 0 "$percycle" summary reasons.jsonl
tr -s ' \n' ' ' <stdout | grep -q '3 points: reason a with 7 (1); reason b with 8 (1); 1 more reason next'  || fail "the reasons are: $(<stdout)"
sed 's/reason [bc]/reason a/' reasons.jsonl >numbers.jsonl
expect 0 "$percycle" summary numbers.jsonl
grep -q '3 points: reason a with 7 to 9 (3)$' stdout || fail "reasons that differ in a number are: $(<stdout)"

echo "a report with the run"
expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=local --no-progress --out r.jsonl --report r
[[ -f r/report.html ]] || fail "run --report left no report"

echo "the table as JSON, and the same at the end of a run with nothing else on stdout"
expect 0 "$percycle" summary --json t4.jsonl
cp stdout summary.json
expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=local --no-progress --json --out j.jsonl
python3 - summary.json stdout <<'PYTHON' || fail "see above"
import json, sys
table, run = (json.load(open(name)) for name in sys.argv[1:])
values = {(table["figures"][value["figure"]]["label"]): value for value in table["devices"][0]["values"]}
assert abs(values["L1 latency, cycles"]["value"] - 32) < 0.1, values["L1 latency, cycles"]
assert values["units"]["text"] == "40"
assert [figure["name"] for figure in run["figures"]] == ["units", "local latency"], run["figures"]
PYTHON
grep -q '^j.jsonl: ' stderr || fail "the file is not named: $(<stderr)"
expect_line 2 'both want stdout' "$percycle" run latency --device sim:t4 --json --out -
