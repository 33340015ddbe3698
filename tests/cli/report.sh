#!/bin/bash
# Reports for a user: their files, bad input, strings that contain markup, and bounds on size.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
results=$source_dir/results
kept nvidia-h200-bandwidth-opencl

echo "the files of a report"
expect 0 "$percycle" report nvidia-h200-bandwidth-opencl.jsonl.gz "$results"/published/t4-report-table-4.2.jsonl -o out/of/it
[[ $(head -n 1 stdout) == 'out/of/it/report.html: '*' points of 7 devices from 2 files' ]] || fail "says: $(<stdout)"
for file in report.html report.json tables/nvidia-h200-opencl-l1-bandwidth.{csv,md} tables/nvidia-h200-opencl-efficiency.{csv,md} charts/l1-bandwidth-bars.vl.json \
  tables/t4-published-2019-atomic-latency.csv; do
  [[ -s out/of/it/$file ]] || fail "no $file: $(find out | sort)"
done
points=$(zgrep -c '"experiment":"l1-bandwidth".*"kind":"point"' nvidia-h200-bandwidth-opencl.jsonl.gz)
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
expect 0 "$percycle" report nvidia-h200-bandwidth-opencl.jsonl.gz "$results"/published/t4-report-table-4.2.jsonl -o again
diff -r out/of/it again || fail "the same records give another report"
policy=$(grep 'http-equiv="Content-Security-Policy"' again/report.html) || fail "the page has no policy"
[[ $policy != *unsafe-eval* ]] || fail "the page may make code from text"

echo "the hierarchy as a drawing, nearest first"
expect 0 "$percycle" report "$results"/nvidia-h200-opencl.jsonl.gz -o drawn
python3 - <<'PYTHON' || fail "the drawing"
import json
import re

with open("drawn/report.html", encoding="utf-8") as file:
    report = json.loads(re.search(r'<script type="application/json" id="report">(.*?)</script>', file.read(), re.DOTALL)[1])
boxes = [[(level["name"], " · ".join(level["words"])) for level in device["levels"]] for device in report["devices"]]
levels = next(of for of in boxes if "L1" in dict(of))
assert [name for name, _ in levels] == ["execution units", "local memory", "L1", "L2 near", "L2 far", "memory"], levels
words = dict(levels)
assert re.match(r"2\d\d KiB · 32\.0 cycles \(", words["L1"]), words["L1"]
assert all("cycles" in words[name] for name in words if name != "execution units"), words
assert any("B/SM/cycle" in text for of in boxes for _, text in of), boxes
PYTHON

echo "published instructions: bars for each class, which the table's other rows are counted beside"
table_2=$results/published/instructions-latencies-table-2.jsonl
expect 0 "$percycle" report "$table_2" "$results"/published/t4-report-table-{2.1,4.1,4.3}.jsonl -o instructions
python3 - "$(grep -c '"kind":"point"' "$table_2")" <<'PYTHON' || fail "the bars of instructions"
import glob
import json
import sys

bars = {}
for name in glob.glob("instructions/charts/*-bars*.vl.json"):
    with open(name, encoding="utf-8") as file:
        chart = json.load(file)
    bars[chart["title"]] = [bar["question"] for bar in chart["data"]["values"]]
assert "Half precision" in bars["Throughput of matrix products in Gops/s"], bars
with open("instructions/charts/schedulers-t4-published-2019.vl.json", encoding="utf-8") as file:
    cells = {(cell["x"], cell["y"]): cell["value"] for cell in json.load(file)["data"]["values"]}
assert len(cells) == 32 and cells[1, 5] == cells[5, 1] == 46.7, cells
assert len(set(bars["Latency of instructions in cycles/instruction (6 more in the table)"])) == 40, bars.keys()
classes = {title: words for title, words in bars.items() if title.startswith("Latency of instructions in cycles/instruction: ")}
assert len(classes) == 16, classes.keys()
assert "add / sub / min / max" in classes["Latency of instructions in cycles/instruction: Double Precision, O3"]
assert sum(len(words) for words in classes.values()) == int(sys.argv[1])
PYTHON

