#!/bin/bash
# Reading a record and validating it by an independent implementation of JSON Schema give the same
# verdict, for the records of tests/cli/schema.py.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_jsonschema

expect 0 "$percycle" validate --schema
cmp stdout "$source_dir/results/record.schema.json" || fail "results/record.schema.json differs from percycle validate --schema: write it again"
expect 0 "$percycle" run latency --device sim:t4 --preset quick --no-progress --set max=4K --out simulated.jsonl
"$python" "$source_dir/tests/cli/schema.py" "$percycle" "$source_dir/results" simulated.jsonl || fail "see above"

need_device
# All paths, and a form that one API lacks: ok points and unsupported points.
expect 0 "$percycle" run latency --preset quick --no-progress --set max=4K --out run.jsonl
expect 0 "$percycle" run latency --preset quick --no-progress --set max=4K --set path=local --set form=byte-offset --out other.jsonl
"$python" - "$source_dir/results/record.schema.json" run.jsonl other.jsonl <<'PYTHON' || fail "see above"
import json
import sys

import jsonschema

schema, *files = sys.argv[1:]
with open(schema, encoding="utf-8") as file:
    validator = jsonschema.Draft7Validator(json.load(file))
kinds, statuses = set(), set()
for name in files:
    with open(name, encoding="utf-8") as file:
        for record in map(json.loads, file):
            validator.validate(record)
            kinds.add(record["kind"])
            statuses.add(record.get("outcome", {}).get("status"))
assert {"header", "started", "point"} <= kinds, kinds
assert "ok" in statuses, statuses
PYTHON
