#!/bin/bash
# A device with known truth: the CPU's first two caches, whose sizes Linux reports, are found
# through each API with a CPU device. Later levels are shared with others on the machine and not
# checked.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
need_device

# cache_bytes LEVEL: the size of the first core's data or unified cache of that level; empty if the
# system does not report it.
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