echo "a bar per card: measured, published and CPUs on one picture, with limits and shares; a table of the shares"
kept nvidia-h200-bandwidth-vulkan
run_of l1-bandwidth amd-epyc-pocl-opencl >cpu.jsonl
expect 0 "$percycle" report nvidia-h200-bandwidth-{opencl,vulkan}.jsonl.gz cpu.jsonl "$results"/published/gpu-l1-article-*.jsonl -o cards
python3 - <<'PYTHON' || fail "the bars of cards: $(ls cards/charts)"
import csv
import json

with open("cards/charts/cards-texture-path-per-cycle.vl.json", encoding="utf-8") as file:
    chart = json.load(file)
assert chart["title"] == "Bandwidth of the texture path, in bytes per unit-cycle", chart["title"]
bars = chart["data"]["values"]
assert [bar["value"] for bar in bars] == sorted((bar["value"] for bar in bars), reverse=True), bars
texts = {bar["card"]: (bar["kind"], bar.get("limit"), bar["share"]) for bar in bars}
assert texts["RX 6900 XT (2023)"] == ("published", 256, "96.8 %"), texts
assert texts["H200"] == ("measured", 128, "50.0 %"), texts
assert texts["AMD EPYC"] == ("measured on a CPU", None, ""), texts
with open("cards/tables/efficiency-of-all-cards.csv", encoding="utf-8", newline="") as file:
    shares = {row["card"]: row for row in csv.DictReader(file)}
assert shares["H200"]["L1"] == "99.9 %" and shares["RX 6900 XT (2023)"]["texture path"] == "96.8 %", shares
PYTHON

echo "a choice of experiments and devices; a name that no file has is one line"
expect 0 "$percycle" report nvidia-h200-bandwidth-opencl.jsonl.gz cpu.jsonl "$results"/published/gpu-l1-article-*.jsonl \
  --experiment l1-bandwidth --device 'rx 6900' --device h200 -o chosen
[[ $(head -n 1 stdout) == 'chosen/report.html: '*' points of 2 devices from '* ]] || fail "says: $(<stdout)"
[[ -z $(find chosen -name '*local-bandwidth*' -o -name '*a10*' -o -name '*pthread*') ]] || fail "draws more: $(find chosen)"
expect_words 2 report.no-experiment "$percycle" report cpu.jsonl --experiment l1-bandwith -o none
expect_words 2 report.no-device "$percycle" report cpu.jsonl "$results"/published/gpu-l1-article-rdna2-l1.jsonl --device arc -o none
[[ ! -e none ]] || fail "something was written"

echo "published products of matrices stand in the chart of those that were measured"
run_of matrix-throughput nvidia-h100-vulkan >products.jsonl
expect 0 "$percycle" report products.jsonl "$results"/published/t4-report-table-4.3.jsonl -o products
python3 - <<'PYTHON' || fail "the bars of products: $(ls products/charts)"
import glob
import json

bars = {}
for name in glob.glob("products/charts/matrix-throughput-bars*.vl.json"):
    with open(name, encoding="utf-8") as file:
        chart = json.load(file)
    bars[chart["title"]] = {bar["question"] for bar in chart["data"]["values"]}
per_second = bars.pop("Throughput of matrix products in Gops/s")
assert {"Half precision", "Int8 precision"} < per_second, per_second
measured = {words for words in per_second if not words.endswith("precision")}
assert any(words.endswith("FP16 with FP32 sums") for words in measured), measured
# Documents state no rate per cycle.
per_cycle = bars.pop("Throughput of matrix products in ops/SM/cycle")
assert len(per_cycle) == len(measured) and not bars, (per_cycle, bars)
PYTHON

echo "a published figure of several instructions stands beside each that was measured"
expect 0 "$percycle" run instruction-latency --device sim:t4 --preset quick --out simulated.jsonl
expect 0 "$percycle" report simulated.jsonl "$table_2" "$results"/published/t4-report-table-4.1.jsonl -o beside
python3 - <<'PYTHON' || fail "the bars beside those that were measured: $(ls beside/charts)"
import glob
import json

values = {}
for name in glob.glob("beside/charts/instruction-latency-bars-Integer-Arithmetic-O3*.vl.json"):
    with open(name, encoding="utf-8") as file:
        for bar in json.load(file)["data"]["values"]:
            values.setdefault(bar["question"], {})[bar["series"]] = bar["value"]
