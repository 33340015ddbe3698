#!/bin/bash
# A report of 500 files with 100 000 points: its time, memory and page size are bounded, it is
# complete, and a browser opens it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

mkdir records
python3 "$source_dir/tests/cli/many_records.py" "$source_dir/results" records
python3 - "$percycle" "${PERCYCLE_RELEASE:-1}" <<'PYTHON' || fail "see above"
import csv
import glob
import json
import os
import re
import resource
import subprocess
import sys
import time

FEWEST_ROWS = 40 # per table that has as many
FEWEST_MARKS = 50_000 # drawn by its charts: lines of 300 points at most
# CPU time of the report, in times of reading its files as JSON in Python. A report takes 6
# to 7.5; most of that reads the files and fits curves.
MOST_READINGS = 12
percycle, release = sys.argv[1], sys.argv[2] == "1"
records = sorted(glob.glob("records/*.jsonl"))


def reading_seconds():
    """The CPU time for reading all records, estimated from every fifth: the speed of this host"""
    before = time.process_time()
    for name in records[::5]:
        with open(name, encoding="utf-8") as file:
            for line in file:
                json.loads(line)
    return 5 * (time.process_time() - before)


reading = reading_seconds()
started = time.monotonic()
subprocess.run([percycle, "report", *records, "-o", "out"], check=True)
seconds = time.monotonic() - started
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
processors = usage.ru_utime + usage.ru_stime
print(f"{seconds:.1f} s, {processors:.1f} s of processors, {processors / reading:.1f} readings, {usage.ru_maxrss / 1024:.0f} MiB")
assert not release or processors < MOST_READINGS * reading, (processors, reading)
assert not release or usage.ru_maxrss * 1024 <= 1_000_000_000, usage.ru_maxrss
print(f"a page of {os.path.getsize('out/report.html') / 1e6:.1f} MB")
assert os.path.getsize("out/report.html") <= 15_000_000, os.path.getsize("out/report.html")

with open("out/report.json", encoding="utf-8") as file:
    report = json.load(file)
assert len(report["devices"]) == 20
rows = {} # by their table's file
for device in report["devices"]:
    slug = re.sub("[^a-z0-9]+", "-", device["label"].lower()).strip("-")
    for experiment, table in device["tables"].items():
        rows[f"tables/{slug}-{experiment}.csv"] = len(table["rows"])
assert sum(rows.values()) == 100_000, sum(rows.values())
for name, count in rows.items():
    with open("out/" + name, encoding="utf-8", newline="") as file:
        assert sum(1 for _ in csv.reader(file)) == count + 1, name


with open("out/report.html", encoding="utf-8") as file:
    page = json.loads(re.search(r'<script type="application/json" id="report">(.*?)</script>', file.read(), re.DOTALL)[1])
named = {}
for section in page["sections"]:
    if section["id"] == "cards":  # a table of all devices
        continue
    for table in section["tables"]:
        name, shown = table["file"] + ".csv", len(table["rows"])
        assert shown <= 500, (name, shown)
        assert table["points"] == rows[name], (name, table["points"])
        assert shown >= min(table["answers"], FEWEST_ROWS), (name, shown)
        named[name] = shown
assert named.keys() == rows.keys(), rows.keys() ^ named.keys()

# The page has the charts of the files, with their data as rows of values after their names. An
# empty list is the text of the row above.
charts = [chart for section in page["sections"] for chart in section["charts"] if "spec" in chart]
assert len(charts) > 100, len(charts)
points = 0
for chart in charts:
    name, spec = chart["name"], chart["spec"]
    with open(f"out/charts/{name}.vl.json", encoding="utf-8") as file:
        whole = json.load(file)
    for data in [part["data"] for part in [spec, *spec["layer"]] if "data" in part]:
        names, *lines = data["values"]
        above = []
        for line in lines:
            line[:] = [above[i] if value == [] else value for i, value in enumerate(line)]
            above = line
        data["values"] = [{key: value for key, value in zip(names, line, strict=True) if value is not None} for line in lines]
        points += len(lines)
    assert all(spec[key] == whole[key] for key in spec), name
assert points > FEWEST_MARKS, points
PYTHON

need_command node
need_command npm
need_command chromium
modules=$("$source_dir/tools/charts/fetch") || skip "npm cannot fetch puppeteer"
expect 0 node "$source_dir/tests/cli/report_large.mjs" "$modules" "$(command -v chromium)" "$work/out"
cat stdout
