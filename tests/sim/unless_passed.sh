#!/bin/bash
# unless_passed.sh PROGRAM ARGUMENT...: runs PROGRAM unless it passed before. For tests on simulated
# devices only: their result depends on the program, its arguments and PERCYCLE_SIM_* alone.
# tools/test names a folder for the stamps (PERCYCLE_CACHE); without one, PROGRAM always runs.
set -euo pipefail

[[ ${PERCYCLE_CACHE:-} ]] || exec "$@"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
# Debug information and the build's identity differ between clones; the code does not.
objcopy --strip-debug --remove-section .note.gnu.build-id "$1" "$program"
key=$({
  sha256sum <"$program"
  printf '%s\n' "${@:2}"
  env | grep '^PERCYCLE_SIM_' | sort
} | sha256sum | cut -c1-40)
stamp=$PERCYCLE_CACHE/sim/$key
if [[ -e $stamp ]]; then
  touch "$stamp"
  echo "passed before: $(<"$stamp")"
  exit 0
fi
"$@"
mkdir -p "${stamp%/*}"
find "${stamp%/*}" -type f -mtime +30 -delete
echo "the same program and variables, $(date -u +%F)" >"$stamp.$$"
mv "$stamp.$$" "$stamp"
