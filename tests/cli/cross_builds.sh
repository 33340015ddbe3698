#!/bin/bash
# percycle.exe under Wine and the binary for arm64 under qemu simulate what this build simulates. In
# tools/test this is the short form of the labels windows and arm64: it runs if those ran here once,
# so that libraries and objects are cached.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

cached() { compgen -G "${PERCYCLE_CACHE:-/nonexistent}/$1-*/complete" >/dev/null; }
points() { grep '"kind":"point"' "$1" | sed 's/"header":"[0-9a-f]*",//'; }
run=(run latency --preset quick --no-progress --device sim:t4 --seed 7)
expect 0 "$percycle" "${run[@]}" --out here.jsonl
points here.jsonl >here.points
"$percycle" list --json >here.list

# try NAME PROGRAM: the function PROGRAM runs a binary for another system.
try() {
  echo "$1"
  expect 0 "$2" --version --json
  expect 0 "$2" list --json
  cmp stdout here.list || fail "$1: 'list' differs"
  expect 0 "$2" "${run[@]}" --out "$1.jsonl"
  points "$1.jsonl" | cmp - here.points || fail "$1: the points differ"
  expect 0 "$percycle" validate "$1.jsonl"
  tried+=("$1")
}

tried=()
if cached windows/libraries && command -v wine >/dev/null; then
  "$source_dir/tools/build-windows"
  export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe,winedbg.exe=d' LC_ALL=C.UTF-8
  trap 'wineserver -k || true; rm -rf "$work"' EXIT
  wine wineboot --init >boot.log 2>&1 || fail "wine does not start: $(tail -n 3 boot.log)"
  windows() { wine "$source_dir/build/windows/percycle.exe" "$@"; }
  try windows windows
fi
if cached arm64/libraries && command -v qemu-aarch64 >/dev/null; then
  "$source_dir/tools/build-arm64"
  libc=$("$source_dir/tools/portable/libc" arm64)
  arm64() { "$source_dir/tools/arm64/emulated" "$libc" "$source_dir/build/arm64/percycle" "$@"; }
  if "$source_dir/tools/arm64/emulated" "$libc" true; then
    try arm64 arm64
  fi
fi
((${#tried[@]})) || skip_anywhere "nothing is cross-built here yet (tools/test -L 'windows|arm64')"
