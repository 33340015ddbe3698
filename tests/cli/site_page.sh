#!/bin/bash
# The pages of a site in headless Chromium, opened from a disk: sorting, filters, a comparison, a
# card. No errors, no request beyond the site. PERCYCLE_SCREENSHOTS=DIR keeps pictures.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command node
need_command npm
need_command chromium

kept nvidia-h100-quick nvidia-h200-bandwidth-{opencl,vulkan}
expect 0 "$percycle" site nvidia-h100-quick.jsonl.gz nvidia-h200-bandwidth-{opencl,vulkan}.jsonl.gz \
  "$source_dir"/results/published/t4-report-table-4.2.jsonl -o site
modules=$("$source_dir/tools/charts/fetch") || skip "npm cannot fetch puppeteer"
cp -r site broken
sed -i 's/", ".\{99\}/", "/' broken/cards/nvidia-h200-*/data.js
rm broken/cards/nvidia-h100-*/data.js
expect 0 node "$source_dir/tests/cli/site_page.mjs" "$modules" "$(command -v chromium)" "$work/site" "$work/broken" "${PERCYCLE_SCREENSHOTS:-}"
cat stdout
