#!/bin/bash
# Oclgrind, an OpenCL device that checks every access, finds neither a data race nor an uninitialised value in any OpenCL kernel.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
library=/usr/lib/oclgrind/liboclgrind-rt-icd.so
[[ -e $library ]] || skip_anywhere "oclgrind is not installed"

# As the only driver, through the loader: percycle looks its functions up in the loader it opened, so that preloading would be passed by.
mkdir vendors
echo "$library" >vendors/oclgrind.icd
oclgrind=(env OCL_ICD_VENDORS="$work/vendors/" OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1)

expect 0 "${oclgrind[@]}" "$percycle" devices
grep -qi oclgrind stdout || fail "oclgrind is not among the devices"

silent() {
  expect 0 "${oclgrind[@]}" "$percycle" run latency --device oclgrind --preset quick --no-progress "$@"
  if [[ -s stderr ]]; then
    head -n 40 stderr >&2
    fail "oclgrind has something to say about: $*"
  fi
}

silent --out paths.jsonl --set max=2K
grep -q '"status":"ok"' paths.jsonl || fail "no point was measured"
silent --out offset32.jsonl --set path=global --set form=offset32 --set max=2K
silent --out byte_offset.jsonl --set path=constant,local --set form=byte-offset --set max=2K
silent --out sequential.jsonl --set path=global,texture --set order=sequential --set max=2K
