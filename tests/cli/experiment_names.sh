#!/bin/bash
# Experiments own their descriptions: src/ has no quoted experiment name outside experiments/,
# vocabulary/ and the simulated device.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# members of `analyze --json` and of records, and a count of `isa`, named like an experiment
allowed='report/hierarchy_fields.hpp:"sharing"
store/record_fields.hpp:"branches"
session/isa_worker.cpp:"branches"'

"$percycle" list --json >list.json
mapfile -t names < <(python3 -c 'import json; print(*[e["name"] for e in json.load(open("list.json"))["experiments"]], sep="\n")')
((${#names[@]} >= 30)) || fail "found ${#names[@]} experiments"

cd "$source_dir/src"
for name in "${names[@]}"; do
  grep -roFe "\"$name\"" --exclude-dir=experiments --exclude-dir=vocabulary --exclude-dir=sim . || true
done | sed 's,^\./,,' | sort -u | grep -vxFe "$allowed" >"$work/found" || true
cd "$work"
[[ ! -s found ]] || fail "experiments are named outside src/experiments: $(tr '\n' ' ' <found)"
