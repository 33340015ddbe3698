#!/bin/bash
# The JSON of analyze, ceilings, compare, limits and report fits its published schema, and no
# damaged output does: tests/cli/output_schema.py.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_jsonschema

for record in h100-instruction-sharing-opencl-20261126 h100-l2-map-opencl-20261125 h100-l2-map-vulkan-20261125 h100-residency-vulkan-20261125 \
  h100-intensity-ceilings-opencl-20261125 h100-intensity-opencl-20261125 h100-programs-opencl-20261125; do
  gunzip -c "$source_dir/results/nvidia-$record.jsonl.gz" >"${record%-*}.jsonl"
done
cp "$source_dir"/results/{nvidia-h200-opencl-20261121,nvidia-h200-vulkan-20261121,published/t4-report-table-4.2}.jsonl .
expect 0 "$percycle" run latency --device sim:t4 --preset quick --no-progress --set path=global --set max=64K --out simulated.jsonl
"$python" "$source_dir/tests/cli/output_schema.py" "$percycle" "$source_dir/results" || fail "see above"
expect 2 "$percycle" validate --schema summary
