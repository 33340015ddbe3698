#!/bin/bash
# Without devices, drivers or loaders percycle starts, reports that and advises.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# check COMMAND-PREFIX...: the behaviour of percycle, called through the prefix, without a usable
# device.
check() {
  expect 0 "$@" "$percycle" devices
  grep -qi 'no opencl.*device' stdout || fail "devices does not say that there is none: $*"
  expect 0 "$@" "$percycle" devices --json
  [[ -z $(runnable_devices stdout) ]] || fail "a device appeared out of nowhere: $*"
  expect 0 "$@" "$percycle" list
  expect_line 2 'no opencl*device' "$@" "$percycle" run latency --out "$work/none.jsonl"
  expect_line 2 'no vulkan device' "$@" "$percycle" run latency --api vulkan --out "$work/none.jsonl"
  [[ ! -e $work/none.jsonl ]] || fail "a refused run left a file: $*"
}

echo "loaders without drivers"
no_opencl=(OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES=)
no_vulkan=(VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent)
check env "${no_opencl[@]}" "${no_vulkan[@]}"

echo "loaders that cannot be opened"
mkdir broken
: >broken/libOpenCL.so.1
: >broken/libOpenCL.so
: >broken/libvulkan.so.1
: >broken/libvulkan.so
check env LD_LIBRARY_PATH="$work/broken"
expect 0 env LD_LIBRARY_PATH="$work/broken" "$percycle" devices
grep -q loader stdout || fail "devices does not say that the loaders are missing"

echo "one API broken costs the other nothing"
if has_device vulkan; then
  expect 0 env "${no_opencl[@]}" "$percycle" devices --json
  runnable_devices stdout | grep -q '^vulkan:' || fail "no OpenCL driver, and Vulkan is gone"
  expect 0 env "${no_opencl[@]}" "$percycle" run latency --api vulkan --preset quick --set path=constant --set max=2K --out vulkan.jsonl
fi
if has_device opencl; then
  expect 0 env "${no_vulkan[@]}" "$percycle" devices --json
  runnable_devices stdout | grep -q '^opencl:' || fail "no Vulkan driver, and OpenCL is gone"
  expect 0 env "${no_vulkan[@]}" "$percycle" run latency --api opencl --preset quick --set path=constant --set max=2K --out opencl.jsonl
fi

echo "a file system with nothing but the C library and /proc"
bare=$work/bare
mkdir -p "$bare/proc"
cp "$percycle" "$bare/percycle"
while read -r library; do
  mkdir -p "$bare$(dirname "$library")" && cp "$library" "$bare$library"
done < <(ldd "$percycle" | grep -o '/[^ ]*')
cat >enter.sh <<'ENTER'
bare=$1
shift
mount -t proc proc "$bare/proc" 2>/dev/null || mount --rbind /proc "$bare/proc" || exit
exec chroot "$bare" /percycle "$@"
ENTER
if ! can_mount; then
  echo "not checked: needs a name space with mounts"
  exit 0
fi
# shellcheck disable=SC2206 # words
inside=($namespace bash "$work/enter.sh" "$bare")
expect 0 "${inside[@]}" devices
grep -qi 'no opencl.*device' stdout || fail "devices in a bare file system says: $(<stdout)"
expect_line 2 'no opencl*device' "${inside[@]}" run latency --out /none.jsonl
