#!/bin/bash
# The JSON of analyze, ceilings, compare, limits, report, site and summary fits its published
# schema, and no damaged output does: tests/cli/output_schema.py.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_jsonschema

kept nvidia-h100-{instruction-sharing,l2-map-opencl,l2-map-vulkan,residency,intensity,intensity-ceilings,programs} nvidia-h200-hierarchy-{opencl,vulkan}
cp "$source_dir"/results/published/t4-report-table-4.2.jsonl .
expect 0 "$percycle" run latency --device sim:t4 --preset quick --no-progress --set path=global --set max=64K --out simulated.jsonl
"$python" "$source_dir/tests/cli/output_schema.py" "$percycle" "$source_dir/results" || fail "see above"
expect 2 "$percycle" validate --schema show
