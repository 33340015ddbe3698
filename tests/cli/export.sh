#!/bin/bash
# Exports of a real card: files that parsers of the other programs' formats read, with the numbers
# of analyze and ceilings.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

record=$source_dir/results/nvidia-h100-opencl.jsonl.gz

echo "the simulator's options have the figures of analyze"
"$percycle" analyze --json "$record" >analyses.jsonl
expect 0 "$percycle" export --to accel-sim "$record" -o out
python3 "$source_dir/tests/cli/export_formats.py" accel-sim out/h100-80gb-hbm3-6 analyses.jsonl || fail "see above"
words export.unknown "$(grep 'HBM3 #6' stderr)"

echo "the roofs have the figures of ceilings"
"$percycle" ceilings --json "$record" >ceilings.json
expect 0 "$percycle" export --to roofline "$record" -o out
python3 "$source_dir/tests/cli/export_formats.py" roofline out/h100-80gb-hbm3-6 ceilings.json || fail "see above"
words export.roofs "$(grep 'HBM3 #6' stdout stderr | sed 's/^[a-z]*://')"
words export.nothing "$(grep nothing stderr)"

echo "documents are no runs; a record without ceilings has no roofs"
cp "$source_dir/results/published/t4-report-table-4.2.jsonl" .
expect_words 2 export.document "$percycle" export --to roofline t4-report-table-4.2.jsonl -o out
expect_words 2 export.no-name "$percycle" export --to roofline "$record" -o ''
expect_words 2 export.format "$percycle" export --to pdf "$record" -o out

echo "a folder that cannot be made"
touch file
kept nvidia-h100-rates
expect_words 1 export.no-folder "$percycle" export --to roofline nvidia-h100-rates.jsonl.gz -o file
