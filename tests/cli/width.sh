#!/bin/bash
# Texts for people fit 120 columns: all commands that read records or print lists.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# fits COMMAND...: checks the output of percycle COMMAND, except for lines of one word (addresses).
fits() {
  expect 0 "$percycle" "$@"
  local widest
  widest=$(grep -v '^ *[^ ]*$' stdout | wc -L)
  test "$widest" -le 120 || fail "percycle $1 prints $widest columns: $(awk 'length($0) > 120' stdout | head -n 3)"
  test "$widest" -ge 60 || fail "percycle $1 prints only $widest columns: $(<stdout)"
}

kept nvidia-h100-memory-{opencl,vulkan} nvidia-h100-quick nvidia-h200-bandwidth-opencl
apis=(nvidia-h100-memory-{opencl,vulkan}.jsonl.gz)
for command in show analyze summary validate; do
  echo "$command"
  fits "$command" "${apis[@]}"
  fits "$command" nvidia-h100-quick.jsonl.gz
done
echo "compare: two APIs, and two devices"
fits compare "${apis[@]}"
fits compare --all "${apis[@]}"
fits compare --all "${apis[0]}" nvidia-h200-bandwidth-opencl.jsonl.gz "$source_dir"/results/published/t4-report-table-*.jsonl
expect 0 "$percycle" compare --all --wide "${apis[@]}"
test "$(wc -L <stdout)" -gt 120 || fail "compare --wide is not wide"
echo "lists"
fits list
fits limits
fits limits H100
