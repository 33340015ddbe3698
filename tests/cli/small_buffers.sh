#!/bin/bash
# Drivers that give smaller buffers than they state: sweeps end earlier, every point has a figure,
# and the header has the size. --resume plans the same points.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tests/cli/faulty_drivers.sh
source "$source_dir/tests/cli/faulty_drivers.sh"

mkdir -p driver/opencl driver/vulkan
cp opencl.so driver/opencl/libfaulty_buffers_small.so
cp vulkan.so driver/vulkan/libfaulty_buffers_small.so
echo "$work/driver/opencl/libfaulty_buffers_small.so" >driver/driver.icd
echo "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"$work/driver/vulkan/libfaulty_buffers_small.so\", \"api_version\": \"1.3.0\"}}" >driver/driver.json
export REAL_OPENCL=$pocl REAL_VULKAN=$lavapipe OCL_ICD_VENDORS=$work/driver/driver.icd VK_DRIVER_FILES=$work/driver/driver.json \
  VK_ICD_FILENAMES=$work/driver/driver.json

for api in opencl vulkan; do
  echo "$api"
  expect 0 "$percycle" run dram-bandwidth latency --api $api --preset quick --no-progress --no-codegen --set op=read,triad --set path=global \
    --set form=pointer --set min=1M --set max=64M --out $api.jsonl
  grep -q 'doubtful *largest buffer: the driver states' stdout || fail "$api: the summary does not name the smaller buffer: $(<stdout)"
  python3 - $api.jsonl <<'PY' || fail "$api: the reach is wrong"
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
assert records[0]["device"]["max_allocation_bytes"] == 4 << 20, records[0]["device"]["max_allocation_bytes"]
points = [record for record in records if record["kind"] == "point"]
assert all(point["outcome"]["status"] == "ok" for point in points), [point["outcome"] for point in points]
reach = {name: max(p["point"]["parameters"]["footprint"] if "point" in p else p["parameters"]["footprint"] for p in points if p["experiment"] == name)
         for name in ("dram-bandwidth", "latency")}
assert reach["dram-bandwidth"] == 12 << 20 and reach["latency"] <= 4 << 20, reach
PY
  expect 0 "$percycle" run --resume $api.jsonl --no-progress
  grep -q 'nothing left to measure' stdout || fail "$api: --resume plans other points: $(<stdout)"
done
