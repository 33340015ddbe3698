#!/bin/bash
# Copies between two devices of a host: PoCL makes two of one CPU.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_device opencl

export VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
run=(run transfer-bandwidth --preset quick --no-progress --set direction=to-peer)

first=$("$percycle" devices --json | awk -F'"' '$2 == "platform" { pocl = $4 ~ /Portable Computing/ } $2 == "selector" && pocl && !found++ { print $4 }')
[[ -n $first ]] || skip "no PoCL device"

echo "a single device has no peer: unsupported, and no record of one"
expect 0 "$percycle" "${run[@]}" --device "$first" --out alone.jsonl
grep -q '"reason":"[^"]*second device[^"]*","status":"unsupported"' alone.jsonl || fail "$(<alone.jsonl)"
! grep -q '"peers"' alone.jsonl || fail "names peers: $(<alone.jsonl)"

export POCL_DEVICES="pthread pthread"
expect 0 "$percycle" devices
second=opencl:$((${first#opencl:} + 1))
grep -q "peers  *$second " stdout || fail "$first has no peer: $(<stdout)"

echo "two devices: copies of each to the other, small ones too; the header and the points name it"
expect 0 "$percycle" "${run[@]}" --device "$first" --device "$second" --out both.jsonl
expect 0 "$percycle" validate both.jsonl
python3 - both.jsonl "$first" "$second" <<'P'
import json, sys

first, second = sys.argv[2:]
records = [json.loads(line) for line in open(sys.argv[1])]
peers = {"%s:%d" % (r["device"]["api"], r["device"]["index"]): r["device"]["peers"] for r in records if r["kind"] == "header"}
assert set(peers) == {first, second}, peers
header = {r["id"]: "%s:%d" % (r["device"]["api"], r["device"]["index"]) for r in records if r["kind"] == "header"}
points = [r for r in records if r["kind"] == "point"]
assert len(points) == 12, len(points)
for point in points:
    device = header[point["header"]]
    (peer,) = peers[device]
    assert point["outcome"]["status"] == "ok", point["outcome"]
    assert point["parameters"]["peer"] == "opencl:%d" % peer["index"] == (second if device == first else first), point["parameters"]
    assert point["measurement"]["observed"]["peer"] == peer["name"], point
    assert ("gb_per_s" in point["measurement"]["statistics"]) == ("test" not in point["parameters"]), point
P

echo "a broken driver, so that percycle opens each driver alone: the numbers of the peers are those of devices"
need_command cc
echo '#include <stdlib.h>
__attribute__((constructor)) static void crash(void) { abort(); }' >broken.c
cc -shared -fPIC -o libbroken.so broken.c
mkdir vendors
echo "$work/libbroken.so" >vendors/0.icd
for copy in 1 2; do cp /etc/OpenCL/vendors/pocl.icd vendors/$copy.icd; done
expect 0 env OCL_ICD_VENDORS="$work/vendors" "$percycle" "${run[@]}" --device opencl:3 --set test=latency --out far.jsonl
grep -q '"index":3.*"open_index":1.*"peers":\[{"index":2,' far.jsonl || fail "the header names another peer: $(<far.jsonl)"
grep -q '"status":"ok".*"peer":"opencl:2"' far.jsonl || fail "no copy to opencl:2: $(<far.jsonl)"

echo "the guarantees of a link between two devices"
expect 0 "$build_dir/tests/percycle_device_tests" --test-case='peer links:*,*moves the numbers of its peers'
grep -q 'MESSAGE: 2 links between two devices' stdout || fail "no links: $(<stdout)"
