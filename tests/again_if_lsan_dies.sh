#!/bin/bash
# again_if_lsan_dies.sh COMMAND...: runs a test, and again without LeakSanitizer if that died.
#
# At the end of a process LeakSanitizer of clang 14 reads the memory of every thread. If a driver's
# thread ends meanwhile, it dies ("Tracer caught signal 11") and says nothing about leaks.
set -uo pipefail
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"$@" 2> >(tee "$said" >&2)
status=$?
wait
if ((status != 0)) && grep -q 'LeakSanitizer has encountered a fatal error' "$said"; then
  echo "LeakSanitizer died and found nothing: the test runs again, and no leak is looked for" >&2
  ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 "$@"
  status=$?
fi
exit "$status"
