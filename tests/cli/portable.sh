#!/bin/bash
# The binary that is linked with Debian 11's C library needs no newer one. With that library alone
# it starts, simulates and writes a report.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

program=$build_dir/src/percycle_portable
[[ -x $program ]] || skip "it is not built: no Debian 11 C library (tools/portable/libc)"
"$source_dir/tools/portable/needs" "$program"

echo "the usual binary needs a newer one"
expect_line 1 'needs GLIBC_' "$source_dir/tools/portable/needs" "$percycle"

echo "drivers of this system work with it"
need_device
percycle=$program quick_run devices.jsonl
expect 0 "$percycle" validate devices.jsonl
! grep '"kind":"point"' devices.jsonl | grep -v '"status":"ok"' || fail "not every point is ok"

if ! can_mount; then
  echo "not checked: needs a name space with mounts"
  exit 0
fi
libc=$("$source_dir/tools/portable/libc")
mkdir -p bare/proc bare/mnt bare/lib64
cp -a "$libc/lib" bare/
cp -L "$libc/lib64/ld-linux-x86-64.so.2" bare/lib64/
try_in_root "$work/bare" "$program"

echo "without /proc it names the file that it misses"
# shellcheck disable=SC2206,SC2154 # words; can_mount sets it
outside=($namespace chroot "$work/bare" /percycle)
cp "$program" bare/percycle
expect_line 1 /proc/self/exe "${outside[@]}" devices
