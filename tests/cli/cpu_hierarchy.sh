#!/bin/bash
# A device of known truth: the first two caches of the CPU, as Linux tells their sizes, are found through each API that has a CPU device.
# What lies behind them is shared with everyone else on the machine: nothing is asserted of it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
need_device

# cache_bytes LEVEL: the size of the first core's data or unified cache of that level; nothing where the system does not tell.
cache_bytes() {
  local index
  for index in /sys/devices/system/cpu/cpu0/cache/index*; do
    [[ -r $index/size && $(<"$index/level") == "$1" && $(<"$index/type") != Instruction ]] || continue
    numfmt --from=iec "$(<"$index/size")"
    return
  done
}
l1=$(cache_bytes 1)
l2=$(cache_bytes 2)
[[ $l1 && $l2 ]] || skip_anywhere "this system does not tell the sizes of its CPU's caches (/sys/devices/system/cpu/cpu0/cache)"

skipped=0
for api in opencl vulkan; do
  has_device "$api" || continue
  status=0
  python3 "$source_dir/tests/cli/cpu_hierarchy.py" "$percycle" "$api" "$l1" "$l2" || status=$?
  case $status in
    0) ;;
    77) skipped=1 ;;
    *) fail "$api: the CPU's caches are not found" ;;
  esac
done
((!skipped)) || skip_anywhere "see above"
