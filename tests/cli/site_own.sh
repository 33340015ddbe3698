#!/bin/bash
# The site of this project from results/: its links, its size, and a look at it in headless
# Chromium.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

expect_line 1 'which folder? ' "$source_dir/tools/site"
expect 0 env PERCYCLE="$percycle" "$source_dir/tools/site" site
head -n 1 stdout
expect 0 python3 "$source_dir/tests/cli/site_links.py" site
cat stdout
(($(stat -c %s site/index.html) <= 500000)) || fail "index.html has $(stat -c %s site/index.html) bytes"
size=$(du -sb site | cut -f 1)
((size <= 60000000)) || fail "the site has $size bytes"

need_command node
need_command npm
need_command chromium
modules=$("$source_dir/tools/charts/fetch") || skip "npm cannot fetch puppeteer"
expect 0 node "$source_dir/tests/cli/site_own.mjs" "$modules" "$(command -v chromium)" "$work/site"
cat stdout
