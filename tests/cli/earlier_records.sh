#!/bin/bash
# Every command reads the records of every earlier format: tests/records has one file per commit
# that gave records a new member, cut to the lines with that member and named by date and commit.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

files=("$source_dir"/tests/records/[0-9]*.jsonl)
((${#files[@]} >= 19)) || fail "only ${#files[@]} files in tests/records"
measured=()
for file in "${files[@]}"; do
  expect 0 "$percycle" validate "$file"
  grep -qE ": ok \([^:]* [1-9][0-9]* points?:" stdout || fail "validate finds no point: $(<stdout)"
  expect 0 "$percycle" show "$file"
  grep -q '"source":"published"' "$file" || measured+=("$file")
done
expect 0 "$percycle" analyze "${measured[@]}"
expect 0 "$percycle" report "${files[@]}" --out report
for file in "${measured[@]}"; do
  expect 0 "$percycle" share "$file" -o "shared-$(basename "$file")"
  expect 0 "$percycle" validate "shared-$(basename "$file")"
done

echo "a newer format is refused by its number"
sed '1s/"schema":1/"schema":2/' "${measured[0]}" >newer.jsonl
expect_words 2 read.newer "$percycle" validate newer.jsonl
