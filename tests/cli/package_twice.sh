#!/bin/bash
# tools/package makes the same bytes in another folder, there without ccache. Not in tools/test's
# default: tools/test -L package.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

git -c safe.directory='*' -C "$source_dir" diff --quiet HEAD || skip "the working tree has changes"
"$source_dir/tools/package"
git -c safe.directory='*' clone -q "$source_dir" "$work/elsewhere"
CCACHE_DISABLE=1 elsewhere/tools/package
diff -r "$source_dir/build/package" elsewhere/build/package || fail "the packages differ"

python3 -m zipfile -e elsewhere/build/package/*.zip zip
for file in percycle.exe LICENSE README.md docs/commands.md licences/{mingw-w64,glslang}.txt; do
  [[ -s $(echo zip/*/"$file") ]] || fail "the .zip has no $file"
done

cd elsewhere/build/package
(($(ls ./*.deb ./*.tar.zst ./*.zip ./*.json | wc -l) == 6 && $(wc -l <SHA256SUMS) == 6)) || fail "the packages are $(ls)"
sha256sum --check --quiet --strict SHA256SUMS
dpkg-deb -x ./*_arm64.deb "$work/arm64"
[[ $(readelf -h "$work/arm64/usr/bin/percycle") == *AArch64* && $(dpkg-deb -f ./*_arm64.deb Architecture) == arm64 ]] || fail "the .deb for arm64 is for $(dpkg-deb -f ./*_arm64.deb Architecture)"
tar -xOf ./*-linux-aarch64.tar.zst --zstd --wildcards '*-aarch64/percycle' | cmp - "$work/arm64/usr/bin/percycle"
for file in "$work/arm64/usr/bin/percycle" "$work"/zip/*/percycle.exe; do
  grep -q "$(sha256sum "$file" | cut -d' ' -f1)" ./*.spdx.json || fail "the SBOM lacks $file"
done
