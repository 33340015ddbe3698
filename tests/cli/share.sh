#!/bin/bash
# Records for others: without the identity of card and machine, still valid and comparable. No
# driver is used.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

echo "each secret is planted, and none is left"
host=$(uname -n)
kept nvidia-h200-bandwidth-{opencl,vulkan}
python3 - nvidia-h200-bandwidth-{opencl,vulkan}.jsonl.gz "$host" <<'PYTHON'
import gzip, json, sys
uuid, pci = "d55f0075d2a95d21dd5035fbe2c26140", "0000:00:06.0"
dashed = "-".join((uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]))
secrets = [uuid, uuid.upper(), "GPU-" + dashed, pci, "06:00.0", "serial number: 1652922004711", "/home/alice/percycle/run.sh",
           "/etc/OpenCL/vendors/nvidia.icd", f"on {sys.argv[3]}", "bob"]
for name, path in (("opencl", sys.argv[1]), ("vulkan", sys.argv[2])):
    with open(name + ".jsonl", "w") as out:
        for line in gzip.open(path):
            record = json.loads(line)
            if record["kind"] == "header":
                record["device"]["driver_manifest"] = "/etc/OpenCL/vendors/nvidia.icd"
                record["device"]["lacks"] = [f"lack {secret}" for secret in secrets]
                record["os"] += " " + " ".join(secrets)
                record["options"]["set"] = {"key": "/home/alice/x"}
            if record["kind"] == "point":
                record["measurement"]["warnings"] = ["; ".join(secrets)]
                record["measurement"]["observed"]["telemetry"] = " ".join(secrets)
                record["measurement"]["codegen"] = {"missing": "no tool, says " + " ".join(secrets)}
            out.write(json.dumps(record) + "\n")
PYTHON
expect 0 "$percycle" validate opencl.jsonl vulkan.jsonl
expect 0 "$percycle" share opencl.jsonl vulkan.jsonl -o shared.jsonl --remove bob
[[ $(tail -n 1 stdout) == 'next: '*docs/contributing-records.md* ]] || fail "share ends with: $(tail -n 1 stdout)"
for secret in d55f0075 35fbe2c26140 '0000:00:06' 06:00.0 1652922004711 alice nvidia.icd bob; do
  ! grep -qi -- "$secret" shared.jsonl || fail "$secret is left: $(grep -oi -m 1 -- ".\{60\}$secret.\{20\}" shared.jsonl | head -n 1)"
done
! grep -qw -- "on $host" shared.jsonl || fail "the host's name is left"

echo "the copy is valid and comparable, with the same numbers"
expect 0 "$percycle" validate shared.jsonl
expect 0 "$percycle" compare --json opencl.jsonl vulkan.jsonl
cp stdout before.json
expect 0 "$percycle" compare --json shared.jsonl
python3 - before.json stdout <<'PYTHON' || fail "compare sees something else"
import json, sys
before, after = (json.load(open(path)) for path in sys.argv[1:])
assert len(before["pairs"]) == 1 and before["pairs"][0]["kind"] == "apis"
assert before["pairs"] == after["pairs"]
PYTHON
expect 0 "$percycle" report shared.jsonl -o report
! grep -rqi -e d55f0075 -e home/alice -e 00:06.0 report || fail "the report tells"

echo "a map of the chip stays out, and the copy says what is left"
kept nvidia-h100-l2-map-opencl
gunzip -c nvidia-h100-l2-map-opencl.jsonl.gz >map.jsonl
grep -q '"experiment":"l2-map"' map.jsonl || fail "the record has no map"
expect 0 "$percycle" share map.jsonl -o unmapped.jsonl
grep -q 'left out: .* --keep-chip-map' stdout && ! grep -q '"experiment":"l2-map"' unmapped.jsonl || fail "the map is left"
grep -q '^texts in it' stdout || fail "share does not list the texts"
expect 0 "$percycle" validate unmapped.jsonl
expect 0 "$percycle" share map.jsonl -o mapped.jsonl --keep-chip-map
grep -q '"experiment":"l2-map"' mapped.jsonl || fail "--keep-chip-map drops the map"

echo "a compressed copy has the same lines, and the same bytes each time"
for name in packed again; do expect 0 "$percycle" share opencl.jsonl vulkan.jsonl -o "$name.jsonl.gz" --remove bob; done
gunzip -c packed.jsonl.gz | cmp - shared.jsonl || fail "packed.jsonl.gz has other lines"
cmp packed.jsonl.gz again.jsonl.gz || fail "the same records give other bytes"
expect_line 2 'packed.jsonl.gz exists already' "$percycle" share opencl.jsonl -o packed.jsonl.gz

echo "nothing is overwritten, and bad input leaves nothing"
expect_line 2 'shared.jsonl exists already' "$percycle" share opencl.jsonl -o shared.jsonl
expect_line 2 'holds the run' "$percycle" share opencl.jsonl opencl.jsonl -o twice.jsonl
expect_line 2 'cannot read none.jsonl' "$percycle" share opencl.jsonl none.jsonl -o twice.jsonl
expect_line 2 '--out is required' "$percycle" share opencl.jsonl
[[ ! -e twice.jsonl ]] || fail "a refused call left a file"
