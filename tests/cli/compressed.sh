#!/bin/bash
# Compressed records: every reader takes them, damage costs the lines behind it, and a run writes
# none. No driver is used.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
kept nvidia-h200-bandwidth-{opencl,vulkan}
for api in opencl vulkan; do gunzip -c "nvidia-h200-bandwidth-$api.jsonl.gz" >"nvidia-h200-bandwidth-$api.jsonl"; done

echo "each reader prints the same as for plain files"
for command in validate show analyze summary 'compare --json' 'ceilings --json'; do
  # shellcheck disable=SC2086
  expect 0 "$percycle" $command nvidia-h200-bandwidth-{opencl,vulkan}.jsonl
  mv stdout plain
  # shellcheck disable=SC2086
  expect 0 "$percycle" $command nvidia-h200-bandwidth-{opencl,vulkan}.jsonl.gz
  sed 's/\.jsonl\.gz/.jsonl/g' stdout | diff plain - >difference || fail "$command: $(<difference)"
done
expect 0 "$percycle" report nvidia-h200-bandwidth-opencl.jsonl.gz
[[ -s nvidia-h200-bandwidth-opencl-report/report.html ]] || fail "the report is elsewhere: $(ls)"

echo "the lines before damage are used, with one line of warning"
gunzip -c nvidia-h200-bandwidth-opencl.jsonl.gz | sed -n 1,9p | gzip >short.jsonl.gz
{ cat short.jsonl.gz && tail -c +30 nvidia-h200-bandwidth-vulkan.jsonl.gz; } >damaged.jsonl.gz
head -c -9 short.jsonl.gz >cut.jsonl.gz
{ head -c -8 short.jsonl.gz && printf 12345678; } >checksum.jsonl.gz
expect_words 1 compressed.validate-damaged "$percycle" validate damaged.jsonl.gz
expect_words 0 compressed.damaged "$percycle" summary damaged.jsonl.gz
expect_words 1 compressed.validate-cut "$percycle" validate cut.jsonl.gz
expect_words 0 compressed.cut "$percycle" summary cut.jsonl.gz
expect_words 1 compressed.validate-checksum "$percycle" validate checksum.jsonl.gz
expect_words 0 compressed.checksum "$percycle" summary checksum.jsonl.gz
head -c 30 short.jsonl.gz >nothing.jsonl.gz
expect_words 2 compressed.nothing "$percycle" validate nothing.jsonl.gz

echo "a run writes plain files only"
expect_words 2 compressed.resume "$percycle" run --resume short.jsonl.gz
expect_words 2 compressed.out "$percycle" run latency --device sim:t4 --out new.jsonl.gz
[[ ! -e new.jsonl.gz ]] || fail "a refused run left a file"
