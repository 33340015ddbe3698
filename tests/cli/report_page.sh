#!/bin/bash
# The page of a report in headless Chromium, in both themes and on a phone and a desktop: no errors,
# no network requests, complete charts. PERCYCLE_SCREENSHOTS=DIR keeps pictures of the page.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command node
need_command npm
need_command python3
need_command chromium

results=$source_dir/results
run_of "atomic-heatmap atomic-throughput" nvidia-h100-opencl >atomics.jsonl
run_of dram-bandwidth amd-epyc-pocl-opencl >cpu.jsonl
run_of "latency geometry" nvidia-h200-opencl >hierarchy.jsonl
kept nvidia-h200-bandwidth-{opencl,vulkan}
expect 0 "$percycle" report hierarchy.jsonl nvidia-h200-bandwidth-{opencl,vulkan}.jsonl.gz \
  atomics.jsonl cpu.jsonl \
  "$results"/published/t4-report-table-4.2.jsonl -o report
modules=$("$source_dir/tools/charts/fetch") || skip "npm cannot fetch puppeteer"

echo "in a browser"
expect 0 node "$source_dir/tests/cli/report_page.mjs" "$modules" "$(command -v chromium)" "$work/report" "${PERCYCLE_SCREENSHOTS:-}"
cat stdout

echo "strings of records stay text"
python3 - nvidia-h200-bandwidth-opencl.jsonl.gz <<'PYTHON'
import gzip
import json
import sys

evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" onload='alert(3)' -->"
with gzip.open(sys.argv[1], "rt", encoding="utf-8") as file, open("evil.jsonl", "w", encoding="utf-8") as out:
    for number, line in enumerate(file):
        record = json.loads(line)
        if record["kind"] == "header":
            record["device"]["name"] = record["device"]["driver"] = record["unit_name"] = evil
        elif record["kind"] == "point":
            if number % 7 == 0 and record["outcome"]["status"] == "ok":
                record["measurement"]["warnings"] = [evil]
            if number % 11 == 0:
                record["parameters"]["path"] = evil
            if number % 13 == 0:
                record["outcome"] = {"status": "failed", "reason": evil}
                record.pop("measurement", None)
        print(json.dumps(record), file=out)
PYTHON
expect 0 "$percycle" report evil.jsonl -o evil
expect 0 node "$source_dir/tests/cli/report_strings.mjs" "$modules" "$(command -v chromium)" "$work/evil"
cat stdout

echo "as files"
cp report/charts/l1-bandwidth-bars.vl.json chart.vl.json
expect 0 "$source_dir/tools/render-charts" "$work"
grep -q '^<svg' chart.svg || fail "no SVG: $(head -c 100 chart.svg)"
[[ $(head -c 8 chart.png | od -An -tx1) == ' 89 50 4e 47 0d 0a 1a 0a' ]] || fail "no PNG"
expect_line 1 'no folder nowhere' "$source_dir/tools/render-charts" nowhere

echo "as files, by the report itself"
kept nvidia-h100-rates
expect 0 env PATH="$PATH:$source_dir/tools" "$percycle" report nvidia-h100-rates.jsonl.gz -o drawn --charts pictures
for chart in drawn/charts/*.vl.json; do
  name=$(basename "$chart" .vl.json)
  [[ $(head -c 4 "pictures/$name.svg") == '<svg' && -s pictures/$name.png ]] || fail "no pictures of $name"
done
words report.pictures "$(grep pictures stdout)"
expect_words 1 report.no-renderer "$percycle" report nvidia-h100-rates.jsonl.gz -o undrawn --charts pictures
[[ ! -e undrawn ]] || fail "a report that cannot be drawn was written"
mkdir empty
expect_line 1 'no .vl.json in empty' "$source_dir/tools/render-charts" empty
echo '{"mark":' >empty/broken.vl.json
expect_line 1 'empty/broken.vl.json: ' "$source_dir/tools/render-charts" empty
