"""Holds outputs of percycle against their published schemas: output_schema.py PERCYCLE RESULTS

Runs in a folder with the records named below. Each output must fit the schema that `percycle
validate --schema NAME` prints, of which RESULTS has a copy. A damaged one must not: each member or
item is put into an object, and each object gets a surplus member, once for each path.
"""

import json
import os
import subprocess
import sys

import jsonschema

percycle, results = sys.argv[1:]


def ask(*arguments):
    return subprocess.run([percycle, *arguments], capture_output=True, encoding="utf-8", check=True).stdout


def places(value, seen, path=()):
    """(holder, step) of one value for each path; items of a list have one path."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in members:
        inner = (*path, step if isinstance(value, dict) else 0)
        if inner not in seen:
            seen.add(inner)
            yield value, step
        yield from places(member, seen, inner)


def check(name, validator, outputs):
    seen, damages = set(), 0
    for output in outputs:
        validator.validate(output)
        for holder, step in list(places(output, seen)):
            whole = holder[step]
            changes = [{"x": whole}] + ([{**whole, "surplus": {}}] if isinstance(whole, dict) else [])
            for change in changes:
                holder[step] = change
                assert not validator.is_valid(output), f"{name}: the schema accepts {step} as {json.dumps(change)[:200]}"
                damages += 1
            holder[step] = whole
        for member in [step for step in output if step in validator.schema.get("required", ())]:
            assert not validator.is_valid({other: value for other, value in output.items() if other != member}), f"{name} without {member}"
    print(f"{name}: {len(outputs)} outputs fit, {damages} damaged ones do not")


def analyses(*files):
    return [json.loads(line) for line in ask("analyze", "--json", *files).splitlines()]


def report(*files):
    ask("report", *files, "-o", "report")
    with open("report/report.json", encoding="utf-8") as file:
        return json.load(file)


def site(*files):
    ask("site", *files, "-o", "site")
    with open("site/data/cards.json", encoding="utf-8") as file:
        return json.load(file)


swept = ["nvidia-h100-intensity-ceilings.jsonl.gz", "nvidia-h100-intensity.jsonl.gz"]
cards = ["nvidia-h200-hierarchy-opencl.jsonl.gz", "nvidia-h200-hierarchy-vulkan.jsonl.gz"]
maps = ["nvidia-h100-l2-map-opencl.jsonl.gz", "nvidia-h100-l2-map-vulkan.jsonl.gz"]
document = "t4-report-table-4.2.jsonl"
outputs = {
    "analyze": analyses(*cards, "nvidia-h100-instruction-sharing.jsonl.gz", maps[0], "nvidia-h100-residency.jsonl.gz"),
    "ceilings": [json.loads(ask("ceilings", "--json", *swept, "nvidia-h100-programs.jsonl.gz"))],
    "compare": [json.loads(ask("compare", "--json", *files)) for files in (cards, maps, ["simulated.jsonl", cards[0], document])],
    "limits": [json.loads(ask("limits", "--json", *name)) for name in ([], ["H200"], ["Hopper"])],
    "report": [report("simulated.jsonl", document, "nvidia-h100-residency.jsonl.gz")],
    "site": [site("simulated.jsonl", document, *cards, *swept[:1])],
    "summary": [json.loads(ask("summary", "--json", *cards, "simulated.jsonl", swept[0]))],
}
for name, found in outputs.items():
    text = ask("validate", "--schema", name)
    with open(os.path.join(results, f"{name}.schema.json"), encoding="utf-8") as file:
        assert file.read() == text, f"results/{name}.schema.json differs from percycle validate --schema {name}: write it again"
    schema = json.loads(text)
    jsonschema.Draft7Validator.check_schema(schema)
    check(name, jsonschema.Draft7Validator(schema), found)
