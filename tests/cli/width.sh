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

gunzip -c "$source_dir/results/nvidia-h100-opencl-20261124.jsonl.gz" >opencl.jsonl
gunzip -c "$source_dir/results/nvidia-h100-vulkan-20261124.jsonl.gz" >vulkan.jsonl
gunzip -c "$source_dir/results/nvidia-h100-quick-20261125.jsonl.gz" >quick.jsonl
cp "$source_dir/results/nvidia-h200-bandwidth-opencl-20261122.jsonl" h200.jsonl
for command in show analyze summary validate; do
  echo "$command"
  fits "$command" opencl.jsonl vulkan.jsonl
  fits "$command" quick.jsonl
done
echo "compare: two APIs, and two devices"
fits compare opencl.jsonl vulkan.jsonl
fits compare opencl.jsonl h200.jsonl "$source_dir"/results/published/t4-report-table-*.jsonl
expect 0 "$percycle" compare --wide opencl.jsonl vulkan.jsonl
test "$(wc -L <stdout)" -gt 120 || fail "compare --wide is not wide"
echo "lists"
fits list
fits limits
fits limits H100
