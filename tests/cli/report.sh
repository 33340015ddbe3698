#!/bin/bash
# Reports as a user sees them: what is written, bad input, strings that try to be more than text, and how large it may get.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
results=$source_dir/results

echo "what is written"
expect 0 "$percycle" report "$results"/nvidia-h200-bandwidth-opencl-20261122.jsonl "$results"/published/t4-report-table-4.2.jsonl -o out/of/it
[[ $(<stdout) == 'out/of/it/report.html: '*' points of 7 devices from 2 files' ]] || fail "says: $(<stdout)"
for file in report.html report.json tables/nvidia-h200-opencl-l1-bandwidth.{csv,md} tables/nvidia-h200-opencl-efficiency.{csv,md} charts/l1-bandwidth-bars.vl.json \
  tables/t4-published-2019-atomic-latency.csv; do
  [[ -s out/of/it/$file ]] || fail "no $file: $(find out | sort)"
done
points=$(grep -c '"experiment":"l1-bandwidth".*"kind":"point"' "$results"/nvidia-h200-bandwidth-opencl-20261122.jsonl)
(($(wc -l <out/of/it/tables/nvidia-h200-opencl-l1-bandwidth.csv) == points + 1)) || fail "the CSV does not have all $points points"
python3 - "$points" <<'PYTHON' || fail "report.json"
import json
import sys

report = json.load(open("out/of/it/report.json", encoding="utf-8"))
assert report["schema"] == 1 and len(report["devices"]) == 7
card = report["devices"][0]
assert card["label"] == "NVIDIA H200, OpenCL" and card["source"] == "measured"
table = card["tables"]["l1-bandwidth"]
assert len(table["rows"]) == int(sys.argv[1])
assert all(len(row) == len(table["columns"]) for row in table["rows"])
assert report["devices"][1]["source"] == "published" and report["devices"][1]["runs"][0]["citation"]["year"] == 2019
PYTHON
cp -r out/of/it again
expect 0 "$percycle" report "$results"/nvidia-h200-bandwidth-opencl-20261122.jsonl "$results"/published/t4-report-table-4.2.jsonl -o again
diff -r out/of/it again || fail "the same records give another report"

echo "bad input is one line that says what and where, and writes nothing"
: >empty.jsonl
echo 'hello' >text.jsonl
expect_line 2 'cannot read none.jsonl: No such file' "$percycle" report none.jsonl -o none
expect_line 2 'empty.jsonl: empty, not a record file' "$percycle" report empty.jsonl -o none
expect_line 2 'text.jsonl:1: not JSON: ' "$percycle" report "$results"/published/t4-report-table-4.2.jsonl text.jsonl -o none
expect_line 2 'out is required' "$percycle" report text.jsonl
head -n 1 "$results"/nvidia-h200-bandwidth-opencl-20261122.jsonl >header.jsonl
expect_line 2 'no finished point in these files: nothing to report' "$percycle" report header.jsonl -o none
[[ ! -e none ]] || fail "something was written"
expect_line 1 'cannot make text.jsonl/tables: Not a directory' "$percycle" report "$results"/published/t4-report-table-4.2.jsonl -o text.jsonl
mkdir -p taken/report.html
expect_line 1 'cannot write taken/report.html: Is a directory' "$percycle" report "$results"/published/t4-report-table-4.2.jsonl -o taken
if [[ -e /dev/full ]]; then
  mkdir -p full
  ln -s /dev/full full/report.html
  expect_line 1 'cannot write full/report.html: No space left on device' "$percycle" report "$results"/published/t4-report-table-4.2.jsonl -o full
fi
head -c -1 "$results"/published/t4-report-table-4.2.jsonl >cut.jsonl
expect_line 0 'cut.jsonl:*: partial last line' "$percycle" report cut.jsonl -o cut

echo "strings stay text"
python3 - "$results"/nvidia-h200-bandwidth-opencl-20261122.jsonl <<'PYTHON'
import json
import sys

evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" onload='alert(3)' \u2028\u2029\u202e\x00\x1b[31m -->"
with open(sys.argv[1], encoding="utf-8") as file, open("evil.jsonl", "w", encoding="utf-8") as out:
    for number, line in enumerate(file):
        record = json.loads(line)
        if record["kind"] == "header":
            record["device"]["name"] = evil
            record["device"]["driver"] = evil
            record["os"] = "x" * (1 << 20)
            record["unit_name"] = evil
        elif record["kind"] == "point":
            if record["outcome"]["status"] == "ok" and number % 7 == 0:
                record["measurement"]["warnings"] = [evil, "y" * (1 << 20)]
            if number % 11 == 0:
                record["parameters"]["path"] = evil
            if number % 13 == 0:
                record["outcome"] = {"status": "failed", "reason": evil}
                record.pop("measurement", None)
        print(json.dumps(record), file=out)
PYTHON
expect 0 "$percycle" report evil.jsonl -o evil
python3 - <<'PYTHON' || fail "a string of the records is more than text"
import csv
import glob
import html.parser
import json

page = open("evil/report.html", encoding="utf-8").read()


class Parser(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.scripts = 0
        self.text = ""

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert tag != "img", "an image"
        assert not any(name.startswith("on") for name in names), names
        self.scripts += tag == "script"

    def handle_data(self, data):
        self.text += data


parser = Parser()
parser.feed(page)
assert parser.scripts == 6, parser.scripts
assert "<img src=x onerror=alert(2)>" in parser.text
assert len(page) < 5_000_000, len(page)
for code in page:
    assert code in "\n\t" or ord(code) >= 0x20, hex(ord(code))
for mark in "\u2028\u2029\u202e":
    assert mark not in page, hex(ord(mark))
for name in glob.glob("evil/tables/*.csv"):
    with open(name, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert all(len(row) == len(rows[0]) for row in rows), name
for name in glob.glob("evil/tables/*.md"):
    assert "\n<" not in open(name, encoding="utf-8").read()
json.load(open("evil/report.json", encoding="utf-8"))
for name in glob.glob("evil/charts/*.vl.json"):
    json.load(open(name, encoding="utf-8"))
PYTHON
