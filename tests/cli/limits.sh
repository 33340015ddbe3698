#!/bin/bash
# percycle limits for a user: the catalogue, a device, an architecture, a user's file, and unknown
# values. No driver is used.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# says TEXT: checks that stdout contains it (a bash pattern).
says() {
  # shellcheck disable=SC2053
  [[ $(<stdout) == *$1* ]] || fail "does not say '$1': $(head -n 20 stdout)"
}

echo "all of it"
expect 0 "$percycle" limits
[[ ! -s stderr ]] || fail "says: $(<stderr)"
says $'of *figure *value  unit *provenance\n'
says $'\nHopper *load *128  bytes per unit-cycle *catalogue\n'
says $'\nnext: percycle limits NAME   (the source of each figure)'
expect 0 "$percycle" limits --json
cp stdout all.json

echo "one device: its own figures and its architecture's, each with quote and source"
expect 0 "$percycle" limits NVIDIA H200
says 'H200 (Hopper, unit: SM)'
says $'\n  load          128 bytes per unit-cycle (Hopper, catalogue)\n      "l1_bandwidth_per_cycle = 128 * desc.num_sms; // B/cycle"\n      DeepSeek, DeepGEMM, '
says $'\n  local         128 bytes per unit-cycle (Hopper, catalogue)\n      "Shared memory has 32 banks '*$'"\n      32 banks of 4 bytes\n      NVIDIA, CUDA'
says $'\n  memory_gb_s   4800 GB/s (H200, catalogue)\n      "'
expect 0 "$percycle" limits RDNA2
says $'\n  alu_latency   5 cycles (RDNA1, RDNA2, catalogue)\n      "'
expect 0 "$percycle" limits --json h200
cp stdout h200.json
python3 - <<'PYTHON' || fail "see above"
import json

with open("all.json", encoding="utf-8") as file:
    entries = json.load(file)["entries"]
always = {"figure", "value", "unit", "of", "provenance", "source", "quoted"}
for entry in entries:
    assert {"name", "kind", "architectures", "limits"} <= entry.keys() <= {"name", "kind", "architectures", "limits", "note"}, entry
    for limit in entry["limits"]:
        assert always <= limit.keys() <= always | {"texel_bytes", "note"}, limit
        assert limit["value"] > 0 and limit["source"] and limit["quoted"] and limit["provenance"] == "catalogue", limit

with open("h200.json", encoding="utf-8") as file:
    h200 = json.load(file)
assert (h200["match"], h200["device"], h200["architecture"], h200["unit_name"]) == ("device", "H200", "Hopper", "SM"), h200
values = {limit["figure"]: (limit["value"], limit["of"]) for limit in h200["limits"]}
assert values["load"] == (128, "Hopper") and values["memory_gb_s"] == (4800, "H200"), values
PYTHON

echo "one architecture; a device that is not listed is told to be so"
expect 0 "$percycle" limits gen9
says $'Gen9, unit: subslice\n  local memory lies in the L3: *\n\n  load  '
[[ $(<stdout) != *'not listed'* ]] || fail "an architecture is said not to be listed"
expect 0 "$percycle" limits NVIDIA GeForce RTX 4060
says $'\'NVIDIA GeForce RTX 4060\' is not listed; its architecture is:\nAda, unit: SM\n'
expect 0 "$percycle" limits --json NVIDIA GeForce RTX 4060
says '"match": "architecture"'
expect 0 "$percycle" limits H100
says $'\'H100\' is not listed (listed: H100 PCIe, H100 SXM); its architecture is:\n'

echo "an unknown name is one line, with the names that come close"
expect_words 2 limits.similar-name "$percycle" limits Hoper
expect_words 2 limits.unknown-name "$percycle" limits Mali-G78
expect_words 2 limits.empty-name "$percycle" limits ""
expect_words 2 limits.blank-name "$percycle" limits "  "
[[ ! -s stdout ]] || fail "prints limits of an unknown name: $(<stdout)"

echo "a file of one's own goes first"
cat >mine.toml <<'TOML'
[sources]
mine = "My own reading"

[[device]]
name = "Mali-G78"
pattern = '\bMali-G78\b'
local = { value = 16, source = "mine", quoted = "16 bytes" }

[[architecture]]
names = ["Hopper"]
load = { value = 120, source = "mine", quoted = "120 bytes" }
TOML
expect 0 "$percycle" limits --limits mine.toml Mali-G78
says $'Mali-G78\n\n  local         16 bytes per unit-cycle (Mali-G78, user)\n      "16 bytes"\n      My own reading'
expect 0 "$percycle" limits H200 --limits mine.toml
says $'  load          120 bytes per unit-cycle (Hopper, user)\n'
says $'  local         128 bytes per unit-cycle (Hopper, catalogue)\n'
[[ $(<stdout) != *"load          128"* ]] || fail "the built-in figure is still there"
expect 0 "$percycle" limits --limits mine.toml
[[ $(sed -n 2p stdout) == Hopper*user ]] || fail "not first: $(head -n 3 stdout)"

echo "a bad file is one line with fault and place"
expect_line 2 none.toml "$percycle" limits --limits none.toml
expect_line 2 'cannot read .:' "$percycle" limits --limits .
sed 's/, quoted = "16 bytes"//' mine.toml >bad.toml
expect_line 2 "bad.toml:7: 'quoted'" "$percycle" limits --limits bad.toml
sed 's/"16 bytes"/" "/' mine.toml >bad.toml
expect_line 2 "bad.toml:7: 'quoted'" "$percycle" limits --limits bad.toml
sed 's/"My own reading"/"\\t "/' mine.toml >bad.toml
expect_line 2 "bad.toml:2: source 'mine'" "$percycle" limits --limits bad.toml
sed 's/, source = "mine", quoted = "16/, quoted = "16/' mine.toml >bad.toml
expect_line 2 "bad.toml:7: 'source'" "$percycle" limits --limits bad.toml
sed 's/Hopper/Hoper/' mine.toml >bad.toml
expect_line 2 "bad.toml:10: *'Hoper'" "$percycle" limits --limits bad.toml
head -c 100 /dev/urandom >bad.toml
expect_line 2 'bad.toml:' "$percycle" limits --limits bad.toml H200
