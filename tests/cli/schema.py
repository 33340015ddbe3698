"""Compares verdicts of percycle's reader and of the schema: schema.py PERCYCLE RESULTS FILE...

Both read the records in RESULTS and FILEs, one of each shape, and mutations of a few of them. Each
member is removed, made null, given another type and each value below; one member is added at every
level. Random mutations of those follow.
"""

import copy
import glob
import gzip
import json
import os
import random
import subprocess
import sys

import jsonschema

RANDOM_RECORDS = 2000
BASES = 16  # records to mutate
# Rules between lines and between numbers: the schema sees one line, and one number at a time.
NOT_OF_THE_SCHEMA = (
    "names the header", "a second header", "a point under a published header", "a point without samples", "but the samples give", "does not follow from the samples",
    "above median", "below median", "more than the number of samples", "but the measurement gives", "but nothing in the measurement gives it",
    "is not within the readings of the telemetry", "go together", "is more than the device's memory", "but the host waited"
)  # fmt: skip
VALUES = [
    None, True, False, 0, 1, -1, 1.0, 1.5, -0.5, 1e300, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, "", "x", "X y", "ok", "failed", "published", "sim", "vulkan",
    "atomic", "0123456789abcdef", [], [1], [""], ["x"], [None], {}, {"x": 1}, {"x": "y"}, {"X y": 1}, {"median": 1}
]  # fmt: skip

percycle, results, *files = sys.argv[1:]
with open(os.path.join(results, "record.schema.json"), encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)


def kind_of(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return (value > 0) - (value < 0), isinstance(value, int)
    return type(value).__name__, value in ("", [], {})


def shape(value, path=""):
    """The paths of a record with the kinds of their values, two items of each list."""
    yield path, kind_of(value)
    if isinstance(value, dict):
        for name, member in value.items():
            yield from shape(member, f"{path}/{name}")
    elif isinstance(value, list):
        for item in value[:2]:
            yield from shape(item, path + "/0")


def shortened(value):
    """With no list longer than two items."""
    if isinstance(value, dict):
        return {name: shortened(member) for name, member in value.items()}
    return [shortened(item) for item in value[:2]] if isinstance(value, list) else value


def accepted(records):
    """By percycle: whether it reads each record, under its header unless it is one.

    None if a rule refuses it that no schema can state.
    """
    names = []
    for number, (record, header) in enumerate(records):
        names.append(f"mutant-{number}.jsonl")
        with open(names[-1], "w", encoding="utf-8") as out:
            if not (isinstance(record, dict) and record.get("kind") == "header"):
                print(json.dumps(header), file=out)
            print(json.dumps(record), file=out)
    verdicts = {}
    for begin in range(0, len(names), 1000):
        result = subprocess.run([percycle, "validate", *names[begin : begin + 1000]], capture_output=True, encoding="utf-8")
        for line in result.stdout.splitlines():
            verdicts[line.split(":")[0]] = True
        for line in result.stderr.splitlines():
            name, _, reason = line.removeprefix("percycle: error: ").partition(":")
            verdicts[name] = None if any(text in reason for text in NOT_OF_THE_SCHEMA) else False
    assert verdicts.keys() == set(names), set(names) ^ verdicts.keys()
    return [verdicts[name] for name in names]


def paths(value, path=()):
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in members:
        yield from paths(member, (*path, step))


def changed(record, path, change):
    """A copy whose member at the path was given to change(holder, step)."""
    record = copy.deepcopy(record)
    holder = record
    for step in path[:-1]:
        holder = holder[step]
    change(holder, path[-1])
    return record


def at(record, path):
    for step in path:
        record = record[step]
    return record


def mutants(record):
    for path in paths(record):
        if isinstance(at(record, path), dict):
            added = copy.deepcopy(record)
            at(added, path)["surplus"] = "x"
            yield added
        if not path:
            continue
        yield changed(record, path, lambda holder, step: holder.pop(step))
        yield changed(record, path, lambda holder, step: holder.__setitem__(step, [holder[step]]))


def mutants_of_values(record):
    for path in paths(record):
        for value in VALUES if path else VALUES[-12:]:
            yield changed(record, path, lambda holder, step, value=value: holder.__setitem__(step, value)) if path else value


def random_mutant(record, number):
    chance = random.Random(number)
    for _ in range(chance.randint(1, 3)):
        everywhere = [path for path in paths(record) if path]
        path = chance.choice(everywhere)
        kind = chance.randrange(5)
        if kind == 0:
            record = changed(record, path, lambda holder, step: holder.pop(step))
        elif kind == 1:  # under the name of another member
            name = str(chance.choice(everywhere)[-1])
            record = changed(record, path, lambda holder, step: isinstance(holder, dict) and holder.__setitem__(name, holder[step]))
        elif kind == 2:
            value = copy.deepcopy(at(record, chance.choice(everywhere)))
            record = changed(record, path, lambda holder, step, value=value: holder.__setitem__(step, value))
        else:
            value = chance.choice(VALUES)
            record = changed(record, path, lambda holder, step, value=value: holder.__setitem__(step, value))
        if not record:
            break
    return record


def compare(title, records):
    wrong = 0
    for (record, _), by_percycle in zip(records, accepted(records), strict=True):
        by_schema = validator.is_valid(record)
        if by_percycle is not None and by_schema != by_percycle:
            wrong += 1
            if wrong <= 5:
                who = "the schema accepts and percycle refuses" if by_schema else "percycle accepts and the schema refuses"
                print(f"{title}: {who}: {json.dumps(record)}", file=sys.stderr)
                print(*[error.message for error in validator.iter_errors(record)][:2], file=sys.stderr)
    print(f"{title}: {len(records)} records, {sum(map(validator.is_valid, (r for r, _ in records[:200])))} of the first 200 valid")
    return wrong


seen, members, bases = set(), set(), []
files += sorted(glob.glob(os.path.join(results, "*.jsonl.gz")))
assert len(files) > 8, files
files += sorted(glob.glob(os.path.join(results, "published", "*.jsonl")))
subprocess.run([percycle, "validate", *files], check=True, stdout=subprocess.DEVNULL)
for name in files:
    headers = {}
    with (gzip.open if name.endswith(".gz") else open)(name, "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            header = headers.setdefault(record["id"], record) if record["kind"] == "header" else headers[record["header"]]
            whole = frozenset(shape(record))
            if whole in seen:
                continue
            seen.add(whole)
            validator.validate(record)
            # Mutations not covered by an earlier kind.
            new = {(record["kind"], header["source"], path) for path, _ in whole if "/parameters/" not in path} - members
            if new:
                members |= new
                bases.append((len(new), shortened(record), header))
print(f"{len(seen)} shapes of records in {len(files)} files fit the schema")

bases = [(record, header) for _, record, header in sorted(bases, key=lambda base: -base[0])[:BASES]]
wrong = compare("records", bases)
wrong += compare("mutations", [(mutant, header) for record, header in bases for mutant in mutants(record)])
wrong += compare("values", [(mutant, header) for record, header in bases[:6] for mutant in mutants_of_values(record)])
wrong += compare("random", [(random_mutant(*bases[i % len(bases)][:1], i), bases[i % len(bases)][1]) for i in range(RANDOM_RECORDS)])
sys.exit(1 if wrong else 0)
