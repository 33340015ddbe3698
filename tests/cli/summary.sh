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
assert len(lines) <= 16, f"{len(lines)} lines"
assert max(map(len, lines[:-1])) <= 130, "a line is too long"
scale = {"K": 2**10, "M": 2**20, "G": 2**30}
size = model["cache"][0]["size_bytes"]
size = int(size[:-1]) * scale[size[-1]] if isinstance(size, str) else size
flat = re.sub(r"\s+", " ", text)
found = re.search(r"hierarchy (?:perhaps )?L1 (?:perhaps )?([\d.]+) (KiB|MiB)", flat)
assert found, "no L1"
l1 = float(found[1]) * scale[found[2][0]]
assert abs(l1 / size - 1) < 0.05, f"an L1 of {l1} bytes instead of {size}"
wanted = model["cache"][0].get("bytes_per_cycle")
rate = re.search(r"bandwidth L1 [\d.]+ [GT]B/s \(([\d.]+) B/\w+/cycle", flat)
assert rate, "no bandwidth of the L1"
assert wanted is None or abs(float(rate[1]) / wanted - 1) < 0.02, f"{rate[1]} B per cycle instead of {wanted}"
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
  tr -s ' \n' ' ' <stdout >flat
  grep -qE '/cycle, (9[89]\.[0-9]|100\.0) % of limit' flat || fail "no share near 100 %: $(<stdout)"
  ! grep -q '^  warnings' stdout || fail "a warning without a reason: $(<stdout)"
  share "$((rate / 2))"
  grep -qE '^  warnings +[0-9]+ points?: suspect: ((19[6-9]|200) to )?(19[6-9]|200) % of the limit' stdout || fail "no warning of 200 %: $(<stdout)"
done

echo "two devices take 30 lines at most, three eight more; published figures are no run"
expect 0 "$percycle" summary t4.jsonl v100.jsonl
(($(wc -l <stdout) <= 30)) || fail "two devices take $(wc -l <stdout) lines"
expect 0 "$percycle" summary t4.jsonl v100.jsonl gcn.jsonl
(($(wc -l <stdout) <= 38)) || fail "three devices take $(wc -l <stdout) lines"
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
grep -q '3 points: reason a with 7 (1); reason b with 8 (1); 1 more reason$' stdout || fail "the reasons are: $(<stdout)"
sed 's/reason [bc]/reason a/' reasons.jsonl >numbers.jsonl
expect 0 "$percycle" summary numbers.jsonl
grep -q '3 points: reason a with 7 to 9 (3)$' stdout || fail "reasons that differ in a number are: $(<stdout)"

echo "a report with the run"
expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=local --no-progress --out r.jsonl --report r
[[ -f r/report.html ]] || fail "run --report left no report"
