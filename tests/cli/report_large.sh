#!/bin/bash
# A report of 500 files with 100 000 points: how long it takes, how much memory, how large its page is, that nothing is lost, and that a browser opens it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

mkdir records
python3 "$source_dir/tests/cli/many_records.py" "$source_dir/results" records
python3 - "$percycle" "${PERCYCLE_RELEASE:-1}" <<'PYTHON' || fail "see above"
import csv
import glob
import html.parser
import json
import os
import re
import resource
import subprocess
import sys
import time

FEWEST_ROWS = 40  # of a table that has as many: what the page shows of these records
FEWEST_MARKS = 50_000  # that its charts draw: lines of 300 points at most, not thinned out further
percycle, release = sys.argv[1], sys.argv[2] == "1"
started = time.monotonic()
subprocess.run([percycle, "report", *sorted(glob.glob("records/*.jsonl")), "-o", "out"], check=True)
seconds = time.monotonic() - started
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{seconds:.1f} s, {usage.ru_utime:.1f} s of processors, {usage.ru_maxrss / 1024:.0f} MiB")
# 5 s on two cores are 10 s of processors where nothing else runs. A machine twice as slow whose processors are shared takes less than three times as much.
assert not release or usage.ru_utime + usage.ru_stime < 30, usage
assert not release or usage.ru_maxrss * 1024 <= 260_000_000, usage.ru_maxrss
assert os.path.getsize("out/report.html") <= 5_000_000, os.path.getsize("out/report.html")

with open("out/report.json", encoding="utf-8") as file:
    report = json.load(file)
assert len(report["devices"]) == 20
rows = {}  # by the name of their table's file
for device in report["devices"]:
    slug = re.sub("[^a-z0-9]+", "-", device["label"].lower()).strip("-")
    for experiment, table in device["tables"].items():
        rows[f"tables/{slug}-{experiment}.csv"] = len(table["rows"])
assert sum(rows.values()) == 100_000, sum(rows.values())
for name, count in rows.items():
    with open("out/" + name, encoding="utf-8", newline="") as file:
        assert sum(1 for _ in csv.reader(file)) == count + 1, name


class Tables(html.parser.HTMLParser):
    """The rows of each table, and the text behind it."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables = []

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([0, ""])
        elif tag == "td" and self.new_row:
            self.tables[-1][0] += 1
        self.new_row = tag == "tr"

    def handle_data(self, data):
        if self.tables and len(self.tables[-1][1]) < 200_000:
            self.tables[-1][1] += data


page = Tables()
with open("out/report.html", encoding="utf-8") as file:
    whole_page = file.read()
page.feed(whole_page.split('<script type="application/json"')[0])
named = {}
for shown, text in page.tables:
    for part in re.finditer(r"(\d+) of (\d+) rows([^;]*; (\d+) are of)?.*?all: (tables/\S+\.csv)", text, re.DOTALL):
        said, of, name = int(part[1]), int(part[2]), part[5]
        assert said == shown <= 500, (name, said, shown)
        assert of == rows[name], (name, of)
        named[name] = shown
        assert shown >= min(of - int(part[4] or 0), FEWEST_ROWS), (name, shown)
assert named.keys() == rows.keys(), rows.keys() ^ named.keys()

# The page's charts are those of the files, their data packed (src/html/packed_rows.hpp).
specs = json.loads(re.search(r'<script type="application/json" id="specs">(.*?)</script>', whole_page, re.DOTALL)[1])
assert len(specs) > 100, len(specs)
points = 0
for name, spec in specs.items():
    with open(f"out/charts/{name}.vl.json", encoding="utf-8") as file:
        whole = json.load(file)
    for part in [spec, *spec["layer"]]:
        packed = part.get("data", {}).pop("packed", None)
        if not packed:
            continue
        keys, row, values = packed["keys"], [], []
        for given in packed["rows"]:
            row = row[: len(keys) - len(given)] + given
            values.append(dict(zip(keys, row, strict=True)))
        part["data"]["values"] = values
        points += len(values)
    assert all(spec[key] == whole[key] for key in spec), name
assert points > FEWEST_MARKS, points
PYTHON

need_command node
need_command npm
need_command chromium
modules=$("$source_dir/tools/charts/fetch") || skip "npm cannot fetch puppeteer"
expect 0 node "$source_dir/tests/cli/report_large.mjs" "$modules" "$(command -v chromium)" "$work/out"
cat stdout
