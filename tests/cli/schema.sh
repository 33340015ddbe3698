#!/bin/bash
# The records of a run fit the published schema by an independent implementation of JSON Schema, and what that refuses percycle refuses too.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_jsonschema
need_device

expect 0 "$percycle" validate --schema
cp stdout schema.json
# All paths, and a form that one API does not have: points that are ok and points that are unsupported.
expect 0 "$percycle" run latency --preset quick --no-progress --set max=4K --out run.jsonl
expect 0 "$percycle" run latency --preset quick --no-progress --set max=4K --set path=local --set form=byte-offset --out other.jsonl

"$python" - "$percycle" "$source_dir" <<'PYTHON' || fail "see above"
import copy
import glob
import json
import os
import subprocess
import sys

import jsonschema

with open("schema.json", encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

kinds, statuses, samples = set(), set(), {}
published = glob.glob(os.path.join(sys.argv[2], "results", "published", "*.jsonl"))
assert published
for path in ["run.jsonl", "other.jsonl", *published]:
    with open(path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    for record in records:
        validator.validate(record)
        kinds.add(record["kind"])
        if record["kind"] == "point":
            statuses.add(record["outcome"]["status"] if "outcome" in record else record["status"])
        samples.setdefault((record["kind"], records[0]["source"]), (record, records[0]))
assert {"header", "started", "point"} <= kinds, kinds
assert "ok" in statuses, statuses


def accepted_by_percycle(record, header):
    with open("mutant.jsonl", "w", encoding="utf-8") as file:
        if record.get("kind") != "header":
            file.write(json.dumps(header) + "\n")
        file.write(json.dumps(record) + "\n")
    return subprocess.run([sys.argv[1], "validate", "mutant.jsonl"], capture_output=True).returncode == 0


def mutants(record):
    yield "a key nobody knows", {**record, "surprise": 1}
    for key in record:
        without = copy.deepcopy(record)
        del without[key]
        yield f"without {key}", without
        yield f"{key} of another type", {**record, key: [record[key]]}
        yield f"{key} null", {**record, key: None}


wrong = 0
for kind, (record, header) in samples.items():
    assert accepted_by_percycle(record, header), kind
    for what, mutant in mutants(record):
        if validator.is_valid(mutant):
            continue  # an optional key
        if accepted_by_percycle(mutant, header):
            print(f"percycle accepts a {kind} {what}; the schema does not", file=sys.stderr)
            wrong += 1
sys.exit(1 if wrong else 0)
PYTHON
