#!/bin/bash
# bash can read every script, also scripts that tools/test does not run by default. Programs name
# their interpreter. tools/test leaves out the tests that have a label, and no others.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

cd "$source_dir"
mapfile -t scripts < <(git -c safe.directory='*' grep -lE '^#!/bin/bash$' tools tests .ci && git -c safe.directory='*' ls-files 'tools/*common.sh' 'tests/*.sh')
((${#scripts[@]} > 100)) || fail "only ${#scripts[@]} scripts"
for script in "${scripts[@]}"; do
  bash -n "$script" || fail "$script cannot be read"
done
# Without that line bash still starts them, but env and other programs do not.
git -c safe.directory='*' ls-files --stage | sed -n 's/^100755 [^\t]*\t//p' >"$work/executables"
(($(wc -l <"$work/executables") > 25)) || fail "only $(wc -l <"$work/executables") programs"
while read -r program; do
  [[ $(head -c 2 "$program") == '#!' ]] || fail "$program does not begin with #!"
done <"$work/executables"
mapfile -t programs < <(git -c safe.directory='*' grep -lE '^#!/usr/bin/env python3$' tools && git -c safe.directory='*' ls-files '*.py')
((${#programs[@]} > 10)) || fail "only ${#programs[@]} Python scripts"
for program in "${programs[@]}"; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$program" || fail "$program cannot be read"
done

ctest --test-dir "$build_dir" --show-only=json-v1 >"$work/tests.json"
labels=$(python3 - "$work/tests.json" <<'PYTHON'
import json, sys
properties = [each for test in json.load(open(sys.argv[1]))["tests"] for each in test["properties"]]
print(*sorted({label for each in properties if each["name"] == "LABELS" for label in each["value"]}), sep="|")
PYTHON
)
left_out=$(sed -n "s/.*-LE '\([^']*\)'.*/\1/p" tools/test | tr '|' '\n' | sort | paste -sd '|')
[[ $labels == "$left_out" ]] || fail "tools/test leaves out '$left_out', but tests have the labels '$labels'"