add = values["add"]
assert abs(add["Simulated Tesla T4, simulated"] - 4) < 0.1, add
assert [add[f"{name} (published 2019)"] for name in ("K40m", "Pascal", "TITAN RTX", "Turing")] == [9, 6, 4, 4], add
assert "add / sub / min / max" not in values, values.keys()
assert "abs" in values, values.keys()
PYTHON

echo "another report into the folder leaves nothing of the one before, and all else"
expect 0 "$percycle" report "$results"/published/t4-report-table-4.2.jsonl -o less
echo '{}' >again/charts/mine.vl.json
echo 'mine' >mine.txt
hash=$(python3 -c '
value = 0xCBF29CE484222325
for byte in open("mine.txt", "rb").read():
    value = (value ^ byte) * 0x100000001B3 % 2**64
print(f"{value:016x}")')
printf "$hash %s\\n" ../mine.txt charts/../../mine.txt "$work/mine.txt" charts/.. charts tables/ '' >>again/files.txt
expect 0 "$percycle" report "$results"/published/t4-report-table-4.2.jsonl -o again
[[ $(<mine.txt) == mine && $(<again/charts/mine.vl.json) == '{}' ]] || fail "a file that is not the report's is gone"
rm again/charts/mine.vl.json
diff -r less again || fail "something of the earlier report is left"

echo "bad input is one line with fault and place, and writes nothing"
: >empty.jsonl
echo 'hello' >text.jsonl
expect_words 2 read.no-file "$percycle" report none.jsonl -o none
expect_words 2 read.empty-file "$percycle" report empty.jsonl -o none
expect_line 2 'text.jsonl:1: ' "$percycle" report "$results"/published/t4-report-table-4.2.jsonl text.jsonl -o none
cp "$results"/published/t4-report-table-4.2.jsonl here.jsonl
expect 0 "$percycle" report here.jsonl
[[ $(head -n 1 stdout) == *' from 1 file' ]] || fail "says: $(<stdout)"
[[ -f here-report/report.html ]] || fail "report without -o left no here-report/report.html"
gunzip -c nvidia-h200-bandwidth-opencl.jsonl.gz | sed -n 1p >header.jsonl
expect_line 2 'these files hold no finished point, so there is nothing to report' "$percycle" report header.jsonl -o none
[[ ! -e none ]] || fail "something was written"
expect_line 1 'text.jsonl: ' "$percycle" report "$results"/published/t4-report-table-4.2.jsonl -o text.jsonl
head -c -1 "$results"/published/t4-report-table-4.2.jsonl >cut.jsonl
expect_line 0 'cut.jsonl:*: ' "$percycle" report cut.jsonl -o cut

echo "words of records in a file's name are cut, and two files stay two"
python3 - "$table_2" <<'PYTHON'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file, open("classes.jsonl", "w", encoding="utf-8") as out:
    for number, line in enumerate(file):
        record = json.loads(line)
        if record["kind"] == "point":
            record["parameters"]["class"] = ("a b", "a-b", "a/" * 500, "a/" * 100)[number % 4]
            record["parameters"]["optimization"] = "z" * 1000
        print(json.dumps(record), file=out)
PYTHON
expect 0 "$percycle" report classes.jsonl -o classes
python3 - <<'PYTHON' || fail "charts: $(ls classes/charts)"
import os

stem = "instruction-latency-bars-"
words = [f"{name}-{'z' * 40}" for name in ("a-b", "a-" * 20)]
expected = {f"{stem}{word}{number}.vl.json" for word in words for number in ("", "-2")}
assert set(os.listdir("classes/charts")) == expected
PYTHON

echo "strings stay text"
python3 - nvidia-h200-bandwidth-opencl.jsonl.gz <<'PYTHON'
import gzip
import json
import sys

evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" onload='alert(3)' \u2028\u2029\u202e\x00\x1b[31m -->"
with gzip.open(sys.argv[1], "rt", encoding="utf-8") as file, open("evil.jsonl", "w", encoding="utf-8") as out:
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
import re

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
assert parser.scripts == 5, parser.scripts
assert "img src=x onerror=alert(2)" in parser.text
report = json.loads(re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.DOTALL)[1])
assert "<img src=x onerror=alert(2)>" in json.dumps(report)
assert len(page) < 10_000_000, len(page)
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
