#!/bin/bash
# The page of a report in headless Chromium, in both themes and on a phone and a desk: nothing goes wrong, nothing is asked of the network, every chart is
# drawn whole. With PERCYCLE_SCREENSHOTS=DIR it leaves pictures of the page there, to be looked at.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command node
need_command npm
need_command chromium

results=$source_dir/results
expect 0 "$percycle" report "$results"/nvidia-h200-hierarchy-opencl-20261123.jsonl "$results"/nvidia-h200-bandwidth-{opencl,vulkan}-20261122.jsonl \
  "$results"/nvidia-h200-atomics-opencl-20261122.jsonl "$results"/amd-epyc-pocl-opencl-bandwidth-20261122.jsonl \
  "$results"/published/t4-report-table-4.2.jsonl -o report
modules=$("$source_dir/tools/charts/fetch") || skip "npm cannot fetch puppeteer"

echo "in a browser"
expect 0 node "$source_dir/tests/cli/report_page.mjs" "$modules" "$(command -v chromium)" "$work/report" "${PERCYCLE_SCREENSHOTS:-}"
cat stdout

echo "as files"
cp report/charts/l1-bandwidth-bars.vl.json chart.vl.json
expect 0 "$source_dir/tools/render-charts" "$work"
grep -q '^<svg' chart.svg || fail "no SVG: $(head -c 100 chart.svg)"
[[ $(head -c 8 chart.png | od -An -tx1) == ' 89 50 4e 47 0d 0a 1a 0a' ]] || fail "no PNG"
expect_line 1 'no folder nowhere' "$source_dir/tools/render-charts" nowhere
mkdir empty
expect_line 1 'no .vl.json in empty' "$source_dir/tools/render-charts" empty
echo '{"mark":' >empty/broken.vl.json
expect_line 1 'empty/broken.vl.json: ' "$source_dir/tools/render-charts" empty
