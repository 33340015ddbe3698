#!/bin/bash
# Cards that several drivers show, and cards that look alike: the default `run` measures each card
# once for each API, and a card that its first driver does not open through the next one.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"

# shows FACTS...: a driver for each, and no other of OpenCL. The loader chooses the order, by the
# names of the manifests.
shows() {
  rm -rf drivers
  mkdir drivers
  local fact number=0
  for fact in "$@"; do
    cp opencl.so "drivers/libfaulty_$fact.so"
    echo "$work/drivers/libfaulty_$fact.so" >"drivers/$((++number)).icd"
  done
}
alone() { env REAL_OPENCL="$pocl" OCL_ICD_VENDORS="$work/drivers" POCL_MAX_PTHREAD_COUNT=1 "$@"; }
# run_all FILE [OPTION...]: a short run on the devices of OpenCL.
run_all() {
  alone "$percycle" run latency --api opencl --preset quick --no-progress --no-codegen --set path=global --set form=pointer --set max=1K \
    --out "$@" >stdout 2>stderr || fail "the run failed: $(<stderr)"
}
# measured FILE: the devices with points that are ok.
measured() {
  python3 - "$1" <<'PY'
import json, sys
index, found = {}, set()
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["kind"] == "header":
        index[record["id"]] = record["device"]["index"]
    elif record["kind"] == "point" and record["outcome"]["status"] == "ok":
        found.add(index[record["header"]])
print(*sorted(found))
PY
}
# cards: "identity: selectors" of each GPU that `devices` shows through OpenCL.
cards() {
  alone "$percycle" devices --json >devices.json
  python3 - devices.json <<'PY'
import json, sys
for card in json.load(open(sys.argv[1]))["cards"]:
    devices = [device["selector"] for device in card["devices"] if device["info"]["api"] == "opencl"]
    if devices:
        print(f'{card["identity"]}: {" ".join(devices)}')
PY
}

echo "one card under two platforms"
shows card_1 card_1_too
[[ $(cards) == "uuid:07000000000000000000000000000000: opencl:0 opencl:1" ]] || fail "devices groups: $(cards)"
alone "$percycle" devices >stdout
grep -q '^ *same card *opencl:1, through another driver$' stdout || fail "devices does not name the same card: $(<stdout)"
run_all twice.jsonl
[[ $(measured twice.jsonl) == 0 ]] || fail "measured: $(measured twice.jsonl)"
words same-card.measured-once "$(sed -n 's/^percycle: warning: \(.*is the same card.*\)/\1/p' stderr)"
run_all named.jsonl --device opencl:0 --device opencl:1
[[ $(measured named.jsonl) == "0 1" ]] || fail "both were named, measured: $(measured named.jsonl)"

echo "its first driver does not open it"
shows card_1_shut card_1_too
run_all shut.jsonl
cp stderr shut.txt
shows card_1_too card_1_shut
run_all open.jsonl
cat stderr >>shut.txt
[[ $(measured shut.jsonl) == [01] && $(measured open.jsonl) == [01] ]] || fail "measured: $(measured shut.jsonl), $(measured open.jsonl)"
[[ $(measured shut.jsonl) != "$(measured open.jsonl)" ]] || fail "the driver that opens has one place: $(measured shut.jsonl)"
[[ $(grep -c 'opencl:0 cannot be opened: ' shut.txt) == 1 ]] || fail "the driver that fails is not named: $(<shut.txt)"

echo "two equal cards"
shows card_1 card_2
[[ $(cards | wc -l) == 2 ]] || fail "devices groups: $(cards)"
run_all two.jsonl
[[ $(measured two.jsonl) == "0 1" ]] || fail "measured: $(measured two.jsonl)"

echo "four equal cards whose addresses differ in the domain alone"
shows board
[[ $(cards | wc -l) == 4 ]] || fail "devices groups: $(cards)"
words same-card.shared-address "$(grep -o 'PCI address: [^"]*to 4 devices' devices.json | sort -u)"
