#!/bin/bash
# tools/update-records puts new runs of an experiment in the place of its earlier runs.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

update=$source_dir/tools/update-records
measure() { expect 0 "$percycle" run "${@:2}" --device sim:t4 --preset quick --no-progress --out "$1.jsonl"; }
measure first latency --set path=global --set max=64K
measure other local-bandwidth
measure again latency --set path=global --set max=64K --seed 2
expect 0 "$update" all.jsonl.gz first.jsonl other.jsonl
grep -q '2 runs; 0 superseded' stdout || fail "two runs: $(<stdout)"
expect 0 "$update" all.jsonl.gz again.jsonl
grep -q '2 runs; 1 superseded' stdout || fail "the new run: $(<stdout)"
expect 0 "$percycle" validate all.jsonl.gz
expect 0 "$percycle" summary all.jsonl.gz
cat other.jsonl again.jsonl | sort >wanted
gunzip -c all.jsonl.gz | sort | cmp - wanted || fail "the canonical record has other lines"
expect 0 "$percycle" run latency --device sim:v100 --preset quick --set path=local --no-progress --out v100.jsonl
expect 1 "$update" all.jsonl.gz v100.jsonl
