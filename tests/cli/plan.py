"""The points of record files as sets, for the shell tests.

plan.py complete FILE REFERENCE: FILE finished every point of REFERENCE, each exactly once, on the
same devices.
"""
import collections
import json
import sys


def points(path):
    headers, found = {}, collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if record["kind"] == "header":
                headers[record["id"]] = (record["device"]["api"], record["device"]["index"])
            elif record["kind"] == "point":
                key = (headers[record["header"]], record["experiment"], json.dumps(record["parameters"], sort_keys=True))
                found[key] += 1
    return found


command, path, reference = sys.argv[1:]
assert command == "complete"
got, wanted = points(path), points(reference)
twice = [key for key, count in got.items() if count != 1]
missing = wanted.keys() - got.keys()
extra = got.keys() - wanted.keys()
for fault, keys in (("measured twice", twice), ("missing", missing), ("not planned", extra)):
    for key in keys:
        print(f"{fault}: {key}", file=sys.stderr)
sys.exit(1 if twice or missing or extra else 0)
