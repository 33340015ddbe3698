#!/bin/bash
# `devices --json` matches the table, as read by another program; every device's description fits
# the published schema.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_jsonschema
if [[ ${PERCYCLE_REQUIRE_DEVICES:-0} == 1 ]]; then
  need_device opencl
  need_device vulkan
fi

expect 0 "$percycle" devices --json
cp stdout devices.json
expect 0 "$percycle" devices
"$percycle" validate --schema >schema.json
"$python" - <<'PYTHON' || fail "see above"
import json

import jsonschema

with open("devices.json", encoding="utf-8") as file:
    listing = json.load(file)
with open("stdout", encoding="utf-8") as file:
    table = file.read()
with open("schema.json", encoding="utf-8") as file:
    schema = json.load(file)

device_schema = {**schema, "allOf": [{"$ref": "#/definitions/device"}]}
for key in ("type", "properties", "required"):
    device_schema.pop(key)
selectors = []
for card in listing["cards"]:
    assert card["identity"] and card["devices"], card
    for device in card["devices"]:
        info = device["info"]
        jsonschema.Draft7Validator(device_schema).validate(info)
        assert device["selector"] == f'{info["api"]}:{info["index"]}', device
        assert device["selector"] in table and info["name"].split()[0] in table, device["selector"]
        selectors.append(device["selector"])
assert len(selectors) == len(set(selectors)), selectors
for api in ("opencl", "vulkan"):
    indexes = sorted(int(s.split(":")[1]) for s in selectors if s.startswith(api))
    assert indexes == list(range(len(indexes))), indexes
print(len(selectors), "devices on", len(listing["cards"]), "cards")
PYTHON

# The table fits a terminal and is plain ASCII, for any names that drivers report.
if grep -nP '[^\x00-\x7F]|^.{101,}' stdout; then
  fail "lines above are too long or not ASCII"
fi

expect 0 "$percycle" list --json
"$python" -c '
import json
listing = json.load(open("stdout", encoding="utf-8"))
assert any(e["name"] == "latency" for e in (listing["experiments"] if isinstance(listing, dict) else listing))
' || fail "list --json: $(head -c 300 stdout)"
