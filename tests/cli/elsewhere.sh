#!/bin/bash
# The examples of docs/elsewhere.md run and agree with each other. No driver is used.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

for python in python3 /usr/bin/python3; do ! "$python" -c 'import pandas' 2>/dev/null || break; done
"$python" -c 'import pandas' 2>/dev/null || skip "python3-pandas is not installed"

# Points with a result, and one without.
"$percycle" run latency local-bandwidth convolution --device sim:t4 --preset quick --no-progress --set latency.path=global,scalar --set latency.max=64K --out card.jsonl >/dev/null
gzip card.jsonl
"$python" - "$source_dir/docs/elsewhere.md" <<'PYTHON' || fail "see above"
import contextlib
import io
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    parts = [part for part in file.read().split("\n## ")[1:] if "```python" in part]
printed = []
for part in parts:
    name = part.splitlines()[0]
    names, outputs = {}, []
    for code in re.findall(r"```python\n(.*?)```", part, re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(code, f"{name}, example {len(outputs) + 1}", "exec"), names)
        outputs.append(output.getvalue())
    assert len(outputs) == 5, (name, len(outputs))
    assert outputs[0] == "" and all(output for output in outputs[1:]), (name, outputs)
    printed.append((names, outputs))
(pandas, tables), (_, rows) = printed

# Both say the same of one point and of one experiment.
latency = pandas["latency"]
first = latency[latency["parameters.path"] == "global"].iloc[0]
expected = f"global {first['parameters.footprint']:.0f} {first['measurement.statistics.net_cycles_per_op.median']}"
assert expected in rows[1].splitlines(), (expected, rows[1])
best = pandas["points"].groupby("experiment")["measurement.statistics.gb_per_s.median"].max().dropna()
assert rows[2].splitlines() == [f"{experiment} {value}" for experiment, value in best.items()], rows[2]
assert f"{len(pandas['points'])} points" in tables[4], tables[4]
PYTHON
