#!/bin/bash
# tools/build-portable's binary in minimal systems of six distributions, newer and older than
# Debian 12. Not in tools/test's default: tools/test -L portable.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
((EUID == 0)) || skip "debootstrap needs root"

"$source_dir/tools/install-deps" portable
"$source_dir/tools/build-portable"
for system in bullseye trixie bionic focal jammy noble; do
  root=$("$source_dir/tools/portable/root" "$system")
  # shellcheck source=/dev/null
  (. "$root/etc/os-release" && echo "$PRETTY_NAME")
  try_in_root "$root" "$source_dir/build/portable/percycle"
done
